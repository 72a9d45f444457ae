"""FA-FIRE, FA-DOC, FA-DMG, FA-WPN: who fires at whom, and what it does."""

from __future__ import annotations

from typing import Any

import pytest

from games.fleet_action.orders.records import FireOrder
from games.fleet_action.rules import ballistics, doctrine, elint, fire, weapons
from games.fleet_action.rules.damage import Struck, Wounding
from games.fleet_action.state import Squadron, State
from games.fleet_action.table import Action, Table
from tests.games.fleet_action.builders import (
    CENTAURI_AND_NARN,
    EARTH_AND_MINBARI,
    MINBARI_AND_NARN,
    aim_at,
    at,
    battle,
    events,
    fired,
    flight,
    play,
    play_low,
    ship,
    situation,
    squadron,
    the_flight,
    the_ship,
    the_squadron,
    weapon_left,
)

FAR_NARN = squadron("Kha'Mak", "narn", "5555", "T'Loth-9")
HELD = "Kha'Mak: hold"


def wound(key: str, arc: int, *dice: int, orders: str = "", **fields: Any) -> tuple[Table, Wounding]:
    """A ship of this class that is struck in one arc; dice are drawn as asked."""
    state = situation(
        squadron("Alpha", "earth", "2020", ship("Target-1", key, **fields)),
        squadron("Kha'Mak", "narn", "5555", "T'Loth-1"),
    )
    fight = battle(state, *dice, earth=orders)
    struck = Struck.on_arc(fight.card(fight.ships["Target-1"]), arc)
    count = iter(range(100))
    return fight, Wounding(fight, "Target-1", struck, lambda faces, word: fight.roll(faces, word, next(count)))


def hit(wounding: Wounding, faces: int, *, weapon_class: str = "particle", armour: int | None = None) -> None:
    armour = wounding.struck.armour if armour is None else armour
    wounding.die(wounding.draw(faces, "damage"), armour, weapon_class)


def facing(far: str = "2014", *enemies: str | dict[str, Any], **fields: Any) -> State:
    """Omega-1 looking north at a Narn squadron."""
    return situation(
        squadron("Alpha", "earth", "2020", "Omega-1"),
        squadron("Kha'Mak", "narn", far, *(enemies or ("T'Loth-1",)), heading=4, formation="box", **fields),
    )


def shots(state: State, pulse: int = 1, firer: str = "Omega-1", **orders: str) -> list[tuple[str, str, int]]:
    """What one ship declares in a pulse: weapon, target, x."""
    fight = battle(state, **orders)
    fight.begin(pulse)
    found = fight.squadrons[fight.ships[firer].squadron]
    target = doctrine.target_squadron(fight, found)
    declared = doctrine.declare(fight, fight.ships[firer], fight.members(target) if target else [])
    return [(shot.weapon, shot.target, shot.x) for shot in declared]


def target_of(fight: Table, name: str) -> Squadron:
    found = doctrine.target_squadron(fight, fight.squadrons[name])
    assert found is not None
    return found


# --- fire ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FA-FIRE-1", "FA-DOC-1")
def test_fire_1_a_squadron_fires_at_one_enemy_squadron():
    """The nearest engageable one; an ordered squadron goes before it while it can be engaged."""
    state = situation(
        squadron("Alpha", "earth", "2020", "Omega-1"),
        squadron("Near", "narn", "2012", "T'Loth-1", heading=4),
        squadron("Far", "narn", "2004", "G'Quan-1", "G'Quan-2", heading=4),
        squadron("Away", "narn", "5050", "T'Loth-2", heading=4),
    )
    fight = battle(state, earth="Alpha: target Far pulse 2\nAlpha: target Away pulse 3")
    found = []
    for pulse in (1, 2, 3):
        fight.begin(pulse)
        found.append(target_of(fight, "Alpha").name)
    assert found == ["Near", "Far", "Near"]
    words = {"biggest": "Far", "weakest": "Near", "commander": "Near", "best-chance": "Near", "nearest": "Near"}
    for word, wanted in words.items():
        fight = battle(state, earth=f"Alpha: target {word}")
        fight.begin(1)
        assert target_of(fight, "Alpha").name == wanted


@pytest.mark.rule("FA-FIRE-2", "FA-ELI-5")
def test_fire_2_bypass_counts_ships_strictly_nearer():
    """Two mates are nearer than the hindmost; equal distance is no bypass; a jamming ELINT ship has no cover."""
    state = facing("2014", "T'Loth-1", "T'Loth-2", "T'Loth-3", "Sho'Kar-1")
    fight = battle(state)
    omega = fight.ships["Omega-1"]
    found = {ship.name: fire.bypass(fight, omega, ship) for ship in fight.members(fight.squadrons["Kha'Mak"])}
    assert found == {"T'Loth-1": 0, "T'Loth-2": 1, "T'Loth-3": 1, "Sho'Kar-1": 1}
    fight.actions = [Action("Sho'Kar-1", "jam-command", 1, ("Omega-1",), bared=True)]
    assert fire.bypass(fight, omega, fight.ships["Sho'Kar-1"]) == 0


