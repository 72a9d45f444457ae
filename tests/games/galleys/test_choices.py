"""What a unit can still be ordered: whatever is offered can be sent, and nothing of the book is missing."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import islice

import pytest

from games.galleys import GAME
from games.galleys.choices import NOT_OFFERED, choices
from games.galleys.orders.judge import FleetJudge
from games.galleys.orders.reading import LineReader
from games.galleys.state import State
from pbem.kit.checks.choices import breaches, half_of
from pbem.kit.choices import Choice, Closed, Number, Offer, Places, Ranking, added, random_sheet
from pbem.kit.dice import KeyedDice
from pbem.kit.hexgrid import Hex
from pbem.kit.scenario import Scenario, scenarios_of
from pbem.kit.scene import Trail, hex_point
from pbem.play.selfplay import play
from tests.games.galleys.builders import OURS, THEM, US, link, read, sea, ship, tutorial
from tests.games.galleys.test_fixes import spoiled

SCENARIOS = scenarios_of("galleys")
MOST_CHOICES = 600


def offer(state: State, unit: str, text: str = "", side: str = US) -> Offer:
    return choices(GAME.view(state, side), GAME.read_orders(state, side, text), unit)


def labels(found: Offer, group: str) -> list[str]:
    return [choice.label for choice in found.of(group)]


def labelled(found: Offer, group: str, label: str) -> Choice:
    (choice,) = [choice for choice in found.of(group) if choice.label == label]
    return choice


def lines_of(found: Offer) -> set[str]:
    return {line for choice in found.choices for line in choice.lines}


def why(found: Offer, group: str) -> list[tuple[str, str]]:
    return [(closed.rule, closed.why) for closed in found.closed if closed.group == group]


# --- the law ---------------------------------------------------------------------------------------------------------


def check_the_law(state: State, most: int, side: str, units: Sequence[str] | None = None) -> Iterator[str]:
    bots = GAME.bot(GAME.view(state, side), KeyedDice(b"bot"))
    for text in ("", bots, half_of(bots)):
        yield from breaches(GAME, state, side, text, most, units)


@pytest.mark.parametrize("key", SCENARIOS)
def test_whatever_is_offered_can_be_sent(key: str) -> None:
    """A sample of the choices of some turns, on an empty sheet, on the bot's and on half of it."""
    for played in islice(play(GAME, SCENARIOS[key], b"law"), 0, 4 if key == "actium" else 6, 3):
        for side in played.sheets:
            units = GAME.units(played.before, side)
            some = (*units[:2], *units[2 :: 1 + len(units) // 4])
            assert list(check_the_law(played.before, 20, side, some)) == []


@pytest.mark.soak
@pytest.mark.parametrize("key", SCENARIOS)
def test_whatever_is_offered_can_be_sent_in_whole_battles(key: str) -> None:
    for played in play(GAME, SCENARIOS[key], b"whole"):
        for side in played.sheets:
            assert list(check_the_law(played.before, 1500, side)) == []


def test_the_law_holds_for_held_hurt_and_burning_ships() -> None:
    assert list(check_the_law(melee(), 200, US)) == []


@pytest.mark.parametrize("seed", range(6))
def test_the_law_holds_on_top_of_letters_full_of_faults(seed: int) -> None:
    """Unknown names, refused lines, lines of the same kind twice: nothing breaks, and what is offered still stands."""
    chance = random.Random(seed)
    bots = GAME.bot(GAME.view(melee(), US), KeyedDice(b"bot"))
    text = spoiled(melee(), US, f"{bots}Nobody:\n  speed full\nThetis:\n  hold\n", chance)

    assert list(breaches(GAME, melee(), US, text, 150)) == []


def melee() -> State:
    """Every switch on; Ajax held by two, Bias burning, Ceto tired, Dido rammed, Echo crippled, Gaia a prize."""
    return sea(
        [
            ship("Ajax", "hepteres", "10,10/0", flame=True),
            ship("Bias", "liburnian", "14,10/0", fire=1),
            ship("Ceto", "hexeres", "17,10/0", fatigue=1, last_level="half"),
            ship("Dido", "trireme", "20,10/0", rammed=True),
            ship("Echo", "trireme", "23,10/0", crippled=True),
            ship("Fama", "trireme-elite", "26,10/3", last_level="full", firepots=2),
            ship("Gaia", "trireme", "29,10/0", prize=True, marines=1),
            ship("Hero", "trireme", "32,42/3"),
        ],
        [
            ship("Thetis", "trireme", "11,10/0"),
            ship("Nysa", "hexeres", "9,11/0"),
            ship("Best Hope", "trireme", "26,12/0"),
            ship("Kore", "trireme", "28,11/0"),
        ],
        links=[link("Ajax", "Thetis"), link("Ajax", "Nysa")],
        squadrons=[
            {
                "side": US,
                "name": "Left",
                "ships": [ship("Iris", "trireme", "40,20/0"), ship("Jason", "trireme", "40,22/0")],
            }
        ],
        flame_missiles=True,
        firepots=True,
        fog=True,
    )


# --- completeness ----------------------------------------------------------------------------------------------------


def test_every_verb_of_the_book_is_offered() -> None:
    """Section 6.4."""
    state = melee()
    view = GAME.view(state, US)
    letter = "Fleet: speed cruise\nFama: speed max\n  ram best if reachable\n"
    lines = {
        line
        for text in ("", letter)
        for unit in GAME.units(state, US)
        for line in lines_of(choices(view, read(state, text), unit))
    }
    verbs = set(LineReader(state, US, "", "", FleetJudge()).verbs)
    offered = {verb for verb in verbs if any(line == verb or line.startswith(f"{verb} ") for line in lines)}

    assert verbs - offered == set(NOT_OFFERED)


DUEL = {
    "scenario": {"cols": 16, "rows": 14, "max_turns": 2, "flame_missiles": True, "firepots": True, "corvus": True},
    "side": [{"name": US, "exit_edge": "S"}, {"name": THEM, "exit_edge": "N"}],
    "squadron": [
        {
            "side": US,
            "name": OURS,
            "ships": [ship("Ajax", "hepteres", "6,7/0", flame=True), ship("Bias", "hexeres", "8,6/0", firepots=2)],
        },
        {
            "side": THEM,
            "name": "Ravens",
            "ships": [ship("Thetis", "quinquereme", "7,3/3"), ship("Nysa", "hexeres", "9,2/3")],
        },
    ],
}


def play_at_random(scenario: Scenario, key: bytes) -> None:
    """A battle whose letters are made of choices alone; only silence is noted."""
    state = GAME.setup(scenario, KeyedDice(key))
    while GAME.phase(state):
        sheets = {}
        for info in GAME.sides(state):
            text = random_sheet(GAME, state, info.id, KeyedDice(key + b"%d" % state.turn + info.id.encode()))
            sheets[info.id] = GAME.read_orders(state, info.id, text)
            assert [found for found in sheets[info.id].problems if found.rule != "GA-VAL-33"] == [], text
        state = GAME.resolve(state, sheets, KeyedDice(key + b"%d" % state.turn)).state


@pytest.mark.parametrize("seed", range(3))
def test_a_battle_can_be_fought_from_choices_alone(seed: int) -> None:
    play_at_random(Scenario("galleys", "duel", "Duel", DUEL), b"random %d" % seed)


@pytest.mark.soak
@pytest.mark.parametrize("key", [key for key in SCENARIOS if key != "actium"])
def test_every_battle_can_be_fought_from_choices_alone(key: str) -> None:
    for seed in range(3):
        play_at_random(SCENARIOS[key], b"whole %d" % seed)


@pytest.mark.parametrize("key", [key for key in SCENARIOS if key != "actium"])
def test_all_that_the_bot_orders_is_offered(key: str) -> None:
    """The bot plots no paths: its lines themselves are among the choices, its lists as rankings."""
    for played in islice(play(GAME, SCENARIOS[key], b"bots"), 0, 6, 2):
        for side, sheet in played.sheets.items():
            view = GAME.view(played.before, side)
            units = dict.fromkeys(entry.unit for entry in sheet.accepted)
            for unit in list(units)[:: max(1, len(units) // 8)]:
                offered = lines_of(choices(view, sheet, unit))
                written = [entry.text for entry in sheet.accepted if entry.unit == unit]
                assert [line for line in written if not is_among(line, offered)] == []


def is_among(line: str, offered: set[str]) -> bool:
    verb, _, _ = line.partition(" ")
    alike = (line, f"{line} if reachable", f"{verb} {{}}", f"{line.rpartition(' ')[0]} {{}}%")
    return any(words in offered for words in alike)


# --- by hand ---------------------------------------------------------------------------------------------------------


def by_hand(**ajax: object) -> State:
    """The ships of GA-EX-9, Bias out of reach, and Nysa far away."""
    return sea(
        [ship("Ajax", "trireme", "14,3/4", **{"crew": 1, **ajax}), ship("Bias", "trireme", "30,3/4")],
        [ship("Thetis", "trireme", "10,5/0"), ship("Nysa", "hexeres", "50,5/0")],
    )


def test_the_title_says_where_a_unit_is() -> None:
    assert offer(by_hand(), "Ajax").title == "Ajax: 14,3 facing SW, Trireme, aphract, cruise 4 MP"
    assert offer(by_hand(), OURS).title == "Owls: 2 ships, morale 8"
    assert offer(by_hand(), "Fleet").title == "Fleet: 2 ships in 1 squadrons"


@pytest.mark.rule("GA-SPD-1", "GA-SPD-3", "GA-SPD-4", "GA-VAL-8", "GA-VAL-9")
def test_levels_come_with_their_points_and_those_too_high_are_closed() -> None:
    fresh, tired = offer(by_hand(), "Ajax"), offer(by_hand(fatigue=1, last_level="half"), "Ajax")

    assert labels(fresh, "speed") == ["half", "cruise", "full", "max"]
    assert labelled(fresh, "speed", "full").note.startswith("6 MP; the rowers roll for fatigue")
    assert labels(tired, "speed") == ["half", "cruise"]
    assert why(tired, "speed") == [
        ("GA-VAL-9", "full: fatigue 1: full is above the cap, cruise will be used"),
        ("GA-VAL-8", "max: last level half, ordered max: a rise of more than two steps"),
    ]


@pytest.mark.rule("GA-MOV-8", "GA-FAT-1")
def test_a_path_to_every_place_in_reach_with_the_speed_line_it_needs() -> None:
    """Ajax rows F2 S F1 to 11,5 facing NW: 4 MP, so at Cruise, and in row 4 or less at Full."""
    found = offer(by_hand(), "Ajax")
    at_cruise = labelled(found, "path", "11,5 facing NW")
    at_full = labelled(found, "path", "11,5 facing NW at full")

    assert (at_cruise.lines, at_cruise.note, at_cruise.faint) == (("path F2 S F1",), "4 of 4 MP", False)
    assert (at_cruise.at, at_cruise.heading) == (hex_point(Hex(11, 5)), 300.0)
    way = tuple(hex_point(at) for at in (Hex(14, 3), Hex(13, 4), Hex(12, 5), Hex(11, 5)))
    assert at_cruise.marks == (Trail(way, US, "plotted"),)
    assert at_full.lines == ("speed full", "path F2 S F1")
    assert (at_full.note, at_full.faint) == ("4 of 6 MP, fatigue row 4", True)
    assert "14,3 facing SW" not in labels(found, "path")


def test_what_the_sheet_says_already_is_chosen_and_another_choice_replaces_it() -> None:
    letter = "Ajax:\n  speed full\n  path F2 S F1\n"
    found = offer(by_hand(), "Ajax", letter)
    chosen = [(choice.group, choice.label) for choice in found.choices if choice.chosen]

    assert chosen == [("speed", "full"), ("path", "11,5 facing NW")]
    other = labelled(found, "path", "13,4 facing SW")
    assert (other.lines, other.replaces) == (("path F1",), (3,))
    assert added(letter, "Ajax", other) == "Ajax:\n  speed full\n  path F1\n"


@pytest.mark.rule("GA-VAL-10")
def test_a_slower_speed_cuts_the_path_to_what_it_still_pays_for() -> None:
    slower = labelled(offer(by_hand(), "Ajax", "Ajax:\n  speed full\n  path F6\n"), "speed", "cruise")

    assert slower.lines == ("speed cruise", "path F4")
    assert (slower.replaces, slower.faint) == ((2, 3), True)
    assert slower.note == "4 MP; path F6 becomes path F4"


def test_the_first_plan_line_of_a_ship_keeps_the_rest_of_the_plan_it_followed() -> None:
    """Section 6.1: a plan is taken whole from the most specific level that has one."""
    found = offer(by_hand(), "Ajax", "Owls:\n  speed full\n  ram best if reachable\n  else hold\n")
    faster = labelled(found, "speed", "max")

    assert faster.lines == ("speed max", "ram best if reachable", "else hold")
    assert faster.note == "7 MP; the rowers roll for fatigue; otherwise as Owls"
    assert faster.faint


def test_a_path_may_lead_through_a_friend_that_acts_earlier_and_not_through_one_that_acts_later() -> None:
    """GA-VAL-30."""
    state = sea([ship("Ajax", "liburnian", "10,8/0"), ship("Bias", "liburnian", "10,10/0")])
    first, last = offer(state, "Bias"), offer(state, "Bias", "Owls: sequence Bias, Ajax")

    assert labelled(first, "path", "10,7 facing N").lines == ("path F3",)
    assert labelled(first, "path", "10,7 facing N").note == "3 of 4 MP, if Ajax has moved on by then"
    assert "10,8 facing N" not in labels(last, "path")


@pytest.mark.rule("GA-MOV-4", "GA-MOV-7")
def test_back_water_and_the_way_home_are_offered() -> None:
    """Row 59 is the last of the sea; at column 10 that is r = 54."""
    found = offer(sea([ship("Ajax", "liburnian", "10,53/3")]), "Ajax")

    assert labelled(found, "path", "10,52 facing S at half").lines == ("speed half", "path B")
    out = [choice for choice in found.of("path") if choice.label == "off the map"]
    assert (out[0].lines, out[0].note) == (("path F2",), "2 of 4 MP, she is gone for good")


@pytest.mark.rule("GA-ORD-3", "GA-ORD-4", "GA-RAM-6")
def test_a_ram_in_reach_with_the_sum_of_its_modifiers() -> None:
    """GA-EX-9 at Full: 3 - 2 + 1 crew + 1 midship = +3; only a double one stays below 6."""
    found = offer(by_hand(), "Ajax")
    at_full = labelled(found, "ram", "ram Thetis at full")

    assert at_full.lines == ("speed full", "ram Thetis if reachable")
    assert at_full.note == (
        "F2 S F1, 4 of 6 MP; ram +3, hull -2, crew +1, midship +1: +3; harms on 35 of 36 rolls, 97%"
    )
    assert labelled(found, "ram", "ram the best in reach").note == "now Thetis"
    other = labelled(found, "ram", "ram this ship, should she come within reach")
    assert other.fill == Places({"Nysa": hex_point(Hex(50, 5))})


@pytest.mark.rule("GA-RAK-3", "GA-GRP-3")
def test_what_fog_hides_is_said_to_be_hidden() -> None:
    """Section 8: the target's crew counts against a rake and a grapple, and nobody ashore knows it."""
    found = offer(melee(), "Fama")

    assert labelled(found, "grapple", "grapple Kore").note.endswith("+0, her crew unknown; holds on 4 or more")
    assert "her crew unknown" in labelled(found, "rake", "rake Kore at max").note


@pytest.mark.rule("GA-ANA-2", "GA-PAS-1")
def test_an_anastrophe_through_a_line_may_turn_to_either_side() -> None:
    found = offer(melee(), "Fama")

    assert labelled(found, "anastrophe", "anastrophe on Best Hope at max, turning to port").lines == (
        "speed max",
        "anastrophe @Best Hope port",
    )
    assert labelled(found, "pass", "pass through Best Hope at max").note.startswith("F1 T, 3 of 7 MP")


def test_an_anastrophe_takes_the_path_out() -> None:
    found = offer(melee(), "Fama", "Fama:\n  speed max\n  path F2\n")
    turn = labelled(found, "anastrophe", "anastrophe on the nearest in reach")

    assert (turn.lines, turn.replaces) == (("anastrophe nearest",), (3,))
    assert turn.note == "now Best Hope; takes out path F2"


@pytest.mark.rule("GA-ORD-2")
def test_a_path_takes_out_the_fallback_that_would_overrule_it() -> None:
    found = offer(by_hand(), "Ajax", "Ajax:\n  ram best if reachable\n  else hold\n")
    ahead = labelled(found, "path", "13,4 facing SW")

    assert (ahead.lines, ahead.replaces, ahead.note) == (("path F1",), (3,), "1 of 4 MP; takes out else hold")


@pytest.mark.rule("GA-ORD-2")
def test_a_fallback_needs_an_attack() -> None:
    bare, armed = offer(by_hand(), "Ajax"), offer(by_hand(), "Ajax", "Ajax:\n  ram best if reachable\n  withdraw\n")

    assert why(bare, "else") == [
        ("GA-ORD-2", "a fall-back needs an attack that may be out of reach: order a ram, rake, pass or grapple first")
    ]
    assert labels(armed, "else")[:3] == ["else hold", "else withdraw", "else approach the nearest enemy"]
    assert labelled(armed, "else", "else F4").lines == ("else path F4",)
    assert labelled(armed, "else", "else F4").replaces == (3,)


@pytest.mark.rule("GA-MIS-2", "GA-MIS-8", "GA-VAL-22")
def test_fire_by_range_with_what_the_die_must_show() -> None:
    """GA-EX-6: Syracuse has 3 points at range 2, neither ship an edge in towers: a step falls on 4 or more."""
    state = sea([ship("Syracuse", "quinquereme", "12,4/0")], [ship("Tanit", "cataphract", "10,5/0")])
    found = offer(state, "Syracuse")

    assert (
        labelled(found, "fire", "fire at Tanit").note
        == "range 2, 3 points, die +0: a step lost on 4 or more, at most 1"
    )
    assert labelled(found, "fire", "so many points at Tanit before moving").fill == Number(1, 3, 3)
    burning = offer(sea([ship("Syracuse", "quinquereme", "12,4/0", fire=1)]), "Syracuse")
    assert why(burning, "fire") == [("GA-VAL-22", "it has no missile points: available 0")]
    assert labels(burning, "fire") == ["no fire of her own this turn"]


@pytest.mark.rule("GA-FLM-1", "GA-JET-1", "GA-DIS-2", "GA-BRD-2")
def test_flame_jettison_cutting_loose_and_boarding() -> None:
    """Ajax has 6 marines, Thetis 2, Nysa 6: free of Thetis on 4 - 1, of Nysa on 4; flame with 4 points on 6 - 1."""
    found = offer(melee(), "Ajax")

    assert labelled(found, "flame", "flame at Thetis").note == "burns on 5 or more"
    assert labelled(found, "jettison", "throw the towers overboard").lines == ("jettison",)
    loose = labelled(found, "disengage", "cut loose from all")
    assert loose.note == "2 MP; Thetis: free on 3 or more, Nysa: free on 4 or more"
    assert labelled(found, "disengage", "cut loose from Nysa alone").lines == ("disengage Nysa",)
    assert labelled(found, "board", "board Thetis").note == "marines 6 against 2"
    assert why(offer(melee(), "Fama"), "flame") == [("GA-VAL-24", "it has no flame missiles")]
    assert why(offer(melee(), "Bias"), "board")[0][0] == "GA-VAL-27"


@pytest.mark.rule("GA-VAL-23")
def test_fire_takes_the_place_of_flame() -> None:
    found = offer(melee(), "Ajax", "Ajax: flame at Thetis")

    assert labelled(found, "flame", "flame at Thetis").chosen
    assert labelled(found, "fire", "fire at Nysa").replaces == (1,)


@pytest.mark.rule("GA-VAL-15", "GA-DIS-1")
def test_a_held_ship_has_paths_when_it_will_try_to_get_loose() -> None:
    state = sea(
        [ship("Ajax", "hepteres", "10,10/0", doctrines={"disengage": "never"})],
        [ship("Thetis", "trireme", "11,10/0")],
        links=[link("Ajax", "Thetis")],
    )

    assert why(offer(state, "Ajax"), "path") == [("GA-VAL-15", "it is held by Thetis and has no order to disengage")]
    loose = offer(state, "Ajax", "Ajax: disengage")
    assert labelled(loose, "path", "10,9 facing N").note == "3 of 3 MP"


@pytest.mark.rule("GA-VAL-14", "GA-VAL-16", "GA-VAL-18")
def test_hurt_ships_are_told_what_they_cannot_do() -> None:
    rammed, crippled = offer(melee(), "Dido"), offer(melee(), "Echo")

    assert why(rammed, "path") == [("GA-VAL-14", "it is rammed: MP 0")]
    assert labels(rammed, "move") == ["hold"]
    assert why(rammed, "ram") == [("GA-VAL-16", "it is rammed")]
    assert why(crippled, "rake") == [("GA-VAL-18", "it is crippled")]
    assert labels(crippled, "speed") == ["half"]


def test_a_squadron_is_offered_what_all_its_ships_can_do() -> None:
    """GA-VAL-16: one tired ship without a plan of its own closes the ram to the rest."""
    tired = sea([ship("Ajax", "trireme", "10,10/0"), ship("Bias", "trireme", "14,10/0", fatigue=1)])

    assert why(offer(tired, OURS), "ram") == [("GA-VAL-16", "Bias: it is fatigued (fatigue 1)")]
    assert labels(offer(tired, OURS, "Bias: hold"), "ram")[:2] == [
        "ram the nearest in reach",
        "ram the biggest in reach",
    ]
    assert labelled(offer(tired, OURS), "path", "F4").lines == ("path F4",)
    assert len(labelled(offer(tired, OURS), "path", "F4").marks) == 2


@pytest.mark.rule("GA-SEQ-2")
def test_who_acts_when_is_a_ranking() -> None:
    fleet, squadron = offer(melee(), "Fleet", "Fleet: activate Left"), offer(melee(), "Left", "Left: sequence Jason")

    (activate,), (sequence,) = fleet.of("activate"), squadron.of("sequence")
    assert (activate.lines, activate.fill, activate.replaces) == (("activate {}",), Ranking(("Left", "Owls")), (1,))
    assert (sequence.lines, sequence.fill) == (("sequence {}",), Ranking(("Jason", "Iris")))


def test_doctrines_say_what_is_in_force() -> None:
    found = offer(melee(), "Jason", "Left: avoid ram rake\nFleet: hold ram below 40%")

    assert [choice.label for choice in found.of("avoid") if choice.note == "in force"] == ["avoid ram rake"]
    (held,) = found.of("hold ram")
    assert held.fill == Number(0, 100, 40)
    assert why(offer(tutorial(), "Fleet"), "firepots") == [
        ("GA-VAL-32", "the switch firepots is off in this scenario: no effect")
    ]


@pytest.mark.rule("GA-VAL-29", "GA-MOR-3")
def test_a_routed_squadron_hears_nothing() -> None:
    state = sea(
        [ship("Ajax", "trireme", "10,10/0")],
        squadrons=[{"side": US, "name": "Left", "routed": True, "ships": [ship("Iris", "trireme", "40,20/0")]}],
    )

    for unit in ("Left", "Iris"):
        found = offer(state, unit)
        assert found.choices == ()
        assert found.closed == (Closed("orders", "Left is routed: withdraws, whatever is ordered", "GA-VAL-29"),)
    assert labels(offer(state, "Fleet"), "speed") == ["half", "cruise", "full", "max"]


def test_no_offer_is_too_long_and_none_is_made_of_a_battle_that_is_over() -> None:
    *_, last = play(GAME, SCENARIOS["rhium"], b"end")
    over = offer(last.after, "Fleet")

    assert over.choices == ()
    assert over.closed[0].rule == "GA-VIC-2"
    swarm = sea([ship("Wasp", "hemiolia", "30,20/0", last_level="full")])
    assert 400 < len(offer(swarm, "Wasp").choices) <= MOST_CHOICES


def test_a_refused_line_gives_way_to_a_choice_of_its_kind() -> None:
    """GA-VAL-8: the speed that was refused goes out with the path that stood beside it."""
    letter = "Ajax:\n  path F2\n  speed max\n"
    found = offer(by_hand(last_level="half"), "Ajax", letter)
    faster = labelled(found, "path", "11,6 facing SW at full")

    assert (faster.lines, faster.replaces) == (("speed full", "path F3"), (2, 3))
    assert read(by_hand(last_level="half"), added(letter, "Ajax", faster)).problems[1:] == ()
