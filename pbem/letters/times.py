"""Moments as a player reads them: in their own zone, with UTC beside it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def when(moment: datetime | None, zone: str = "UTC") -> str:
    """``Friday 20 November 2026, 20:00 CET (19:00 UTC)``."""
    if moment is None:
        return "when all orders are in"
    local = moment.astimezone(_zone(zone))
    spoken = f"{_day(local)}, {local:%H:%M} {local.tzname()}"
    if local.utcoffset() == timedelta(0):
        return spoken
    universal = moment.astimezone(UTC)
    same_day = universal.date() == local.date()
    return f"{spoken} ({universal:%H:%M} UTC)" if same_day else f"{spoken} ({_day(universal)}, {universal:%H:%M} UTC)"


def _day(local: datetime) -> str:
    return f"{DAYS[local.weekday()]} {local.day} {MONTHS[local.month - 1]} {local.year}"


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo("UTC")


def span(hours: float) -> str:
    """``2 days``, ``6 hours``."""
    if hours >= 48:
        return f"{round(hours / 24)} days"
    return "1 hour" if round(hours) == 1 else f"{round(hours)} hours"