@pytest.mark.rule("FA-FIRE-10", "FA-AF-2", "FA-AF-8")
def test_fire_10_a_weapon_that_fired_at_fighters_is_not_free_in_that_pulse():
    """Particle beams shoot at the attacking flight, so only the others fire at the ship; af off frees them."""
    state = situation(
        squadron("Alpha", "earth", "2020", "Hyperion-1"),
        squadron("Kha'Mak", "narn", "2018", "T'Loth-1", heading=4),
        flights=[flight("Frazi-1", "frazi", "T'Loth-1", "2020", mission="strike", target="Alpha")],
    )
    fight = battle(state)
    fight.begin(1)
    hyperion = fight.ships["Hyperion-1"]
    assert doctrine.ready_weapons(fight, hyperion) == [0, 1, 2]
    fight.put(weapons.fired_af(fight, hyperion, 2))
    assert doctrine.ready_weapons(fight, fight.ships["Hyperion-1"]) == [0, 1]


@pytest.mark.rule("FA-FIRE-11", "FA-FIRE-12", "FA-DOC-8")
def test_fire_12_secondaries_at_extra_flights_fire_at_half():
    """With a ship target each unused secondary takes a flight of its own, halved; with flights only, one in full."""
    state = situation(
        squadron("Alpha", "earth", "2020", "Omega-1"),
        squadron("Kha'Mak", "narn", "2014", "T'Loth-1", heading=4),
        flights=[
            flight("Frazi-1", "frazi", "T'Loth-1", "2019"),
            flight("Frazi-2", "frazi", "T'Loth-1", "2018"),
        ],
    )
    mixed = shots(
        state, earth="Omega-1:\n fire heavy-laser at nearest\n fire particle-beam at flight biggest\n hold medium-pulse"
    )
    assert mixed == [("heavy-laser", "T'Loth-1", 4), ("particle-beam", "Frazi-1", 2)]
    text = "Omega-1:\n hold heavy-laser\n fire medium-pulse at flight Frazi-2\n fire particle-beam at flight Frazi-1"
    alone = shots(state, earth=text)
    assert alone == [("medium-pulse", "Frazi-2", 3), ("particle-beam", "Frazi-1", 2)]


@pytest.mark.rule("FA-FIRE-13", "FA-FTR-22", "FA-R-41")
def test_fire_13_dogfighters_stealth_and_hangared_flights_are_safe():
    """Only the plain flying flight is a target."""
    state = situation(
        squadron("Alpha", "centauri", "5050", "Balvarin-1"),
        squadron("Kha'Mak", "narn", "2020", "T'Loth-1"),
        sides=CENTAURI_AND_NARN,
        flights=[
            flight("Rutarian-1", "rutarian", "Balvarin-1", "2019"),
            flight("Sentri-1", "sentri", "Balvarin-1", "2019", state="dogfight"),
            flight("Sentri-2", "sentri", "Balvarin-1"),
            flight("Sentri-3", "sentri", "Balvarin-1", "2018"),
        ],
    )
    found = shots(state, firer="T'Loth-1", narn="T'Loth-1: fire twin-array at flight nearest")
    assert found == [("twin-array", "Sentri-3", 3)]


@pytest.mark.rule("FA-FIRE-14")
def test_fire_14_own_units_are_never_targets():
    """A named own ship is refused, and nothing else is near."""
    state = situation(
        squadron("Alpha", "earth", "2020", "Omega-1"),
        squadron("Bravo", "earth", "2019", "Hyperion-1"),
        squadron("Kha'Mak", "narn", "5555", "T'Loth-1"),
    )
    assert shots(state, earth="Omega-1: fire all at Hyperion-1") == []


@pytest.mark.rule("FA-FIRE-15", "FA-ELI-2", "FA-ELI-4")
def test_fire_15_offensive_support_reaches_20_hexes():
    """The command ships are 20 apart: +1; at 21 nothing; an OOC ship gets none."""

    def need(far: str, command: str = "in") -> int:
        state = situation(
            squadron(
                "Alpha", "earth", "2030", "Oracle-1", ship("Omega-1", command=command), formation={"Omega-1": "F1"}
            ),
            squadron("Kha'Mak", "narn", far, "T'Loth-1", heading=4),
        )
        fight = battle(state, earth="Oracle-1: elint offensive")
        elint.allocate(fight)
        return aim_at(fight, "Omega-1", 0, "T'Loth-1").offensive

    assert [need("2010"), need("2009"), need("2010", "ooc")] == [1, 0, 0]


