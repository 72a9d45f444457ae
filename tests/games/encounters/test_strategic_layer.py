"""Chapter 4.12: economy, intelligence, movement, cargo, supply and victory."""

from __future__ import annotations

from typing import Any

import pytest

from games.encounters.rules.economy import yield_of
from games.encounters.rules.supply import in_supply
from games.encounters.state import System
from games.encounters.table import Table
from pbem.kit.dice import LoadedDice
from tests.games.encounters.builders import (
    ending,
    find,
    force,
    only_problem,
    play,
    rules_of,
    seats_asked,
    situation,
    start,
    told,
    unit,
)

NO_SUPPLY = "supply = false"
VICTORY = '[victory]\npoints = { Vega = 5, Rigel = 5, Altair = 3 }\nhomes = { AUR = "Vega", KOR = "Rigel" }\n'


@pytest.mark.rule("EN-ECO-1")
@pytest.mark.parametrize(
    ("cen", "mor", "prod", "income"), [(6, 5, 6, 18), (6, 3, 4, 12), (6, 2, 5, 8), (6, 0, 6, 0), (0, 0, 0, 0)]
)
def test_income_follows_productivity_and_morale(cen: int, mor: int, prod: int, income: int) -> None:
    """RAW 3; half (halves up) when 2 x MOR is below CEN, nothing without morale."""
    assert yield_of(System("Vega", RAW=3, CEN=cen, MOR=mor, PROD=prod)) == income


@pytest.mark.rule("EN-ECO-2", "EN-ECO-7")
def test_the_form_shows_the_funds_of_the_start_of_the_turn() -> None:
    """6 in hand + 18 - 1 for one Lance; a declaration of peace in the same letter changes nothing of it."""
    tried = play(
        situation(force("AUR", "Vega", "Lance Ajax"), phase="strategic", AUR="treasury = 6"), AUR="stance KOR peace"
    )
    form = tried.game.template(tried.game.view(tried.before, "AUR"))

    assert "6 in hand + 18 income - 1 maintenance = 23 EP to spend" in form
    assert tried.state.powers["AUR"].treasury == 23


@pytest.mark.rule("EN-ECO-3")
def test_a_station_of_the_owner_lifts_a_blockade_and_peace_knows_none() -> None:
    dagh = force("KOR", "Vega", "Lance Dagh")

    def income(*parts: str, **more: Any) -> int:
        here = situation(dagh, *parts, phase="strategic", switches=NO_SUPPLY, **{"KOR": "treasury = 9", **more})
        points: int = told(play(here, 5, 5), "income", "AUR")[0]["EP"]
        return points

    assert income() == 0
    assert income(force("AUR", "Vega", "Bastion Rock")) == 18
    assert income(AUR='stance = { KOR = "peace" }', KOR='treasury = 9\nstance = { AUR = "peace" }') == 18


@pytest.mark.rule("EN-ECO-4")
def test_unpaid_units_fall_idle_the_dearest_first() -> None:
    tried = play(
        situation(force("AUR", "Altair", "Citadel Rok", "Rapier Sabre"), phase="strategic", chart=BARREN), AUR=""
    )

    assert told(tried, "maintenance", "AUR")[0] | {"total": 3, "short": 3} == told(tried, "maintenance", "AUR")[0]
    assert [one["unit"] for one in told(tried, "unpaid")] == ["Rok", "Sabre"]


BARREN = """
system = [{ name = "Altair", x = 0 }, { name = "Vega", x = 1, owner = "AUR" }, { name = "Rigel", x = 2, owner = "KOR" }]
lane = [{ ends = ["Vega", "Altair"] }, { ends = ["Altair", "Rigel"] }]
"""


@pytest.mark.rule("EN-ECO-5", "EN-VAL-20")
def test_investing_raises_one_stat_once_a_turn_within_its_limit() -> None:
    tried = play(
        situation(phase="strategic", AUR="treasury = 40"),
        AUR="invest prod at Vega\ninvest cen at Vega\ninvest mor at Vega",
    )

    assert rules_of(tried.sheets["AUR"]) == ["EN-VAL-20", "EN-VAL-20"]
    assert tried.sheets["AUR"].problems[0].reason == "PROD of Vega is 6, its limit is 6"
    assert tried.state.systems["Vega"].CEN == 7
    assert tried.state.powers["AUR"].treasury == 40 + 18 - 10


