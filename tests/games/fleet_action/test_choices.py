"""The law of choices over the scenarios, what is offered to whom, and worked examples of the chapters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from games import AnyGame
from games.fleet_action import GAME
from games.fleet_action.choices import MOST_CHOICES, NOT_OFFERED
from games.fleet_action.orders.records import PathOrder, SpeedOrder
from games.fleet_action.orders.verbs import VERBS, word_of
from games.fleet_action.rules.courses import led
from games.fleet_action.rules.movement import SpeedChange, check_path
from games.fleet_action.rules.plotting import Plot
from games.fleet_action.state import State
from pbem.kit.checks.choices import breaches, half_of
from pbem.kit.choices import Choice, Closed, Number, Offer, Places, Ranking, added, random_sheet
from pbem.kit.dice import KeyedDice
from pbem.kit.scenario import scenarios_of
from pbem.kit.scene import hex_point
from tests.games.fleet_action.builders import (
    CENTAURI_AND_NARN,
    EARTH_AND_MINBARI,
    at,
    flight,
    ship,
    situation,
    squadron,
    the_squadron,
)

SCENARIOS = scenarios_of("fleet_action")


def bot_text(state: State, side: str, number: int) -> str:
    return GAME.bot(GAME.view(state, side), KeyedDice(f"bot {number} {side}".encode()))


def self_play(key: str, phases: int) -> Iterator[tuple[int, State]]:
    """The opening phases of a scenario as the bots play it."""
    state = GAME.setup(SCENARIOS[key], KeyedDice(b"setup"))
    for number in range(phases):
        if GAME.phase(state) is None:
            return
        yield number, state
        sheets = {s.id: GAME.read_orders(state, s.id, bot_text(state, s.id, number)) for s in state.sides}
        state = GAME.resolve(state, sheets, KeyedDice(f"{number}".encode())).state


def offer(state: State, side: str, unit: str, text: str = "") -> Offer:
    assert GAME.choices is not None
    return GAME.choices(GAME.view(state, side), GAME.read_orders(state, side, text), unit)


def labels(found: Offer, group: str) -> list[str]:
    return [choice.label for choice in found.of(group)]


def the(found: Offer, group: str, label: str) -> Choice:
    (choice,) = [choice for choice in found.of(group) if choice.label == label]
    return choice


def why(found: Offer, group: str) -> list[str]:
    return [f"{closed.rule}: {closed.why}" for closed in found.closed if closed.group == group]


# --- the law ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "phases", "most"), [("border-incident", 6, 50), ("ragesh-approaches", 6, 20), ("the-long-line", 4, 10)]
)
def test_whatever_is_offered_can_be_sent(key, phases, most):
    """On top of nothing, of the bot's sheet and of half of it; a few units of a large side."""
    for number, state in self_play(key, phases):
        for side in state.sides:
            bot = bot_text(state, side.id, number)
            for sample, text in enumerate(("", bot, half_of(bot))):
                assert list(breaches(some_units(number + sample), state, side.id, text, most)) == []


