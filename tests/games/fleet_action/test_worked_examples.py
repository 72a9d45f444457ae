"""Section 11: every worked example, from its situation file or beside it, with the dice written out."""

from __future__ import annotations

import pytest

from games.fleet_action.data import Manoeuvre
from games.fleet_action.rules import abilities, ballistics, damage, elint, fire, morale, plotting, sequence, weapons
from games.fleet_action.rules.geometry import written_offset
from games.fleet_action.rules.shots import Shot
from games.fleet_action.state import State
from games.fleet_action.table import Table
from pbem.kit.dice import LoadedDice
from pbem.kit.hexgrid import name
from tests.games.fleet_action.builders import (
    CENTAURI_AND_NARN,
    EARTH_AND_MINBARI,
    Sides,
    aim_at,
    at,
    battle,
    complaint,
    events,
    headings,
    places,
    play,
    problems,
    sheet,
    ship,
    situation,
    squadron,
    the_flight,
    the_ship,
    the_squadron,
    tried,
    weapon_left,
)

FAR_EARTH = squadron("Alpha", "earth", "0505", "Hyperion-9", heading=4)
FAR_NARN = squadron("Kha'Mak", "narn", "5555", "T'Loth-9")


def thentus(speed: int, heading: int = 1) -> State:
    return situation(FAR_EARTH, squadron("Du'Rog", "narn", "3030", "Thentus-1", heading=heading, speed=speed))


@pytest.mark.rule("FA-MOV-1", "FA-MOV-5", "FA-MOV-6")
def test_v_1_late_acceleration():
    """Speed +4 in pulse 2 is legal (6-2): 2, 4 and 3 hexes; +5 is not, in pulse 3 the limit is 2."""
    result = tried("fa-v-1")

    assert [len(event.facts["hexes"]) - 1 for event in events(result, "move")] == [2, 4, 3]
    assert the_squadron(result.state, "Du'Rog").speed == 10
    refused = complaint(thentus(6), "narn", "Du'Rog: speed +5 pulse 2")
    assert (refused.rule, "limit is 4" in refused.reason) == ("FA-E-4", True)
    late = play(thentus(6), narn="Du'Rog:\n speed +2 pulse 3\n path F7")
    assert [len(event.facts["hexes"]) - 1 for event in events(late, "move")] == [2, 2, 3]


@pytest.mark.rule("FA-MOV-3")
def test_v_2_deceleration_first():
    """Speed 12 to 11: 4, 3 and 4 hexes; -7 is beyond the limit of 6."""
    result = tried("fa-v-2")

    assert [len(event.facts["hexes"]) - 1 for event in events(result, "move")] == [4, 3, 4]
    refused = complaint(thentus(12), "narn", "Du'Rog: speed -7")
    assert (refused.rule, "limit is 6" in refused.reason) == ("FA-E-5", True)


@pytest.mark.rule("FA-WPN-9")
def test_v_3_ballistic_delay():
    """Range 21 from turn 1 pulse 1: impact in turn 2 pulse 1."""
    result = tried("fa-v-3")

    (salvo,) = result.state.salvos
    assert (salvo.launch, salvo.impact) == (1, 4)
    assert [ballistics.delay(far) for far in (0, 1, 15, 16, 30, 31)] == [1, 2, 2, 3, 3, 4]


@pytest.mark.rule("FA-SEQ-4")
def test_v_4_interleaving():
    """A 4, B 6: A BB A B A BB A B; B first: B A BB A B A BB A."""
    result = tried("fa-v-4")
    order = [e.facts["squadron"][0] for e in events(result, "move") if e.facts["pulse"] == 1]

    assert "".join(order) == "ABBABABBAB"
    assert "".join(sequence.interleaved({"b": "BBBBBB", "a": "AAAA"})) == "BABBABABBA"
    assert "".join(sequence.interleaved({"a": "AAA", "b": "BBBBBB"})) == "ABBABBABB"


@pytest.mark.rule("FA-FIRE-9")
def test_v_5_rate_of_fire():
    """Fired at index 6: refused at 7, ready in pulse 2 (8), then not in pulse 3."""
    result = tried("fa-v-5")

    (refused,) = result.sheets["earth"].problems
    assert (refused.rule, "ready pulse 2" in refused.reason) == ("FA-E-19", True)
    assert [event.facts["pulse"] for event in events(result, "fire")] == [2]


