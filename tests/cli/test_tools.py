"""A game's own tools on the command line."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Run


def test_the_tools_of_a_game_are_listed(run: Run) -> None:
    assert "design" in run("tool", "battleshift").stdout


def test_a_design_is_worked_out(run: Run, tmp_path: Path) -> None:
    (tmp_path / "fleet.txt").write_text(
        "design Lancer = size 3, heavy 2, light 1, fast cost\nsquadron Pike = 4 Lancer\n"
    )

    said = run("tool", "battleshift", "fleet", "fleet.txt").stdout

    assert said.startswith("Lancer: size 3")
    assert "legal" in said
    assert "Pike: 4 Lancer, 156 points" in said
    assert "total: 156 points" in said


def test_a_design_that_breaks_a_rule_is_told_which(run: Run, tmp_path: Path) -> None:
    (tmp_path / "ship.txt").write_text("Brick = size 1, heavy 9\n")

    said = run("tool", "battleshift", "design", "ship.txt").stdout

    assert "BS-V-" in said
    assert "legal" not in said.splitlines()


def test_what_cannot_be_read_names_its_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "ship.txt").write_text("\nLancer = size 3, hevy 2\n")

    result = run("tool", "battleshift", "design", "ship.txt")

    assert result.exit_code == 2
    assert "line 2: no feature 'hevy 2'" in str(result.exception)


def test_an_unknown_tool_is_refused_with_those_there_are(run: Run) -> None:
    result = run("tool", "battleshift", "hammer")

    assert result.exit_code == 2
    assert "it has design, fleet" in str(result.exception)


def test_a_shipped_scenario_is_named_by_game_and_key(run: Run, tmp_path: Path) -> None:
    assert run("map", "fleet_action/border-incident", "map.svg").exit_code == 0
    assert (tmp_path / "map.svg").is_file()
    assert run("map", "fleet_action/nothing", "map.svg").exit_code == 2
