"""Chapters 4.6 to 4.9: interception, damage modes, weapons and gravity."""

from __future__ import annotations

import pytest

from games.broadsides.rules.catalogue import printed
from games.broadsides.rules.damage import Wounds
from games.broadsides.rules.gravity import GravityMine, gravity_mines
from games.broadsides.rules.interception import can_be_intercepted, reserved
from games.broadsides.rules.tohit import shield_of
from pbem.kit.hexgrid import Hex
from tests.games.broadsides.builders import (
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

AJAX = unit("EA", "Ajax", "Lance", (0, 0))
TALON = unit("Narn", "Tuk", "Talon", (0, -3), heading=3)
WEAPONS = printed().weapons


def ballistic(
    kind: str = "standard", mount: str = "MR1", launcher: str = "Dover", **fields: object
) -> dict[str, object]:
    return {"side": "EA", "launcher": launcher, "mount": mount, "launch_hex": [0, 9], "kind": kind, **fields}


def wounds(*units: dict[str, object], dice: list[int], name: str = "Ajax", **how: object) -> Wounds:
    battle = battle_of(*units, dice=dice)
    return Wounds(battle, name, battle.tally("x"), **how)  # type: ignore[arg-type]


# --- interception ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("BR-INT-1", "BR-WPN-10")
def test_what_can_be_intercepted():
    never = ("HL", "NL", "BB", "GB", "GS", "GC", "EM", "GM", "PM", "PW")

    assert not any(can_be_intercepted(WEAPONS[name]) for name in never)
    assert all(can_be_intercepted(WEAPONS[name]) for name in ("BO", "GP", "HP", "HPL", "MC", "TO", "MR", "AC"))


@pytest.mark.rule("BR-INT-3")
def test_ballistics_are_easier_to_stop():
    """INT value 4: a 5 stops a missile."""
    done = fire(
        unit("EA", "Dover", "Picket", (0, 9)),
        unit("Narn", "Foe", "Lance", (0, 0), heading=3),
        dice=[5, 9, 5],
        ballistic=[ballistic(target="Foe")],
        ea=silent("Dover"),
        narn="Foe: hold all",
    )

    assert [(one["value"], one["stopped"]) for one in events(done, "intercept")] == [(5, 0), (5, 1)]


@pytest.mark.rule("BR-INT-4")
def test_a_mount_intercepts_once_and_then_cannot_fire():
    done = fire(AJAX, TALON, dice=[12, 9, 9, 1, 15, 15], ea="Ajax: hold all", narn=gunner("Tuk", "fire HP1 at Ajax"))

    used = ship(done, "Ajax").weapon
    assert (used["INT1"].charge, used["INT2"].charge, used["INT3"].charge) == (0, 0, 2)
    spent = unit("EA", "Ajax", "Lance", (0, 0), weapon={"INT1": {"used": True}, "INT2": {"charge": 0}})
    again = fire(spent, TALON, dice=[12, 1, 15, 15], ea="Ajax: hold all", narn=gunner("Tuk", "fire HP1 at Ajax"))
    assert events(again, "intercept") == []


@pytest.mark.rule("BR-INT-5")
@pytest.mark.rule("BR-RUL-49")
def test_the_doctrine_of_interception():
    """Silence reserves INT and GA; ``min`` spares small hits: four pulses of 12 are 48 on average."""
    battle = battle_of(unit("EA", "Resolute", "Resolute"), unit("EA", "Praetor", "Praetor"))
    assert reserved(battle, battle.ships["Resolute"]) == {"INT1", "INT2", "INT3", "INT4", "INT5"}
    assert reserved(battle, battle.ships["Praetor"]) == {"GA1", "GA2"}
    high = "Ajax:\n hold all\n intercept min 25"
    done = fire(AJAX, TALON, dice=[12, 1, 15, 15], ea=high, narn=gunner("Tuk", "fire HP1 at Ajax"))
    assert events(done, "intercept") == []


@pytest.mark.rule("BR-INT-6", "BR-WPN-6")
def test_a_guardian_also_fires_normally():
    state = state_of(unit("EA", "Praetor", "Praetor", (0, 0)), unit("Narn", "Tuk", "Talon", (2, -1)))

    assert rules_broken(state, "EA", "Praetor: fire GA2 at Tuk") == []
    done = fire(
        unit("EA", "Praetor", "Praetor", (0, 0)),
        unit("Narn", "Tuk", "Talon", (2, -1)),
        dice=[20],
        ea=gunner("Praetor", "fire GA2 at Tuk"),
        narn=silent("Tuk"),
    )
    assert first(done, "fire")["mount"] == "GA2"


@pytest.mark.rule("BR-INT-7", "BR-FTR-4")
@pytest.mark.rule("BR-RUL-26")
def test_flights_on_i_try_one_after_the_other():
    """Two fighters roll 2 and 1: only the 1 stops the missile, with no bonus against ballistics."""
    done = fire(
        unit("EA", "Dover", "Picket", (0, 9)),
        unit("Narn", "Foe", "Tir-Zak", (0, 0)),
        unit("Narn", "Claw", "Fang", (0, 0), order="I", number=2),
        dice=[5, 2, 1],
        ballistic=[ballistic(target="Foe")],
        ea=silent("Dover"),
        narn=silent("Foe"),
    )

    assert [one["stopped"] for one in events(done, "intercept")] == [0, 1]
    assert events(done, "hit") == []


@pytest.mark.rule("BR-OSA-1", "BR-INT-5")
def test_an_osat_intercepts_only_until_it_is_activated():
    """Sentry fires MP1 and, as nothing needed intercepting so far, INT1 too; then it has nothing left for the Talon."""
    done = fire(
        unit("EA", "Sentry", "Sentry", (0, 0), weapon={"MP2": {"charge": 0}, "MR1": {"charge": 0}}),
        unit("Narn", "Tuk", "Talon", (0, -8), heading=3),
        # MP1: T = 8+5+(1+0+0-5) = 9: 20 misses; INT1: T = 8+5-8 = 5: 20 misses, and has fired.
        dice=[20, 20, 20],
        narn=gunner("Tuk", "fire HP1 at Sentry"),
    )

    assert [fact["mount"] for fact in events(done, "fire")] == ["MP1", "INT1", "HP1"]


@pytest.mark.rule("BR-OSA-1", "BR-INT-5")
def test_an_osat_mount_without_a_target_has_lost_its_interception_too():
    """At range 9 INT1 has T 4 and holds; Sentry was activated by MP1, so HP1 strikes unhindered."""
    done = fire(
        unit("EA", "Sentry", "Sentry", (0, 0), weapon={"MP2": {"charge": 0}, "MR1": {"charge": 0}}),
        unit("Narn", "Tuk", "Talon", (0, -9), heading=3),
        # MP1: T = 8+5+(1-6) = 8: 20 misses. HP1: T = 6+5+(2+0-1-4) = 8: 8, one pulse, location 14: 12-3 = 9.
        dice=[20, 8, 14],
        narn=gunner("Tuk", "fire HP1 at Sentry"),
    )

    assert events(done, "intercept") == []
    assert ship(done, "Sentry").structure == {"main": 9}


@pytest.mark.rule("BR-INT-5")
def test_intercept_lists_stand_side_by_side():
    """Two lists of one mount each: both roll against the pulse of a Talon (T 14); the second stops it."""
    done = fire(
        unit("EA", "Ajax", "Lance", (0, 0)),
        unit("Narn", "Tuk", "Talon", (0, 4)),
        dice=[14, 9, 1],
        ea="Ajax:\n  hold all\n  intercept INT3\n  intercept SPB1",
        narn=gunner("Tuk", "fire HP1 at Ajax"),
    )

    assert [fact["mount"] for fact in events(done, "intercept")] == ["INT3", "SPB1"]
    assert ship(done, "Ajax").structure["aft"] == 34


@pytest.mark.rule("BR-INT-5")
def test_intercept_none_takes_earlier_lists_back():
    done = fire(
        unit("EA", "Ajax", "Lance", (0, 0)),
        unit("Narn", "Tuk", "Talon", (0, 4)),
        # 14: one pulse; side 1: aft; location 15: 12-4 = 8.
        dice=[14, 1, 15],
        ea="Ajax:\n  hold all\n  intercept INT3\n  intercept none",
        narn=gunner("Tuk", "fire HP1 at Ajax"),
    )

    assert ship(done, "Ajax").structure["aft"] == 26


# --- damage ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BR-DMG-1")
def test_the_order_of_dice_of_a_standard_shot():
    done = fire(
        AJAX,
        unit("Narn", "Tuk", "Ashan", (0, -3), heading=3),
        dice=[9, 9, 9, 1, 15, 5, 5, 5],
        ea="Ajax: hold all",
        narn=gunner("Tuk", "fire MD1 at Ajax"),
    )

    purposes = [roll.label.split("/")[-2] for roll in done.rolls]
    assert purposes == ["to hit", "intercept", "intercept", "side", "location", "damage", "damage", "damage"]


@pytest.mark.rule("BR-DMG-2")
@pytest.mark.rule("BR-RUL-12")
def test_overkill_goes_to_structure_then_through_primary_armour():
    """20 on INT1 (armour 3, 4 blocks): 13 over; fore has 5; 8 into the primary: engine, armour 5: 3 blocks."""
    hurt = wounds(unit("EA", "Ajax", "Lance", structure={"fore": 5}), dice=[11, 16])

    hurt.strike("fore", 20)

    assert hurt.ship.structure["fore"] == 0
    assert hurt.ship.blocks_lost["engine"] == 3
    raider = wounds(unit("EA", "Ajax", "Raider", structure={"main": 3}), dice=[10])
    raider.strike("main", 20)
    assert raider.ship.status == "destroyed"


@pytest.mark.rule("BR-DMG-3", "BR-CRT-9")
@pytest.mark.rule("BR-RUL-30")
def test_shields_weaken_every_strike_except_from_the_same_hex():
    """Bulwark, shields 2: a heavy pulse of 12 less 2 less armour 4."""
    target = unit("EA", "Ajax", "Bulwark", (0, 0))
    done = fire(target, TALON, dice=[11, 1, 15], ea=silent("Ajax"), narn=gunner("Tuk", "fire HP1 at Ajax"))
    assert ship(done, "Ajax").structure["fore"] == 36 - 6
    battle = battle_of(unit("EA", "Ajax", "Bulwark", blocks_lost={"shieldgen": 4}))
    assert shield_of(battle, battle.ships["Ajax"]) == 1
    same = fire(
        target,
        unit("Narn", "Tuk", "Talon", (0, 0), speed=0, heading=3),
        dice=[15, 1, 1, 15],
        ea=silent("Ajax"),
        narn=gunner("Tuk", "fire HP1 at Ajax"),
    )
    assert ship(same, "Ajax").structure["fore"] == 36 - 8


@pytest.mark.rule("BR-DMG-4")
def test_standard_damage_strikes_one_location():
    hurt = wounds(AJAX, dice=[15])

    hurt.strike("fore", 20)

    assert hurt.ship.structure["fore"] == 38 - 16


@pytest.mark.rule("BR-DMG-8")
@pytest.mark.rule("BR-RUL-33")
def test_a_flash_rolls_again_and_never_reaches_the_primary():
    """20 on INT1: 4 blocks of it, 13 over; a primary result is structure: armour 4, so 9."""
    hurt = wounds(AJAX, dice=[11, 20])

    hurt.flash("fore", 20)

    assert (hurt.ship.blocks_lost["INT1"], hurt.ship.structure["fore"]) == (4, 38 - 9)
    broken = wounds(unit("EA", "Ajax", "Lance", structure={"fore": 0}), dice=[3])
    broken.flash("fore", 20)
    assert broken.ship.structure["primary"] == 38 - (20 - 2 - 5)


@pytest.mark.rule("BR-DMG-9")
@pytest.mark.rule("BR-RUL-15")
def test_each_pulse_has_its_own_location_on_one_side():
    done = fire(AJAX, TALON, dice=[12, 1, 15, 2], ea=silent("Ajax"), narn=gunner("Tuk", "fire HP1 at Ajax"))

    assert [(hit["side"], hit["location"]) for hit in events(done, "hit")] == [
        ("fore", "structure"),
        ("fore", "thruster-fore"),
    ]


@pytest.mark.rule("BR-DMG-13")
def test_explosive_tips_ignore_armour_and_do_not_overkill():
    """Matter cannon 2d10+8 = 20 on INT1: 4 blocks, the rest is lost."""
    done = fire(
        AJAX,
        unit("Narn", "Brood", "Brood", (0, -2), heading=3),
        dice=[5, 1, 11, 6, 6],
        ea=silent("Ajax"),
        narn=gunner("Brood", "fire MC1 at Ajax"),
    )
    assert (ship(done, "Ajax").blocks_lost["INT1"], ship(done, "Ajax").structure["fore"]) == (4, 38)
    rail = fire(
        AJAX,
        unit("Narn", "Brood", "Brood", (0, -2), heading=3),
        dice=[5, 1, 5, 5, 5, 15, 3],
        ea=silent("Ajax"),
        narn=gunner("Brood", "fire RG1 at Ajax"),
    )
    assert (ship(rail, "Ajax").structure["fore"], ship(rail, "Ajax").structure["primary"]) == (30, 30)


@pytest.mark.rule("BR-DMG-15", "BR-GRV-4")
def test_gravitic_pulsars_hurt_only_the_system_struck():
    """7 on INT1 (4 blocks) with no armour and no overkill; the same again is swallowed by the wreck."""
    done = fire(
        AJAX,
        unit("Narn", "Tally", "Tallyman", (0, -2), heading=3),
        dice=[8, 1, 11, 11, 11],
        ea=silent("Ajax"),
        narn=gunner("Tally", "fire GP1 at Ajax"),
    )

    assert (ship(done, "Ajax").blocks_lost["INT1"], ship(done, "Ajax").structure["fore"]) == (4, 38)


@pytest.mark.rule("BR-DMG-16")
def test_against_flights_each_pulse_is_one_hit_on_the_defenders_choice():
    """Heavy pulse, three pulses of 12 - 1: one Kestrel each."""
    done = fire(
        unit("EA", "Red", "Kestrel", (0, -6), number=3, fighters=[{}, {"structure": 3}, {}]),
        unit("Narn", "Tuk", "Talon", (0, 0)),
        dice=[1],
        ea="Red: take focus",
        narn=gunner("Tuk", "fire HP1 at Red"),
    )

    assert [hit["location"] for hit in events(done, "hit")] == ["fighter 2", "fighter 1", "fighter 3"]


# --- weapons ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BR-WPN-1")
def test_torpedoes_use_the_launchers_ew_while_the_target_is_in_arc():
    for facing, need in ((0, 10 + 5), (3, 10)):
        done = fire(
            AJAX,
            unit("Narn", "Tuk", "Tir-Zak", (0, -9), heading=facing),
            dice=[20],
            ballistic=[{"side": "Narn", "launcher": "Tuk", "mount": "TO1", "launch_hex": [0, -9], "target": "Ajax"}],
            ea=silent("Ajax"),
            narn=silent("Tuk"),
        )
        assert first(done, "fire")["need"] == need


@pytest.mark.rule("BR-WPN-4")
def test_mines_may_stray_or_fail():
    for dice, at in (([17, 2], [1, -6]), ([19, 4], [0, -3]), ([20], None)):
        done = fire(
            unit("EA", "Ajax", "Lance", (0, 30)),
            unit("Narn", "Vash", "Dro-Vash", (0, -30)),
            dice=dice,
            ballistic=[
                {"side": "Narn", "launcher": "Vash", "mount": "EM1", "launch_hex": [0, -30], "target_hex": [0, -5]}
            ],
            ea=silent("Ajax"),
            narn=silent("Vash"),
        )
        assert first(done, "burst")["hex"] == at


@pytest.mark.rule("BR-WPN-5")
def test_energy_mines_burn_friend_and_foe():
    """20 in the hex, 10 beside it; each Kestrel (armour 1, structure 9) beside it takes 9."""
    done = fire(
        unit("EA", "Ajax", "Lance", (0, 0)),
        unit("EA", "Red", "Kestrel", (0, 1), number=2),
        unit("Narn", "Vash", "Dro-Vash", (0, -1), heading=3),
        dice=[1, 4, 15, 15],
        ballistic=[{"side": "Narn", "launcher": "Vash", "mount": "EM1", "launch_hex": [0, -9], "target_hex": [0, 0]}],
        ea=silent("Ajax"),
        narn=silent("Vash"),
    )

    assert ship(done, "Ajax").structure["aft"] == 34 - 16
    assert ship(done, "Vash").structure["fore"] == 40 - 6
    assert flight(done, "Red").status == "destroyed"


@pytest.mark.rule("BR-WPN-7")
def test_pulsar_mines_roll_for_each_fighter():
    """T = 4 + 4 + (0+1-1-1) = 7."""
    done = fire(
        unit("EA", "Red", "Kestrel", (0, -1), number=2),
        unit("Narn", "Brood", "Brood", (0, 0)),
        dice=[7, 5, 8, 1],
        narn=gunner("Brood", "fire PM1 at Red"),
    )

    assert [(one["need"], one["hit"]) for one in events(done, "fire")] == [(7, True), (7, False)]
    assert [one.structure for one in flight(done, "Red").fighters] == [9 - 6, 9]


@pytest.mark.rule("BR-WPN-8")
def test_plasma_webs_sting_all_craft_and_force_double_drop_outs():
    """Structure 3 - 1 = 2: a 3 fails for the turn, another 3 for the battle; R10 follows for the other."""
    done = fire(
        unit("EA", "Red", "Kestrel", (0, -1), number=2, fighters=[{"structure": 3}, {}]),
        unit("Narn", "Gorger", "Gorger", (0, 0)),
        dice=[3, 3, 6, 6],
        narn=gunner("Gorger", "fire PW1 at Red"),
    )

    assert [(one.structure, one.dropped_out) for one in flight(done, "Red").fighters] == [(2, True), (8, False)]


@pytest.mark.rule("BR-WPN-9")
def test_burst_beams_switch_systems_off():
    shooter = unit("Narn", "Sha", "Sha-Kul", (0, -3), heading=3)
    order = gunner("Sha", "fire BB1 at Ajax")
    weapon = fire(AJAX, shooter, dice=[9, 1, 6], ea=silent("Ajax"), narn=order)
    thruster = fire(AJAX, shooter, dice=[9, 1, 2], ea=silent("Ajax"), narn=order)
    primary = fire(AJAX, shooter, dice=[9, 1, 20, 16], ea=silent("Ajax"), narn=order)

    assert dict(ship(weapon, "Ajax").deactivated) == {"CL1": "permanent"}
    assert dict(ship(thruster, "Ajax").deactivated) == {"thruster-fore": 3}
    assert dict(ship(primary, "Ajax").deactivated) == {}
    red = unit("EA", "Red", "Kestrel", (0, 0), number=1)
    fighter = fire(red, shooter, dice=[5, 6], narn=gunner("Sha", "fire BB1 at Red"))
    assert not flight(fighter, "Red").fighters[0].dropped_out


@pytest.mark.rule("BR-WPN-11")
def test_twin_arrays_shoot_twice():
    done = fire(
        AJAX,
        unit("Narn", "Vash", "Dro-Vash", (0, -3), heading=3),
        dice=[20, 20],
        ea=silent("Ajax"),
        narn=gunner("Vash", "fire TA1 at Ajax"),
    )

    assert [one["mount"] for one in events(done, "fire")] == ["TA1", "TA1"]


# --- ballistics ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BR-BAL-1")
def test_a_ballistic_out_of_range_at_impact_is_lost():
    done = fire(
        unit("EA", "Dover", "Picket", (0, 9)),
        unit("Narn", "Foe", "Lance", (0, -40)),
        dice=[],
        ballistic=[ballistic(target="Foe")],
        ea=silent("Dover"),
        narn=silent("Foe"),
    )

    assert "beyond 30" in first(done, "lost_ballistic")["why"]


@pytest.mark.rule("BR-BAL-2", "BR-BAL-5")
@pytest.mark.rule("BR-RUL-35")
def test_missile_kinds():
    """Lance (signature 10, EW 6): standard 12, heavy 13, harm 10 + 3."""
    for kind, need in (("standard", 12), ("long", 12), ("heavy", 13), ("harm", 13)):
        done = fire(
            unit("EA", "Dover", "Picket", (0, 9)),
            unit("Narn", "Foe", "Lance", (0, 0)),
            dice=[20],
            ballistic=[ballistic(kind, target="Foe")],
            ea=silent("Dover"),
            narn=silent("Foe"),
        )
        assert first(done, "fire")["need"] == need


@pytest.mark.rule("BR-BAL-3", "BR-BAL-5")
def test_anti_fighter_missiles_are_fired_in_r8():
    """T = 4 + 10; 5 less armour 2."""
    rack = {"MR1": {"ammunition": {"antifighter": 2}}}
    done = fire(
        unit("EA", "Dover", "Picket", (0, 0), weapon=rack),
        unit("Narn", "Claw", "Fang", (0, -5), number=1),
        dice=[14, 5],
        ea=gunner("Dover", "fire MR1 antifighter at Claw"),
        switches={"missile_mix": "open"},
    )

    assert (first(done, "fire")["need"], flight(done, "Claw").fighters[0].structure) == (14, 5)
    assert ship(done, "Dover").weapon["MR1"].ammunition == {"antifighter": 1}
    assert ship(done, "Dover").weapon["MR1"].charge == 0


@pytest.mark.rule("BR-BAL-4")
def test_fighter_missiles_reach_three_hexes():
    """T = 8 + 1 + 3 on an attack run; interceptable as a ballistic."""
    done = fire(
        unit("EA", "Red", "Kestrel", (0, -3), number=1, order="A", target="Tuk"),
        unit("Narn", "Tuk", "Tir-Zak", (0, 0)),
        dice=[12, 15],
        ea="Red:\n attack Tuk side fore\n missiles",
        narn=silent("Tuk"),
    )

    assert (first(done, "fighter_fire")["need"], first(done, "fighter_fire")["missile"]) == (12, True)
    assert ship(done, "Tuk").structure["fore"] == 28 - 5
    assert flight(done, "Red").fighters[0].missiles == 1


@pytest.mark.rule("BR-BAL-6")
def test_racks_launch_by_themselves_unless_held():
    units = (unit("EA", "Dover", "Picket", (0, 12)), unit("Narn", "Foe", "Lance", (0, -12), heading=3))
    quiet = "Dover:\n hold below 20\n"
    done = tried(*units, dice=[5, 5, 20], ea=quiet, narn=silent("Foe"))
    assert first(done, "launch")["target"] == "Foe"
    held = tried(*units, dice=[5, 5], ea=quiet + " hold MR1", narn=silent("Foe"))
    assert events(held, "launch") == []


@pytest.mark.rule("BR-BAL-1")
def test_a_later_launch_of_a_mount_replaces_the_earlier():
    done = tried(
        unit("EA", "Dover", "Picket", (0, 0)),
        unit("Narn", "Vash", "Dro-Vash", (0, -20)),
        unit("Narn", "Tuk", "Talon", (3, -20)),
        # Initiative of three; the missile at Tuk (T 8+2) misses.
        dice=[10, 10, 10, 11],
        ea="Dover:\n  hold all\n  ballistic MR1 at Vash\n  ballistic MR1 at Tuk",
        narn=silent("Vash", "Tuk"),
    )

    assert done.sheets["EA"].problems == ()
    assert [fact["target"] for fact in events(done, "fire")] == ["Tuk"]


# --- gravity ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("BR-GRV-1")
def test_partial_drives_take_three_quarters():
    """Gravitic cannon, 5 a section: partial 3."""
    done = fire(
        unit("EA", "Tally", "Tallyman", (0, 0)),
        unit("Narn", "Foe", "Tallyman", (0, -4), heading=3),
        dice=[5, 1, 8],
        ea=silent("Tally"),
        narn=gunner("Foe", "fire GC1 at Tally"),
    )

    assert (ship(done, "Tally").structure["fore"], ship(done, "Tally").structure["aft"]) == (33, 31)


@pytest.mark.rule("BR-GRV-3")
def test_a_beam_on_a_destroyed_side_moves_to_the_primary():
    done = fire(
        unit("EA", "Ajax", "Lance", (0, 0), structure={"fore": 0}),
        unit("Narn", "Tally", "Tallyman", (0, -4), heading=3),
        dice=[5, 1, 5, 5, 5],
        ea=silent("Ajax"),
        narn=gunner("Tally", "fire GB1 at Ajax"),
    )

    assert dict(ship(done, "Ajax").structure) == {"fore": 0, "aft": 34 - 5, "primary": 38 - 25}


@pytest.mark.rule("BR-GRV-5")
def test_a_shifter_turns_the_bow():
    shooter = unit("Narn", "Tally", "Tallyman", (0, -4), heading=3)
    done = fire(AJAX, shooter, dice=[5], ea=silent("Ajax"), narn=gunner("Tally", "fire GS1 at Ajax shift port"))
    assert (ship(done, "Ajax").facing, ship(done, "Ajax").heading) == (5, 0)
    gravitic = unit("EA", "Ajax", "Halo", (0, 0))
    resists = fire(
        gravitic, shooter, dice=[5, 4], ea=silent("Ajax"), narn=gunner("Tally", "fire GS1 at Ajax shift port")
    )
    assert ship(resists, "Ajax").facing == 0


@pytest.mark.rule("BR-GRV-7")
def test_gravity_mines_pull_twist_and_shear():
    battle = battle_of(
        unit("EA", "Far", "Lance", (0, 4)),
        unit("EA", "Here", "Lance", (0, 0)),
        unit("EA", "Red", "Kestrel", (0, -5)),
        unit("EA", "Out", "Lance", (0, 6)),
        dice=[5],
    )
    gravity_mines(battle, [GravityMine(Hex(0, 0), "mine")])
    assert battle.ships["Far"].position == Hex(0, 3)
    assert (battle.ships["Here"].position, battle.ships["Here"].facing) == (Hex(0, 0), 1)
    assert battle.flights["Red"].position == Hex(0, -4)
    assert battle.ships["Out"].position == Hex(0, 6)

    torn = battle_of(unit("EA", "Ajax", "Lance", (0, 0)), dice=[5, 6])
    gravity_mines(torn, [GravityMine(Hex(0, -1), "one"), GravityMine(Hex(0, 2), "two")])
    assert dict(torn.ships["Ajax"].structure) == {"fore": 27, "aft": 23, "primary": 27}


@pytest.mark.rule("BR-RUL-47", "BR-GRV-2")
def test_what_a_side_cannot_take_of_a_beam_goes_to_the_primary():
    """3d10+10 = 25 on a fore side of 5: 20 over to the primary, and its own fifth besides."""
    done = fire(
        unit("EA", "Ajax", "Lance", (0, 0), structure={"fore": 5}),
        unit("Narn", "Tally", "Tallyman", (0, -4), heading=3),
        dice=[5, 1, 5, 5, 5],
        ea=silent("Ajax"),
        narn=gunner("Tally", "fire GB1 at Ajax"),
    )

    assert dict(ship(done, "Ajax").structure) == {"fore": 0, "aft": 34 - 5, "primary": 38 - 20 - 5}


@pytest.mark.rule("BR-RUL-36")
def test_fighters_stunned_by_a_web_do_nothing_this_turn():
    """The Fang fails its first roll and passes the second; in R9 it does not shoot. R10 follows for its wound."""
    done = fire(
        unit("EA", "Gorger", "Gorger", (0, 0)),
        unit("EA", "Red", "Kestrel", (5, 0), number=1, order="I"),
        unit("Narn", "Claw", "Fang", (0, -1), fighters=[{"structure": 4}], target="Red"),
        dice=[4, 1, 1],
        ea=gunner("Gorger", "fire PW1 at Claw"),
    )

    assert events(done, "fighter_fire") == []
    assert [one["how"] for one in events(done, "dropout") if one["left"] is not None] == ["for this turn", "", ""]


@pytest.mark.rule("BR-GRV-7")
def test_of_equally_near_gravity_mines_the_first_launched_pulls():
    """EA launched first, Narn fires first and so aims first; the ship between is pulled to EA's mine."""
    done = fire(
        unit("EA", "Tally", "Tallyman", (0, 40)),
        unit("EA", "Ajax", "Lance", (0, 0)),
        unit("Narn", "Foe", "Tallyman", (0, -40)),
        ballistic=[
            {"side": "EA", "launcher": "Tally", "mount": "GM1", "launch_hex": [0, 20], "target_hex": [0, 4]},
            {"side": "Narn", "launcher": "Foe", "mount": "GM1", "launch_hex": [0, -20], "target_hex": [0, -4]},
        ],
        first_fire="Narn",
        dice=[1, 2],
        ea=silent("Tally", "Ajax"),
        narn=silent("Foe"),
    )

    assert [fact["unit"] for fact in events(done, "burst")] == ["Foe", "Tally"]
    assert ship(done, "Ajax").position == (0, 1)
