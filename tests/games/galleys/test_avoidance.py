"""Section 4.8: avoidance."""

from __future__ import annotations

from typing import Any

import pytest

from games.galleys.rules.avoidance import avoid, may_avoid
from games.galleys.table import Table
from pbem.kit.dice import LoadedDice
from tests.games.galleys.builders import acted, acting, link, sea, ship


def threatened(links: list[dict[str, Any]] | None = None, klass: str = "trireme", **fields: Any) -> Table:
    """Thetis, whom Ajax attacks; the faces are loaded in the tests."""
    state = sea([ship("Ajax", "trireme", "14,3/4")], [ship("Thetis", klass, "10,5/0", **fields)], links=links)
    return Table(state, LoadedDice(*range(1, 7)))


def avoided(face: int, klass: str = "trireme", **fields: object) -> str:
    state = sea([ship("Ajax", "trireme", "14,3/4")], [ship("Thetis", klass, "10,5/0", **fields)])
    return avoid(Table(state, LoadedDice(face)), "Thetis", "Ajax", "ram")


@pytest.mark.rule("GA-AVD-1")
def test_a_target_avoids_when_its_doctrine_names_the_kind() -> None:
    table = threatened(doctrines={"avoid": "rake"})

    assert [may_avoid(table, "Thetis", kind) for kind in ("ram", "rake", "grapple")] == [False, True, False]


@pytest.mark.rule("GA-AVD-2")
@pytest.mark.parametrize("fields", [{"crippled": True}, {"rammed": True}, {"prize": True}, {"fatigue": 3}])
def test_ships_in_trouble_cannot_avoid(fields: dict[str, Any]) -> None:
    assert not may_avoid(threatened(**fields), "Thetis", "ram")


@pytest.mark.rule("GA-AVD-2")
def test_held_ships_cannot_avoid() -> None:
    assert not may_avoid(threatened([link("Ajax", "Thetis")]), "Thetis", "ram")


@pytest.mark.rule("GA-AVD-3")
@pytest.mark.parametrize(
    ("face", "klass", "fields", "result"),
    [
        (3, "trireme", {}, "fails"),
        (4, "trireme", {}, "partial"),
        (5, "trireme", {}, "avoided"),
        (4, "liburnian", {}, "avoided"),
        (3, "trireme", {"crew": 2}, "avoided"),
        (6, "trireme", {"fatigue": 2}, "partial"),
        (6, "trireme", {"avoid_count": 3}, "fails"),
        (5, "trireme", {"fire": 1}, "partial"),
    ],
)
def test_the_avoidance_die(face: int, klass: str, fields: dict[str, object], result: str) -> None:
    assert avoided(face, klass, **fields) == result


@pytest.mark.rule("GA-AVD-4")
def test_partial_avoidance_weakens_the_ram_by_two_and_leaves_the_ship_in_place() -> None:
    """Ram 4 4 + 3 - 2 + 1 + 1 - 2 = 9 in place of 11."""
    state = sea(
        [acting("Ajax", "trireme", "14,3/4", crew=1)],
        [ship("Thetis", "trireme", "10,5/0", doctrines={"react": "none"})],
    )

    found = acted(state, "Ajax", "Ajax:\n  speed full\n  ram Thetis", 4, 4, 4, 1)

    assert found.facts("ram", "total", "code") == [{"total": 9, "code": "RF"}]
    assert found.place("Thetis") == "10,5/0"


@pytest.mark.rule("GA-AVD-4")
def test_an_avoided_attempt_still_counts_as_made() -> None:
    state = sea(
        [acting("Ajax", "trireme", "14,3/4")], [ship("Thetis", "trireme", "10,5/0", doctrines={"react": "none"})]
    )

    found = acted(state, "Ajax", "Ajax:\n  speed full\n  ram Thetis", 6, 1)

    assert (found.ship("Ajax").ram_used, found.ship("Ajax").attacked) == (True, True)


@pytest.mark.rule("GA-AVD-5", "GA-RUL-35")
def test_every_attempt_costs_a_point_of_debt_and_makes_the_next_harder() -> None:
    table = threatened()

    results = [avoid(table, "Thetis", "Ajax", kind) for kind in ("ram", "rake", "grapple")]

    assert results == ["fails", "fails", "fails"]
    assert (table.ships["Thetis"].avoid_count, table.ships["Thetis"].debt) == (3, 3)
