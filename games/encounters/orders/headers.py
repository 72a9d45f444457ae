"""Which battle a line belongs to: ``Battle X:`` and ``Ground X:`` hold until the next (rule book, section 6)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from games.encounters.plans import Where
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
    found = [_NEW_NAME.fullmatch(clean(raw)) for raw in text.splitlines()]
    return list(dict.fromkeys(one[1].strip().strip('"').strip() for one in found if one))


def with_empire(text: str) -> str:
    """``Fleet:`` serves as well as ``Empire:``."""
    return re.sub(r"^(\s*)fleet\s*:", rf"\1{EMPIRE}:", text, flags=re.IGNORECASE | re.MULTILINE)


def squadron_names(text: str) -> list[str]:
    found = [_SQUADRON.fullmatch(clean(raw)) for raw in text.splitlines()]
    return list(dict.fromkeys(one[1].strip() for one in found if one))


def place_of(header: str, systems: Sequence[str]) -> Place | None:
    """``Battle Altair`` or ``Ground Altair``."""
    word, _, rest = header.strip().partition(" ")
    if word.casefold() not in ("battle", "ground") or not rest:
        return None
    system = match_name(rest, systems)
    return Place("battle" if word.casefold() == "battle" else "ground", system) if system else None


def split_explicit(header: str, systems: Sequence[str]) -> tuple[str, Place | None]:
    """``Red (Battle Altair)``: a name and the battle it means."""
    found = _EXPLICIT.fullmatch(header)
    if not found:
        return header, None
    return found[1].strip(), place_of(f"{found[2]} {found[3]}", systems)


def looks_formed_elsewhere(name: str, known: Sequence[str]) -> bool:
    """A second letter may speak to a squadron that the first one formed; a misspelt name is no such thing."""
    plain = len(name) <= LONGEST_NAME and PATTERN.fullmatch(name) is not None
    return plain and match_name(name, known) is None and not nearest(name, known)


def explicit_headings(
    text: str, systems: Sequence[str], units: Mapping[str, Place], fleets: Sequence[str], sole: Place | None
) -> Headings:
    """Give a unit or squadron header its battle in brackets wherever the header alone would not tell.

    A later letter replaces blocks by their header, so a header must mean the same wherever it stands.
    """
    squadrons = [*squadron_names(text), *FREE_SQUADRONS, *(str(number) for number in range(1, MOST_SQUADRONS))]
    own = [*units, *fleets, *squadron_names(text)]
    headings = Headings(names=list(squadrons))
    lines, place = [], None
    for raw in text.splitlines():
        found = _HEADER.fullmatch(clean(raw))
        if not found:
            lines.append(raw)
            continue
        header = found[1].strip()
        opened = place_of(header, systems)
        if opened is not None or match_name(header, (EMPIRE,)):
            place = opened
            lines.append(raw)
            continue
        named, explicit = split_explicit(header, systems)
        meant = explicit or place
        unit = match_name(named, units)
        squadron = match_name(named, squadrons) if unit is None else None
        if not unit and not squadron and looks_formed_elsewhere(named, own):
            squadron = named
            headings.unformed.add(named)
            headings.names.append(header)
        natural = units[unit] if unit else sole
        if meant is not None and (unit or squadron):
            header = f"{unit or squadron}" if meant == natural else f"{unit or squadron} ({meant.header})"
            headings.names.append(header)
            raw = f"{header}: {found[2]}"
        lines.append(raw)
    headings.text = "\n".join(lines)
    return headings
