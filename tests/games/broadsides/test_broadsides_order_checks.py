"""Section 7: every validation case, with what its message must name."""

from __future__ import annotations

import pytest

from games.broadsides import GAME
from games.broadsides.orders.reading import settled
from games.broadsides.orders.records import Order
from games.broadsides.state import State
from pbem.kit.sheet import Sheet
from tests.games.broadsides.builders import FAR, problem, rules_broken, state_of, unit
from tests.games.broadsides.builders import complaint_state as base_state

ALL = {
    "asteroids": True,
    "atmosphere": True,
    "boarding": True,
    "hyperspace": True,
    "missile_mix": "open",
}


@pytest.fixture
def state() -> State:
    return base_state(switches=ALL)


CASES = [
    ("BR-VAL-1", "Ajaks:", "no unit called 'Ajaks'"),
    ("BR-VAL-1", "Karn:", "not yours"),
    ("BR-VAL-1", "Dead: path F6", "Dead is destroyed"),
    ("BR-VAL-1", "Gold: path F6", "in the hangar of Resolute"),
    ("BR-VAL-1", "Deep: hold all", "in hyperspace"),
    ("BR-VAL-2", "Ajax: dance", "no order called 'dance'"),
    ("BR-VAL-2", "Ajax: path X3", "cannot be read"),
    ("BR-VAL-3", "Ajax: speed +6", "needs 12 thrust, available are 10; the largest legal change is +5"),
    ("BR-VAL-4", "Weak: path F3 P F3 P", "costs 3 thrust; with the 3 spent before that is 6, available are 5"),
    ("BR-VAL-5", "Ajax: path F1 P F5", "needs 3 hexes (3 base), 1 are served; the first legal hex is 3"),
    ("BR-VAL-6", "Ajax: path DP F5 P F1", "makes hex 4 the latest"),
    ("BR-VAL-7", "Turner: speed +1", "2 hexes are still to serve"),
    ("BR-VAL-8", "Bold: speed +1", "facing 1 and heading 0: facing 0 is needed"),
    ("BR-VAL-9", "Ajax: path F4", "4 hexes long, the speed is 6"),
    ("BR-VAL-10", "Ajax:\n slide port 1\n path F6", "holds 0 slide steps, the slide is port 1"),
    ("BR-VAL-10", "Ajax: slide port 4", "at most 3"),
    ("BR-VAL-11", "Ajax: pivot port 4", "1 to 3 are possible"),
    ("BR-VAL-11", "Turner: pivot port 1", "2 hexes to serve"),
    ("BR-VAL-12", "Ajax: path F2 RP1 F4", "only agile ships"),
    ("BR-VAL-12", "Ajax: snaproll yes", "not agile"),
    ("BR-VAL-13", "Ajax: path DP F2 DS F4", "in progress with 1 hexes to serve"),
    ("BR-VAL-14", "Rocky: path F2", "hex 2 of the path, (20,-2), is a large asteroid"),
    ("BR-VAL-15", "Resolute: divert SPB1 to HL1", "SPB1 is small (p 1, t 1)"),
    ("BR-VAL-16", "Gorger: battery PB1 to HPL1 20", "stores 12, asked are 20"),
    ("BR-VAL-17", "Ajax: fire ZZ9 at Karn", "no mount 'ZZ9'"),
    ("BR-VAL-17", "Resolute: fire HL3 at Karn", "HL3 is charged 6 of 24, ready in turn 5"),
    ("BR-VAL-18", "Resolute: ballistic MR1 heavy at Karn", "MR1 has 0 heavy missiles, it holds 12 standard"),
    ("BR-VAL-18", "Resolute: ballistic MR1 at Far", "at distance 50, the range of MR1 is 30"),
    ("BR-VAL-19", "Ajax: fire HP1 at Karn piercing", "piercing strength"),
    ("BR-VAL-19", "Ajax: fire CL1 at Tuk called port", "Tuk has no side 'port'"),
    ("BR-VAL-19", "Ajax: fire CL1 at Karn split 2", "light pulse"),
    ("BR-VAL-19", "Ajax: fire CL1 at Karn shift port", "gravitic shifters"),
    ("BR-VAL-20", "Ajax: fire CL1 at Bold", "your own side"),
    ("BR-VAL-20", "Ajax: fire CL1 at Nobody", "no unit called 'Nobody'"),
    ("BR-VAL-21", "Sentry: hold all", "program 'best-chance' is in force"),
    ("BR-VAL-22", "Red:\n attack Karn\n intercept", "I after A"),
    ("BR-VAL-22", "Red: attack Claw", "Claw is a flight"),
    ("BR-VAL-22", "Red: defend Karn", "Karn is a ship"),
    ("BR-VAL-22", "Red: launch from Resolute", "no berth"),
    ("BR-VAL-23", "Resolute: board Tuk side fore", "size Medium"),
    ("BR-VAL-24", "Ajax: offset 1,0", "for ships in hyperspace; Ajax is on-map"),
    ("BR-VAL-24", "Ajax: jump out", "no working jump engine"),
    ("BR-VAL-26", "Ajax: intercept CL1", "the intercept value 0"),
    ("BR-VAL-26", "Resolute: clear MR1", "not a gun"),
    ("BR-VAL-27", "Red:\n chase Karn\n path F8", "exclude each other"),
    ("BR-VAL-27", "Ajax: alt within 3 of Karn path F6", "without a main path"),
    ("BR-VAL-29", "Ajax: hold below -1", "below 0"),
    ("BR-VAL-29", "Ajax:\n path F6\n alt within -2 of Karn path F6", "below 0"),
    ("BR-VAL-29", "jump-in 0,0 facing 6", "directions are 0 to 5"),
]


