"""What is offered can be sent: the law of choices, their completeness, and worked examples of the important groups."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from games.encounters import GAME
from games.encounters.choices import MOST_CHOICES, NOT_OFFERED
from games.encounters.orders.headers import EMPIRE
from games.encounters.orders.records import Move, Order
from games.encounters.orders.squadrons import SquadronReader
from games.encounters.orders.strategic import StrategicReader
from games.encounters.phase import places_of
from games.encounters.rules.turn import after_upkeep
from games.encounters.state import State
from games.encounters.table import Table
from pbem.kit.checks.choices import breaches, half_of
from pbem.kit.choices import Choice, Number, Offer, Places, added, fillings, random_sheet
from pbem.kit.dice import KeyedDice
from pbem.kit.judging import Judge
from pbem.kit.scenario import scenarios_of
from pbem.kit.scene import Point
from pbem.kit.sheet import Sheet
from pbem.play.selfplay import bot_orders
from tests.games.encounters.builders import force, opening, readiness, situation, start, unit

Moment = tuple[State, dict[str, str]]
"""A state and the bots' orders for it."""


def moments(key: str, seed: str, most: int) -> Iterator[Moment]:
    state = GAME.setup(scenarios_of("encounters")[key], KeyedDice(b"setup"))
    for number in range(most):
        phase = GAME.phase(state)
        if phase is None:
            return
        texts = bot_orders(GAME, state, phase, f"{seed} {number}".encode())
        yield state, {side: texts[side] for side in texts if side in phase.sides}
        sheets = {info.id: GAME.read_orders(state, info.id, texts.get(info.id, "")) for info in GAME.sides(state)}
        state = GAME.resolve(state, sheets, KeyedDice(f"{seed} {number}".encode())).state


def offer(state: State, side: str, unit: str, text: str = "") -> Offer:
    return GAME.choices(GAME.view(state, side), GAME.read_orders(state, side, text), unit)  # type: ignore[misc]


def lines(offered: Offer, group: str) -> list[str]:
    return [line for choice in offered.of(group) for line in choice.lines]


def found(offered: Offer, line: str) -> Choice:
    return next(choice for choice in offered.choices if line in choice.lines)


def why(offered: Offer, group: str) -> list[tuple[str, str]]:
    return [(closed.why, closed.rule) for closed in offered.closed if closed.group == group]


# --- the law ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "sides", "readings"), [("altair-gap", 2, 40), ("rift-war", 2, 20), ("eight-thrones", 1, 12)]
)
def test_whatever_is_offered_is_accepted_and_costs_nothing_that_stood(key: str, sides: int, readings: int) -> None:
    for state, texts in moments(key, "law", 6):
        for side in sorted(texts)[:sides]:
            for text in ("", texts[side], half_of(texts[side])):
                assert list(breaches(GAME, state, side, text, readings)) == []


@pytest.mark.soak
@pytest.mark.parametrize("key", scenarios_of("encounters"))
def test_the_law_for_every_side_on_sheets_of_bots_and_of_chance(key: str) -> None:
    for state, texts in moments(key, "soak", 12):
        for side in texts:
            chance = random_sheet(GAME, state, side, KeyedDice(f"{state.turn} {state.phase} {side}".encode()))
            for text in ("", texts[side], half_of(texts[side]), chance, half_of(chance)):
                assert list(breaches(GAME, state, side, text, 300)) == []


def test_a_unit_is_offered_in_its_own_battle_wherever_its_block_stands() -> None:
    """The letter ends with the battle at Deneb; a new block of Ajax behind it still means Altair."""
    state = start(
        situation(
            force("AUR", "Altair", "Lance Ajax"), force("KOR", "Altair", "Lance Dagh"),
            force("AUR", "Deneb", "Lance Lynx"), force("KOR", "Deneb", "Lance Tarn"),
        )
    )  # fmt: skip
    text = "Battle Altair:\n  fight all\nBattle Deneb:\n  decline\nEND\n"
    screen = found(offer(state, "AUR", "Ajax", text), "mission screen")
    sheet = GAME.read_orders(state, "AUR", added(text, "Ajax", screen))

    assert sheet.problems == ()
    assert sheet.orders[-1].system == "Altair"  # type: ignore[union-attr]
    assert list(breaches(GAME, state, "AUR", text)) == []


