"""Chapters 4.10, 4.11 and 4.13 to 4.17: fighters, criticals, terrain, boarding, jumps and programs."""

from __future__ import annotations

from typing import Any

import pytest

from games.broadsides.rules.asteroids import asteroid_hits, crash, drag, heat
from games.broadsides.rules.catalogue import printed
from games.broadsides.rules.craft import craft_from
from games.broadsides.rules.criticals import check_cnc, lose_blocks, weapon_dropouts
from games.broadsides.rules.fighters import launch_capacity
from games.broadsides.rules.hyperspace import scatter
from games.broadsides.rules.programs import program_target
from games.broadsides.state import Program
from pbem.kit.hexgrid import Hex
from tests.games.broadsides.builders import (
    FAR,
    battle_of,
    events,
    fire,
    first,
    flight,
    gunner,
    rules_broken,
    ship,
    silent,
    state_of,
    tried,
    unit,
)


def hangar(
    name: str = "Red", class_name: str = "Kestrel", carrier: str = "Resolute", **fields: object
) -> dict[str, object]:
    return unit("EA", name, class_name, None, carrier=carrier, **fields)


# --- fighters --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BR-FTR-1")
def test_silence_is_d_against_the_nearest_flight_and_only_d_fights_flights():
    done = tried(
        unit("EA", "Red", "Kestrel", (0, 0), number=1),
        unit("Narn", "Claw", "Fang", (0, -2), number=1),
        dice=[1, 20, 20],
        narn="Claw:\n intercept\n path",
    )

    assert flight(done, "Red").position == Hex(0, -2)
    assert [one["unit"] for one in events(done, "fighter_fire")] == ["Red"]


@pytest.mark.rule("BR-FTR-2")
def test_guns_work_only_in_the_targets_hex():
    done = fire(
        unit("EA", "Red", "Kestrel", (0, -1), number=1, order="A", target="Tuk"),
        unit("Narn", "Tuk", "Tir-Zak", (0, 0)),
        dice=[],
        ea="Red: attack Tuk",
        narn=silent("Tuk"),
    )

    assert events(done, "fighter_fire") == []


@pytest.mark.rule("BR-FTR-3")
def test_attack_runs_break_off_by_doctrine():
    units = (
        unit("EA", "Red", "Kestrel", (0, 0), number=1),
        unit("Narn", "Tuk", "Tir-Zak", (0, 0)),
        unit("Narn", "Claw", "Fang", (0, 0), number=2),
    )
    order = "Red:\n attack Tuk\n breakoff fighters 2"
    done = tried(*units, dice=[1, 2, 3, 20], ea=order, narn=silent("Tuk") + "\nClaw:\n intercept\n path")
    assert first(done, "break_off")["unit"] == "Red"
    assert [one["target"] for one in events(done, "fighter_fire")] == ["Claw"]
    gone = tried(
        unit("EA", "Red", "Kestrel", (0, 0), number=1, speed=0),
        unit("Narn", "Tuk", "Tir-Zak", (0, -50)),
        dice=[1, 2],
        ea="Red:\n attack Tuk\n path\n breakoff notarget",
        narn=silent("Tuk"),
    )
    assert first(gone, "break_off")["why"] == "its target is out of reach"


@pytest.mark.rule("BR-FTR-6", "BR-SET-5")
def test_launching_flights_start_with_their_carrier_at_a_quarter_of_their_thrust():
    done = tried(
        unit("EA", "Resolute", "Resolute", (0, 10), speed=5),
        hangar(),
        dice=[10, 5],
        ea="Resolute: path F5\nRed:\n launch from Resolute\n path P F5",
    )

    assert (flight(done, "Red").status, flight(done, "Red").heading) == ("on-map", 5)
    assert flight(done, "Red").position == Hex(-5, 10)
    battle = battle_of(unit("EA", "Resolute", "Resolute"), hangar())
    assert craft_from(printed(), battle.flights["Red"], launching=True).thrust == 10 // 4
    assert launch_capacity(battle.catalogue, battle.ships["Resolute"]) == 2


