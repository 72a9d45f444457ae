"""Situations in one line: squadrons, flights, orders and loaded dice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from games.fleet_action import GAME
from games.fleet_action.orders.records import Order
from games.fleet_action.rules import fire
from games.fleet_action.rules.shots import Shot
from games.fleet_action.state import Flight, Ship, Squadron, State
from games.fleet_action.table import Table
from pbem.kit import hexgrid
from pbem.kit.dice import LoadedDice, Roll
from pbem.kit.game import Event, Resolution
from pbem.kit.hexgrid import Hex
from pbem.kit.scenario import Scenario, load_scenario
from pbem.kit.sheet import Problem, Sheet
from pbem.play.phase import Played as Tried
from pbem.play.trial import run_trial

SITUATIONS = Path(__file__).parents[2] / "situations" / "fleet_action"

Sides = Sequence[tuple[str, str, str]]

EARTH_AND_NARN = (("earth", "Earth", "defender"), ("narn", "Narn", "attacker"))
CENTAURI_AND_NARN = (("centauri", "Centauri", "attacker"), ("narn", "Narn", "defender"))
EARTH_AND_MINBARI = (("earth", "Earth", "defender"), ("minbari", "Minbari", "attacker"))
MINBARI_AND_NARN = (("minbari", "Minbari", "attacker"), ("narn", "Narn", "defender"))


def ship(name: str, key: str = "", **fields: Any) -> dict[str, Any]:
    """``ship("Omega-1")``: the class is the name without its number, unless given."""
    key = key or name.rsplit("-", 1)[0].lower().replace("'", "")
    return {"name": name, "class": key, **fields}


def squadron(
    name: str, side: str, at: str | None, *ships: str | dict[str, Any], heading: int = 1, speed: int = 0, **fields: Any
) -> dict[str, Any]:
    given = [ship(entry) if isinstance(entry, str) else entry for entry in ships]
    table = {"name": name, "side": side, "heading": heading, "speed": speed, "ships": given, **fields}
    return table if at is None else {**table, "hex": at}


def flight(name: str, key: str, home: str, at: str | None = None, **fields: Any) -> dict[str, Any]:
    table = {"name": name, "class": key, "home": home, **fields}
    return table if at is None else {**table, "hex": at}


def cards(**classes: dict[str, Any]) -> dict[str, Any]:
    """Ship classes of the situation's own, as a field of it."""
    return {"class": classes}


def situation(
    *squadrons: dict[str, Any],
    sides: Sides = EARTH_AND_NARN,
    flights: Sequence[dict[str, Any]] = (),
    switches: Mapping[str, Any] | None = None,
    side_fields: Mapping[str, Mapping[str, Any]] | None = None,
    **fields: Any,
) -> State:
    """The state of a situation file that says this."""
    more = side_fields or {}
    data = {
        "map_w": 60,
        "map_h": 60,
        "side": [{"id": i, "navy": n, "role": r, **more.get(i, {})} for i, n, r in sides],
        "squadron": list(squadrons),
        "flight": list(flights),
        "switches": dict(switches or {}),
        **fields,
    }
    return GAME.setup(Scenario("fleet_action", "test", "Test", data), LoadedDice())


def sheet(state: State, side: str, text: str) -> Sheet[Order]:
    return GAME.read_orders(state, side, text)


def problems(state: State, side: str, text: str) -> list[str]:
    """The ids of the complaints."""
    return [problem.rule for problem in sheet(state, side, text).problems]


def complaint(state: State, side: str, text: str) -> Problem:
    """The one complaint about this text."""
    (found,) = sheet(state, side, text).problems
    return found


def play(state: State, *dice: int, **orders: str) -> Resolution[State]:
    """Resolve one phase; the dice must be exactly those that fall."""
    loaded = LoadedDice(*dice)
    sheets = {side.id: GAME.read_orders(state, side.id, orders.get(side.id, "")) for side in state.sides}
    resolution = GAME.resolve(state, sheets, loaded)
    assert loaded.left == ()
    return resolution


class OnesOnly:
    """Dice that all show 1, for situations in which nobody should hit."""

    def __init__(self) -> None:
        self.rolls: list[Roll] = []

    def roll(self, sides: int, *label: object) -> Roll:
        self.rolls.append(Roll("/".join(str(part) for part in label), sides, 1))
        return self.rolls[-1]


def play_low(state: State, **orders: str) -> Resolution[State]:
    """Resolve one phase with dice that all show 1."""
    sheets = {side.id: GAME.read_orders(state, side.id, orders.get(side.id, "")) for side in state.sides}
    return GAME.resolve(state, sheets, OnesOnly())


def sides_asked(state: State) -> frozenset[str]:
    """Whose orders the open phase needs."""
    phase = GAME.phase(state)
    assert phase is not None, "the battle is over"
    return phase.sides


def battle(state: State, *dice: int, **orders: str) -> Table:
    """A battle with the orders read, before anything has happened."""
    given = [(side, order) for side, text in orders.items() for order in sheet(state, side, text).orders]
    return Table(state, LoadedDice(*dice), given)


def aim_at(fight: Table, firer: str, weapon: int, target: str) -> Shot:
    """The shot of a weapon that bears and reaches."""
    shot = fire.aim(fight, fight.ships[firer], weapon, fight.ships[target])
    assert shot is not None, "it does not bear"
    return shot


def tried(name: str) -> Tried:
    """The situation file of this name, resolved with its own orders and dice."""
    outcome = run_trial(load_scenario(SITUATIONS / f"{name}.toml"))
    assert outcome.unused_dice == ()
    return outcome


def the_ship(state: State, name: str) -> Ship:
    return next(found for found in state.ships if found.name == name)


def the_squadron(state: State, name: str) -> Squadron:
    return next(found for found in state.squadrons if found.name == name)


def the_flight(state: State, name: str) -> Flight:
    return next(found for found in state.flights if found.name == name)


def events(of: Resolution[State] | Tried, kind: str) -> list[Event]:
    return [event for event in of.events if event.kind == kind]


def fired(of: Resolution[State] | Tried) -> list[tuple[str, str, int]]:
    """Weapon, target and dice of every shot."""
    return [(e.facts["weapon"], e.facts["target"], e.facts["x"]) for e in events(of, "fire")]


def places(of: Resolution[State] | Tried, name: str) -> list[str]:
    """Where a ship stood after each pulse in which its squadron moved."""
    return [entry["to"] for event in events(of, "move") for entry in event.facts["ships"] if entry["name"] == name]


def headings(of: Resolution[State] | Tried, name: str) -> list[int]:
    return [event.facts["heading"] for event in events(of, "move") if event.facts["squadron"] == name]


def at(name: str) -> Hex:
    found = hexgrid.parse(name)
    assert found is not None
    return found


def weapon_left(state: State, ship_name: str, weapon: str) -> int:
    found = the_ship(state, ship_name)
    table = Table(state)
    number = next(n for n, mount, _ in table.mounts(found) if weapon in (mount.weapon, mount.name))
    return found.weapon_left[number]
