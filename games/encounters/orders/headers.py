"""Which battle a line belongs to: ``Battle X:`` and ``Ground X:`` hold until the next (rule book, section 6)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from games.encounters.orders.records import Where
from games.encounters.rules.names import FREE_SQUADRONS, LONGEST_NAME, PATTERN
from pbem.kit.sheet import clean, match_name, nearest

EMPIRE = "Empire"
_HEADER = re.compile(r"([^:]{1,80}):(.*)")
_SQUADRON = re.compile(r"(?:[^:]*:\s*)?squadron\s+(.+?)\s*=.*", re.IGNORECASE)
_NEW_NAME = re.compile(r"(?:[^:]*:\s*)?(?:transfer|rename)\s+.+\s+to\s+(.+)", re.IGNORECASE)
_EXPLICIT = re.compile(r"(.+?)\s*\((battle|ground)\s+(.+)\)", re.IGNORECASE)
MOST_SQUADRONS = 16


@dataclass(frozen=True)
class Place:
    """A battle or ground block of one system."""

    where: Where
    system: str

    @property
    def header(self) -> str:
        return f"{self.where.capitalize()} {self.system}"


@dataclass
class Headings:
    """A letter with every header made to say which battle it means."""

    text: str = ""
    names: list[str] = field(default_factory=list)
    """Headers that belong to this letter alone: its squadrons, new fleets, and explicit forms."""
    unformed: set[str] = field(default_factory=set)
    """Names that look like squadrons of an earlier letter: this one does not form them."""


def new_names(text: str) -> list[str]:
    """Fleets and units that come to be in this very letter, by ``transfer`` or ``rename``."""
    return [name.strip('"').strip() for name in matched(_NEW_NAME, text)]


def matched(pattern: re.Pattern[str], text: str) -> list[str]:
    """What a pattern finds in the lines of a letter, each once."""
    matches = [pattern.fullmatch(clean(raw)) for raw in text.splitlines()]
    return list(dict.fromkeys(match[1].strip() for match in matches if match))


def with_empire(text: str) -> str:
    """``Fleet:`` serves as well as ``Empire:``."""
    return re.sub(r"^(\s*)fleet\s*:", rf"\1{EMPIRE}:", text, flags=re.IGNORECASE | re.MULTILINE)


def place_of(header: str, systems: Sequence[str]) -> Place | None:
    """``Battle Altair`` or ``Ground Altair``."""
    word, _, rest = header.strip().partition(" ")
    if word.casefold() not in ("battle", "ground") or not rest:
        return None
    system = match_name(rest, systems)
    return Place("battle" if word.casefold() == "battle" else "ground", system) if system else None


def split_explicit(header: str, systems: Sequence[str]) -> tuple[str, Place | None]:
    """``Red (Battle Altair)``: a name and the battle it means."""
    match = _EXPLICIT.fullmatch(header)
    return (match[1].strip(), place_of(f"{match[2]} {match[3]}", systems)) if match else (header, None)


def looks_formed_elsewhere(name: str, names: Sequence[str]) -> bool:
    """A second letter may speak to a squadron that the first one formed; a misspelt name is no such thing."""
    plain = len(name) <= LONGEST_NAME and PATTERN.fullmatch(name) is not None
    return plain and match_name(name, names) is None and not nearest(name, names)


def explicit_headings(
    text: str, systems: Sequence[str], units: Mapping[str, Place], fleets: Sequence[str], places: Sequence[Place]
) -> Headings:
    """Give a unit or squadron header its battle in brackets wherever the header alone would not tell.

    Under the battle of another system a unit still means its own, if there is one.

    A later letter replaces blocks by their header, so a header must mean the same wherever it stands.
    """
    formed = matched(_SQUADRON, text)
    squadrons = [*formed, *FREE_SQUADRONS, *(str(number) for number in range(1, MOST_SQUADRONS))]
    own = [*units, *fleets, *formed]
    headings = Headings(names=list(squadrons))
    lines, place = [], None
    for raw in text.splitlines():
        match = _HEADER.fullmatch(clean(raw))
        if not match:
            lines.append(raw)
            continue
        header = match[1].strip()
        opened = place_of(header, systems)
        if opened is not None or match_name(header, (EMPIRE,)):
            place = opened
            lines.append(raw)
            continue
        named, explicit = split_explicit(header, systems)
        unit = match_name(named, units)
        meant = explicit or place
        if unit and explicit is None and place and place.system != units[unit].system and units[unit] in places:
            meant = units[unit]
        squadron = match_name(named, squadrons) if unit is None else None
        if not unit and not squadron and looks_formed_elsewhere(named, own):
            squadron = named
            headings.unformed.add(named)
            headings.names.append(header)
        natural = units[unit] if unit else (places[0] if len(places) == 1 else None)
        if meant is not None and (unit or squadron):
            header = f"{unit or squadron}" if meant == natural else f"{unit or squadron} ({meant.header})"
            headings.names.append(header)
            raw = f"{header}: {match[2]}"
        lines.append(raw)
    headings.text = "\n".join(lines)
    return headings
