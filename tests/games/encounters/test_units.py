"""Chapter 4.11 and the catalogue: classes, abilities, designs, construction and repair."""

from __future__ import annotations

import pytest

from games.encounters.data import PATHS, abilities, catalogue, read_catalogue
from games.encounters.setup import setup
from pbem.kit.codec import BadData
from pbem.kit.dice import LoadedDice
from tests.games.encounters.builders import events, find, force, play, rules_of, situation, start, told, unit

# Design, class and level, EP cost, maintenance, CP, CC, CR: table 10.3 as printed.
PRINTED = (
    "Picket CT-1 2 1/6 4 1 3",
    "Seeker CT-1 3 2/6 4 1 3",
    "Lance DD-1 3 1/4 6 2 4",
    "Warden DD-1 3 1/4 6 2 4",
    "Watcher DD-1 4 2/4 6 2 4",
    "Shade DD-1 4 2/4 6 2 4",
    "Courser DD-1 4 1/4 6 2 4",
    "Halberd DD-2 3 1/4 7 2 4",
    "Glaive DD-3 3 1/4 8 2 4",
    "Gadfly CT-2 2 1/6 5 1 3",
    "Hornet CT-3 2 1/6 6 1 3",
    "Ranger CL-1 4 1/3 9 3 5",
    "Hush CL-1 6 2/3 9 3 5",
    "Roost CL-1 6 2/3 9 3 5",
    "Marauder CL-2 4 1/3 11 3 5",
    "Bulwark CA-1 6 1/2 12 4 6",
    "Rampart CA-1 8 1/2 12 4 6",
    "Nest CA-1 8 2/2 12 4 6",
    "Vanguard CA-2 8 2/2 14 4 6",
    "Rapier BC-1 8 2/3 15 5 7",
    "Falchion BC-2 9 2/3 18 5 7",
    "Citadel BB-1 10 1/1 18 6 8",
    "Aegis BB-1 13 2/1 18 6 8",
    "Paragon BB-2 14 1/1 21 6 10",
    "Monarch DN-1 15 2/1 24 8 12",
    "Leviathan DN-1 18 2/1 24 8 10",
    "Titan SD-1 28 4/1 30 10 12",
    "Mule TP-1 3 1/4 5 2 3",
    "Tender TP-1 4 1/4 5 2 3",
    "Caravan CY-1 2 1/6 3 1 3",
    "Sweeper CY-2 3 1/6 4 1 3",
    "Bastion BS-1 10 1/2 20 6 8",
    "Beacon BS-1 16 3/2 20 6 8",
    "Slipway SY-1 10 1/2 8 4 4",
    "Turret DF-1 3 1/6 8 2 4",
    "Flakfort DF-1 3 1/6 8 2 4",
    "Minefield MN-1 1 1/10 3 1 3",
    "Kestrel FI-1 1 1/6 3 1 0",
    "Harrier FI-2 1 1/6 4 1 0",
    "Hammer FB-1 1 1/6 3 1 0",
    "Anvil FB-2 1 1/6 4 1 0",
    "Line IN-1 1 1/6 3 1 0",
    "Militia IN-1 1 1/6 3 1 0",
    "Pathfinder IN-1 2 2/6 3 1 0",
    "Storm IN-1 2 2/6 3 1 0",
    "Breaker AR-1 2 1/4 6 2 0",
    "Spearhead AR-1 3 2/4 6 2 0",
    "Ironclad AR-2 2 1/4 7 2 0",
)


@pytest.mark.rule("EN-UNT-1")
def test_every_path_has_exactly_two_classes() -> None:
    classes = catalogue().classes

    assert [sum(1 for of in classes.values() if of.path == path) for path in PATHS] == [2] * 9
    with pytest.raises(BadData, match="the path Escort has 3 classes"):
        read_catalogue({"XX": {**plain_class(), "path": "Escort"}}, {}, "test", catalogue())


def plain_class() -> dict[str, object]:
    return {
        "name": "Odd",
        "category": "ship",
        "base_cost": 2,
        "maint": 1,
        "group": 6,
        "cp1": 4,
        "cp_step": 1,
        "CC": 1,
        "speed": 2,
    }


@pytest.mark.rule("EN-UNT-3", "EN-UNT-4", "EN-SQD-10", "EN-RUL-31")
def test_the_catalogue_is_the_printed_one() -> None:
    """Costs, maintenance and command ratings are computed from class and abilities, and agree with the table."""
    made = catalogue().designs

    computed = tuple(f"{d.name} {d.mark} {d.cost} {d.M}/{d.G} {d.CP} {d.CC} {d.CR}" for d in made.values())
    assert computed == PRINTED


