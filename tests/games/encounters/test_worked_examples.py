"""Section 11 of the rule book: every worked example, from its situation file."""

from __future__ import annotations

import pytest

from games.encounters.data import percent_at, tables
from games.encounters.rules.combatant import effective_dv
from tests.games.encounters.builders import (
    SITUATIONS,
    alive,
    damage,
    events,
    find,
    only_problem,
    points,
    ratings,
    rules_of,
    seats_asked,
    squadrons,
    told,
    worked_example,
)


@pytest.mark.parametrize("key", sorted(path.stem for path in SITUATIONS.glob("*.toml")))
def test_every_example_uses_exactly_its_dice(key: str) -> None:
    assert worked_example(key).unused_dice == ()


@pytest.mark.rule("EN-RDY-1", "EN-RDY-2", "EN-RDY-3", "EN-RUL-1")
def test_w1_readiness() -> None:
    tried = worked_example("W1")

    assert [(one["versus"], one["total"], one["modifier"], one["budget"]) for one in told(tried, "readiness")] == [
        (["Korvan"], 8, 0, 0),
        (["Aurigan"], 6, 0, 0),
    ]
    assert [one["data"] for one in told(tried, "detection")] == ["Escort 1, Cruiser 2", "Escort 1, Cruiser 1"]
    assert [roll.label for roll in tried.rolls] == ["readiness/Altair/AUR", "readiness/Altair/KOR"]


@pytest.mark.rule("EN-RDY-3", "EN-RUL-2", "EN-RUL-20")
def test_w2_readiness_rows() -> None:
    """Row 3-4 and row 4-5 overlap: 4 belongs to the better one."""
    pairs = [encounter.between("AUR", "KOR") for encounter in worked_example("W2").before.encounters]

    assert [pair.total for pair in pairs] == [-2, 2, 3, 4, 5, 6, 10, 11, 12, 13, 14, 15, 22]
    assert [pair.modifier for pair in pairs] == [-3, -3, -2, -1, -1, 0, 0, 1, 1, 2, 2, 3, 3]
    assert [pair.budget for pair in pairs] == [0, 0, 0, 0, 0, 0, 0, 4, 4, 6, 6, 8, 8]
    assert [pair.level for pair in pairs] == [0, 0, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]


@pytest.mark.rule("EN-FIR-1", "EN-GFE-2", "EN-GFE-3", "EN-RUL-3", "EN-RUL-4")
def test_w3_effectiveness_rows() -> None:
    """3 gives 50% in space; 9 or more 100% for troops; below the first row is the first row."""
    rolls = (-1, 2, 3, 4, 6, 7, 8, 9, 12)
    fire = tables().fire

    space = [one["percent"] for one in told(worked_example("W3"), "fire_roll", "AUR")]

    assert space == [25, 25, 50, 50, 50, 75, 75, 100, 100]
    assert [percent_at(fire.space, roll) for roll in rolls] == space
    assert [percent_at(fire.troops, roll) for roll in rolls] == [25, 25, 25, 50, 50, 50, 50, 100, 100]
    assert [percent_at(fire.ground_flights, roll) for roll in rolls] == [25, 25, 50, 50, 50, 100, 100, 100, 100]


@pytest.mark.rule("EN-DR-8", "EN-RUL-11", "EN-GEN-2")
@pytest.mark.parametrize(
    ("dv", "costs"),
    [
        (1, (1, 1, 1, 2, 2, 3, 3)),
        (2, (1, 2, 2, 3, 4, 5, 6)),
        (3, (2, 2, 3, 5, 6, 8, 9)),
        (5, (3, 4, 5, 8, 10, 13, 15)),
        (6, (3, 5, 6, 9, 12, 15, 18)),
        (8, (4, 6, 8, 12, 16, 20, 24)),
        (11, (6, 8, 11, 17, 22, 28, 33)),
        (13, (7, 10, 13, 20, 26, 33, 39)),
    ],
)
def test_w4_effective_dv(dv: int, costs: tuple[int, ...]) -> None:
    low, weak, *rest = costs

    assert [effective_dv(dv, rating) for rating in range(-4, 5)] == [low, low, weak, weak, *rest]


