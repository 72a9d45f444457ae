"""Section 7: every complaint, with its limit, the value and what is done instead; no letter ever raises."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.fleet_action.orders.verbs import VERBS
from tests.games.fleet_action.builders import (
    CENTAURI_AND_NARN,
    complaint,
    flight,
    play,
    problems,
    sheet,
    ship,
    situation,
    squadron,
)

FAR_NARN = squadron("Kha'Mak", "narn", "5555", "T'Loth-9")
STATE = situation(
    squadron(
        "Alpha",
        "earth",
        "2020",
        "Hyperion-1",
        "Hyperion-2",
        "Oracle-1",
        speed=6,
        abilities=["stubborn"],
        formation="box",
    ),
    squadron("Bravo", "earth", "3020", "Olympus-1", speed=4),
    squadron(
        "Kha'Mak",
        "narn",
        "2040",
        "G'Quan-1",
        "T'Loth-1",
        ship("Dag'Kar-1", weapon_left={"ion-torpedo": 0}),
        speed=6,
        formation="box",
    ),
    squadron("Na'Far", "narn", "3555", "T'Loth-2", "Sho'Kar-1", speed=6),
    turn=2,
    flights=[
        flight("Fury-1", "aurora", "Hyperion-1"),
        flight("Fury-2", "aurora", "Hyperion-2", "2022"),
        flight("Frazi-1", "frazi", "T'Loth-1", "2030"),
    ],
)

CASES = [
    ("FA-E-1", "earth", "Alpha: pathh F6", "pathh", "path"),
    ("FA-E-1", "earth", "Alpha: path F3 X3", "X3", ""),
    ("FA-E-1", "earth", "Alpha: fire all nearest", "at", "fire heavy-laser at nearest"),
    ("FA-E-2", "earth", "Alfa: speed +1", "Alfa", "Alpha"),
    ("FA-E-2", "earth", "speed +1", "no block", "Name:"),
    ("FA-E-2", "earth", "Kha'Mak: speed +1", "not yours", ""),
    ("FA-E-3", "earth", "Fury-2: path F6", "flight", ""),
    ("FA-E-3", "earth", "Alpha: standing speed +1", "cannot stand", ""),
    ("FA-E-4", "earth", "Alpha: speed +6", "limit is 5 (Hyperion-1)", "speed +5"),
    ("FA-E-4", "earth", "Alpha: speed +4 pulse 2", "limit is 3", "speed +3 pulse 2"),
    ("FA-E-5", "earth", "Alpha: speed -5", "limit is 4", "speed -4"),
    ("FA-E-5", "earth", "Bravo: speed -5", "cannot fall below 0", "speed -4"),
    ("FA-E-6", "earth", "Alpha: speed +1 pulse 4", "pulse 4", "pulse 1"),
    ("FA-E-7", "earth", "Alpha: path F7", "6 needed (2+2+2)", "speed 7"),
    ("FA-E-8", "earth", "Alpha: path F2 | F4", "1 bar", ""),
    ("FA-E-8", "earth", "Alpha: path F3 | F1 | F2", "pulse 1 needs 2 hexes, 3 given", ""),
    ("FA-E-9", "earth", "Alpha: path F1 P F2 P F3", "hard turn at speed 6", "turn (7)"),
    ("FA-E-10", "earth", "Alpha: path P4 F6", "P P P P", "at most 3 one way"),
    ("FA-E-10", "earth", "Bravo: path P F1 P F1 S F2", "P P S", "at most 3 one way"),
    ("FA-E-11", "earth", "Alpha: path slipP F2 slipS F2", "slipP and slipS", ""),
    ("FA-E-11", "earth", "Alpha: path slipP F2 P F3", "slipP and P", ""),
    ("FA-E-12", "earth", "Alpha: path F1 P S F5", "P and S", "P F S"),
    ("FA-E-13", "earth", "Alpha:\n speed +1\n path F3 P F4", "Hyperion-1 (capital)", "maintain course"),
    ("FA-E-14", "earth", "Bravo:\n speed +1\n path P F1 P F2 P F2", "come about", ""),
    ("FA-E-15", "earth", "Alpha: shift Hyperion-2 F3", "asked to shift 3; the allowance is 1", ""),
    ("FA-E-16", "earth", "Alpha: shift Hyperion-1 F1", "command ship", ""),
    ("FA-E-16", "earth", "Alpha: shift Olympus-1 F1", "Olympus-1", ""),
    ("FA-E-16", "earth", "Alpha:\n shift Hyperion-2 F1\n shift Oracle-1 F1", "second shift", ""),
    ("FA-E-17", "earth", "Alpha: target Bravo", "Bravo", ""),
    ("FA-E-17", "earth", "Hyperion-1: fire all at Hyperion-2", "Hyperion-2", ""),
    ("FA-E-18", "earth", "Hyperion-1: fire railgun at nearest", "heavy-laser", ""),
    ("FA-E-18", "narn", "Dag'Kar-1: fire ion-torpedo at nearest", "twin-array", ""),
    (
        "FA-E-20",
        "earth",
        "Hyperion-1:\n fire heavy-laser at G'Quan-1\n fire medium-pulse at T'Loth-1",
        "G'Quan-1 and at T'Loth-1",
        "",
    ),
    ("FA-E-21", "earth", "Alpha: target Na'Far\nHyperion-1: fire all at G'Quan-1", "Na'Far", "target Kha'Mak"),
    ("FA-E-22", "narn", "Kha'Mak: mines 5501 with G'Quan-1, Dag'Kar-1", "the range is 45", ""),
    ("FA-E-23", "earth", "Oracle-1: elint offensive 3", "has 2 ELINT level(s)", "2 level(s)"),
    ("FA-E-23", "earth", "Oracle-1:\n elint offensive 2\n elint jam-fc G'Quan-1", "2 used", ""),
    ("FA-E-23", "earth", "Oracle-1: elint jam-command T'Loth-1", "range of jam-command is 15", ""),
    ("FA-E-23", "earth", "Hyperion-1: elint offensive", "0 ELINT", ""),
    ("FA-E-24", "earth", "Fury-2: mission superiority 2020", "odd turns", "turn 3"),
    ("FA-E-25", "earth", "Fury-2: launch", "already flying", ""),
    ("FA-E-25", "earth", "Fury-1: mission strike Kha'Mak", "hangar", "launch"),
    ("FA-E-26", "earth", "Fury-1:\n launch\n mission escort Alpha station 5", "station 5", "station 4"),
    ("FA-E-26", "earth", "Fury-1:\n launch\n mission superiority 2020 radius 11", "limit is 10", "radius 10"),
    ("FA-E-27", "earth", "Bravo: stubborn no", "uses left: 0", ""),
    ("FA-E-27", "earth", "Bravo: absorb Hyperion-2", "uses left: 0", ""),
    ("FA-E-27", "earth", "use priority-support Oracle-1 for Bravo", "does not own", ""),
    ("FA-E-28", "earth", "Alpha: detach Hyperion-1", "command ship", ""),
    ("FA-E-29", "earth", "Hyperion-1: tractor T'Loth-1", "no tractor beam", ""),
    ("FA-E-30", "earth", "Alpha:\n speed +1\n speed +2", "twice", "speed +2"),
    ("FA-E-31", "earth", "Fury-1:\n launch\n mission superiority 9999", "columns 1-60", ""),
    ("FA-E-33", "earth", "Olympus-1: jump", "no jump engine", ""),
    ("FA-E-35", "earth", "turn 3\nAlpha: speed +1", "turn 3", "turn 2"),
    ("FA-E-36", "earth", "Hyperion-1: guard Olympus-1 2", "Olympus-1", ""),
    ("FA-E-36", "earth", "Hyperion-1: guard Hyperion-2 2", "2 levels, 0 left", "at most 0"),
    ("FA-E-37", "narn", "Kha'Mak: commander Dag'Kar-1", "cr 4", ""),
]


@pytest.mark.parametrize(
    ("rule", "side", "text", "reason", "hint"), CASES, ids=[f"{c[0]}-{n}" for n, c in enumerate(CASES)]
)
def test_every_complaint_names_what_is_wrong_and_what_would_do(rule, side, text, reason, hint):
    """One bad line, one complaint, with the limit in it."""
    found = [problem for problem in sheet(STATE, side, text).problems if problem.rule == rule]
    if rule == "FA-E-37":
        found = found or [complaint(_unfit(), side, text)]
    assert len(found) >= 1, sheet(STATE, side, text).problems
    assert reason in found[0].reason
    assert hint in found[0].hint
    assert found[0].instead


def _unfit():
    """Five ships that a cr of 4 cannot lead while a cr of 8 could."""
    ships = ["G'Quan-1", "T'Loth-1", "T'Loth-2", "T'Loth-3", "Dag'Kar-1"]
    return situation(
        squadron("Alpha", "earth", "0505", "Hyperion-1"),
        squadron("Kha'Mak", "narn", "2040", *ships, lost_commander_turn=1, formation="box"),
        turn=2,
    )


def test_e_19_32_34_38_39_have_their_own_chapters():
    """They are worked through with rate of fire, deployment, withdrawal and building."""
    covered = {case[0] for case in CASES}
    assert {f"FA-E-{n}" for n in range(1, 40)} - covered == {f"FA-E-{n}" for n in (19, 32, 34, 38, 39)}


def test_a_bad_line_never_costs_another():
    """Alpha's path is refused, its speed and Bravo's path stand."""
    found = sheet(STATE, "earth", "Alpha:\n speed +1\n path F99\nBravo: path F4\nGibberish\n")
    assert [problem.rule for problem in found.problems] == ["FA-E-7", "FA-E-1"]
    assert [entry.text for entry in found.accepted] == ["speed +1", "path F4"]


def test_e_30_the_last_counts():
    """speed +1, then speed +2: two is flown."""
    result = play(
        STATE, *[], earth="Alpha:\n hold\n speed +1\n speed +2\nBravo: hold", narn="Kha'Mak: hold\nNa'Far: hold"
    )
    assert next(s.speed for s in result.state.squadrons if s.name == "Alpha") == 8


def test_e_30_a_block_without_a_valid_line_is_not_good():
    """A later letter whose only line is refused does not replace an earlier block."""
    (block,) = sheet(STATE, "earth", "Alpha: path F99").blocks
    assert block.good is False


def test_e_36_two_guardians_on_one_ship():
    """The later guardian is dropped."""
    state = situation(
        squadron("Aquila", "centauri", "2020", "Primus-1", "Primus-2"),
        squadron("K", "narn", "5050", "T'Loth-1"),
        sides=CENTAURI_AND_NARN,
    )
    text = "Primus-1: guard Primus-1 2\nPrimus-2: guard Primus-1 1"
    assert problems(state, "centauri", text) == ["FA-E-36"]


@pytest.mark.rule("FA-DOC-4")
def test_e_18_a_line_without_a_weapon_that_works_is_complained_about_once():
    """One unknown weapon costs the line; beside a known one it is only left out."""
    state = situation(squadron("Alpha", "earth", "3030", "Hyperion-1"), FAR_NARN)
    assert problems(state, "earth", "Alpha: fire plasma at nearest") == ["FA-E-18"]
    told = complaint(state, "earth", "Alpha: fire plasma, heavy-laser at nearest")
    assert (told.rule, told.instead) == ("FA-E-18", "the weapon is ignored")


def test_the_example_letters_of_the_book_are_read():
    """Sections 6.5 and 6.6, as far as the units exist here."""
    text = """