@pytest.mark.rule("FA-ABL-1", "FA-ABL-3")
def test_v_6_abilities():
    """cr 3: one, cr 7: one, cr 8: two; a network on cr 6 gives 8 for 150 points, so seven ships can be led."""
    assert [abilities.most_abilities(cr) for cr in (3, 7, 8)] == [1, 1, 2]
    assert (abilities.improved_cr(6), abilities.cost("improved-command-network", 6)) == (8, 150)
    alpha = the_squadron(tried("fa-v-6").state, "Alpha")
    assert len(alpha.ships) == 6


@pytest.mark.rule("FA-CMD-11", "FA-CMD-12")
def test_v_7_multipliers():
    """x4 flagless and without commander: 2 dice; x4 halved 2; x1 with both 1; x3 halved 2."""
    (shot,) = events(tried("fa-v-7"), "fire")

    assert shot.facts["x"] == 2
    both = weapons.HALF * weapons.THREE_QUARTERS
    assert [weapons.lessened(*case) for case in ((4, weapons.HALF), (4, both), (1, both), (3, weapons.HALF))] == [
        2,
        2,
        1,
        2,
    ]


@pytest.mark.rule("FA-MAP-9", "FA-FIRE-3", "FA-FIRE-4", "FA-FIRE-5", "FA-FIRE-7", "FA-FIRE-8", "FA-DMG-1", "FA-DMG-3")
def test_v_8_laser_fire():
    """4, 5, 9, 2 to hit: two hits; d12 3 nothing, d12 9 severe odd, system 5 sensor."""
    result = tried("fa-v-8")

    (shot,) = events(result, "fire")
    assert {key: shot.facts[key] for key in ("x", "need", "hits", "bracket", "arc")} == {
        "x": 4,
        "need": 5,
        "hits": 2,
        "bracket": "medium",
        "arc": "F",
    }
    demos = the_ship(result.state, "Demos-1")
    assert (demos.structure, demos.sensor) == (11, 5)
    assert the_squadron(result.state, "Corvus").morale_lost == 0


@pytest.mark.rule("FA-WPN-4")
def test_v_9_pulse_weapon():
    """8 gives three pulses, 6 one, 5 misses; d6 4, 2, 6 (system 4), 5."""
    result = tried("fa-v-9")

    assert the_ship(result.state, "Vorchan-1").structure == 8
    assert weapon_left(result.state, "Vorchan-1", "plasma-accelerator") == 1


@pytest.mark.rule("FA-DMG-2", "FA-DMG-4", "FA-DMG-5", "FA-DMG-6", "FA-DMG-7", "FA-DMG-9")
def test_v_10_sample_damage():
    """Ten damage dice end the ship: turn 7 to 5, CC 4, HT 3, CA 1, heavy pulse gone, one grey box."""
    result = tried("fa-v-10")

    mark = the_ship(result.state, "Mark-1")
    assert (mark.fate, mark.structure, mark.weapon_left) == ("destroyed", 0, (0,))
    assert mark.man_left == Manoeuvre(ca=1, ht=3, cc=4, tn=5, acc=4, dec=4)
    assert the_squadron(result.state, "Kha'Mak").morale_lost == 1


@pytest.mark.rule("FA-WPN-3", "FA-WPN-7")
def test_v_11_plasma_accelerator():
    """In the next pulse two levels lower: 2d8 at short range; armour 6 counts 4: one structure."""
    result = tried("fa-v-11")

    assert the_ship(result.state, "G'Quan-1").structure == 21
    weapon = battle(result.before).cards.weapons["plasma-accelerator"]
    assert [damage.damage_dice(weapon, 0, waited) for waited in (1, 2, 3, None)] == [(2, 8), (2, 10), (2, 12), (2, 12)]
    assert damage.damage_dice(weapon, 2, 1) is None
    assert [damage.armour_against(weapon, armour) for armour in (6, 4, 3, 2, 1)] == [4, 2, 2, 2, 1]


