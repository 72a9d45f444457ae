"""Imagined battles: whatever the dice fill in, the side sees what it saw."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from games.galleys import GAME
from games.galleys.imagined import imagined
from games.galleys.state import State
from games.galleys.view import STRENGTHS, strength_word, view
from pbem.kit.codec import same
from pbem.kit.dice import KeyedDice
from pbem.kit.scenario import load_scenario, scenarios_of
from pbem.play.selfplay import play
from tests.games.galleys.builders import SITUATIONS, THEM, US, link, sea, ship

SCENARIOS = scenarios_of("galleys")
DICE = (b"first", b"second", b"third")


def check_the_law(state: State) -> None:
    for side in (None, *(fleet.name for fleet in state.sides)):
        seen = view(state, side)
        for key in DICE:
            made = imagined(seen, KeyedDice(key))
            assert view(made, side) == seen
            assert same(made) == made


@pytest.mark.parametrize("key", SCENARIOS)
def test_an_imagined_state_gives_the_same_view_again(key: str) -> None:
    """All sides and the moderator, from the opening to the end of the battle."""
    for played in islice(play(GAME, SCENARIOS[key], b"imagined"), 8):
        check_the_law(played.before)
        check_the_law(played.after)


@pytest.mark.parametrize("path", sorted(SITUATIONS.glob("*.toml")), ids=lambda path: path.stem)
def test_the_law_holds_for_every_situation_in_fog_and_without(path: Path) -> None:
    state = GAME.setup(load_scenario(path), KeyedDice(b"x"))

    for fog in (True, False):
        check_the_law(replace(state, switches=replace(state.switches, fog=fog)))


def two_fleets() -> State:
    """Thetis far off with more marines than her class carries, Tanit alongside, a prize and every switch on."""
    return sea(
        [
            ship("Ajax", "trireme", "10,10/0"),
            ship("Spoil", "trireme", "20,20/0", prize=True, marines=1),
        ],
        [
            ship("Thetis", "trireme", "30,10/0", marines=9, fatigue=3, debt=2, crew=2, firepots=9, flame=True),
            ship("Nysa", "hexeres", "33,10/0", marines=4, fatigue=0),
            ship("Tanit", "cataphract", "11,10/0", marines=3),
            ship("Lost", "trireme", "50,10/0", prize=True, marines=0),
        ],
        links=[link("Ajax", "Tanit")],
        fog=True,
        flame_missiles=True,
        firepots=True,
    )


def test_what_is_drawn_keeps_within_the_words_of_the_view() -> None:
    """Section 8: few is 1-2, some 3-5, many 6 or more; the marines of a linked ship are counted."""
    for number in range(40):
        made = imagined(view(two_fleets(), US), KeyedDice(b"%d" % number))

        assert made.ship("Thetis").marines == 6
        assert made.ship("Thetis").fatigue in (1, 2, 3)
        assert made.ship("Nysa").marines in (3, 4, 5)
        assert made.ship("Nysa").fatigue == 0
        assert made.ship("Tanit").marines == 3
        assert made.ship("Lost").crew == -1
        assert made.ship("Ajax") == two_fleets().ship("Ajax")


def test_the_dice_matter_and_nothing_hidden_is_copied() -> None:
    seen = view(two_fleets(), US)
    drawn = [imagined(seen, KeyedDice(b"%d" % number)).ship("Nysa") for number in range(20)]

    assert len({(made.crew, made.marines, made.debt) for made in drawn}) > 3


def test_every_word_for_marines_can_be_imagined() -> None:
    for most, word in STRENGTHS:
        assert strength_word(most) == word


def test_without_fog_only_the_orders_are_hidden() -> None:
    state = replace(two_fleets(), switches=replace(two_fleets().switches, fog=False))
    made = imagined(view(state, THEM), KeyedDice(b"clear"))

    assert made.ship("Ajax").marines == 2
    assert [replace(found, level=real.level) for found, real in zip(made.ships, state.ships, strict=True)] == list(
        state.ships
    )
