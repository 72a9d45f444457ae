"""Fixes that hold: what a player is told to send instead was read back first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from games import AnyGame
from pbem.campaign.proving import MOST_READINGS, proven
from pbem.campaign.seeking import nearest_fixes
from pbem.kit.choices import Choice, Dial, Fill, Number, Offer, Places, Ranking
from pbem.kit.dice import LoadedDice
from pbem.kit.hexgrid import from_column_row
from pbem.kit.judging import Judge
from pbem.kit.scene import Ground, HexGrid, InchTable, Point, Scene, Star, StarField, hex_point
from pbem.kit.sheet import Problem, Sheet
from tests.office_bench import Bench, duel
from tests.office_game import DUEL, State, read_orders

STATE: State = DUEL.setup(duel(), LoadedDice(1, 1, 1, 1))


def fixes(text: str, game: AnyGame = DUEL) -> list[str]:
    """Of each problem of the text, in the order the game tells them."""
    sheet = game.read_orders(STATE, "red", text)
    return [found.fix for found in proven(game, STATE, "red", text, sheet.problems, sheet)]


def judged(change: Callable[[Judge[Any]], None], **more: Any) -> AnyGame:
    """The duel with one more check of whole sheets."""

    def read(state: State, side: str, text: str) -> Sheet[Any]:
        sheet = read_orders(state, side, text)
        judge: Judge[Any] = Judge(sheet.accepted)
        change(judge)
        return judge.settle(sheet)

    return replace(DUEL, read_orders=read, **more)


# --- a game's own fix ------------------------------------------------------------------------------------------------


def named(fix: str, *, weight: str = "refused", **more: Any) -> AnyGame:
    """A duel in which speed 5 is refused with this fix."""

    def check(judge: Judge[Any]) -> None:
        for entry in [entry for entry in judge.entries if entry.text == "speed 5"]:
            verdict = judge.refuse if weight == "refused" else judge.note
            verdict(entry, "DU-X-1", "not five", fix=fix)

    return judged(check, **more)


def test_a_fix_that_is_read_back_without_a_complaint_is_shown() -> None:
    assert fixes("Ares:\n  speed 5\n", named("speed 4", choices=None)) == ["speed 4"]
    assert fixes("Ares:\n  speed 5\n", named("speed 4", weight="note", choices=None)) == ["speed 4"]


@pytest.mark.parametrize("fix", ["speed 5", "speed 9", "dance", "Zeus: speed 1", "# nothing", "END"])
def test_a_fix_that_does_not_hold_is_dropped(fix: str) -> None:
    assert fixes("Ares:\n  speed 5\n", named(fix, choices=None)) == [""]


def test_a_dropped_fix_of_a_refused_line_gives_way_to_a_choice() -> None:
    """The nearest choice is what was written; the next is sought no further than it must."""
    less = replace(DUEL, choices=lambda view, sheet, unit: Offer(unit, unit, (speeds(Number(0, 4, 0)),)))
    game = replace(named("speed 9"), choices=less.choices)

    assert fixes("Ares:\n  speed 5\n", game) == ["speed 4"]
    assert fixes("Ares:\n  speed 5\n", replace(named("speed 9", weight="note"), choices=less.choices)) == [""]


def test_a_fix_that_costs_another_line_is_dropped() -> None:
    def one_speed_each(judge: Judge[Any]) -> None:
        for entry in [entry for entry in judge.entries if entry.text == "speed 5"]:
            judge.refuse(entry, "DU-X-1", "not five", fix="speed 4")
        fours = [entry for entry in judge.entries if entry.text == "speed 4"]
        for entry in fours[1:]:
            judge.refuse(entry, "DU-X-2", "only one ship at speed 4")

    game = judged(one_speed_each, choices=None)

    assert fixes("Ares: speed 5\nArgo: speed 4\n", game) == [""]
    assert fixes("Ares: speed 5\nArgo: speed 3\n", game) == ["speed 4"]
    assert fixes("Ares: speed 5\nArgo: speed 5\n", game) == ["speed 4", ""], "together they would not stand"


def test_a_fix_that_brings_a_complaint_about_the_unit_is_dropped() -> None:
    def no_fours(judge: Judge[Any]) -> None:
        for entry in [entry for entry in judge.entries if entry.text == "speed 5"]:
            judge.refuse(entry, "DU-X-1", "not five", fix="speed 4")
        if any(entry.text == "speed 4" for entry in judge.entries):
            judge.problems.append(Problem(0, "", "DU-X-3", "the crew grumbles", unit="Ares"))

    assert fixes("Ares: speed 5\n", judged(no_fours, choices=None)) == [""]


def test_several_lines_may_stand_for_several() -> None:
    def no_pairs(judge: Judge[Any]) -> None:
        slow = [entry for entry in judge.entries if entry.text == "speed 1"]
        if len(slow) == 2:
            judge.drop(slow[0])
            judge.drop(slow[1])
            problem = Problem(slow[0].line, "speed 1", "DU-X-4", "twice", unit="Ares", until=slow[1].line)
            judge.problems.append(replace(problem, fix="speed 2\nfire Boreas"))

    game = judged(no_pairs, choices=None)

    assert fixes("Ares: speed 1\n  speed 1\nArgo: speed 3\n", game) == ["speed 2\nfire Boreas"]


def test_what_stands_on_no_line_has_no_fix() -> None:
    problem = Problem(0, "", "DU-X-1", "the fleet is slow", fix="speed 4")

    assert proven(DUEL, STATE, "red", "", [problem]) == (replace(problem, fix=""),)


# --- sought among the choices ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "fix"),
    [
        ("speed 9", "speed 6"),
        ("speed", "speed 0"),
        ("speed -3", "speed 0"),
        ("sped 4", "speed 4"),
        ("spe 9", "speed 6"),
        ("fire", "fire Boreas"),
        ("fyre Bellona", "fire Bellona"),
        ("dance", ""),
    ],
)
def test_a_refused_line_is_told_the_nearest_choice(line: str, fix: str) -> None:
    assert fixes(f"Argo: speed 3\nAres:\n  {line}\n") == [fix]
    assert fixes(f"Ares: {line} # a comment\nArgo: speed 3\n") == [fix]


def test_a_line_under_no_unit_has_none() -> None:
    assert fixes("Zeus: speed 9\n") == ["", ""]
    assert fixes("speed 9\n") == [""], "the fleet has no speed to choose"


def test_a_letter_of_nonsense_is_read_so_often_and_no_oftener() -> None:
    texts: list[str] = []

    def read(state: State, side: str, text: str) -> Sheet[Any]:
        texts.append(text)
        return read_orders(state, side, text)

    text = "Ares:\n" + "  speed 9\n" * 100 + "  dance\n" * 100
    found = fixes(text, replace(DUEL, read_orders=read))

    assert len(texts) <= MOST_READINGS + 1
    assert found[0] == "speed 6"
    assert found[-1] == ""


def test_a_game_that_fails_to_offer_costs_a_hint_and_no_letter() -> None:
    def broken(view: Any, sheet: Any, unit: str) -> Offer:
        raise RuntimeError("no idea")

    assert fixes("Ares: speed 9\n", replace(DUEL, choices=broken)) == [""]


# --- what is nearest -------------------------------------------------------------------------------------------------


def speeds(fill: Fill) -> Choice:
    return Choice("speed", "so fast", ("speed {}",), fill=fill)


def sought(
    choices: Sequence[Choice], text: str, ground: Ground | None = None, standing: dict[str, int] | None = None
) -> list[str]:
    scene = Scene("", ground or HexGrid(20, 20), (), (Star(Point(10, 10), "Vega"), Star(Point(90, 10), "Deneb")))
    problem = Problem(5, text, "XX-1", "no", unit="Argo")
    return nearest_fixes(Offer("Argo", "Argo", tuple(choices)), problem, scene, standing or {})


def to(*names: str) -> Places:
    """Hexes by column and row."""
    return Places({name: hex_point(from_column_row(int(name[:2]), int(name[2:]))) for name in names})


@pytest.mark.parametrize(
    ("fill", "line", "fix"),
    [
        (Number(-2, 4, 1), "speed +9", "speed 4"),
        (Number(-2, 4, 1), "speed fast", "speed 1"),
        (to("0505", "0508", "0705"), "speed 0512", "speed 0508"),
        (to("0505", "0508", "0705"), "speed there", "speed 0505"),
        (Places({"Vega": Point(0, 0), "Deneb": Point(1, 1)}), "speed Denb", "speed Deneb"),
        (Ranking(("Ares", "Argo", "Boreas")), "speed boreas, ares", "speed Boreas, Ares, Argo"),
        (Dial(Point(0, 0), {0: 4.0, 30: 6.1, 60: 2.0}), "speed 041 9", "speed 030 6.00"),
        (Dial(Point(0, 0), {0: 4.0, 30: 6.1, 60: 2.0}), "speed 355 1.3", "speed 000 1.25"),
        (Dial(Point(0, 0), {350: 0, 10: 0}, step=0), "speed 340", "speed 350"),
    ],
)
def test_a_blank_is_filled_with_the_nearest(fill: Fill, line: str, fix: str) -> None:
    assert sought([speeds(fill)], line)[0] == fix


def test_nothing_is_made_of_a_dial_without_figures() -> None:
    assert sought([speeds(Dial(Point(0, 0), {0: 4.0}))], "speed away") == []
    assert sought([speeds(Dial(Point(0, 0), {}))], "speed 045 3") == []


def test_a_point_on_the_table_is_a_bearing_and_a_distance() -> None:
    dial = speeds(Dial(Point(10, 10), dict.fromkeys(range(360), 5.0)))

    assert sought([dial], "speed to 20.0, 10", InchTable(48, 48)) == ["speed 090 5.00"]


def test_on_a_star_chart_places_are_systems() -> None:
    places = speeds(Places({"Tau": Point(80, 10), "Orin": Point(12, 12)}))

    assert sought([places], "speed deneb", StarField(0, 0, 100, 20))[0] == "speed Tau"
    assert sought([places], "speed Vega", StarField(0, 0, 100, 20))[0] == "speed Orin"


def test_of_several_ends_the_nearest_on_the_map_comes_first() -> None:
    ends = [Choice("path", f"F{n}", (f"path F{n}",), at=hex_point(from_column_row(n, 5))) for n in (3, 5, 7)]

    assert sought(ends, "path to 0506")[0] == "path F5"
    assert sought(ends, "path F33")[0] == "path F3"


def test_lines_that_stand_already_are_not_sent_again() -> None:
    both = Choice("path", "there", ("speed full", "path F3"), replaces=(2,))

    assert sought([both], "path F9", standing={"speed full": 2}) == ["path F3"]
    assert sought([both], "path F9", standing={"speed slow": 2}) == [], "another line would have to go"
    assert sought([replace(both, replaces=(5,))], "path F9") == ["speed full\npath F3"]


# --- where they are shown --------------------------------------------------------------------------------------------


def test_a_receipt_tells_what_to_send_instead(bench: Bench) -> None:
    bench.open_duel()
    (receipt,) = bench.send("Anna", "Ares: speed 9\nArgo: dance\n")

    assert "Speed 9 is more than 6. (DU-SPD-1) Send instead: speed 6 Instead: the ship drifts" in receipt.text
    assert receipt.text.count("Send instead") == 1


def test_a_further_letter_is_mended_on_top_of_the_sheet(bench: Bench) -> None:
    bench.open_duel()
    bench.send("Anna", "Argo: speed 8\n  fire Boreas\n")
    (receipt,) = bench.send("Anna", "# A change of plan\n\nAres: speed 7\n  fire Boreas\n")

    assert "Line 3: speed 7" in receipt.text
    assert receipt.text.count("Send instead: speed 6") == 2, "the old line that waits to be mended, and the new one"


def test_a_preview_and_the_orders_in_force_tell_it_too(bench: Bench) -> None:
    bench.open_duel()
    (preview,) = bench.send("Anna", "preview\nAres: speed 7\n  fire Boreas\n")
    bench.send("Anna", "Ares: speed 7\n  fire Boreas\n")
    (orders,) = bench.send("Anna", "orders")

    assert "Send instead: speed 6" in preview.text
    assert "Send instead: speed 6" in orders.text


def test_orders_that_waited_are_mended_when_they_are_read(bench: Bench) -> None:
    bench.open_duel()
    (sealed,) = bench.send("Anna", "turn 2\nAres: speed 7\n  fire Boreas\n")
    bench.office.resolve_now("duel", bench.now)

    assert "Send instead" not in sealed.text
    assert "Send instead: speed 6" in bench.sent("unsealed")[0].text


def test_nobody_is_told_how_to_order_what_others_command(bench: Bench) -> None:
    bench.office.open_campaign("duel", duel(), bench.now)
    bench.office.add_seat("duel", "Anna", "red", "anna@home.example")
    bench.office.add_seat("duel", "Carl", "red", "carl@home.example", units=["Argo"])
    bench.office.add_seat("duel", "Bob", "blue", "bob@home.example")
    bench.office.start("duel", bench.now)

    (receipt,) = bench.send("Carl", "Ares: speed 9\nArgo: speed 8\n")

    assert receipt.text.count("Send instead: speed 6") == 1


def test_several_lines_are_shown_as_they_are_to_be_sent(bench: Bench) -> None:
    def read(state: State, side: str, text: str) -> Sheet[Any]:
        sheet = read_orders(state, side, text)
        problems = tuple(replace(found, fix="speed 2\nfire Boreas") for found in sheet.problems)
        return replace(sheet, problems=problems)

    game = replace(DUEL, read_orders=read)
    bench.house = replace(bench.house, games=lambda _slug: game)
    bench.office = type(bench.office)(bench.house)
    bench.open_duel()
    (receipt,) = bench.send("Anna", "Ares: speed 9\n")

    body = receipt.message.get_body(("plain",)).get_content()
    assert "Send instead:\n\nspeed 2\nfire Boreas\n" in body.replace("\r\n", "\n")
