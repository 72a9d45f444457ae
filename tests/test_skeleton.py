"""The game that `pbem game new` starts from keeps its own tests, here and under another name."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.kit.game import Game
from pbem.newgame import new_game, skeleton

LONG = "a_game_with_a_longer_nam"
LINES_A_FILE = 100


def run_tests_of(folder: Path, name: str, tmp_path: Path) -> subprocess.CompletedProcess[str]:
    """Run the tests of a game as if it were installed."""
    facts = tmp_path / "site" / f"{name}-0.1.dist-info"
    facts.mkdir(parents=True)
    (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1\n")
    (facts / "entry_points.txt").write_text(f"[pbem.games]\n{name} = {name}:GAME\n")
    path = os.pathsep.join((str(facts.parent), str(folder), str(Path(__file__).parent.parent)))
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:asyncio", str(folder)]
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)


def test_the_skeleton_passes_its_tests(tmp_path: Path) -> None:
    done = run_tests_of(skeleton(), "skirmish", tmp_path)

    assert done.returncode == 0, done.stdout + done.stderr


def test_a_new_game_passes_the_same_tests_and_linters(tmp_path: Path) -> None:
    folder = tmp_path / "game"
    new_game(LONG, folder)

    done = run_tests_of(folder, LONG, tmp_path)
    linted = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--no-cache", folder], capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert linted.returncode == 0, linted.stdout


@pytest.mark.parametrize(
    "field", ["setup", "view", "bot", "template", "forecast", "gauges", "secrets", "imagined", "choices"]
)
def test_the_skeleton_fills_what_a_game_cannot_do_without(field: str) -> None:
    assert field in Game.__dataclass_fields__
    assert re.search(rf"^    {field}={field},$", (skeleton() / "skirmish" / "__init__.py").read_text(), re.MULTILINE)


def test_the_skeleton_is_small_enough_to_be_read_at_one_sitting() -> None:
    lengths = {path.name: len(path.read_text().splitlines()) for path in (skeleton() / "skirmish").glob("*.py")}

    assert {name: lines for name, lines in lengths.items() if lines > LINES_A_FILE} == {}


def test_every_rule_of_its_book_is_named_by_its_code_or_a_test() -> None:
    book = (skeleton() / "skirmish" / "rules.md").read_text()
    rules = set(re.findall(r"\*\*(SK-[A-Z]+-\d+)\*\*|^\| (SK-E-\d+)", book, re.MULTILINE))
    code = "\n".join(path.read_text() for path in skeleton().rglob("*.py"))

    named = set(re.findall(r"SK-[A-Z]+-\d+", code))

    assert {first or second for first, second in rules} == named


def test_its_readme_names_every_file() -> None:
    readme = (skeleton() / "README.md").read_text()
    files = [path for path in (skeleton() / "skirmish").iterdir() if path.suffix in ("", ".py", ".md")]

    assert [path.name for path in files if f"`skirmish/{path.name}`" not in readme and path.name != "__pycache__"] == []