@pytest.mark.rule("EN-ECO-6")
def test_an_advance_stays_pending_until_a_design_is_drawn_in_a_later_letter() -> None:
    tried = play(situation(phase="strategic", AUR="treasury = 30"), AUR="research Escort 25")
    power = tried.state.powers["AUR"]
    assert (power.tech["Escort"], power.pending["Escort"], power.research["Escort"]) == (1, 1, 5)

    sheet = tried.game.read_orders(tried.state, "AUR", "design Halberd DD dv 3 as 3 af 1")
    assert sheet.problems == ()


@pytest.mark.rule("EN-INT-1", "EN-VAL-19")
def test_intel_is_bought_three_a_turn_five_held_where_one_is_present() -> None:
    here = situation(phase="strategic", AUR="treasury = 30\nintel = { Vega = 3 }")
    tried = play(here, AUR="intel buy 3 at Vega\nintel buy 2 at Vega\nintel buy 1 at Rigel")

    assert rules_of(tried.sheets["AUR"]) == ["EN-VAL-19", "EN-VAL-19"]
    assert tried.sheets["AUR"].problems[0].hint == "the largest legal number is 2"
    assert tried.state.powers["AUR"].intel == {"Vega": 5}
    assert tried.state.powers["AUR"].treasury == 30 + 18 - 4


@pytest.mark.rule("EN-INT-2")
def test_spent_intel_is_gone_even_without_an_encounter() -> None:
    tried = play(situation(phase="strategic", AUR="treasury = 9"), AUR="intel buy 2 at Vega\nintel spend 2 at Vega")

    assert tried.state.powers["AUR"].intel == {}


# --- movement --------------------------------------------------------------------------------------------------------

LONG = """
system = [
    { name = "A", x = 0, owner = "AUR" }, { name = "B", x = 1 }, { name = "C", x = 2 }, { name = "D", x = 3 },
    { name = "Home", x = 4, owner = "KOR" },
]
lane = [
    { ends = ["A", "B"] }, { ends = ["B", "C"] }, { ends = ["C", "D"] }, { ends = ["A", "D"], kind = "restricted" },
    { ends = ["D", "Home"] },
]
"""


@pytest.mark.rule("EN-MOV-1")
def test_a_fleet_of_fast_ships_has_three_movement_points() -> None:
    fast = play(
        situation(force("AUR", "A", "2 Courser", fleet="F"), phase="strategic", chart=LONG, AUR="treasury = 9"),
        AUR="F: move B C D",
    )
    mixed = play(
        situation(force("AUR", "A", "Courser", "Lance", fleet="F"), phase="strategic", chart=LONG, AUR="treasury = 9"),
        AUR="F: move B, C, D",
    )

    assert fast.state.fleets[0].location == "D"
    assert only_problem(mixed, "AUR").rule == "EN-VAL-14"


@pytest.mark.rule("EN-MOV-2", "EN-VAL-15")
def test_a_restricted_lane_takes_eight_cc_of_a_power_each_way() -> None:
    here = situation(
        force("AUR", "A", "Bulwark", "Lance", fleet="One"),
        force("AUR", "A", "Lance", fleet="Two"),
        force("AUR", "A", "Picket", fleet="Three"),
        phase="strategic",
        chart=LONG,
        AUR="treasury = 9",
    )
    tried = play(here, AUR="One: move D\nTwo: move D\nThree: move D")

    assert only_problem(tried, "AUR").reason == "the lane A-D takes 8 CC a turn; 8 CC use it, the fleet has 1 CC"
    assert {fleet.name: fleet.location for fleet in tried.state.fleets} == {"One": "D", "Two": "D", "Three": "A"}


