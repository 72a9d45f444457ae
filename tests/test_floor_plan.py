"""One floor plan: the same role has the same file and the same names in every game."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import games
from pbem.kit.table import WorkingTable

ROOT = Path(__file__).parent.parent

PLAN: dict[str, tuple[str, ...]] = {
    "__init__.py": ("GAME",),
    "state.py": ("State",),
    "data.py": (),
    "files.py": (),
    "setup.py": ("setup",),
    "phase.py": ("sides", "units", "phase", "outcome", "secrets"),
    "table.py": ("Table",),
    "orders/__init__.py": (),
    "orders/records.py": ("Order",),
    "orders/words.py": (),
    "orders/reading.py": ("read_orders",),
    "orders/checks.py": ("check",),
    "rules/__init__.py": (),
    "resolve.py": ("resolve",),
    "view.py": ("View", "view"),
    "imagined.py": ("imagined",),
    "choices.py": ("choices", "NOT_OFFERED"),
    "status.py": ("gauges",),
    "form.py": ("template",),
    "scene.py": ("scene", "forecast"),
    "bot.py": ("bot",),
}
"""Every file of a game and the names it must define, in the order a reader meets them."""
OTHER_FILES = ("rules.md", "units.toml", "tables.toml", "scenarios")
OPTIONAL: dict[str, tuple[str, ...]] = {
    "arcs.py": ("arcs",),
    "diagrams.py": ("diagrams",),
    "tools.py": ("TOOLS",),
}
"""Files of the contract's optional fields. All else that is a game's own is a chapter of ``rules`` or ``orders``."""
LONGEST_MODULE = 400
SMALLEST_RECORD = 5
"""Records with fewer fields share names such as ``name`` and ``side`` with half the program by chance."""

every_game = pytest.mark.parametrize("slug", games.SHIPPED)


@every_game
def test_all_games_have_the_same_files(slug: str) -> None:
    folder = ROOT / "games" / slug

    assert [name for name in (*PLAN, *OTHER_FILES) if not (folder / name).exists()] == []
    assert {path.name for path in (ROOT / "templates" / slug).iterdir()} >= {"narrative.j2", "status.j2", "help.j2"}


@every_game
def test_a_game_adds_chapters_only_under_rules_and_orders(slug: str) -> None:
    folder = ROOT / "games" / slug
    planned = {Path(name).parts[0] for name in (*PLAN, *OPTIONAL, *OTHER_FILES)} | {"__pycache__"}

    assert sorted(path.name for path in folder.iterdir() if path.name not in planned) == []


@every_game
def test_a_role_has_the_same_name_in_every_game(slug: str) -> None:
    folder = ROOT / "games" / slug
    missing = [
        f"{file}: {name}"
        for file, names in {**PLAN, **OPTIONAL}.items()
        if (folder / file).exists()
        for name in names
        if not defines(module(slug, file), name)
    ]

    assert missing == []


def module(slug: str, file: str) -> ModuleType:
    dotted = file.removesuffix("/__init__.py").removesuffix("__init__.py").removesuffix(".py").replace("/", ".")
    return importlib.import_module(".".join(part for part in ("games", slug, dotted) if part))


def defines(where: ModuleType, name: str) -> bool:
    """The name is made there, not only imported; constants and unions carry no module of their own."""
    made = getattr(where, name, None)
    if inspect.isclass(made) or inspect.isfunction(made):
        return made.__module__ == where.__name__
    return made is not None


@every_game
def test_no_class_repeats_a_state_record(slug: str) -> None:
    """More than a third of a record's fields written again is a second copy of it, which will forget to follow."""
    records = dict(records_of(importlib.import_module(f"games.{slug}.state")))

    mirrors = [
        f"{found.__module__}.{found.__name__} repeats {len(shared)} of {len(fields)} fields of {name}: {sorted(shared)}"
        for where in modules_of(slug)
        for found in classes_of(where)
        for name, fields in records.items()
        if len(fields) >= SMALLEST_RECORD and len(shared := declared(found) & fields) * 3 > len(fields)
    ]

    assert mirrors == []


def modules_of(slug: str) -> Iterator[ModuleType]:
    package = importlib.import_module(f"games.{slug}")
    for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if info.name != f"{package.__name__}.state":
            yield importlib.import_module(info.name)


def classes_of(where: ModuleType) -> Iterator[type]:
    """All but the working table, whose shelves are the state's own records."""
    for found in vars(where).values():
        if inspect.isclass(found) and found.__module__ == where.__name__ and not issubclass(found, WorkingTable):
            yield found


def records_of(where: ModuleType) -> Iterator[tuple[str, set[str]]]:
    for name, found in vars(where).items():
        if inspect.isclass(found) and dataclasses.is_dataclass(found) and found.__module__ == where.__name__:
            yield name, {field.name for field in dataclasses.fields(found)}


def declared(found: type) -> set[str]:
    """The fields a class writes down itself; what it inherits from a record is not written again."""
    return set(inspect.get_annotations(found))


def test_no_module_is_longer_than_a_reader_keeps_in_mind() -> None:
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines())
        for folder in ("pbem", "games")
        for path in (ROOT / folder).rglob("*.py")
    }

    assert {name: lines for name, lines in lengths.items() if lines > LONGEST_MODULE} == {}
