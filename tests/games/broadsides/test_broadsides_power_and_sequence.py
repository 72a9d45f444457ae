"""Chapters 4.1 and 4.2: the order of things, and power."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.broadsides import GAME
from games.broadsides.rules.catalogue import printed
from games.broadsides.rules.doctrine import UnitOrders
from games.broadsides.rules.power import charge_up, settle_charges, supply_of
from games.broadsides.rules.sequence import command_bonus, firing_list, movement_order, per_activation
from pbem.kit.dice import KeyedDice
from tests.games.broadsides.builders import (
    battle_of,
    events,
    fire,
    first,
    gunner,
    rules_broken,
    ship,
    silent,
    state_of,
    tried,
    unit,
)

HL = printed().weapons["HL"]
NL = printed().weapons["NL"]


@pytest.mark.rule("BR-SEQ-1")
def test_the_steps_of_a_turn_come_in_order():
    done = tried(
        unit("EA", "Ajax", "Lance", (0, 4), speed=1),
        unit("Narn", "Tuk", "Tir-Zak", (0, -4)),
        dice=[5, 5],
        ea=silent("Ajax"),
        narn=silent("Tuk"),
    )

    assert list(dict.fromkeys(event.step for event in done.events)) == ["R2", "R6a", "R14"]


@pytest.mark.rule("BR-SEQ-2")
def test_a_destroyed_ship_loses_its_fire():
    """Tuk's primary has 1 point; Ajax fires first and breaks it."""
    done = fire(
        unit("EA", "Ajax", "Lance", (0, 0)),
        unit("Narn", "Tuk", "Tir-Zak", (0, -3), heading=3, structure={"fore": 0, "primary": 1}),
        dice=[1, 1, 9, 9, 9, 1],
        ea=gunner("Ajax", "fire CL1 at Tuk"),
        narn=gunner("Tuk", "fire MPL1 at Ajax"),
    )

    assert ship(done, "Tuk").status == "destroyed"
    assert [one["firer"] for one in events(done, "fire")] == ["Ajax"]


@pytest.mark.rule("BR-SEQ-3")
def test_a_second_e_mail_may_replace_fire_but_not_movement():
    units = (unit("EA", "Ajax", "Lance", (0, 4), speed=1), unit("Narn", "Tuk", "Tir-Zak", (0, -4)))
    half = tried(
        *units, dice=[5, 5], ea=silent("Ajax") + "\nAjax: path F1", narn=silent("Tuk"), switches={"fire_phase": True}
    )

    assert half.state.phase == "fire"
    assert rules_broken(half.state, "EA", "Ajax: path F1") == ["BR-VAL-2"]
    again = GAME.read_orders(half.state, "EA", "Ajax: fire CL1 at Tuk")
    resolved = GAME.resolve(half.state, {"EA": again}, KeyedDice(b"x"))
    assert {
        event.facts["mount"] for event in resolved.events if event.kind == "fire" and event.facts["firer"] == "Ajax"
    } >= {"CL1"}
    silence = GAME.resolve(half.state, {}, KeyedDice(b"x"))
    assert [event.kind for event in silence.events] == ["score"]


@pytest.mark.rule("BR-SEQ-4")
def test_first_fire_is_rolled_on_odd_turns_and_ties_again():
    units = (unit("EA", "Ajax", "Lance", (0, 40)), unit("Narn", "Tuk", "Tir-Zak", (0, -40)))
    done = tried(*units, dice=[5, 5, 9, 9, 3, 8], turn=3, ea=silent("Ajax"), narn=silent("Tuk"))

    assert first(done, "first_fire")["side"] == "Narn"
    even = tried(*units, dice=[5, 5], turn=4, first_fire="Narn", ea=silent("Ajax"), narn=silent("Tuk"))
    assert even.state.first_fire == "Narn"