@pytest.mark.rule("EN-MOV-3")
def test_a_fleet_that_comes_over_a_long_lane_arrives_in_the_second_impulse() -> None:
    """Aurigan passes B in impulse 1 before Korvan's ship is there in impulse 2, and is not stopped."""
    chart = LONG.replace(
        '{ ends = ["D", "Home"] }', '{ ends = ["D", "Home"] }, { ends = ["Home", "B"], kind = "minor" }'
    )
    here = situation(
        force("AUR", "A", "Lance", fleet="F"),
        force("KOR", "Home", "Lance Dagh", fleet="G"),
        phase="strategic",
        chart=chart,
        AUR="treasury = 9",
        KOR="treasury = 9",
        switches=NO_SUPPLY,
    )
    tried = play(here, AUR="F: move B C", KOR="G: move B")

    assert {fleet.name: fleet.location for fleet in tried.state.fleets} == {"F": "C", "G": "B"}


@pytest.mark.rule("EN-MOV-4", "EN-RUL-35")
def test_fleets_that_cross_on_a_lane_pass_unseen() -> None:
    here = situation(
        force("AUR", "Vega", "Lance Ajax", fleet="F"),
        force("KOR", "Altair", "Lance Dagh", fleet="G"),
        phase="strategic",
        AUR="treasury = 9",
        KOR="treasury = 9",
        switches=NO_SUPPLY,
    )
    tried = play(here, 5, 5, AUR="F: move Altair", KOR="G: move Vega")

    assert (find(tried.state, "Ajax").location, find(tried.state, "Dagh").location) == ("Altair", "Vega")


@pytest.mark.rule("EN-MOV-5")
@pytest.mark.parametrize(("stances", "place"), [("war", "Altair"), ("peace", "Rigel")])
def test_ships_at_war_stop_a_fleet_ships_at_peace_and_stations_do_not(stances: str, place: str) -> None:
    here = situation(
        force("AUR", "Vega", "Lance Ajax", fleet="F"),
        force("KOR", "Altair", "Lance Dagh", fleet="G"),
        phase="strategic",
        AUR=f'treasury = 9\nstance = {{ KOR = "{stances}" }}',
        KOR=f'treasury = 9\nstance = {{ AUR = "{stances}" }}',
        switches=NO_SUPPLY,
    )
    tried = play(here, 5, 5, AUR="F: move Altair Rigel")

    assert find(tried.state, "Ajax").location == place


@pytest.mark.rule("EN-MOV-6", "EN-VAL-16")
def test_of_repair_and_move_the_earlier_line_stands() -> None:
    here = situation(
        force("AUR", "Vega", "Slipway"),
        unit("AUR", "Vega", "Lance", "Lame", state="crippled", fleet="F"),
        phase="strategic",
    )
    repaired = play(here, AUR="repair Lame\nF: move Altair")
    moved = play(here, AUR="F: move Altair\nrepair Lame\nF: hold\nF: move Altair")

    assert only_problem(repaired, "AUR").rule == only_problem(moved, "AUR").rule == "EN-VAL-16"
    assert find(repaired.state, "Lame").state == "intact"
    assert find(moved.state, "Lame").location == "Altair"


@pytest.mark.rule("EN-MOV-7")
def test_transfers_come_before_movement_and_an_empty_fleet_ceases() -> None:
    here = situation(
        force("AUR", "Vega", "Lance Ajax", fleet="F"), force("AUR", "Vega", "Lance Lynx", fleet="G"), phase="strategic"
    )
    tried = play(here, AUR="F: transfer Ajax to G\nG: move Altair\nG: transfer Lynx to New Fleet\nNew Fleet: hold")

    assert {fleet.name: fleet.location for fleet in tried.state.fleets} == {"G": "Altair", "New Fleet": "Vega"}


# --- cargo and supply ------------------------------------------------------------------------------------------------


@pytest.mark.rule("EN-CAR-1")
def test_troops_board_before_movement_and_may_land_in_an_own_system_after_it() -> None:
    chart = """
system = [{ name = "Vega", owner = "AUR" }, { name = "Mira", owner = "AUR" }, { name = "Rigel", owner = "KOR" }]
lane = [{ ends = ["Vega", "Mira"] }]
"""
    here = situation(
        force("AUR", "Vega", "Mule Atlas", "Line 1st", "Kestrel K1", fleet="Train"),
        phase="strategic",
        chart=chart,
        AUR="treasury = 9",
    )
    tried = play(here, AUR="Atlas: load 1st, K1\nTrain: move Mira\nAtlas: unload 1st after")

    assert (find(tried.state, "1st").location, find(tried.state, "1st").landed) == ("Mira", True)
    assert find(tried.state, "K1").carrier == find(tried.state, "Atlas").id