@pytest.mark.rule(*sorted({rule for rule, _, _ in CASES}))
@pytest.mark.parametrize(("rule", "text", "named"), CASES, ids=[f"{rule} {text[:30]!r}" for rule, text, _ in CASES])
def test_illegal_orders_are_refused_by_name(state: State, rule: str, text: str, named: str) -> None:
    found = problem(state, "EA", text)

    assert (found.rule, named in found.reason) == (rule, True), found.reason
    assert found.instead


@pytest.mark.rule("BR-VAL-28")
def test_areas_that_are_switched_off():
    state = state_of(unit("EA", "Resolute", "Resolute", (0, 0)), unit("Narn", "Karn", "Karn-Tal", (0, -9)), turn=2)

    for text in ("board Karn side aft", "clear SPB1", "jump out"):
        assert rules_broken(state, "EA", f"Resolute: {text}") == ["BR-VAL-28"]
    sheet = GAME.read_orders(state, "EA", "Resolute: ballistic MR1 heavy at Karn")
    assert [(one.rule, one.instead) for one in sheet.problems] == [("BR-VAL-28", "a standard missile is launched")]
    assert len(sheet.orders) == 1


@pytest.mark.rule("BR-VAL-25")
def test_upgrades_above_the_years_limit():
    setup = state_of(unit("EA", "Ajax", "Lance"), turn=0, year=2240, start_speed=5, switches={"escort_rule": False})

    assert "EA may have 0 in 2240" in problem(setup, "EA", "Ajax: upgrade sensors 1").reason
    assert "from 2261 on" in problem(setup, "EA", "Ajax: upgrade jammer").reason


def test_one_bad_line_never_costs_another(state: State) -> None:
    sheet = GAME.read_orders(state, "EA", "Ajax:\n dance\n path F3 P F3\n fire CL1 at Nobody\n roll")

    assert [type(order).__name__ for order in sheet.orders] == ["Path", "FireAt", "RollOver"]
    assert [found.line for found in sheet.problems] == [2, 4]


def test_a_letter_for_another_turn_is_refused(state: State) -> None:
    sheet = GAME.read_orders(state, "EA", "turn 9\nAjax: path F6")

    assert (sheet.orders, sheet.problems[0].instead) == ((), "the whole letter is refused")


def test_silence_is_spelt_out(state: State) -> None:
    said = GAME.read_orders(state, "EA", "Ajax: path F6").defaults

    assert any(text.startswith("Bold flies straight on") for text in said)
    assert not any(text.startswith("Ajax") for text in said)
    assert "Gold stays in its hangar." in said


