"""The life of a campaign: opened, started, resolved turn by turn, over; each turn once, and each provable."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from typing import TypeVar

import pytest

from pbem.desk import desk
from pbem.kit.dice import commitment
from pbem.office import NotPossible
from pbem.store.phases import Outdated, SheetChange
from pbem.turns import reminders, turns
from tests.office_bench import MODERATOR, NOON, Bench, duel

Done = TypeVar("Done")

ANNA = "anna@home.example"
BOB = "bob@home.example"


def both_order(bench: Bench, slug: str = "duel") -> None:
    bench.send("Anna", "Ares: speed 3\nArgo: fire Boreas", slug=slug)
    bench.send("Bob", "Boreas: speed 2\nBellona: fire Ares", slug=slug)


# --- starting --------------------------------------------------------------------------------------------------------


def test_a_start_opens_the_first_phase_and_writes_to_every_player(either: Bench) -> None:
    either.open_duel()

    shown = either.office.show("duel")
    assert (shown.status, shown.turn, shown.phase, shown.deadline) == (
        "running",
        1,
        "orders",
        NOON + timedelta(days=3),
    )
    assert [(mail.kind, mail.recipient) for mail in either.sent()] == [("opening", ANNA), ("opening", BOB)]


def test_the_opening_letter_carries_the_seal_of_the_dice(bench: Bench) -> None:
    bench.open_duel()

    phase = bench.store.phases.all(1)[0]
    assert commitment(phase.secret) == phase.commitment
    assert all(phase.commitment in mail.text for mail in bench.sent("opening"))
    assert all(phase.secret.hex() not in mail.text for mail in bench.sent())


def test_a_campaign_starts_once(bench: Bench) -> None:
    bench.open_duel()

    with pytest.raises(NotPossible, match="only a forming campaign can be started"):
        bench.office.start("duel", bench.now)


def test_a_side_without_a_seat_keeps_a_campaign_from_starting(bench: Bench) -> None:
    bench.office.open_campaign("duel", duel(), bench.now)
    bench.office.add_seat("duel", "Anna", "red", ANNA)

    with pytest.raises(NotPossible, match="nobody sits for blue"):
        bench.office.start("duel", bench.now)


def test_seats_are_checked_when_they_are_taken(bench: Bench) -> None:
    office = bench.office
    office.open_campaign("duel", duel(), bench.now)
    office.add_seat("duel", "Anna", "Red Fleet", "Anna@Home.example ", units=["are"])

    assert office.show("duel").seats[0].units == ("Ares",)
    assert office.show("duel").seats[0].address == ANNA
    for name, side, address, units, complaint in [
        ("anna", "red", BOB, ["Argo"], "already has a seat called"),
        ("Bob", "green", BOB, [], "no side called 'green'"),
        ("Bob", "red", "bob", ["Argo"], "is not a mail address"),
        ("Bob", "red", BOB, ["Boreas"], "has no unit called 'Boreas'"),
        ("Bob", "red", BOB, ["Ares"], "Ares has a commander already"),
    ]:
        with pytest.raises(NotPossible, match=complaint):
            office.add_seat("duel", name, side, address, units=units)


# --- resolving -------------------------------------------------------------------------------------------------------


def test_a_turn_is_resolved_when_all_orders_are_in(either: Bench) -> None:
    either.open_duel()
    either.send("Anna", "Ares: speed 3")
    assert either.resolve_due() == ()

    either.send("Bob", "Boreas: speed 2")
    assert len(either.resolve_due()) == 1
    assert either.resolve_due() == ()

    assert either.office.show("duel").turn == 2
    assert [mail.recipient for mail in either.sent("report")] == [ANNA, BOB]


def test_at_the_deadline_a_missing_sheet_is_an_empty_one(bench: Bench) -> None:
    bench.open_duel()
    bench.send("Anna", "Ares: speed 3")

    bench.later(days=3, seconds=-1)
    assert bench.resolve_due() == ()
    bench.later(seconds=1)
    assert len(bench.resolve_due()) == 1

    turn = bench.office.turns("duel")[0]
    assert turn.sheets == {"red": "Ares:\n  speed 3\n", "blue": ""}
    assert turn.absent == ("Bob",)
    assert all("No orders came from Bob" in mail.text for mail in bench.sent("report"))


def test_grace_is_added_to_the_deadline(bench: Bench) -> None:
    bench.open_duel(grace_minutes=30)

    bench.later(days=3, minutes=29)
    assert bench.resolve_due() == ()
    bench.send("Bob", "Boreas: speed 1")
    bench.later(minutes=1)
    assert len(bench.resolve_due()) == 1
    assert bench.office.turns("duel")[0].absent == ("Anna",)


def test_players_may_change_their_minds_for_a_while_once_all_are_in(bench: Bench) -> None:
    bench.open_duel(delay_minutes=60)
    both_order(bench)
    bench.later(minutes=59)
    assert bench.resolve_due() == ()

    bench.send("Anna", "Ares: speed 5")
    bench.later(minutes=59)
    assert bench.resolve_due() == ()
    bench.later(minutes=1)
    assert len(bench.resolve_due()) == 1
    assert "speed 5" in bench.office.turns("duel")[0].sheets["red"]


def test_the_time_to_change_ones_mind_ends_with_the_deadline(bench: Bench) -> None:
    bench.open_duel(delay_minutes=60)
    bench.later(days=3, minutes=-10)
    both_order(bench)

    bench.later(minutes=10)
    assert len(bench.resolve_due()) == 1


def test_a_withdrawn_sheet_is_awaited_again(bench: Bench) -> None:
    bench.open_duel(delay_minutes=60)
    both_order(bench)
    bench.send("Bob", "withdraw")

    bench.later(hours=2)
    assert bench.resolve_due() == ()
    assert bench.office.show("duel").due == NOON + timedelta(days=3)


def test_a_campaign_may_wait_for_its_deadline_even_when_all_are_in(bench: Bench) -> None:
    bench.open_duel(early=False)
    both_order(bench)

    assert bench.resolve_due() == ()
    bench.later(days=3)
    assert len(bench.resolve_due()) == 1


def test_a_phase_that_asks_nobody_is_resolved_at_once_and_told_in_the_same_report(bench: Bench) -> None:
    """Turn 3 of the duel is followed by repairs, which need no orders."""
    bench.open_duel()
    for _ in range(3):
        both_order(bench)
        bench.resolve_due()

    assert [(turn.turn, turn.phase) for turn in bench.office.turns("duel")] == [
        (1, "orders"),
        (2, "orders"),
        (3, "orders"),
        (3, "repairs"),
    ]
    assert bench.office.show("duel").turn == 4
    last = bench.sent("report")[-1]
    assert "All ships are repaired after turn 3." in last.text
    assert "Boreas goes at speed 2." in last.text


def test_a_campaign_ends_with_a_last_report_and_all_dice_secrets(bench: Bench) -> None:
    bench.open_duel(last_turn=2, fog=True)
    for _ in range(2):
        both_order(bench)
        bench.resolve_due()

    shown = bench.office.show("duel")
    assert (shown.status, shown.turn) == ("over", None)
    assert shown.reason.startswith("Red has ")
    last = bench.sent("report")[-1]
    assert shown.reason in last.text
    file = next(part for part in last.message.iter_attachments() if part.get_filename() == "dice.json")
    secrets = json.loads(file.get_content())
    assert [commitment(bytes.fromhex(row["secret"])) for row in secrets] == [row["commitment"] for row in secrets]
    assert len(secrets) == 2
    assert [mail.recipient for mail in bench.sent("moderator")] == [MODERATOR]


@pytest.mark.parametrize(("fog", "told"), [(False, True), (True, False)])
def test_the_secret_is_revealed_with_the_report_unless_something_is_hidden(
    bench: Bench, *, fog: bool, told: bool
) -> None:
    bench.open_duel(fog=fog)
    both_order(bench)
    bench.resolve_due()

    secret = bench.office.turns("duel")[0].secret
    assert [secret in mail.text for mail in bench.sent("report")] == [told, told]


def test_every_turn_can_be_replayed_from_the_archive(either: Bench) -> None:
    either.open_duel(last_turn=4)
    for _ in range(4):
        both_order(either)
        either.resolve_due()

    assert [either.office.replay("duel", turn) for turn in (1, 2, 3, 4)] == [True] * 4
    turn = either.office.turns("duel")[0]
    assert (turn.game_version, turn.sheets["red"]) == ("1", "Ares:\n  speed 3\nArgo:\n  fire Boreas\n")


def test_a_forged_archive_is_found_out(bench: Bench) -> None:
    bench.open_duel()
    both_order(bench)
    bench.resolve_due()

    with bench.store.database.writing() as session:
        session.connection().exec_driver_sql("UPDATE phase SET secret = x'00' WHERE number = 1")
    assert bench.office.replay("duel", 1) is False


def test_the_dice_follow_from_the_secret_and_the_sheets_alone(bench: Bench) -> None:
    """Invariant: orders that arrive in another order, each player's own order kept, give the same turn."""
    bench.open_duel("one")
    bench.open_duel("two")
    with bench.store.database.writing() as session:
        session.connection().exec_driver_sql("UPDATE phase SET secret = x'01', state = (SELECT state FROM phase)")
    bench.send("Anna", "Ares: speed 1", slug="one")
    bench.send("Anna", "Ares: fire Boreas", slug="one")
    bench.send("Bob", "Boreas: fire Ares", slug="one")
    bench.send("Bob", "Boreas: fire Ares", slug="two")
    bench.send("Anna", "Ares: speed 1", slug="two")
    bench.send("Anna", "Ares: fire Boreas", slug="two")
    for slug in ("one", "two"):
        bench.office.resolve_now(slug, bench.now)

    assert bench.office.turns("one")[0].events == bench.office.turns("two")[0].events


