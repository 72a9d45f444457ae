"""The laws every game keeps: whole games, JSON, hash seeds, secrets, data cards, and every rule of the book tested."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest

from games.fleet_action import GAME
from games.fleet_action.data import house_catalogue
from games.fleet_action.events import KINDS
from games.fleet_action.orders.records import EVERY_PULSE
from games.fleet_action.state import State
from pbem.kit import codec
from pbem.kit.codec import BadData
from pbem.kit.dice import KeyedDice, LoadedDice
from pbem.kit.scenario import parse_scenario, scenarios_of
from tests.games.fleet_action.builders import flight, play, ship, situation, squadron

SCENARIOS = scenarios_of("fleet_action")
HERE = Path(__file__).parent


def run(key: str, seed: str, most: int = 40):
    """A whole game of bots; every phase is checked."""
    state = GAME.setup(SCENARIOS[key], KeyedDice(b"setup"))
    kinds: set[str] = set()
    for number in range(most):
        if GAME.phase(state) is None:
            break
        sheets = {}
        for side in GAME.sides(state):
            text = GAME.bot(GAME.view(state, side.id), KeyedDice(f"{seed} bot {number} {side.id}".encode()))
            sheets[side.id] = GAME.read_orders(state, side.id, text)
            assert sheets[side.id].problems == (), (text, sheets[side.id].problems)
        resolution = GAME.resolve(state, sheets, KeyedDice(f"{seed} {number}".encode()))
        assert codec.same(resolution.state) == resolution.state
        kinds |= {event.kind for event in resolution.events}
        state = resolution.state
    return state, kinds


@pytest.mark.parametrize("key", ["fa-tutorial", "fa-standard", "fa-stress"])
def test_bots_play_to_the_end(key):
    """By the limit of turns there is an outcome, and only known kinds of events happened."""
    state, kinds = run(key, "first")
    assert GAME.outcome(state) is not None
    assert kinds <= set(KINDS)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("key", ["fa-tutorial", "fa-standard"])
def test_bots_play_many_games(key, seed):
    """More seeds of the same."""
    assert GAME.outcome(run(key, f"soak {seed}")[0]) is not None


@pytest.mark.parametrize("key", list(SCENARIOS))
def test_the_order_form_reads_back_without_problems(key):
    """In every phase of the opening, for every side."""
    state = GAME.setup(SCENARIOS[key], LoadedDice())
    for number in range(4):
        for side in GAME.sides(state):
            view = GAME.view(state, side.id)
            assert GAME.read_orders(state, side.id, GAME.template(view)).problems == ()
            codec.encode(view)
        state = GAME.resolve(state, {}, KeyedDice(str(number).encode())).state


def test_totals_of_the_scenarios():
    """Section 10.5: points, ships and flights of each side."""
    cards = house_catalogue()
    found = {}
    for key, scenario in SCENARIOS.items():
        state = GAME.setup(scenario, LoadedDice())
        for side in state.sides:
            names = {s.name for s in state.squadrons if s.side == side.id}
            ships = [s for s in state.ships if s.squadron in names]
            flights = [f for f in state.flights if f.side == side.id]
            points = sum(cards.classes[s.ship_class].points for s in ships)
            points += sum(cards.fighters[f.fighter_class].points for f in flights)
            found[key, side.id] = (len(names), len(ships), len(flights), points)
    assert found == {
        ("fa-tutorial", "earth"): (1, 3, 1, 1335),
        ("fa-tutorial", "narn"): (1, 3, 1, 1355),
        ("fa-standard", "centauri"): (4, 14, 10, 7585),
        ("fa-standard", "narn"): (5, 18, 15, 7550),
        ("fa-stress", "minbari"): (14, 54, 48, 42490),
        ("fa-stress", "earth"): (21, 84, 78, 42615),
    }


def test_the_same_bytes_under_any_hash_seed():
    """Two turns of the standard scenario in two processes."""
    script = (
        "import hashlib;from games.fleet_action import GAME;from pbem.kit.scenario import scenarios_of;"
        "from pbem.kit.dice import KeyedDice;from pbem.kit import codec;"
        "s=GAME.setup(scenarios_of('fleet_action')['fa-standard'],KeyedDice(b'x'));out=[]\n"
        "for n in range(5):\n"
        "    t={i.id:GAME.read_orders(s,i.id,GAME.bot(GAME.view(s,i.id),KeyedDice(b'b'))) for i in GAME.sides(s)}\n"
        "    r=GAME.resolve(s,t,KeyedDice(b'%d' % n));s=r.state;out.append(codec.encode(r))\n"
        "print(hashlib.sha256(''.join(out).encode()).hexdigest())"
    )
    root = HERE.parents[2]
    digests = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(root)},
            capture_output=True,
            text=True,
            check=True,
            cwd=root,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 1


def test_hidden_names_never_reach_the_enemy():
    """Canaries in a hangar and in hyperspace, and exact figures of damaged ships, stay with their owner."""
    state = situation(
        squadron("Alpha", "earth", "2020", ship("Hyperion-1", structure=13)),
        squadron("Relief", "earth", None, ship("Canary-Ship", "artemis"), fleet="Canary-Fleet"),
        squadron("Kha'Mak", "narn", "5555", "T'Loth-9"),
        turn=2,
        fleet=[
            {"side": "earth", "name": "Main", "abilities": ["stubborn"]},
            {"side": "earth", "name": "Canary-Fleet", "schedule": {"turn": 7}},
        ],
        flights=[flight("Canary-Flight", "aurora", "Hyperion-1")],
    )
    result = play(state, earth="Alpha:\n standing hold secondary\n withdraw")
    for before in (state, result.state):
        seen = codec.encode(GAME.view(before, "narn"))
        assert "Canary" not in seen
        assert "stubborn" not in seen
        assert {"Canary-Ship", "Canary-Flight", "Relief"} <= GAME.secrets(before, "narn")
        hyperion = next(s for s in GAME.view(before, "narn").ships if s.name == "Hyperion-1")
        assert (hyperion.structure, hyperion.sensor, hyperion.band) == (None, None, "moderate")
        assert all(weapon.left is None for weapon in hyperion.weapons)
    told = codec.encode([event for event in result.events if "narn" in event.seen_by])
    assert "Canary" not in told
    assert GAME.secrets(state, "earth") == frozenset()
    assert "Canary-Ship" in codec.encode(GAME.view(state, None))


def test_open_fog_shows_damage_but_not_plans():
    """Structure is exact; schedules and abilities are not told."""
    state = situation(
        squadron("Alpha", "earth", "2020", ship("Hyperion-1", structure=13), abilities=["stubborn"]),
        squadron("Kha'Mak", "narn", "5555", "T'Loth-9"),
        switches={"fog": "open"},
    )
    view = GAME.view(state, "narn")
    assert next(s.structure for s in view.ships if s.name == "Hyperion-1") == 13
    assert next(s.abilities for s in view.squadrons if s.name == "Alpha") == ()


def test_third_parties_learn_no_dice():
    """Centauri watch Earth fire at Narn: hits, but neither dice nor modifiers nor effects."""
    sides = (("earth", "Earth", "defender"), ("narn", "Narn", "attacker"), ("centauri", "Centauri", "attacker"))
    state = situation(
        squadron("Alpha", "earth", "2020", "Omega-1"),
        squadron("Kha'Mak", "narn", "2014", "T'Loth-1", heading=4),
        squadron("Aquila", "centauri", "5555", "Primus-1"),
        sides=sides,
    )
    text = "Omega-1:\n target Kha'Mak\n fire heavy-laser at T'Loth-1 pulse 1\n hold medium-pulse, particle-beam"
    result = play(state, 9, 1, 1, 1, 9, 1, earth=text, narn="Kha'Mak: hold", centauri="Aquila: hold")
    seen = [event for event in result.events if "centauri" in event.seen_by and event.kind in ("fire", "damage", "hit")]
    assert [event.kind for event in seen] == ["fire", "hit"]
    assert (seen[0].facts["dice"], seen[0].facts["modifiers"], seen[0].rolls) == ([], {}, ())


# --- data cards ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ('[weapon.x]\nclass = "laser"\nfc = ["d10", "d8"]\ndamage = "d12"', "weapon.x.fc"),
        (
            '[weapon.x]\nclass = "laser"\nfc = ["d10", "d8", "-"]\ndamage = "d12"\nrange = [9, 8, 7, 6]',
            "weapon.x.range",
        ),
        ('[weapon.x]\nclass = "lazer"\nfc = ["d10", "d8", "-"]\ndamage = "d12"', "weapon.x.weapon_class"),
        ("[class.omega]\narmor = [6, 5]", "class.omega.armor"),
        ("[class.omega]\ngrey = [99]", "class.omega.grey"),
        ("[class.omega]\nstructur = 5", "class.omega.structur"),
        ('[class.omega]\nweapons = [{ weapon = "ray", rating = 1, af = 1 }]', "weapons[0].weapon"),
        ('[fighter.x]\nnavy = "Earth"\npoints = 1\nmove = 9\ndef = 9\noff = "10"', "fighter.x.off"),
        ('[[squadron]]\nname = "A"\nside = "moon"\nships = [{ name = "X", class = "omega" }]', "moon"),
        ('[[squadron]]\nname = "A"\nside = "e"\nhex = "20"\nships = [{ name = "X", class = "omega" }]', "hex"),
    ],
)
def test_bad_cards_are_refused_with_their_place(text, where):
    """A club's own cards are checked on load."""
    head = 'game = "fleet_action"\nmap_w = 9\nmap_h = 9\n'
    sides = '\n[[side]]\nid = "e"\nnavy = "Earth"\n[[side]]\nid = "n"\nnavy = "Narn"\n'
    with pytest.raises(BadData) as error:
        GAME.setup(parse_scenario(head + text + sides, "club.toml"), LoadedDice())
    assert where in str(error.value)


def test_a_club_card_changes_only_what_it_says():
    """An Omega of structure 30 keeps everything else."""
    state = situation(
        squadron("Alpha", "earth", "2020", "Omega-1"),
        squadron("Kha'Mak", "narn", "5555", "T'Loth-9"),
        **{"class": {"omega": {"structure": 30}}},
    )
    assert (state.ships[0].structure, state.classes["omega"].sensor) == (30, 6)
    assert isinstance(codec.same(state), State)
    assert EVERY_PULSE == (1, 2, 3)


# --- the book --------------------------------------------------------------------------------------------------------


def test_every_rule_of_the_book_is_tested():
    """Each numbered rule is named by a marker in this folder."""
    book = (resources.files("games.fleet_action") / "rules.md").read_text(encoding="utf-8")
    rules = set(re.findall(r"\*\*(FA-[A-Z]+-\d+)\*\*", book))
    marked: set[str] = set()
    for path in sorted(HERE.glob("test_*.py")):
        for marker in re.findall(r"mark\.rule\(([^)]*)\)", path.read_text(encoding="utf-8")):
            marked |= set(re.findall(r"FA-[A-Z]+-\d+", marker))
    assert sorted(rules - marked) == []
