"""Situation files: every field of the data model may be set, and nothing that does not exist may be named."""

from __future__ import annotations

import pytest

from games.encounters.state import Contact, Seen, Sighting
from pbem.kit.codec import BadData, same
from pbem.kit.scenario import parse_scenario
from tests.games.encounters.builders import (
    MAP,
    damage,
    find,
    force,
    play,
    points,
    ratings,
    situation,
    squadrons,
    start,
    unit,
)  # fmt: skip

ALL_OF_A_POWER = """
treasury = 7
stance = { KOR = "peace" }
tech = { Escort = 2, Flight = 1 }
research = { Escort = 12 }
pending = { Escort = 1 }
designs = ["Halberd"]
intel = { Altair = 2 }
doctrine = { engage = "always", retreat = "losses 40", "direct ships" = "at kill flagship, crippled x 2" }
known = ["Khar", "Bulwark"]
seen = { Rigel = { CEN = 5, MOR = 4, PROD = 3, turn = 2 } }
lost = 13
numbers = { Lance = 4 }

[[power.contacts.Rigel]]
powers = ["KOR"]
level = 6
turn = 3
compare = "more"
count = 1
paths = { Cruiser = 1 }
classes = { CA = 1 }
levels = { CA-1 = 1 }
units = [{ name = "Khar", owner = "KOR", design = "Bulwark", mark = "CA-1", state = "crippled", fleet = "Red Fleet" }]
"""


def test_every_field_of_a_power_may_be_set() -> None:
    """2.1; what a power may build is what its levels open, and what it was granted."""
    state = start(situation(force("AUR", "Vega", "Lance Ajax"), phase="strategic", AUR=ALL_OF_A_POWER))
    mine = state.powers["AUR"]
    assert (mine.treasury, mine.stance, mine.intel, mine.lost) == (7, {"KOR": "peace"}, {"Altair": 2}, 13)
    assert (mine.tech["Escort"], mine.tech["Cruiser"], mine.research, mine.pending) == (
        2,
        0,
        {"Escort": 12},
        {"Escort": 1},
    )
    assert mine.designs == (
        "Picket", "Seeker", "Lance", "Warden", "Watcher", "Shade", "Courser", "Kestrel", "Hammer", "Halberd",
    )  # fmt: skip
    assert mine.doctrine["direct ships"] == "at kill flagship, crippled x 2"
    assert (set(mine.known), mine.seen["Rigel"], mine.numbers) == (
        {"Khar", "Bulwark"},
        Seen(5, 4, 3, turn=2),
        {"Lance": 4},
    )
    khar = Sighting("Khar", "KOR", "Bulwark", "CA-1", "crippled", (), "Red Fleet")
    told = Contact(("KOR",), 6, 3, "more", 1, {"Cruiser": 1}, {"CA": 1}, {"CA-1": 1}, (khar,))
    assert mine.contacts == {"Rigel": (told,)}
    assert same(state) == state


def test_every_field_of_units_fleets_and_builds_may_be_set() -> None:
    """2.5, 2.6; the next unit and the next build take the numbers that follow."""
    scene = situation(
        unit("AUR", "Vega", "Nest", "Roc", id=7, fleet="First Fleet", state="crippled", repairing=True),
        unit("AUR", "Vega", "Kestrel", "Kes", carrier="Roc", state="crippled"),
        unit("AUR", "Altair", "Lance", "Ajax", id=20, retreated=True),
        unit("AUR", "Altair", "Lance", "Lynx", scattered=True),
        unit("AUR", "Rigel", "Line", "Foot", landed=True),
        '[[fleet]]\nname = "First Fleet"\nowner = "AUR"\ndoctrine = { pursue = "yes" }\n',
        '[[build]]\nowner = "AUR"\nsystem = "Vega"\ndesign = "Lance"\nname = "Hood"\nweeks = 2\norder = 5\n',
    )
    state = start(scene)
    assert [(one.id, one.name, one.carrier) for one in state.units.values()] == [
        (7, "Roc", None), (8, "Kes", 7), (20, "Ajax", None), (21, "Lynx", None), (22, "Foot", None),
    ]  # fmt: skip
    roc, ajax, lynx, foot = (find(state, name) for name in ("Roc", "Ajax", "Lynx", "Foot"))
    assert (roc.state, roc.repairing, roc.fleet, ajax.retreated, lynx.scattered, foot.landed) == (
        "crippled", True, "First Fleet", True, True, True,
    )  # fmt: skip
    assert {fleet.name: fleet.doctrine for fleet in state.fleets}["First Fleet"] == {"pursue": "yes"}
    assert [(one.name, one.weeks, one.order) for one in state.builds] == [("Hood", 2, 5)]
    assert (state.next_id, state.next_order) == (23, 6)
    assert same(state) == state


