"""One phase played: whatever plays it, the same four values give the same record."""

from __future__ import annotations

import pytest

from pbem.kit.dice import KeyedDice, LoadedDice, commitment
from pbem.kit.game import Phase
from pbem.kit.scenario import Scenario
from pbem.play.phase import NothingToPlay, play_phase, sealed_dice
from pbem.play.selfplay import bot_orders, play
from tests.office_game import DUEL, EVERYBODY, State

SECRET = bytes(32)
SCENARIO = Scenario("duel", "duel", "A Duel", {"last_turn": 2})


@pytest.fixture
def opening() -> State:
    state = DUEL.setup(SCENARIO, LoadedDice(1, 1, 1, 1))
    assert isinstance(state, State)
    return state


def test_the_record_holds_what_went_in_and_what_came_out(opening: State) -> None:
    played = play_phase(DUEL, opening, {"red": "Ares: fire Boreas\nArgo: speed 9"}, LoadedDice(5, 6))

    assert played.phase == Phase("orders", 1, EVERYBODY)
    assert played.before == opening
    assert played.texts == {"red": "Ares: fire Boreas\nArgo: speed 9", "blue": ""}
    assert [problem.rule for problem in played.sheets["red"].problems] == ["DU-SPD-1"]
    assert played.sheets["blue"].orders == ()
    assert [event.kind for event in played.events] == ["fired"]
    assert [roll.face for roll in played.rolls] == [5]
    assert played.unused_dice == (6,)
    assert played.after.ships[2].hull == opening.ships[2].hull - 1
    assert played.state == played.after


def test_sealed_dice_follow_from_the_secret_and_every_sheet(opening: State) -> None:
    texts = {"red": "Ares: fire Boreas", "blue": "Boreas: fire Ares"}

    first, again = (play_phase(DUEL, opening, texts, sealed_dice(SECRET, texts)) for _ in range(2))

    assert (first.after, first.events, first.rolls) == (again.after, again.events, again.rolls)
    assert sealed_dice(SECRET, texts)._key != sealed_dice(SECRET, {**texts, "blue": ""})._key
    assert sealed_dice(SECRET, texts)._key.hex() != commitment(SECRET)


def test_a_game_that_is_over_has_no_phase_to_play(opening: State) -> None:
    last = [*play(DUEL, SCENARIO, b"to the end")][-1]

    with pytest.raises(NothingToPlay, match="Duel: the game is over"):
        play_phase(DUEL, last.after, {}, LoadedDice())


def test_bots_speak_for_the_sides_that_are_asked(opening: State) -> None:
    assert set(bot_orders(DUEL, opening, Phase("orders", 1, frozenset(("blue",))), b"key")) == {"blue"}
    assert all(isinstance(played.dice, KeyedDice) for played in play(DUEL, SCENARIO, b"key"))
