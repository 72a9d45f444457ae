"""Documents under test: what README and CONTRIBUTING show is run for real, or named here with the reason why not."""

from __future__ import annotations

import dataclasses
import re
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer.main

import games
from pbem.cli import app
from pbem.desk.commands import Word, read_command
from pbem.desk.settings import read_setting
from pbem.kit.dice import KeyedDice
from pbem.kit.game import Game
from pbem.kit.package import published
from pbem.kit.scenario import parse_scenario
from tests.cli.conftest import Run, club, post, run
from tests.documents import DOCUMENTS, ROOT, Block, Command, blocks, codes, section, text_of
from tests.test_floor_plan import OPTIONAL, OTHER_FILES, PLAN

__all__ = ["club", "post", "run"]

PROGRAMS = ("make", "pbem", "pip", "pytest", "cd")

NOT_COMMANDS = {
    "IMAP -> post/mailbox -> [letters]       bytes filed once, by Message-ID and SHA-256": "the way of a letter",
    "turn 3": "orders, read by their game below",
    '@pytest.mark.parametrize("check", every_check(GAME))': "the skeleton's own test, compared with it below",
}
"""Blocks that hold no commands, by their first line, and what becomes of them."""

NOT_RUN = {
    "init": "asks for a mail account; tests/cli/test_host.py answers",
    "run": "a daemon; tests/test_wheel.py and tests/test_outside_game.py run it",
    "demo": "tests/test_demo.py and tests/test_wheel.py run it",
}
"""Commands of pbem whose words and options are checked, but which are run elsewhere."""

QUESTION = (ROOT / "tests/situations/fleet_action/fa-v-28.toml").read_text(encoding="utf-8").partition("[try]")[0]
ORDERS = """Alpha:
  path F3
  fire heavy-laser at nearest pulse 3
  hold secondary
  hold medium-pulse
  hold heavy-laser pulse 1-2
"""
TRIED = "orders.narn = '''\nKha'Mak:\n  path F3\n  hold\n'''\n"
FLEET = "design Lancer = size 3, heavy 2, light 1, fast cost\nsquadron Pike = 4 Lancer\n"


def commands(document: str) -> list[Command]:
    shell = [block for block in blocks(document) if block.head not in NOT_COMMANDS]
    return [Command(document, line) for block in shell for line in block.lines()]


def all_commands() -> list[Command]:
    return [command for document in DOCUMENTS for command in commands(document)]


# --- every block is known --------------------------------------------------------------------------------------------


def test_every_block_is_run_or_named_with_a_reason() -> None:
    unknown = [
        f"{command}: write the program into PROGRAMS, or the block into NOT_COMMANDS with a reason"
        for command in all_commands()
        if command.program not in PROGRAMS
    ]

    assert unknown == []
    assert set(NOT_COMMANDS) <= {block.head for document in DOCUMENTS for block in blocks(document)}


# --- commands --------------------------------------------------------------------------------------------------------


