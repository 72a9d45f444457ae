"""The office as the command line sees it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from pbem.campaign.calendar import BadCalendar
from pbem.kit.codec import BadData
from pbem.office import NotPossible
from tests.office_bench import MODERATOR, NOON, Bench, duel


def test_a_campaign_is_checked_when_it_is_opened(bench: Bench) -> None:
    office = bench.office
    office.open_campaign("duel", duel(), NOON, title="Dawn", calendar="every fri 20:00 Europe/Berlin")

    shown = office.show("duel")
    assert (shown.title, shown.status, shown.turn, shown.seats) == ("Dawn", "forming", None, ())
    assert office.sides("duel") == {"red": "Red Fleet", "blue": "Blue Fleet"}
    with pytest.raises(NotPossible, match="already a campaign called duel"):
        office.open_campaign("duel", duel(), NOON)
    with pytest.raises(NotPossible, match="cannot name a campaign"):
        office.open_campaign("A Duel", duel(), NOON)
    with pytest.raises(BadCalendar):
        office.open_campaign("other", duel(), NOON, calendar="now and then")
    with pytest.raises(BadData, match="no such key"):
        office.open_campaign("other", duel(wind="north"), NOON)
    with pytest.raises(NotPossible, match="no campaign called 'other'; there are duel"):
        office.show("other")


@pytest.mark.parametrize("what", ["pause", "resume", "resolve_now", "remind"])
def test_what_cannot_be_done_says_why(bench: Bench, what: str) -> None:
    bench.office.open_campaign("duel", duel(), NOON)
    calls: dict[str, Callable[[], object]] = {
        "pause": lambda: bench.office.pause("duel", "", NOON),
        "resume": lambda: bench.office.resume("duel", "", NOON),
        "resolve_now": lambda: bench.office.resolve_now("duel", NOON),
        "remind": lambda: bench.office.remind("duel", NOON),
    }

    with pytest.raises(NotPossible, match="duel is forming, not "):
        calls[what]()


def test_orders_can_be_filed_without_a_letter(bench: Bench) -> None:
    bench.open_duel()

    assert bench.office.file_orders("duel", "Anna", "Ares: speed 9\nArgo: speed 1", NOON) == (
        "line 1: speed 9: speed 9 is more than 6",
    )
    assert bench.office.file_orders("duel", "bob", "", NOON) == ()
    assert [(seat.name, seat.ordered) for seat in bench.office.show("duel").seats] == [("Anna", True), ("Bob", True)]
    with pytest.raises(NotPossible, match="no seat called 'Carl'; the seats are Anna, Bob"):
        bench.office.file_orders("duel", "Carl", "", NOON)


def test_a_moved_deadline_is_a_newer_calendar_entry(bench: Bench) -> None:
    bench.open_duel()
    for days in (4, 5):
        bench.office.move_deadline("duel", NOON + timedelta(days=days), "", NOON)

    entries = [
        part.get_content()
        for mail in (*bench.sent("opening")[:1], *bench.sent("deadline")[::2])
        for part in mail.message.walk()
        if part.get_content_type() == "text/calendar"
    ]
    assert ["SEQUENCE:0" in entries[0], "SEQUENCE:1" in entries[1], "SEQUENCE:2" in entries[2]] == [True] * 3
    assert len({line for entry in entries for line in entry.splitlines() if line.startswith("UID:")}) == 1


def test_a_mail_that_failed_can_be_sent_again(bench: Bench) -> None:
    bench.open_duel()
    claimed = bench.store.outgoing.claim(NOON, timedelta(minutes=5))
    assert claimed is not None
    bench.store.outgoing.failed(claimed.id, "550 no such user")

    assert [mail.why for mail in bench.office.failed_mails()] == ["550 no such user"]
    assert bench.office.retry_mail(claimed.id, NOON).status == "ready"
    with pytest.raises(NotPossible, match="has not failed"):
        bench.office.retry_mail(claimed.id, NOON)


def test_an_unknown_turn_cannot_be_replayed(bench: Bench) -> None:
    bench.open_duel()

    with pytest.raises(NotPossible, match="duel has no resolved turn 3"):
        bench.office.replay("duel", 3)


def test_what_happened_is_noted_for_the_moderator(bench: Bench) -> None:
    bench.open_duel()
    bench.office.pause("duel", "Holidays.", NOON)
    bench.office.resume("duel", "", NOON)
    bench.office.resolve_now("duel", NOON)

    assert [(entry.kind, entry.text) for entry in bench.office.notes("duel")] == [
        ("started", "turn 1, orders"),
        ("paused", "Holidays."),
        ("resumed", "by the moderator"),
        ("resolved", "turn 1, orders: 0 events; no orders from Anna, Bob"),
    ]
    assert bench.office.show("duel").moderator == MODERATOR
