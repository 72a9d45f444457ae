"""Adding a choice to a sheet, and filling its blank."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pbem.kit.choices import Choice, Dial, Fill, Number, Places, Ranking, added, fillings
from pbem.kit.scene import Point

CASES = json.loads((Path(__file__).parent.parent / "web" / "added.json").read_text(encoding="utf-8"))
"""The page of the order desk adds choices too, in another language; both must pass the same cases."""


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["case"])
def test_a_choice_is_added(case: dict[str, Any]) -> None:
    choice = Choice("any", "any", tuple(case["lines"]), tuple(case["replaces"]))

    assert added(case["text"], case["unit"], choice, case["filling"]) == case["expected"]


@pytest.mark.parametrize(
    ("fill", "expected"),
    [
        (None, [""]),
        (Number(1, 3, 2), ["1", "2", "3"]),
        (Places({"0101": Point(0, 0), "0102": Point(0, 1)}), ["0101", "0102"]),
        (Ranking(("A", "B", "C")), ["A, B, C", "C, B, A", "B, C, A"]),
        (Ranking(("A",)), ["A"]),
        (Dial(Point(0, 0), {0: 1.1, 45: 0.5}), ["000 0.25", "000 0.50", "000 1.00", "045 0.25", "045 0.50"]),
        (Dial(Point(0, 0), {350: 0.0}, step=0), ["350"]),
        (Dial(Point(0, 0), {}), []),
    ],
)
def test_a_blank_is_filled_with_what_is_legal(fill: Fill | None, expected: list[str]) -> None:
    assert list(fillings(fill)) == expected


def test_a_long_list_is_sampled_with_both_ends() -> None:
    words = list(fillings(Number(1, 1000, 1)))

    assert len(words) == 60
    assert (words[0], words[-1]) == ("1", "1000")