@pytest.mark.rule("FA-FIRE-16", "FA-WDR-4")
def test_fire_16_ships_that_jump_out_do_not_fire_in_that_pulse():
    """Hyperion-1 prepared its jump last turn: it fires in pulse 2, not in pulse 3, and is gone."""
    state = situation(
        squadron("Alpha", "earth", "2020", ship("Hyperion-1", prepared_jump_turn=1)),
        squadron("Kha'Mak", "narn", "2016", "T'Loth-1", heading=4),
        turn=2,
    )
    text = "Alpha:\n hold heavy-laser, medium-pulse\n hold particle-beam pulse 1"
    result = play(state, 1, 1, earth=text, narn=HELD)
    assert [event.facts["pulse"] for event in events(result, "fire")] == [2]
    assert the_ship(result.state, "Hyperion-1").fate == "left"


@pytest.mark.rule("FA-FIRE-10", "FA-AF-2")
def test_fire_10_a_weapon_without_a_flight_left_to_fire_at_stays_free():
    """The pulsar kills the last Frazi (d8 5, d6 4); the fusion cannon rolled nothing and fires at T'Loth-1."""
    state = situation(
        squadron("Valen", "minbari", "2020", "Torotha-1"),
        squadron("Kha'Mak", "narn", "2016", "T'Loth-1", heading=4),
        sides=MINBARI_AND_NARN,
        flights=[
            flight("Frazi-1", "frazi", "T'Loth-1", "2020", count=1, prev_hex="2019", mission="strike", target="Valen")
        ],
    )
    result = play(state, 5, 1, 4, 8, 4, minbari="Valen: hold pulse 2-3", narn="Kha'Mak: hold")
    assert [(e.facts["weapon"], e.facts["kills"]) for e in events(result, "af")] == [("molecular-pulsar", 1)]
    assert fired(result) == [("fusion-cannon", "T'Loth-1", 1)]


# --- doctrine --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FA-DOC-2", "FA-DOC-3")
def test_doc_2_the_first_line_that_finds_a_target_fixes_it():
    """Lasers at T'Loth-2; the second line adds weapons at that target only; words choose among legal targets."""
    state = facing("2014", "T'Loth-1", ship("T'Loth-2", structure=9), "G'Quan-1")
    text = "Omega-1:\n fire heavy-laser at T'Loth-2\n fire medium-pulse at nearest\n hold particle-beam"
    assert shots(state, earth=text) == [("heavy-laser", "T'Loth-2", 4), ("medium-pulse", "T'Loth-2", 3)]
    for word, wanted in {"weakest": "T'Loth-2", "biggest": "G'Quan-1", "commander": "T'Loth-1"}.items():
        assert shots(state, earth=f"Omega-1: fire heavy-laser at {word}\nAlpha: hold medium-pulse, particle-beam") == [
            ("heavy-laser", wanted, 4)
        ]


@pytest.mark.rule("FA-DOC-4", "FA-DOC-6")
def test_doc_4_weapon_words_and_holds():
    """primary is laser and pulse; hold beats fire; energy mines never fire by fire."""
    state = facing()
    assert [entry[0] for entry in shots(state, earth="Omega-1: fire primary at nearest\nAlpha: hold secondary")] == [
        "heavy-laser",
        "medium-pulse",
    ]
    assert shots(state, earth="Omega-1:\n fire all at nearest\n hold") == []
    narn = shots(state, firer="T'Loth-1", narn="T'Loth-1: fire all at nearest")
    assert {entry[0] for entry in narn} == {"heavy-plasma", "mag-gun", "twin-array"}
    mines = facing("2014", "G'Quan-1")
    assert "energy-mine" not in {
        entry[0] for entry in shots(mines, firer="G'Quan-1", narn="G'Quan-1: fire all at nearest")
    }


@pytest.mark.rule("FA-DOC-5")
def test_doc_5_conditions_pulse_within_and_chance():
    """A die of 8 needing 4 has 5/8; within 5 hexes nothing stands; pulse 2 is not now."""
    state = facing()
    held = "Alpha: hold heavy-laser, particle-beam\nOmega-1: "
    assert fire.chance(8, 4) == 5 / 8
    assert (fire.chance(8, 9), fire.chance(8, -3)) == (0, 1)
    hold_default = "\nOmega-1: hold medium-pulse pulse 3"
    for line, fires in (("chance 62%", True), ("chance 63%", False), ("within 6", True), ("within short", False)):
        text = f"{held}fire medium-pulse at nearest {line}{hold_default}"
        fight = battle(state, earth=text)
        fight.begin(1)
        gunner = doctrine._Gunner(fight, fight.ships["Omega-1"], fight.members(fight.squadrons["Kha'Mak"]))
        gunner._aim_at_ship(fight.book.all(FireOrder, "Omega-1")[0])
        assert bool(gunner.at_ship) == fires


