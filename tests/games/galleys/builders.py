"""Small seas for the tests: ships where the book puts them, one activation or one turn with written-out dice."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from games.galleys import GAME
from games.galleys.orders.checks import work_out
from games.galleys.orders.judge import FleetJudge
from games.galleys.orders.levels import give_standing_orders
from games.galleys.rules.activation import activate
from games.galleys.state import Ship, State
from games.galleys.table import Table
from pbem.kit.dice import LoadedDice
from pbem.kit.game import Event
from pbem.kit.scenario import Scenario, load_scenario, scenarios_of
from pbem.kit.sheet import Problem, Sheet
from pbem.play.phase import Played as Tried
from pbem.play.trial import run_trial

SITUATIONS = Path(__file__).parents[2] / "situations" / "galleys"
HOLD_FIRE = {"hold fire": "always"}
US, THEM = "Athens", "Corinth"
OURS, THEIRS = "Owls", "Ravens"


def ship(name: str, klass: str, at: str, **fields: Any) -> dict[str, Any]:
    """A ship at a place in the book's notation: ``ship("Ajax", "trireme", "10,5/0", crew=1)``."""
    return {"name": name, "class": klass, "at": at, **fields}


def acting(name: str, klass: str, at: str, **fields: Any) -> dict[str, Any]:
    """A ship that holds its fire, as the acting ships of the worked examples do."""
    return ship(name, klass, at, **{"doctrines": HOLD_FIRE, **fields})


FAR_OFF = ship("Pharos", "transport", "38,10/0")
"""An enemy out of everybody's reach, so that the battle is not over."""


def sea(
    mine: list[dict[str, Any]],
    theirs: list[dict[str, Any]] | None = None,
    links: list[dict[str, Any]] | None = None,
    squadrons: list[dict[str, Any]] | None = None,
    sides: dict[str, dict[str, Any]] | None = None,
    **head: Any,
) -> State:
    """A state on a big empty sea without fog; further squadrons bring their own ships."""
    given = sides or {}
    data: dict[str, Any] = {
        "scenario": {"cols": 60, "rows": 60, "fog": False, "turn": 2, "first_side": US, **head},
        "side": [
            {"name": US, "exit_edge": "S", **given.get(US, {})},
            {"name": THEM, "exit_edge": "N", **given.get(THEM, {})},
        ],
        "squadron": [
            {"side": US, "name": OURS, "ships": mine},
            {"side": THEM, "name": THEIRS, "ships": theirs if theirs is not None else [FAR_OFF]},
            *(squadrons or []),
        ],
        "link": links or [],
    }
    return GAME.setup(Scenario("galleys", "test", "test", data), LoadedDice())


def link(first: str, second: str, kind: str = "grappled", **fields: Any) -> dict[str, Any]:
    return {"ships": [first, second], "kind": kind, **fields}


@dataclass(frozen=True)
class Acted:
    """What one activation left behind."""

    table: Table
    rolls: tuple[str, ...]

    def ship(self, name: str) -> Ship:
        return self.table.ships[name]

    def place(self, name: str) -> str:
        """Bow hex and facing as the book writes them."""
        found = self.table.ships[name]
        return f"{found.bow.q},{found.bow.r}/{found.facing}"

    def links(self) -> list[tuple[tuple[str, str], str]]:
        return [(found.ships, found.kind) for found in self.table.links.values()]

    def events(self, kind: str) -> list[Event]:
        return [event for event in self.table.events if event.kind == kind]

    def facts(self, kind: str, *names: str) -> list[dict[str, Any]]:
        return [{name: event.facts[name] for name in names} for event in self.events(kind)]

    def reasons(self) -> list[str]:
        """Why intents were passed over."""
        return [event.facts["reason"] for event in self.events("intent_skipped")]


def acted(
    state: State, name: str, orders: str = "", *faces: int, meanwhile: dict[str, dict[str, Any]] | None = None
) -> Acted:
    """Run one ship's activation alone, with the orders of its side and exactly these dice.

    ``meanwhile`` is what happened to ships between the writing of the orders and the activation.
    """
    dice = LoadedDice(*faces)
    side = state.ship(name).side
    ordered = work_out(state, side, FleetJudge(read(state, orders, side).accepted))
    table = Table(state, dice, ordered.ships)
    give_standing_orders(table, side, ordered)
    table.activation = table.step = state.ship(name).squadron
    for changed, fields in (meanwhile or {}).items():
        table.change(table.ships[changed], **fields)
    activate(table, name)
    assert dice.left == (), "dice left over"
    return Acted(table, tuple(roll.label for roll in dice.rolls))


def read(state: State, orders: str, side: str = US) -> Sheet[Any]:
    return GAME.read_orders(state, side, orders)


def complaints(state: State, orders: str, side: str = US) -> list[str]:
    """The ids of the problems of a sheet, without the note on silent ships."""
    return [problem.rule for problem in read(state, orders, side).problems if problem.rule != "GA-VAL-33"]


def complaint(state: State, orders: str, rule: str, side: str = US) -> Problem:
    """The one problem with this id."""
    (found,) = [problem for problem in read(state, orders, side).problems if problem.rule == rule]
    return found


@dataclass(frozen=True)
class Turn:
    """A whole turn."""

    state: State
    events: tuple[Event, ...]
    rolls: tuple[str, ...]

    def kinds(self) -> list[str]:
        return [event.kind for event in self.events]

    def of(self, kind: str) -> list[Event]:
        return [event for event in self.events if event.kind == kind]


def turn(state: State, mine: str, theirs: str, *faces: int) -> Turn:
    """Resolve the turn, or what is left of it, with exactly these dice."""
    dice = LoadedDice(*faces)
    sheets = {US: read(state, mine, US), THEM: read(state, theirs, THEM)}
    done = GAME.resolve(state, sheets, dice)
    assert dice.left == (), "dice left over"
    return Turn(done.state, done.events, tuple(roll.label for roll in dice.rolls))


def ours_to_act(state: State) -> State:
    """The same sea with the initiative rolled and only our squadrons still to act."""
    squadrons = tuple(replace(found, activated=found.side == THEM) for found in state.squadrons)
    return replace(state, step="activations", squadrons=squadrons)


def tried(example: str) -> Tried:
    """Run a worked example from its situation file; every die of the file must be used."""
    found = run_trial(load_scenario(SITUATIONS / f"{example}.toml"))
    assert found.unused_dice == ()
    return found


def after(example: str, name: str) -> Ship:
    return ship_of(tried(example).state, name)


def ship_of(state: Any, name: str) -> Ship:
    found: Ship = state.ship(name)
    return found


def tutorial() -> State:
    return GAME.setup(scenarios_of("galleys")["rhium"], LoadedDice())