@pytest.mark.rule("EN-DR-8", "EN-DMG-2")
def test_w4_directed_fire_pays_the_effective_dv() -> None:
    steps = [cost for _, how, cost, _ in damage(worked_example("W4")) if how == "directed"]

    assert steps == [3, 3, 4, 4, 5, 8, 10, 13, 15]


@pytest.mark.rule("EN-UNT-2", "EN-ECO-6", "EN-VAL-10")
def test_w5_tech_advance() -> None:
    """Escort-2 with a DD-2 goes to Escort-3 with a DD-3; the CT stays where it was."""
    tried = worked_example("W5")
    power = tried.state.powers["AUR"]

    assert (power.tech["Escort"], power.research["Escort"], power.pending["Escort"]) == (3, 0, 0)
    assert power.designs[-1] == "Glaive"
    assert "Hornet" not in power.designs
    assert only_problem(tried, "AUR").rule == "EN-VAL-10"
    assert only_problem(tried, "AUR").text == "design Hornet CT dv 2 as 3 af 1"


@pytest.mark.rule("EN-UNT-8", "EN-UNT-9", "EN-CON-1", "EN-CON-2", "EN-VAL-6", "EN-VAL-7", "EN-RUL-29")
def test_w6_shipyards() -> None:
    tried = worked_example("W6")

    first, second = tried.sheets["AUR"].problems
    assert (first.rule, first.reason, first.hint) == (
        "EN-VAL-7",
        "the base cost of Leviathan is 14, the yards of Vega hold 10",
        "2 Shipyards are needed",
    )
    assert (second.rule, second.reason, second.hint) == (
        "EN-VAL-6",
        "the yards of Vega hold 10, in use 10, needed 2",
        "the largest number that fits is 0",
    )
    assert [(build.design, build.weeks) for build in tried.state.builds] == [("Aegis", 10)]
    assert tried.state.powers["AUR"].treasury == 60 - 13
    assert told(tried, "build_start")[0]["turns"] == 3


@pytest.mark.rule("EN-UNT-9")
def test_w6_a_supercapital_needs_two_shipyards() -> None:
    tried = worked_example("W6-two-slipways")

    assert [(build.design, build.weeks) for build in tried.state.builds] == [("Leviathan", 14)]
    assert tried.state.powers["AUR"].treasury == 60 - 18
    assert told(tried, "build_start")[0]["turns"] == 4


@pytest.mark.rule("EN-SQD-1", "EN-SQD-2", "EN-VAL-23", "EN-RUL-19")
def test_w7_squadron_limits() -> None:
    """The squadron flagship's own CC counts: 4 + 2 = 6 is legal, 8 is not."""
    red, blue = worked_example("W7"), worked_example("W7-blue")

    assert only_problem(red, "AUR").instead == "Red stands as Hood, Ajax"
    assert only_problem(blue, "AUR").instead == "Blue stands as Ajax, Lynx"
    assert (only_problem(red, "AUR").rule, only_problem(blue, "AUR").rule) == ("EN-VAL-23", "EN-VAL-23")


@pytest.mark.rule("EN-MIS-3", "EN-MIS-4", "EN-MIS-7", "EN-DR-3", "EN-DR-6", "EN-FIR-2", "EN-FIR-5", "EN-RUL-6")
@pytest.mark.rule("EN-DMG-2", "EN-DMG-3", "EN-DMG-5", "EN-DMG-7", "EN-RUL-10", "EN-RET-2", "EN-RET-3")
def test_w8_one_round_ships_only() -> None:
    tried = worked_example("W8")

    assert ratings(tried) == {"Ajax": -1, "Lion": 1}
    assert points(tried) == [("AUR", "ships", 5), ("KOR", "ships", 4)]
    assert damage(tried) == [("Dagh", "directed", 3, "crippled"), ("Ajax", "nondirected", 3, "crippled")]
    assert [one["points"] for one in told(tried, "residual")] == [2, 1]
    assert [(one["unit"], one["total"], one["result"]) for one in told(tried, "retreat") if one["total"]] == [
        ("Ajax", 5, False),
        ("Dagh", 7, True),
    ]
    assert find(tried.state, "Dagh").location == "Rigel"