@pytest.mark.rule("FA-DOC-7")
def test_doc_7_standing_lines_stay_until_they_are_cancelled():
    """Standing hold: nothing fires this turn nor the next; cancelled, the guns speak again."""
    state = facing("2014")
    first = play(state, earth="Alpha: standing hold", narn="Kha'Mak: standing hold")
    second = play(first.state)
    assert events(first, "fire") == events(second, "fire") == []
    assert [line.text for line in second.state.standing] == ["hold", "hold"]
    text = "Alpha:\n cancel standing\n hold medium-pulse, particle-beam\n hold heavy-laser pulse 2-3"
    third = play(second.state, 1, 1, 1, 1, earth=text)
    assert [event.facts["weapon"] for event in events(third, "fire")] == ["heavy-laser"]
    assert [line.unit for line in third.state.standing] == ["Kha'Mak"]


FRAZIS = [
    flight("Frazi-1", "frazi", "T'Loth-1", "2017", mission="superiority", zone="2017"),
    flight("Frazi-2", "frazi", "T'Loth-1", "2016", mission="superiority", zone="2016"),
]


@pytest.mark.rule("FA-DOC-8", "FA-FIRE-12")
def test_doc_8_beside_a_ship_a_secondary_takes_a_flight_of_its_own_at_half_x():
    """Hyperion-1's particle beam, x2 ahead, rolls one die at the nearer flight; the others fire at T'Loth-1."""
    state = situation(
        squadron("Alpha", "earth", "2020", "Hyperion-1"),
        squadron("Kha'Mak", "narn", "2012", "T'Loth-1", heading=4),
        flights=FRAZIS,
    )
    orders = "Alpha:\n fire particle-beam at flight nearest\n fire primary at nearest\n hold pulse 2-3"
    result = play_low(state, earth=orders, narn="Kha'Mak: hold")
    wanted = [("heavy-laser", "T'Loth-1", 2), ("medium-pulse", "T'Loth-1", 2), ("particle-beam", "Frazi-1", 1)]
    assert fired(result) == wanted


@pytest.mark.rule("FA-DOC-8", "FA-FIRE-12")
def test_doc_8_without_a_ship_the_first_flight_is_the_main_target():
    """T'Loth-1 is out of reach: medium-pulse at Frazi-2 at full x, the particle beam at Frazi-1 halved."""
    state = situation(
        squadron("Alpha", "earth", "2020", "Hyperion-1"),
        squadron("Kha'Mak", "narn", "5555", "T'Loth-1"),
        flights=FRAZIS,
    )
    orders = "Alpha:\n fire medium-pulse at Frazi-2\n fire particle-beam at Frazi-1\n hold pulse 2-3"
    result = play_low(state, earth=orders, narn="Kha'Mak: hold")
    assert fired(result) == [("medium-pulse", "Frazi-2", 2), ("particle-beam", "Frazi-1", 1)]


# --- damage ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FA-DMG-8")
def test_dmg_8_a_sensor_hit_at_zero_falls_on_structure():
    """Sensor 1: the first hit takes it, the second a structure box."""
    fight, wounding = wound("hyperion", 0, sensor=1)
    wounding.sensor()
    wounding.sensor()
    assert (fight.ships["Target-1"].sensor, fight.ships["Target-1"].structure) == (0, 17)


@pytest.mark.rule("FA-DMG-5")
def test_dmg_5_weapon_hits_follow_the_owners_list_and_the_arc():
    """Ordered: heavy laser first; astern of a G'Quan no primary but mines bears; then secondary, then structure."""
    fight, wounding = wound("hyperion", 0, orders="Alpha: damage heavy-laser, medium-pulse")
    for _ in range(3):
        wounding.primary_weapon()
    assert fight.ships["Target-1"].weapon_left == (0, 2, 3, 2)
    fight, wounding = wound("thentus", 3)
    wounding.primary_weapon()
    assert fight.ships["Target-1"].weapon_left == (2, 1)
    fight, wounding = wound("thentus", 3, weapon_left=[2, 0])
    wounding.secondary_weapon()
    assert fight.ships["Target-1"].structure == 9