@pytest.mark.parametrize(
    "text",
    [
        "Fleet: firing Resolute, Ajax\nResolute:\n speed +1\n path F6 DS F1\n divert HL2 to HL1",
        "Resolute:\n fire HL1,HL2 at Karn else best-chance over 10\n fire MP* at nearest\n intercept max 3",
        "Red:\n chase Karn\n attack Karn side port\n breakoff fighters 6",
        "Ajax:\n pivot port 1\n path F6\n fire CL1 at Karn called fore\n take CL2, CL1",
        "Gold:\n launch from Resolute\n chase Karn",
        "Dover:\n path F5 S F1 RP1\n snaproll away\n fire all at best-chance over 10\n hold light",
        "Resolute: board Karn side aft\nFleet: troops spread\njump-in 0,0 facing 3\nDeep: offset 1,0",
    ],
)
def test_the_books_kind_of_orders_read_without_a_problem(state: State, text: str) -> None:
    problems = GAME.read_orders(state, "EA", text).problems

    assert [one for one in problems if one.rule != "BR-VAL-17"] == []


@pytest.mark.rule("BR-VAL-14")
def test_a_way_around_forbidden_ground_is_offered():
    """Rocky, speed 2, the rock two hexes ahead: a turn after one hex of delay is the nearest legal plot."""
    state = base_state(switches=ALL)

    found = problem(state, "EA", "Rocky: path F2")

    assert found.hint.startswith("path F1 ")
    assert rules_broken(state, "EA", f"Rocky: {found.hint}") == []


@pytest.mark.rule("BR-WPN-9", "BR-MOV-3", "BR-SEQ-1")
def test_orders_are_judged_by_the_thrust_after_r1():
    """A thruster off through turn 1 works again in turn 2: all ten thrust of a Lance accelerate it by 5."""
    ended = state_of(unit("EA", "Ajax", "Lance", (0, 0), speed=6, deactivated={"thruster-fore": 1}), FAR)
    lasting = state_of(unit("EA", "Ajax", "Lance", (0, 0), speed=6, deactivated={"thruster-fore": 2}), FAR)

    assert rules_broken(ended, "EA", "Ajax: speed +5") == []
    assert rules_broken(lasting, "EA", "Ajax: speed +5") == ["BR-VAL-3"]


@pytest.mark.rule("BR-FTR-1")
def test_a_second_attack_line_replaces_the_first_but_another_letter_does_not():
    state = state_of(
        unit("EA", "Red", "Kestrel", (0, 0)), unit("Narn", "Vash", "Dro-Vash", (0, -9)), unit("Narn", "Tuk", "Talon")
    )

    assert rules_broken(state, "EA", "Red:\n  attack Vash\n  attack Tuk") == []
    assert rules_broken(state, "EA", "Red:\n  attack Vash\n  intercept") == ["BR-VAL-22"]


# --- what stands -----------------------------------------------------------------------------------------------------


def weights(sheet: Sheet[Order]) -> list[tuple[str, str]]:
    """What each problem is about, and how much it costs."""
    return [(found.rule, found.weight) for found in sheet.problems]


@pytest.mark.rule("BR-VAL-15", "BR-VAL-23", "BR-VAL-24")
@pytest.mark.parametrize(
    "text", ["Resolute: divert SPB1 to HL1", "Resolute: board Tuk side fore", "Ajax: jump out", "Gold: path F6"]
)
def test_nothing_of_a_refused_line_stands(state: State, text: str) -> None:
    sheet = GAME.read_orders(state, "EA", text)

    assert [weight for _, weight in weights(sheet)] == ["refused"]
    assert (sheet.orders, sheet.blocks[0].good) == ((), False)


