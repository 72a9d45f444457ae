"""One word, one thing: what the names of the kernel keep apart."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

from pbem.store.rows import Row

ROOT = Path(__file__).parent.parent


def test_no_two_classes_share_a_name() -> None:
    """A name says what a thing is wherever it stands; one that begins with an underscore is no other word."""
    where: dict[str, list[str]] = defaultdict(list)
    for path in sorted((ROOT / "pbem").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                where[node.name.lstrip("_")].append(str(path.relative_to(ROOT)))

    assert {name: paths for name, paths in where.items() if len(paths) > 1} == {}


def test_what_is_a_row_says_so() -> None:
    tables = [kind for kind in _kinds_of(Row) if hasattr(kind, "__table__")]

    assert len(tables) == len(Row.metadata.tables)
    assert [kind.__name__ for kind in tables if not kind.__name__.endswith("Row")] == []


def test_rows_are_made_in_the_store_alone() -> None:
    """So that every row met elsewhere has the id the database gave it."""
    rows = {kind.__name__ for kind in _kinds_of(Row) if hasattr(kind, "__table__")}
    made = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sorted((ROOT / "pbem").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in rows
        if ROOT / "pbem" / "store" not in path.parents
    ]

    assert made == []


def _kinds_of(kind: type[Row]) -> list[type[Row]]:
    return [each for below in kind.__subclasses__() for each in (below, *_kinds_of(below))]
