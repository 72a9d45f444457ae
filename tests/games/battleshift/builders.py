"""Small situations for the tests: two sides, a table, and squadrons where the example needs them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from games.battleshift import GAME
from games.battleshift.rules.fog import table_of
from games.battleshift.state import Squadron, State
from games.battleshift.table import Table
from pbem.kit.dice import LoadedDice
from pbem.kit.game import Event, Resolution
from pbem.kit.scenario import Scenario, load_scenario
from pbem.kit.sheet import Problem, Sheet
from pbem.play.phase import Played as Tried
from pbem.play.trial import run_trial

SITUATIONS = Path(__file__).parents[2] / "situations" / "battleshift"
AZURE_FIRST = (6, 1)
"""Initiative dice with which Azure wins and acts first."""
SIDES = [{"id": "azure", "name": "Azure", "edge": "south"}, {"id": "crimson", "name": "Crimson", "edge": "north"}]
HULK: dict[str, Any] = {"size": 2, "no_shields": True}
"""Hull 3; armour stops nothing of power 2, a 1 of power 1."""
BARGE: dict[str, Any] = {"class": {"Barge": {"size": 2}}}
"""Ships without a weapon, that may turn as they like."""


def field(word: str, value: Any) -> dict[str, Any]:
    """A field that cannot be given by name, since Python has another use for the word: ``class``, ``return``."""
    return {word: value}


def sq(
    name: str, ship_class: str, *spots: str, side: str = "azure", facing: int | None = None, **more: Any
) -> dict[str, Any]:
    """A squadron with a ship at each spot; Azure faces north, Crimson south."""
    ships = [{"number": number, "at": spot} for number, spot in enumerate(spots, 1)]
    faces = facing if facing is not None else (0 if side == "azure" else 180)
    return {"name": name, "side": side, "class": ship_class, "ships": ships, "facing": faces, **more}


def foe(name: str, ship_class: str, *spots: str, **more: Any) -> dict[str, Any]:
    """A Crimson squadron that has already acted, so that it only reacts."""
    return sq(name, ship_class, *spots, **{"side": "crimson", "acted": True, **more})


def tf(name: str, *squadrons: str, side: str = "azure", **more: Any) -> dict[str, Any]:
    return {"name": name, "side": side, "squadrons": list(squadrons), **more}


def flight(name: str, carrier: str, wings: int, at: str, side: str = "azure", **more: Any) -> dict[str, Any]:
    return {"name": name, "side": side, "carrier": carrier, "wings": wings, "at": at, **more}


def planet(*installations: str, **more: Any) -> list[dict[str, Any]]:
    """Crimson's planet in the middle of the table, the same in all quadrants."""
    quadrants = {place: {"installations": list(installations)} for place in ("NE", "SE", "SW", "NW")}
    body = {"kind": "planet", "name": "Terra", "x": 3600, "y": 2400, "radius": 600, "owner": "crimson", "defence": 10}
    return [{**body, "quadrants": quadrants, **more}]


FAR = foe("Far", "Light Carrier", "71,1")
"""An enemy out of everything's reach, so that the battle goes on."""


def state_of(
    squadrons: list[dict[str, Any]],
    tfs: list[dict[str, Any]] | None = None,
    flights: list[dict[str, Any]] | None = None,
    **more: Any,
) -> State:
    """A table of 6 by 4 feet; anything a situation file may say can be given."""
    data: dict[str, Any] = {"width_ft": 6, "height_ft": 4, "side": SIDES, "squadron": squadrons}
    data |= {"taskforce": tfs or [], "flight": flights or [], **more}
    return GAME.setup(Scenario("battleshift", "test", "A test", data), LoadedDice())


def turn(state: State, azure: str = "", crimson: str = "", dice: tuple[int, ...] = AZURE_FIRST) -> Resolution[State]:
    """Resolve the phase; every die given must be used."""
    sheets = {"azure": GAME.read_orders(state, "azure", azure), "crimson": GAME.read_orders(state, "crimson", crimson)}
    loaded = LoadedDice(*dice)
    resolution = GAME.resolve(state, sheets, loaded)
    assert loaded.left == ()
    return resolution


def named(state: State, name: str) -> Squadron:
    return next(squadron for squadron in state.squadrons if squadron.name == name)


def spots(state: State, name: str) -> list[tuple[int, int]]:
    """Where the active ships of a squadron are."""
    return [(ship.x, ship.y) for ship in named(state, name).ships if ship.status == "active"]


def statuses(state: State, name: str) -> list[str]:
    return [ship.status for ship in named(state, name).ships]


def events(resolution: Resolution[State] | Tried, kind: str) -> list[dict[str, Any]]:
    return [dict(event.facts) for event in resolution.events if event.kind == kind]


def kinds(resolution: Resolution[State], *wanted: str) -> list[str]:
    return [event.kind for event in resolution.events if not wanted or event.kind in wanted]


def order_of(resolution: Resolution[State] | Tried) -> list[str]:
    """The units in order of activation."""
    return [facts["unit"] for facts in events(resolution, "activate")]


def sheet(state: State, text: str, side: str = "azure") -> Sheet[Any]:
    return GAME.read_orders(state, side, text)


def problems(state: State, text: str, side: str = "azure") -> list[str]:
    """The validation ids a text brings up."""
    return [problem.rule for problem in sheet(state, text, side).problems]


def problem(state: State, text: str, rule: str, side: str = "azure") -> Problem:
    """The one problem with this id."""
    found = [one for one in sheet(state, text, side).problems if one.rule == rule]
    assert len(found) == 1, sheet(state, text, side).problems
    return found[0]


def measured(state: State) -> Table:
    """A working table without dice."""
    return table_of(state)


def situation(key: str, orders: dict[str, str] | None = None, dice: tuple[int, ...] | None = None) -> Tried:
    """Run a situation file; every die it brings must be used."""
    tried = run_trial(load_scenario(SITUATIONS / f"{key}.toml"), orders, dice)
    assert tried.unused_dice == ()
    return tried


def rules_of(tried: Tried, side: str = "azure") -> list[str]:
    return [one.rule for one in tried.sheets[side].problems]


def last(resolution: Resolution[State], kind: str) -> Event:
    return [event for event in resolution.events if event.kind == kind][-1]