@pytest.mark.rule("FA-DMG-6", "FA-DMG-7")
def test_dmg_6_manoeuvre_hits_by_arc():
    """Fore decel, aft accel, elsewhere turn; an empty row falls on turn, and turn at 0 on structure."""
    rows = []
    none: dict[str, Any] = {}
    for arc, fields in ((0, none), (3, none), (1, none), (0, {"man_left": {"dec": 0}}), (1, {"man_left": {"tn": 0}})):
        _, wounding = wound("hyperion", arc, **fields)
        wounding.manoeuvre()
        rows.append(wounding.wounds.marks)
    assert rows == [["max decel"], ["max accel"], ["turn"], ["turn"], ["structure"]]


@pytest.mark.rule("FA-DMG-10", "FA-FTR-16")
def test_dmg_10_each_penetrating_die_kills_a_fighter():
    """Three hits on Frazis of armour 4: d8 4, 3, 8 kill two."""
    state = situation(
        squadron("Alpha", "earth", "2020", "Omega-1"),
        squadron("Kha'Mak", "narn", "5555", "T'Loth-1"),
        flights=[flight("Frazi-1", "frazi", "T'Loth-1", "2017", mission="superiority", zone="2017", radius=0)],
    )
    text = "Omega-1:\n fire particle-beam at flight Frazi-1 pulse 1\n hold medium-pulse\n hold particle-beam pulse 2-3"
    result = play(state, 8, 8, 8, 4, 3, 8, earth=text, narn=HELD)
    assert the_flight(result.state, "Frazi-1").count == 4


@pytest.mark.rule("FA-DMG-11")
def test_dmg_11_hangared_flights_die_with_their_ship():
    """T'Loth-1 dies with Frazi-1 aboard; its flagship and commander are lost with it."""
    state = situation(
        squadron("Alpha", "earth", "2020", "Omega-1"),
        squadron("Kha'Mak", "narn", "2018", ship("T'Loth-1", structure=1), "T'Loth-2", heading=4, formation="box"),
        flights=[flight("Frazi-1", "frazi", "T'Loth-1")],
    )
    text = "Omega-1:\n fire heavy-laser at T'Loth-1 pulse 1\n hold medium-pulse, particle-beam"
    result = play(state, 9, 1, 1, 1, 6, earth=text, narn=HELD)
    assert [(e.facts["unit"], e.facts["cause"]) for e in events(result, "loss")] == [
        ("T'Loth-1", "Omega-1"),
        ("Frazi-1", "T'Loth-1"),
    ]
    kha_mak = the_squadron(result.state, "Kha'Mak")
    assert (kha_mak.command_ship, kha_mak.lost_commander_turn) == ("T'Loth-2", 1)


@pytest.mark.rule("FA-DMG-6", "FA-DMG-8")
def test_dmg_6_manoeuvre_hits_fall_back_to_turn_and_then_to_structure():
    """Struck ahead with decel 0 and turn 1: d12 11 against 5, sys 1 sensor, sys 1 turn, sys 1 structure."""
    state = situation(
        squadron("Alpha", "earth", "2016", ship("Hyperion-1", man_left={"dec": 0, "tn": 1}), heading=4),
        squadron("Kha'Mak", "narn", "2020", "T'Loth-1"),
    )
    result = play(state, 5, 11, 1, 1, 1, earth="Alpha: hold", narn=ONLY_MAG_GUN)
    hit = the_ship(result.state, "Hyperion-1")
    assert (hit.structure, hit.sensor, hit.man_left.tn, hit.man_left.dec) == (15, 4, 0, 0)


# --- weapon classes --------------------------------------------------------------------------------------------------


@pytest.mark.rule("FA-WPN-1", "FA-SPC-1")
def test_wpn_1_lasers_ignore_interceptors():
    """Against Hyperion-1 with one interceptor level a laser needs 9, an array 10 and the range."""
    state = situation(
        squadron("Alpha", "earth", "2017", "Hyperion-1", heading=4),
        squadron("Kha'Mak", "narn", "2020", "G'Quan-1"),
    )
    fight = battle(state)
    laser, array = (aim_at(fight, "G'Quan-1", n, "Hyperion-1") for n in (0, 3))
    assert (laser.interceptor, array.interceptor) == (0, 1)
    assert (laser.need, array.need) == (9 - 5, 9 + 1 - 5)


@pytest.mark.rule("FA-WPN-2")
def test_wpn_2_matter_goes_to_one_location():
    """d10 2 structure, 6 a secondary weapon, 7 manoeuvre, 9 sensor, 10 a primary; the overflow follows the chain."""
    fight, wounding = wound("hyperion", 0, 2, 6, 7, 9, 10)
    for _ in range(5):
        wounding.matter(2)
    target = fight.ships["Target-1"]
    assert (target.structure, target.sensor, target.man_left.dec) == (16, 3, 2)
    assert target.weapon_left == (2, 1, 1, 2)
    fight, wounding = wound("hyperion", 0, 10, weapon_left=[1, 0, 3, 2])
    wounding.matter(3)
    assert fight.ships["Target-1"].weapon_left == (0, 0, 1, 2)


