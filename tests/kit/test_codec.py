"""Values to JSON and back, TOML to records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Literal

import pytest

from pbem.kit.codec import LATER, BadData, build, decode, encode, parse_toml, plain, same
from pbem.kit.hexgrid import Hex


class State(StrEnum):
    NORMAL = "normal"
    STRAY = "stray"


@dataclass(frozen=True)
class Ship:
    name: str
    at: Hex
    structure: int = 10
    state: State = State.NORMAL
    arcs: tuple[int, ...] = ()
    tags: frozenset[str] = frozenset()
    held_by: str | None = None
    factor: Fraction = Fraction(2, 3)
    armour: tuple[int, int] = (4, 4)


@dataclass(frozen=True)
class Fleet:
    ships: tuple[Ship, ...]
    left: Mapping[str, int] = field(default_factory=dict)
    turns: Mapping[int, str] = field(default_factory=dict)
    mode: Literal["open", "standard"] = "open"


FLEET = Fleet(
    (Ship("Omega-1", Hex(3, -4), 5, State.STRAY, (1, 2), frozenset({"b", "a"}), "Primus-1"), Ship("Nova-1", Hex(0, 0))),
    {"laser": 2},
    {3: "east"},
)


def test_a_value_survives_the_way_through_json() -> None:
    assert same(FLEET) == FLEET


def test_the_bytes_do_not_depend_on_the_order_of_sets_or_keys() -> None:
    assert encode(frozenset({"c", "a", "b"})) == '["a","b","c"]'
    assert encode({"b": 1, "a": 2}) == '{"a":2,"b":1}'


@pytest.mark.parametrize(
    ("toml", "where", "why"),
    [
        ('name = "A"\nat = [0, 0]\nstructur = 3', "f.toml.structur", "did you mean 'structure'?"),
        ('name = "A"', "f.toml", "the key 'at' is missing"),
        ('name = "A"\nat = [0]', "f.toml.at", "a list of 2 (q, r) is needed"),
        ('name = "A"\nat = [0, 0]\nstructure = "5"', "f.toml.structure", "a whole number is needed, not '5'"),
        ('name = "A"\nat = [0, 0]\nstructure = true', "f.toml.structure", "a whole number is needed, not True"),
        ('name = "A"\nat = [0, 0]\nstate = "stary"', "f.toml.state", "did you mean 'stray'?"),
        ('name = "A"\nat = [0, 0]\narcs = [1, "x"]', "f.toml.arcs[1]", "a whole number is needed"),
        ('name = "A"\nat = [0, 0]\nfactor = "2/0"', "f.toml.factor", "a fraction"),
        ('name = "A"\nat = [0, 0]\narmour = [1]', "f.toml.armour", "a list of 2 is needed, not of 1"),
        ("name = ", "f.toml", "not valid TOML"),
    ],
)
def test_an_error_names_its_place_and_what_is_needed(toml: str, where: str, why: str) -> None:
    with pytest.raises(BadData) as caught:
        parse_toml(Ship, toml, "f.toml")

    assert caught.value.where == where
    assert why in caught.value.why


def test_a_mapping_key_must_be_a_number_where_numbers_are_meant() -> None:
    with pytest.raises(BadData, match="a whole number is needed as key"):
        build(Fleet, {"ships": [], "turns": {"x": "y"}}, "f")


def test_a_union_of_records_is_told_apart_by_its_keys() -> None:
    @dataclass(frozen=True)
    class At:
        hex: str

    @dataclass(frozen=True)
    class Off:
        offset: int

    assert build(At | Off, {"offset": 3}, "x") == Off(3)


def test_what_has_no_json_form_is_refused() -> None:
    with pytest.raises(TypeError, match="object has no JSON form"):
        plain(object())


def test_decode_wants_the_type_it_was_promised() -> None:
    with pytest.raises(BadData):
        decode(Ship, encode(FLEET))


@dataclass(frozen=True)
class Grown:
    name: str
    towed: int | None = field(default=None, metadata=LATER)


def test_a_field_that_came_later_leaves_older_records_their_bytes() -> None:
    assert encode(Grown("Nike")) == '{"name":"Nike"}'
    assert decode(Grown, '{"name":"Nike"}') == Grown("Nike")
    assert decode(Grown, encode(Grown("Nike", towed=3))) == Grown("Nike", towed=3)