@pytest.mark.rule("EN-FIR-3", "EN-FIR-4", "EN-FIR-6", "EN-FIR-7", "EN-FIR-8", "EN-FIR-9", "EN-RUL-7", "EN-RUL-36")
def test_w9_one_round_with_flights() -> None:
    """Flights lost in the dogfight strike no more: Korvan's flights draw no strike die."""
    tried = worked_example("W9")

    assert points(tried) == [
        ("AUR", "ships", 1),
        ("KOR", "ships", 1),
        ("AUR", "dogfight", 4),
        ("KOR", "dogfight", 2),
        ("AUR", "strike", 3),
        ("AUR", "flak", 1),
        ("KOR", "flak", 1),
    ]
    assert [step[0::3] for step in damage(tried)] == [
        ("Maul 1", "crippled"),
        ("Maul 1", "destroyed"),
        ("Maul 2", "crippled"),
        ("Maul 2", "destroyed"),
        ("Kestrel 1", "crippled"),
        ("Kestrel 1", "destroyed"),
        ("Roost 1", "crippled"),
        ("Kite 1", "crippled"),
        ("Kestrel 2", "crippled"),
    ]
    assert [roll.label.split("/")[-2:] for roll in tried.rolls] == [
        ["ships", "AUR"],
        ["ships", "KOR"],
        ["dogfight", "AUR"],
        ["dogfight", "KOR"],
        ["strike", "AUR"],
        ["flak", "AUR"],
        ["flak", "KOR"],
        ["retreat", str(find(tried.state, "Roost 1").id)],
    ]


@pytest.mark.rule("EN-INX-1", "EN-INX-2", "EN-INX-3", "EN-INX-4", "EN-RUL-21")
def test_w10_includes_and_excludes() -> None:
    """Both uses share the budget of 4 CC, in the order they are written."""
    first, other = worked_example("W10"), worked_example("W10-include-first")

    assert [(one["unit"], one["way"], one["CC"]) for one in told(first, "forced")] == [("Roost 1", "out", 3)]
    assert squadrons(first, "KOR") == {"One": ["Khar"], "Two": ["Dagh"]}
    assert [(one["unit"], one["way"], one["CC"]) for one in told(other, "forced")] == [
        ("Ox", "in", 2),
        ("Dagh", "out", 2),
    ]
    assert squadrons(other, "KOR") == {
        "One": ["Khar"],
        "Three": ["Roost 1", "Kestrel 1", "Kestrel 2"],
        "Pressed": ["Ox"],
    }


@pytest.mark.rule("EN-MIS-5", "EN-MIS-7", "EN-MIS-9", "EN-RUL-5")
def test_w11_fire_control_and_scout() -> None:
    three, four = worked_example("W11"), worked_example("W11-one-more")

    assert [(one["total"], one["percent"]) for one in told(three, "fire_roll", "AUR")] == [(7, 75)]
    assert [(one["total"], one["percent"]) for one in told(four, "fire_roll", "AUR")] == [(8, 75)]
    assert points(three) == points(four) == [("AUR", "ships", 5)]