@pytest.mark.rule("BR-VAL-9", "BR-VAL-16", "BR-VAL-17", "BR-VAL-19", "BR-VAL-20")
@pytest.mark.parametrize(
    "text",
    [
        "Ajax: path F4",
        "Gorger: battery PB1 to HPL1 20",
        "Resolute: fire HL1,HL3 at Karn",
        "Ajax: fire HP1 at Karn piercing",
        "Ajax: fire CL1 at Nobody",
    ],
)
def test_a_line_that_is_changed_still_stands(state: State, text: str) -> None:
    sheet = GAME.read_orders(state, "EA", text)

    assert [weight for _, weight in weights(sheet)] == ["changed"]
    assert len(sheet.orders) == 1


@pytest.mark.rule("BR-VAL-17")
def test_a_fire_line_without_a_ready_mount_is_refused(state: State) -> None:
    sheet = GAME.read_orders(state, "EA", "Resolute:\n  fire HL3 at Karn\n  roll")

    assert weights(sheet) == [("BR-VAL-17", "refused")]
    assert [type(order).__name__ for order in sheet.orders] == ["RollOver"]


@pytest.mark.rule("BR-VAL-17", "BR-PWR-5", "BR-DMG-7")
@pytest.mark.parametrize(("charge", "turn"), [(0, 5), (6, 4), (18, 3), (24, 3)])
def test_a_cooling_weapon_names_the_turn_it_really_fires_in(charge: int, turn: int) -> None:
    """A heavy laser gains 6 of 24 a turn, in the turn it cools as well, and must rest that turn in any case."""
    laser = {"HL1": {"charge": charge, "cooling": True}}
    state = state_of(unit("EA", "Resolute", "Resolute", (0, 9), weapon=laser), FAR)

    assert problem(state, "EA", "Resolute: fire HL1 at Far").reason == f"HL1 is cooling, ready in turn {turn}"


@pytest.mark.rule("BR-VAL-18")
def test_a_launch_that_cannot_stand_replaces_the_earlier_one_all_the_same(state: State) -> None:
    sheet = GAME.read_orders(state, "EA", "Resolute:\n  ballistic MR1 at Karn\n  ballistic MR1 at Far")

    assert weights(sheet) == [("BR-VAL-18", "refused")]
    assert sheet.orders == ()


@pytest.mark.rule("BR-VAL-1")
def test_orders_of_the_side_count_under_the_name_of_a_flight_in_its_hangar(state: State) -> None:
    sheet = GAME.read_orders(state, "EA", "Gold:\n  firing Ajax, Bold\n  troops spread")

    assert (sheet.problems, len(sheet.orders)) == ((), 2)


@pytest.mark.rule("BR-SEQ-3", "BR-VAL-17")
def test_a_refused_fire_line_still_takes_the_place_of_the_first_e_mails():
    """Nothing of the second letter stands, as HL1 is not ready; the first one's lines of this kind do not come back."""
    state = state_of(
        unit("EA", "Resolute", "Resolute", (0, 10), weapon={"HL1": {"charge": 0}}),
        unit("Narn", "Karn", "Karn-Tal", (0, -9), heading=3),
        phase="fire",
        standing={"EA": "Resolute: hold all"},
    )

    sheet = GAME.read_orders(state, "EA", "Resolute: fire HL1 at Karn")

    assert (sheet.orders, weights(sheet)) == ((), [("BR-VAL-17", "refused")])
    assert settled(state, "EA", sheet).units == {}
    assert settled(state, "EA", Sheet()).units["Resolute"].lines == (("all",),)


@pytest.mark.rule("BR-SEQ-3", "BR-VAL-22")
def test_a_fire_letter_is_not_blamed_for_lines_of_the_first():
    """Red launched in R5 as the first e-mail said; a second launch comes too late."""
    state = state_of(
        unit("EA", "Resolute", "Resolute", (0, 9)),
        unit("EA", "Red", "Kestrel", (0, 9), carrier="Resolute", order="L"),
        unit("Narn", "Foe", "Lance", (0, -9)),
        phase="fire",
        standing={"EA": "Red: launch from Resolute"},
    )

    assert GAME.read_orders(state, "EA", "Resolute: hold all").problems == ()
    again = problem(state, "EA", "Red: launch from Resolute")
    assert (again.rule, "too late" in again.reason) == ("BR-VAL-22", True)
