"""A letter's orders joined with the sheet in force: unit by unit, and only for the units the seat commands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pbem.kit.sheet import Block, Problem, Sheet, clean, merged_text
from pbem.store.rows import Seat
from pbem.turns.standing import Standing

_TURN_LINE = re.compile(r"turn\s+\d{1,5}", re.IGNORECASE)


@dataclass(frozen=True)
class Reading:
    """What a letter makes of a seat's sheet."""

    sheet: Sheet[Any]
    """The whole sheet as it will stand, read again as one."""
    text: str
    problems: tuple[Problem, ...]
    """Those of the letter, by its own lines, and those that still stand in the rest of the sheet."""

    @property
    def stands(self) -> bool:
        """Whether there is anything to file."""
        return bool(self.sheet.accepted)


def owner(at: Standing, side: str, unit: str) -> Seat | None:
    """Who commands a block: the seat that has the unit by name, else the seat that speaks for the side."""
    seats = [seat for seat in at.seats if seat.side == side]
    named = [seat for seat in seats if unit in seat.units]
    unrestricted = [seat for seat in seats if not seat.units]
    return next(iter((*named, *unrestricted, *seats)), None)


def read_with(at: Standing, seat: Seat, text: str) -> Reading:
    """Join a letter with what the seat sent before in this phase."""
    letter = at.game.read_orders(at.state, seat.side, text)
    own, refused = _own_part(at, seat, letter)
    merged = merged_text(_in_force(at, seat), own)
    return _reading(at, seat, merged, letter, refused)


def read_standing(at: Standing, seat: Seat) -> Reading:
    """The seat's sheet as it stands."""
    row = None if seat.id is None else at.sheets.get(seat.id)
    sheet = at.game.read_orders(at.state, seat.side, row.text if row else "")
    return Reading(_for_seat(at, seat, sheet), row.text if row else "", sheet.problems)


def read_ahead(at: Standing, seat: Seat, text: str, sealed: str) -> Reading:
    """Orders for a later turn, joined with those that wait already; what is wrong today may be right by then."""
    lines = ["" if _TURN_LINE.fullmatch(clean(line)) else line for line in text.splitlines()]
    letter = at.game.read_orders(at.state, seat.side, "\n".join(lines))
    own, refused = _own_part(at, seat, letter)
    blocks = tuple(replace(block, good=True) for block in own.blocks)
    waiting = at.game.read_orders(at.state, seat.side, sealed).blocks
    joined = merged_text(waiting, replace(own, blocks=blocks))
    return Reading(own, joined, (*letter.problems, *refused))


def _in_force(at: Standing, seat: Seat) -> Sequence[Block]:
    row = None if seat.id is None else at.sheets.get(seat.id)
    return at.game.read_orders(at.state, seat.side, row.text).blocks if row else ()


def _own_part(at: Standing, seat: Seat, letter: Sheet[Any]) -> tuple[Sheet[Any], tuple[Problem, ...]]:
    """The letter without the blocks of units that others command, and a word about each of those."""
    foreign: dict[str, Seat] = {}
    for block in letter.blocks:
        commander = owner(at, seat.side, block.unit)
        if commander is not None and commander.id != seat.id:
            foreign[block.unit] = commander
    own = replace(
        letter,
        accepted=tuple(entry for entry in letter.accepted if entry.unit not in foreign),
        blocks=tuple(block for block in letter.blocks if block.unit not in foreign),
    )
    return own, tuple(_not_yours(unit, other, seat, letter) for unit, other in foreign.items())


def _not_yours(unit: str, other: Seat, seat: Seat, letter: Sheet[Any]) -> Problem:
    lines = [line for (owner_of, _), line in _line_numbers(letter).items() if owner_of == unit]
    hint = f"you command {', '.join(seat.units)}" if seat.units else ""
    reason = f"{unit} is commanded by {other.name}, not by you"
    return Problem(min(lines, default=0), f"{unit}:", "", reason, hint, "the lines under it are ignored", unit)


def _reading(at: Standing, seat: Seat, text: str, letter: Sheet[Any], refused: tuple[Problem, ...]) -> Reading:
    """Read the joined sheet; problems are told by the lines of the letter the player has before them."""
    sheet = at.game.read_orders(at.state, seat.side, text)
    joined = {(block.unit, line) for block in sheet.blocks for line in block.lines}
    lines = _line_numbers(letter)
    foreign = {problem.unit for problem in refused}
    lost = [
        problem
        for problem in letter.problems
        if problem.line and (problem.unit, problem.text) not in joined and problem.unit not in foreign
    ]
    kept = [replace(problem, line=lines.get((problem.unit, problem.text), 0)) for problem in sheet.problems]
    told = sorted(_distinct((*lost, *refused, *kept)), key=lambda problem: problem.line or _LAST)
    return Reading(_for_seat(at, seat, sheet), text, tuple(told))


def _line_numbers(letter: Sheet[Any]) -> dict[tuple[str, str], int]:
    """Where each order and each problem stands in the letter."""
    found = {(entry.unit, entry.text): entry.line for entry in letter.accepted}
    return found | {(problem.unit, problem.text): problem.line for problem in letter.problems}


_LAST = 1_000_000
"""Problems without a line come after those with one."""


def _distinct(problems: Iterable[Problem]) -> list[Problem]:
    return list(dict.fromkeys(problems))


def _for_seat(at: Standing, seat: Seat, sheet: Sheet[Any]) -> Sheet[Any]:
    """A seat that commands some units is not told what those of its fellows will do without orders."""
    others = [unit for unit in at.game.units(at.state, seat.side) if owner(at, seat.side, unit) is not _same(at, seat)]
    if not others:
        return sheet
    own = [unit for unit in at.game.units(at.state, seat.side) if unit not in others]
    defaults = tuple(
        line for line in sheet.defaults if any(unit in line for unit in own) or not any(unit in line for unit in others)
    )
    return replace(sheet, defaults=defaults)


def _same(at: Standing, seat: Seat) -> Seat | None:
    return next((one for one in at.seats if one.id == seat.id), None)