@pytest.mark.rule("EN-CAR-2")
def test_no_troops_board_where_enemy_troops_are_landed_or_a_blockade_stands() -> None:
    ashore = situation(
        force("AUR", "Vega", "Mule Atlas", "Line 1st"),
        force("KOR", "Vega", "Line Guard"),
        phase="strategic",
        switches=NO_SUPPLY,
        KOR="treasury = 9",
    )
    blockaded = situation(
        force("AUR", "Vega", "Bastion Rock", "Line 1st"),
        unit("AUR", "Vega", "Beacon", "Light", state="crippled"),
        force("KOR", "Vega", "Lance Dagh"),
        phase="strategic",
        switches=NO_SUPPLY,
        KOR="treasury = 9",
    )

    assert only_problem(play(ashore, 5, 5, AUR="Atlas: load 1st"), "AUR").rule == "EN-VAL-17"
    # An intact Station of the owner lifts the blockade, so its troops may board.
    assert play(blockaded, 5, 5, AUR="Rock: load 1st").sheets["AUR"].problems == ()


@pytest.mark.rule("EN-SUP-1")
def test_supply_is_traced_over_three_open_lanes_to_a_yard_or_base() -> None:
    def supplied(*parts: str, place: str = "D") -> bool:
        return in_supply(Table(start(situation(*parts, phase="strategic", chart=LONG))), "AUR", place)

    depot = force("AUR", "A", "Slipway")
    chain = LONG.replace('{ ends = ["A", "D"], kind = "restricted" },', "")
    far = Table(start(situation(depot, phase="strategic", chart=chain)))
    cut = Table(start(situation(depot, force("KOR", "B", "Lance"), phase="strategic", chart=chain)))
    held = Table(
        start(situation(depot, force("KOR", "B", "Lance"), force("AUR", "B", "Lance"), phase="strategic", chart=chain))
    )

    assert supplied(depot)
    assert not supplied()
    assert in_supply(far, "AUR", "D")
    assert not in_supply(far, "AUR", "Home")
    assert not in_supply(cut, "AUR", "D")
    assert in_supply(held, "AUR", "D")
    assert supplied(force("AUR", "D", "Tender"))


@pytest.mark.rule("EN-SUP-2")
def test_out_of_supply_readiness_is_two_worse_and_nothing_is_repaired() -> None:
    here = situation(
        force("AUR", "Altair", "Lance Ajax", "Mule Atlas"),
        '[[unit]]\nowner = "AUR"\ndesign = "Line"\nname = "1st"\nstate = "crippled"\ncarrier = "Atlas"\n',
        force("KOR", "Altair", "Lance Dagh"),
        force("KOR", "Rigel", "Slipway"),
        phase="strategic",
        AUR="treasury = 9",
        KOR="treasury = 9",
    )
    tried = play(here, 6, 6, AUR="repair 1st")

    assert [one["total"] for one in told(tried, "readiness")] == [4, 6]
    assert told(tried, "supply", "AUR")[0]["system"] == "Altair"
    assert only_problem(tried, "AUR").reason == "Altair is out of supply: no repair"


# --- victory ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("EN-VIC-1")
def test_points_decide_at_the_turn_limit_and_equal_points_are_a_draw() -> None:
    ships = force("AUR", "Vega", "Lance"), force("KOR", "Rigel", "Lance")
    even = play(situation(*ships, VICTORY, phase="strategic", switches="turn_limit = 4"))
    ahead = play(
        situation(
            *ships, VICTORY + "destroyed_ep = 10\n", phase="strategic", switches="turn_limit = 4", KOR="lost = 29"
        )
    )

    assert ending(even.state).winners == frozenset()
    outcome = ending(ahead.state)
    assert (set(outcome.winners), outcome.scores) == ({"AUR"}, {"AUR": 7, "KOR": 5})
    assert ahead.game.phase(ahead.state) is None


