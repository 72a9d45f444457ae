"""What a unit can still be ordered, and the state that a view could come from."""

from __future__ import annotations

import pytest

from games.battleshift import GAME
from games.battleshift.imagined import imagined
from games.battleshift.state import State
from pbem.kit.codec import same
from pbem.kit.dice import KeyedDice
from tests.games.battleshift.corpus import corpus, foggy, ground_war, played

STATES = corpus()
KEYS = (b"one", b"two", b"three")

# --- imagined states -------------------------------------------------------------------------------------------------


def readers(state: State) -> tuple[str | None, ...]:
    return (*(side.id for side in state.sides), None)


@pytest.mark.parametrize("name", STATES)
def test_an_imagined_state_gives_the_same_view(name: str) -> None:
    """At setup, through six turns of battle, after the end; for both sides and the moderator, whatever the dice."""
    for state in played(STATES[name], 6):
        for side in readers(state):
            view = GAME.view(state, side)
            for key in KEYS:
                assert GAME.view(imagined(view, KeyedDice(key)), side) == view


@pytest.mark.parametrize("name", STATES)
def test_an_imagined_state_can_be_stored_and_played_on(name: str) -> None:
    for state in played(STATES[name], 3):
        for side in readers(state):
            drawn = imagined(GAME.view(state, side), KeyedDice(b"one"))

            assert same(drawn) == drawn
            if GAME.phase(drawn) is not None:
                after = GAME.resolve(drawn, {}, KeyedDice(b"on")).state
                assert GAME.phase(after) is None or GAME.resolve(after, {}, KeyedDice(b"on")).state


def test_dice_decide_what_is_hidden() -> None:
    """Wings aboard and the carrier of a flight are the enemy's own business."""
    view = GAME.view(ground_war(), "azure")
    drawn = [imagined(view, KeyedDice(bytes([n]))) for n in range(12)]

    assert len({next(s.wings_aboard for s in state.squadrons if s.name == "Owl") for state in drawn}) > 1
    assert {next(f.carrier for f in state.flights if f.name == "Stray") for state in drawn} == {""}


def test_contacts_keep_their_numbers_and_sizes_in_fog() -> None:
    view = GAME.view(foggy(STATES["thousand-lances"]), "azure")
    contacts = [squadron for squadron in view.squadrons if squadron.name.startswith("contact")]

    again = GAME.view(imagined(view, KeyedDice(b"fog")), "azure")

    assert contacts
    assert [s.name for s in contacts] == [f"contact {n}" for n in range(1, len(contacts) + 1)]
    assert [s for s in again.squadrons if s.name.startswith("contact")] == contacts