@pytest.mark.rule("EN-RET-1", "EN-RET-2", "EN-PUR-1", "EN-PUR-2", "EN-RUL-15", "EN-RUL-16")
def test_w12_retreat_and_pursuit() -> None:
    """Capital ships do not pursue; the parting shot falls on the ship that got away intact."""
    tried = worked_example("W12")

    assert [(one["unit"], one["total"], one["result"]) for one in told(tried, "retreat") if one["total"]] == [
        ("Dagh", 7, True),
        ("Vorn", 6, False),
        ("Khar", 8, True),
    ]
    assert told(tried, "pursuit")[0]["points"] == 3
    assert damage(tried) == [("Dagh", "nondirected", 3, "crippled")]


@pytest.mark.rule("EN-PUR-3", "EN-DR-2", "EN-END-3")
def test_w12_pursuers_are_in_disorder_in_the_next_round() -> None:
    assert ratings(worked_example("W12-round-2")) == {"Hood": -1, "Ranger 1": -1, "Ajax": -1}


@pytest.mark.rule("EN-DMG-7", "EN-RUL-13")
def test_w13_residual() -> None:
    on, off = worked_example("W13"), worked_example("W13-switch-off")

    assert points(on) == [("AUR", "ships", 3), ("AUR", "ships", 9)]
    assert [one["points"] for one in told(on, "residual")] == [3, 1]
    assert find(on.state, "Citadel 1").state == "crippled"
    assert points(off) == [("AUR", "ships", 3), ("AUR", "ships", 6)]
    assert find(off.state, "Citadel 1").state == "intact"


@pytest.mark.rule("EN-DMG-6")
@pytest.mark.parametrize(
    ("key", "steps", "left"),
    [
        ("W14", [("Lance 1", "crippled"), ("Bulwark 1", "crippled")], 1),
        ("W14-cheap-first", [("Picket 1", "destroyed"), ("Lance 1", "crippled"), ("Lance 1", "destroyed")], 1),
        ("W14-finish-first", [("Picket 1", "destroyed"), ("Lance 1", "crippled"), ("Lance 1", "destroyed")], 1),
        ("W14-tough-first", [("Citadel 1", "crippled")], 1),
    ],
)
def test_w14_absorb_doctrines(key: str, steps: list[tuple[str, str]], left: int) -> None:
    tried = worked_example(key)

    assert [step[0::3] for step in damage(tried)] == steps
    assert told(tried, "residual")[0]["points"] == left


@pytest.mark.rule("EN-DMG-5", "EN-DR-2")
def test_w15_shields_and_directed_kill() -> None:
    """Crippling takes the Shields away: the second step costs 8 instead of 12."""
    kill, short = worked_example("W15"), worked_example("W15-19-points")

    assert damage(kill) == [("Aegis 1", "directed", 12, "crippled"), ("Aegis 1", "directed", 8, "destroyed")]
    assert damage(short) == [("Aegis 1", "directed", 12, "crippled")]
    assert told(short, "residual")[0]["points"] == 7


@pytest.mark.rule("EN-BOM-1", "EN-BOM-2", "EN-BOM-3", "EN-RUL-24", "EN-RUL-25")
def test_w16_bombardment_in_support() -> None:
    support = told(worked_example("W16"), "bombard")[0]

    assert (support["points"], support["use"], support["effect"]) == (21, "support", 2)


@pytest.mark.rule("EN-BOM-4")
def test_w16_strikes() -> None:
    once, twice = worked_example("W16-strike"), worked_example("W16-33-points")

    assert told(once, "bombard")[0]["stats"] == ["PROD"]
    assert once.state.systems["Rigel"].PROD == 5
    assert told(twice, "bombard")[0]["points"] == 33
    now = twice.state.systems["Rigel"]
    assert (now.CEN, now.MOR, now.PROD) == (4, 4, 4)


