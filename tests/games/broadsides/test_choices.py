"""Choices: whatever is offered can be sent, everything a player may order is offered, and figures are the rules'."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from games.broadsides import GAME
from games.broadsides.choices import MOST_CHOICES, NOT_OFFERED
from games.broadsides.orders.reading import CHAPTERS, settled
from games.broadsides.orders.words import Names
from games.broadsides.rules.autopilot import flown
from games.broadsides.rules.craft import craft_from, ground_of
from games.broadsides.state import State
from pbem.kit.checks.choices import breaches, half_of
from pbem.kit.choices import Choice, Number, Offer, Places, Ranking, added, random_sheet
from pbem.kit.dice import KeyedDice, LoadedDice
from pbem.kit.judging import Judge
from pbem.kit.scenario import Scenario, scenarios_of
from pbem.kit.scene import hex_point
from tests.games.broadsides.builders import complaint_state, situation, state_of, unit

SCENARIOS = ("border-incident", "the-gap", "siege-of-the-citadel")
EVERYTHING = {
    "asteroids": True,
    "atmosphere": True,
    "boarding": True,
    "hyperspace": True,
    "missile_mix": "open",
    "escort_rule": False,
}


def scenario_of(key: str, *, second_mail: bool = False, **data: Any) -> Scenario:
    scenario = scenarios_of("broadsides")[key]
    switches = {**scenario.data.get("switches", {}), "fire_phase": second_mail}
    return replace(scenario, data={**scenario.data, "switches": switches, **data})


@cache
def played(key: str, phases: int, *, second_mail: bool = False) -> tuple[State, ...]:
    """The states at the start of the first phases of a battle between two bots."""
    states = [GAME.setup(scenario_of(key, second_mail=second_mail), KeyedDice(b"choices"))]
    while (phase := GAME.phase(states[-1])) is not None and len(states) < phases:
        state = states[-1]
        sheets = {side: GAME.read_orders(state, side, bot_text(state, side)) for side in sorted(phase.sides)}
        states.append(GAME.resolve(state, sheets, KeyedDice(b"%d" % len(states))).state)
    return tuple(states)


def bot_text(state: State, side: str) -> str:
    return GAME.bot(GAME.view(state, side), KeyedDice(f"{state.turn} {state.phase} {side}".encode()))


def sheets_of(state: State, side: str) -> tuple[str, str, str]:
    text = bot_text(state, side)
    return "", text, half_of(text)


def sides_of(state: State) -> Iterator[str]:
    return (info.id for info in GAME.sides(state))


def offer_of(state: State, name: str, text: str = "", side: str = "EA") -> Offer:
    assert GAME.choices is not None
    return GAME.choices(GAME.view(state, side), GAME.read_orders(state, side, text), name)


def everything(**fields: Any) -> State:
    """One unit for nearly every order there is."""
    return state_of(
        unit("EA", "Resolute", "Resolute", (0, 10), speed=6, weapon={"HL3": {"charge": 0}}, blocks_lost={"reactor": 3}),
        unit("EA", "Dover", "Picket", (6, 0), speed=6, weapon={"MR1": {"ammunition": {"antifighter": 4, "heavy": 2}}}),
        unit("EA", "Gorger", "Gorger", (8, 0), speed=6, weapon={"HPL1": {"charge": 3}}),
        unit("EA", "Tally", "Tallyman", (9, 4), speed=5),
        unit("EA", "Karn", "Karn-Tal", (-4, 4), speed=5),
        unit("EA", "Citadel", "Citadel", (0, 14)),
        unit("EA", "Deep", "Resolute", None),
        unit("EA", "Red", "Kestrel", (0, 0), speed=8),
        unit("EA", "Gold", "Kestrel", None, carrier="Resolute"),
        unit("Narn", "Foe", "Karn-Tal", (0, -9), heading=3, speed=5),
        unit("Narn", "Tuk", "Tir-Zak", (3, -9), heading=3, speed=5),
        unit("Narn", "Claw", "Fang", (1, -9), heading=3, speed=5),
        switches={**EVERYTHING, **fields.pop("switches", {})},
        **{"year": 2240, "start_speed": 5, **fields},
        terrain={"large": [{"hexes": [[20, -2]]}], "field": [{"hexes": [[0, 7]], "density": 2}]},
    )


# --- the law ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("second_mail", [False, True])
@pytest.mark.parametrize(("key", "phases", "readings"), [("border-incident", 6, 20), ("the-gap", 4, 10)])
def test_whatever_is_offered_can_be_sent(key: str, phases: int, readings: int, *, second_mail: bool) -> None:
    for state in played(key, phases, second_mail=second_mail):
        for side in sides_of(state):
            for text in sheets_of(state, side):
                assert list(breaches(GAME, state, side, text, readings)) == []


def test_whatever_is_offered_can_be_sent_in_the_largest_battle() -> None:
    for number, state in enumerate(played("siege-of-the-citadel", 4)):
        for side in sides_of(state):
            text = sheets_of(state, side)[number % 3]
            assert list(breaches(GAME, state, side, text, 12)) == []


@pytest.mark.parametrize("phase", ["setup", "orders", "fire"])
def test_whatever_is_offered_can_be_sent_with_every_rule_switched_on(phase: str) -> None:
    when = {"phase": phase, "turn": 0 if phase == "setup" else 2}
    state = everything(**when)
    ship = "Resolute:\n fire HL1,HL2 at Foe\n path F6\n divert HL2 to HL1\n"
    started = f"{ship}Red: attack Foe\nDover: ballistic MR1 heavy at Foe"

    for text in ("", started):
        assert list(breaches(GAME, state, "EA", text, 250)) == []
    odd = complaint_state(switches=EVERYTHING, year=2240, start_speed=5, **when)
    assert list(breaches(GAME, odd, "EA", "Turner: path F6", 150)) == []


@pytest.mark.soak
@pytest.mark.parametrize("second_mail", [False, True])
@pytest.mark.parametrize("key", SCENARIOS)
def test_everything_that_is_offered_can_be_sent(key: str, *, second_mail: bool) -> None:
    for state in played(key, 7, second_mail=second_mail):
        for side in sides_of(state):
            for text in sheets_of(state, side):
                assert list(breaches(GAME, state, side, text, 1000)) == []


# --- completeness ----------------------------------------------------------------------------------------------------


def verbs() -> set[str]:
    names = Names(everything(), "EA", Judge())
    return {verb for chapter in CHAPTERS for verb in chapter(names).verbs()}


def corpus() -> Iterator[Offer]:
    text = "Resolute: path F6\nRed: attack Foe\nGold: launch from Resolute"
    for phase, turn in (("setup", 0), ("orders", 2), ("fire", 2)):
        state = everything(phase=phase, turn=turn, year=2261)
        for name in (GAME.fleet, *GAME.units(state, "EA")):
            yield offer_of(state, name, text)


def test_every_order_word_is_offered_somewhere() -> None:
    offered = {line.split()[0] for offer in corpus() for choice in offer.choices for line in choice.lines}

    assert verbs() - offered - set(NOT_OFFERED) == set()
    assert set(NOT_OFFERED) <= verbs()


def test_offers_stay_within_their_limit_and_name_their_unit() -> None:
    for state in played("siege-of-the-citadel", 4)[1:]:
        for name in GAME.units(state, "EA")[::4]:
            offer = offer_of(state, name)
            assert len(offer.choices) <= MOST_CHOICES
            assert offer.unit == name
            assert offer.title.startswith(f"{name}: ")
            assert offer.choices or offer.closed


def random_game(scenario: Scenario, seed: int) -> tuple[State, list[str]]:
    """A battle in which both sides send nothing but what was offered, and what was said against it."""
    state, said, phases = GAME.setup(scenario, KeyedDice(b"random %d" % seed)), [], 0
    while (phase := GAME.phase(state)) is not None:
        sheets = {}
        for side in sorted(phase.sides):
            text = random_sheet(GAME, state, side, KeyedDice(f"{seed} {phases} {side}".encode()))
            sheets[side] = GAME.read_orders(state, side, text)
            said += [f"{problem.unit}: {problem.text}: {problem.reason}" for problem in sheets[side].problems]
        state, phases = GAME.resolve(state, sheets, KeyedDice(b"%d %d" % (seed, phases))).state, phases + 1
    return state, said


def skirmish() -> Scenario:
    """A short battle with jumps, pods, flights and mixed missiles."""
    units = [
        unit("EA", "Resolute", "Resolute", (0, 6)),
        unit("EA", "Vigil", "Vigil", None),
        unit("EA", "Red", "Kestrel", None, carrier="Resolute"),
        unit("Narn", "Foe", "Karn-Tal", (0, -6), heading=3),
        unit("Narn", "Claw", "Fang", None, carrier="Foe"),
    ]
    return situation(*units, switches=EVERYTHING, turn=0, turns=2, start_speed=4, map={"radius": 15})


@pytest.mark.parametrize(
    "scenario",
    [
        scenario_of("border-incident", turns=3),
        scenario_of("border-incident", turns=2, second_mail=True),
        skirmish(),
    ],
    ids=["one mail", "two mails", "everything"],
)
def test_a_battle_of_random_choices_ends_without_one_complaint(scenario: Scenario) -> None:
    state, said = random_game(scenario, 1)

    assert said == []
    assert GAME.outcome(state) is not None


@pytest.mark.soak
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("key", SCENARIOS)
def test_whole_scenarios_of_random_choices_end_without_one_complaint(key: str, seed: int) -> None:
    state, said = random_game(scenario_of(key, second_mail=seed == 2), seed)

    assert said == []
    assert GAME.outcome(state) is not None


@pytest.mark.parametrize(("key", "phases"), [("border-incident", 8), ("the-gap", 5), ("siege-of-the-citadel", 4)])
def test_where_a_bot_goes_is_among_the_choices(key: str, phases: int) -> None:
    for state in played(key, phases)[1:]:
        for side in sides_of(state):
            sheet = GAME.read_orders(state, side, bot_text(state, side))
            orders, ground = settled(state, side, sheet).units, ground_of(state)
            for name in [entry.unit for entry in sheet.accepted if entry.text.startswith("path")]:
                course = flown(craft_from(state.cards, state.ships[name]), orders[name].plot, ground)
                offer = offer_of(state, name, side=side)
                ends = {(choice.at, choice.heading) for choice in offer.of("path")}
                assert (hex_point(course.hexes[-1]), 60.0 * course.heading) in ends


# --- worked examples: movement ---------------------------------------------------------------------------------------


def lines(offer: Offer, group: str) -> list[tuple[str, ...]]:
    return [choice.lines for choice in offer.of(group)]


def chosen(offer: Offer, group: str) -> list[str]:
    return [choice.label for choice in offer.of(group) if choice.chosen]


def the(offer: Offer, *wanted: str) -> Choice:
    (found,) = [choice for choice in offer.choices if choice.lines == wanted]
    return found


def closed(offer: Offer) -> Mapping[str, str]:
    return {one.group: f"{one.why} [{one.rule}]" for one in offer.closed}


def lance(**fields: Any) -> State:
    """Thrust 10, 2 a step of speed, turn factor 1/2."""
    return state_of(
        unit("EA", "Ajax", "Lance", (0, 14), **{"speed": 5, **fields}),
        unit("Narn", "Foe", "Lance", (0, -14), heading=3),
    )


@pytest.mark.rule("BR-MOV-4", "BR-MOV-12")
def test_speeds_as_far_as_thrust_goes() -> None:
    """10 thrust pay for 5 steps up; braking turns the stern ahead, and half the thrust pays for 2 down."""
    offer = offer_of(lance(), "Ajax")

    assert [line for (line,) in lines(offer, "speed")] == [f"speed {v}" for v in range(3, 11)]
    assert the(offer, "speed 7").note == "4 of 10 thrust, turn delay 8"
    assert the(offer, "speed 4").note == "2 of 10 thrust, turn delay 4, ends facing S"
    assert "the change needs 12 thrust, available are 10; the largest legal change is +5" in closed(offer)["speed"] or (
        "the change needs 6 thrust, available are 5" in closed(offer)["speed"]
    )
    assert offer.title == "Ajax: 0,14 heading N, speed 5"


@pytest.mark.rule("BR-MOV-6", "BR-MOV-8")
def test_paths_turn_as_soon_as_the_delay_is_served() -> None:
    """At speed 5 a Lance turns after half of 5, rounded up: 3 hexes; three on, to port, two on ends at -2,11."""
    offer = offer_of(lance(), "Ajax")
    port = the(offer, "path F3 P F2")

    assert (port.label, port.note) == ("-2,11 heading NW", "7 of 10 thrust left")
    assert (port.at, port.heading, port.faint) == (
        hex_point(lance().ships["Ajax"].position._replace(q=-2, r=11)),
        300,
        False,
    )
    assert ("path F2 P F3",) not in lines(offer, "path")
    faster = the(offer, "speed 6", "path F6")
    assert (faster.label, faster.faint) == ("0,8 heading N, speed 6", True)
    # At speed 6 the step of speed adds 2 to the delay of 3: a turn comes at hex 5.
    assert ("speed 6", "path F5 P F1") in lines(offer, "path")
    assert ("speed 6", "path F4 P F2") not in lines(offer, "path")


def test_another_path_takes_the_place_of_the_present_one() -> None:
    text = "Ajax:\n  speed +1\n  path F6\n"
    offer = offer_of(lance(), "Ajax", text)
    turned = the(offer, "path F5 P F1")

    assert chosen(offer, "path") == ["0,8 heading N"]
    assert added(text, "Ajax", turned) == "Ajax:\n  speed +1\n  path F5 P F1\n"
    assert added(text, "Ajax", the(offer, "speed 7")) == "Ajax:\n  speed 7\n"
    assert the(offer, "speed 7").faint
    assert added(text, "Ajax", the(offer, "speed 5", "path F5")) == "Ajax:\n  speed 5\n  path F5\n"


@pytest.mark.rule("BR-MOV-7", "BR-MOV-9", "BR-VAL-7")
def test_a_turn_in_progress_closes_speeds_and_further_turns() -> None:
    offer = offer_of(lance(facing=4, turning={"dir": "port", "left": 7}), "Ajax")

    assert lines(offer, "speed") == [("speed 5",)]
    assert "7 hexes are still to serve [BR-VAL-7]" in closed(offer)["speed"]
    assert "a turn to port is in progress, 2 hexes are still to serve [BR-MOV-7]" in closed(offer)["declare"]
    assert "no pivot while a turn to port is in progress" in closed(offer)["pivot"]


@pytest.mark.rule("BR-MOV-8")
def test_a_slow_turn_is_declared_and_carried_over() -> None:
    """A Resolute at speed 7 needs 5 hexes; declared after hex 3, one is left for next turn."""
    state = state_of(unit("EA", "Resolute", "Resolute", (0, 14), speed=7), unit("Narn", "Foe", "Lance", (0, -14)))
    offer = offer_of(state, "Resolute")

    assert the(offer, "path F3 DS F4").note == "1 hex left to serve next turn, 7 of 12 thrust left"
    assert ("path F2 DS F5",) not in lines(offer, "declare")


@pytest.mark.rule("BR-MOV-13")
def test_slides_fit_the_path_to_themselves() -> None:
    offer = offer_of(lance(speed=6), "Ajax", "Ajax: path F6")
    slide = the(offer, "slide port 1", "path F5 LP1")

    assert slide.faint
    assert slide.note == "ends facing N, 8 of 10 thrust left"
    assert closed(offer_of(lance(speed=1), "Ajax"))["slide"] == "at speed 1 at most 0 hexes may be slid [BR-MOV-13]"


@pytest.mark.rule("BR-MOV-15", "BR-MOV-18")
def test_only_agile_ships_snap() -> None:
    state = state_of(unit("EA", "Dover", "Picket", (0, 9), speed=4), unit("Narn", "Foe", "Lance", (0, -14)))
    agile = offer_of(state, "Dover", "Dover: path F4")

    assert the(agile, "path F4 RP1").note == "ends facing NW, 8 of 9 thrust left"
    assert ("snaproll if Foe port",) in lines(agile, "snaproll")
    assert "not agile" in closed(offer_of(lance(), "Ajax"))["snaproll"]


@pytest.mark.rule("BR-MOV-20", "BR-VAL-27")
def test_an_alternate_needs_a_main_path() -> None:
    offer = offer_of(lance(), "Ajax", "Ajax: path F5")
    alt = the(offer, "alt within {} of Foe path F3 P F2")

    assert alt.fill == Number(0, 30, 5)
    assert closed(offer_of(lance(), "Ajax"))["alt"] == "an alternate path needs a main path [BR-VAL-27]"


@pytest.mark.rule("BR-MOV-25", "BR-OSA-1")
def test_bases_do_not_move_and_osats_take_no_orders() -> None:
    state = state_of(
        unit("EA", "Citadel", "Citadel", (0, 9)), unit("EA", "Sentry", "Sentry", (0, 8)), unit("Narn", "Foe", "Lance")
    )

    assert closed(offer_of(state, "Citadel"))["path"] == "Citadel is a Base and never moves [BR-MOV-25]"
    assert offer_of(state, "Citadel").of("fire")
    assert offer_of(state, "Sentry").choices == ()
    assert "its program 'best-chance' is in force [BR-OSA-1]" in closed(offer_of(state, "Sentry"))["orders"]


# --- worked examples: fire, power, launches --------------------------------------------------------------------------


@pytest.mark.rule("BR-HIT-1", "BR-LOC-2")
def test_fire_is_offered_with_its_number() -> None:
    """HL1 of a Resolute at a Karn-Tal, range 18: signature 12 + EW 6 + (2 + 1 + 0 - 6) = 15."""
    state = state_of(
        unit("EA", "Resolute", "Resolute", (0, 18)), unit("Narn", "Foe", "Karn-Tal", (0, 0), heading=3), phase="fire"
    )
    offer = offer_of(state, "Resolute")

    assert the(offer, "fire HL* at Foe").note == "range 18, hits on 15 or less, HL1 HL2 bear"
    assert the(offer, "fire HL3 at Foe").note == "range 18, it does not bear"
    assert the(offer, "fire all at nearest").note == "HL1 chooses Foe"


def test_fire_at_another_supersedes_what_its_mounts_obeyed() -> None:
    state = everything()
    text = "Resolute:\n  fire MP1 at Tuk\n  fire all at nearest\n  hold HL*\n"
    offer = offer_of(state, "Resolute", text)

    assert the(offer, "fire MP* at Foe").replaces == (2,)
    assert the(offer, "fire all at Foe").replaces == (3,)
    assert the(offer, "fire HL* at Foe").replaces == (4,)
    assert chosen(offer, "hold") == ["hold HL*"]


@pytest.mark.rule("BR-LOC-12", "BR-DMG-10", "BR-WPN-3")
def test_options_are_words_behind_a_fire_line() -> None:
    offer = offer_of(everything(), "Resolute", "Resolute: fire HL1 at Foe")

    assert ("fire HL1 at Foe piercing",) in lines(offer, "option")
    assert ("fire HL1 at Foe called port",) in lines(offer, "option")
    assert ("fire HL1 at Foe else biggest",) in lines(offer, "option")
    pulse = offer_of(everything(), "Dover", "Dover: fire LPC* at Claw")
    assert the(pulse, "fire LPC* at Claw split {}").fill == Number(1, 6, 1)


@pytest.mark.rule("BR-VAL-17", "BR-PWR-3")
def test_what_charges_is_closed_and_can_be_helped() -> None:
    """HL3 has 18 of 24 and gains 6: it fires. With 6 it has 12 after R4, and 18 with the power of HL1."""
    state = state_of(
        unit("EA", "Resolute", "Resolute", (0, 9), weapon={"HL3": {"charge": 6}}), unit("Narn", "Foe", "Lance", (0, -9))
    )
    offer = offer_of(state, "Resolute")

    assert closed(offer)["fire"] == "HL3 is charged 12 of 24, ready in turn 4 [BR-VAL-17]"
    assert the(offer, "divert HL1 to HL3").note == "HL1 loses 24 and is shut down, HL3 18 of 24"
    assert "every weapon" in closed(offer_of(lance(), "Ajax"))["divert"]


@pytest.mark.rule("BR-PWR-6", "BR-PWR-7")
def test_batteries_and_a_shortage() -> None:
    state = everything()
    battery = the(offer_of(state, "Gorger"), "battery PB1 to HPL1 {}")

    assert isinstance(battery.fill, Number)
    assert battery.fill.most == 12
    power = the(offer_of(state, "Resolute"), "power {}")
    assert isinstance(power.fill, Ranking)
    assert "the reactor feeds all weapons" in closed(offer_of(state, "Dover"))["power"]


@pytest.mark.rule("BR-BAL-1", "BR-VAL-18", "BR-WPN-4")
def test_launches_within_reach() -> None:
    """A standard missile flies 30 hexes: Foe at 28 is offered, Far at 42 is not; a mine is set for a drift hex."""
    state = state_of(
        unit("EA", "Dover", "Picket", (0, 14)),
        unit("EA", "Vash", "Dro-Vash", (1, 14)),
        unit("Narn", "Foe", "Lance", (0, -14), heading=3, speed=4),
        unit("Narn", "Far", "Lance", (0, -28), heading=3),
    )
    offer = offer_of(state, "Dover")

    assert the(offer, "ballistic MR1 at Foe").note == "distance 28 of 30, hits on 12 or less, 12 aboard"
    assert ("ballistic MR1 at Far",) not in lines(offer, "ballistic")
    mines = offer_of(state, "Vash")
    assert the(mines, "ballistic EM1 at Foe").label == "EM1 at Foe, set for 0,-10"
    blank = the(mines, "ballistic EM1 at {}").fill
    assert isinstance(blank, Places)
    assert "0,-10" in blank.points


# --- worked examples: flights, boarding, jumps -----------------------------------------------------------------------


@pytest.mark.rule("BR-FTR-1", "BR-FTR-6", "BR-VAL-22")
def test_a_flight_has_one_letter_and_launches_before_it_flies() -> None:
    state = everything()
    hangar, launched = offer_of(state, "Gold"), offer_of(state, "Gold", "Gold: launch from Resolute")

    assert lines(hangar, "letter") == [("launch from Resolute",)]
    assert "launch it first" in closed(hangar)["path"]
    assert chosen(launched, "letter") == ["launch from Resolute"]
    # A quarter of 10 thrust, from the carrier's speed of 6.
    assert [line for (line,) in lines(launched, "speed")] == ["speed 4", "speed 5", "speed 6", "speed 7", "speed 8"]
    flying = offer_of(state, "Red", "Red: defend Claw")
    assert the(flying, "attack Foe").replaces == (1,)
    assert ("attack Foe side port",) in lines(offer_of(state, "Red", "Red: attack Foe"), "aim")


@pytest.mark.rule("BR-FTR-6")
def test_a_full_hangar_deck_closes_the_launch() -> None:
    units = [unit("EA", f"F{number}", "Kestrel", None, carrier="Resolute") for number in (1, 2, 3)]
    state = state_of(unit("EA", "Resolute", "Resolute", (0, 9)), *units, unit("Narn", "Foe", "Lance", (0, -9)))
    offer = offer_of(state, "F3", "F1: launch from Resolute\nF2: launch from Resolute")

    assert offer.choices == ()
    assert "launches 2 flights a turn; 2 are launching [BR-FTR-6]" in closed(offer)["letter"]


@pytest.mark.rule("BR-SEQ-3")
def test_the_fire_letter_only_changes_targets() -> None:
    state = state_of(
        unit("EA", "Red", "Kestrel", (0, 0), order="A", target="Foe"),
        unit("Narn", "Foe", "Lance", (0, 0)),
        unit("Narn", "Tuk", "Tir-Zak", (1, 0)),
        phase="fire",
    )
    offer = offer_of(state, "Red")

    assert lines(offer, "letter") == [("attack Foe",), ("attack Tuk",)]
    assert "flies A this turn" in closed(offer)["letter"]
    assert offer.of("path") == ()


@pytest.mark.rule("BR-POD-2", "BR-VAL-23")
def test_pods_are_offered_while_some_are_left() -> None:
    state = everything()
    pods = state.ships["Karn"].pods
    text = "Karn:\n" + "  board Foe side aft\n" * pods

    assert ("board Foe side aft",) in lines(offer_of(state, "Karn"), "board")
    assert offer_of(state, "Karn", text).of("board") == ()
    assert f"{pods} are launching already" in closed(offer_of(state, "Karn", text))["board"]


@pytest.mark.rule("BR-HYP-1", "BR-HYP-4", "BR-HYP-5")
def test_jumps_in_and_out() -> None:
    state = everything()
    deep = offer_of(state, "Deep")

    assert isinstance(the(deep, "jump-in {} facing 3").fill, Places)
    assert isinstance(the(deep, "offset {}").fill, Places)
    assert "only jump-in and offset reach it" in closed(deep)["orders"]
    assert ("jump out",) in lines(offer_of(state, "Resolute"), "jump")
    assert "no working jump engine" in closed(offer_of(state, "Dover"))["jump"]
    assert ("jump with Resolute",) in lines(offer_of(state, "Dover"), "jump")
    again = offer_of(state, GAME.fleet, "Fleet: jump-in 0,0 facing 3")
    assert closed(again)["jump-in"] == "every formation has its jump-in [BR-HYP-1]"


@pytest.mark.rule("BR-SEQ-8")
def test_the_fleet_ranks_its_ships_in_a_line_that_can_be_read() -> None:
    offer = offer_of(played("siege-of-the-citadel", 3)[2], GAME.fleet)
    ranking = the(offer, "firing {}").fill

    assert isinstance(ranking, Ranking)
    assert len(f"firing {', '.join(ranking.names)}") <= 200
    assert ("firing Citadel",) in lines(offer, "firing")


# --- worked examples: setup ------------------------------------------------------------------------------------------


@pytest.mark.rule("BR-SET-10")
def test_deployment_is_37_hexes_and_three_headings() -> None:
    state = GAME.setup(scenarios_of("broadsides")["border-incident"], LoadedDice())
    offer = offer_of(state, "Ajax")
    fills = [choice.fill for choice in offer.of("deploy")]

    assert lines(offer, "deploy") == [("deploy {} heading 0",), ("deploy {} heading 5",), ("deploy {} heading 1",)]
    assert [len(fill.points) for fill in fills if isinstance(fill, Places)] == [37, 37, 37]
    assert "1 sensor upgrades; EA may have 0 in 2240 [BR-SET-7]" in [f"{one.why} [{one.rule}]" for one in offer.closed]


@pytest.mark.rule("BR-SET-6", "BR-SET-7", "BR-JAM-3", "BR-VAL-28")
def test_loads_programs_and_upgrades() -> None:
    state = everything(phase="setup", turn=0, year=2261)
    dover = offer_of(state, "Dover")

    assert ("load MR1 standard 6 heavy 6",) in lines(dover, "load")
    assert ("program nearest fighter",) in lines(dover, "program")
    assert the(dover, "upgrade sensors {}").fill == Number(1, 1, 1)
    assert ("upgrade jammer",) in lines(dover, "jammer")
    standard = offer_of(everything(phase="setup", turn=0, switches={"missile_mix": "standard"}), "Dover")
    assert lines(standard, "load") == [("load MR1 standard 12",)]
    assert "missile_mix is standard" in closed(standard)["load"]


# --- forms -----------------------------------------------------------------------------------------------------------


def commented_orders(form: str) -> Iterator[tuple[str, str]]:
    """Each order that a form holds as a comment, and the form with that one given."""
    lines = form.splitlines()
    for at, line in enumerate(lines):
        order = line.removeprefix("  # ").split("    ")[0]
        if line.startswith("  # ") and order.split()[0] in verbs():
            yield order, "\n".join([*lines[:at], f"  {order}", *lines[at + 1 :]])


@pytest.mark.parametrize("second_mail", [False, True])
@pytest.mark.parametrize("key", SCENARIOS)
def test_every_line_a_form_suggests_is_legal(key: str, *, second_mail: bool) -> None:
    for state in played(key, 4, second_mail=second_mail):
        for side in sides_of(state):
            form = GAME.template(GAME.view(state, side))
            assert GAME.read_orders(state, side, form).problems == ()
            suggested = dict(commented_orders(form))
            assert suggested
            for order, text in suggested.items():
                assert [problem.reason for problem in GAME.read_orders(state, side, text).problems] == [], order


def test_a_form_says_how_far_things_go_and_why_no_farther() -> None:
    """Bold faces off its heading, Turner is turning, Rocky has a large asteroid ahead; Gold can launch."""
    form = GAME.template(GAME.view(complaint_state(switches=EVERYTHING), "EA"))

    assert "# speed 6    (4 to 11; 2 of 10 thrust a step)\n  # path F6    (or path F3 P F3, path F3 S F3)" in form
    assert "# speed 6    (no change: speed +1 while a turn to port is in progress: 2 hexes are still to serve)" in form
    faces = "cannot accelerate with facing 1 and heading 0: facing 0 is needed"
    assert f"# speed 6    (4 to 6; 2 of 10 thrust a step; no faster: {faces})" in form
    assert "straight on runs into a large asteroid at 20,-2" in form
    assert "Gold:\n  # 6 Kestrel\n  # launch from Resolute" in form
    assert "# Sentry: OSATs obey their programs" in form
    assert "Dead:" not in form


# --- what an offer never does ----------------------------------------------------------------------------------------


def test_nothing_is_offered_to_the_dead_the_moderator_or_after_the_end() -> None:
    assert GAME.choices is not None
    state = complaint_state()
    over = GAME.resolve(replace(state, last_turn=2), {}, KeyedDice(b"end")).state

    assert closed(offer_of(state, "Dead"))["orders"] == "Dead is destroyed [BR-VAL-1]"
    assert GAME.choices(GAME.view(state, None), GAME.read_orders(state, "EA", ""), "Ajax").choices == ()
    assert closed(offer_of(over, "Ajax"))["orders"] == "the battle is over [BR-VP-1]"


def test_an_offer_names_nobody_its_reader_may_not_know() -> None:
    for state in played("siege-of-the-citadel", 3):
        secrets = GAME.secrets(state, "EA")
        for name in (GAME.fleet, *GAME.units(state, "EA")[::5]):
            offer = offer_of(state, name)
            words = " ".join(f"{choice.label} {choice.lines} {choice.note}" for choice in offer.choices)
            assert [secret for secret in sorted(secrets) if secret in words] == []