def test_a_sheet_that_changes_while_a_turn_is_worked_out_is_not_forgotten(bench: Bench) -> None:
    """Whoever worked with an older version of the phase must work again."""
    bench.open_duel()
    phase = bench.store.phases.open_in(1)
    assert phase is not None
    bench.send("Anna", "Ares: speed 3")

    with pytest.raises(Outdated):
        bench.store.phases.file_sheet(SheetChange(1, phase.id, phase.version, "x", "d", None), bench.now)


def test_a_bot_seat_orders_by_itself(bench: Bench) -> None:
    bench.office.open_campaign("duel", duel(), bench.now)
    bench.office.add_seat("duel", "Anna", "red", ANNA)
    bench.office.add_seat("duel", "Robo", "blue", bot=True)
    bench.office.start("duel", bench.now)

    bench.send("Anna", "Ares: speed 3")
    assert len(bench.resolve_due()) == 1
    assert bench.office.turns("duel")[0].sheets["blue"].startswith("Boreas:\n  speed ")
    assert {mail.recipient for mail in bench.sent()} == {ANNA}


# --- pausing and faults ----------------------------------------------------------------------------------------------


def test_a_paused_campaign_is_not_resolved_and_goes_on_with_fair_notice(bench: Bench) -> None:
    bench.open_duel()
    bench.office.pause("duel", "Holidays.", bench.now)
    bench.later(days=4)
    assert bench.resolve_due() == ()

    bench.office.resume("duel", "Back again.", bench.now)

    assert bench.office.show("duel").deadline == bench.now + timedelta(days=3)
    assert bench.resolve_due() == ()
    assert [mail.kind for mail in bench.sent()] == ["opening", "opening", "paused", "paused", "resumed", "resumed"]