def test_a_file_may_change_a_part_of_a_printed_class() -> None:
    """2.8: what ``[class.DD]`` does not say stays as printed; costs and ratings follow."""
    state = start(situation(force("AUR", "Vega", "Lance Ajax"), "[class.DD]\nCC = 3\nbase_cost = 5\n"))
    lance = state.designs["Lance"]
    assert (lance.CC, lance.cost, lance.CR, lance.DV) == (3, 5, 4, 3)


@pytest.mark.rule("EN-FIR-1")
@pytest.mark.rule("EN-DMG-7")
def test_a_battle_may_start_in_the_middle_of_its_second_round() -> None:
    """AUR has rolled 75% of 5 + 1 AS and brings 2 residual points: R(4.5) + 2 = 7: Dagh (DV 3) at DR 2 costs 6."""
    scene = situation(
        force("AUR", "Altair", "Bulwark Hood", "Lance Ajax", "Watcher Argus", "Bastion"),
        force("KOR", "Altair", "Lance Dagh"),
        """
        [[battle]]
        system = "Altair"
        round = 2
        step = "ships"
        squadrons = { AUR = { Red = ["Argus"], Blue = ["Hood", "Ajax"] } }
        flagship = { AUR = "Argus" }
        mission = { Ajax = "screen", Argus = "firecontrol" }
        DR = { Dagh = 2 }
        eff = { AUR = { ships = 75 } }
        residual = { AUR = { ships = 2 } }
        disorder = ["Hood"]
        """,
        AUR='known = ["Dagh"]',
    )
    aur = "Battle Altair:\n fight all\n rounds 2\n direct ships at Dagh\n"
    # KOR 2 AS, die 2: 25%: R(0.5) = 1. Dagh's retreat: 7 - 1.
    tried = play(scene, 2, 7, AUR=aur, KOR="Battle Altair:\n rounds 1\n")
    assert [roll.label for roll in tried.rolls] == [
        "space/Altair/1/round 2/ships/KOR", "space/Altair/1/round 2/retreat/5",
    ]  # fmt: skip
    assert squadrons(tried, "AUR") == {"Red": ["Argus"], "Blue": ["Hood", "Ajax"]}
    assert ratings(tried) == {"Hood": -1, "Dagh": 2}
    assert points(tried) == [("AUR", "ships", 7), ("KOR", "ships", 1)]
    assert damage(tried) == [("Dagh", "directed", 6, "crippled")]


def test_a_destroyed_unit_only_uses_up_its_id() -> None:
    lost = unit("AUR", "Vega", "Lance", "Ajax", state="destroyed")
    state = start(situation(lost, force("KOR", "Rigel", "Lance Dagh"), unit("AUR", "Vega", "Lance", "Lynx")))
    assert [(one.id, one.name) for one in state.units.values()] == [(1, "Dagh"), (3, "Lynx")]