@pytest.mark.rule("BR-FTR-7")
def test_landing_needs_the_carriers_hex_speed_and_heading():
    units = (unit("EA", "Resolute", "Resolute", (0, 0), speed=2), unit("EA", "Red", "Kestrel", (0, 0), speed=2))
    done = tried(*units, dice=[10, 5], ea="Resolute: path F2\nRed:\n path F2\n land Resolute")

    assert (flight(done, "Red").status, flight(done, "Red").landed) == ("hangar", 2)
    early = rules_broken(done.state, "EA", "Red: launch from Resolute")
    assert early == ["BR-VAL-22"]
    astray = tried(*units, dice=[10, 5], ea="Resolute: path F2\nRed:\n path F1 S F1\n land Resolute")
    assert flight(astray, "Red").status == "on-map"


@pytest.mark.rule("BR-FTR-8")
def test_guns_add_up_and_meet_armour_once():
    """Kestrel at Fang: 4 + 4 - 1 = 7; two guns 3+1 and 4+1, armour 2."""
    done = fire(
        unit("EA", "Red", "Kestrel", (0, 0), number=1, target="Claw"),
        unit("Narn", "Claw", "Fang", (0, 0), number=1, order="I"),
        dice=[7, 3, 4, 6],
    )

    assert (first(done, "fighter_fire")["need"], first(done, "hit")["damage"]) == (7, 9 - 2)


@pytest.mark.rule("BR-FTR-9")
@pytest.mark.rule("BR-RUL-40", "BR-RUL-44")
def test_flights_choose_the_side_or_a_system():
    """System 0, weapon -1, anti-fighter weapon -3; half the armour of what is aimed at."""
    for aim, need in (("system thruster fore", 15), ("weapon MPL1", 14), ("weapon LPC1", 12)):
        done = fire(
            unit("EA", "Red", "Kestrel", (0, 0), number=1, order="A", target="Tuk"),
            unit("Narn", "Tuk", "Tir-Zak", (0, 0)),
            dice=[20],
            ea=f"Red: attack Tuk {aim}",
            narn=silent("Tuk"),
        )
        assert first(done, "fighter_fire")["need"] == need - 1
    state = state_of(unit("EA", "Red", "Kestrel", (0, 0)), unit("Narn", "Tuk", "Tir-Zak", (0, 0)))
    assert rules_broken(state, "EA", "Red: attack Tuk system engine primary") == ["BR-VAL-22"]


@pytest.mark.rule("BR-FTR-12")
def test_a_flight_outlives_its_carrier():
    done = fire(
        unit("EA", "Resolute", "Resolute", (0, 0), structure={"fore": 0, "primary": 1}),
        unit("EA", "Red", "Kestrel", (5, 0), carrier="Resolute"),
        unit("Narn", "Tuk", "Talon", (0, -3), heading=3),
        dice=[5, 1, 3],
        ea=silent("Resolute"),
        narn=gunner("Tuk", "fire HP1 at Resolute"),
    )

    assert (ship(done, "Resolute").status, flight(done, "Red").status) == ("destroyed", "on-map")


@pytest.mark.rule("BR-FTR-9")
@pytest.mark.parametrize("words", ["sensors main", "sensors"])
def test_fighters_may_aim_at_a_system_of_a_main_section(words):
    """Sensors 2x2 of a Raider, armour 3, half 1. T = 6+4-1+3 = 12; guns 1, 1 + 2 = 4: 4-1 = 3 blocks."""
    done = fire(
        unit("EA", "Red", "Kestrel", (0, 0), number=1, order="A", target="Raider"),
        unit("Narn", "Raider", "Raider", (0, 0)),
        dice=[12, 1, 1],
        ea=f"Red: attack Raider system {words}",
        narn=silent("Raider"),
    )

    assert ship(done, "Raider").blocks_lost == {"sensors": 3}


@pytest.mark.rule("BR-FTR-1", "BR-BAL-4")
def test_a_flight_on_d_against_the_nearest_fires_its_missiles_too():
    """Red has named nobody: the nearest flight, two hexes off, is its target. T = 4+1 = 5; 8-2 = 6 of 8."""
    done = fire(
        unit("EA", "Red", "Kestrel", (0, 0), number=1),
        unit("Narn", "Claw", "Fang", (0, -2), number=1),
        # 5 hits, 8 - 2 = 6; drop-out d6 2: stays.
        dice=[5, 2],
        ea="Red: missiles",
    )

    assert flight(done, "Claw").fighters[0].structure == 2
    assert flight(done, "Red").fighters[0].missiles == 1


