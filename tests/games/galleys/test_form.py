"""The order form: what it says beside each ship is what may be ordered."""

from __future__ import annotations

from itertools import islice

import pytest

from games.galleys import GAME
from games.galleys.state import State
from pbem.kit.scenario import scenarios_of
from pbem.play.selfplay import play
from tests.games.galleys.builders import THEM, US, sea, ship

SCENARIOS = scenarios_of("galleys")


def battle() -> State:
    return sea(
        [
            ship("Ajax", "trireme", "14,3/4", crew=1, last_level="half"),
            ship("Bias", "trireme", "30,3/4", fatigue=1),
            ship("Ceto", "transport", "34,3/4"),
        ],
        [ship("Thetis", "trireme", "10,5/0")],
    )


@pytest.mark.rule("GA-ORD-12", "GA-SPD-3", "GA-SPD-4")
def test_a_ship_that_cannot_do_as_its_squadron_has_a_block_and_the_reason() -> None:
    """GA-EX-9: Ajax reaches Thetis at Cruise with +2, and alongside her with hooks and a crew of +1."""
    assert GAME.template(GAME.view(battle(), US)) == (
        "# test: orders of Athens, turn 2\n"
        "turn 2\n"
        "\n"
        "Fleet:\n"
        "  activate Owls\n"
        "\n"
        "# --- Owls: ships 3, morale 8\n"
        "Owls:\n"
        "  speed cruise\n"
        "  ram best if reachable\n"
        "  else hold\n"
        "  # Ajax: Trireme, aphract, 14,3/4, MP half 2 cruise 4 full 6, ram 3, marines 2, missiles 1; "
        "no max: last level half\n"
        "  #   in reach: ram Thetis cruise +2; grapple Thetis cruise +1\n"
        "Bias:   # Trireme, aphract, 30,3/4, MP half 2 cruise 4, ram 3, marines 2, missiles 1, fatigue 1; "
        "so no full or max; no ram then\n"
        "  hold\n"
        "Ceto:   # Transport, 34,3/4, MP half 1 cruise 2 full 3 max 3, ram 0, marines 1, missiles 0; no ram then\n"
        "  hold\n"
        "END\n"
    )


@pytest.mark.parametrize("key", SCENARIOS)
def test_the_form_reads_back_clean_and_stays_compact(key: str) -> None:
    """At most two lines of comment a ship, none of them too long to read."""
    for played in islice(play(GAME, SCENARIOS[key], b"form"), 0, 7, 3):
        for side in played.sheets:
            form = GAME.template(GAME.view(played.before, side))
            lines, ships = form.splitlines(), len(GAME.view(played.before, side).own())
            assert GAME.read_orders(played.before, side, form).problems == ()
            assert sum("#" in line for line in lines) <= 2 * ships + 20
            assert max(map(len, lines)) <= 170


def test_the_form_of_a_battle_that_is_over_is_empty() -> None:
    *_, last = play(GAME, SCENARIOS["rhium"], b"end")

    assert "  ram best" not in GAME.template(GAME.view(last.after, THEM))
