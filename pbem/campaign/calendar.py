"""Deadlines: a campaign's calendar in words, and the moment in UTC that follows from it.

`every fri 20:00 Europe/Berlin` · `every mon,thu 20:00 Europe/Berlin` · `every day 18:00 UTC` ·
`every 2 days 18:00 UTC` · `3d after opening` · `36h after opening` · `none`.
`, at least 24h` behind an `every` calendar moves a deadline that would come too soon to the next date.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
LEAST_NOTICE = timedelta(hours=12)
"""A phase that opens shortly before a date runs to the next one, unless the calendar says otherwise."""
FORMS = "write 'every fri 20:00 Europe/Berlin', 'every 2 days 18:00 UTC', '3d after opening', or 'none' for no deadline"


class BadCalendar(ValueError):
    """The words do not make a calendar; says what would."""


@dataclass(frozen=True)
class NoDeadline:
    """A phase ends when all sheets are in, or at the moderator's word."""

    def deadline(self, opened: datetime) -> datetime | None:  # noqa: ARG002  all calendars answer the same question
        return None


@dataclass(frozen=True)
class AfterOpening:
    """A phase lasts a fixed time."""

    length: timedelta

    def deadline(self, opened: datetime) -> datetime | None:
        return (opened + self.length).astimezone(UTC)


@dataclass(frozen=True)
class OnWeekdays:
    """A phase ends on the next of these days of the week."""

    days: frozenset[int]
    """0 is Monday."""
    at: time
    zone: ZoneInfo
    least: timedelta = LEAST_NOTICE

    def deadline(self, opened: datetime) -> datetime | None:
        earliest = opened + self.least
        day = opened.astimezone(self.zone).date()
        while True:
            moment = _moment(day, self.at, self.zone)
            if day.weekday() in self.days and moment > opened and moment >= earliest:
                return moment
            day += timedelta(days=1)


@dataclass(frozen=True)
class EveryDays:
    """A phase ends so many days after the day it opened."""

    days: int
    at: time
    zone: ZoneInfo
    least: timedelta = LEAST_NOTICE

    def deadline(self, opened: datetime) -> datetime | None:
        day = opened.astimezone(self.zone).date() + timedelta(days=self.days)
        while _moment(day, self.at, self.zone) < opened + self.least:
            day += timedelta(days=1)
        return _moment(day, self.at, self.zone)


Calendar = NoDeadline | AfterOpening | OnWeekdays | EveryDays


def _moment(day: date, at: time, zone: ZoneInfo) -> datetime:
    """A wall clock's time in UTC.

    An hour that the clocks skip in spring is read as if they had not yet been changed; one that comes twice in autumn
    is the first of the two.
    """
    return datetime.combine(day, at, zone).astimezone(UTC)


# --- reading ---------------------------------------------------------------------------------------------------------

_AFTER = re.compile(r"(\d{1,4})\s*(d|days?|h|hours?|m|min|minutes?)\s+after\s+opening")
_EVERY = re.compile(r"every\s+(.{1,60}?)\s+(\d{1,2}):(\d{2})\s+([\w+/-]{1,40})(?:\s*,?\s*at\s+least\s+(.{1,20}))?")
_DAYS = re.compile(r"(\d{1,3})\s+days?")
_SPAN = re.compile(r"(\d{1,4})\s*(d|days?|h|hours?|m|min|minutes?)")
_UNITS = {"d": "days", "h": "hours", "m": "minutes"}


def read_calendar(spec: str) -> Calendar:
    """Make a calendar of its words."""
    words = " ".join(spec.split())
    folded = words.casefold()
    if folded in ("", "none", "when all are in"):
        return NoDeadline()
    if match := _AFTER.fullmatch(folded):
        return AfterOpening(_some_time(match[1], match[2]))
    if match := _EVERY.fullmatch(folded):
        return _every(match, _spelt_zone(words))
    raise BadCalendar(f"'{words}' is no calendar; {FORMS}")


def _spelt_zone(words: str) -> str:
    """The zone as written: its name has capitals, and some file systems care."""
    match = re.search(r"\d{1,2}:\d{2}\s+(\S+?),?(?:\s|$)", words)
    return match[1] if match else ""


def _every(match: re.Match[str], zone_name: str) -> Calendar:
    at = _time(int(match[2]), int(match[3]))
    zone = read_zone(zone_name)
    least = LEAST_NOTICE if match[5] is None else read_span(match[5])
    days = match[1]
    if days == "day":
        return OnWeekdays(frozenset(range(7)), at, zone, least)
    if counted := _DAYS.fullmatch(days):
        return _counted(int(counted[1]), at, zone, least)
    return OnWeekdays(frozenset(_weekday(name) for name in re.split(r"\s*,\s*|\s+and\s+|\s+", days)), at, zone, least)


def _counted(days: int, at: time, zone: ZoneInfo, least: timedelta) -> Calendar:
    if days < 1:
        raise BadCalendar("a calendar needs at least 1 day, not 0; write 'every 1 days 18:00 UTC'")
    return EveryDays(days, at, zone, least)


def _weekday(name: str) -> int:
    if len(name) < 3 or name[:3] not in WEEKDAYS or not _FULL_NAMES[name[:3]].startswith(name):
        raise BadCalendar(f"'{name}' is no day of the week; known are {', '.join(WEEKDAYS)}")
    return WEEKDAYS.index(name[:3])


_FULL_NAMES = {
    name[:3]: name for name in ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
}


def _time(hour: int, minute: int) -> time:
    if hour > 23 or minute > 59:
        raise BadCalendar(f"{hour}:{minute:02} is no time of day; write 00:00 to 23:59")
    return time(hour, minute)


def read_zone(name: str) -> ZoneInfo:
    """A time zone by its IANA name, in any case."""
    try:
        return ZoneInfo(_zone_names().get(name.casefold(), name))
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise BadCalendar(f"no time zone called '{name}'; write one such as Europe/Berlin or UTC") from error


@cache
def _zone_names() -> dict[str, str]:
    return {name.casefold(): name for name in available_timezones()}


def read_span(text: str) -> timedelta:
    """`36h`, `2 days`, `90m`."""
    match = _SPAN.fullmatch(text.strip().casefold())
    if not match:
        raise BadCalendar(f"'{text}' is no length of time; write 36h, 2d or 90m")
    return _some_time(match[1], match[2])


def _some_time(amount: str, unit: str) -> timedelta:
    return timedelta(**{_UNITS[unit[0]]: int(amount)})
