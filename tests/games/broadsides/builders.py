"""Shared builders: situations in a few words, and the parts of a resolution a worked example looks at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from games.broadsides import GAME
from games.broadsides.state import Flight, Ship, State
from games.broadsides.table import Table
from pbem.kit.dice import LoadedDice
from pbem.kit.game import Event
from pbem.kit.scenario import Scenario, load_scenario
from pbem.play.phase import Played as Tried
from pbem.play.trial import run_trial

SITUATIONS = Path(__file__).parents[2] / "situations" / "broadsides"


def example(name: str) -> Tried:
    """A situation file of the rule book's worked examples, tried; every die of it must be used."""
    tried = run_trial(load_scenario(SITUATIONS / f"{name}.toml"))
    assert tried.unused_dice == ()
    return tried


def unit(
    side: str, name: str, class_name: str, position: Sequence[int] | None = (0, 0), **fields: Any
) -> dict[str, Any]:
    made = {"side": side, "name": name, "class": class_name, **fields}
    if position is not None:
        made["position"] = list(position)
    return made


FAR = unit("Narn", "Far", "Dro-Vash", (0, -50))
"""An enemy too far away to matter."""


def situation(*units: Mapping[str, Any], **fields: Any) -> Scenario:
    """Two sides, EA and Narn, on a wide map; turn 2 spares the first-fire dice."""
    switches = dict(fields.pop("switches", {}))
    data: dict[str, Any] = {
        "sides": [{"id": "EA", "name": "Earth"}, {"id": "Narn", "name": "Narn"}],
        "map": {"radius": 60},
        "turn": 2,
        "unit": list(units),
        **fields,
    }
    if data.get("phase") == "fire":
        switches["fire_phase"] = True
    return Scenario("broadsides", "test", "Test", {**data, "switches": switches})


def state_of(*units: Mapping[str, Any], **fields: Any) -> State:
    return GAME.setup(situation(*units, **fields), LoadedDice())


def tried(*units: Mapping[str, Any], dice: Sequence[int], ea: str = "", narn: str = "", **fields: Any) -> Tried:
    """One phase of a situation, all dice used."""
    done = run_trial(situation(*units, **fields), {"EA": ea, "Narn": narn}, list(dice))
    assert done.unused_dice == ()
    return done


def fire(*units: Mapping[str, Any], dice: Sequence[int], ea: str = "", narn: str = "", **fields: Any) -> Tried:
    """The fire phase alone: R7 to R14."""
    return tried(*units, dice=dice, ea=ea, narn=narn, phase="fire", **fields)


def battle_of(*units: Mapping[str, Any], dice: Sequence[int] = (), **fields: Any) -> Table:
    """The working table, for rules that are plain questions."""
    table = Table(state_of(*units, **fields), LoadedDice(*dice))
    table.step = "test"
    return table


def ship(done: Tried, name: str) -> Ship:
    found = done.state.ships[name]
    assert isinstance(found, Ship)
    return found


def flight(done: Tried, name: str) -> Flight:
    found = done.state.flights[name]
    assert isinstance(found, Flight)
    return found


def events(done: Tried, kind: str) -> list[Mapping[str, Any]]:
    return [event.facts for event in done.events if event.kind == kind]


def first(done: Tried, kind: str) -> Mapping[str, Any]:
    return events(done, kind)[0]


def all_events(done: Tried, kind: str) -> list[Event]:
    return [event for event in done.events if event.kind == kind]


def rules_broken(state: State, side: str, text: str) -> list[str]:
    """The validation ids of an order text."""
    return [problem.rule for problem in GAME.read_orders(state, side, text).problems]


def problem(state: State, side: str, text: str) -> Any:
    """The only problem of an order text."""
    (found,) = GAME.read_orders(state, side, text).problems
    return found


HOLD = "hold all"


def silent(*names: str) -> str:
    """Ships that neither fire nor intercept."""
    return "\n".join(f"{name}:\n  hold all\n  intercept none" for name in names)


def gunner(name: str, *lines: str) -> str:
    """A ship that fires only what these lines say."""
    return "\n".join([f"{name}:", "  hold all", "  hold below 0", *(f"  {line}" for line in lines)])


def complaint_state(**fields: Any) -> State:
    """A battle with one unit for every kind of complaint."""
    return state_of(
        unit("EA", "Resolute", "Resolute", (0, 10), speed=6, weapon={"HL3": {"charge": 0}}),
        unit("EA", "Ajax", "Lance", (0, 0), speed=6),
        unit("EA", "Bold", "Lance", (3, 0), speed=6, facing=1),
        unit("EA", "Weak", "Lance", (4, 0), speed=6, blocks_lost={"engine": 5}),
        unit("EA", "Dover", "Picket", (6, 0), speed=6),
        unit("EA", "Turner", "Lance", (5, 0), speed=6, facing=4, turning={"dir": "port", "left": 2}),
        unit("EA", "Rocky", "Lance", (20, 0), speed=2),
        unit("EA", "Gorger", "Gorger", (8, 0), speed=6),
        unit("EA", "Sentry", "Sentry", (9, 0)),
        unit("EA", "Dead", "Lance", (0, 0), status="destroyed"),
        unit("EA", "Deep", "Resolute", None),
        unit("EA", "Red", "Kestrel", (0, 0), speed=8),
        unit("EA", "Gold", "Kestrel", None, carrier="Resolute"),
        unit("Narn", "Karn", "Karn-Tal", (0, -9), heading=3, speed=5),
        unit("Narn", "Tuk", "Tir-Zak", (3, -9), heading=3, speed=5),
        unit("Narn", "Far", "Tir-Zak", (0, -40), heading=3, speed=5),
        unit("Narn", "Claw", "Fang", (1, -9), heading=3, speed=5),
        terrain={"large": [{"hexes": [[20, -2]]}]},
        **fields,
    )
