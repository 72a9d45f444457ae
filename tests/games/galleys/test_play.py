"""Whole battles: bots to the end, the same bytes on every machine, random orders that never break anything."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.galleys import GAME
from games.galleys.rules.routes import ram_routes, routes
from games.galleys.state import State
from games.galleys.table import Table
from pbem.kit.codec import same
from pbem.kit.dice import KeyedDice
from pbem.kit.hexgrid import Hex
from pbem.kit.scenario import parse_scenario, scenarios_of
from pbem.play.selfplay import play
from pbem.play.trial import run_trial
from tests.games.galleys.builders import THEM, US, acted, read, sea, ship, turn, tutorial

ROOT = Path(__file__).parents[3]
SCENARIOS = scenarios_of("galleys")


@pytest.mark.parametrize("key", SCENARIOS)
def test_bots_fight_every_scenario_to_its_end_without_a_problem(key: str) -> None:
    last = None
    for played in play(GAME, SCENARIOS[key], b"galleys"):
        assert all(sheet.problems == () for sheet in played.sheets.values())
        check_sea(played.after)
        last = played

    assert last is not None
    assert GAME.phase(last.after) is None
    outcome = GAME.outcome(last.after)
    assert outcome is not None
    assert same(last.after) == last.after


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("key", SCENARIOS)
def test_bots_fight_to_the_end_on_many_seeds(key: str, seed: int) -> None:
    for played in play(GAME, SCENARIOS[key], b"soak %d" % seed):
        assert all(sheet.problems == () for sheet in played.sheets.values())
        check_sea(played.after)


@pytest.mark.soak
def test_the_bots_mirrored_win_rates_on_the_tutorial() -> None:
    """Each side wins its share of a hundred battles of bot against bot: neither is hopeless."""
    wins = {US: 0, THEM: 0}
    for seed in range(100):
        *_, last = play(GAME, SCENARIOS["rhium"], b"rates %d" % seed)
        winner = last.after.result.winner
        if winner:
            wins[winner] += 1

    assert min(wins.values()) >= 20, wins


def check_sea(state: State) -> None:
    """What is true between any two turns: one ship part a hex, links between enemies afloat, numbers in range."""
    table = Table(state)
    afloat = [found for found in state.ships if found.afloat]
    parts = [part for found in afloat for part in table.hull(found.name).hexes]
    assert len(parts) == len(set(parts))
    assert all(state.sea.holds(part) and part not in state.sea.land for part in parts)
    for made in state.links:
        first, second = (state.ship(name) for name in made.ships)
        assert first.afloat
        assert second.afloat
        assert first.side != second.side
    for found in state.ships:
        assert 0 <= found.fatigue <= 3
        assert 0 <= found.fire <= 2
        assert found.marines >= 0
        assert (found.side != found.home_side) == found.prize
        assert found.name in state.squadron(found.squadron).ships


def test_a_silent_fleet_keeps_its_station() -> None:
    """GA-ORD-12: on turn 1 of the tutorial nothing is in reach: nobody moves, only initiative is rolled."""
    found = turn(tutorial(), "", "", 3, 4)

    assert [found.state.ship(before.name).bow == before.bow for before in tutorial().ships] == [True] * 12


def test_the_first_turn_of_the_tutorial_as_the_book_tells_it() -> None:
    """Section 6.5."""
    athens = "Fleet:\n  activate Owls, Paralia\n  speed cruise\n  path F4\n"
    corinth = "Fleet: activate Corinth, Sicyon\nCorinth:\n  speed cruise\n  path F4\nSicyon: approach nearest\n"

    found = turn(tutorial(), athens, corinth, 3, 4)

    places = {made.name: f"{made.bow.q},{made.bow.r}/{made.facing}" for made in found.state.ships}
    assert places == {
        "Paralos": "6,8/0",
        "Glaukopis": "8,7/0",
        "Salaminia": "10,6/0",
        "Nike": "14,4/0",
        "Amphitrite": "16,3/0",
        "Corinthia": "6,6/3",
        "Leucas": "8,5/3",
        "Ambracia": "10,4/3",
        "Anaktorion": "12,3/3",
        "Pellene": "14,2/3",
        "Megara": "16,1/3",
        "Elis": "18,0/3",
    }
    assert [event.facts["squadron"] for event in found.of("activation")] == ["Owls", "Corinth", "Paralia", "Sicyon"]
    assert found.of("fire") == []


def test_on_the_second_turn_rams_are_open_at_cruise_and_anastrophes_at_maximum() -> None:
    """Section 6.5: Paralos on Leucas by F S F; at Maximum an anastrophe by Pass-Through on the ship ahead.

    Avoidance 1 (no fire line bow to bow), rake 6 6 cripples, so reaction 1 but no avoidance, ram 6 6, fatigue 1.
    """
    athens = "Fleet:\n  speed cruise\n  path F4\n"
    second = turn(tutorial(), athens, "Fleet:\n  speed cruise\n  path F4\n", 3, 4).state
    table = Table(second)

    assert ("Leucas", "FSF") in {(way.target, way.route.tokens) for way in ram_routes(table, "Paralos", 4, 4)}
    assert ("Paralos", "FSF") in {(way.target, way.route.tokens) for way in ram_routes(table, "Leucas", 4, 4)}
    found = acted(
        second, "Paralos", "Fleet: hold fire\nParalos:\n  speed max\n  anastrophe Corinthia", 1, 6, 6, 1, 6, 6, 1
    )
    assert [event.facts["lane"] for event in found.events("anastrophe")] == ["pass-through"]


def test_results_do_not_depend_on_the_hash_seed() -> None:
    script = (
        "import hashlib\nfrom itertools import islice\nfrom games.galleys import GAME\n"
        "from pbem.kit.codec import encode\nfrom pbem.kit.scenario import scenarios_of\n"
        "from pbem.play.selfplay import play\n"
        "digest = hashlib.sha256()\n"
        "for played in islice(play(GAME, scenarios_of('galleys')['d-mylae'], b'seed'), 5):\n"
        "    digest.update(encode([played.after, played.events, played.dice.rolls]).encode())\n"
        "print(digest.hexdigest())\n"
    )
    digests = set()
    for seed in ("0", "7"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
        )
        digests.add(done.stdout)

    assert len(digests) == 1


WORDS = st.sampled_from(
    [
        "ram",
        "rake",
        "pass",
        "grapple",
        "anastrophe",
        "approach",
        "follow",
        "withdraw",
        "hold",
        "path",
        "speed",
        "fire",
        "flame",
        "else",
        "board",
        "disengage",
        "jettison",
        "react",
        "avoid",
        "target",
        "activate",
        "sequence",
        "Paralos",
        "Leucas",
        "nearest",
        "best",
        "of",
        "Corinth",
        "Owls",
        "if",
        "reachable",
        "F3",
        "S",
        "P2",
        "T",
        "B",
        "max",
        "full",
        "half",
        "2",
        "at",
        "1",
        ",",
        "none",
        "all",
        "when",
        "able",
        "start",
        "end",
        "below",
        "40%",
        "200%",
        "@Nike",
        "Fleet:",
        "Paralos:",
        "Owls:",
        "Sicyon:",
        "Nobody:",
        ":",
        "\n",
    ]
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(WORDS, max_size=30))
def test_no_text_breaks_the_reader_and_what_it_accepts_can_be_resolved(words: list[str]) -> None:
    state = tutorial()
    sheet = read(state, " ".join(words), US)

    done = GAME.resolve(state, {US: sheet, THEM: read(state, "Fleet: hold", THEM)}, KeyedDice(b"words"))

    check_sea(done.state)
    assert all(problem.rule and problem.reason for problem in sheet.problems)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 5), st.integers(1, 7), st.sampled_from(["trireme", "liburnian", "dekeres"]))
def test_routes_are_unique_in_reach_and_sorted_by_cost_and_tokens(facing: int, points: int, klass: str) -> None:
    """GA-MOV-8: never more than the points, never two for one place with the same turns behind them."""
    table = Table(sea([ship("Ajax", klass, f"10,10/{facing}")]))

    found = routes(table, "Ajax", points, points)

    ranks = [(route.cost, route.tokens) for route in found]
    assert ranks == sorted(ranks)
    assert all(route.cost <= points for route in found)
    assert found[0].tokens == ""


def test_the_order_form_reads_back_on_every_turn() -> None:
    for played in islice(play(GAME, SCENARIOS["myonnesus"], b"form"), 6):
        for side in played.sheets:
            form = GAME.template(GAME.view(played.after, side))
            if GAME.phase(played.after):
                assert GAME.read_orders(played.after, side, form).problems == (), form


WHOLE_TURN = """
game = "galleys"
[scenario]
cols = 40
rows = 40
turn = 2
first_side = "Athens"
fog = false
[[side]]
name = "Athens"
[[side]]
name = "Corinth"
exit_edge = "N"
[[squadron]]
side = "Athens"
name = "Owls"
ships = [["Ajax", "trireme", { at = "10,10/0" }], ["Ceto", "trireme", { at = "30,5/0", fatigue = 2 }]]
[[squadron]]
side = "Corinth"
name = "Ravens"
ships = [["Thetis", "trireme", { at = "11,7/3" }], ["Dido", "trireme", { at = "2,20/0", fire = 1 }]]
"""


@pytest.mark.rule("GA-ORD-12", "GA-MIS-6", "GA-SEQ-4")
def test_a_whole_turn_uses_its_dice_in_the_order_of_section_3() -> None:
    """Corinth 4 v 3 is first and holds. Ajax on guard: reaction, avoidance, ram 9 + 1 = 10, own fire 5 + 1 = 6; Thetis
    has reacted already. Then Dido burns on 3, Thetis floats on 3, and Ceto rests without a die."""
    scenario = parse_scenario(WHOLE_TURN, "turn.toml")

    found = run_trial(scenario, {THEM: "Fleet: hold"}, [3, 4, 2, 2, 4, 5, 5, 3, 3])

    assert found.unused_dice == ()
    assert [roll.label for roll in found.rolls] == [
        "initiative/Athens",
        "initiative/Corinth",
        "Owls/Thetis/fires at/Ajax/reaction to ram",
        "Owls/Thetis/avoids/ram/Ajax",
        "Owls/Ajax/ram/Thetis/1",
        "Owls/Ajax/ram/Thetis/2",
        "Owls/Ajax/fires at/Thetis/own fire",
        "fire/Dido/burning",
        "sinking/Thetis/sinking",
    ]
    thetis, ajax = found.state.ship("Thetis"), found.state.ship("Ajax")
    assert (thetis.rammed, thetis.marines, thetis.debt, thetis.avoid_count) == (True, 1, 1, 1)
    assert (ajax.bow, ajax.facing, ajax.marines, ajax.spent) == (Hex(10, 7), 1, 2, 4)
    assert (found.state.ship("Ceto").fatigue, found.state.ship("Dido").fire) == (1, 1)
    assert (found.state.first_side, found.state.turn) == (THEM, 3)