# --- completeness ----------------------------------------------------------------------------------------------------


def strategic_corpus() -> State:
    """Something to do with every order: a yard with a cripple, a build under way, troops ashore and aboard, Intel."""
    return start(
        situation(
            force("AUR", "Vega", "Slipway", "Mule Atlas: Line 1st Line", "Lance Ajax", fleet="First Fleet"),
            force("AUR", "Vega", "Lance Lynx", fleet="Second Fleet"),
            force("AUR", "Vega", "Line 2nd Line"),
            unit("AUR", "Vega", "Watcher", "Argus", state="crippled", fleet="Second Fleet"),
            '[[build]]\nowner = "AUR"\nsystem = "Vega"\ndesign = "Bulwark"\nweeks = 6\n',
            force("KOR", "Rigel", "Lance Dagh"),
            phase="strategic",
            AUR="treasury = 40\nintel = { Vega = 2 }",
        )
    )


def battle_corpus(phase: str = "battle") -> State:
    return start(
        situation(
            force(
                "AUR", "Vega", "Bulwark Hood", "Lance Ajax", "Lance Lynx", "Roost Nest: Kestrel Wing", "Bastion Fort"
            ),
            force("AUR", "Vega", "Mule Atlas: Line 1st Line", "Line 2nd Line"),
            force("KOR", "Vega", "Lance Dagh", "Mule Ox: Line 1st Guard"),
            unit("KOR", "Vega", "Line", "2nd Guard", landed=True),
            readiness("Vega", AUR_KOR="total = 13"),
            phase=phase,
        )
    )


def verbs_offered(state: State, text: str = "", *more: str) -> set[str]:
    reader = reader_of(state)
    known = sorted(reader.verbs, key=len, reverse=True)
    offers = [offer(state, "AUR", name, text) for name in (EMPIRE, *GAME.units(state, "AUR"), *more)]
    orders = {line.casefold() for one in offers for choice in one.choices for line in choice.lines}
    return {next(verb for verb in known if f"{order} ".startswith(f"{verb} ")) for order in orders}


def reader_of(state: State) -> StrategicReader | SquadronReader:
    judge: Judge[Order] = Judge()
    if state.phase == "strategic":
        return StrategicReader(after_upkeep(state), "AUR", judge)
    table = Table(state)
    return SquadronReader(table, "AUR", judge, state.phase, places_of(table, "AUR"))


def test_every_verb_is_offered_or_said_not_to_be() -> None:
    formed = "Battle Vega:\n  squadron Red = Hood, Ajax\n"
    battle, ground = battle_corpus(), battle_corpus("ground")
    offered = verbs_offered(strategic_corpus()) | verbs_offered(battle) | verbs_offered(ground)
    offered |= verbs_offered(battle, formed, "Red")
    table = {*reader_of(strategic_corpus()).verbs, *reader_of(battle).verbs}

    assert table - offered - set(NOT_OFFERED) == set()
    assert set(NOT_OFFERED) <= table


@pytest.mark.parametrize(("key", "seed"), [("altair-gap", 1), ("altair-gap", 4), ("altair-gap", 5)])
def test_a_whole_campaign_of_choices_alone_has_not_one_problem(key: str, seed: int) -> None:
    state = opening(key)
    for number in range(100):
        phase = GAME.phase(state)
        if phase is None:
            break
        sheets = {side: by_chance(state, side, f"{seed} {number} {side}") for side in sorted(phase.sides)}
        after = GAME.resolve(state, sheets, KeyedDice(f"{seed} {number}".encode()))
        assert [event for event in after.events if event.kind == "void"] == []
        state = after.state
    assert state.ended is not None


def by_chance(state: State, side: str, key: str) -> Sheet[Order]:
    sheet: Sheet[Order] = GAME.read_orders(state, side, random_sheet(GAME, state, side, KeyedDice(key.encode())))
    assert sheet.problems == ()
    return sheet


