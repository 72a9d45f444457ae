"""Records made from files and cut to what a reader may know."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import pytest

from pbem.kit.codec import BadData, build, plain
from pbem.kit.hexgrid import Hex
from pbem.kit.records import amended, part, shared


class Level(StrEnum):
    SLOW = "slow"
    FAST = "fast"


@dataclass(frozen=True)
class SeenShip:
    name: str
    at: Hex
    level: Level = Level.SLOW


@dataclass(frozen=True)
class Ship(SeenShip):
    crew: int = 3
    signals: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if self.crew < 0:
            raise ValueError("the crew cannot be less than none")


def test_a_part_has_nothing_that_its_class_does_not_name() -> None:
    ship = Ship("Argo", Hex(1, 2), Level.FAST, crew=9)

    seen = part(SeenShip, ship)

    assert type(seen) is SeenShip
    assert plain(seen) == {"name": "Argo", "at": [1, 2], "level": "fast"}


def test_what_a_file_says_goes_before_the_card() -> None:
    card = {"crew": 5, "level": Level.FAST, "signals": frozenset({"b", "a"})}

    ship = build(Ship, {**card, "name": "Argo", "at": [1, 2], "crew": 4}, "ship Argo")

    assert ship == Ship("Argo", Hex(1, 2), Level.FAST, 4, frozenset({"a", "b"}))


def test_a_record_is_amended_field_by_field() -> None:
    ship = Ship("Argo", Hex(1, 2))

    assert amended(ship, {"level": "fast", "at": [0, 1]}, "ship Argo") == Ship("Argo", Hex(0, 1), Level.FAST)


@pytest.mark.parametrize(
    ("said", "complaint"),
    [
        ({"crw": 1}, "ship Argo.crw: no such key; did you mean 'crew'?"),
        ({"crew": "many"}, "ship Argo.crew: a whole number is needed, not 'many'"),
        ({"level": "fats"}, "ship Argo.level: 'fats' is not one of slow, fast; did you mean 'fast'?"),
        ({"crew": -1}, "ship Argo: the crew cannot be less than none"),
    ],
)
def test_an_amendment_that_does_not_fit_names_its_place(said: dict[str, object], complaint: str) -> None:
    with pytest.raises(BadData) as error:
        amended(Ship("Argo", Hex(1, 2)), said, "ship Argo")

    assert str(error.value) == complaint


def test_another_record_is_made_on_the_part_they_share() -> None:
    seen = SeenShip("Argo", Hex(1, 2), Level.FAST)

    assert Ship(**shared(SeenShip, seen), crew=5) == Ship("Argo", Hex(1, 2), Level.FAST, crew=5)
    assert shared(SeenShip, Ship("Argo", Hex(1, 2))) == {"name": "Argo", "at": Hex(1, 2), "level": Level.SLOW}