@pytest.mark.rule("BR-SEQ-5")
def test_the_ratio_of_ships():
    """More than 2:1 gives two, more than 3:1 three; exactly 2:1 one."""
    assert [per_activation(own, enemy) for own, enemy in ((4, 2), (5, 2), (7, 2), (3, 0), (1, 5))] == [1, 2, 3, 1, 1]


@pytest.mark.rule("BR-SEQ-6")
@pytest.mark.rule("BR-RUL-41")
def test_ships_with_nothing_to_fire_are_passed_over():
    done = fire(
        unit("EA", "Ajax", "Lance", (0, 0), heading=3),
        unit("EA", "Bold", "Lance", (1, 0)),
        unit("Narn", "Tuk", "Tir-Zak", (0, -3), heading=3),
        dice=[20, 20],
        ea=silent("Ajax") + "\n" + gunner("Bold", "fire HP1 at Tuk"),
        narn=gunner("Tuk", "fire MPL1 at Bold"),
    )

    assert [one["firer"] for one in events(done, "fire")] == ["Bold", "Tuk"]


@pytest.mark.rule("BR-SEQ-7")
@pytest.mark.rule("BR-RUL-11")
def test_flights_attack_in_turn():
    done = fire(
        unit("EA", "Ajax", "Lance", (0, 0)),
        unit("EA", "Red", "Kestrel", (0, -3), number=1, order="A", target="Tuk"),
        unit("Narn", "Tuk", "Tir-Zak", (0, -3)),
        unit("Narn", "Claw", "Fang", (0, 0), number=1, order="A", target="Ajax"),
        dice=[20, 20],
        first_fire="Narn",
        ea="Ajax: hold all\nRed: attack Tuk",
        narn="Tuk: hold all\nClaw: attack Ajax",
    )

    assert [one["unit"] for one in events(done, "fighter_fire")] == ["Claw", "Red"]


@pytest.mark.rule("BR-SEQ-8")
def test_the_firing_list_is_larger_first_then_initiative_then_roster():
    battle = battle_of(
        unit("EA", "Dover", "Picket", initiative=19),
        unit("EA", "Ajax", "Lance", initiative=3),
        unit("EA", "Bold", "Lance", initiative=9),
        unit("EA", "Resolute", "Resolute"),
    )

    assert firing_list(battle, "EA") == ["Resolute", "Bold", "Ajax", "Dover"]
    battle.doctrine = replace(battle.doctrine, firing={"EA": ("Dover", "Ajax")})
    assert firing_list(battle, "EA") == ["Dover", "Ajax", "Resolute", "Bold"]


@pytest.mark.rule("BR-SEQ-9")
def test_a_mount_obeys_the_most_exact_line_and_holds_below_its_limit():
    """``fire all`` yields to ``hold HL2``; ``hold below`` cancels named shots too."""
    units = (unit("EA", "Resolute", "Resolute", (0, 0)), unit("Narn", "Tuk", "Tir-Zak", (0, -18), heading=3))
    text = "Resolute:\n fire all at Tuk\n hold MP*\n hold HL2\n hold light\n hold MR*"
    done = fire(*units, dice=[20], ea=text, narn=silent("Tuk"))
    assert [one["mount"] for one in events(done, "fire")] == ["HL1"]
    held = fire(*units, dice=[], ea="Resolute:\n hold all\n fire HL1 at Tuk\n hold below 19", narn=silent("Tuk"))
    assert events(held, "fire") == []


@pytest.mark.rule("BR-SEQ-9", "BR-OSA-2", "BR-HIT-6")
@pytest.mark.parametrize("aim", ["Karn", "best-chance", "nearest"])
@pytest.mark.parametrize(("limit", "shots"), [(10, 1), (11, 0)])
def test_the_hold_limit_counts_the_piercing_malus_under_any_aim(aim, limit, shots):
    """HL1 at range 18: T = 12+6+(2+1-6) - 5 = 10."""
    done = fire(
        unit("EA", "Resolute", "Resolute", (0, -18), heading=3),
        unit("Narn", "Karn", "Karn-Tal", (0, 0)),
        dice=[20] * shots,
        ea=f"Resolute:\n  hold all\n  fire HL1 at {aim} piercing\n  hold below {limit}",
        narn=silent("Karn"),
    )

    assert [fact["need"] for fact in events(done, "fire")] == [10] * shots