# --- criticals -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BR-CRT-1")
def test_a_damaged_weapon_drops_out_above_its_blocks_left():
    battle = battle_of(
        unit(
            "EA",
            "Ajax",
            "Lance",
            blocks_lost={"CL1": 4, "HP1": 2},
            weapon={"CL1": {"damaged": True}, "HP1": {"damaged": True}},
        ),
        dice=[3, 5],
    )

    weapon_dropouts(battle)

    assert [name for name, mount in battle.ships["Ajax"].weapon.items() if mount.dropped_out] == ["CL1"]


@pytest.mark.rule("BR-CRT-4")
@pytest.mark.rule("BR-RUL-21")
@pytest.mark.rule("BR-RUL-22")
@pytest.mark.rule("BR-RUL-27")
@pytest.mark.parametrize(("die", "status"), [(1, "destroyed"), (2, "on-map")])
def test_a_destroyed_reactor_may_blow_up_the_ship(die: int, status: str) -> None:
    battle = battle_of(unit("EA", "Ajax", "Lance"), dice=[die])

    lose_blocks(battle, "Ajax", battle.sheet(battle.ships["Ajax"]).systems["reactor"], 10, battle.tally("x"))

    assert battle.ships["Ajax"].status == status


@pytest.mark.rule("BR-CRT-5")
def test_an_anti_matter_reactor_always_blows_up():
    battle = battle_of(unit("EA", "Halo", "Halo"))

    lose_blocks(battle, "Halo", battle.sheet(battle.ships["Halo"]).systems["reactor"], 8, battle.tally("x"))

    assert battle.ships["Halo"].status == "destroyed"


@pytest.mark.rule("BR-CRT-7")
def test_c_and_c_rows_are_checked_once_in_the_next_turn():
    battle = battle_of(unit("EA", "Ajax", "Lance", cnc_rows_lost_this_turn=2), dice=[4])

    check_cnc(battle)
    assert battle.ships["Ajax"].cnc_failure
    check_cnc(battle)
    assert not battle.ships["Ajax"].cnc_failure


@pytest.mark.rule("BR-CRT-8", "BR-HYP-4", "BR-HYP-5")
def test_a_damaged_jump_engine_may_fail_or_destroy():
    """5 blocks lost: destroyed on 5, no jump on 10 or less."""
    units = (unit("EA", "Vigil", "Vigil", blocks_lost={"jump": 5}), unit("EA", "Ajax", "Lance", (1, 0)))
    order = "Vigil: jump out\nAjax: jump with Vigil"
    for dice, statuses in (
        ([5], ("destroyed", "on-map")),
        ([6, 10], ("on-map", "on-map")),
        ([6, 11], ("jumped", "jumped")),
    ):
        done = tried(*units, dice=[9, 9, *dice], ea=order, switches={"hyperspace": True})
        assert (ship(done, "Vigil").status, ship(done, "Ajax").status) == statuses


@pytest.mark.rule("BR-CRT-10")
def test_four_hangar_blocks_cost_a_docked_flight():
    battle = battle_of(unit("EA", "Resolute", "Resolute"), hangar(), hangar("Gold"))

    lose_blocks(battle, "Resolute", battle.sheet(battle.ships["Resolute"]).systems["hangar"], 5, battle.tally("x"))

    assert (battle.flights["Red"].status, battle.flights["Gold"].status) == ("destroyed", "hangar")


@pytest.mark.rule("BR-WPN-9")
def test_a_deactivation_of_this_turn_ends_with_the_turn():
    done = fire(
        unit("EA", "Ajax", "Lance", (0, 0), deactivated={"thruster-fore": 2, "thruster-aft": 3, "CL1": "permanent"}),
        FAR,
        dice=[],
        ea=silent("Ajax"),
    )

    assert ship(done, "Ajax").deactivated == {"thruster-aft": 3, "CL1": "permanent"}


# --- terrain ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BR-AST-1", "BR-AST-2")
def test_fighters_in_a_field():
    """Speed 6, density 2: 4 or less; each fighter rolls, then each hit a d6."""
    battle = battle_of(
        unit("EA", "Red", "Kestrel", (0, 0), number=2, speed=6),
        dice=[4, 5, 6],
        switches={"asteroids": True},
        terrain={"field": [{"density": 2, "hexes": [[0, 0]]}]},
    )

    asteroid_hits(battle, "Red", Hex(0, 0), 0, 1)

    assert [one.structure for one in battle.flights["Red"].fighters] == [9 - 5, 9]