def test_orders_are_taken_while_a_campaign_rests(bench: Bench) -> None:
    bench.open_duel()
    bench.office.pause("duel", "", bench.now)
    both_order(bench)
    assert bench.resolve_due() == ()

    bench.office.resume("duel", "", bench.now)
    assert len(bench.resolve_due()) == 1


def test_the_moderator_may_move_the_deadline(bench: Bench) -> None:
    bench.open_duel()
    bench.office.move_deadline("duel", NOON + timedelta(days=5), "The post is slow.", bench.now)

    assert bench.office.show("duel").due == NOON + timedelta(days=5)
    assert ["The post is slow." in mail.text for mail in bench.sent("deadline")] == [True, True]


def test_a_bug_in_a_game_pauses_that_campaign_alone_and_loses_nothing(either: Bench) -> None:
    either.open_duel("broken", trouble="resolve")
    either.open_duel("sound")
    both_order(either, "broken")
    both_order(either, "sound")

    assert len(either.resolve_due()) == 1

    broken, sound = either.office.show("broken"), either.office.show("sound")
    assert (broken.status, broken.turn, sound.status, sound.turn) == ("paused", 1, "running", 2)
    assert all(seat.ordered for seat in broken.seats)
    told = either.sent("moderator")
    assert [mail.recipient for mail in told] == [MODERATOR]
    assert "RuntimeError at" in told[0].text
    assert "the referee broke" not in told[0].text
    assert [mail.recipient for mail in either.sent("paused")] == [ANNA, BOB]


def test_a_campaign_goes_on_where_it_stood_once_the_bug_is_mended(bench: Bench) -> None:
    bench.open_duel(trouble="resolve")
    both_order(bench)
    bench.resolve_due()
    assert bench.office.show("duel").status == "paused"

    with bench.store.database.writing() as session:
        session.connection().exec_driver_sql("UPDATE phase SET state = replace(state, '\"resolve\"', '\"\"')")
    bench.office.resume("duel", "Mended.", bench.now)

    assert len(bench.resolve_due()) == 1
    assert bench.office.turns("duel")[0].sheets["red"].startswith("Ares:")


@pytest.mark.parametrize("trouble", ["view", "leak"])
def test_a_report_that_fails_or_would_leak_keeps_the_phase_open(bench: Bench, trouble: str) -> None:
    bench.open_duel(trouble=trouble, trouble_turn=2)
    both_order(bench)

    assert bench.resolve_due() == ()

    assert bench.office.show("duel").status == "paused"
    assert bench.sent("report") == []
    assert bench.office.turns("duel") == ()
    assert not any("Krakatoa" in mail.text for mail in bench.sent() if mail.recipient == BOB)


