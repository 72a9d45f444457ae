"""Worked examples: a player can check them with the rule book open, the dice are written out."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pbem.kit.codec import BadData
from pbem.kit.dice import LoadedDice
from pbem.kit.game import Resolution
from pbem.kit.hexgrid import Hex, parse
from pbem.kit.scenario import Scenario, parse_scenario

from skirmish import GAME
from skirmish.state import Ship, State

SITUATION = """
game = "skirmish"
key = "duel"
squadron = [{ id = "north", name = "North" }, { id = "south", name = "South" }]
ship = [
    { name = "Aquila", squadron = "north", kind = "cruiser", hex = "0505" },
    { name = "Phoenix", squadron = "south", kind = "frigate", hex = "0511", hull = 2 },
]
"""


def duel(text: str = SITUATION) -> State:
    return GAME.setup(parse_scenario(text, "duel.toml"), LoadedDice())


def played(north: str, south: str, *faces: int, state: State | None = None) -> Resolution[State]:
    """One turn; every die must be used."""
    before, dice = state or duel(), LoadedDice(*faces)
    sheets = {"north": GAME.read_orders(before, "north", north), "south": GAME.read_orders(before, "south", south)}
    assert [sheet.problems for sheet in sheets.values()] == [(), ()]
    resolution = GAME.resolve(before, sheets, dice)
    assert dice.left == ()
    return resolution


def ship(state: State, name: str) -> Ship:
    return next(one for one in state.ships if one.name == name)


def place(text: str) -> Hex:
    found = parse(text)
    assert found is not None
    return found


def test_sk_fir_3_a_die_for_each_gun_and_a_hit_for_each_that_reaches_the_number() -> None:
    """Aquila closes to range 3, where a die needs 4: of 4, 3 and 5 two hit, and Phoenix with hull 2 goes down.

    SK-FIR-6: Phoenix fires in the same turn, and of 6 and 1 one hits.
    """
    after = played("Aquila:\n  move 0508\n  fire Phoenix\n", "", 4, 3, 5, 6, 1)

    assert ship(after.state, "Aquila") == Ship("Aquila", "north", "cruiser", place("0508"), 5)
    assert ship(after.state, "Phoenix").hull == 0
    assert [event.kind for event in after.events] == ["moved", "fired", "fired", "lost"]
    assert after.events[1].facts["needed"] == 4
    outcome = GAME.outcome(after.state)
    assert outcome is not None
    assert outcome.reason == "North holds the sea: hull left North 5, South 0."


def test_sk_fir_4_a_target_that_sails_out_of_range_is_not_fired_at() -> None:
    after = played("Aquila: fire Phoenix", "Phoenix: move 0512")

    assert [event.kind for event in after.events] == ["moved", "out_of_range"]
    assert after.events[1].seen_by == {"north"}


def test_sk_vic_2_after_the_last_turn_the_same_hull_is_a_draw() -> None:
    state = replace(duel(SITUATION.replace("hull = 2", "hull = 6")), turn=9)

    outcome = GAME.outcome(state)

    assert GAME.phase(state) is None
    assert outcome is not None
    assert outcome.winners == frozenset()


@pytest.mark.parametrize(
    ("text", "rule", "reason"),
    [
        ("Aquila: dance", "SK-E-1", "no order called 'dance'"),
        ("Nemo: move 0506", "SK-E-2", "no unit called 'Nemo'"),
        ("move 0506", "SK-E-2", "'move 0506' stands under no ship"),
        ("fire nearest", "SK-E-2", "'fire nearest' stands under no ship"),
        ("turn 4\nAquila: move 0506", "SK-E-3", "these orders are for turn 4, but turn 1 is open"),
        ("Aquila: move north", "SK-E-4", "'north' is no hex"),
        ("Aquila: move 1705", "SK-E-5", "1705 is off the map"),
        ("Aquila: move 0509", "SK-E-6", "0509 is 4 hexes away, a cruiser moves at most 3"),
        ("Aquila: fire Phenix", "SK-E-7", "'Phenix' is no enemy ship afloat"),
        ("Aquila: move 0506\nAquila: move 0507", "SK-E-8", "a later line orders Aquila anew"),
    ],
)
def test_a_bad_line_is_answered_with_its_rule(text: str, rule: str, reason: str) -> None:
    found = GAME.read_orders(duel(), "north", text).problems[0]

    assert (found.rule, found.reason) == (rule, reason)


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ('kind = "cruser"', r"ship Aquila.kind: no class 'cruser'; did you mean 'cruiser'\?"),
        ('squadron = "nort"', r"ship Aquila.squadron: no squadron 'nort'; did you mean 'north'\?"),
        ('hex = "here"', r"ship Aquila.hex: a hex such as '0304' is needed, not 'here'"),
        ('hex = "9905"', r"ship Aquila.hex: off a map of 16 by 12 hexes"),
        ('name = "Phoenix"', r"ship phoenix: two ships bear this name"),
    ],
)
def test_a_scenario_that_cannot_be_says_where(wrong: str, complaint: str) -> None:
    key = wrong.split(" =")[0]
    aquila = next(line for line in SITUATION.splitlines() if "Aquila" in line)
    value = aquila.split(f"{key} = ")[1].split('"')[1]
    changed = SITUATION.replace(aquila, aquila.replace(f'{key} = "{value}"', wrong))
    broken: Scenario = parse_scenario(changed, "duel.toml")

    with pytest.raises(BadData, match=complaint):
        GAME.setup(broken, LoadedDice())
