"""Laws about a game's package: where it is found, what it imports, which scenarios it brings."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

from pbem.kit.checks.sample import Sample, assert_installed
from pbem.kit.codec import same
from pbem.kit.scenario import scenario_of, scenarios_of
from pbem.play.selfplay import play

WORLDLY = frozenset(
    {"asyncio", "datetime", "random", "secrets", "smtplib", "socket", "sqlite3", "subprocess", "time", "urllib"}
)
"""Parts of the standard library that reach out of the rules: chance, clocks and the network."""
FEWEST_SIDES = 2


def its_slug_finds_it(at: Sample) -> None:
    """Campaigns keep the slug, and find the game by it."""
    assert_installed(at.game)


def it_imports_only_the_kit(at: Sample) -> None:
    """Law 2: a game knows no post; it imports the kit, itself and the standard library."""
    foreign = [
        f"{file.relative_to(at.home.folder)}:{line}: {module}"
        for file in sorted(at.home.folder.rglob("*.py"))
        for line, module in imported(file)
        if not allowed(module, at.home.package)
    ]
    assert not foreign, (
        f"{at.game.slug} imports more than pbem.kit, itself and the pure standard library:\n" + "\n".join(foreign)
    )


def imported(file: Path) -> Iterator[tuple[int, str]]:
    """Every import of a file, wherever in it it stands: line, module."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}:{node.lineno}: imports are written out in full"
            yield node.lineno, node.module or ""


def allowed(module: str, package: str) -> bool:
    """Whether a game of this package may import the module."""
    top = module.split(".")[0]
    if top in sys.stdlib_module_names:
        return top not in WORLDLY
    return within(module, package) or (within(module, "pbem.kit") and not within(module, "pbem.kit.checks"))


def within(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def scenarios_set_up(at: Sample) -> None:
    """Every scenario opens with at least two sides, and its opening state survives JSON."""
    for key, scenario in scenarios_of(at.game.slug).items():
        where = f"{at.game.slug}/{key}"
        assert scenario.game == at.game.slug, f"{where}: its file says game = '{scenario.game}'"
        first = next(iter(play(at.game, scenario, at.seed.encode(), 1)), None)
        assert first is not None, f"{where}: the game is over before it begins"
        assert same(first.before) == first.before, f"{where}: the opening state is another after a trip through JSON"
        sides = at.game.sides(first.before)
        assert len(sides) >= FEWEST_SIDES, f"{where}: {len(sides)} side(s); a contest needs two"


def former_keys_open_their_scenarios(at: Sample) -> None:
    """A scenario that was renamed is still opened by its former keys."""
    for scenario in scenarios_of(at.game.slug).values():
        for key in (scenario.key, *scenario.formerly):
            found = scenario_of(at.game.slug, key)
            assert found == scenario, f"{at.game.slug}: '{key}' opens {found.key} instead of {scenario.key}"