turn 2
Fleet:
  sequence Bravo, Alpha
Alpha:                       # Hyperion squadron, speed 6
  speed -2 pulse 2           # 6,4,4 -> 2+2+1 hexes
  path F2 slipP F2           # maintain course, one slip
  shift Hyperion-2 FP1       # needs ceil(1/2) = 1
  target Kha'Mak
  fire primary at commander within long
Hyperion-1: damage particle-beam, medium-pulse
Oracle-1:
  elint offensive
  elint jam-fc T'Loth-1 G'Quan-1
Fury-1:
  launch pulse 1 FS
  mission escort Alpha station 2
"""
    assert sheet(STATE, "earth", text).problems == ()


@given(
    st.lists(
        st.sampled_from(
            [
                *VERBS,
                "Alpha:",
                "Fury-1:",
                "Hyperion-1:",
                "at",
                "nearest",
                "pulse",
                "1",
                "2020",
                "F3",
                "P",
                ",",
                "|",
                "all",
                "Kha'Mak",
                "speed +2",
                "standing",
                "no",
                "(",
                "-5",
                "é",
            ]
        ),
        max_size=9,
    )
)
@settings(max_examples=150, deadline=None)
def test_reading_never_raises(words):
    """Whatever is written, the answer is a sheet."""
    for text in (" ".join(words), "\n".join(words)):
        assert sheet(STATE, "earth", text) is not None


@pytest.mark.parametrize(
    ("side", "text", "weight"),
    [
        ("earth", "Alpha: speed +6", "refused"),
        ("earth", "Alpha:\n speed +1\n speed +2", "refused"),
        ("earth", "Alpha: speed +1 pulse 4", "changed"),
        ("earth", "Alpha: standing speed +1", "changed"),
        ("earth", "Oracle-1: elint offensive 3", "changed"),
        ("earth", "Hyperion-1:\n fire heavy-laser at G'Quan-1\n fire medium-pulse at T'Loth-1", "changed"),
        ("earth", "Hyperion-1: guard Hyperion-2 2", "changed"),
        ("earth", "Hyperion-1: tractor T'Loth-1", "note"),
    ],
)
def test_a_complaint_says_what_it_costs(side, text, weight):
    """Nothing of the line stands, something else stands, or it stands as written."""
    assert complaint(STATE, side, text).weight == weight


def test_remarks_about_a_line_that_is_refused_go_with_it():
    """Pulse 7 would be read as 1, but the line is refused for what follows."""
    assert problems(STATE, "earth", "Alpha: speed +1 pulse 7 now") == ["FA-E-1"]
