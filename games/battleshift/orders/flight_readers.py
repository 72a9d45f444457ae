"""Readers of launches, flights and the names given to them (section 6.4)."""

from __future__ import annotations

import re
from collections.abc import Callable

from games.battleshift.data import LIMITS
from games.battleshift.orders import words as w
from games.battleshift.orders.grammar import (
    IGNORED,
    Names,
    bad_syntax,
    read_bearing,
    read_distance,
    read_point,
)
from games.battleshift.orders.words import Detail, Leg
from pbem.kit.sheet import BadOrder

Reader = Callable[[Names, str], Detail]
DISTANCE = r"(\d{1,4}(?:\.\d{1,2})?\"?)"


LAUNCH = re.compile(rf"(\d{{1,3}})(?:\s+(NE|SE|SW|NW))?\s+as\s+(.+?)(?:\s+after\s+{DISTANCE})?", re.IGNORECASE)


def read_launch(_names: Names, rest: str) -> w.Launch:
    found = LAUNCH.fullmatch(rest)
    if not found or int(found[1]) < 1:
        raise bad_syntax("launch", rest)
    name = found[3].strip().strip("\"'").strip()
    check_name(name)
    return w.Launch(int(found[1]), name, read_distance(found[4]) if found[4] else None, (found[2] or "").upper())


FORBIDDEN = ':#,."'


def check_name(name: str) -> None:
    """BS-V-59: length, characters, and words that mean something else."""
    if len(name) > LIMITS.name_length:
        raise BadOrder("BS-V-59", f"'{name}' has {len(name)} characters, limit {LIMITS.name_length}", "", IGNORED)
    for character in FORBIDDEN:
        if character in name:
            raise BadOrder("BS-V-59", f"'{name}' contains '{character}'", "leave it out", IGNORED)
    if name.casefold() in (*w.SELECTORS, "fleet"):
        raise BadOrder("BS-V-59", f"'{name}' is a word of the order language", "take another name", IGNORED)


def read_recover(names: Names, rest: str) -> w.Recover:
    return w.Recover(names.own_unit(rest, ("flight",)))


def read_strike(names: Names, rest: str) -> w.Fly:
    target, then, leg = _split_then(rest)
    after = (read_leg(leg),) if then else ()
    return w.Fly((), names.target(target), after)


def _split_then(rest: str) -> tuple[str, bool, str]:
    head, *tail = re.split(r"\s+then\s+", rest, maxsplit=1, flags=re.IGNORECASE)
    if not head.strip():
        raise bad_syntax("strike", rest)
    return head.strip(), bool(tail), tail[0] if tail else ""


def read_leg(text: str) -> Leg:
    words = text.split()
    if words and words[0].casefold() == "to":
        point = read_point(text.strip()[2:])
        if point is not None:
            return Leg("to", x=point[0], y=point[1])
    elif len(words) == 2:
        bearing, distance = read_bearing(words[0]), read_distance(words[1])
        if bearing is not None and distance is not None and distance >= 0:
            return Leg("bearing", bearing, distance)
    raise bad_syntax("fly", text)


def read_fly(names: Names, rest: str) -> w.Fly:
    legs: list[Leg] = []
    strike = None
    parts = re.split(r"\s+then\s+", rest, flags=re.IGNORECASE)
    for number, part in enumerate(parts):
        if re.match(r"strike\s", part, re.IGNORECASE) and number == len(parts) - 1 and number:
            strike = names.target(part[len("strike") :])
        else:
            legs.append(read_leg(part))
    return w.Fly(tuple(legs), strike)


def read_engage(names: Names, rest: str) -> w.Fly:
    target = names.target(rest)
    if target.kind == "unit" and names.foes.get(target.name) != "flight":
        raise BadOrder("BS-V-4", f"{target.name} is no flight", "use strike", IGNORED)
    return w.Fly((), target)


def read_flight_hold(_names: Names, rest: str) -> w.Fly:
    if rest:
        raise bad_syntax("hold", rest)
    return w.Fly()


def read_if_intercepted(_names: Names, rest: str) -> w.IfIntercepted:
    if rest.casefold() not in ("dogfight", "evade"):
        raise bad_syntax("if intercepted", rest)
    return w.IfIntercepted(rest.casefold())  # type: ignore[arg-type]


def read_guard(names: Names, rest: str) -> w.Guard:
    return w.Guard(names.own_unit(rest))
