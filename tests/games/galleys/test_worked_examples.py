"""The worked examples of section 11, each run from its situation file with the book's dice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from games.galleys.rules.geometry import Hull, zones
from games.galleys.state import Level
from pbem.kit.hexgrid import Hex
from pbem.play.phase import Played as Tried
from tests.games.galleys.builders import SITUATIONS, tried


def place(found: Tried, name: str) -> str:
    ship = found.state.ship(name)
    return f"{ship.bow.q},{ship.bow.r}/{ship.facing}"


def facts(found: Tried, kind: str, *names: str) -> list[dict[str, Any]]:
    return [{name: event.facts[name] for name in names} for event in found.events if event.kind == kind]


def zone_names(hull: Hull) -> dict[str, str]:
    return {f"{at.q},{at.r}": f"{zone.name} {zone.beam}".strip() for at, zone in zones(hull).items()}


@pytest.mark.rule("GA-EX-1", "GA-SHP-1", "GA-SHP-2")
def test_ga_ex_1_zones_of_a_large_ship() -> None:
    found = tried("GA-EX-1")
    ajax, thetis = (found.state.ship(name) for name in ("Ajax", "Thetis"))

    assert Hull(ajax.bow, ajax.facing, large=True).hexes == (Hex(10, 5), Hex(10, 6))
    assert zone_names(Hull(ajax.bow, ajax.facing, large=True)) == {
        "10,4": "bow",
        "11,4": "bow/flank starboard",
        "9,5": "bow/flank port",
        "11,5": "midship/flank starboard",
        "9,6": "midship/flank port",
        "11,6": "stern/flank starboard",
        "9,7": "stern/flank port",
        "10,7": "stern",
    }
    assert Hull(thetis.bow, thetis.facing, large=True).hexes == (Hex(5, 5), Hex(4, 6))
    assert zone_names(Hull(thetis.bow, thetis.facing, large=True)) == {
        "6,4": "bow",
        "6,5": "bow/flank starboard",
        "5,4": "bow/flank port",
        "5,6": "midship/flank starboard",
        "4,5": "midship/flank port",
        "4,7": "stern/flank starboard",
        "3,6": "stern/flank port",
        "3,7": "stern",
    }


@pytest.mark.rule("GA-EX-2", "GA-SHP-2")
def test_ga_ex_2_zones_of_a_small_ship() -> None:
    lark = tried("GA-EX-2").state.ship("Lark")

    assert zone_names(Hull(lark.bow, lark.facing, large=False)) == {
        "11,5": "bow",
        "10,6": "bow/flank starboard",
        "11,4": "bow/flank port",
        "9,6": "stern/flank starboard",
        "10,4": "stern/flank port",
        "9,5": "stern",
    }


@pytest.mark.rule("GA-EX-3", "GA-MOV-1", "GA-MOV-2", "GA-FAT-1")
def test_ga_ex_3_plotted_path() -> None:
    found = tried("GA-EX-3")

    assert place(found, "Ajax") == "11,7/1"
    assert Hull(Hex(11, 7), 1, large=True).stern == Hex(10, 8)
    assert found.state.ship("Ajax").spent == 4
    assert found.rolls == ()


@pytest.mark.rule("GA-EX-4", "GA-MOV-2", "GA-MOV-6")
def test_ga_ex_4_blocked_ahead_and_astern() -> None:
    ahead, astern = tried("GA-EX-4"), tried("GA-EX-4b")

    assert (place(ahead, "Ajax"), ahead.state.ship("Ajax").spent) == ("10,8/0", 2)
    assert facts(ahead, "blocked", "ship", "token", "by") == [{"ship": "Ajax", "token": "F", "by": "Rock"}]
    assert (place(astern, "Ajax"), astern.state.ship("Ajax").spent) == ("10,10/0", 0)
    assert facts(astern, "blocked", "ship", "token", "by") == [{"ship": "Ajax", "token": "S", "by": "Log"}]


@pytest.mark.rule("GA-EX-5", "GA-MIS-1", "GA-MIS-2")
@pytest.mark.parametrize(
    ("example", "expected"),
    [("GA-EX-5", 2), ("GA-EX-5b", None), ("GA-EX-5c", 2), ("GA-EX-5d", 1), ("GA-EX-5e", 2), ("GA-EX-5f", None)],
)
def test_ga_ex_5_fire_lines(example: str, expected: int | None) -> None:
    shots = [shot["range"] for shot in facts(tried(example), "fire", "range", "reaction") if not shot["reaction"]]

    assert shots == ([] if expected is None else [expected])


@pytest.mark.rule("GA-EX-6", "GA-MIS-6", "GA-MIS-7", "GA-MIS-8")
def test_ga_ex_6_exchange() -> None:
    found = tried("GA-EX-6")

    assert facts(found, "fire", "shooter", "points", "range", "die", "loss", "reaction") == [
        {"shooter": "Syracuse", "points": 3, "range": 2, "die": 4, "loss": 1, "reaction": False},
        {"shooter": "Tanit", "points": 2, "range": 2, "die": 6, "loss": 1, "reaction": True},
    ]
    assert (found.state.ship("Syracuse").marines, found.state.ship("Tanit").marines) == (4, 2)


@pytest.mark.rule("GA-EX-7", "GA-MIS-5", "GA-MIS-7", "GA-MIS-8", "GA-MIS-9")
def test_ga_ex_7_split_fire_and_towers() -> None:
    found = tried("GA-EX-7")

    assert facts(found, "fire", "shooter", "target", "points", "range", "die", "mod", "loss") == [
        {"shooter": "Hydra", "target": "Alke", "points": 3, "range": 1, "die": 5, "mod": 2, "loss": 2},
        {"shooter": "Hydra", "target": "Bia", "points": 1, "range": 2, "die": 4, "mod": 1, "loss": 0},
        {"shooter": "Alke", "target": "Hydra", "points": 1, "range": 1, "die": 6, "mod": 0, "loss": 1},
        {"shooter": "Bia", "target": "Hydra", "points": 1, "range": 2, "die": 2, "mod": -1, "loss": 0},
    ]
    assert [found.state.ship(name).marines for name in ("Hydra", "Alke", "Bia")] == [5, 0, 2]


@pytest.mark.rule("GA-EX-8", "GA-GRP-1", "GA-GRP-3", "GA-AVD-3", "GA-AVD-4", "GA-ORD-3", "GA-ORD-4")
def test_ga_ex_8_grapple() -> None:
    found = tried("GA-EX-8")

    assert facts(found, "move", "tokens", "spent") == [{"tokens": "F2", "spent": 2}]
    assert place(found, "Syracuse") == "11,5/5"
    assert facts(found, "avoidance", "die", "result") == [{"die": 4, "result": "partial"}]
    assert facts(found, "grapple", "die", "mod", "result") == [{"die": 5, "mod": -1, "result": "grappled"}]
    assert [(made.ships, made.kind) for made in found.state.links] == [(("Syracuse", "Tanit"), "grappled")]
    tanit = found.state.ship("Tanit")
    assert (tanit.debt, tanit.avoid_count, tanit.marines) == (1, 1, 3)


@pytest.mark.rule("GA-EX-9", "GA-RAM-2", "GA-RAM-5", "GA-RAM-6", "GA-FAT-2", "GA-ORD-4")
def test_ga_ex_9_automatic_ram() -> None:
    found = tried("GA-EX-9")

    assert facts(found, "move", "tokens", "spent") == [{"tokens": "F2 S F1", "spent": 4}]
    assert place(found, "Ajax") == "11,5/5"
    assert facts(found, "ram", "zone", "dice", "total", "code") == [
        {"zone": "midship/flank", "dice": [4, 4], "total": 11, "code": "R"}
    ]
    assert found.state.ship("Thetis").rammed
    assert found.state.links == ()
    assert facts(found, "fatigue", "row", "die", "gained")[0] == {"row": "4", "die": 5, "gained": 0}


@pytest.mark.rule("GA-EX-10", "GA-AVD-3", "GA-AVD-4", "GA-AVD-5", "GA-RAM-5")
def test_ga_ex_10_ram_avoided() -> None:
    found = tried("GA-EX-10")

    ajax, lark = found.state.ship("Ajax"), found.state.ship("Lark")
    assert facts(found, "avoidance", "die", "mod", "result") == [{"die": 6, "mod": 1, "result": "avoided"}]
    assert facts(found, "ram", "total") == []
    assert (place(found, "Ajax"), ajax.ram_used, ajax.fatigue) == ("11,5/5", True, 0)
    assert lark.debt == 1


@pytest.mark.rule("GA-EX-11", "GA-RAK-1", "GA-RAK-3", "GA-RAK-4", "GA-ORD-4")
def test_ga_ex_11_rake_head_on() -> None:
    found = tried("GA-EX-11")

    assert facts(found, "move", "tokens", "to") == [
        {"tokens": "F4", "to": [11, 5]},
        {"tokens": "F2", "to": [11, 7]},
    ]
    assert facts(found, "rake", "dice", "total", "code") == [{"dice": [4, 3], "total": 10, "code": "C"}]
    assert found.state.ship("Thetis").crippled
    ajax = found.state.ship("Ajax")
    assert (place(found, "Ajax"), ajax.spent, ajax.fatigue) == ("11,7/3", 6, 0)


@pytest.mark.rule("GA-EX-12", "GA-RAK-1", "GA-RAK-3", "GA-ACT-1", "GA-RUL-3", "GA-RUL-4")
def test_ga_ex_12_rake_of_a_small_ship_backfires() -> None:
    found = tried("GA-EX-12")

    bee = found.state.ship("Bee")
    assert facts(found, "rake", "total", "code") == [{"total": 3, "code": "X"}]
    assert (place(found, "Bee"), bee.crippled, bee.spent, bee.marines, bee.fatigue) == ("9,5/0", True, 3, 1, 0)


@pytest.mark.rule("GA-EX-13", "GA-PAS-1", "GA-PAS-2", "GA-PAS-3", "GA-PAS-4", "GA-FRM-1")
def test_ga_ex_13_pass_through() -> None:
    found, refused = tried("GA-EX-13"), tried("GA-EX-13b")

    ajax = found.state.ship("Ajax")
    assert facts(found, "rake", "total", "code", "pass") == [{"total": 12, "code": "C", "pass": True}]
    assert found.state.ship("Thetis").crippled
    assert (place(found, "Ajax"), ajax.spent, ajax.fatigue) == ("10,8/3", 4, 0)
    assert place(refused, "Ajax") == "10,4/3"
    assert facts(refused, "blocked", "token", "by") == [{"token": "T", "by": "Thetis is not in line abreast"}]


@pytest.mark.rule("GA-EX-14", "GA-ANA-2", "GA-ANA-3", "GA-ANA-5", "GA-ANA-6", "GA-ANA-7", "GA-ANA-8", "GA-MIS-6")
def test_ga_ex_14_anastrophe_with_a_failed_rake() -> None:
    found = tried("GA-EX-14")

    assert facts(found, "anastrophe", "lane", "side") == [{"lane": "starboard", "side": "port"}]
    assert facts(found, "rake", "total", "code") == [{"total": 7, "code": "N"}]
    assert facts(found, "ram", "zone", "total", "code") == [{"zone": "stern/flank", "total": 12, "code": "S"}]
    assert found.state.ship("Thetis").status == "sunk"
    paralos = found.state.ship("Paralos")
    assert (place(found, "Paralos"), paralos.fatigue, paralos.spent) == ("9,7/1", 1, 7)


@pytest.mark.rule("GA-EX-15", "GA-DIS-1", "GA-DIS-2")
def test_ga_ex_15_disengaging() -> None:
    both, crippled = tried("GA-EX-15"), tried("GA-EX-15b")

    assert facts(both, "disengage", "from", "die", "mod", "result", "cost") == [
        {"from": "Bia", "die": 3, "mod": 1, "result": "free", "cost": 2},
        {"from": "Ceto", "die": 5, "mod": -1, "result": "free", "cost": 2},
    ]
    assert (place(both, "Ajax"), both.state.ship("Ajax").spent) == ("10,8/0", 4)
    assert facts(crippled, "disengage", "result", "cost") == [{"result": "free", "cost": 1}]
    assert crippled.state.ship("Ajax").spent == 1


@pytest.mark.rule("GA-EX-16", "GA-JET-1", "GA-FAT-1")
def test_ga_ex_16_jettison() -> None:
    found = tried("GA-EX-16")

    ship = found.state.ship("Stratonike")
    assert (place(found, "Stratonike"), ship.spent, ship.towers, ship.jettisoned) == ("10,4/0", 7, False, True)
    assert facts(found, "fatigue", "row", "die", "gained")[0] == {"row": "7A", "die": 3, "gained": 1}


@pytest.mark.rule("GA-EX-17", "GA-FLM-1", "GA-FLM-2", "GA-POT-1", "GA-RUL-30", "GA-RUL-31")
def test_ga_ex_17_flame_and_firepot() -> None:
    flame, pot, kept = tried("GA-EX-17"), tried("GA-EX-17b"), tried("GA-EX-17c")

    assert facts(flame, "flame", "die", "mod", "result") == [{"die": 5, "mod": 1, "result": "burns"}]
    assert flame.state.ship("Lark").fire == 1
    assert facts(pot, "ram", "code") == [{"code": "N"}]
    assert facts(pot, "firepot", "die", "result") == [{"die": 5, "result": "burns"}]
    assert (pot.state.ship("Apama").fire, pot.state.ship("Eirene").firepots) == (1, 0)
    assert facts(kept, "firepot", "die") == []
    assert kept.state.ship("Eirene").firepots == 1


@pytest.mark.rule("GA-EX-18", "GA-SEQ-1", "GA-SEQ-2", "GA-SEQ-3", "GA-SEQ-4", "GA-RUL-34")
def test_ga_ex_18_activation_order() -> None:
    found = tried("GA-EX-18")

    assert facts(found, "initiative", "totals", "first") == [{"totals": {"Athens": 4, "Corinth": 4}, "first": "Athens"}]
    assert [event["squadron"] for event in facts(found, "activation", "squadron")] == ["B", "Z", "A", "X", "Y"]


@pytest.mark.rule("GA-EX-19", "GA-BRD-2", "GA-BRD-3", "GA-BRD-4", "GA-BRD-5", "GA-BRD-6", "GA-CRV-1")
def test_ga_ex_19_boarding_and_capture() -> None:
    first, later = tried("GA-EX-19"), tried("GA-EX-19b")

    assert facts(first, "boarding", "attacker", "total", "losses") == [
        {"attacker": "Aquila", "total": 7, "losses": [0, 2]}
    ]
    assert first.state.ship("Hanno").marines == 3
    hanno = later.state.ship("Hanno")
    assert facts(later, "boarding", "total", "losses") == [{"total": 9, "losses": [0, 2]}]
    assert (hanno.side, hanno.prize, hanno.marines, hanno.crew) == ("Athens", True, 1, -1)
    assert later.state.ship("Aquila").marines == 5
    assert later.state.links == ()


@pytest.mark.rule("GA-EX-20", "GA-FIR-2", "GA-SNK-1", "GA-FAT-6")
def test_ga_ex_20_end_phases() -> None:
    found = tried("GA-EX-20")

    assert found.state.ship("Ceto").fire == 2
    assert [found.state.ship(name).status for name in ("Ajax", "Bee")] == ["afloat", "sunk"]
    assert [found.state.ship(name).fatigue for name in ("Dido", "Echo")] == [1, 0]


@pytest.mark.rule("GA-EX-21", "GA-VAL-8", "GA-VAL-10", "GA-VAL-20")
def test_ga_ex_21_validation() -> None:
    found = tried("GA-EX-21")

    by_rule = {problem.rule: problem for problem in found.sheets["Athens"].problems}
    assert set(by_rule) == {"GA-VAL-8", "GA-VAL-10"}
    assert "half" in by_rule["GA-VAL-8"].reason
    assert by_rule["GA-VAL-8"].hint == "highest legal level: full"
    assert by_rule["GA-VAL-10"].reason == "Juno: the path needs 6 MP, cruise gives 4"
    assert by_rule["GA-VAL-10"].hint == "longest legal part: F3 S; lowest level that would suffice: max"
    assert [entry.text for entry in found.sheets["Athens"].accepted] == ["path F3 S", "grapple Nysa"]
    assert place(found, "Juno") == "10,7/1"
    assert found.state.ship("Juno").last_level is Level.CRUISE


@pytest.mark.rule("GA-EX-22", "GA-MOV-8", "GA-MOV-9", "GA-MOV-10")
def test_ga_ex_22_follow_and_approach() -> None:
    follow, approach = tried("GA-EX-22"), tried("GA-EX-22b")

    assert facts(follow, "move", "tokens", "spent") == [{"tokens": "F2 S", "spent": 3}]
    assert place(follow, "Foll") == "10,8/1"
    assert facts(approach, "move", "tokens", "spent") == [{"tokens": "S F1", "spent": 2}]
    assert place(approach, "Ajax") == "11,9/1"


@pytest.mark.rule("GA-EX-23", "GA-ORD-12", "GA-RAM-6")
def test_ga_ex_23_silent_ship() -> None:
    found, fatigued = tried("GA-EX-23"), tried("GA-EX-23b")

    assert facts(found, "move", "tokens", "to") == [{"tokens": "F3 S", "to": [10, 7]}]
    assert facts(found, "ram", "zone", "total", "code") == [{"zone": "midship/flank", "total": 10, "code": "R"}]
    assert found.state.ship("Thetis").rammed
    assert facts(found, "fatigue", "row") == []
    assert (place(fatigued, "Ajax"), fatigued.state.ship("Ajax").spent, fatigued.rolls) == ("10,10/0", 0, ())


@pytest.mark.rule("GA-EX-24", "GA-ORD-2", "GA-FAT-5")
def test_ga_ex_24_which_plan() -> None:
    found = tried("GA-EX-24")

    levels = {event["ship"]: event["level"] for event in facts(found, "speed", "ship", "level")}
    assert levels == {"Ajax": "cruise", "Ceto": "max", "Bias": "full"}
    assert [place(found, name) for name in ("Ajax", "Ceto", "Bias")] == ["10,10/0", "2,10/0", "6,8/0"]
    shots = facts(found, "fire", "shooter", "target", "points")
    assert shots[0] == {"shooter": "Ajax", "target": "Thetis", "points": 1}
    rolled = {event["ship"]: event["row"] for event in facts(found, "fatigue", "ship", "row")}
    assert rolled == {"Ceto": "4", "Bias": "4"}


def test_every_example_of_the_book_has_a_situation_file() -> None:
    files = {path.stem for path in SITUATIONS.glob("GA-EX-*.toml")}

    assert {f"GA-EX-{number}" for number in range(1, 25)} <= files
    assert Path(SITUATIONS).is_dir()