@pytest.mark.parametrize("key", scenarios_of("encounters"))
def test_the_end_of_every_way_the_bots_go_is_offered(key: str) -> None:
    for state, texts in moments(key, "ways", 6):
        for side in sorted(texts)[:2]:
            orders = GAME.read_orders(state, side, texts[side]).orders
            for order in (order for order in orders if isinstance(order, Move) and order.path):
                ways = offer(state, side, order.fleet, texts[side]).of("move")

                assert any(way.chosen and way.label.startswith(f"to {order.path[-1]}") for way in ways), order


def test_no_offer_is_longer_than_a_page_can_hold() -> None:
    for state, texts in moments("eight-thrones", "long", 3):
        for side in sorted(texts)[:1]:
            counts = [len(offer(state, side, name).choices) for name in (EMPIRE, *GAME.units(state, side))]
            assert max(counts) <= MOST_CHOICES


# --- worked examples: the strategic phase ----------------------------------------------------------------------------


@pytest.mark.rule("EN-MOV-1")
def test_ways_reach_as_far_as_the_movement_points() -> None:
    """From Vega with 2 MP: Altair (major, 1), Rigel beyond it (1 + 1), Deneb (minor, 2)."""
    state = opening("altair-gap")
    offered = offer(state, "AUR", "First Fleet")

    assert offered.title == "First Fleet: at Vega, 5 ships, 12 CC, 2 MP"
    assert lines(offered, "move") == ["move Altair", "move Deneb", "move Altair, Rigel", "hold"]
    way = found(offered, "move Altair, Rigel")
    assert (way.label, way.note) == ("to Rigel by Altair", "2 of 2 MP, major, major; Korvan")
    assert way.at == way.marks[0].points[-1]  # type: ignore[union-attr]


@pytest.mark.rule("EN-MOV-1")
def test_a_crippled_ship_shortens_the_ways_and_the_offer_says_so() -> None:
    state = start(
        situation(
            unit("AUR", "Vega", "Lance", "Ajax", state="crippled", fleet="First Fleet"), force("KOR", "Rigel", "Lance"),
            phase="strategic", AUR="treasury = 5",
        )
    )  # fmt: skip
    offered = offer(state, "AUR", "First Fleet")

    assert lines(offered, "move") == ["move Altair", "hold"]
    assert why(offered, "move") == [("no farther than 1 MP: Ajax is crippled", "EN-MOV-1")]


@pytest.mark.rule("EN-MOV-2")
def test_a_restricted_lane_is_closed_when_the_letter_has_filled_it() -> None:
    """Deneb-Rigel takes 8 CC: First Fleet's 6 leave 2, and Second Fleet has 4."""
    state = start(
        situation(
            force("AUR", "Deneb", "Lance", "Lance", "Lance", fleet="First Fleet"),
            force("AUR", "Deneb", "Lance", "Lance", fleet="Second Fleet"), force("KOR", "Rigel", "Lance"),
            phase="strategic", AUR="treasury = 5",
        )
    )  # fmt: skip
    before, after = (offer(state, "AUR", "Second Fleet", text) for text in ("", "First Fleet: move Rigel"))

    assert "move Rigel" in lines(before, "move")
    assert "move Rigel" not in lines(after, "move")
    reason = "the lane Deneb-Rigel takes 8 CC a turn; 6 CC use it, the fleet has 4 CC"
    assert why(after, "move") == [(reason, "EN-MOV-2")]


@pytest.mark.rule("EN-MOV-6")
def test_a_fleet_with_a_ship_under_repair_stays() -> None:
    offered = offer(strategic_corpus(), "AUR", "Second Fleet", "repair Argus")

    assert lines(offered, "move") == ["hold"]
    assert ("Argus of Second Fleet is under repair (EN-MOV-6)", "EN-MOV-6") in why(offered, "move")


@pytest.mark.rule("EN-CON-1")
def test_builds_go_up_to_what_is_left_of_yards_and_treasury() -> None:
    """Vega's yard holds 10; a Bulwark (6) is building, so one Lance (3) fits and no further Bulwark."""
    state = strategic_corpus()
    offered = offer(state, "AUR", EMPIRE)
    lance = found(offered, "build {} Lance at Vega")

    assert lance.fill == Number(1, 1, 1)
    assert lance.note == "3 EP each, 1 turn; yards 6 of 10 used, this takes 3"
    assert "build {} Bulwark at Vega" not in lines(offered, "build")
    after = offer(state, "AUR", EMPIRE, "build Lance at Vega")
    assert "build {} Picket at Vega" not in lines(after, "build")
    assert found(after, "build {} Lance at Vega").chosen