@pytest.mark.rule("EN-UNT-5")
@pytest.mark.parametrize(
    ("stats", "complaint"),
    [
        ({"DV": 3, "AS": 2, "AF": 2}, "is 7, but the CP of DD-1 is 6"),
        ({"DV": 1, "AS": 3, "AF": 2}, "dv 1 is outside 2..3"),
        ({"DV": 2, "AS": 4, "AF": 0}, "as 4 is outside 0..3"),
        ({"DV": 3, "AS": 2, "AF": 1, "abilities": ["Scout", "Armor", "Fast"]}, "3 abilities, at most 2"),
        ({"DV": 3, "AS": 2, "AF": 1, "abilities": ["Recon"]}, "Recon is for troop"),
        ({"DV": 3, "AS": 2, "AF": 1, "abilities": ["Carrier"]}, "Carrier needs CV 1"),
    ],
)
def test_a_design_that_breaks_the_limits_is_refused(stats: dict[str, object], complaint: str) -> None:
    with pytest.raises(BadData, match=complaint):
        read_catalogue({}, {"Odd": {"class": "DD", "level": 1, **stats}}, "test", catalogue())


@pytest.mark.rule("EN-UNT-5")
def test_flights_troops_and_fortifications_carry_nothing() -> None:
    with pytest.raises(BadData, match=r"cv 1 is outside 0\.\.0"):
        read_catalogue(
            {}, {"Odd": {"class": "IN", "level": 1, "DV": 1, "AS": 1, "AF": 0, "CV": 1}}, "test", catalogue()
        )


@pytest.mark.rule("EN-UNT-6")
def test_carrying_takes_cv_equal_to_cc() -> None:
    """A Mule (CV 3) holds a Breaker (2) and a Line (1) and nothing more."""
    with pytest.raises(BadData, match="no room for 1 more"):
        setup(situation(force("AUR", "Vega", "Mule: Breaker, 2 Line")), LoadedDice())


@pytest.mark.rule("EN-ABL-1")
def test_the_abilities_are_those_of_the_table() -> None:
    table = {word: (rule.categories, rule.EP, rule.M) for word, rule in abilities().items()}

    assert table == {
        "Scout": (("ship",), "half", 1),
        "Stealth": (("ship",), "half", 1),
        "Jammer": (("ship", "base"), "half", 1),
        "Carrier": (("ship", "base"), "half", 1),
        "Armor": (("ship", "base"), "half", 0),
        "Shields": (("ship", "base"), "half", 1),
        "Recon": (("troop",), "half", 1),
        "Shock": (("troop",), "half", 1),
        "Command": (("ship",), 1, 0),
        "Supply": (("ship",), 1, 0),
        "Minesweeper": (("ship",), 1, 0),
        "Fast": (("ship",), 1, 0),
    }


# --- construction ----------------------------------------------------------------------------------------------------

YARD = force("AUR", "Vega", "Slipway Dock")


@pytest.mark.rule("EN-CON-1", "EN-UNT-8")
def test_ships_use_the_yards_and_everything_else_the_local_works() -> None:
    """Vega: one Shipyard (10), works 2 x 6 = 12. A Hush costs 6 EP but takes 4 capacity."""
    here = situation(YARD, phase="strategic", AUR="treasury = 60")
    tried = play(
        here, AUR="build 2 Hush at Vega\nbuild Picket at Vega\nbuild 12 Militia at Vega\nbuild Militia at Vega"
    )

    assert rules_of(tried.sheets["AUR"]) == ["EN-VAL-8"]
    assert len(tried.state.builds) == 15
    assert tried.state.powers["AUR"].treasury == 60 + 18 - 1 - 12 - 2 - 12


@pytest.mark.rule("EN-CON-2", "EN-RUL-29")
def test_a_finished_ship_joins_the_yard_fleet_under_the_lowest_free_number() -> None:
    """8 weeks left and 4 a turn: it appears in the second turn from now."""
    slips = "".join(
        f'[[build]]\nowner = "AUR"\nsystem = "Vega"\ndesign = "{d}"\nweeks = {w}\n'
        for d, w in (("Lance", 4), ("Line", 1))
    )
    here = situation(YARD, force("AUR", "Vega", "Lance Lance 1"), slips, phase="strategic")
    tried = play(here)

    lance, line = find(tried.state, "Lance 2"), find(tried.state, "Line 1")
    assert (lance.fleet, lance.location, line.landed) == ("Yard Vega", "Vega", True)
    assert [one["unit"] for one in told(tried, "build_done")] == ["Lance 2", "Line 1"]


