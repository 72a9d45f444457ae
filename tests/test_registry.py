"""Games of others: published under the entry point ``pbem.games``, found by their slug with all their files."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import games
from pbem.checkup import check_games
from pbem.kit.package import home_of, rule_book
from pbem.kit.scenario import scenarios_of
from pbem.letters.environment import environment
from pbem.letters.schema import event_kinds, report_schema
from tests.cli.conftest import Run, run
from tests.conftest import Publish

__all__ = ["run"]

RAFTS = """
from dataclasses import replace
from games.galleys import GAME as GALLEYS
GAME = replace(GALLEYS, slug="rafts", title="Rafts")
"""
SCENARIO = 'game = "rafts"\nkey = "pond"\ntitle = "The Pond"\n'


@pytest.fixture
def rafts(publish: Publish) -> Path:
    """A game somebody else installed, with a folder for each kind of file."""
    folder = publish("club_rafts", RAFTS, "rafts")
    for name in ("scenarios", "templates"):
        (folder / name).mkdir()
    (folder / "scenarios" / "pond.toml").write_text(SCENARIO)
    (folder / "templates" / "help.j2").write_text("{% macro help(out) %}Paddle.{% endmacro %}")
    (folder / "templates" / "narrative.j2").write_text("{% macro splash(e) %}Splash.{% endmacro %}")
    (folder / "rules.md").write_text("# Rafts\n")
    return folder


def test_a_game_of_somebody_else_is_found_with_its_files(rafts: Path) -> None:
    assert games.slugs() == (*games.SHIPPED, "rafts")
    assert games.game("rafts").title == "Rafts"
    assert scenarios_of("rafts")["pond"].title == "The Pond"
    assert rule_book("rafts") == "# Rafts\n"


def test_its_templates_go_before_ours_and_those_of_the_host_before_both(rafts: Path, tmp_path: Path) -> None:
    own = tmp_path / "club"
    (own / "rafts").mkdir(parents=True)
    (own / "rafts" / "help.j2").write_text("{% macro help(out) %}Row.{% endmacro %}")

    theirs, hosts = environment(), environment(own)

    assert theirs.macro("rafts/help.j2", "help")(None) == "Paddle."  # type: ignore[misc]
    assert hosts.macro("rafts/help.j2", "help")(None) == "Row."  # type: ignore[misc]
    assert theirs.macro("mail/parts.j2", "commands") is not None
    assert {"rafts/help.j2", "rafts/narrative.j2"} <= set(theirs.words.list_templates())


def test_its_report_has_a_schema_with_its_own_kinds_of_events(rafts: Path) -> None:
    assert event_kinds("rafts") == ["splash"]
    assert report_schema(games.game("rafts"))["$id"] == "urn:pbem:report:rafts:2"


def test_an_entry_point_may_name_a_module_of_the_package(publish: Publish) -> None:
    folder = publish("club_rafts", "", "rafts", "club_rafts.boats.game:GAME")
    (folder / "boats").mkdir()
    (folder / "boats" / "game.py").write_text(RAFTS)

    found = home_of("rafts")

    assert found is not None
    assert (found.package, found.folder) == ("club_rafts.boats", folder / "boats")
    assert games.game("rafts").slug == "rafts"


def test_nobody_takes_the_name_of_a_game_of_ours_or_of_the_shared_templates(publish: Publish) -> None:
    for number, slug in enumerate(("galleys", "mail", "map")):
        folder = publish(f"thief{number}", RAFTS, slug)
        (folder / "templates").mkdir()
        (folder / "templates" / "opening.j2").write_text("Stolen.")

    assert games.slugs() == games.SHIPPED
    words = environment().words
    assert words.loader is not None
    assert "Stolen" not in words.loader.get_source(words, "mail/opening.j2")[0]
    found = home_of("galleys")
    assert found is not None
    assert found.package == "games.galleys"


def test_an_unknown_game_is_named_with_those_there_are() -> None:
    with pytest.raises(games.UnknownGame, match="no game called 'chess'; installed are fleet_action"):
        games.game("chess")


@pytest.mark.parametrize(
    ("code", "complaint"),
    [
        ("import nowhere_to_be_found", "cannot be loaded: ModuleNotFoundError: No module named 'nowhere_to_be_found'"),
        ("GAME = 'rafts'", "is no Game but a str"),
        (RAFTS.replace('slug="rafts"', 'slug="boats"'), "calls itself 'boats'; both must be the same"),
    ],
)
def test_a_broken_game_says_what_is_wrong_and_costs_nobody_else(
    publish: Publish, run: Run, code: str, complaint: str
) -> None:
    publish("club_rafts", code, "rafts")

    with pytest.raises(games.BrokenGame, match=complaint):
        games.game("rafts")

    listed = run("games", "--json")
    assert {row["game"] for row in json.loads(listed.stdout)} == set(games.SHIPPED)
    assert complaint in listed.stderr
    assert [finding.what for finding in check_games() if not finding.fine] == ["game rafts"]
    assert environment().macro("galleys/help.j2", "help") is not None


def test_a_game_without_a_rule_book_says_where_it_belongs(publish: Publish, run: Run) -> None:
    publish("club_rafts", RAFTS, "rafts")

    result = run("rules", "rafts")

    assert result.exit_code == 2
    assert "rafts comes without a rule book; it belongs into its package as rules.md" in str(result.exception)


def test_a_game_without_templates_says_where_they_belong(publish: Publish, run: Run) -> None:
    publish("club_rafts", RAFTS, "rafts")

    text = games_text("galleys").replace('game = "galleys"', 'game = "rafts"')
    Path("pond.toml").write_text(text)

    result = run("try", "pond.toml", "--report", "athens")

    assert result.exit_code == 2
    assert "there is no template rafts/status.j2" in str(result.exception)


def test_a_template_that_is_wrong_says_where(rafts: Path, run: Run) -> None:
    (rafts / "templates" / "status.j2").write_text("{% macro status(view, out) %}\n{% if %}")
    text = games_text("galleys").replace('game = "galleys"', 'game = "rafts"')
    Path("pond.toml").write_text(text)

    result = run("try", "pond.toml", "--report", "athens")

    assert result.exit_code == 2
    assert re.search(r"the template .*club_rafts/templates/status.j2 is wrong in line 2: ", str(result.exception))


def games_text(slug: str) -> str:
    """The file of a game's first scenario."""
    home = home_of(slug)
    assert home is not None
    return home.files("scenarios", ".toml")[0].read_text()
