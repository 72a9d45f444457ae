"""Battles from end to end: bots, JSON, hash seeds, leaks, forms, maps and words."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from games.battleshift import GAME
from games.battleshift.scene import forecast, scene
from games.battleshift.state import Contact, SeenSquadron, Squadron
from pbem.kit.codec import encode, same
from pbem.kit.dice import KeyedDice, LoadedDice
from pbem.kit.plane import SECTOR
from pbem.kit.scenario import scenarios_of
from pbem.kit.scene import InchTable, Trail
from tests.games.battleshift.builders import (
    SIDES,
    field,
    foe,
    sheet,
    sq,
    state_of,
    tf,
)

ROOT = Path(__file__).parents[3]
SCENARIOS = scenarios_of("battleshift")
WARNINGS = {"BS-V-9", "BS-V-19", "BS-V-20", "BS-V-23", "BS-V-30", "BS-V-35", "BS-V-39", "BS-V-43"}
OPTIONS = ("disable_fire", "boarding", "super_heavy", "ion", "assault", "engulf", "tractor", "formations", "experience")
ALL_SWITCHES = dict.fromkeys((*OPTIONS, "stations", "docking", "fighter_recovery", "focused_fire"), True)


def play(state, seed, limit=99):
    """Bot against bot; yields each resolution with the state before it."""
    for number in range(limit):
        if GAME.phase(state) is None:
            return
        key = hashlib.sha256(f"{seed} {number}".encode()).digest()
        sheets = {
            s.id: GAME.read_orders(state, s.id, GAME.bot(GAME.view(state, s.id), KeyedDice(key))) for s in state.sides
        }
        resolution = GAME.resolve(state, sheets, KeyedDice(key))
        yield state, sheets, resolution
        state = resolution.state


def opened(key):
    return GAME.setup(SCENARIOS[key], LoadedDice())


@pytest.mark.parametrize("key", SCENARIOS)
def test_bot_battles_end_and_bots_write_legal_orders(key):
    """To the turn limit at the latest; states survive JSON, ships stay on the table, dice are one a label."""
    last = None
    for _, sheets, resolution in play(opened(key), 1):
        found = {p.rule for one in sheets.values() for p in one.problems} - WARNINGS
        assert found == set()
        last = resolution.state
        assert same(last) == last
        width, height = last.width_ft * SECTOR, last.height_ft * SECTOR
        there = [ship for s in last.squadrons for ship in s.ships if ship.status in ("active", "disabled")]
        assert all(0 <= ship.x <= width and 0 <= ship.y <= height for ship in there)
    assert last is not None
    assert GAME.outcome(last) is not None


@pytest.mark.soak
@pytest.mark.parametrize("key", SCENARIOS)
@pytest.mark.parametrize("seed", range(2, 12))
def test_many_bot_battles_end(key, seed):
    states = [resolution.state for _, _, resolution in play(opened(key), seed)]

    assert GAME.outcome(states[-1]) is not None


@pytest.mark.parametrize("seed", range(3))
def test_bot_battles_with_every_option_on(seed):
    """House classes of every option on both sides, fog, terrain of all kinds."""
    classes = ("Siege Cruiser", "Ion Cruiser", "Assault Cruiser", "Reaver", "Light Carrier", "Raider")
    ships, tfs = [], []
    for side, y, facing in (("azure", 42, 0), ("crimson", 6, 180)):
        for n, name in enumerate(classes):
            squadron = f"{side[0]}{n}"
            spots = [f"{8 + 10 * n},{y}", f"{9 + 10 * n},{y}"]
            ships.append(sq(squadron, name, *spots, side=side, facing=facing, standing=["lose rear"]))
            tfs.append(tf(f"T{squadron}", squadron, side=side))
    kinds = ("dust", "asteroids", "nebula", "mines", "rift", "singularity", "moon")
    terrain = [{"kind": kind, "name": kind, "at": f"{6 + 9 * n},24", "radius": 200} for n, kind in enumerate(kinds)]
    state = state_of(ships, tfs, terrain=terrain, switches={**ALL_SWITCHES, "fog": "limited"}, turn_limit=6)

    states = [resolution.state for _, _, resolution in play(state, seed)]

    assert GAME.outcome(states[-1]) is not None
    assert all(same(one) == one for one in states)


def test_same_bytes_under_any_hash_seed():
    """A turn of First Contact and one of Thousand Lances in fresh interpreters."""
    script = """
import hashlib
from pbem.kit.codec import encode
from pbem.kit.dice import LoadedDice
from games.battleshift import GAME
from tests.games.battleshift.test_whole_battles import opened, play
digest = hashlib.sha256()
for key in ("first-contact", "thousand-lances"):
    for _, _, resolution in play(opened(key), 5, limit=3):
        digest.update(encode(resolution.state).encode())
        digest.update(encode(resolution.events).encode())
        digest.update(encode(GAME.view(resolution.state, "azure")).encode())