@pytest.mark.server
@pytest.mark.parametrize("document", DOCUMENTS)
def test_the_commands_of_a_document_work_one_after_the_other(
    document: str, run: Run, club: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a fresh database, with a post office on this machine."""
    prepare(Path())
    here = Path().resolve()
    try:
        for command in commands(document):
            PERFORM[command.program](command, run, monkeypatch)
    finally:
        forget_games(here)


def prepare(folder: Path) -> None:
    """The files that the commands of the documents speak of."""
    (folder / "tests").symlink_to(ROOT / "tests")
    (folder / "question.toml").write_text(f"{QUESTION}[try]\n{TRIED}")
    (folder / "orders.txt").write_text(ORDERS)
    (folder / "fleet.txt").write_text(FLEET)


def perform_pbem(command: Command, run: Run, _patch: pytest.MonkeyPatch) -> None:
    if command.words[1] in NOT_RUN:
        check_options(command)
        return
    result = run(*command.words[1:])
    assert result.exit_code == 0, f"{command}\n{result.output}\n{result.exception}"


def perform_make(command: Command, _run: Run, _patch: pytest.MonkeyPatch) -> None:
    """Building needs the network and takes minutes; that there is such a target is checked."""
    check_target(command)


def perform_cd(command: Command, _run: Run, patch: pytest.MonkeyPatch) -> None:
    patch.chdir(command.words[1])


def perform_pip(command: Command, _run: Run, patch: pytest.MonkeyPatch) -> None:
    """Needs the network, and tests/test_wheel.py installs for real; here the project and its extras must exist, and a
    game becomes known as pip would make it."""
    project = tomllib.loads(Path("pyproject.toml").read_text()) if Path("pyproject.toml").exists() else ours()
    check_extras(command.words[-1], project)
    for slug, value in project["project"].get("entry-points", {}).get("pbem.games", {}).items():
        facts = Path("site").resolve() / f"{slug}-1.0.dist-info"
        facts.mkdir(parents=True)
        (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {slug}\nVersion: 1.0\n")
        (facts / "entry_points.txt").write_text(f"[pbem.games]\n{slug} = {value}\n")
        patch.syspath_prepend(str(facts.parent))
        patch.syspath_prepend(str(Path().resolve()))
        forget_games(Path().resolve())


def perform_pytest(command: Command, _run: Run, _patch: pytest.MonkeyPatch) -> None:
    """The tests of a new game are run by tests/test_skeleton.py; here they must be where pytest looks for them."""
    assert command.words == ["pytest"]
    assert list(Path("tests").glob("test_*.py"))


PERFORM: dict[str, Callable[[Command, Run, pytest.MonkeyPatch], None]] = {
    "pbem": perform_pbem,
    "make": perform_make,
    "cd": perform_cd,
    "pip": perform_pip,
    "pytest": perform_pytest,
}


def ours() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def forget_games(under: Path) -> None:
    """What was written and loaded there is not known to the next test."""
    made = [name for name, module in sys.modules.items() if str(getattr(module, "__file__", "")).startswith(str(under))]
    for name in made:
        del sys.modules[name]
    games.game.cache_clear()
    published.cache_clear()


def check_extras(wanted: str, project: dict[str, Any]) -> None:
    extras = re.findall(r"\[(\w+)\]", wanted)
    assert set(extras) <= set(project["project"].get("optional-dependencies", {})), wanted


def check_target(command: Command) -> None:
    assert re.search(rf"^{command.words[1]}:", text_of("Makefile"), re.MULTILINE), f"{command}: no such target"


def check_options(command: Command) -> None:
    """The command exists and has the options; nothing is run."""
    found: Any = typer.main.get_command(app)
    words = command.words[1:]
    while words and words[0] in (within := getattr(found, "commands", {})):
        found, words = within[words[0]], words[1:]
    missing = hasattr(found, "commands") and words and not words[0].startswith("-")
    assert not missing, f"{command}: no such command"
    known = {name for parameter in found.params for name in (*parameter.opts, *parameter.secondary_opts)}
    unknown = [word for word in words if word.startswith("-") and word not in known]
    assert not unknown, f"{command}: no such option: {unknown}"


@pytest.mark.parametrize("document", DOCUMENTS)
def test_commands_within_sentences_exist(document: str) -> None:
    """They stand with placeholders, so that words and options are checked, and nothing is run."""
    for code in codes(text_of(document)):
        command = Command(document, code)
        if code.startswith("pbem "):
            check_options(command)
        elif code.startswith("make "):
            check_target(command)
        elif code.startswith("pip install "):
            check_extras(command.words[-1], ours())


@pytest.mark.parametrize("document", DOCUMENTS)
def test_files_within_sentences_exist(document: str) -> None:
    folders = "pbem|games|templates|tests|deploy"
    named = [
        found
        for code in codes(text_of(document))
        for found in re.findall(rf"^(?:pytest )?((?:{folders})/[\w./-]+)", code)
    ]

    assert named
    assert [name for name in named if not (ROOT / name).exists()] == []


# --- orders and words ------------------------------------------------------------------------------------------------

AT_TURN_3 = """
game = "fleet_action"
map_w = 60
map_h = 60
turn = 3
[[side]]
id = "earth"
name = "Earth"
navy = "Earth"
role = "defender"
[[side]]
id = "narn"
name = "Narn"
navy = "Narn"
role = "attacker"
[[squadron]]
name = "Alpha"
side = "earth"
hex = "2030"
heading = 1
speed = 6
ships = [{ name = "Hyperion-1", class = "hyperion" }]
[[squadron]]
name = "Bravo"
side = "earth"
hex = "3030"
heading = 1
speed = 10
ships = [{ name = "Olympus-1", class = "olympus" }]
[[squadron]]
name = "Kha'Mak"
side = "narn"
hex = "2034"
heading = 1
speed = 3
ships = [{ name = "T'Loth-1", class = "tloth" }]
"""


def test_the_orders_shown_to_players_are_read_without_a_complaint() -> None:
    game = games.game("fleet_action")
    state = game.setup(parse_scenario(AT_TURN_3, "readme"), KeyedDice(b"readme"))
    shown = named_block("turn 3")

    sheet = game.read_orders(state, "earth", shown.text)

    assert sheet.problems == ()
    assert [entry.text for entry in sheet.accepted] == [
        "speed -2 pulse 2",
        "path F2 slipP F2",
        "path F3 P | F4 | F3",
    ]


def named_block(head: str) -> Block:
    return next(block for document in DOCUMENTS for block in blocks(document) if block.head == head)


def test_the_words_of_a_letter_are_known_to_the_desk() -> None:
    shown = codes(section("README.md", "Words that work in any letter:", "\n\n"))

    found = {code: read_command(code) for code in shown}

    assert [code for code, command in found.items() if command is None] == []
    assert {command.word for command in found.values() if command} == set(Word)
    for command in found.values():
        if command and command.word is Word.SET:
            read_setting(1, command.rest)


def test_the_test_of_a_game_is_the_one_the_skeleton_has() -> None:
    shown = next(block for block in blocks("CONTRIBUTING.md") if block.language == "python")

    assert shown.text in (ROOT / "templates/game/tests/test_contract.py").read_text(encoding="utf-8")


# --- nothing is left out ---------------------------------------------------------------------------------------------


def test_the_readme_lists_the_games_that_ship() -> None:
    table = section("README.md", "| game | what it is |", "\n\n")

    assert tuple(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == games.SHIPPED


def test_contributing_names_every_field_of_a_game() -> None:
    named = set(codes(section("CONTRIBUTING.md", "### The fields of `Game`", "\n### ")))

    assert [field.name for field in dataclasses.fields(Game) if field.name not in named] == []


def test_contributing_names_every_file_of_a_game() -> None:
    """Those of the plan, those that all games have, and those of the skeleton."""
    named = set(codes(section("CONTRIBUTING.md", "### The files, in the order", "\n### ")))
    shared = set.intersection(*(files_of(ROOT / "games" / slug) for slug in games.SHIPPED))
    skeleton = files_of(ROOT / "templates" / "game" / "skirmish") - {"templates"}
    words = {path.name for path in (ROOT / "templates" / "game" / "skirmish" / "templates").iterdir()}

    assert sorted({*PLAN, *OPTIONAL, *OTHER_FILES, *shared, *skeleton, *words} - named) == ["orders.py"], (
        "which the skeleton has for a folder"
    )


def files_of(folder: Path) -> set[str]:
    """What stands in a game's folder; chapters of `orders` and `rules` are its own affair."""
    return {path.name for path in folder.iterdir() if path.name not in ("orders", "rules", "__pycache__")}