@pytest.mark.rule("FA-MOR-1", "FA-MOR-2", "FA-MOR-3", "FA-MOR-4")
def test_v_12_morale():
    """G 10, morale 4: level 5 holds on 10, level 4 fails on 9."""
    result = tried("fa-v-12")

    assert morale.levels(10) == [5, 4, 3, 2, 1]
    assert [event.facts["result"] for event in events(result, "morale")] == ["holds", "withdraws"]
    alpha = the_squadron(result.state, "Alpha")
    assert (alpha.state, alpha.levels_rolled) == ("withdrawing", frozenset({5, 4}))


@pytest.mark.rule("FA-FTR-15", "FA-FTR-18", "FA-FTR-21", "FA-MAP-11")
def test_v_13_flight_of_five():
    """d10 5 +2 +1 +1 = 9 hits; d8 3 +2 +1 = 6 against 4: moderate odd, system 1: turn 7 to 6."""
    result = tried("fa-v-13")

    hyperion = the_ship(result.state, "Hyperion-1")
    assert (hyperion.structure, hyperion.man_left.tn) == (17, 6)
    assert [event.facts["hits"] for event in events(result, "fire")] == [1, 0, 0]


@pytest.mark.rule("FA-MOV-4", "FA-MOV-12", "FA-MOV-14")
def test_v_14_least_agile_ship():
    """The speed change stands, the turn does not: speed 6, straight F6."""
    result = tried("fa-v-14")

    (refused,) = result.sheets["narn"].problems
    assert (refused.rule, "G'Quan-1" in refused.reason, "capital" in refused.reason) == ("FA-E-13", True, True)
    assert places(result, "Thentus-1") == ["3038", "3036", "3034"]
    assert the_squadron(result.state, "Du'Rog").speed == 6
    legal = situation(FAR_EARTH, squadron("Du'Rog", "narn", "3040", "Thentus-1", "G'Quan-1", speed=5))
    assert problems(legal, "narn", "Du'Rog: path F3 P F2") == []


@pytest.mark.rule("FA-ELI-2", "FA-ELI-6")
def test_v_15_jammed_elint():
    """At 35 hexes one of two levels is cancelled; at 36 the order is refused."""
    support = [e for e in events(tried("fa-v-15"), "elint") if e.facts["action"] == "offensive"]

    assert [event.facts["levels"] for event in support] == [1]
    lupus = squadron("Lupus", "centauri", "2020", "Corvan-1")
    far = situation(lupus, squadron("G'Lan", "narn", "2056", "Sho'Kar-1"), sides=CENTAURI_AND_NARN)
    assert problems(far, "narn", "Sho'Kar-1: elint jam-elint Corvan-1") == ["FA-E-23"]
    result = play(far, centauri="Corvan-1: elint offensive 2", narn="Sho'Kar-1: elint jam-elint Corvan-1")
    assert [e.facts["levels"] for e in events(result, "elint") if e.facts["action"] == "offensive"] == [2]


@pytest.mark.rule("FA-SPC-5", "FA-FIRE-6", "FA-ELI-7")
def test_v_16_jammer():
    """Distance 8 medium, 24 extreme, 25 no fire; Sharlin at Sharlin unaffected; jammed fire control: long."""

    def aimed(
        hex_name: str, firer: str = "Omega-1", weapon: int = 0, sides: Sides = EARTH_AND_MINBARI
    ) -> tuple[Table, Shot | None]:
        alpha = squadron("Alpha", sides[0][0], "2040", firer)
        state = situation(alpha, squadron("S1", "minbari", hex_name, ship("Target-1", "sharlin")), sides=sides)
        fight = battle(state)
        return fight, fire.aim(fight, fight.ships[firer], weapon, fight.ships["Target-1"])

    assert events(tried("fa-v-16"), "fire")[0].facts["need"] == 9 + 1 - 6
    assert [(shot := aimed(hex_name)[1]) and shot.bracket for hex_name in ("2032", "2016", "2015")] == [1, 3, None]
    minbari = (("other", "Minbari", "defender"), ("minbari", "Minbari", "attacker"))
    _, alike = aimed("2032", "Sharlin-1", sides=minbari)
    assert alike is not None
    assert alike.bracket == 0
    fight, _ = aimed("2032")
    fight.fire_control_jammed = frozenset({"Omega-1"})
    assert aim_at(fight, "Omega-1", 0, "Target-1").need == 9 + 3 - 6
    missile = aimed("2032", "Olympus-1")[1]
    assert missile is not None
    assert (missile.weapon, missile.need) == ("missile-rack", 9 + 1 - 5)


