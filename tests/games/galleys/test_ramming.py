"""Section 4.10: ramming."""

from __future__ import annotations

from typing import Any

import pytest

from games.galleys.data import TABLES, band
from games.galleys.rules.ramming import RamChance, apply_ram, ram_mods, why_not_ram
from games.galleys.rules.routes import ram_routes
from games.galleys.state import Level
from games.galleys.table import Table, total
from tests.games.galleys.builders import acted, acting, complaints, link, sea, ship

QUIET = {"react": "none", "avoid": "none"}


def laid(mine: dict[str, object] | None = None, theirs: dict[str, object] | None = None, **more: Any) -> Table:
    """Ajax lies off the midship of Thetis, as in GA-EX-9."""
    state = sea(
        [acting("Ajax", "trireme", "14,3/4", **(mine or {}))],
        [ship("Thetis", "trireme", "10,5/0", **(theirs or {}))],
        **more,
    )
    return Table(state)


@pytest.mark.rule("GA-RAM-1")
@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"ram": 0}, "its ram rating is 0"),
        ({"ram_used": True}, "it has already tried to ram this turn"),
        ({"crippled": True}, "it is crippled"),
        ({"rammed": True}, "it is rammed"),
        ({"fire": 1}, "it is burning"),
        ({"prize": True}, "it is a prize"),
        ({"fatigue": 1}, "its crew is tired (fatigue 1)"),
        ({}, ""),
    ],
)
def test_who_may_ram(fields: dict[str, object], reason: str) -> None:
    table = laid(fields)

    assert why_not_ram(table, table.ships["Ajax"]) == reason


@pytest.mark.rule("GA-RAM-1")
def test_fouled_and_grappled_ships_and_ships_at_half_do_not_ram() -> None:
    held = laid(links=[link("Ajax", "Thetis", "fouled")])
    state = sea([acting("Ajax", "trireme", "11,5/5")], [ship("Thetis", "trireme", "10,5/0")])

    assert why_not_ram(held, held.ships["Ajax"]) == "it is held by Thetis"
    assert complaints(state, "Ajax:\n  speed half\n  ram Thetis") == ["GA-VAL-16"]


@pytest.mark.rule("GA-RAM-2")
@pytest.mark.parametrize(
    ("at", "rams"),
    [("11,5/5", True), ("11,4/4", True), ("9,7/1", True), ("10,4/3", False), ("10,7/0", False), ("11,5/0", False)],
)
def test_the_bow_must_lie_in_a_flank_hex_and_point_at_the_target(at: str, *, rams: bool) -> None:
    table = Table(sea([ship("Ajax", "liburnian", at)], [ship("Thetis", "trireme", "10,5/0")]))

    assert bool(ram_routes(table, "Ajax", 0, 4)) is rams


@pytest.mark.rule("GA-RAM-2")
def test_a_ship_may_ram_from_where_it_started() -> None:
    state = sea([acting("Ajax", "trireme", "11,5/5")], [ship("Thetis", "trireme", "10,5/0", doctrines=QUIET)])

    found = acted(state, "Ajax", "Ajax:\n  speed full\n  ram Thetis", 4, 4, 1)

    # 8 + 3 - 2 + 1 midship - 1 short run.
    assert found.facts("ram", "total") == [{"total": 9}]
    assert found.ship("Ajax").spent == 0


@pytest.mark.rule("GA-RAM-3", "GA-RUL-12")
def test_a_rammer_turns_only_directly_behind_a_move_ahead() -> None:
    table = Table(sea([ship("Ajax", "liburnian", "12,6/5")], [ship("Thetis", "trireme", "10,5/0")]))

    found = {way.route.tokens for way in ram_routes(table, "Ajax", 6, 6)}

    assert found
    assert not any(tokens.startswith(("P", "S")) for tokens in found)
    assert not any(pair in tokens for tokens in found for pair in ("PP", "SS", "PS", "SP"))


@pytest.mark.rule("GA-RAM-3", "GA-RUL-12")
def test_a_watched_ram_is_lost_by_turning_on_the_spot() -> None:
    """S before the first F: the trireme ends in the ram position, but has not rowed as a rammer."""
    state = sea([acting("Ajax", "trireme", "12,5/4")], [ship("Thetis", "trireme", "10,5/0")])

    found = acted(state, "Ajax", "Ajax:\n  path S F1\n  ram Thetis")

    assert found.place("Ajax") == "11,5/5"
    assert found.reasons() == ["the path turned without moving ahead, or circled"]


@pytest.mark.rule("GA-RAM-4", "GA-RUL-13")
def test_no_circling() -> None:
    """A stern swing marks its hex; a later F may not enter it."""
    table = Table(sea([ship("Ajax", "trireme", "10,10/0")], [ship("Thetis", "trireme", "11,7/3")]))
    for way in ram_routes(table, "Ajax", 8, 8):
        q, r, facing = 10, 10, 0
        trodden = {(10, 10), (10, 11)}
        for token in way.route.tokens:
            if token == "F":
                q, r = q + ((0, 1, 1, 0, -1, -1)[facing]), r + ((-1, -1, 0, 1, 1, 0)[facing])
                assert (q, r) not in trodden
            else:
                facing = (facing + {"P": 5, "S": 1}[token]) % 6
            back = (facing + 3) % 6
            trodden |= {(q, r), (q + (0, 1, 1, 0, -1, -1)[back], r + (-1, -1, 0, 1, 1, 0)[back])}


