"""Section 4.13: the anastrophe."""

from __future__ import annotations

from typing import Any

import pytest

from games.galleys.rules.anastrophe import start_lane, turned_round
from games.galleys.rules.geometry import Hull
from games.galleys.state import State
from pbem.kit.hexgrid import Hex
from tests.games.galleys.builders import acted, acting, complaint, complaints, sea, ship

QUIET = {"react": "none", "avoid": "none"}
ORDERS = "Paralos:\n  speed max\n  anastrophe Thetis"
THETIS = Hull(Hex(10, 5), 0, large=True)


def bows(at: str = "11,3/3", *others: dict[str, Any], klass: str = "trireme-elite", **mine: Any) -> State:
    thetis = ship("Thetis", "cataphract", "10,5/0", doctrines=QUIET)
    return sea([acting("Paralos", klass, at, **mine)], [thetis, *others])


TETHYS = ship("Tethys", "cataphract", "8,6/0", doctrines=QUIET)


@pytest.mark.rule("GA-ANA-1", "GA-RUL-39")
@pytest.mark.parametrize(
    ("klass", "fields", "orders", "reason"),
    [
        ("trireme", {}, ORDERS, "it has no star"),
        ("trireme-elite", {}, "Paralos:\n  speed full\n  anastrophe Thetis", "its level is full, not max"),
        ("trireme-elite", {"ram": 0}, ORDERS, "its ram rating is 0"),
        ("trireme-elite", {}, f"{ORDERS}\n  path F1", "it cannot be combined with a path"),
        ("trireme-elite", {}, f"{ORDERS}\n  disengage", "it cannot be combined with disengage"),
    ],
)
def test_who_may_attempt_it(klass: str, fields: dict[str, Any], orders: str, reason: str) -> None:
    found = complaint(bows(klass=klass, **fields), orders, "GA-VAL-19")

    assert found.reason == f"Paralos: {reason}"


@pytest.mark.rule("GA-ANA-1")
def test_a_tired_crew_cannot() -> None:
    assert complaints(bows(fatigue=1), ORDERS) == ["GA-VAL-9", "GA-VAL-19"]


@pytest.mark.rule("GA-ANA-2", "GA-RUL-20", "GA-RUL-21", "GA-RUL-40")
@pytest.mark.parametrize(
    ("bow", "lane"),
    [
        ((10, 4), "pass-through"),
        ((10, 3), "pass-through"),
        ((11, 4), "starboard"),
        ((11, 3), "starboard"),
        ((9, 5), "port"),
        ((9, 4), "port"),
        ((11, 2), None),
        ((12, 3), None),
    ],
)
def test_the_six_start_hexes(bow: tuple[int, int], lane: str | None) -> None:
    found = start_lane(Hull(Hex(*bow), 3, large=True), THETIS)

    assert (found[0] if found else None) == lane
    assert start_lane(Hull(Hex(*bow), 2, large=True), THETIS) is None


@pytest.mark.rule("GA-ANA-3")
def test_movement_points_are_not_counted_and_all_are_spent() -> None:
    """Rake 4 4 + 1 + 1 = 10 cripples; ram 1 1 + 3 - 3 + 1 max + 1 helpless = 4: no effect; fatigue 1 counts as 1."""
    found = acted(bows(), "Paralos", ORDERS, 4, 4, 1, 1, 1)

    assert (found.place("Paralos"), found.ship("Paralos").spent) == ("9,7/1", 7)


@pytest.mark.rule("GA-ANA-3")
def test_a_ship_in_the_lane_forbids_it() -> None:
    found = acted(bows("11,3/3", ship("Rock", "lembos", "11,5/0")), "Paralos", ORDERS, 1)

    assert found.reasons() == ["the lane along Thetis is not clear"]