@pytest.mark.rule("FA-FRM-1", "FA-FRM-2", "FA-MOV-7", "FA-FRM-5")
def test_v_17_absolute_formation():
    """The formation wheels with the commander."""
    result = tried("fa-v-17")

    assert places(result, "Artemis-1") == ["1219", "1317", "1315"]
    assert places(result, "Artemis-2") == ["1218", "1216", "1214"]
    assert places(result, "Artemis-3") == ["1221", "1518", "1516"]
    assert headings(result, "Bravo") == [2, 1, 1]


@pytest.mark.rule("FA-FRM-3")
def test_v_18_relative_formation():
    """Everybody flies the same tokens; the stored offsets become F1 and A2."""
    result = tried("fa-v-18")

    assert places(result, "Artemis-2") == ["1218", "1316", "1314"]
    assert places(result, "Artemis-3") == ["1221", "1319", "1317"]
    stored = the_squadron(result.state, "Bravo").formation
    assert [written_offset(stored[f"Artemis-{n}"]) for n in (2, 3)] == ["F1", "A2"]


@pytest.mark.rule("FA-MOV-8", "FA-MOV-9", "FA-MOV-10")
def test_v_19_course_correction():
    """At speed 5 legal; at 6 the limit is 5, and a single turn (7) would do."""
    result = tried("fa-v-19")

    assert places(result, "Hyperion-1") == ["1919", "1818", "1816"]
    assert headings(result, "Alpha") == [6, 6, 1]
    fast = situation(squadron("Alpha", "earth", "2020", "Hyperion-1", speed=6), FAR_NARN)
    refused = complaint(fast, "earth", "Alpha: path F1 P F3 S F2")
    assert (refused.rule, refused.hint) == ("FA-E-9", "turn (7)")
    assert "Hyperion-1 allows 5" in refused.reason


@pytest.mark.rule("FA-MOV-5", "FA-MOV-11")
def test_v_20_slip_with_late_deceleration():
    """-2 in pulse 2 with a slip; -3 is refused, and then the path has a hex too few."""
    result = tried("fa-v-20")

    assert places(result, "Hyperion-1") == ["3028", "2927", "2926"]
    alpha = the_squadron(result.state, "Alpha")
    assert (alpha.speed, alpha.heading) == (4, 1)
    state = situation(squadron("Alpha", "earth", "3030", "Hyperion-1", speed=6), FAR_NARN)
    found = sheet(state, "earth", "Alpha:\n speed -3 pulse 2\n path F2 slipP F2").problems
    assert [problem.rule for problem in found] == ["FA-E-5", "FA-E-7"]
    assert "limit is 2" in found[0].reason
    assert found[1].instead.endswith("F6")


@pytest.mark.rule("FA-MOV-9", "FA-MOV-10", "FA-MOV-12")
def test_v_21_come_about():
    """Three turns at speed 4; never with a speed change."""
    result = tried("fa-v-21")

    assert places(result, "Thentus-1") == ["3031", "2831", "2830"]
    assert headings(result, "Du'Rog") == [4, 6, 1]
    assert problems(thentus(4), "narn", "Du'Rog:\n speed +1\n path F1 S F1 S F1 S F2") == ["FA-E-14"]


@pytest.mark.rule("FA-WPN-10", "FA-WPN-11", "FA-WPN-12", "FA-WPN-13", "FA-WPN-14")
def test_v_22_energy_mines():
    """Twelve mines, radius 4, pulse 3: Omega-1 and Fury-1 are hit, Olympus-1 is not."""
    result = tried("fa-v-22")

    (burst,) = events(result, "mine_burst")
    assert (burst.facts["launchers"], burst.facts["radius"], burst.facts["pulse"]) == (12, 4, 3)
    omega = the_ship(result.state, "Omega-1")
    assert (omega.structure, omega.man_left.dec) == (23, 3)
    assert weapon_left(result.state, "Omega-1", "interceptor") == 3
    assert the_ship(result.state, "Olympus-1").structure == 9
    assert the_flight(result.state, "Fury-1").count == 3