@pytest.mark.rule("EN-GFE-1", "EN-GFE-2", "EN-GFE-4", "EN-GDR-2", "EN-GFI-1", "EN-GFI-4", "EN-RUL-26", "EN-RUL-28")
def test_w17_opposed_landing() -> None:
    tried = worked_example("W17")

    assert [(one["power"], one["total"], one["percent"]) for one in told(tried, "ground_roll") if one["die"]] == [
        ("AUR", 5, 50),
        ("KOR", 6, 50),
    ]
    assert damage(tried) == [
        ("Pathfinder 1", "directed", 2, "crippled"),
        ("Pathfinder 1", "directed", 2, "destroyed"),
        ("Militia 1", "nondirected", 2, "crippled"),
        ("Spear", "directed", 2, "crippled"),
    ]
    assert [find(tried.state, name).landed for name in ("1st Line", "2nd Line", "Spear")] == [True, True, True]
    assert tried.state.systems["Rigel"].owner == "KOR"
    assert [roll.label for roll in tried.rolls] == ["ground/Rigel/AUR/troops/AUR", "ground/Rigel/AUR/troops/KOR"]


@pytest.mark.rule("EN-GFE-3", "EN-GDR-1", "EN-GDR-3", "EN-GFI-2", "EN-GFI-3", "EN-GFI-5", "EN-GFI-6", "EN-RUL-38")
@pytest.mark.rule("EN-CAP-2", "EN-RUL-9")
def test_w18_ground_battle_with_flights() -> None:
    tried = worked_example("W18")

    assert [(one["power"], one["kind"], one["percent"]) for one in told(tried, "ground_roll") if one["die"]] == [
        ("AUR", "troops", 100),
        ("KOR", "troops", 50),
        ("AUR", "flights", 100),
        ("KOR", "flights", 50),
    ]
    assert damage(tried) == [
        ("Kite 1", "directed", 1, "crippled"),
        ("Kite 1", "directed", 1, "destroyed"),
        ("Kestrel 1", "nondirected", 1, "crippled"),
        ("Militia 1", "nondirected", 2, "crippled"),
        ("Militia 2", "nondirected", 2, "crippled"),
        ("Militia 1", "nondirected", 2, "destroyed"),
        ("1st Line", "nondirected", 1, "crippled"),
    ]
    assert tried.state.systems["Rigel"].owner == "KOR"


@pytest.mark.rule("EN-UNT-4", "EN-ECO-4", "EN-RUL-30")
def test_w19_maintenance() -> None:
    tried = worked_example("W19")

    assert told(tried, "maintenance", "AUR")[0]["total"] == 16
    assert [one["unit"] for one in told(tried, "unpaid")] == ["Aegis 1", "Aegis 2"]
    assert tried.state.powers["AUR"].treasury == 0


@pytest.mark.rule("EN-MOV-1", "EN-MOV-3", "EN-VAL-14")
def test_w20_movement() -> None:
    """Mira to Rift costs 2; the minor lane from Lyra takes both impulses."""
    tried = worked_example("W20")

    assert {fleet.name: fleet.location for fleet in tried.state.fleets} == {
        "First Fleet": "Rift",
        "North Patrol": "Altair",
    }
    far, lame = only_problem(worked_example("W20-too-far"), "AUR"), only_problem(worked_example("W20-crippled"), "AUR")
    assert (far.rule, far.hint) == ("EN-VAL-14", "the longest legal part is Altair Rift")
    assert (lame.rule, lame.hint) == ("EN-VAL-14", "the longest legal part is Altair")
    assert "Lame limits it" in lame.reason


@pytest.mark.rule("EN-MOV-5")
def test_w20_a_hostile_ship_stops_a_fleet() -> None:
    tried = worked_example("W20-stopped")

    fleet = next(fleet for fleet in tried.state.fleets if fleet.name == "First Fleet")
    assert fleet.location == "Altair"
    assert told(tried, "move", "AUR")[-1]["by"] == "KOR"


@pytest.mark.rule("EN-ORB-2", "EN-MIS-8", "EN-ABL-2", "EN-RUL-22", "EN-RUL-33")
def test_w21_orbital_battle_with_mines() -> None:
    tried = worked_example("W21")

    assert [(one["base"], one["percent"]) for one in told(tried, "points")] == [(6, 75), (4, 25)]
    assert points(tried)[0] == ("KOR", "ships", 5)


