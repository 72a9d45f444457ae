"""Preferences by mail: `set zone`, `set text-only`, `set map`, `set reminders`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pbem.campaign.calendar import BadCalendar, read_span, read_zone
from pbem.store.letters import PreferenceChange

MOST_REMINDERS = 5
LONGEST_REMINDER = 14 * 24
"""Hours; a reminder two weeks ahead is the earliest that makes sense."""
FORMS = (
    "set zone Europe/Berlin",
    "set text-only",
    "set text-only off",
    "set map large|small|none",
    "set theme light|dark",
    "set reminders 48h,6h",
)


class BadSetting(ValueError):
    """The words make no setting; says what would."""


@dataclass(frozen=True)
class Setting:
    """A change, and the sentence that confirms it."""

    change: PreferenceChange
    said: str


def read_setting(seat_id: int, words: str) -> Setting:
    """Make a change of preferences of what stands behind `set`."""
    name, _, value = " ".join(words.split()).partition(" ")
    name, value = name.casefold().rstrip(":="), value.strip().lstrip("=: ")
    readers = {
        "zone": _zone,
        "timezone": _zone,
        "text-only": _text_only,
        "textonly": _text_only,
        "html": _html,
        "map": _map,
        "maps": _map,
        "theme": _theme,
        "reminders": _reminders,
        "reminder": _reminders,
    }
    if name not in readers:
        raise BadSetting(f"there is no setting called '{name}'; write one of: {'; '.join(FORMS)}")
    return readers[name](seat_id, value)


def _zone(seat_id: int, value: str) -> Setting:
    try:
        zone = read_zone(value).key
    except BadCalendar as error:
        raise BadSetting(str(error)) from error
    return Setting(PreferenceChange(seat_id, zone=zone), f"Times are shown in the zone {zone}.")


def _text_only(seat_id: int, value: str) -> Setting:
    if value.casefold() in ("", "on", "yes", "true"):
        return Setting(PreferenceChange(seat_id, text_only=True), "Letters come as plain text, without pictures.")
    if value.casefold() in ("off", "no", "false"):
        return Setting(PreferenceChange(seat_id, text_only=False), "Letters come with HTML and pictures.")
    raise BadSetting(f"'{value}' is neither on nor off; write 'set text-only' or 'set text-only off'")


def _html(seat_id: int, value: str) -> Setting:
    opposite = {"": "off", "on": "off", "yes": "off", "off": "on", "no": "on"}
    return _text_only(seat_id, opposite.get(value.casefold(), value))


def _map(seat_id: int, value: str) -> Setting:
    size = value.casefold()
    if size not in ("large", "small", "none"):
        raise BadSetting(f"'{value}' is no size of map; write 'set map large', 'set map small' or 'set map none'")
    said = "Letters come without a map." if size == "none" else f"Maps come {size}."
    return Setting(PreferenceChange(seat_id, map=size), said)


def _theme(seat_id: int, value: str) -> Setting:
    theme = value.casefold()
    if theme not in ("light", "dark"):
        raise BadSetting(f"'{value}' is no theme of maps; write 'set theme light' or 'set theme dark'")
    return Setting(PreferenceChange(seat_id, theme=theme), f"Maps come in {theme} colours.")


def _reminders(seat_id: int, value: str) -> Setting:
    if value.casefold() in ("none", "off", "no"):
        return Setting(PreferenceChange(seat_id, reminders=()), "You get no reminders.")
    parts = [part for part in re.split(r"[,;\s]+", value) if part]
    hours = tuple(sorted({_hours(part) for part in parts}, reverse=True))
    if not hours or len(hours) > MOST_REMINDERS:
        raise BadSetting(
            f"{len(hours)} reminders are asked for; 1 to {MOST_REMINDERS} can be set: 'set reminders 48h,6h'"
        )
    listed = ", ".join(f"{hour} h" for hour in hours)
    return Setting(PreferenceChange(seat_id, reminders=hours), f"You are reminded {listed} before the deadline.")


def _hours(part: str) -> int:
    try:
        span = read_span(f"{part}h" if part.isdecimal() else part)
    except BadCalendar as error:
        raise BadSetting(f"'{part}' is no time before the deadline; write 'set reminders 48h,6h'") from error
    hours = int(span.total_seconds() // 3600)
    if not 1 <= hours <= LONGEST_REMINDER:
        raise BadSetting(
            f"'{part}' is {hours} hours; a reminder comes 1 to {LONGEST_REMINDER} hours before the deadline"
        )
    return hours
