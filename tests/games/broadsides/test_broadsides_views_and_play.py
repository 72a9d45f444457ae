"""Section 8 and whole battles: what a side may know, reports, forms, bots, replays."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import jinja2
import pytest

from games.broadsides import GAME
from games.broadsides.orders.records import Order
from games.broadsides.state import Launch, State
from pbem.kit.codec import encode, same
from pbem.kit.dice import KeyedDice, LoadedDice
from pbem.kit.game import Event, Sheet
from pbem.kit.hexgrid import Hex
from pbem.kit.scenario import load_scenario, scenarios_of
from pbem.kit.scene import Patch, Trail, Unit
from pbem.play.trial import run_trial
from tests.games.broadsides.builders import SITUATIONS, state_of, tried, unit

ROOT = Path(__file__).parents[3]
SCENARIOS = ("border-incident", "the-gap", "siege-of-the-citadel")


@cache
def play(key: str, seed: int, most_turns: int = 99) -> tuple[State, list[tuple[State, tuple[Event, ...]]]]:
    """A battle of two bots; every phase with the state before it and its events."""
    state = GAME.setup(scenarios_of("broadsides")[key], KeyedDice(b"setup %d" % seed))
    story: list[tuple[State, tuple[Event, ...]]] = []
    while (phase := GAME.phase(state)) is not None and len(story) < most_turns:
        sheets = {side: bot_sheet(state, side, seed) for side in sorted(phase.sides)}
        resolution = GAME.resolve(state, sheets, KeyedDice(b"%d %d" % (seed, len(story))))
        story.append((state, resolution.events))
        state = resolution.state
    return state, story


def bot_sheet(state: State, side: str, seed: int) -> Sheet[Order]:
    text = GAME.bot(GAME.view(state, side), KeyedDice(f"{seed} {state.turn} {side}".encode()))
    sheet = GAME.read_orders(state, side, text)
    assert sheet.problems == (), text
    return sheet


class Plain:
    """The text twin of a report: enough to see that a template can be filled."""

    def heading(self, text: str) -> str:
        return f"== {text}\n"

    def para(self, text: str) -> str:
        return f"{text}\n"

    def pre(self, text: str) -> str:
        return f"{text}\n"

    def items(self, lines: list[str]) -> str:
        return "".join(f"- {line}\n" for line in lines)

    def bar(self, value: int, most: int) -> str:
        return f"[{value}/{most}]"

    def table(self, columns: list[str], rows: list[list[object]]) -> str:
        assert all(len(row) == len(columns) for row in rows)
        lines: list[list[object]] = [[*columns], *rows]
        return "".join(" | ".join(str(cell) for cell in row) + "\n" for row in lines)


def templates(*, autoescape: bool = False) -> jinja2.Environment:
    loader = jinja2.FileSystemLoader(ROOT / "templates")
    return jinja2.Environment(loader=loader, undefined=jinja2.StrictUndefined, autoescape=autoescape)


# --- whole battles ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", SCENARIOS)
def test_bots_fight_to_the_end_with_legal_orders_and_states_that_survive_json(key: str) -> None:
    state, story = play(key, 1)

    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.reason.endswith("points.")
    assert same(state) == state
    assert all(same(before) == before for before, _ in story[:: max(1, len(story) // 3)])


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2, 12))
@pytest.mark.parametrize("key", SCENARIOS)
def test_many_battles_end(key: str, seed: int) -> None:
    assert GAME.outcome(play(key, seed)[0]) is not None


def test_silent_fleets_end_too():
    state = GAME.setup(scenarios_of("broadsides")["border-incident"], LoadedDice())
    while GAME.phase(state) is not None:
        state = GAME.resolve(state, {}, KeyedDice(b"%d" % state.turn)).state

    assert GAME.outcome(state) is not None


def test_the_same_battle_under_any_hash_seed():
    """The same bytes, whatever PYTHONHASHSEED."""
    script = (
        "from tests.games.broadsides.test_broadsides_views_and_play import play; import hashlib;"
        "from pbem.kit.codec import encode; s, story = play('the-gap', 3, 6);"
        "print(hashlib.sha256((encode(s) + encode([e for _, e in story])).encode()).hexdigest())"
    )
    digests = set()
    for seed in ("1", "77"):
        env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            [sys.executable, "-c", script], env=env, cwd=ROOT, capture_output=True, text=True, check=True
        )
        digests.add(done.stdout.strip())

    assert len(digests) == 1


def test_resolve_leaves_its_inputs_alone():
    state = GAME.setup(scenarios_of("broadsides")["border-incident"], LoadedDice())
    state = GAME.resolve(state, {}, LoadedDice()).state
    before = encode(state)

    GAME.resolve(state, {}, KeyedDice(b"x"))

    assert encode(state) == before


# --- what a side may know --------------------------------------------------------------------------------------------


def canaries() -> State:
    return state_of(
        unit("EA", "Resolute", "Resolute", (0, 10), weapon={"HL1": {"charge": 7}}),
        unit("EA", "Canary-Flight", "Kestrel", None, carrier="Resolute"),
        unit("EA", "Canary-Ship", "Vigil", None),
        unit("Narn", "Karn", "Karn-Tal", (0, -10), heading=3, weapon={"HL1": {"charge": 13}}, structure={"fore": 33}),
        unit("Narn", "Canary-Fang", "Fang", None, carrier="Karn"),
        switches={"hyperspace": True},
        formation=[{"side": "EA", "leader": "Canary-Ship", "ships": ["Canary-Ship"], "turn": 9, "hex": [7, 7]}],
    )


def test_hangars_hyperspace_charges_and_damage_stay_secret():
    state = canaries()

    for side, other in (("EA", "Narn"), ("Narn", "EA")):
        view = GAME.view(state, side)
        secret = GAME.secrets(state, side)
        shown = encode(view) + encode(GAME.scene(view, ())) + GAME.template(view) + GAME.bot(view, KeyedDice(b"x"))
        assert secret
        assert not [name for name in secret if name in shown]
        assert all(ship.side == side for ship in view.own_ships)
        assert [enemy.side for enemy in view.enemies] == [other]
    assert '"fore":33' not in encode(GAME.view(state, "EA"))
    assert "Canary-Fang" in encode(GAME.view(state, None))


@pytest.mark.parametrize("key", ["the-gap", "siege-of-the-citadel"])
def test_no_event_names_a_unit_its_audience_may_not_know(key: str) -> None:
    """What is secret after a turn was in no event of it."""
    _, story = play(key, 2, 4)
    for (_, events), (after, _) in pairwise(story):
        for side in ("EA", "Narn" if key == "the-gap" else "Minbari"):
            told = encode([event for event in events if side in event.seen_by])
            for name in GAME.secrets(after, side):
                assert not re.search(rf'"{re.escape(name)}"', told), name


def test_launches_show_neither_kind_nor_target_to_the_enemy():
    done = tried(
        unit("EA", "Dover", "Picket", (0, 12)),
        unit("Narn", "Foe", "Lance", (0, -12), heading=3),
        dice=[5, 5],
        ea="Dover: ballistic MR1 at Foe",
        narn="Foe: hold all",
        switches={"fire_phase": True},
    )

    seen = [event.facts for event in done.events if event.kind == "launch" and "Narn" in event.seen_by]
    assert [(one["kind"], one["target"]) for one in seen] == [("", "")]
    view = GAME.view(done.state, "Narn")
    assert view.ballistics == (Launch("EA", "Dover", "MR1", Hex(0, 12)),)


@pytest.mark.rule("BR-JAM-4")
def test_stealth_flights_are_hidden_far_from_the_enemy():
    units = [unit("Narn", "Ajax", "Lance", (0, 0)), unit("EA", "Shade", "Lirin", (0, 20), number=2)]
    hidden = state_of(*units, switches={"jammer_rule": "gravitic"})
    seen = {"Narn": {"Shade": {"hex": [0, 9], "heading": 0, "turn": 1}}}
    remembered = state_of(*units, switches={"jammer_rule": "gravitic"}, sightings=seen)

    assert GAME.view(hidden, "Narn").enemy_flights == ()
    view = GAME.view(remembered, "Narn")
    assert [(one.position, view.counts[one.name].last_seen) for one in view.enemy_flights] == [((0, 9), 1)]
    done = tried(*units, dice=[5, 5], narn="Ajax: hold all", ea="Shade: path", switches={"jammer_rule": "gravitic"})
    moves = [event for event in done.events if event.kind == "fighter_move"]
    assert all("Narn" not in event.seen_by for event in moves)


# --- forms, maps, words ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", SCENARIOS)
def test_order_forms_read_back_without_a_problem(key: str) -> None:
    _, story = play(key, 1, 4)

    for state, _ in story:
        for side in (info.id for info in GAME.sides(state)):
            form = GAME.template(GAME.view(state, side))
            assert GAME.read_orders(state, side, form).problems == ()


def test_the_map_shows_units_terrain_trails_and_plots():
    state, story = play("the-gap", 1, 3)
    view = GAME.view(state, "EA")
    picture = GAME.scene(view, [event for event in story[-1][1] if "EA" in event.seen_by])

    labels = {item.label for item in picture.items if isinstance(item, Unit)}
    assert {"Resolute", "G'Tor"} <= labels
    assert any(isinstance(item, Trail) and item.kind == "flown" for item in picture.items)
    assert {item.strength for item in picture.terrain if isinstance(item, Patch) and item.kind == "asteroids"} == {
        1,
        2,
        3,
    }
    assert "Resolute (Resolute) at" in picture.alt
    plan = GAME.forecast(view, GAME.read_orders(state, "EA", "Resolute: path F2"))
    assert any(isinstance(item, Trail) and item.kind == "plotted" for item in plan.items)


@pytest.mark.parametrize("autoescape", [False, True])
def test_every_event_has_its_words_and_every_report_its_tables(*, autoescape: bool) -> None:
    # A template's macros are known to the template alone.
    narrative: Any = templates(autoescape=autoescape).get_template("broadsides/narrative.j2").module
    status: Any = templates(autoescape=autoescape).get_template("broadsides/status.j2").module
    help_page: Any = templates().get_template("broadsides/help.j2").module
    for key in SCENARIOS:
        state, story = play(key, 1)
        for before, events in story:
            for event in events:
                words = str(getattr(narrative, event.kind)(event))
                assert words.endswith((".", "]."))
                assert "None" not in words, event
            assert str(narrative.summary(GAME.view(before, "EA"), list(events)))
        for side in (*(info.id for info in GAME.sides(state)), None):
            assert "Victory points" in str(status.status(GAME.view(state, side), Plain()))
    assert "Order words" in str(help_page.help(Plain()))


@pytest.mark.parametrize("path", sorted(SITUATIONS.glob("*.toml")), ids=lambda path: path.stem)
def test_every_situation_reports_in_words(path: Path) -> None:
    narrative = templates().get_template("broadsides/narrative.j2").module
    for event in run_trial(load_scenario(path)).events:
        assert str(getattr(narrative, event.kind)(event))


def test_gauges_count_ships_points_and_own_structure():
    view = GAME.view(canaries(), "EA")

    gauges = GAME.gauges(view)
    assert gauges["ships"] == {"EA": 1.0, "Narn": 1.0}
    assert set(gauges["structure"]) == {"EA"}


# --- the rule book ---------------------------------------------------------------------------------------------------


def test_every_rule_of_the_book_is_named_by_a_test():
    book = (ROOT / "games/broadsides/rules.md").read_text(encoding="utf-8")
    ids = set(re.findall(r"\*\*(BR-[A-Z]+-\d+)\*\*", book)) | set(re.findall(r"^\| *(BR-VAL-\d+)", book, re.MULTILINE))
    tests = "".join(path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parent.glob("test_*.py")))

    assert len(ids) > 200
    assert sorted(one for one in ids if f'"{one}"' not in tests) == []