@pytest.mark.rule("FA-AF-1", "FA-AF-2", "FA-AF-3", "FA-AF-4", "FA-AF-5")
def test_v_23_anti_fighter_fire_with_escort():
    """The escort is fired on first and absorbs the second pass; Frazi-1 attacks with six."""
    result = tried("fa-v-23")

    assert [event.facts["kills"] for event in events(result, "af")] == [2, 1, 1, 2]
    assert the_flight(result.state, "Frazi-2").state == "lost"
    assert the_flight(result.state, "Frazi-1").count == 6


@pytest.mark.rule("FA-DOG-2", "FA-DOG-3", "FA-DOG-6")
def test_v_24_dogfight_and_drift():
    """+2 and +1: three kills each; the fight drifts two hexes SE to 2215."""
    result = tried("fa-v-24")

    assert [the_flight(result.state, flight).count for flight in ("Fury-1", "Frazi-1")] == [3, 2]
    assert {the_flight(result.state, flight).hex for flight in ("Fury-1", "Frazi-1")} == {at("2215")}


@pytest.mark.rule("FA-REI-3", "FA-REI-4")
def test_v_25_reinforcements():
    """6 then 3: delayed; 5 > 4: delayed; 5: arrives on turn 7. 6, 6: never. 3: turn 5."""
    first = tried("fa-v-25")
    fleet = {fleet.name: fleet for fleet in first.state.fleets}["Relief Fleet"]
    assert (fleet.schedule.checks, fleet.schedule.arrives) == (1, None)
    second = play(first.state, 5)
    assert events(second, "reinforce")[0].facts["result"] == "delayed"
    third = play(second.state, 5)
    assert events(third, "reinforce")[0].facts["arrives"] == 7
    assert events(play(first.before, 6, 6), "reinforce")[0].facts["result"] == "never"
    assert events(play(first.before, 3), "reinforce")[0].facts["arrives"] == 5


@pytest.mark.rule("FA-JMP-3", "FA-JMP-4")
def test_v_26_jump_scatter():
    """4030 scatters to 4935; FS4 of it, facing 4, is 4537, which scatters to 4636; a Minbari d4 of 1 stays."""
    result = tried("fa-v-26")

    assert [name(vortex.hex) for vortex in result.state.vortices] == ["4935", "4636"]
    own = [event for event in events(result, "vortex") if event.facts["intended"]]
    assert [event.facts["intended"] for event in own] == ["4030", "4537"]
    minbari = situation(
        squadron("S1", "minbari", None, "Sharlin-1", heading=4),
        squadron("T1", "minbari", None, "Tigara-1", heading=4),
        squadron("Alpha", "earth", "1010", "Hyperion-1"),
        sides=(("minbari", "Minbari", "attacker"), ("earth", "Earth", "defender")),
        engagement="jump-in",
    )
    text = "vortex heading 4\nvortex Sharlin-1 at 4030\nvortex Tigara-1 offset FS4"
    jumped = play(minbari, 3, 6, 2, 1, minbari=text)
    theirs = [event.facts for event in events(jumped, "vortex") if event.facts["intended"]]
    assert theirs[1]["intended"] == theirs[1]["hex"]


@pytest.mark.rule("FA-SEQ-2")
def test_v_27_movement_category():
    """2 lost a member, 6 fired on with ELINT, 5 not fired on, 4 without ELINT, 1 jammed command ship."""
    before = tried("fa-v-27").before
    fight = battle(before)
    found = [sequence.category(fight, fight.squadrons[name]) for name in ("Alpha", "Bravo", "Charlie", "Delta")]

    assert found == [6, 2, 5, 4]
    elint._set_jammed(fight, fight.ships["Oracle-1"], before.turn)
    assert sequence.category(fight, fight.squadrons["Alpha"]) == 1


