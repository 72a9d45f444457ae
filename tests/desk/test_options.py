"""`options` by mail: what a seat's units can still be ordered, by the real rules and on top of its sheet."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from games import AnyGame
from pbem.campaign.offering import MOST_READINGS, MOST_ROWS
from pbem.desk.options import MOST_LISTS
from pbem.kit.choices import Choice, Closed, Number, Offer
from pbem.kit.scene import Point, Scene
from pbem.kit.sheet import Sheet
from pbem.office import Office
from tests.office_bench import MODERATOR, Bench, Sent, duel
from tests.office_game import DUEL, State, View, choices, read_orders, scene

Play = Callable[[AnyGame], Bench]


@pytest.fixture
def play(bench: Bench) -> Play:
    """A duel by other rules, started."""

    def opened(game: AnyGame) -> Bench:
        bench.house = replace(bench.house, games=lambda _slug: game)
        bench.office = Office(bench.house)
        bench.open_duel()
        return bench

    return opened


def names(mail: Sent) -> list[str]:
    return [str(part.get_filename()) for part in mail.message.walk() if part.get_filename()]


# --- all units -------------------------------------------------------------------------------------------------------


def test_without_a_name_every_unit_is_told_with_its_choices(bench: Bench) -> None:
    bench.open_duel()
    (answer,) = bench.send("Anna", "options")

    for words in ("Fleet stance 1", "Ares speed 1, fire 2", "Argo speed 1, fire 2", "'options Fleet'"):
        assert words in answer.text
    assert "Boreas speed" not in answer.text
    assert "What is closed" not in answer.text


def sunk(*lost: str) -> Callable[[View, Sheet[Any], str], Offer]:
    def offer(view: View, sheet: Sheet[Any], unit: str) -> Offer:
        ships = tuple(replace(ship, hull=0) if ship.name in lost else ship for ship in view.ships)
        return choices(replace(view, ships=ships), sheet, unit)

    return offer


def test_what_is_closed_is_told_with_the_reason_and_the_rule(play: Play) -> None:
    bench = play(replace(DUEL, choices=sunk("Argo", "Boreas", "Bellona")))
    (answer,) = bench.send("Anna", "options")

    assert "Argo nothing" in answer.text
    assert "- Argo, orders: Argo is sunk (DU-HUL-1)." in answer.text
    assert "- Ares, fire: no enemy is afloat (DU-FIR-1)." in answer.text


def test_a_great_fleet_is_told_as_far_as_a_letter_goes(play: Play) -> None:
    fleet = tuple(f"Boat-{number}" for number in range(60))
    asked: list[str] = []

    def offer(view: View, sheet: Sheet[Any], unit: str) -> Offer:
        asked.append(unit)
        return Offer(unit, unit, (Choice("wait", "wait", ("wait",)),))

    bench = play(replace(DUEL, units=lambda state, side: fleet, choices=offer))
    (answer,) = bench.send("Anna", "options")

    assert len(asked) == 40
    assert "And 21 more units: Boat-39, Boat-40," in answer.text


# --- one unit --------------------------------------------------------------------------------------------------------


def test_the_choices_of_a_unit_are_a_table_and_a_map(bench: Bench) -> None:
    bench.open_duel()
    (answer,) = bench.send("Anna", "options are")

    assert answer.subject.startswith("A Duel: the options of Ares")
    for words in (
        "Ares: hull 4, speed 0." if "Ares: hull 4" in answer.text else "Ares: hull 5, speed 0.",
        "No. Order What it does Figures",
        "1 speed {} so fast {}: a whole number from 0 to 6",
        "2 fire Boreas at Boreas needs 5 or more",
        "3 fire Bellona at Bellona needs 5 or more",
        "Choices of Ares on the map: 2 at Boreas; 3 at Bellona.",
    ):
        assert words in answer.text
    assert names(answer) == ["map.png", "map.svg"]
    svg = next(part for part in answer.message.walk() if part.get_filename() == "map.svg").get_content()
    assert b">2</text>" in svg
    assert b">3</text>" in svg
    assert b"a choice, by its number" in svg


def test_choices_are_made_on_top_of_the_sheet_in_force(bench: Bench) -> None:
    bench.open_duel()
    bench.send("Anna", "Ares: speed 3\n  fire Boreas\nArgo: speed 1")
    (answer,) = bench.send("Anna", "options Ares")

    assert "What can be ordered on top of your orders in force" in answer.text
    assert "Ares: speed 3 fire Boreas That is what stands now." in answer.text


def test_orders_in_the_same_letter_count(bench: Bench) -> None:
    bench.open_duel()
    receipt, answer = bench.send("Anna", "options Ares\nAres: speed 5")

    assert (receipt.kind, answer.kind) == ("receipt", "answer")
    assert "Ares: speed 5 That is what stands now." in answer.text


def test_one_group_is_told_alone(bench: Bench) -> None:
    bench.open_duel()
    (answer,) = bench.send("Anna", "Options of ares FI")

    assert "1 fire Boreas" in answer.text
    assert "speed {}" not in answer.text


def test_the_side_s_own_block_has_choices_and_no_map(bench: Bench) -> None:
    bench.open_duel()
    (answer,) = bench.send("Anna", "options fleet")

    assert "1 stance bold dare more" in answer.text
    assert names(answer) == []


def test_those_who_want_no_pictures_are_told_in_words(bench: Bench) -> None:
    bench.open_duel()
    bench.send("Anna", "set text-only")
    (answer,) = bench.send("Anna", "options Ares")

    assert "Choices of Ares on the map: 2 at Boreas; 3 at Bellona." in answer.text
    assert names(answer) == []


def test_a_unit_with_nothing_to_choose_is_told_why(play: Play) -> None:
    bench = play(replace(DUEL, choices=sunk("Ares")))
    (answer,) = bench.send("Anna", "options Ares")

    assert "There is nothing to choose." in answer.text
    assert "- Ares is sunk (DU-HUL-1)." in answer.text


# --- long lists ------------------------------------------------------------------------------------------------------


def many(count: int, **more: Any) -> Callable[[View, Sheet[Any], str], Offer]:
    def offer(view: View, sheet: Sheet[Any], unit: str) -> Offer:
        made = [
            Choice("stance", f"stance {n}", (f"stance s{n}",), at=Point(n % 9, n // 9), **more) for n in range(count)
        ]
        return Offer(unit, unit, tuple(made))

    return offer


def test_a_long_group_is_cut_and_says_how_many_there_are(play: Play) -> None:
    bench = play(replace(DUEL, choices=many(71)))
    (answer,) = bench.send("Anna", "options Ares")

    assert f"{MOST_ROWS} stance s{MOST_ROWS - 1}" in answer.text
    assert f"stance s{MOST_ROWS} " not in answer.text
    assert "... and 41 more." in answer.text
    assert "11 stance 10; 12 stance 11, and 18 more." in answer.text


def test_what_needs_no_other_change_comes_first(play: Play) -> None:
    def offer(view: View, sheet: Sheet[Any], unit: str) -> Offer:
        faint = Choice("stance", "with a speed", ("speed 3", "stance bold"), faint=True)
        return Offer(unit, unit, (faint, Choice("stance", "as it is", ("stance shy",), chosen=True)))

    bench = play(replace(DUEL, choices=offer))
    (answer,) = bench.send("Anna", "options Ares")

    assert "1 stance shy as it is (as ordered now)" in answer.text
    assert "2 speed 3 with a speed stance bold" in answer.text


def test_only_what_is_read_back_without_a_complaint_is_shown(play: Play, caplog: pytest.LogCaptureFixture) -> None:
    def offer(view: View, sheet: Sheet[Any], unit: str) -> Offer:
        wrong = Choice("speed", "too fast", ("speed {}",), fill=Number(0, 9, 0))
        return Offer(unit, unit, (wrong, Choice("speed", "slow", ("speed 1",)), Choice("dance", "?", ("dance",))))

    bench = play(replace(DUEL, choices=offer))
    with caplog.at_level(logging.WARNING, "pbem.campaign"):
        (answer,) = bench.send("Anna", "options Ares")

    assert "1 speed 1 slow" in answer.text
    assert "too fast" not in answer.text
    assert caplog.messages == [
        "duel 1: a choice of the group 'speed' cannot be sent",
        "duel 1: a choice of the group 'dance' cannot be sent",
    ]


def test_a_letter_is_answered_with_so_much_work_and_no_more(play: Play) -> None:
    texts: list[str] = []

    def read(state: State, side: str, text: str) -> Sheet[Any]:
        texts.append(text)
        return read_orders(state, side, text)

    def offer(view: View, sheet: Sheet[Any], unit: str) -> Offer:
        made = [Choice(f"g{n % 40}", f"{n}", (f"stance s{n}",)) for n in range(1200)]
        return Offer(unit, unit, tuple(made))

    bench = play(replace(DUEL, choices=offer, read_orders=read))
    texts.clear()
    bench.send("Anna", "options Ares")

    assert len(texts) <= MOST_READINGS + 5


def test_one_letter_asks_for_so_many_units_and_no_more(bench: Bench) -> None:
    bench.open_duel()
    asked = ["options Ares", "options Argo", "options Fleet", "options Ares fire", "options Argo fire", "options"]
    mails = bench.send("Anna", "\n".join(asked))

    assert MOST_LISTS == 3
    assert len(mails) == 1 + MOST_LISTS
    assert "ask for those of Ares fire in another" in mails[0].text
    assert "ask for those of Argo fire in another" in mails[0].text
    assert "Ares speed 1, fire 2" in mails[0].text


# --- names that do not work ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("Zeus", "called 'Zeus': it is lost, not yours, or unknown. You command Fleet, Ares and Argo."),
        ("Bellona", "called 'Bellona': it is lost, not yours, or unknown. You command Fleet, Ares and Argo."),
        ("Argos", "Did you mean 'Argo'?"),
        ("ar", "'ar' could be Ares or Argo."),
        ("Ares dance", "Ares has no choices called 'dance'. There are speed and fire."),
        ("Ares spede", "Ares has no choices called 'spede'. Did you mean 'speed'?"),
    ],
)
def test_a_name_that_does_not_work_is_answered_with_those_that_do(bench: Bench, words: str, said: str) -> None:
    bench.open_duel()
    (answer,) = bench.send("Anna", f"options {words}")

    assert said in answer.text


def test_a_unit_of_a_fellow_is_told_by_name(bench: Bench) -> None:
    bench.office.open_campaign("duel", duel(), bench.now)
    bench.office.add_seat("duel", "Anna", "red", "anna@home.example")
    bench.office.add_seat("duel", "Carl", "red", "carl@home.example", units=["Argo"])
    bench.office.add_seat("duel", "Bob", "blue", "bob@home.example")
    bench.office.start("duel", bench.now)

    (of_ares,) = bench.send("Carl", "options Ares")
    (of_all,) = bench.send("Carl", "options")

    assert "Ares is commanded by Anna, not by you. You command Argo." in of_ares.text
    assert "Argo speed 1, fire 2" in of_all.text
    assert "Ares speed" not in of_all.text
    assert "Fleet stance" not in of_all.text


def test_a_unit_without_groups_has_nothing_to_choose(play: Play) -> None:
    bench = play(replace(DUEL, choices=lambda view, sheet, unit: Offer(unit, unit)))
    (answer,) = bench.send("Anna", "options Ares speed")

    assert "Ares has nothing to choose now." in answer.text


def test_a_game_without_choices_points_to_the_form(play: Play) -> None:
    bench = play(replace(DUEL, choices=None))
    (answer,) = bench.send("Anna", "options Ares")

    assert "Duel lists no choices; your order form and 'help' show what can be written." in answer.text


def test_after_the_end_there_is_nothing_to_order(bench: Bench) -> None:
    bench.open_duel(last_turn=1)
    token = bench.token("Anna")
    bench.office.resolve_now("duel", bench.now)
    (answer,) = bench.send("Anna", "options", token=token)

    assert "A Duel is over; there is nothing left to order." in answer.text


def test_a_side_that_is_not_asked_has_nothing_to_choose(bench: Bench) -> None:
    bench.open_duel()
    other = replace(
        DUEL, phase=lambda state: replace(found, sides=frozenset({"blue"})) if (found := DUEL.phase(state)) else None
    )
    bench.house = replace(bench.house, games=lambda _slug: other)
    bench.office = Office(bench.house)
    bench.office.resolve_now("duel", bench.now)
    (answer,) = bench.send("Anna", "options")

    assert "Turn 2 (orders) needs no orders of your side." in answer.text


def test_help_lists_it(bench: Bench) -> None:
    bench.open_duel()
    (answer,) = bench.send("Anna", "help")

    assert "options NAME" in answer.text


def test_nothing_of_it_leaks(bench: Bench) -> None:
    """What is offered is made from a view; the last look before the mail is sent is at these answers too."""
    bench.open_duel(fog=True)
    leaky = replace(DUEL, choices=lambda view, sheet, unit: Offer(unit, unit, closed=(Closed("x", "Vesuvius", "Y"),)))
    bench.house = replace(bench.house, games=lambda _slug: leaky)

    mails = bench.send("Anna", "options Ares")

    assert {mail.kind for mail in mails} == {"aside", "moderator", "paused"}
    assert [mail.recipient for mail in mails if "Vesuvius" in mail.text] == [MODERATOR]


def test_the_map_shows_the_plot_in_force(play: Play) -> None:
    drawn: list[Sheet[Any]] = []

    def forecast(view: View, sheet: Sheet[Any]) -> Scene:
        drawn.append(sheet)
        return scene(view, ())

    bench = play(replace(DUEL, forecast=forecast))
    bench.send("Anna", "Ares: speed 3")
    bench.send("Anna", "options Argo")

    assert [entry.text for entry in drawn[-1].accepted] == ["speed 3"]
