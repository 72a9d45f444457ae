"""The contract, checked on every game that ships."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path

import pytest

import games
from pbem.kit.codec import encode, plain, same
from pbem.kit.game import Event
from pbem.kit.scenario import Scenario, scenarios_of
from pbem.kit.scene import Scene
from pbem.selfplay import Played, play

ROOT = Path(__file__).parent.parent
KEY = b"contract"

FILES = (
    "__init__.py", "state.py", "data.py", "resolve.py", "rules", "view.py", "scene.py", "bot.py",
    "rules.md", "units.toml", "tables.toml", "scenarios",
)  # fmt: skip

# Parts of the standard library that reach out of the rules: chance, clocks and the network.
WORLDLY = {"asyncio", "datetime", "random", "secrets", "smtplib", "socket", "sqlite3", "time", "urllib"}

every_game = pytest.mark.parametrize("slug", games.SHIPPED)


@cache
def tutorial(slug: str) -> Scenario:
    """By custom the tutorial is the scenario whose key ends so."""
    found = scenarios_of(slug)
    return next((scenario for key, scenario in found.items() if "tutorial" in key), next(iter(found.values())))


@cache
def opening_phases(slug: str) -> tuple[Played, ...]:
    """The first phases of the tutorial, played once and looked at by many tests."""
    return tuple(islice(play(games.game(slug), tutorial(slug), KEY), 6))


@every_game
def test_all_games_have_the_same_files(slug: str) -> None:
    folder = ROOT / "games" / slug

    missing = [name for name in FILES if not (folder / name).exists()]

    assert missing == []
    assert (folder / "orders.py").exists() or (folder / "orders").is_dir()
    assert {path.name for path in (ROOT / "templates" / slug).iterdir()} >= {"narrative.j2", "status.j2", "help.j2"}


@every_game
def test_a_game_imports_only_the_kit_itself_and_the_standard_library(slug: str) -> None:
    """Law 2: the post office knows no rules, a game knows no post."""
    foreign = sorted(
        f"{path.relative_to(ROOT)}: {module}"
        for path in (ROOT / "games" / slug).rglob("*.py")
        for module in imported(path)
        if not allowed(module, slug)
    )

    assert foreign == []


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are written out in full"
            yield node.module or ""


def allowed(module: str, slug: str) -> bool:
    top = module.split(".")[0]
    if top in sys.stdlib_module_names:
        return top not in WORLDLY
    return module == f"games.{slug}" or module.startswith(("pbem.kit", f"games.{slug}."))


def test_the_kernel_names_no_game() -> None:
    """Law 2, the other way: nothing under pbem imports a game by name."""
    named = [
        f"{path.relative_to(ROOT)}: {module}"
        for path in (ROOT / "pbem").rglob("*.py")
        for module in imported(path)
        if module.startswith("games.")
    ]

    assert named == []


@every_game
def test_every_scenario_sets_up_and_survives_json(slug: str) -> None:
    game = games.game(slug)
    for key, scenario in scenarios_of(slug).items():
        first = next(iter(play(game, scenario, KEY, 1)), None)

        assert first is not None, key
        assert same(first.before) == first.before, key
        assert len(game.sides(first.before)) >= 2, key


@every_game
def test_states_survive_json_at_every_phase(slug: str) -> None:
    for played in opening_phases(slug):
        assert same(played.after) == played.after


@every_game
def test_resolving_changes_none_of_its_inputs_and_gives_the_same_twice(slug: str) -> None:
    """Law 1: rules are pure."""
    game = games.game(slug)
    played = opening_phases(slug)[-1]
    before = encode(played.before)

    again = game.resolve(played.before, played.sheets, type(played.dice)(played.dice._key))

    assert encode(played.before) == before
    assert encode(again.state) == encode(played.after)
    assert encode(again.events) == encode(played.events)


@every_game
def test_bots_are_legal_by_construction(slug: str) -> None:
    for played in opening_phases(slug):
        for side, sheet in played.sheets.items():
            assert sheet.problems == (), side


@every_game
def test_random_play_comes_to_an_end(slug: str) -> None:
    game = games.game(slug)

    last = list(play(game, tutorial(slug), b"to the end", 300))[-1]

    outcome = game.outcome(last.after)
    assert game.phase(last.after) is None
    assert outcome is not None
    assert outcome.reason


@every_game
def test_the_order_form_reads_back_without_a_problem(slug: str) -> None:
    game = games.game(slug)
    for played in opening_phases(slug):
        for side in sorted(played.phase.sides):
            form = game.template(game.view(played.before, side))

            assert game.read_orders(played.before, side, form).problems == (), form


@every_game
def test_every_view_can_be_drawn_and_written_as_json(slug: str) -> None:
    game = games.game(slug)
    for played in opening_phases(slug):
        for side in (*(info.id for info in game.sides(played.after)), None):
            view = game.view(played.after, side)
            seen = [event for event in played.events if side is None or side in event.seen_by]

            assert isinstance(game.scene(view, seen), Scene)
            assert game.scene(view, seen).alt
            assert plain(view)
            assert isinstance(dict(game.gauges(view)), dict)


@every_game
def test_nobody_learns_a_secret_from_a_view_an_event_or_a_map(slug: str) -> None:
    """Law 4: a side sees only its view."""
    game = games.game(slug)
    for played in opening_phases(slug):
        for info in game.sides(played.after):
            secrets = game.secrets(played.after, info.id)
            view = game.view(played.after, info.id)
            seen = [event for event in played.events if info.id in event.seen_by]
            text = encode([plain(view), plain(game.scene(view, seen)), [event.facts for event in seen]])

            assert [word for word in sorted(secrets) if word in text] == []


@every_game
def test_events_name_a_rule_of_the_book_and_known_sides(slug: str) -> None:
    game = games.game(slug)
    book = (ROOT / "games" / slug / "rules.md").read_text(encoding="utf-8")
    for played in opening_phases(slug):
        sides = {info.id for info in game.sides(played.after)}
        for event in played.events:
            assert isinstance(event, Event)
            assert event.rule in book, event
            assert event.seen_by <= sides, event
            assert same_labels(event), event


def same_labels(event: Event) -> bool:
    return all(roll.label and 1 <= roll.face <= roll.sides for roll in event.rolls)


@every_game
def test_the_result_does_not_depend_on_the_hash_seed(slug: str) -> None:
    digests = {seed: digest_under(slug, seed) for seed in ("0", "1", "4242")}

    assert len(set(digests.values())) == 1, digests


def digest_under(slug: str, seed: str) -> str:
    script = (
        "import hashlib; from itertools import islice; import games; from pbem.kit.codec import encode, plain\n"
        "from pbem.kit.scenario import scenarios_of; from pbem.selfplay import play\n"
        f"game = games.game({slug!r}); digest = hashlib.sha256()\n"
        f"scenario = scenarios_of({slug!r})[{tutorial(slug).key!r}]\n"
        "for played in islice(play(game, scenario, b'seed'), 4):\n"
        "    sides = [info.id for info in game.sides(played.after)]\n"
        "    views = [plain(game.view(played.after, side)) for side in sides]\n"
        "    digest.update(encode([played.after, played.events, views, played.dice.rolls]).encode())\n"
        "print(digest.hexdigest())\n"
    )
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    return done.stdout.strip()
