"""A new game on the command line, and bots against bots."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pbem.newgame import prefix_of, renamed, title_of
from tests.cli.conftest import Run


def test_game_new_writes_a_game_and_says_what_to_do_next(run: Run) -> None:
    result = run("game", "new", "star_raiders")

    assert result.exit_code == 0
    assert "star_raiders holds a game called star_raiders" in result.stdout
    assert "\n  cd star_raiders\n  pip install -e '.[dev]'\n  pytest\n" in result.stdout
    files = {path.relative_to("star_raiders").as_posix() for path in Path("star_raiders").rglob("*") if path.is_file()}
    assert {
        "README.md",
        "pyproject.toml",
        "star_raiders/__init__.py",
        "star_raiders/py.typed",
        "star_raiders/rules.md",
        "star_raiders/scenarios/1-first-contact.toml",
        "star_raiders/templates/narrative.j2",
        "tests/test_contract.py",
        "tests/test_rules.py",
    } <= files
    assert not any("pycache" in name for name in files)


def test_nothing_of_the_skeletons_name_is_left(run: Run) -> None:
    run("game", "new", "star_raiders", "--folder", "elsewhere")

    texts = {path: path.read_text() for path in Path("elsewhere").rglob("*") if path.is_file()}

    assert [str(path) for path, text in texts.items() if "skirmish" in (text + path.name).lower()] == []
    assert [str(path) for path, text in texts.items() if "SK-" in text or "test_sk_" in text] == []
    assert "**SR-MOV-1**" in texts[Path("elsewhere/star_raiders/rules.md")]
    assert 'title="Star Raiders"' in texts[Path("elsewhere/star_raiders/__init__.py")]


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("Star-Raiders", "digits and underscores, a letter first; would 'star_raiders' do?"),
        ("7seas", "'7seas' cannot be the name of a game: it must be 2 to 24 small letters"),
        ("x", "'x' cannot be the name of a game"),
        ("../evil", "'../evil' cannot be the name of a game"),
        ("class", "'class' is a word of Python itself; choose another name"),
        ("match", "'match' is a word of Python itself; choose another name"),
        ("galleys", "there is already a game called 'galleys'; installed are fleet_action"),
        ("mail", "'mail' is the name of a folder that pbem uses itself"),
        ("tests", "'tests' is the name of a folder that pbem uses itself"),
        ("random", "there is already a Python package called 'random'"),
        ("jinja2", "there is already a Python package called 'jinja2'"),
        ("pbem", "there is already a Python package called 'pbem'"),
    ],
)
def test_a_name_that_cannot_be_is_refused(run: Run, name: str, complaint: str) -> None:
    result = run("game", "new", name)

    assert result.exit_code == 2
    assert complaint in str(result.exception)
    assert list(Path().iterdir()) == []


def test_a_folder_that_is_there_is_left_alone(run: Run) -> None:
    Path("rafts").mkdir()

    result = run("game", "new", "rafts")

    assert result.exit_code == 2
    assert str(result.exception) == "rafts is already there; name another folder with --folder"
    assert list(Path("rafts").iterdir()) == []


def test_a_folder_that_cannot_be_made_is_named(run: Run) -> None:
    Path("file").write_text("")

    result = run("game", "new", "rafts", "--folder", "file/rafts")

    assert result.exit_code == 2
    assert "cannot write file" in str(result.exception)


@pytest.mark.parametrize(
    ("name", "title", "prefix"),
    [("rafts", "Rafts", "RA"), ("star_raiders", "Star Raiders", "SR"), ("x2", "X2", "XX"), ("a_b_c", "A B C", "AB")],
)
def test_title_and_rule_ids_follow_from_the_name(name: str, title: str, prefix: str) -> None:
    assert (title_of(name), prefix_of(name)) == (title, prefix)
    assert renamed("Skirmish skirmish.bot SK-MOV-1 test_sk_mov_1 skirmishes TASK-1", name) == (
        f"{title} {name}.bot {prefix}-MOV-1 test_{prefix.lower()}_mov_1 skirmishes TASK-1"
    )


# --- selfplay --------------------------------------------------------------------------------------------------------


def test_selfplay_says_who_won_how_long_and_how_fast(run: Run) -> None:
    result = run("selfplay", "galleys/rhium", "-n", "2", "--seed", "a")

    lines = result.stdout.splitlines()
    assert lines[0] == "Galleys, Rhium, 429 BC: 2 battles, seed 'a'"
    assert lines[3].split()[0] == "draws"
    assert lines[4].startswith("Turns: median ")
    assert lines[5].startswith("Speed: ")
    assert "ms a phase" in lines[5]


def test_selfplay_as_json(run: Run) -> None:
    found = json.loads(run("selfplay", "galleys/rhium", "-n", "1", "--seed", "a", "--json").stdout)

    assert (found["battles"], found["seed"], found["broken_off"]) == (1, "a", 0)
    assert sum(won["count"] for won in found["wins"].values()) + found["draws"]["count"] == 1


def test_selfplay_breaks_off_what_does_not_end(run: Run) -> None:
    assert "not over after 1 phases" in run("selfplay", "galleys/rhium", "-n", "1", "--most-phases", "1").stdout


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("chess/opening",), "there is no file chess/opening"),
        (("galleys/opening",), "galleys has no scenario 'opening'; it has"),
    ],
)
def test_selfplay_of_what_is_not_there(run: Run, words: tuple[str, ...], complaint: str) -> None:
    result = run("selfplay", *words)

    assert result.exit_code == 2
    assert complaint in str(result.exception)


@pytest.mark.parametrize("number", ["0", "10001", "many"])
def test_selfplay_is_bounded(run: Run, number: str) -> None:
    result = run("selfplay", "galleys/rhium", "-n", number)

    assert result.exit_code == 2
    assert "Invalid value for '--battles'" in result.stderr