@pytest.mark.rule("FA-WPN-5")
def test_wpn_5_flash_does_both_results():
    """Moderate: primary, minor, 1 structure; severe: primary, two minor, 2 structure; dice primary first."""
    fight, wounding = wound("hyperion", 0, 7, 1, 1)
    hit(wounding, 12, weapon_class="flash")
    target = fight.ships["Target-1"]
    assert (target.structure, target.sensor, target.man_left.dec) == (17, 4, 3)
    fight, wounding = wound("hyperion", 0, 12, 2, 2, 1)
    hit(wounding, 12, weapon_class="flash")
    target = fight.ships["Target-1"]
    assert (target.structure, target.weapon_left, target.man_left.dec) == (16, (2, 2, 2, 2), 3)


@pytest.mark.rule("FA-WPN-6")
def test_wpn_6_a_molecular_pulsar_has_six_pulses():
    """d8 8 with need 2 would be seven pulses; six are rolled, a medium pulse cannon five."""
    state = situation(
        squadron("Alpha", "earth", "2020", "Omega-1"),
        squadron("T1", "minbari", "2018", "Tigara-1", heading=4),
        sides=EARTH_AND_MINBARI,
    )
    fight = battle(state)
    pulsar = aim_at(fight, "Tigara-1", 1, "Omega-1")
    cannon = aim_at(fight, "Omega-1", 1, "Tigara-1")
    pulsar.totals.append(7)
    cannon.totals.extend([7, 0])
    assert (fire.pulses_of(pulsar), fire.pulses_of(cannon)) == ([6], [5, 1])


@pytest.mark.rule("FA-WPN-8", "FA-AF-7")
def test_wpn_8_an_electro_pulse_kills_without_armour_roll():
    """Two hits of three dice, two fighters, no damage dice; it cannot fire at ships at all."""
    state = situation(
        squadron("K1", "minbari", "2020", "Morshin-1"),
        squadron("Alpha", "earth", "2018", "Hyperion-1", heading=4),
        sides=EARTH_AND_MINBARI,
        flights=[flight("Fury-1", "aurora", "Hyperion-1", "2019", mission="superiority", zone="2019", radius=0)],
    )
    fight = battle(state)
    assert fire.aim(fight, fight.ships["Morshin-1"], 1, fight.ships["Hyperion-1"]) is None
    text = (
        "Morshin-1:\n fire electro-pulse at flight Fury-1 pulse 1\n hold fusion-cannon\n hold electro-pulse pulse 2-3"
    )
    result = play(state, 12, 12, 1, minbari=text, earth="Alpha: hold")
    assert the_flight(result.state, "Fury-1").count == 4


@pytest.mark.rule("FA-WPN-9", "FA-SPC-5")
def test_wpn_9_ballistics_strike_the_best_armour_at_impact():
    """A missile at a Sharlin: the jammer makes it medium; d12 7 (+5 against 9+1) hits, d10 6 is minor."""
    state = situation(
        squadron("Alpha", "earth", "2040", "Olympus-1"),
        squadron("S1", "minbari", "2010", "Sharlin-1", heading=4),
        sides=EARTH_AND_MINBARI,
        salvo=[
            {"weapon": "missile-rack", "firer": "Olympus-1", "launch": -1, "impact": 1, "x": 1, "target": "Sharlin-1"},
            {"weapon": "missile-rack", "firer": "Olympus-1", "launch": 0, "impact": 1, "x": 2, "target": "Sharlin-1"},
        ],
    )
    result = play(state, 5, 4, 4, 6, earth="Alpha: hold", minbari="S1: hold")
    assert [event.facts["need"] for event in events(result, "impact")] == [5, 5]
    assert the_ship(result.state, "Sharlin-1").structure == 27


@pytest.mark.rule("FA-WPN-9")
def test_wpn_9_a_salvo_whose_target_is_gone_is_lost():
    """Fury-1 is back in its hangar when the torpedoes arrive."""
    state = situation(
        squadron("Alpha", "earth", "2020", "Hyperion-1"),
        squadron("G'Lan", "narn", "5050", "Dag'Kar-1"),
        flights=[flight("Fury-1", "aurora", "Hyperion-1")],
        salvo=[{"weapon": "ion-torpedo", "firer": "Dag'Kar-1", "launch": -1, "impact": 1, "x": 2, "target": "Fury-1"}],
    )
    (lost,) = events(play(state), "impact")
    assert lost.facts["lost"] is True


