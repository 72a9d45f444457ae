"""Every rule of every rule book is named by a test."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import games

ROOT = Path(__file__).parent.parent
ID = re.compile(r"\*\*([A-Z]{2}-[A-Z]+-\d+[a-z]?)\*\*|^\| *([A-Z]{2}-[A-Z]+-\d+[a-z]?)", re.MULTILINE)


@pytest.mark.parametrize("slug", games.SHIPPED)
def test_every_rule_is_named_by_a_test(slug: str) -> None:
    """Rulings included: a ruling is a rule that somebody once doubted."""
    book = (ROOT / "games" / slug / "rules.md").read_text(encoding="utf-8")
    rules = {first or second for first, second in ID.findall(book)}
    tests = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests/games" / slug).rglob("*.py"))

    named = set(re.findall(r"\b[A-Z]{2}-[A-Z]+-\d+[a-z]?\b", tests))

    assert rules
    assert sorted(rules - named) == []