@pytest.mark.rule("GA-ANA-4")
@pytest.mark.parametrize("at", ["10,7/0", "9,7/0", "11,6/0", "8,8/0"])
def test_the_water_astern_must_be_clear(at: str) -> None:
    found = acted(bows("11,3/3", ship("Rock", "lembos", at)), "Paralos", ORDERS, 1)

    assert found.reasons() == ["the water astern of Thetis is not clear"]
    assert found.place("Paralos") == "11,3/3"


@pytest.mark.rule("GA-ANA-5", "GA-RUL-22")
def test_a_raker_who_cripples_herself_stays_in_the_rake_hex() -> None:
    """Crew -1: 1 1 + 1 + 1 - 1 = 3, X; no turn, no ram; fatigue is still rolled on 7A."""
    found = acted(bows(crew=-1), "Paralos", ORDERS, 1, 1, 1)

    assert (found.place("Paralos"), found.ship("Paralos").crippled) == ("11,5/3", True)
    assert found.events("ram") == []
    assert found.ship("Paralos").fatigue == 1


@pytest.mark.rule("GA-ANA-6", "GA-RUL-23")
def test_the_ship_turns_round_to_the_other_side() -> None:
    mover = Hull(Hex(11, 3), 3, large=True)

    assert turned_round(THETIS, "port", mover) == Hull(Hex(9, 7), 1, large=True)
    assert turned_round(THETIS, "starboard", mover) == Hull(Hex(11, 6), 5, large=True)
    assert turned_round(Hull(Hex(10, 5), 0, large=False), "port", mover).bow == Hex(9, 6)


@pytest.mark.rule("GA-ANA-6", "GA-RUL-23")
@pytest.mark.parametrize(("word", "place"), [("", "11,6/5"), ("starboard", "11,6/5"), ("port", "9,7/1")])
def test_after_a_pass_through_the_side_is_the_one_ordered(word: str, place: str) -> None:
    """The neighbour of the line stands to port for a turn to starboard, and to starboard for one to port."""
    other = ship("Tethys", "cataphract", "8,6/0" if word != "port" else "12,4/0", doctrines=QUIET)

    found = acted(bows("10,3/3", other), "Paralos", f"{ORDERS} {word}", 4, 4, 1, 1, 1)

    assert found.place("Paralos") == place
    assert found.facts("anastrophe", "lane") == [{"lane": "pass-through"}]


@pytest.mark.rule("GA-ANA-7")
def test_the_ram_counts_a_full_run_and_suffers_from_a_failed_rake() -> None:
    """Rake 2 2 + 2 = 6: N. Ram 3 - 3 + 1 max - 1 = 0."""
    found = acted(bows(), "Paralos", ORDERS, 2, 2, 5, 5, 1)

    (ram,) = found.events("ram")
    assert ram.facts["mods"] == [["ram", 3], ["hull", -3], ["maximum", 1], ["failed rake", -1]]
    assert ram.facts["total"] == 10


@pytest.mark.rule("GA-ANA-7")
def test_the_target_avoids_both_halves_but_reacts_once() -> None:
    """Reaction 1, avoidance 6 (avoided), avoidance 5 - 1 = 4 (partial), ram 6 6 + 0 - 2, fatigue 1."""
    thetis = ship("Thetis", "cataphract", "10,5/0")
    state = sea([acting("Paralos", "trireme-elite", "11,3/3")], [thetis])

    found = acted(state, "Paralos", ORDERS, 1, 6, 5, 6, 6, 1)

    assert found.facts("avoidance", "attempt", "result") == [
        {"attempt": "rake", "result": "avoided"},
        {"attempt": "ram", "result": "partial"},
    ]
    assert found.facts("ram", "total") == [{"total": 10}]


@pytest.mark.rule("GA-ANA-8", "GA-FAT-3", "GA-RUL-24")
def test_fatigue_is_at_least_one_on_row_7a() -> None:
    found = acted(bows(crew=2), "Paralos", ORDERS, 2, 2, 2, 2, 1)

    assert found.facts("fatigue", "row", "gained")[0] == {"row": "7A", "gained": 1}