@pytest.mark.rule("EN-CMB-1", "EN-SEQ-4", "EN-RUL-32")
def test_w22_combat_and_three_blocs() -> None:
    one, every = worked_example("W22"), worked_example("W22-all")

    assert [fact["sides"] for fact in told(one, "combat")] == [[["AUR"], ["KOR"]]]
    assert [fact["sides"] for fact in told(every, "combat")] == [
        [["AUR"], ["TAL"]],
        [["AUR"], ["KOR"]],
        [["KOR"], ["TAL"]],
    ]
    assert [event.step for event in events(every, "battle_end")] == [
        "space battle at Altair, round 1",
        "space battle at Altair (2), round 1",
        "space battle at Altair (3), round 1",
    ]


@pytest.mark.rule("EN-DMG-4", "EN-RUL-40")
def test_w23_plain_aim() -> None:
    """Choosing at DR 0 costs no premium, so a silent firer aims; behind Armor nothing is aimed at."""
    plain, none = worked_example("W23"), worked_example("W23-none")

    assert damage(plain) == [
        ("Khar", "directed", 5, "crippled"),
        ("Dagh", "directed", 3, "crippled"),
        ("Tarn", "directed", 2, "crippled"),
        ("Dagh", "nondirected", 3, "destroyed"),
    ]
    assert damage(none) == [
        ("Dagh", "nondirected", 3, "crippled"),
        ("Tarn", "nondirected", 2, "crippled"),
        ("Khar", "nondirected", 5, "crippled"),
        ("Dagh", "nondirected", 3, "destroyed"),
    ]


@pytest.mark.rule("EN-GDR-2", "EN-RUL-27")
def test_w24_landing_with_and_without_a_beachhead() -> None:
    """The defender is dug in against any landing; the invader is exposed only in the first."""
    first = [cost for unit, how, cost, _ in damage(worked_example("W24")) if how == "directed"]
    beachhead, assault = worked_example("W24-beachhead"), worked_example("W24-assault")

    assert first == [1]
    assert ("Militia 1", "directed", 4, "crippled") in damage(beachhead)
    assert ("Militia 1", "directed", 3, "crippled") in damage(assault)


@pytest.mark.rule("EN-GRD-3", "EN-CAP-1", "EN-SQD-8", "EN-RET-6", "EN-RET-7", "EN-END-1", "EN-END-2")
def test_6_8_a_first_turn() -> None:
    """The played first turn of the tutorial, phase by phase."""
    strategic, battle, ground = (worked_example(f"first-turn-{word}") for word in ("strategic", "battle", "ground"))

    assert strategic.state.phase == "battle"
    assert [power.treasury for power in strategic.state.powers.values()] == [5, 6]
    assert [one["data"] for one in told(strategic, "detection")] == [
        "DD 4, CA 1",
        "Escort 4, Cruiser 1, Auxiliary 1, Troop 2",
    ]
    assert squadrons(battle, "KOR") == {"1": ["Dagh"], "2": ["Vorn", "Sekh"], "3": ["Tarn"]}
    assert not alive(battle.state, "Vorn")
    places = {one.name: (one.fleet, one.location, one.state) for one in battle.state.units.values() if one.fleet}
    assert places["Hood"] == ("Retreat Vega", "Vega", "crippled")
    assert places["Dagh"] == places["Sekh"] == places["Tarn"] == ("Retreat Rigel", "Rigel", "crippled")
    assert places["Khar"] == ("Red Fleet", "Altair", "intact")
    assert told(battle, "battle_end")[0]["field"] == ["AUR"]
    assert seats_asked(battle.state) == {"AUR"}
    altair = ground.state.systems["Altair"]
    assert (altair.owner, altair.MOR) == ("AUR", 2)
    assert rules_of(ground.sheets["AUR"]) == []