@pytest.mark.rule("EN-VAL-5")
def test_money_spent_below_counts_as_spent_above() -> None:
    """52 EP to spend, 49 go into research under another header: 3 are left for troops at 1 EP each."""
    state, text = strategic_corpus(), "Empire:\n  stance Korvan peace\nSecond Fleet:\n  hold\n  research Escort 49\n"
    left = offer(state, "AUR", EMPIRE, text)

    assert left.title.startswith("Aurigan: 3 EP left")
    assert found(left, "build {} Line at Vega").fill == Number(1, 3, 1)
    assert why(left, "invest") == [("one point costs 10 EP, 3 EP are left", "EN-ECO-5")]


@pytest.mark.rule("EN-CON-5")
def test_only_repairs_that_can_be_done_are_offered() -> None:
    """Argus lies in the yard of Vega; Lynx at Altair has none."""
    state = start(
        situation(
            force("AUR", "Vega", "Slipway"),
            unit("AUR", "Vega", "Watcher", "Argus", state="crippled"),
            unit("AUR", "Altair", "Lance", "Lynx", state="crippled"),
            force("KOR", "Rigel", "Lance"),
            phase="strategic",
            AUR="treasury = 20",
        )
    )
    offered = offer(state, "AUR", EMPIRE)

    assert lines(offered, "repair") == ["repair Argus"]
    note = "2 EP, at Vega; intact at the turn's end; yards 0 of 10 used, this takes 3"
    assert found(offered, "repair Argus").note == note
    assert why(offered, "repair") == [("Lynx: Altair is not yours", "EN-VAL-9")]
    assert "# repair Argus" in GAME.template(GAME.view(state, "AUR"))
    assert "# repair Lynx" not in GAME.template(GAME.view(state, "AUR"))


@pytest.mark.rule("EN-INT-1")
@pytest.mark.rule("EN-INT-2")
def test_intel_is_bought_to_its_limits_and_what_is_bought_can_be_spent() -> None:
    """2 held at Vega: at most 3 more (5 held); bought 3, all 5 can be spent, and then at least those 3 stay bought."""
    state = strategic_corpus()

    assert found(offer(state, "AUR", EMPIRE), "intel buy {} at Vega").fill == Number(1, 3, 1)
    bought = offer(state, "AUR", EMPIRE, "intel buy 3 at Vega")
    assert found(bought, "intel spend {} at Vega").fill == Number(1, 5, 5)
    spent = offer(state, "AUR", EMPIRE, "intel buy 3 at Vega\nintel spend 5 at Vega")
    assert found(spent, "intel buy {} at Vega").fill == Number(3, 3, 3)


@pytest.mark.rule("EN-CAR-1")
def test_a_transport_loads_what_it_has_room_for() -> None:
    """Atlas (CV 3) carries 1st Line: 2nd Line (CC 1) may board, and then both may land at Vega again."""
    state = strategic_corpus()
    offered = offer(state, "AUR", "Atlas")

    assert offered.title == "Atlas: Mule (TP-1), intact, at Vega, First Fleet, CV 2 of 3 free"
    assert lines(offered, "load") == ["load 2nd Line"]
    loaded = offer(state, "AUR", "Atlas", "Atlas: load 2nd Line")
    assert lines(loaded, "unload") == ["unload 1st Line", "unload 2nd Line", "unload all"]
    moved = offer(state, "AUR", "Atlas", "First Fleet: move Altair")
    reason = "Altair belongs neither to you nor to your bloc: troops land there by ground battle"
    assert why(moved, "unload") == [(reason, "EN-CAR-1")]