@pytest.mark.rule("BR-AST-4", "BR-VAL-14")
def test_large_asteroids_stop_drifters_and_forbid_plots():
    """Speed 2: ten points on the leading side; a plotted path into the rock is refused."""
    field: dict[str, Any] = {"switches": {"asteroids": True}, "terrain": {"large": [{"hexes": [[0, -2]]}]}}
    done = tried(
        unit("EA", "Ajax", "Lance", (0, 0), speed=2, turning={"dir": "port", "left": 5}, facing=4),
        dice=[5, 15],
        **field,
    )
    assert (ship(done, "Ajax").position, ship(done, "Ajax").speed) == (Hex(0, -1), 0)
    assert sum(ship(done, "Ajax").structure.values()) == 38 + 34 + 38 - 6
    state = state_of(unit("EA", "Ajax", "Lance", (0, 0), speed=3), **field)
    assert rules_broken(state, "EA", "Ajax: path F3") == ["BR-VAL-14"]
    lost = battle_of(unit("EA", "Red", "Kestrel", (0, 0), speed=3))
    crash(lost, "Red", 0)
    assert lost.flights["Red"].status == "destroyed"


@pytest.mark.rule("BR-ATM-1", "BR-ATM-6")
def test_planets_destroy_what_enters_them():
    state = state_of(
        unit("EA", "Dover", "Picket", (0, 5)),
        terrain={"planet": [{"hexes": [[0, 0]]}], "air": [{"level": 3, "centre": [0, 0], "radius": 1, "ring": True}]},
        switches={"atmosphere": True},
    )
    assert {one.level for one in state.terrain.atmosphere} == {3}
    assert len(state.terrain.atmosphere) == 6
    done = tried(
        unit("EA", "Ajax", "Lance", (0, 1), speed=1, turning={"dir": "port", "left": 5}, facing=4),
        dice=[5],
        terrain={"planet": [{"hexes": [[0, 0]]}]},
    )
    assert ship(done, "Ajax").status == "destroyed"


@pytest.mark.rule("BR-ATM-2", "BR-ATM-3")
def test_air_above_the_rating_is_forbidden_and_burns_without_a_shield():
    state = state_of(
        unit("EA", "Ajax", "Lance", (0, 1), speed=2),
        terrain={"air": [{"level": 1, "hexes": [[0, 0], [0, -1]]}]},
        switches={"atmosphere": True},
    )
    assert rules_broken(state, "EA", "Ajax: path F2") == ["BR-VAL-14"]
    battle = battle_of(unit("EA", "Dover", "Picket", (0, 0), speed=4, highest_level=4))
    heat(battle, "Dover", 0, strayed=True)
    assert battle.ships["Dover"].structure["fore"] == 26 - 16


@pytest.mark.rule("BR-ATM-4", "BR-ATM-5")
def test_drag_slows_and_ends_turns():
    battle = battle_of(
        unit("EA", "Dover", "Picket", (0, 0), speed=2, highest_level=3, turning={"dir": "port", "left": 2}),
        unit("EA", "Red", "Kestrel", (0, 0), speed=8, highest_level=2),
    )

    drag(battle)

    assert (battle.ships["Dover"].speed, battle.ships["Dover"].turning) == (0, None)
    assert battle.flights["Red"].speed == 6


@pytest.mark.rule("BR-AST-3")
def test_a_size_word_clears_with_guns_only():
    """`clear medium` of a Picket is MP1, T = 0+5+(1+0) = 6; its missile rack stays full, both rocks do 3-3 = 0."""
    done = tried(
        unit("EA", "Dover", "Picket", (0, 0), speed=6),
        FAR,
        # Initiative; two rocks hit on -2+6+2 = 6; MP1 misses; side, location and damage of each rock.
        dice=[10, 10, 6, 6, 7, 1, 14, 3, 1, 14, 3],
        ea=silent("Dover") + "\n  clear medium",
        narn=silent("Far"),
        switches={"asteroids": True},
        terrain={"field": [{"hexes": [[0, -3]], "density": 2}]},
    )

    assert [fact["mount"] for fact in events(done, "clear")] == ["MP1"]
    assert ship(done, "Dover").weapon["MR1"].charge == 2
    assert ship(done, "Dover").structure["fore"] == 26