print(digest.hexdigest())
"""
    seen = set()
    for seed in ("0", "1", "4242"):
        env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        run = subprocess.run(
            [sys.executable, "-c", script], cwd=ROOT, env=env, capture_output=True, text=True, check=True
        )
        seen.add(run.stdout.strip())

    assert len(seen) == 1


def test_resolve_leaves_its_inputs_alone():
    state = opened("first-contact")
    before = encode(state)
    for _ in play(state, 3, limit=1):
        assert encode(state) == before


# --- leaks -----------------------------------------------------------------------------------------------------------


def foggy():
    """Crimson far away behind fog with a reserve; canary names that Azure must never read."""
    ships = [
        sq("Lion", "Fleet Cruiser", "20,90", "21,90"),
        foe("Canarydread", "Dreadnought", "20,5", "21,5", acted=False),
        foe("Canarywing", "Light Carrier", "25,5", acted=False),
        foe("Canaryghost", "Sword Frigate", "0,0", acted=False),
    ]
    back = {"turn": 5, "sector": "1A", "facing": 180}
    tfs = [tf("Guard", "Lion"), tf("Canaryline", "Canarydread", "Canarywing", side="crimson")]
    tfs.append(tf("Canarylate", "Canaryghost", side="crimson", location="reserve", **{"return": back}))
    return state_of(ships, tfs, switches={"fog": "limited"}, width_ft=6, height_ft=8)


def test_what_is_in_the_fog_stays_there():
    """View, events, map, form and secrets of Azure hold no canary; the contacts may be aimed at."""
    state = foggy()
    for _, sheets, resolution in play(state, 1, limit=2):
        after = resolution.state
        hidden = GAME.secrets(after, "azure")
        view = GAME.view(after, "azure")
        seen = [event for event in resolution.events if "azure" in event.seen_by]
        told = (
            encode(view) + encode(seen) + encode(GAME.scene(view, seen)) + GAME.template(view) + encode(sheets["azure"])
        )
        assert "Canarylate" in hidden
        assert [name for name in hidden if name in told] == []
    text = "Lion: fire heavy at contact 1, nearest"
    assert [p.rule for p in sheet(state, text).problems] == ["BS-V-23"]
    view = GAME.view(state, "azure")
    assert [s.name for s in view.squadrons if not view.is_own(s)] == ["contact 1", "contact 2"]
    assert [type(s) for s in view.squadrons] == [Squadron, Contact, Contact]


def test_in_fog_a_kill_in_sight_is_told_to_both_and_a_far_one_to_its_owner():
    """Lion destroys a raft 20.00" away; another raft dies of the rocks 70.00" away, unseen by Azure."""
    cls = {"Gun": {"size": 3, "heavy": 1}, "Raft": {"size": 2, "no_shields": True, "hull": 1}}
    ships = [sq("Lion", "Gun", "20,90"), foe("Near", "Raft", "20,70"), sq("Rock", "Raft", "20,20", side="crimson")]
    rocks = {"kind": "asteroids", "at": "20,20", "radius": 200}
    state = state_of(ships, terrain=[rocks], switches={"fog": "limited"}, height_ft=8, **field("class", cls))
    sheets = {"azure": sheet(state, "Lion: hold"), "crimson": sheet(state, "Rock: hold", "crimson")}
    told = GAME.resolve(state, sheets, LoadedDice(6, 1, 1, 6, 1, 6, 6, 6)).events

    assert [(e.facts["ship"], sorted(e.seen_by)) for e in told if e.kind == "destroyed"] == [
        ("Near.1", ["azure", "crimson"]),
        ("Rock.1", ["crimson"]),
    ]


def test_reserves_are_secret_in_the_open_too():
    state = GAME.resolve(opened("closing-the-trap"), {}, LoadedDice()).state

    assert GAME.secrets(state, "azure") == {"Ghost", "Wisp"}
    assert "Ghost" not in encode(GAME.view(state, "azure"))
    assert "Ghost" in encode(GAME.view(state, None))


def test_wings_aboard_and_orders_are_the_owners_alone():
    ships = [
        sq("Lion", "Light Carrier", "20,30", standing=["lose rear"]),
        foe("Asp", "Light Carrier", "20,10", standing=["hold"]),
    ]
    view = GAME.view(state_of(ships), "azure")
    own, other = view.squadrons

    assert isinstance(own, Squadron)
    assert (own.wings_aboard, own.standing) == (4, ("lose rear",))
    assert type(other) is SeenSquadron
    assert not hasattr(other, "wings_aboard")
    assert not hasattr(other, "standing")


# --- forms, maps, words ----------------------------------------------------------------------------------------------


class Plain:
    """The smallest output a template can write to."""

    def heading(self, text):
        return f"\n{text}\n"

    para = pre = heading

    def table(self, columns, rows):
        assert all(len(row) == len(columns) for row in rows)
        return "\n".join(" ".join(str(cell) for cell in row) for row in (columns, *rows))

    def items(self, items):
        return "\n".join(items)

    def bar(self, value, most):
        assert 0 <= value <= most
        return f"{value}/{most}"


@pytest.mark.parametrize("key", SCENARIOS)
def test_forms_read_back_and_every_event_has_words(key):
    words = Environment(loader=FileSystemLoader(ROOT / "templates"), undefined=StrictUndefined, autoescape=False)
    # A template's macros are known to the template alone.
    narrative: Any = words.get_template("battleshift/narrative.j2").module
    status: Any = words.get_template("battleshift/status.j2").module
    help_page: Any = words.get_template("battleshift/help.j2").module
    for state, _, resolution in play(opened(key), 2, limit=4):
        for side in ("azure", "crimson"):
            assert GAME.read_orders(state, side, GAME.template(GAME.view(state, side))).problems == ()
        for event in resolution.events:
            assert getattr(narrative, event.kind)(event).strip().endswith((".", "]."))
        for viewer in ("azure", None):
            view = GAME.view(resolution.state, viewer)
            assert narrative.summary(view, resolution.events)
            assert "Turn" in status.status(view, Plain())
    assert "Battleshift" in help_page.help(Plain())


def test_every_kind_of_event_has_a_macro():
    """Also those that seldom happen."""
    rules = ROOT / "games" / "battleshift"
    source = "\n".join(path.read_text() for path in [*rules.glob("*.py"), *rules.glob("rules/*.py")])
    kinds = set(re.findall(r'tell(?:_in_sight|_both)?\(\s*"(\w+)"', source)) | {"dogfight", "evade", "board"}
    macros = set(re.findall(r"macro (\w+)\(e\)", (ROOT / "templates" / "battleshift" / "narrative.j2").read_text()))

    assert kinds - macros == set()


def test_the_map_shows_tracks_plots_and_four_hundred_ships():
    *_, (state, sheets, resolution) = play(opened("thousand-lances"), 1, limit=2)
    view = GAME.view(resolution.state, "azure")
    drawn = scene(view, resolution.events)
    plot = forecast(GAME.view(state, "azure"), sheets["azure"])

    assert drawn.ground == InchTable(192.0, 96.0)
    assert any(isinstance(item, Trail) and item.kind == "flown" for item in drawn.items)
    assert any(isinstance(item, Trail) and item.kind == "plotted" for item in plot.items)
    assert drawn.alt.startswith("Table of 192 by 96 inches")
    assert GAME.gauges(view)["ships"]["azure"] > 150


def test_an_order_sheet_for_two_hundred_ships_is_short():
    """Two or three lines a taskforce."""
    state = opened("thousand-lances")
    text = GAME.bot(GAME.view(state, "azure"), KeyedDice(b"1" * 32))

    assert len(text.splitlines()) < 80
    assert len(text) < 2500


# --- properties ------------------------------------------------------------------------------------------------------

LINES = """move ahead {n}|move {b} {n}|move toward nearest|move toward Asp {n} to 5|move away from Asp|face {b}
face toward nearest|form line 1|form vee 0.5|fire heavy at Asp, nearest min 2|fire none|hold|escape|shift out
lose rear|mode concentrate|nonsense|move to {n},{n}|detach|standing intercept none""".replace("\n", "|").split("|")


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["Line", "Iron", "Gull", "Fleet"]),
            st.sampled_from(LINES),
            st.integers(0, 359),
            st.integers(0, 18),
        ),
        max_size=8,
    ),
    st.binary(min_size=32, max_size=32),
)
def test_no_order_text_ever_breaks_the_game(lines, key):
    """Any mixture of lines reads, resolves, and leaves a healthy state behind."""
    ships = [
        sq("Iron", "Fleet Battleship", "20,40", "21,40"),
        sq("Gull", "Attack Destroyer", "23,40", "24,40", "25,40"),
        foe("Asp", "Sword Frigate", "22,20", "23,20", acted=False),
    ]
    state = state_of(ships, [tf("Line", "Iron", "Gull")])
    text = "\n".join(f"{unit}: {line.format(b=b, n=n)}" for unit, line, b, n in lines)
    read = GAME.read_orders(state, "azure", text)
    after = GAME.resolve(state, {"azure": read}, KeyedDice(key)).state

    assert same(after) == after
    assert all(s.damage >= 0 and s.suppression >= 0 for s in after.squadrons)
    assert sum(after.vp.values()) <= sum(150 for _ in after.squadrons)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200))
def test_reading_never_raises(text):
    state = foggy()

    GAME.read_orders(state, "azure", text)
    GAME.read_orders(state_of([foe("Asp", "Sword Frigate", "20,10")], stage="setup", side=SIDES), "crimson", text)