@pytest.mark.rule("EN-CAR-2")
def test_a_reader_in_the_fog_knows_who_has_landed() -> None:
    """Enemy troops are ashore at Vega: nothing of the reader's loads there, and the view tells why."""
    state = start(
        situation(
            force("AUR", "Vega", "Mule Atlas", "Line 1st Line"), unit("KOR", "Vega", "Line", "Guard", landed=True),
            phase="strategic", AUR="treasury = 5",
        )
    )  # fmt: skip

    assert GAME.view(state, "AUR").figures["Vega"].contested
    offered = offer(state, "AUR", "Atlas")
    assert lines(offered, "load") == []
    assert why(offered, "load") == [("1st Line: enemy troops are landed at Vega (EN-CAR-2)", "EN-CAR-1")]


@pytest.mark.rule("EN-MOV-7")
def test_ships_go_to_fleets_of_the_system_and_to_a_new_one() -> None:
    state = strategic_corpus()
    offered = offer(state, "AUR", "First Fleet")

    assert lines(offered, "transfer") == [
        "transfer Atlas, Ajax to Second Fleet",
        "transfer Atlas to Second Fleet", "transfer Atlas to Vega Group 1",
        "transfer Ajax to Second Fleet", "transfer Ajax to Vega Group 1",
    ]  # fmt: skip
    formed = "First Fleet: transfer Ajax to Vega Group 1"
    assert offer(state, "AUR", "Vega Group 1", formed).title == "Vega Group 1: at Vega, 1 ship, 2 CC, 2 MP"


@pytest.mark.rule("EN-MOV-7")
def test_a_fleet_too_large_for_one_line_is_transferred_by_several() -> None:
    ships = [f"Lance Ship of the Long Name {number}" for number in range(9)]
    state = start(
        situation(
            force("AUR", "Vega", *ships, fleet="First Fleet"),
            force("AUR", "Vega", "Lance Lynx", fleet="Second Fleet"),
            phase="strategic",
        )
    )
    offered = offer(state, "AUR", "First Fleet")

    (whole,) = (choice for choice in offered.choices if choice.label == "all ships to Second Fleet")
    assert [line.count("Ship of the Long Name") for line in whole.lines] == [4, 5]
    sheet = GAME.read_orders(state, "AUR", "First Fleet:\n" + "\n".join(whole.lines))
    assert [problem.reason for problem in sheet.problems] == []


# --- worked examples: battle and ground ------------------------------------------------------------------------------


@pytest.mark.rule("EN-SQD-8")
def test_the_rules_own_arrangement_is_one_choice() -> None:
    offered = offer(battle_corpus(), "AUR", "Battle Vega")
    arranged = offered.of("squadron")[0]

    assert arranged.lines == (
        "squadron Red = Hood, Ajax", "squadron Blue = Nest, Lynx",
    )  # fmt: skip
    assert arranged.note == "Red 6 of 6 CC; Blue 5 of 5 CC"


@pytest.mark.rule("EN-SQD-1")
@pytest.mark.rule("EN-VAL-21")
def test_only_who_would_really_command_is_offered_as_flagship() -> None:
    """Red is formed: only its ships may be named, not Lynx in reserve, nor the Bastion unless it is ordered in."""
    state, red = battle_corpus(), "Battle Vega:\n  squadron Red = Hood, Ajax\n"

    assert lines(offer(state, "AUR", "Battle Vega", red), "flagship") == ["flagship Hood", "flagship Ajax"]
    with_station = offer(state, "AUR", "Battle Vega", f"{red}  station Fort\n")
    assert "flagship Fort" in lines(with_station, "flagship")


@pytest.mark.rule("EN-VAL-23")
def test_a_ship_joins_a_squadron_only_within_its_rating() -> None:
    """Hood has CR 6: with Ajax (2 CC) beside its own 4 the squadron is full; Lynx forms one of its own."""
    state = battle_corpus()
    offered = offer(state, "AUR", "Battle Vega", "Battle Vega:\n  squadron Red = Hood, Ajax\n")

    assert "squadron Red = Hood, Ajax, Lynx" not in lines(offered, "squadron")
    assert found(offered, "squadron Blue = Lynx").label == "Lynx forms Blue"
    assert found(offered, "squadron Red = Hood").replaces == (2,)


@pytest.mark.rule("EN-DR-5")
def test_a_squadron_of_the_letter_is_offered_missions_and_guards() -> None:
    state, text = battle_corpus(), "Battle Vega:\n  squadron Red = Hood, Ajax\n"
    offered = offer(state, "AUR", "Red", text)

    assert lines(offered, "guard") == ["guard Hood {}", "guard Ajax {}"]
    for choice in offered.choices:
        for filling in fillings(choice.fill):
            assert GAME.read_orders(state, "AUR", added(text, "Red", choice, filling)).problems == ()