@pytest.mark.rule("BR-AST-1", "BR-FTR-5")
def test_the_extra_move_of_a_d_flight_meets_rocks_too():
    """Red drifts 6 and closes two more hexes, the first a field of density 4: need -4+6+4 = 6; 5-1 = 4 of 9."""
    done = tried(
        unit("EA", "Red", "Kestrel", (0, 0), speed=6, number=1),
        unit("Narn", "Claw", "Fang", (0, -8), number=1),
        # Initiative; the rock hits for 5; both miss in the dogfight; drop-out 5: stays.
        dice=[5, 6, 6, 5, 20, 20, 5],
        switches={"asteroids": True},
        terrain={"field": [{"hexes": [[0, -7]], "density": 4}]},
    )

    assert flight(done, "Red").position == (0, -8)
    assert flight(done, "Red").fighters[0].structure == 5


# --- boarding --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BR-POD-1", "BR-VAL-23")
def test_pods_board_only_the_large():
    pod = printed().fighters["Breaching pod"]
    assert (pod.signature, pod.armour, pod.structure, pod.ew) == (4, 2, 8, 0)
    state = state_of(
        unit("EA", "Resolute", "Resolute", (0, 0)),
        unit("Narn", "Tuk", "Tir-Zak", (0, 5)),
        unit("Narn", "Karn", "Karn-Tal", (0, 6)),
        switches={"boarding": True},
    )
    assert rules_broken(state, "EA", "Resolute: board Tuk side fore") == ["BR-VAL-23"]
    assert rules_broken(state, "EA", "Resolute: board Karn side s1") == ["BR-VAL-23"]
    three = "Resolute:\n board Karn side aft\n board Karn side aft\n board Karn side port"
    assert rules_broken(state, "EA", three) == ["BR-VAL-23"]


@pytest.mark.rule("BR-POD-2")
def test_a_pod_that_falls_short_flies_on_and_is_lost_without_its_target():
    done = tried(
        unit("EA", "Resolute", "Resolute", (0, 0)),
        unit("Narn", "Karn", "Karn-Tal", (0, -15)),
        dice=[5, 5],
        ea=silent("Resolute") + "\n board Karn side aft",
        narn=silent("Karn"),
        switches={"boarding": True},
    )
    assert (flight(done, "Resolute-P1").position, flight(done, "Resolute-P1").alongside) == (Hex(0, -10), False)
    hidden = [event for event in done.events if event.kind == "pod_move" and "Narn" in event.seen_by]
    assert hidden[0].facts["target"] == ""


@pytest.mark.rule("BR-POD-3")
@pytest.mark.parametrize(("die", "result"), [(2, "killed"), (6, "pinned"), (7, "moves"), (8, "structure")])
def test_what_squads_do(die: int, result: str) -> None:
    squads = [{"owner": "EA", "section": "port", "turn_docked": 1, "sent_by": "Resolute"}]
    done = fire(
        unit("EA", "Resolute", "Resolute", (0, 40)),
        unit("Narn", "Karn", "Karn-Tal", (0, -15), boarding_squads=squads),
        dice=[die],
        ea=silent("Resolute"),
        narn=silent("Karn"),
        switches={"boarding": True},
    )

    karn = ship(done, "Karn")
    assert first(done, "board")["result"] == result
    assert len(karn.boarding_squads) == (0 if result == "killed" else 1)
    assert karn.structure["port"] == (34 if result == "structure" else 44)
    if result == "moves":
        assert karn.boarding_squads[0].section == "primary"


@pytest.mark.rule("BR-POD-5")
def test_a_pod_docks_at_the_primary_where_its_side_is_gone():
    done = fire(
        unit("EA", "Pod", "Breaching pod", (0, 0), target="Karn", section="port", alongside=True, carrier="Resolute"),
        unit("EA", "Resolute", "Resolute", (0, 40)),
        unit(
            "Narn",
            "Karn",
            "Karn-Tal",
            (0, 0),
            structure={"port": 0},
            weapon={f"LPC{n}": {"charge": 0} for n in range(1, 6)},
        ),
        dice=[],
        ea=silent("Resolute"),
        narn=silent("Karn"),
        switches={"boarding": True},
    )

    assert first(done, "dock")["section"] == "primary"
    assert ship(done, "Karn").boarding_squads[0].turn_docked == 2