@pytest.mark.rule("GA-RAM-5", "GA-RUL-14")
def test_a_ram_ends_the_movement_whatever_its_result() -> None:
    """Watched at the second token: the rest of the path is lost; 1 1 gives 2 + 3 - 2 + 1 = 4, no effect."""
    state = sea([acting("Ajax", "trireme", "13,5/5")], [ship("Thetis", "trireme", "10,5/0", doctrines=QUIET)])

    found = acted(state, "Ajax", "Ajax:\n  speed full\n  path F2 S F3\n  ram Thetis", 1, 1, 1)

    assert (found.place("Ajax"), found.ship("Ajax").spent) == ("11,5/5", 2)
    assert found.facts("ram", "total", "code") == [{"total": 4, "code": "N"}]


@pytest.mark.rule("GA-RAM-6")
@pytest.mark.parametrize(
    ("chance", "expected"),
    [
        (RamChance("Thetis", "stern/flank", Level.FULL, 2), 1),
        (RamChance("Thetis", "midship/flank", Level.FULL, 2), 2),
        (RamChance("Thetis", "stern/flank", Level.MAX, 2), 2),
        (RamChance("Thetis", "stern/flank", Level.CRUISE, 2), 0),
        (RamChance("Thetis", "stern/flank", Level.FULL, 1), 0),
        (RamChance("Thetis", "stern/flank", Level.FULL, 2, failed_rake=True), 0),
    ],
)
def test_what_is_added_to_a_ram(chance: RamChance, expected: int) -> None:
    """Ram 3 less hull 2 is 1."""
    assert total(ram_mods(laid(), "Ajax", chance)) == expected


@pytest.mark.rule("GA-RAM-6")
@pytest.mark.parametrize("theirs", [{"crippled": True}, {"rammed": True}])
def test_helpless_targets_and_good_crews(theirs: dict[str, object]) -> None:
    chance = RamChance("Thetis", "stern/flank", Level.FULL, 2)

    assert total(ram_mods(laid({"crew": 2}, theirs), "Ajax", chance)) == 4


@pytest.mark.rule("GA-RAM-6", "GA-RUL-1")
def test_the_ramming_table() -> None:
    codes = [band(TABLES.ram.bands, rolled) for rolled in range(1, 14)]

    assert codes == ["B", "B", "N", "N", "N", "C", "F", "RF", "RF", "R", "R", "S", "S"]


@pytest.mark.rule("GA-RAM-6")
@pytest.mark.parametrize(
    ("code", "fields", "link"),
    [
        ("N", {}, False),
        ("C", {"crippled": True}, False),
        ("F", {}, True),
        ("RF", {"rammed": True}, True),
        ("R", {"rammed": True}, False),
        ("S", {"status": "sunk"}, False),
    ],
)
def test_what_a_code_does(code: str, fields: dict[str, object], *, link: bool) -> None:
    table = laid()
    table.activation = "test"

    apply_ram(table, "Ajax", "Thetis", code)

    thetis = table.ships["Thetis"]
    expected = {"crippled": False, "rammed": False, "status": "afloat", **fields}
    assert {name: getattr(thetis, name) for name in expected} == expected
    assert table.is_held("Ajax") is link


@pytest.mark.rule("GA-RAM-6")
def test_a_broken_ram_is_gone() -> None:
    table = laid()

    apply_ram(table, "Ajax", "Thetis", "B")

    assert table.ships["Ajax"].ram == 0
    assert [event.kind for event in table.events] == ["ram_broken"]


@pytest.mark.rule("GA-RAM-7")
@pytest.mark.parametrize(
    ("before", "code", "crippled", "rammed", "status"),
    [
        ({"crippled": True}, "C", True, True, "afloat"),
        ({"rammed": True}, "C", True, True, "afloat"),
        ({"rammed": True, "crippled": True}, "C", True, True, "sunk"),
        ({"rammed": True}, "R", False, True, "sunk"),
        ({"rammed": True}, "RF", False, True, "sunk"),
    ],
)
def test_a_second_blow(before: dict[str, object], code: str, *, crippled: bool, rammed: bool, status: str) -> None:
    table = laid(theirs=before)

    apply_ram(table, "Ajax", "Thetis", code)

    thetis = table.ships["Thetis"]
    assert (thetis.crippled, thetis.rammed, thetis.status) == (crippled, rammed, status)
    assert table.links == {}


@pytest.mark.rule("GA-RAM-8")
def test_a_rammed_ship_may_still_fire_but_not_attack() -> None:
    state = sea([ship("Ajax", "trireme", "11,5/0", rammed=True)], [ship("Thetis", "trireme", "10,5/0")])

    assert complaints(state, "Ajax: ram Thetis") == ["GA-VAL-16"]
    assert complaints(state, "Ajax: grapple Thetis") == ["GA-VAL-20"]
    assert complaints(state, "Ajax: rake Thetis") == ["GA-VAL-14"]
    assert [fact["shooter"] for fact in acted(state, "Ajax", "Ajax: hold", 1, 1).facts("fire", "shooter")] == [
        "Ajax",
        "Thetis",
    ]


@pytest.mark.rule("GA-RAM-9")
def test_only_enemies_can_be_attacked() -> None:
    state = sea([acting("Ajax", "trireme", "10,10/0"), ship("Bias", "trireme", "11,7/3")])

    for verb in ("ram", "rake", "grapple"):
        assert complaints(state, f"Ajax: {verb} Bias") == ["GA-VAL-21"]
    assert acted(state, "Ajax").place("Ajax") == "10,10/0"