@pytest.mark.rule("FA-WPN-10")
def test_wpn_10_ooc_members_do_not_launch_and_a_stray_launches_halved():
    """Two Dag'Kars, one out of command: six mines; a stray alone: three."""

    def launched(*ships, **fields):
        state = situation(
            squadron("Alpha", "earth", "2020", "Hyperion-1"), squadron("G'Lan", "narn", "2040", *ships, **fields)
        )
        return [
            e.facts["launchers"]
            for e in events(
                play(state, *fields.pop("dice", ()), narn="G'Lan:\n mines 3030\n hold", earth="Alpha: hold"),
                "mine_launch",
            )
        ]

    assert launched("Dag'Kar-1", ship("Dag'Kar-2", command="ooc")) == [6]
    assert launched("Dag'Kar-1", state="stray") == [3]


@pytest.mark.rule("FA-WPN-11")
def test_wpn_11_radius_by_launchers():
    """1 to 0, 2-3 to 1 and so on, more than 67 to 10."""
    counts = (1, 2, 3, 4, 6, 7, 11, 12, 17, 18, 24, 25, 33, 34, 43, 44, 54, 55, 67, 68)
    radii = [ballistics.mine_radius(count) for count in counts]
    assert radii == [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10]


@pytest.mark.rule("FA-WPN-14")
def test_wpn_14_mines_hit_every_side_once():
    """The launcher's own ship in the radius is rolled for as well."""
    state = situation(
        squadron("Alpha", "earth", "2020", "Hyperion-1"),
        squadron("G'Lan", "narn", "2022", "Dag'Kar-1", heading=4),
    )
    result = play(state, 1, 1, narn="G'Lan:\n mines 2021\n hold", earth="Alpha: hold")
    (burst,) = events(result, "mine_burst")
    assert [entry["unit"] for entry in burst.facts["results"]] == ["Hyperion-1", "Dag'Kar-1"]
    assert weapon_left(result.state, "Dag'Kar-1", "energy-mine") == 6


@pytest.mark.rule("FA-WPN-9", "FA-SPC-5", "FA-ELI-7")
def test_wpn_9_what_was_frozen_at_launch_counts_at_impact_with_the_targets_jammer():
    """Shift 1 at launch and 1 by the jammer: long, 9 + 3 + bypass 1 - sensor 6 - support 1 = 6 on d12.

    d10 8 against front armour 6: moderate even, system 2: neutron-laser.
    """
    state = situation(
        squadron("Alpha", "earth", "5555", ship("Olympus-1", sensor=1)),
        squadron("Valen", "minbari", "2020", "Sharlin-1"),
        sides=EARTH_AND_MINBARI,
        turn=2,
        salvo=[
            {
                "weapon": "missile-rack",
                "firer": "Olympus-1",
                "launch": 1,
                "impact": 4,
                "x": 2,
                "sensor": 6,
                "offensive": 1,
                "bypass": 1,
                "shift": 1,
                "target": "Sharlin-1",
            }
        ],
    )
    result = play(state, 6, 5, 8, 2, earth="Alpha: hold", minbari="Valen: hold")
    (impact,) = events(result, "impact")
    assert (impact.facts["need"], impact.facts["bracket"], impact.facts["hits"]) == (6, "long", 1)
    assert weapon_left(result.state, "Sharlin-1", "neutron-laser") == 3


@pytest.mark.rule("FA-WPN-9", "FA-WPN-3")
def test_wpn_9_a_ballistic_weapon_with_a_subclass_does_its_damage_and_cards_change_in_part():
    """A plasma torpedo against Omega-1: armour 6 counts 4, the die is that of short range.

    missile-rack d12 4 + 5 = def 9 without interceptors (structure 7); d8 5: e = 1 minor, where 6 would stop it.
    """
    torpedo = {"class": "ballistic", "subclass": "plasma", "damage": ["d8", "d6", "d6", "d4"]}
    state = situation(
        squadron("Alpha", "earth", "3030", ship("Omega-1", structure=7)),
        squadron("G'Lan", "narn", "5555", "Dag'Kar-1"),
        salvo=[{"weapon": "ion-torpedo", "firer": "Dag'Kar-1", "launch": 0, "impact": 1, "x": 1, "target": "Omega-1"}],
        weapon={"ion-torpedo": torpedo},
        fighter={"aurora": {"move": 20}},
    )
    assert (state.weapons["ion-torpedo"].range, state.weapons["ion-torpedo"].name) == ((40,), "Ion Torpedo")
    assert (state.fighters["aurora"].move, state.fighters["aurora"].defence) == (20, 13)
    result = play(state, 4, 5, earth="Alpha: hold", narn="G'Lan: hold")
    assert the_ship(result.state, "Omega-1").structure == 6


