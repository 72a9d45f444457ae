"""The working table: a state laid out, changed and gathered again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import pytest

from pbem.kit.dice import LoadedDice, OutOfDice, Roll
from pbem.kit.game import Event
from pbem.kit.table import WorkingTable


@dataclass(frozen=True)
class Ship:
    name: str
    hull: int = 3


@dataclass(frozen=True)
class Port:
    name: str
    open: bool = True


@dataclass(frozen=True)
class State:
    turn: int
    ships: tuple[Ship, ...] = ()
    ports: Mapping[str, Port] = field(default_factory=dict)


class Table(WorkingTable[State]):
    shelves: ClassVar[Mapping[type, str]] = {Ship: "ships", Port: "ports"}
    ships: dict[str, Ship]
    ports: dict[str, Port]

    def setting(self) -> Mapping[str, Any]:
        return {"turn": self.state.turn}


STATE = State(4, (Ship("Argo"), Ship("Bremen")), {"Tyre": Port("Tyre")})


def test_changed_records_keep_their_place_and_the_state_is_left_alone() -> None:
    table = Table(STATE)

    table.change(table.ships["Argo"], hull=1)
    table.put(Ship("Corsair"))
    table.put(Port("Tyre", open=False))

    assert table.frozen(turn=5) == State(
        5, (Ship("Argo", 1), Ship("Bremen"), Ship("Corsair")), {"Tyre": Port("Tyre", open=False)}
    )
    assert STATE.ships[0].hull == 3


def test_a_die_carries_the_moment_before_its_label() -> None:
    table = Table(STATE, LoadedDice(5))
    table.step = "pulse 2"

    assert table.roll(6, "Argo", "to hit") == Roll("pulse 2/Argo/to hit", 6, 5)


def test_a_table_without_dice_says_which_roll_was_asked_of_it() -> None:
    with pytest.raises(OutOfDice, match="d6 for '/Argo'"):
        Table(STATE).roll(6, "Argo")


def test_an_event_carries_setting_step_and_audience() -> None:
    table = Table(STATE)
    table.step = "fire"

    table.tell("hit", "XX-FIRE-1", "earth", {"ship": "Argo"})
    table.tell("sunk", "XX-FIRE-2", ("earth", "narn"), {})

    assert table.events == [
        Event("hit", "XX-FIRE-1", "fire", {"turn": 4, "ship": "Argo"}, frozenset({"earth"})),
        Event("sunk", "XX-FIRE-2", "fire", {"turn": 4}, frozenset({"earth", "narn"})),
    ]


def test_a_tally_numbers_dice_within_their_purpose_and_hands_them_over_once() -> None:
    table = Table(STATE, LoadedDice(1, 2, 3))
    tally = table.tally("Argo")

    assert [tally.roll(6, "to hit"), tally.roll(6, "to hit")] == [1, 2]
    assert [roll.label for roll in tally.taken()] == ["/Argo/to hit/1", "/Argo/to hit/2"]
    assert tally.roll(6, "damage") == 3
    assert [roll.label for roll in tally.taken()] == ["/Argo/damage/1"]
