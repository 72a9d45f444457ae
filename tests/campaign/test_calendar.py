"""Calendars in words, and the moments that follow from them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.campaign.calendar import LEAST_NOTICE, BadCalendar, read_calendar


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("spec", "opened", "deadline"),
    [
        # A Monday noon; Berlin is one hour ahead of UTC in winter.
        ("every fri 20:00 Europe/Berlin", "2026-11-02 12:00", "2026-11-06 19:00"),
        ("every friday 20:00 Europe/Berlin", "2026-11-02 12:00", "2026-11-06 19:00"),
        ("EVERY FRI 20:00 europe/berlin", "2026-11-02 12:00", "2026-11-06 19:00"),
        ("every mon,thu 20:00 Europe/Berlin", "2026-11-02 19:00", "2026-11-05 19:00"),
        ("every mon and thu 20:00 UTC", "2026-11-05 20:00", "2026-11-09 20:00"),
        ("every day 18:00 UTC", "2026-11-02 12:00", "2026-11-03 18:00"),
        ("every day 18:00 UTC, at least 1h", "2026-11-02 12:00", "2026-11-02 18:00"),
        ("every day 18:00 UTC, at least 2d", "2026-11-02 12:00", "2026-11-04 18:00"),
        ("every 2 days 18:00 UTC", "2026-11-02 12:00", "2026-11-04 18:00"),
        ("every 2 days 18:00 UTC", "2026-11-02 23:00", "2026-11-04 18:00"),
        ("3d after opening", "2026-11-02 12:00", "2026-11-05 12:00"),
        ("36h after opening", "2026-11-02 12:00", "2026-11-04 00:00"),
        ("90m after opening", "2026-11-02 12:00", "2026-11-02 13:30"),
    ],
)
def test_a_calendar_gives_the_deadline_of_a_phase(spec: str, opened: str, deadline: str) -> None:
    assert read_calendar(spec).deadline(at(opened)) == at(deadline)


@pytest.mark.parametrize("spec", ["", "none", "when all are in"])
def test_without_a_calendar_there_is_no_deadline(spec: str) -> None:
    assert read_calendar(spec).deadline(at("2026-11-02 12:00")) is None


def test_the_wall_clock_time_stays_when_the_clocks_change() -> None:
    """Berlin leaves summer time on 25 October 2026: 20:00 is 18:00 UTC before and 19:00 UTC after."""
    weekly = read_calendar("every fri 20:00 Europe/Berlin")

    assert weekly.deadline(at("2026-10-20 12:00")) == at("2026-10-23 18:00")
    assert weekly.deadline(at("2026-10-23 18:00")) == at("2026-10-30 19:00")


def test_an_hour_that_the_clocks_skip_is_read_as_if_they_had_not_been_changed_yet() -> None:
    """On 29 March 2026 there is no 02:30 in Berlin; the deadline falls at 03:30 summer time."""
    daily = read_calendar("every day 02:30 Europe/Berlin")

    assert daily.deadline(at("2026-03-28 12:00")) == at("2026-03-29 01:30")


def test_of_an_hour_that_comes_twice_the_first_counts() -> None:
    """On 25 October 2026 the clocks of Berlin show 02:30 twice: at 00:30 and at 01:30 UTC."""
    daily = read_calendar("every day 02:30 Europe/Berlin")

    assert daily.deadline(at("2026-10-24 12:00")) == at("2026-10-25 00:30")


def test_a_phase_that_opens_shortly_before_a_date_runs_to_the_next() -> None:
    weekly = read_calendar("every fri 20:00 UTC")

    assert weekly.deadline(at("2026-11-06 08:00")) == at("2026-11-06 20:00")
    assert weekly.deadline(at("2026-11-06 08:01")) == at("2026-11-13 20:00")


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("weekly", "'weekly' is no calendar"),
        ("every xyz 20:00 UTC", "'xyz' is no day of the week"),
        ("every fri 25:00 UTC", "25:00 is no time of day"),
        ("every fri 20:00 Mars/Olympus", "no time zone called 'Mars/Olympus'"),
        ("every fri 20:00 ../etc", "'every fri 20:00 ../etc' is no calendar"),
        ("every 0 days 18:00 UTC", "at least 1 day"),
        ("every day 18:00 UTC, at least long", "'long' is no length of time"),
    ],
)
def test_a_bad_calendar_says_what_would_do(spec: str, complaint: str) -> None:
    with pytest.raises(BadCalendar, match=complaint.replace("(", r"\(").replace(".", r"\.")):
        read_calendar(spec)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 10 * 365 * 24 * 60).map(lambda minutes: at("2024-01-01 00:00") + timedelta(minutes=minutes)),
    st.sampled_from(
        ["every fri 20:00 Europe/Berlin", "every day 02:30 America/New_York", "every 2 days 18:00 Pacific/Auckland"]
    ),
)
def test_a_deadline_gives_fair_notice_and_is_not_far_away(opened: datetime, spec: str) -> None:
    deadline = read_calendar(spec).deadline(opened)

    assert deadline is not None
    assert LEAST_NOTICE <= deadline - opened <= timedelta(days=8)