@pytest.mark.rule("FA-WPN-10", "FA-WPN-11")
def test_wpn_10_a_stray_launches_alone_and_halved():
    """Dag'Kar-1, a stray: 6 mines halved are 3, radius 1; hex 15 away, delay 2."""
    state = situation(
        squadron("Alpha", "earth", "5555", "Omega-1"),
        squadron("Stray", "narn", "2020", "Dag'Kar-1", state="stray"),
    )
    result = play(state, earth="Alpha: hold", narn="Stray:\n mines 2035\n hold")
    (launch,) = events(result, "mine_launch")
    assert (launch.facts["launchers"], launch.facts["delay"]) == (3, 2)
    (burst,) = events(result, "mine_burst")
    assert (burst.facts["pulse"], burst.facts["radius"]) == (2, 1)


ONLY_MAG_GUN = "Kha'Mak:\n hold heavy-plasma\n hold twin-array\n hold pulse 2-3"


@pytest.mark.rule("FA-WPN-5", "FA-DMG-3", "FA-DMG-7", "FA-SPC-1")
def test_wpn_5_a_severe_flash_hit_on_the_side_takes_a_primary_and_two_minor_systems():
    """Mag gun, d8 5 + 5 = 9 + interceptor 1. d12 12 against side 4; sys 2: medium-pulse (the lasers do not bear AS);

    sys 1 and 3: turn 7 to 5, and with the second point CC 4, HT 3, CA 1.
    """
    state = situation(
        squadron("Alpha", "earth", "2016", "Hyperion-1", heading=2),
        squadron("Kha'Mak", "narn", "2020", "T'Loth-1"),
    )
    result = play(state, 5, 12, 2, 1, 3, earth="Alpha: hold", narn=ONLY_MAG_GUN)
    hit = the_ship(result.state, "Hyperion-1")
    rows = hit.man_left
    assert (hit.structure, hit.sensor, hit.weapon_left, hit.turn_hits) == (16, 5, (2, 2, 3, 2), 2)
    assert (rows.tn, rows.cc, rows.ht, rows.ca, rows.dec) == (5, 4, 3, 1, 4)


@pytest.mark.rule("FA-WPN-2", "FA-DMG-5")
def test_wpn_2_points_beyond_the_last_box_fall_along_the_chain():
    """Two matter hits of 2 points: d10 6 takes the last particle beam, then heavy-pulse; d10 9 two off the sensor."""
    state = situation(
        squadron("Alpha", "earth", "2016", ship("Artemis-1", weapon_left=[2, 2, 1, 0]), heading=4),
        squadron("Aquila", "centauri", "2019", ship("Demos-1", sensor=12)),
        sides=(("earth", "Earth", "defender"), ("centauri", "Centauri", "attacker")),
    )
    orders = "Aquila:\n hold secondary\n hold ion-torpedo\n hold pulse 2-3"
    result = play(state, 1, 1, 6, 9, earth="Alpha: hold", centauri=orders)
    hit = the_ship(result.state, "Artemis-1")
    assert (hit.weapon_left, hit.sensor, hit.structure) == ((2, 1, 0, 0), 3, 14)


@pytest.mark.rule("FA-WPN-8", "FA-DMG-10", "FA-FIRE-8")
def test_wpn_8_an_electro_pulse_hit_kills_without_a_die():
    """Fusion cannon d8 5, 4 against 12 - 7; electro-pulse, medium, d12 6, 5 against 6; then the cannon's d10 4."""
    state = situation(
        squadron("Valen", "minbari", "2020", "Esharan-1"),
        squadron("Kha'Mak", "narn", "5555", "T'Loth-1"),
        sides=MINBARI_AND_NARN,
        flights=[flight("Frazi-1", "frazi", "T'Loth-1", "2018", mission="superiority", zone="2018")],
    )
    orders = "Valen:\n fire all at flight nearest\n hold pulse 2-3"
    result = play(state, 5, 4, 6, 5, 4, minbari=orders, narn="Kha'Mak: hold")
    assert fired(result) == [("fusion-cannon", "Frazi-1", 2), ("electro-pulse", "Frazi-1", 2)]
    assert the_flight(result.state, "Frazi-1").count == 4


@pytest.mark.rule("FA-MAP-11", "FA-WPN-9")
def test_map_11_at_distance_0_from_nowhere_the_whole_best_facing_is_struck():
    """Artemis: forward armour 5 covers F, FS and FP; an attacker from the AS hex strikes the aft armour 4."""
    state = situation(squadron("Alpha", "earth", "3030", "Artemis-1"), FAR_NARN)
    fight = battle(state)
    target = fight.ships["Artemis-1"]
    assert fire.struck_from(fight, target, at("3030"), None) == Struck((0, 1, 5), 0, 5)
    assert fire.struck_from(fight, target, at("3030"), at("3131")) == Struck((2,), 2, 4)
