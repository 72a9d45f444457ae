"""The deadline as a calendar entry that moves with it: a stable UID, and a SEQUENCE that grows."""

from __future__ import annotations

from datetime import UTC, timedelta

from icalendar import Alarm, Calendar
from icalendar import Event as CalendarEvent

from pbem.letters.content import SeatContext
from pbem.letters.times import when

LENGTH = timedelta(minutes=15)


def deadline_event(seat: SeatContext) -> bytes:
    """The entry of one seat's phase; a moved deadline replaces it in the player's calendar."""
    assert seat.deadline is not None
    deadline = seat.deadline.astimezone(UTC)
    entry = CalendarEvent()
    entry.add("uid", deadline_uid(seat))
    entry.add("sequence", seat.deadline_changes)
    # The stamp is the deadline itself, not the clock: the same letter is always the same bytes.
    entry.add("dtstamp", deadline)
    entry.add("dtstart", deadline - LENGTH)
    entry.add("dtend", deadline)
    entry.add("summary", f"{seat.title}: orders for turn {seat.turn} are due")
    entry.add("description", f"Orders of {seat.side_name} ({seat.phase}) by {when(deadline, seat.preferences.zone)}.")
    for hours in seat.preferences.reminders:
        entry.add_component(_alarm(hours, seat))
    calendar = Calendar()
    calendar.add("prodid", "-//pbem//deadlines//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add_component(entry)
    return bytes(calendar.to_ical())


def deadline_uid(seat: SeatContext) -> str:
    """The same for every letter about one phase of one seat."""
    name = f"{seat.campaign}-{seat.turn}-{seat.phase}-{seat.seat}"
    safe = "".join(c if c.isalnum() and c.isascii() else "-" for c in name.lower())
    return f"{safe}@pbem"


def _alarm(hours: int, seat: SeatContext) -> Alarm:
    alarm = Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("description", f"{seat.title}: orders are due")
    alarm.add("trigger", timedelta(hours=-hours))
    return alarm