@pytest.mark.rule("BR-INI-1", "BR-INI-3")
@pytest.mark.rule("BR-RUL-28")
def test_command_ships_raise_initiative_and_do_not_add_up():
    battle = battle_of(unit("EA", "Resolute", "Resolute"), unit("EA", "Vigil", "Vigil"), unit("Narn", "Tuk", "Tir-Zak"))

    assert (command_bonus(battle, "EA"), command_bonus(battle, "Narn")) == (2, 0)
    for name in ("Resolute", "Vigil"):
        battle.put(replace(battle.ships[name], cnc_failure=True))
    assert command_bonus(battle, "EA") == 0
    assert printed().classes["Vigil"].command == 2


@pytest.mark.rule("BR-INI-2", "BR-JAM-4")
def test_stealth_flights_move_last_under_the_gravitic_rule():
    units = (
        unit("EA", "Lirin", "Lirin", (0, 0), initiative=1),
        unit("Narn", "Tuk", "Tir-Zak", (9, 0), initiative=20),
    )

    assert movement_order(battle_of(*units), ["Tuk", "Lirin"]) == ["Lirin", "Tuk"]
    hidden = battle_of(*units, switches={"jammer_rule": "gravitic"})
    assert movement_order(hidden, ["Tuk", "Lirin"]) == ["Tuk", "Lirin"]


@pytest.mark.rule("BR-PWR-1")
def test_a_weapon_gains_its_power_each_turn_and_fires_only_when_full():
    state = state_of(unit("EA", "Resolute", "Resolute", weapon={"HL1": {"charge": 6}, "MP1": {"charge": 5}}))

    charge = charge_up(printed(), state.ships["Resolute"], UnitOrders()).charge

    assert (charge["HL1"], charge["MP1"], charge["HL2"]) == (12, 6, 24)
    assert rules_broken(state, "EA", "Resolute: fire HL1 at nearest") == ["BR-VAL-17"]


@pytest.mark.rule("BR-PWR-2", "BR-PWR-3")
def test_only_large_weapons_divert_and_the_giver_is_shut_down():
    state = state_of(unit("EA", "Resolute", "Resolute"), switches={"divert_limit": "none"})

    assert rules_broken(state, "EA", "Resolute: divert SPB1 to HL1") == ["BR-VAL-15"]
    assert rules_broken(state, "EA", "Resolute:\n divert HL2 to HL1\n divert HL1 to HL3") == ["BR-VAL-15"]
    assert rules_broken(state, "EA", "Resolute:\n divert HL2 to HL1\n divert HL2 to HL3") == ["BR-VAL-15"]
    assert rules_broken(state, "EA", "Resolute:\n divert HL2 to HL1\n fire HL2 at nearest") == ["BR-VAL-17"]


@pytest.mark.rule("BR-PWR-4")
def test_more_than_double_is_cut():
    """MP (p 3) may gain 6; of HL's 6 only 3 are taken."""
    state = state_of(unit("EA", "Resolute", "Resolute", weapon={"MP1": {"charge": 0}}))
    sheet = GAME.read_orders(state, "EA", "Resolute: divert HL2 to MP1")

    assert "3 points are diverted" in sheet.problems[0].instead


@pytest.mark.rule("BR-PWR-5")
def test_two_turns_of_fire_then_one_of_cooling():
    state = state_of(
        unit("EA", "Resolute", "Resolute", weapon={"HL1": {"consecutive_shots": 1, "used": True, "charge": 0}})
    )

    cooled = settle_charges(HL, state.ships["Resolute"], "HL1").weapon["HL1"]

    assert (cooled.consecutive_shots, cooled.cooling) == (2, True)
    state = state_of(unit("EA", "Resolute", "Resolute", weapon={"HL1": {"consecutive_shots": 2}}))
    assert rules_broken(state, "EA", "Resolute: fire HL1 at nearest") == ["BR-VAL-17"]
    rested = settle_charges(HL, state.ships["Resolute"], "HL1").weapon["HL1"]
    assert (rested.consecutive_shots, rested.cooling) == (0, False)