@pytest.mark.rule("BR-POD-3")
def test_two_squads_aboard_act_one_after_the_other():
    """The first does 10 to port, the second is killed; a file need not number them."""
    squads = [{"owner": "Narn", "section": one, "turn_docked": 1} for one in ("port", "aft")]
    done = fire(
        unit("EA", "Resolute", "Resolute", (0, 0), boarding_squads=squads),
        FAR,
        dice=[8, 2],
        ea=silent("Resolute"),
    )

    assert ship(done, "Resolute").structure["port"] == 34
    assert [one.section for one in ship(done, "Resolute").boarding_squads] == ["port"]


@pytest.mark.rule("BR-POD-2")
def test_a_pod_takes_the_next_free_name():
    """Karn-P1 is in flight already, so the pod launched now is Karn-P2."""
    done = tried(
        unit("EA", "Resolute", "Resolute", (0, 0)),
        unit("Narn", "Karn", "Karn-Tal", (0, -40)),
        unit("Narn", "", "Breaching pod", (0, -15), carrier="Karn", target="Resolute", section="aft"),
        dice=[10, 10],
        ea=silent("Resolute"),
        narn=silent("Karn") + "\n  board Resolute side port",
        switches={"boarding": True},
    )

    assert {name: one.position for name, one in done.state.flights.items()} == {"Karn-P1": (0, -5), "Karn-P2": (0, -30)}


# --- hyperspace ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BR-HYP-2")
@pytest.mark.parametrize(
    ("expression", "dice", "far"),
    [
        ("d5-1", [6, 10], 4),
        ("2d6", [1, 4, 3], 7),
        ("d10+d6", [1, 7, 6], 13),
        ("d3-1", [1, 5], 2),
        ("0", [], 0),
        ("d6+1", [2, 6], 7),
    ],
)
def test_scatter_by_race(expression: str, dice: list[int], far: int) -> None:
    battle = battle_of(unit("EA", "Ajax", "Lance"), dice=dice)

    way, distance = scatter(expression, battle.tally("x"))

    assert (way, distance) == ((dice[0] - 1 if dice else 0), far)


@pytest.mark.rule("BR-HYP-1", "BR-HYP-3")
def test_arrivals_take_the_start_speed_and_the_nearest_legal_hex():
    """A Watcher jumps exactly onto a large asteroid: the neighbour with the lowest q is taken."""
    done = tried(
        unit("EA", "Watcher", "Watcher", None),
        dice=[5],
        start_speed=6,
        ea="jump-in 0,0 facing 2",
        switches={"hyperspace": True, "asteroids": True},
        terrain={"large": [{"hexes": [[0, 0]]}]},
    )

    watcher = ship(done, "Watcher")
    assert (watcher.position, watcher.heading, watcher.facing, watcher.speed) == (Hex(-1, 0), 2, 2, 6)


# --- programs --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BR-OSA-1", "BR-VAL-21")
def test_osats_obey_their_program():
    units = (
        unit("EA", "Sentry", "Sentry", (0, 0), program={"kind": "nearest"}),
        unit("Narn", "Near", "Tir-Zak", (0, -4)),
        unit("Narn", "Big", "Karn-Tal", (0, -9)),
    )
    state = state_of(*units)

    assert rules_broken(state, "EA", "Sentry: fire all at Big") == ["BR-VAL-21"]
    done = fire(*units, dice=[20, 20, 20], narn=silent("Near", "Big"))
    assert {one["target"] for one in events(done, "fire")} == {"Near"}


@pytest.mark.rule("BR-OSA-2")
def test_programs_choose():
    battle = battle_of(
        unit("EA", "Ajax", "Lance", (0, 0), start_position=[0, 0]),
        unit("Narn", "Near", "Tir-Zak", (0, -4), start_position=[0, -3]),
        unit("Narn", "Big", "Karn-Tal", (0, -6), start_position=[0, -7]),
        unit("Narn", "Claw", "Fang", (0, -2), start_position=[0, -2]),
    )
    ajax = battle.ships["Ajax"]

    def chosen(**program: object) -> str | None:
        found = program_target(battle, ajax, "CL1", Program(**program))  # type: ignore[arg-type]
        return found.name if found else None

    assert chosen(kind="nearest") == "Near"
    assert chosen(kind="biggest") == "Big"
    assert chosen(kind="best-chance") == "Big"
    assert chosen(kind="best-chance", over=19) is None
    assert chosen(kind="closing") == "Big"
    assert chosen(kind="closing", unless_slow=True) is None
    assert chosen(kind="nearest", among="fighter") == "Claw"
    assert chosen(kind="nearest", among="any") == "Claw"