@pytest.mark.rule("GA-ANA-8", "GA-ANA-4")
def test_a_refused_manoeuvre_rolls_as_any_ship_at_maximum() -> None:
    found = acted(bows("11,2/3"), "Paralos", ORDERS, 1)

    assert found.facts("fatigue", "row")[0] == {"row": "4"}
    assert found.facts("anastrophe", "refused_reason") == [
        {"refused_reason": "Paralos does not lie before the bow of Thetis, facing it"}
    ]
    assert found.ship("Paralos").spent == 0


@pytest.mark.rule("GA-ANA-3", "GA-PAS-1")
def test_the_pass_through_lane_needs_a_line_abreast() -> None:
    assert acted(bows("10,3/3"), "Paralos", ORDERS, 1).reasons() == ["Thetis is not in line abreast"]


@pytest.mark.rule("GA-ANA-4")
def test_the_pass_through_lane_needs_room_beyond() -> None:
    found = acted(bows("10,3/3", TETHYS, ship("Rock", "lembos", "10,8/0")), "Paralos", ORDERS, 1)

    assert found.reasons() == ["there is no room beyond Thetis"]


@pytest.mark.rule("GA-ANA-1")
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"debt": 9}, "it has no MP left"),
        ({"fatigue": 1}, "the level is cruise, not max"),
        ({"star": False}, "no star"),
    ],
)
def test_what_happens_meanwhile_may_forbid_it(change: dict[str, object], reason: str) -> None:
    faces = () if "fatigue" in change else (1,)

    (found,) = acted(bows(), "Paralos", ORDERS, *faces, meanwhile={"Paralos": change}).reasons()

    assert reason in found


@pytest.mark.rule("GA-ANA-3", "GA-ANA-6", "GA-ANA-7")
def test_anastrophe_through_a_small_ship_to_the_side_ordered() -> None:
    """From B+d, abreast with Wasp: rake 7 + 1 crew + 1 head-on + 1 max = 10, C; round to port; no second avoidance;
    ram 2 + 3 - 1 hull + 1 crew + 1 max + 1 helpless = 7: fouled. Fatigue 7A: 3 - 1 = 2, one level."""
    state = sea(
        [acting("Paralos", "trireme-elite", "10,4/3", crew=1)],
        [ship("Lark", "liburnian", "10,5/0"), ship("Wasp", "liburnian", "11,4/0")],
    )

    found = acted(state, "Paralos", "Paralos:\n speed max\n anastrophe Lark port", 2, 3, 4, 1, 1, 3)

    paralos, lark = found.ship("Paralos"), found.ship("Lark")
    assert found.place("Paralos") == "9,6/1"
    assert (paralos.spent, paralos.fatigue, paralos.ram_used) == (7, 1, True)
    assert (lark.crippled, lark.rammed, lark.avoid_count) == (True, False, 1)
    assert found.links() == [(("Paralos", "Lark"), "fouled")]


@pytest.mark.rule("GA-ANA-7", "GA-FIR-1", "GA-ORD-13")
def test_a_ship_set_alight_by_the_answer_to_its_rake_turns_about_but_does_not_ram() -> None:
    """Flame in reaction: 5 + 1 for 4 points = 6, Paralos burns. Avoidance 1 fails. Rake 3 + 2 + 1 + 1 = 7: N."""
    state = sea(
        [acting("Paralos", "trireme-elite", "11,3/3", crew=2)],
        [ship("Apama", "hepteres", "10,5/0", flame=True)],
        flame_missiles=True,
    )

    found = acted(state, "Paralos", "Paralos:\n speed max\n anastrophe Apama", 5, 1, 1, 2, 2)

    paralos = found.ship("Paralos")
    assert found.place("Paralos") == "9,7/1"
    assert (paralos.fire, paralos.ram_used, paralos.fatigue) == (1, False, 1)
    assert found.events("ram") == []