@pytest.mark.rule("BR-PWR-6", "BR-CRT-4")
@pytest.mark.rule("BR-RUL-29")
def test_a_damaged_reactor_refuses_weapons_from_the_end_of_the_list():
    """Picket, power 9, five reactor blocks lost: 4. MP1 3 and LPC1 2 are wanted; the last on the list goes without."""
    empty = {"MP1": {"charge": 0}, "LPC1": {"charge": 0}}
    state = state_of(unit("EA", "Dover", "Picket", blocks_lost={"reactor": 5}, weapon=empty))
    dover = state.ships["Dover"]

    assert supply_of(printed(), dover) == 4
    assert charge_up(printed(), dover, UnitOrders()).refused == ("LPC1",)
    assert charge_up(printed(), dover, UnitOrders(power=("LPC1",))).refused == ("MP1",)
    dead = replace(dover, blocks_lost={"reactor": 8})
    assert supply_of(printed(), dead) == 0


@pytest.mark.rule("BR-PWR-7")
def test_plasma_batteries_store_and_serve_their_own_section():
    """PB1 gives 6 of its 12 to HPL1 (15 in all), beyond the double limit; SPB-like small givers fill it again."""
    state = state_of(unit("EA", "Gorger", "Gorger", weapon={"HPL1": {"charge": 0}}))
    gorger = state.ships["Gorger"]
    spent = charge_up(printed(), gorger, UnitOrders(batteries=(("PB1", "HPL1", 12),)))

    assert (spent.charge["HPL1"], spent.battery["PB1"]) == (15, 2)
    assert rules_broken(state, "EA", "Gorger: battery PB1 to MPL1 6") == ["BR-VAL-16"]
    low = replace(gorger, battery={"PB1": 0, "PB2": 12, "PB3": 12})
    filled = charge_up(printed(), low, UnitOrders(diverts=(("MPL1", "PB1", 4),)))
    assert (filled.battery["PB1"], filled.charge["MPL1"]) == (4, 0)


@pytest.mark.rule("BR-PWR-8", "BR-DMG-7")
@pytest.mark.rule("BR-RUL-37")
def test_a_sustained_weapon_keeps_its_charge_for_a_second_sure_shot():
    units = (unit("EA", "Velanar", "Velanar", (0, 0)), unit("Narn", "Tuk", "Karn-Tal", (0, -6), heading=3))
    one = fire(*units, dice=[1, 1, 1, 1, 1, 1, 14, 14], ea=gunner("Velanar", "fire NL1 at Tuk"), narn=silent("Tuk"))
    mount = ship(one, "Velanar").weapon["NL1"]
    assert (mount.charge, mount.consecutive_shots, mount.sustained_target) == (18, 1, "Tuk")

    again = unit(
        "EA", "Velanar", "Velanar", (0, 0), weapon={"NL1": {"consecutive_shots": 1, "sustained_target": "Tuk"}}
    )
    two = fire(
        again, units[1], dice=[1, 1, 1, 1, 1, 14, 14], ea=gunner("Velanar", "fire NL1 at Tuk"), narn=silent("Tuk")
    )
    assert first(two, "fire")["result"] == "sustained hit"
    mount = ship(two, "Velanar").weapon["NL1"]
    assert (mount.charge, mount.cooling) == (0, True)
    state = state_of(again, units[1])
    assert rules_broken(state, "EA", "Velanar: divert MD1 to NL1") == ["BR-VAL-15"]
    skipped = settle_charges(NL, state.ships["Velanar"], "NL1").weapon["NL1"]
    assert (skipped.charge, skipped.cooling) == (0, True)