@pytest.mark.rule("EN-MIS-1")
@pytest.mark.rule("EN-GEN-3")
def test_missions_are_those_the_unit_may_have() -> None:
    state = start(
        situation(
            force("AUR", "Altair", "Lance Ajax", "Roost Nest: Kestrel Wing"),
            unit("AUR", "Altair", "Lance", "Lynx", state="crippled"), force("KOR", "Altair", "Lance Dagh"),
        )
    )  # fmt: skip

    assert "mission firecontrol" in lines(offer(state, "AUR", "Ajax"), "mission")
    assert "mission firecontrol" not in lines(offer(state, "AUR", "Wing"), "mission")
    reason = ("Lynx is crippled: a crippled unit has no mission", "EN-GEN-3")
    assert why(offer(state, "AUR", "Lynx"), "mission") == [reason]


@pytest.mark.rule("EN-INX-1")
def test_nobody_is_forced_without_a_budget() -> None:
    """Readiness 13 gives a budget, 6 none."""
    weak = situation(
        force("AUR", "Altair", "Lance Ajax"), force("KOR", "Altair", "Lance Dagh"),
        readiness("Altair", AUR_KOR="total = 6"),
    )  # fmt: skip

    assert "exclude biggest" in lines(offer(battle_corpus(), "AUR", "Battle Vega"), "force")
    shut = offer(start(weak), "AUR", "Battle Altair")
    assert lines(shut, "force") == []
    assert [rule for _, rule in why(shut, "force")] == ["EN-RDY-3"]


@pytest.mark.rule("EN-VAL-35")
def test_a_retreat_goes_along_a_lane() -> None:
    way = found(offer(battle_corpus(), "AUR", "Battle Vega"), "retreat to {}")

    assert isinstance(way.fill, Places)
    assert dict(way.fill.points) == {"Altair": Point(8, 4), "Deneb": Point(8, 12)}


@pytest.mark.rule("EN-GRD-1")
@pytest.mark.rule("EN-BOM-4")
def test_the_owner_of_a_system_assaults_and_does_not_strike_it() -> None:
    offered = offer(battle_corpus("ground"), "AUR", "Ground Vega")

    assert lines(offered, "attack") == ["invade", "assault", "no attack"]
    assert lines(offered, "orbital") == ["orbital yes", "orbital no"]
    assert lines(offered, "bombard") == ["bombard support", "bombard none"]
    assert why(offered, "bombard") == [("Vega belongs to your own bloc: no strike", "EN-BOM-4")]


# --- the form --------------------------------------------------------------------------------------------------------

EXAMPLE = re.compile(r"(\s*)# (\S.*)")


def examples(state: State, side: str) -> Iterator[tuple[str, str]]:
    """Every order in the comments of the form, and the form with that one order given."""
    verbs = (*reader_of(state).verbs,)
    form = GAME.template(GAME.view(state, side)).splitlines()
    for number, line in enumerate(form):
        match = EXAMPLE.fullmatch(line)
        for part in match[2].split("     # ") if match else ():
            order = part.partition(": ")[2] if ": " in part else part
            if order.split(" ")[0] in verbs and not part.startswith(("no ", "or ")):
                yield part, "\n".join([*form[:number], f"{match[1] if match else ''}{part}", *form[number + 1 :]])


@pytest.mark.parametrize("key", scenarios_of("encounters"))
def test_every_order_in_a_comment_of_the_form_can_be_given(key: str) -> None:
    seen = 0
    for state, texts in moments(key, "form", 6):
        for side in sorted(texts)[:2]:
            for part, letter in examples(state, side):
                seen += 1
                assert GAME.read_orders(state, side, letter).problems == (), part
    assert seen > 100


def test_forms_of_the_largest_scenario_stay_short() -> None:
    for state, texts in moments("eight-thrones", "size", 3):
        for side in sorted(texts)[:2]:
            assert len(GAME.template(GAME.view(state, side))) < 7500
