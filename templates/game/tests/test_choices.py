"""What a ship is offered: the laws try every line of it, here a player counts along."""

from __future__ import annotations

from pbem.kit.choices import Places, added
from pbem.kit.dice import LoadedDice
from pbem.kit.scenario import parse_scenario

from skirmish import GAME
from skirmish.choices import choices
from skirmish.imagined import imagined

SITUATION = """
game = "skirmish"
key = "duel"
squadron = [{ id = "north", name = "North" }, { id = "south", name = "South" }]
ship = [
    { name = "Aquila", squadron = "north", kind = "cruiser", hex = "0505" },
    { name = "Phoenix", squadron = "south", kind = "frigate", hex = "0508" },
    { name = "Vela", squadron = "south", kind = "frigate", hex = "0511" },
]
"""
STATE = GAME.setup(parse_scenario(SITUATION, "duel.toml"), LoadedDice())
VIEW = GAME.view(STATE, "north")


def test_a_ship_is_offered_every_hex_in_reach_and_every_enemy() -> None:
    """SK-MOV-1: a cruiser moves up to 3 hexes, and 37 hexes of the map are so near."""
    offer = choices(VIEW, GAME.read_orders(STATE, "north", ""), "Aquila")
    move, *shots = offer.choices

    assert offer.title == "Aquila: cruiser at 0505, hull 6"
    assert isinstance(move.fill, Places)
    assert len(move.fill.points) == 37
    assert [(shot.lines, shot.note) for shot in shots] == [
        (("fire nearest",), ""),
        (("fire Phoenix",), "range 3 now, 4 or more hits"),
        (("fire Vela",), "range 6 now, too far"),
    ]


def test_a_choice_takes_the_place_of_what_was_ordered() -> None:
    text = "Aquila:\n  move 0504\n  fire nearest\n"
    move, *_, last = choices(VIEW, GAME.read_orders(STATE, "north", text), "Aquila").choices

    assert added(text, "Aquila", move, "0506") == "Aquila:\n  move 0506\n  fire nearest\n"
    assert added(text, "Aquila", last) == "Aquila:\n  move 0504\n  fire Vela\n"


def test_the_squadron_as_a_whole_is_offered_nothing() -> None:
    assert choices(VIEW, GAME.read_orders(STATE, "north", ""), GAME.fleet).choices == ()


def test_on_an_open_sea_the_imagined_battle_is_the_real_one() -> None:
    assert imagined(VIEW, LoadedDice()) == STATE