@pytest.mark.rule("EN-CON-2", "EN-ECO-7")
def test_a_unit_completed_this_turn_may_be_ordered_in_the_same_letter() -> None:
    slips = '[[build]]\nowner = "AUR"\nsystem = "Vega"\ndesign = "Lance"\nweeks = 4\nname = "Hood"\n'
    tried = play(situation(YARD, slips, phase="strategic"), AUR="Yard Vega: move Altair")

    assert tried.sheets["AUR"].problems == ()
    assert find(tried.state, "Hood").location == "Altair"


@pytest.mark.rule("EN-CON-3")
def test_if_capacity_falls_the_latest_builds_stand_still() -> None:
    slips = "".join(
        f'[[build]]\nowner = "AUR"\nsystem = "Vega"\ndesign = "Bulwark"\nweeks = 6\norder = {n}\n' for n in (1, 2)
    )
    tried = play(situation(YARD, slips, phase="strategic"))

    assert [(one.order, one.weeks) for one in tried.state.builds] == [(1, 2), (2, 6)]
    assert told(tried, "build_stalled")[0]["reason"] == "no capacity"


@pytest.mark.rule("EN-CON-4", "EN-ECO-3")
def test_a_blockaded_system_makes_no_progress_and_yields_nothing() -> None:
    slips = '[[build]]\nowner = "AUR"\nsystem = "Vega"\ndesign = "Line"\n'
    here = situation(
        slips, force("KOR", "Vega", "Lance Dagh"), phase="strategic", switches="supply = false", KOR="treasury = 9"
    )
    tried = play(here, 5, 5, AUR="build Line at Vega")

    assert [one["EP"] for one in told(tried, "income", "AUR")] == [0]
    assert told(tried, "build_stalled")[0]["reason"] == "blockaded"
    assert rules_of(tried.sheets["AUR"]) == ["EN-VAL-9"]


@pytest.mark.rule("EN-CON-5")
def test_a_repair_takes_capacity_half_the_base_cost_and_the_turn() -> None:
    here = situation(YARD, unit("AUR", "Vega", "Bulwark", "Hood", state="crippled", fleet="First"), phase="strategic")
    tried = play(here, AUR="repair Hood\nbuild Bulwark at Vega")

    assert rules_of(tried.sheets["AUR"]) == ["EN-VAL-6"]
    assert find(tried.state, "Hood").state == "intact"
    assert tried.state.powers["AUR"].treasury == 18 - 2 - 3


@pytest.mark.rule("EN-CON-5")
def test_a_ship_that_retreats_is_not_repaired_and_troops_mend_for_at_least_1_ep() -> None:
    here = situation(
        YARD,
        unit("AUR", "Vega", "Bulwark", "Hood", state="crippled", repairing=True),
        force("KOR", "Vega", "Mule Ox"),
        switches="max_rounds = 1",
    )
    fled = play(here, 9, AUR="Battle Vega:\n fight all\n retreat to Altair", KOR="Battle Vega:\n retreat none")
    mended = play(
        situation(YARD, unit("AUR", "Vega", "Line", "1st", state="crippled"), phase="strategic"), AUR="repair 1st"
    )

    assert find(fled.state, "Hood").state == "crippled"
    assert find(mended.state, "1st").state == "intact"
    assert told(mended, "repair")[0]["EP"] == 1


@pytest.mark.rule("EN-CON-6")
def test_cancelling_returns_half_and_scrapping_a_quarter() -> None:
    """A Rapier (8) cancelled gives 4; a Nest (8) scrapped gives 2, its flight is set down."""
    slips = '[[build]]\nowner = "AUR"\nsystem = "Vega"\ndesign = "Rapier"\n'
    here = situation(YARD, slips, force("AUR", "Vega", "Nest Perch: Kestrel K1"), phase="strategic")
    tried = play(here, AUR="cancel Rapier at Vega\nscrap Perch")

    assert tried.state.powers["AUR"].treasury == 18 - 4 + 4 + 2
    assert find(tried.state, "K1").carrier is None
    assert events(tried, "scrap")[0].seen_by == {"AUR"}


@pytest.mark.rule("EN-ABL-2")
def test_minesweepers_spare_mines_what_they_cannot_reach() -> None:
    """One Sweeper takes 4 of the 10 AS of five Minefields."""
    here = situation(
        force("AUR", "Rigel", "Mule Atlas: Line 1st", "Sweeper Broom"),
        force("KOR", "Rigel", "5 Minefield"),
        phase="ground",
        switches="max_rounds = 1",
    )
    tried = play(here, 1, 1, AUR="Ground Rigel:\n invade\n squadron Red = Broom, Atlas\n retreat none\nRed: screen")

    assert told(tried, "points")[0]["base"] == 6


def test_names_are_given_once() -> None:
    with pytest.raises(BadData, match="two units called 'Ajax'"):
        start(situation(force("AUR", "Vega", "Lance Ajax", "Lance Ajax")))