@pytest.mark.rule("EN-VIC-1")
def test_capturing_the_enemy_home_wins_at_once() -> None:
    here = situation(
        force("AUR", "Rigel", "Mule: Line"),
        force("KOR", "Altair", "Lance"),
        VICTORY + "homes_win_at_once = true\n",
        phase="ground",
    )
    tried = play(here, 5, AUR="Ground Rigel:\n invade")

    assert ending(tried.state).reason == "Aurigan: a victory at once."


@pytest.mark.rule("EN-VIC-1")
def test_holding_the_throne_three_turns_running_wins() -> None:
    ships = force("AUR", "Vega", "Lance"), force("KOR", "Rigel", "Lance")
    rules = '[victory]\nthrone = "Vega"\nthrone_turns = 3\n'
    head = 'throne_held = 2\nthrone_holder = "AUR"\n'
    tried = play(
        situation(*ships, rules, phase="strategic", chart=head + BARREN, AUR="treasury = 9", KOR="treasury = 9")
    )

    assert ending(tried.state).winners == {"AUR"}


@pytest.mark.rule("EN-VIC-2")
def test_a_power_with_no_system_and_no_ship_is_out() -> None:
    """Talos has a Militia only: it is out, and is asked for no more orders; two blocs are left."""
    here = situation(
        force("TAL", "Altair", "Militia"),
        force("AUR", "Vega", "Lance"),
        force("KOR", "Rigel", "Lance"),
        phase="strategic",
        seats=("AUR", "KOR", "TAL"),
    )
    asked = play(here)
    after = asked.game.resolve(asked.state, {}, LoadedDice())

    assert asked.state.phase == "ground"
    later = asked.game.resolve(after.state, {}, LoadedDice())
    assert later.state.turn == after.state.turn + 1, "the Militia of a beaten power opens no ground phase"
    assert seats_asked(after.state) == {"AUR", "KOR"}
    assert [event.facts["power"] for event in after.events if event.kind == "out"] == ["TAL"]


@pytest.mark.rule("EN-VIC-1")
def test_a_bloc_wins_together_with_its_sum_divided_by_its_members() -> None:
    """Aurigan 5 and Talos 0 share 5/2; Korvan's 5 wins."""
    allied: dict[str, Any] = {"AUR": 'stance = { TAL = "ally" }', "TAL": 'stance = { AUR = "ally" }'}
    here = situation(
        force("AUR", "Vega", "Lance"),
        force("KOR", "Rigel", "Lance"),
        force("TAL", "Vega", "Lance"),
        VICTORY + "shared_by_bloc = true\n",
        phase="strategic",
        switches="turn_limit = 4",
        seats=("AUR", "KOR", "TAL"),
        **{**allied, "TAL": allied["TAL"] + "\ntreasury = 5"},
    )
    tried = play(here)

    assert ending(tried.state).reason == "Korvan: victory, 5 points to 5/2."


@pytest.mark.rule("EN-CON-6")
@pytest.mark.rule("EN-ECO-6")
def test_every_line_sees_the_funds_the_lines_before_it_leave() -> None:
    """10 + 18 - 2 = 26: build -6, cancel +R(1.5), Intel -6, invest -10 leave 6: 7 for research are too many, 6 not."""
    scene = situation(force("AUR", "Vega", "Slipway", "Lance Ajax"), phase="strategic", AUR="treasury = 10")
    aur = """
    build 2 Lance at Vega
    cancel Lance at Vega
    intel buy 3 at Vega
    invest cen at Vega
    research Escort 7
    research Escort 6
    intel spend 2 at Vega
    """
    tried = play(scene, AUR=aur)
    mine = tried.state.powers["AUR"]
    assert rules_of(tried.sheets["AUR"]) == ["EN-VAL-5"]
    assert (mine.treasury, mine.intel, mine.research["Escort"], tried.state.systems["Vega"].CEN) == (
        0,
        {"Vega": 1},
        6,
        7,
    )
    assert [(one.design, one.weeks, one.order) for one in tried.state.builds] == [("Lance", 3, 1)]