def some_units(first: int) -> AnyGame:
    """The game as if a side had few units, others each time."""
    return replace(GAME, units=lambda state, side: GAME.units(state, side)[first :: max(1, len(state.ships) // 5)])


@pytest.mark.soak
@pytest.mark.parametrize("key", list(SCENARIOS))
def test_whatever_is_offered_can_be_sent_all_of_it(key):
    for number, state in self_play(key, 14):
        for side in state.sides:
            bot = bot_text(state, side.id, number)
            for text in ("", bot, half_of(bot)):
                assert list(breaches(GAME, state, side.id, text, 400)) == []


def crowd() -> list[State]:
    """Situations in which the rarer orders matter: lost leaders, beams, strays, ELINT, building, jumps, reserves."""
    narn = squadron("Kha'Mak", "narn", "2030", ship("G'Quan-1", structure=4), "T'Loth-1", heading=4, speed=2)
    vorchans = [f"Vorchan-{number}" for number in range(1, 6)]
    thentus = [squadron(f"Du'Rog {n}", "narn", f"{n + 20}35", f"Thentus-{n}", heading=4) for n in range(1, 6)]
    leaderless = situation(
        squadron("Aquila", "centauri", "2020", *vorchans, lost_commander_turn=2, abilities=["stubborn"]),
        squadron("Corvus", "centauri", "2222", "Mograth-1", state="stray"),
        squadron("Lupus", "centauri", "2323", "Primus-1", abilities=["command-reorganization", "stubborn"]),
        squadron("Kha'Mak", "narn", "2030", "Thentus-9", "Dag'Kar-1", "Sho'Kar-1", heading=4, speed=2),
        *thentus,
        sides=CENTAURI_AND_NARN,
        turn=3,
        fleet=[
            {"side": "centauri", "name": "Fleet C", "flagship": "Vorchan-1", "flagless_turn": 2},
            {"side": "narn", "name": "Fleet N", "flagship": "Thentus-9", "flagless_turn": 2},
        ],
        standing=[{"side": "centauri", "unit": "Aquila", "text": "fire all at nearest"}],
        flights=[
            flight("Frazi-1", "frazi", "Thentus-9", "2021", state="dogfight"),
            flight("Sentri-1", "sentri", "Primus-1", "2021", state="dogfight"),
        ],
    )
    beams = situation(
        squadron("Alpha", "earth", "2020", "Omega-1", "Oracle-1", speed=4),
        squadron("Y-S1", "minbari", "2023", ship("Sharlin-1", holding="Nova-1"), "Leshath-1", "Tigara-1", heading=1),
        squadron("Stray Nova-1", "earth", "2024", ship("Nova-1", held_by="Sharlin-1", structure=3), state="stray"),
        sides=EARTH_AND_MINBARI,
        fleet=[{"side": "earth", "flagship": "Omega-1", "abilities": ["priority-support"]}, {"side": "minbari"}],
        flights=[flight("Fury-1", "aurora", "Omega-1", "2019")],
        switches={"afterburners": True},
        turn=3,
    )
    building = situation(
        squadron("Alpha", "earth", "2020", "Omega-1"),
        narn,
        stage="deployment",
        engagement="meeting",
        side_fields={"earth": {"points_limit": 4000}},
    )
    gate = situation(
        squadron("Alpha", "earth", "2020", "Omega-1", "Hyperion-1"),
        squadron("Bravo", "earth", "2055", "Hyperion-2", patrol=True),
        squadron("Y-S1", "minbari", None, "Sharlin-1", "Tinashi-1"),
        squadron("Y-T1", "minbari", None, "Tigara-1", "Tigara-2"),
        squadron("Y-K1", "minbari", None, "Morshin-1", "Esharan-1"),
        sides=EARTH_AND_MINBARI,
        engagement="jump-in",
        gate={"hex": "3030", "direction": 4},
        plan=[
            {"opener": "Sharlin-1", "hex": "3040"},
            {"opener": "Tigara-1", "offset": "FS4"},
            {"opener": "Morshin-1", "hex": "1515"},
        ],
    )
    reserve = situation(
        squadron("Alpha", "earth", "2020", "Omega-1", speed=4),
        squadron("Relief", "earth", None, "Hyperion-1", "Artemis-1", fleet="Relief Fleet", state="waiting", arrives=5),
        squadron("Kha'Mak", "narn", "2050", "T'Loth-1"),
        turn=5,
        fleet=[
            {"side": "earth", "name": "Main"},
            {"side": "earth", "name": "Relief Fleet", "schedule": {"turn": 5, "arrives": 5}},
        ],
    )
    return [leaderless, beams, building, gate, reserve]


@pytest.mark.parametrize("number", range(5))
def test_rare_situations_keep_the_law(number):
    """On nothing, and on a sheet made of choices."""
    state = crowd()[number]
    for side in state.sides:
        chosen = random_sheet(GAME, state, side.id, KeyedDice(b"rare"))
        for text in ("", chosen):
            assert list(breaches(GAME, state, side.id, text, 100)) == []


# --- completeness ----------------------------------------------------------------------------------------------------


def offered_lines(state: State) -> Iterator[str]:
    for side in state.sides:
        chosen = random_sheet(GAME, state, side.id, KeyedDice(b"verbs"))
        for unit in (GAME.fleet, *GAME.units(state, side.id)):
            for text in ("", chosen):
                for choice in offer(state, side.id, unit, text).choices:
                    yield from choice.lines


def test_every_order_word_is_offered_somewhere():
    """Or named with the reason why not; ``standing`` and ``cancel standing`` are offered too."""
    states = [*crowd(), *(state for _, state in self_play("border-incident", 1))]
    states += [state for number, state in self_play("ragesh-approaches", 2) if number == 1]
    lines = {line for state in states for line in offered_lines(state)}
    words = {word_of(line) for line in lines if line != "cancel standing"}
    assert words | set(NOT_OFFERED) == set(VERBS)
    assert "cancel standing" in lines
    assert any(line.startswith("standing ") for line in lines)


ENDING = re.compile(r"(?m)^ +(offer end|withdraw|jump)$")


def play_by_choices(key: str, seed: str, most: int, leave_out: re.Pattern[str] | None = None) -> None:
    """A game of choices alone; nothing is refused or changed, or even noted."""
    state = GAME.setup(SCENARIOS[key], KeyedDice(b"setup"))
    for number in range(most):
        if GAME.phase(state) is None:
            break
        sheets = {}
        for side in state.sides:
            text = random_sheet(GAME, state, side.id, KeyedDice(f"{seed} {number} {side.id}".encode()))
            sheets[side.id] = GAME.read_orders(state, side.id, leave_out.sub("", text) if leave_out else text)
            assert sheets[side.id].problems == ()
        state = GAME.resolve(state, sheets, KeyedDice(f"{seed} {number}".encode())).state
    assert GAME.phase(state) is None or number == most - 1


@pytest.mark.parametrize(("seed", "leave_out"), [("a", None), ("b", None), ("c", ENDING)])
def test_games_of_choices_alone_have_no_problem(seed, leave_out):
    """Three whole games; in the third nobody offers the end or leaves, so that it lasts."""
    play_by_choices("border-incident", seed, 30, leave_out)


@pytest.mark.soak
@pytest.mark.parametrize("key", list(SCENARIOS))
def test_long_games_of_choices_alone_have_no_problem(key):
    play_by_choices(key, "soak", 3 if key == "the-long-line" else 30, ENDING)


@pytest.mark.parametrize("key", list(SCENARIOS))
def test_every_plot_of_a_bot_is_among_the_choices(key):
    """By its end and its heading, on an empty sheet, within the limit of choices."""
    for number, state in self_play(key, 4):
        for side in state.sides:
            sheet = GAME.read_orders(state, side.id, bot_text(state, side.id, number))
            view = GAME.view(state, side.id)
            for entry in [entry for entry in sheet.accepted if isinstance(entry.order, PathOrder)][:6]:
                assert isinstance(entry.order, PathOrder)
                own = the_squadron(state, entry.unit)
                speeds = [e.order for e in sheet.accepted if isinstance(e.order, SpeedOrder) and e.unit == entry.unit]
                change = SpeedChange(speeds[-1].delta, speeds[-1].pulse) if speeds else SpeedChange(0)
                plot = check_path(entry.order.steps, own.speed, change, view.limits[own.name])
                assert isinstance(plot, Plot)
                end, heading = led(own, plot.steps)
                found = offer(state, side.id, entry.unit)
                assert len(found.choices) <= MOST_CHOICES
                ends = {(choice.at, choice.heading) for choice in found.of("path")}
                assert (hex_point(end), (heading - 1) * 60.0) in ends


# --- the form --------------------------------------------------------------------------------------------------------


def examples(form: str) -> Iterator[tuple[int, str]]:
    """Lines that become orders when their # is taken away."""
    for number, line in enumerate(form.splitlines()):
        text = line.removeprefix("  # ")
        if text != line and text.split("   #")[0].split()[0] in {word.split()[0] for word in VERBS}:
            yield number, f"  {text}"


@pytest.mark.parametrize("key", ["border-incident", "ragesh-approaches", "the-long-line"])
def test_a_form_offers_nothing_illegal(key):
    """Each example on its own, in every phase of the opening; the form as it is has no problem."""
    states = [state for _, state in self_play(key, 5)] + (crowd() if key == "border-incident" else [])
    for state in states:
        for side in state.sides:
            form = GAME.template(GAME.view(state, side.id))
            assert GAME.read_orders(state, side.id, form).problems == ()
            lines = form.splitlines()
            for number, line in list(examples(form))[::7]:
                chosen = "\n".join([*lines[:number], line, *lines[number + 1 :]])
                assert GAME.read_orders(state, side.id, chosen).problems == ()


TURNS_AT_SPEED_6 = (
    "  # turn up to speed 7; too fast for hard turn (4), course correction (5), come about (2);"
    " with a speed change: none"
)


@pytest.mark.rule("FA-MOV-10", "FA-MOV-12")
def test_the_form_names_what_the_speed_allows():
    """Alpha of scenario A: Hyperions (turn 7) with Artemis, at speed 6."""
    state = GAME.setup(SCENARIOS["border-incident"], KeyedDice(b"setup"))
    lines = GAME.template(GAME.view(state, "earth")).splitlines()
    assert lines[3:7] == [
        "Alpha:  # 2008 heading 4, speed 6",
        "  speed hold   # or -4 to +5, pulse 2 -2 to +3, pulse 3 +1",
        "  # path F6   # 2 | 2 | 2 hexes",
        TURNS_AT_SPEED_6,
    ]


# --- worked examples: movement ---------------------------------------------------------------------------------------


def lone(*ships: Any, **fields: Any) -> State:
    """Alpha at 2020 heading 1, and a Narn far away."""
    return situation(
        squadron("Alpha", "earth", "2020", *ships, **fields), squadron("Kha'Mak", "narn", "5050", "T'Loth-1")
    )


@pytest.mark.rule("FA-MOV-3", "FA-MOV-5")
def test_every_legal_change_of_speed_is_offered():
    """An Omega at speed 4: acceleration and deceleration of its card, two less for each pulse it waits."""
    found = offer(lone("Omega-1", speed=4), "earth", "Alpha")
    lines = [choice.lines[0] for choice in found.of("speed")]
    assert lines[:5] == ["speed hold", "speed -1", "speed +1", "speed -2", "speed +2"]
    assert "speed +1 pulse 2" in lines
    assert all("pulse 3" not in line or line[7] in "12" for line in lines)
    assert the(found, "speed", "speed 6").note == "2 | 2 | 2 hexes"
    assert found.title == "Alpha: 2020 heading 1, speed 4"


@pytest.mark.rule("FA-MOV-9", "FA-MOV-12")
def test_paths_end_in_every_place_the_limits_allow():
    """A capital ship at speed 3 (hard turn 3 or so): ahead, slips, turns; with a speed change it maintains course."""
    found = offer(lone("Omega-1", speed=3), "earth", "Alpha")
    ahead = the(found, "path", "2017 heading 1, maintain course")
    assert (ahead.lines, ahead.at, ahead.heading) == (("path F3",), hex_point(at("2017")), 0.0)
    assert the(found, "path", "2118 heading 2, turn").lines == ("path F2 S F",)
    faster = the(found, "path", "2016 heading 1, maintain course at speed 4")
    assert (faster.lines, faster.faint) == (("speed +1", "path F4"), True)
    assert not [c for c in found.of("path") if c.faint and "maintain" not in c.label]


@pytest.mark.rule("FA-MOV-10")
def test_a_speed_that_bars_turning_says_so():
    """Hyperion at speed 12: its rows and the ship that limits them."""
    found = offer(lone("Hyperion-1", speed=12), "earth", "Alpha")
    (said,) = why(found, "path")
    assert said.startswith("FA-MOV-10: at speed 12: no turn (")
    assert "Hyperion-1" in said
    assert {choice.label.split(", ")[1].split(" at ")[0] for choice in found.of("path")} == {"maintain course"}


@pytest.mark.rule("FA-MOV-4")
def test_engines_that_are_gone_close_speeds():
    """No deceleration left: no slower speed is offered, and no path with one."""
    crippled = ship("Hyperion-1", man_left={"dec": 0})
    found = offer(lone(crippled, speed=5), "earth", "Alpha")
    assert why(found, "speed") == ["FA-MOV-4: no deceleration: Hyperion-1 has 0"]
    assert not any(line.startswith("speed -") for choice in found.choices for line in choice.lines)


@pytest.mark.rule("FA-MOV-6", "FA-FRM-6")
def test_another_speed_takes_the_path_and_the_shift_with_it_that_no_longer_fit():
    """Speed 6 allows a shift of 1; at speed 2 a pulse has no hex, so nobody shifts."""
    state = lone("Omega-1", "Hyperion-1", speed=6)
    text = "Alpha:\n  path F6\n  shift Hyperion-1 FP1\n"
    slower = the(offer(state, "earth", "Alpha", text), "speed", "speed 2")
    assert (slower.replaces, slower.faint) == ((2, 3), True)
    sheet = GAME.read_orders(state, "earth", added(text, "Alpha", slower))
    assert (sheet.problems, [entry.text for entry in sheet.accepted]) == ((), ["speed -4"])


@pytest.mark.rule("FA-MOV-7", "FA-MOV-8")
def test_other_ways_lead_to_the_chosen_end():
    """Speed 6, F2 P F4: the turn at a pulse's edge may come before the fire of the pulse."""
    state = lone("Artemis-1", speed=6)
    found = offer(state, "earth", "Alpha", "Alpha: path F2 P F4")
    assert labels(found, "way") == ["there by F2 P | F2 | F2"]
    assert found.of("way")[0].note == "F2 P | F2 | F2"


@pytest.mark.rule("FA-WDR-3", "FA-WDR-4", "FA-SPC-8")
def test_leaving_and_held_squadrons_are_told_why_they_cannot_turn():
    jumping = situation(
        squadron("Alpha", "earth", "2020", ship("Omega-1", prepared_jump_turn=2), speed=3, state="jumping"),
        squadron("Kha'Mak", "narn", "2010", "T'Loth-1"),
        turn=3,
    )
    found = offer(jumping, "earth", "Alpha")
    assert why(found, "path") == ["FA-WDR-4: it jumps at the end of this turn and may only maintain course"]
    leaving = offer(jumping, "earth", "Omega-1")
    assert why(leaving, "jump") == ["FA-WDR-4: its vortex opens at the end of this turn"]
    away = lone("Omega-1", speed=3, state="withdrawing")
    assert "FA-WDR-3" in why(offer(away, "earth", "Alpha"), "path")[-1]
    held = crowd()[1]
    assert why(offer(held, "earth", "Stray Nova-1"), "path")[0].startswith("FA-SPC-8: Nova-1 is held by Sharlin-1")


# --- worked examples: fire -------------------------------------------------------------------------------------------


def duel(**fields: Any) -> State:
    return situation(
        squadron("Alpha", "earth", "2020", "Omega-1", "Hyperion-1", speed=3),
        squadron("Kha'Mak", "narn", "2012", "G'Quan-1", "T'Loth-1", heading=4, speed=3),
        squadron("Na'Far", "narn", "3012", "Thentus-1", heading=4, speed=3),
        **fields,
    )


@pytest.mark.rule("FA-FIRE-5", "FA-FIRE-7")
def test_a_shot_is_offered_with_its_figures():
    """Omega-1 at G'Quan-1, 8 hexes ahead: heavy laser, sensor 6 against def 9, medium range or so."""
    found = offer(duel(), "earth", "Omega-1")
    shot = the(found, "fire", "heavy-laser at G'Quan-1")
    assert shot.lines == ("fire heavy-laser at G'Quan-1",)
    assert shot.at == hex_point(at("2012"))
    assert re.fullmatch(r"range 8 now, heavy-laser: \d dice, needs \d+ or more on d\d+ \(\d+%\), \w+, arc F", shot.note)
    assert {"all at nearest", "primary at T'Loth-1"} <= set(labels(found, "fire"))


@pytest.mark.rule("FA-FIRE-1", "FA-DOC-1")
def test_a_named_target_limits_whom_the_ships_fire_at():
    """FA-E-21: with target Kha'Mak only its ships are offered; another target takes the ship's line with it."""
    state = duel()
    found = offer(state, "earth", "Omega-1", "Alpha: target Kha'Mak")
    assert not [label for label in labels(found, "fire") if "Thentus" in label]
    other = the(offer(state, "earth", "Alpha", "Alpha:\n fire all at T'Loth-1"), "target", "Na'Far")
    assert (other.replaces, other.faint) == ((2,), True)
    closed = offer(state, "earth", "Alpha", "Hyperion-1: fire all at T'Loth-1")
    assert "Na'Far" not in labels(closed, "target")


@pytest.mark.rule("FA-SPC-2")
def test_guardian_levels_are_offered_while_they_last():
    """Primus-1 has two levels: with one on Vorchan-1, one is left for others."""
    state = situation(
        squadron("Vulpes", "centauri", "2020", "Primus-1", "Vorchan-1"),
        squadron("Kha'Mak", "narn", "2012", "G'Quan-1", heading=4),
        sides=CENTAURI_AND_NARN,
    )
    level = len(labels(offer(state, "centauri", "Primus-1"), "guard")) // 2
    assert labels(offer(state, "centauri", "Primus-1"), "guard")[1] == "Primus-1 +1"
    left = labels(offer(state, "centauri", "Primus-1", "Primus-1: guard Vorchan-1 1"), "guard")
    assert f"Primus-1 +{level}" not in left
    assert f"Vorchan-1 +{level}" in left


@pytest.mark.rule("FA-WPN-10")
def test_mines_are_offered_about_the_enemy_within_range_and_arc():
    state = situation(
        squadron("Alpha", "earth", "2020", "Omega-1", speed=6, heading=4),
        squadron("G'Lan", "narn", "2045", "Dag'Kar-1", "Dag'Kar-2"),
    )
    both, one, _ = offer(state, "narn", "G'Lan").of("mines")
    assert both.lines == ("mines {}",)
    assert one.lines == ("mines {} with Dag'Kar-1",)
    assert isinstance(both.fill, Places)
    assert {"2020", "2026"} <= set(both.fill.points)
    gone = offer(state, "narn", "G'Lan", "G'Lan: withdraw")
    assert why(gone, "mines") == ["FA-WDR-1: a withdrawing squadron launches no mines"]


# --- worked examples: ships, flights, the side -----------------------------------------------------------------------


@pytest.mark.rule("FA-ELI-1", "FA-ELI-5")
def test_elint_is_offered_by_the_levels_left():
    state = crowd()[1]
    found = offer(state, "minbari", "Leshath-1")
    assert "jam the command of Omega-1" in " ".join(labels(found, "elint"))
    text = "Leshath-1: elint offensive"
    used = offer(state, "minbari", "Leshath-1", text)
    assert len(labels(used, "elint")) < len(labels(found, "elint")) or not used.of("elint")[0].replaces


@pytest.mark.rule("FA-FTR-1", "FA-FTR-2")
def test_a_mission_out_of_the_hangar_brings_its_launch():
    state = duel(
        flights=[flight("Fury-1", "aurora", "Hyperion-1"), flight("Fury-2", "aurora", "Omega-1", "2021")], turn=2
    )
    strike = the(offer(state, "earth", "Fury-1"), "mission", "strike Kha'Mak")
    assert strike.lines == ("launch", "mission strike Kha'Mak")
    again = the(offer(state, "earth", "Fury-1", "Fury-1: launch pulse 2"), "mission", "strike Kha'Mak")
    assert again.lines == ("mission strike Kha'Mak",)
    assert len(labels(offer(state, "earth", "Fury-1"), "launch")) == 21
    assert why(offer(state, "earth", "Fury-2"), "mission") == [
        "FA-FTR-1: missions of flying flights change on odd turns; this is turn 2; next: turn 3"
    ]


@pytest.mark.rule("FA-CMD-6", "FA-CMD-8", "FA-CMD-9")
def test_lost_leaders_are_replaced_by_choice():
    state = crowd()[0]
    assert offer(state, "centauri", "Aquila").of("commander")
    (strays,) = offer(state, "centauri", "Aquila").of("strays")
    assert isinstance(strays.fill, Ranking)
    side = offer(state, "centauri", "Fleet")
    assert labels(side, "first") == ["in pulse 1", "in pulse 2", "in pulse 3"]
    assert side.of("flag")


@pytest.mark.rule("FA-DEP-1", "FA-DEP-2", "FA-DEP-3")
def test_places_are_offered_within_area_and_reach():
    """Scenario B: rows 1-16, 15 hexes from the flagship; fleet speed 0-10."""
    state = GAME.setup(SCENARIOS["ragesh-approaches"], KeyedDice(b"setup"))
    (speed,) = offer(state, "centauri", "Fleet").of("fleet speed")
    assert speed.fill == Number(0, 10, 5)
    south = the(offer(state, "centauri", "Vulpes"), "deploy", "at a hex, heading 4")
    assert isinstance(south.fill, Places)
    assert {"4212", "4216"} <= set(south.fill.points)
    assert "4217" not in south.fill.points
    # With Vulpes at 4212 the flagship stays within 15 hexes of it.
    moved = the(offer(state, "centauri", "Aquila", "Vulpes: deploy 4212 heading 4"), "deploy", "at a hex, heading 4")
    assert isinstance(moved.fill, Places)
    assert "2610" not in moved.fill.points


@pytest.mark.rule("FA-ABL-10")
def test_a_tactical_planner_has_ten_hexes_in_all():
    state = next(state for number, state in self_play("ragesh-approaches", 2) if state.stage == "adjustment")
    assert offer(state, "centauri", "Aquila").of("adjust")[0].note == "10 of 10 hexes left"
    used = offer(state, "centauri", "Aquila", "Vulpes: adjust 4218")
    assert used.of("adjust")[0].note == "4 of 10 hexes left"
    assert why(offer(state, "narn", "Kha'Mak"), "adjust") == ["FA-ABL-10: your admiral is no Superior Tactical Planner"]


@pytest.mark.rule("FA-BLD-1", "FA-BLD-2", "FA-BLD-4", "FA-BLD-6")
def test_a_fleet_is_built_ship_by_ship():
    """4000 points: an Omega of 860, a flight for its hangar, no class that costs more than is left."""
    state = crowd()[2]
    assert "Earth 1" in GAME.units(state, "earth")
    omega = the(offer(state, "earth", "Earth 1"), "buy", "Omega Destroyer Omega-1")
    assert omega.lines == ("buy omega as Omega-1",)
    text = added("", "Earth 1", omega)
    again = offer(state, "earth", "Earth 1", text)
    assert "3140 of 4000 points left" in the(again, "buy", "Omega Destroyer Omega-2").note
    assert again.of("flight")
    assert again.of("ability")
    ready_made = offer(state, "earth", "Earth 1", "Alpha: deploy 2020 heading 1")
    assert why(ready_made, "buy") == [
        "FA-BLD-6: bought ships replace the ready-made roster, and line 1 orders Alpha of it"
    ]


def test_units_of_others_and_an_ended_game_have_nothing_to_order():
    state = duel()
    assert offer(state, "earth", "Kha'Mak") == Offer(
        "Kha'Mak",
        "Kha'Mak: 2012 heading 4, speed 3",
        (),
        (Closed("orders", "Kha'Mak is no unit of yours in this phase", "FA-E-2"),),
    )