TWO = force("AUR", "Altair", "Lance Ajax") + force("KOR", "Altair", "Lance Dagh")
POWER_FAULTS = {
    'stance = { KRO = "war" }': "power AUR.stance: 'KRO' is not known; did you mean 'KOR'?",
    "intel = { Nowhere = 1 }": "power AUR.intel: 'Nowhere' is not known; known are Altair, Deneb, Vega, Rigel",
    "intel = { Vega = 6 }": "power AUR.intel.Vega: 6 is outside 0..5",
    "tech = { Escort = 7 }": "power AUR.tech.Escort: 7 is outside 0..5",
    "pending = { Flights = 1 }": "power AUR.pending: 'Flights' is not known; did you mean 'Flight'?",
    "research = { Escort = -1 }": "power AUR.research.Escort: -1 is outside 0 or more",
    "seen = { Vego = { CEN = 1, MOR = 1, PROD = 1, turn = 1 } }": "power AUR.seen: 'Vego' is not known",
    'contacts = { Vega = [{ powers = ["XYZ"], level = 3, turn = 1 }] }': "power AUR.contacts.Vega.powers: 'XYZ'",
    "treasury = -1": "power AUR.treasury: -1 is outside 0 or more",
    "gold = 3": "power[0].gold: no such key",
}
PART_FAULTS = {
    '[[fleet]]\nname = "X"\nowner = "XYZ"': "fleet X.owner: 'XYZ' is not known",
    force("AUR", "Vega", "Lance", fleet="F") + force("AUR", "Altair", "Lance B", fleet="F"): "F is at Vega",
    '[[build]]\nowner = "XYZ"\nsystem = "Vega"\ndesign = "Lance"': "build[0].owner: 'XYZ' is not known",
    '[[build]]\nowner = "AUR"\nsystem = "Vega"\ndesign = "Lance"\nweek = 1': "week: no such key; did you mean 'weeks'?",
    f'{TWO}[[battle]]\nsystem = "Altair"\nround = 4': "battle at Altair.round: 4 is outside 1..3",
    f'{TWO}[[battle]]\nsystem = "Altair"\nDR = {{ Dagh = 5 }}': "battle at Altair.DR.Dagh: 5 is outside -4..4",
    f'{TWO}[[battle]]\nsystem = "Altair"\nresidual = {{ AUR = {{ boats = 1 }} }}': "'boats' is not known",
    f'{TWO}[[battle]]\nsystem = "Altair"\nmission = {{ Dagh = "sleep" }}': "mission.Dagh",
    f'{TWO}[[encounter]]\nsystem = "Altair"\nlead = ["XYZ"]': "encounter at Altair.lead: 'XYZ' is not known",
    '[victory]\nhomes = { XYZ = "Vega" }': "victory.homes: 'XYZ' is not known",
    unit("AUR", "Vega", "Lance", "Ajax", landed=True): "unit Ajax.landed: only troops that nobody carries are landed",
    unit("AUR", "Vega", "Nest", "Roc") + unit("AUR", "Vega", "Lance", "Ajax", carrier="Roc"): "Roc cannot carry",
    unit("AUR", "Vega", "Lance", "Ajax") + unit("AUR", "Vega", "Lance", "AJAX"): "AUR has two units called 'AJAX'",
}


@pytest.mark.parametrize(("text", "complaint"), POWER_FAULTS.items())
def test_a_power_of_a_file_names_what_exists_within_its_range(text: str, complaint: str) -> None:
    with pytest.raises(BadData) as refused:
        start(situation(AUR=text))
    assert complaint in str(refused.value)


@pytest.mark.parametrize(("text", "complaint"), PART_FAULTS.items())
def test_every_other_part_of_a_file_is_checked_as_well(text: str, complaint: str) -> None:
    with pytest.raises(BadData) as refused:
        start(situation(text))
    assert complaint in str(refused.value)


def test_a_situation_file_says_where_it_is_wrong() -> None:
    wrong = parse_scenario(
        f'game = "encounters"\n{MAP}\n[[power]]\nkey = "AUR"\nname = "A"\ntreasure = 3\n', "wrong.toml"
    )
    with pytest.raises(BadData, match="did you mean 'treasury'"):
        start(wrong)


def test_a_unit_may_be_put_down_in_any_state() -> None:
    here = situation(
        unit("AUR", "Vega", "Lance", "Ajax", id=77, state="crippled", repairing=True, scattered=True), phase="battle"
    )
    ajax = find(start(here), "Ajax")

    assert (ajax.id, ajax.state, ajax.repairing, ajax.scattered) == (77, "crippled", True, True)