def test_no_order_is_in_the_log_or_in_the_notes(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    bench.open_duel(trouble="read")
    bench.send("Anna", "Ares: speed 3 # kaboom marker-in-the-orders")
    bench.send("Anna", "Ares: fire Boreas\nArgo: nonsense marker-in-the-orders")
    bench.send("Bob", "Boreas: speed 3")
    bench.resolve_due()

    assert "marker" not in caplog.text
    assert "kaboom" not in caplog.text
    assert not any("marker" in entry.text for entry in bench.office.notes())
    assert not any("marker" in mail.text for mail in bench.sent() if mail.recipient != ANNA)


# --- reminders -------------------------------------------------------------------------------------------------------


def test_whoever_is_awaited_is_reminded_at_the_hours_they_chose(either: Bench) -> None:
    either.open_duel()
    either.send("Bob", "set reminders 48h,6h")
    either.later(hours=24)
    assert reminders.remind_due(either.house, either.now) == 1
    either.later(hours=24)
    assert reminders.remind_due(either.house, either.now) == 1
    assert reminders.remind_due(either.house, either.now) == 0
    either.later(hours=18)
    assert reminders.remind_due(either.house, either.now) == 1

    assert [mail.recipient for mail in either.sent("reminder")] == [BOB, ANNA, BOB]


def test_whoever_has_ordered_is_not_reminded(bench: Bench) -> None:
    bench.open_duel()
    bench.send("Anna", "Ares: speed 3")
    bench.later(hours=60)

    assert reminders.remind_due(bench.house, bench.now) == 1
    assert [mail.recipient for mail in bench.sent("reminder")] == [BOB]


def test_after_a_long_silence_only_the_last_reminder_goes_out(bench: Bench) -> None:
    bench.open_duel()
    bench.send("Anna", "Ares: speed 3")
    bench.send("Bob", "set reminders 48h,24h,6h")
    bench.later(hours=71)

    assert reminders.remind_due(bench.house, bench.now) == 1
    assert reminders.remind_due(bench.house, bench.now) == 0


def test_the_moderator_may_remind_at_any_time(bench: Bench) -> None:
    bench.open_duel()
    bench.send("Anna", "Ares: speed 3")

    assert bench.office.remind("duel", bench.now) == 1
    assert bench.office.remind("duel", bench.now) == 1


def test_a_game_that_never_asks_anybody_again_is_stopped(bench: Bench) -> None:
    bench.open_duel(trouble="runaway", trouble_turn=2)
    both_order(bench)

    assert bench.resolve_due() == ()
    assert bench.office.show("duel").status == "paused"
    assert "Runaway at" in bench.sent("moderator")[0].text


# --- several at once -------------------------------------------------------------------------------------------------


def at_once(work: Sequence[Callable[[], Done]]) -> list[Done]:
    """Do all of it at the same time, each in a thread of its own."""
    start = threading.Barrier(len(work))

    def run(one: Callable[[], Done]) -> Done:
        start.wait()
        return one()

    with ThreadPoolExecutor(len(work)) as pool:
        return list(pool.map(run, work))


def test_a_turn_that_several_try_to_resolve_at_once_is_resolved_once(either: Bench) -> None:
    either.open_duel()
    both_order(either)
    (phase_id,) = either.store.phases.due(either.now)

    done = at_once([partial(turns.resolve, either.house, phase_id, either.now)] * 4)

    assert sorted(done) == [False, False, False, True]
    assert len(either.office.turns("duel")) == 1
    assert len(either.sent("report")) == 2


def test_letters_that_come_in_at_once_all_count(either: Bench) -> None:
    """Four letters for four ships, handled by four threads: no sheet forgets a block of another letter."""
    either.open_duel(delay_minutes=60)
    letters = [
        either.letter("Anna", "Ares: speed 1"),
        either.letter("Anna", "Argo: speed 2"),
        either.letter("Bob", "Boreas: speed 3"),
        either.letter("Bob", "Bellona: speed 4"),
    ]
    at_once([partial(desk.take, either.house, raw, either.now) for raw in letters])

    assert sorted((either.sheet("Anna") or "").split()) == ["1", "2", "Ares:", "Argo:", "speed", "speed"]
    assert sorted((either.sheet("Bob") or "").split()) == ["3", "4", "Bellona:", "Boreas:", "speed", "speed"]
    assert len(either.sent("receipt")) == 4


def test_workers_that_start_together_agree_on_one_key_for_return_addresses(either: Bench) -> None:
    keys = at_once([either.house.store.outgoing.bounce_key] * 6)

    assert len(set(keys)) == 1


def test_the_same_letter_delivered_to_several_at_once_is_handled_once(either: Bench) -> None:
    either.open_duel()
    raw = either.letter("Anna", "Ares: speed 1")
    at_once([partial(desk.take, either.house, raw, either.now)] * 3)

    assert len(either.sent("receipt")) == 1