@pytest.mark.rule("FA-SEQ-1")
def test_v_28_a_whole_turn():
    """They close to 8 hexes; d10 4 hits, 2 misses; d12 6 is a minor hit."""
    result = tried("fa-v-28")

    assert places(result, "Hyperion-1") == ["2021", "2022", "2023"]
    assert places(result, "T'Loth-1") == ["2033", "2032", "2031"]
    assert the_ship(result.state, "T'Loth-1").structure == 17
    assert events(result, "morale") == []


@pytest.mark.rule("FA-FTR-2", "FA-WPN-10", "FA-WPN-12")
def test_v_29_first_turn_of_the_tutorial():
    """No dice in turn 1; the mines burst before the movement of turn 2."""
    result = tried("fa-v-29")

    assert [places(result, name) for name in ("Hyperion-1", "Hyperion-2", "Artemis-1")] == [
        ["2011", "2013", "2016"],
        ["2111", "2113", "2116"],
        ["1911", "1913", "1916"],
    ]
    assert [places(result, name) for name in ("G'Quan-1", "T'Loth-1", "T'Loth-2")] == [
        ["2051", "2049", "2047"],
        ["1952", "1950", "1948"],
        ["2152", "2150", "2148"],
    ]
    launched = {event.facts["flight"]: event.facts["hex"] for event in events(result, "launch")}
    assert launched == {"Fury-1": "2015", "Frazi-1": "1947"}
    fight = battle(result.state)
    fight.dice = LoadedDice(6, 4, 9, 8, 6, 12, 2, 1)
    fight.begin(1)
    fight.side_order = ("earth", "narn")
    ballistics.impacts(fight)
    assert (fight.ships["Hyperion-1"].structure, fight.ships["Hyperion-2"].structure) == (17, 18)
    artemis = fight.ships["Artemis-1"]
    assert (artemis.structure, artemis.weapon_left[2], artemis.man_left.dec) == (13, 2, 4)
    assert fight.flights["Fury-1"].count == 6


@pytest.mark.rule("FA-MOV-9", "FA-MOV-10", "FA-MOV-15", "FA-MOV-18", "FA-MOV-19")
def test_v_30_limits_met_and_passed():
    """Every limit of G'Quan-1 with Thentus-1, exactly met and passed by one."""

    def led(speed: int) -> State:
        return situation(FAR_EARTH, squadron("Du'Rog", "narn", "3030", "G'Quan-1", "Thentus-1", speed=speed))

    def flown(speed: int, path: str, change: str = "") -> tuple[list[str], list[int]]:
        result = play(led(speed), narn=f"Du'Rog:\n {change}\n path {path}")
        return places(result, "G'Quan-1"), headings(result, "Du'Rog")

    def refused(speed: int, path: str, change: str = "") -> tuple[str, str]:
        found = complaint(led(speed), "narn", f"Du'Rog:\n {change}\n path {path}")
        return found.rule, found.hint

    assert places(tried("fa-v-30"), "G'Quan-1") == ["3028", "2927", "2726"]
    none_now = "no turn is possible this turn; speed 6 makes it possible next turn"
    assert refused(7, "F3 P F4") == ("FA-E-9", none_now)
    assert flown(3, "P F1 P F2") == (["2930", "2830", "2731"], [6, 5, 5])
    assert refused(4, "P F2 P F2") == ("FA-E-9", "turn (6)")
    assert flown(5, "S F3 P F2") == (["3229", "3329", "3327"], [2, 2, 1])
    assert refused(6, "S F3 P F3")[0] == "FA-E-9"
    assert flown(1, "S3 F1") == (["3031"], [4])
    assert refused(2, "S3 F2") == ("FA-E-9", "hard turn (3)")
    assert flown(4, "F1 slipP F3", "speed +2 pulse 2")[0] == ["3029", "2928", "2926"]
    assert complaint(led(4), "narn", "Du'Rog: speed +3 pulse 2").rule == "FA-E-4"
    assert flown(12, "F5 slipS F6")[0] == ["3026", "3123", "3119"]
    assert problems(led(7), "narn", "Du'Rog: path F2 slipP F2 P3 S F2") == ["FA-E-11"]
    assert plotting.written(("F", "F", "slipP", "F", "P", "P")) == "F2 slipP F P2"
