"""A letter's orders joined with the sheet in force: unit by unit, and only for the units the seat commands.

A game reads a letter once, and once more what became of the sheet where that is not the letter alone. A letter with
something wrong in it is read again with each fix in its place, so that only fixes that hold are shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pbem.campaign.proving import may_be_mended, proven
from pbem.campaign.standing import Standing
from pbem.kit.merging import merged_text, written
from pbem.kit.sheet import Block, Dialect, Problem, Sheet, clean, read_sheet
from pbem.store.rows import SeatRow

_TURN_LINE = re.compile(r"turn\s+\d{1,5}", re.IGNORECASE)


@dataclass(frozen=True)
class Reading:
    """What a letter makes of a seat's sheet."""

    sheet: Sheet[Any]
    """The whole sheet as it will stand, read as one."""
    text: str
    problems: tuple[Problem, ...]
    """Those of the letter, by its own lines, and those that still stand in the rest of the sheet."""

    @property
    def stands(self) -> bool:
        """Whether there is anything to file."""
        return bool(self.sheet.accepted)


def owner(at: Standing, side: str, unit: str) -> SeatRow | None:
    """Who commands a block: the seat that has the unit by name, else the seat that speaks for the side."""
    seats = [seat for seat in at.seats if seat.side == side]
    named = [seat for seat in seats if unit in seat.units]
    unrestricted = [seat for seat in seats if not seat.units]
    return next(iter((*named, *unrestricted, *seats)), None)


def read_alone(at: Standing, seat: SeatRow, text: str) -> Sheet[Any]:
    """A letter's orders as if nothing had been sent before."""
    sheet: Sheet[Any] = at.game.read_orders(at.state, seat.side, text)
    return sheet


def join(at: Standing, seat: SeatRow, letter: Sheet[Any], words: str) -> Reading:
    """Join a letter, its words read alone, with what the seat sent before in this phase."""
    own, refused = _own_part(at, seat, letter)
    in_force = _blocks(at, seat, at.sheets.get(seat.id, ""))
    text = merged_text(in_force, own)
    if not refused and text == written(letter.blocks) and _reads_back(at, seat, letter):
        problems = proven(at.game, at.state, seat.side, words, letter.problems, letter)
        return Reading(_for_seat(at, seat, replace(letter, problems=problems)), text, _in_order(problems))
    reading = _reading(at, seat, text, letter, refused)
    rest = () if letter.start_over else _not_named(in_force, letter)
    problems = _with_fixes(at, seat, reading.problems, rest, words)
    return replace(reading, sheet=replace(reading.sheet, problems=problems), problems=problems)


def _reads_back(at: Standing, seat: SeatRow, letter: Sheet[Any]) -> bool:
    """Whether the letter's blocks, written down, are the same blocks again.

    They are not if the letter is for another turn, which is not written down, or if the order behind a header is one
    that means something else on a line of its own: ``Alpha: end``.
    """
    if letter.turn not in (None, at.phase.turn):
        return False
    names = dict.fromkeys((*(block.unit for block in letter.blocks), *at.game.units(at.state, seat.side)))
    again: Sheet[Any] = read_sheet(written(letter.blocks), Dialect(tuple(names)), lambda _line: ())
    return not again.problems and _lines(again.blocks) == _lines(letter.blocks)


def _lines(blocks: Iterable[Block]) -> list[tuple[str, tuple[str, ...]]]:
    return [(block.unit, block.lines) for block in blocks]


def _not_named(in_force: Iterable[Block], letter: Sheet[Any]) -> tuple[Block, ...]:
    """What stands of the sheet beside the letter."""
    named = {block.unit for block in letter.blocks}
    return tuple(block for block in in_force if block.unit not in named)


def _with_fixes(
    at: Standing, seat: SeatRow, problems: Sequence[Problem], rest: Sequence[Block], words: str
) -> tuple[Problem, ...]:
    """Fixes are put in the letter below the rest of the sheet, as it would be read if it came again with them."""
    if not any(may_be_mended(at.game, problem) for problem in problems):
        return tuple(problems)
    above = f"{written(rest)}{at.game.fleet}:\n" if rest else ""
    sheet = read_alone(at, seat, above + words)
    # What others command is not among them: it is refused whatever stands in its place.
    places = {(found.unit, found.text): found.line for found in sheet.problems}
    placed = [_at_line(problem, places.get((problem.unit, problem.text), 0)) for problem in problems]
    held = proven(at.game, at.state, seat.side, above + words, placed, sheet)
    return tuple(replace(problem, fix=found.fix) for problem, found in zip(problems, held, strict=True))


def _at_line(problem: Problem, line: int) -> Problem:
    """The same in a text where it stands elsewhere; 0: it stands nowhere in it."""
    until = line + problem.until - problem.line if line and problem.until else 0
    return replace(problem, line=line, until=until)


def read_standing(at: Standing, seat: SeatRow) -> Reading:
    """The seat's sheet as it stands."""
    text = at.sheets.get(seat.id, "")
    sheet = read_alone(at, seat, text)
    problems = proven(at.game, at.state, seat.side, text, sheet.problems, sheet)
    return Reading(_for_seat(at, seat, replace(sheet, problems=problems)), text, problems)


def read_ahead(at: Standing, seat: SeatRow, text: str, sealed: str) -> Reading:
    """Orders for a later turn, joined with those that wait already; what is wrong today may be right by then."""
    lines = ["" if _TURN_LINE.fullmatch(clean(line)) else line for line in text.splitlines()]
    letter = read_alone(at, seat, "\n".join(lines))
    own, refused = _own_part(at, seat, letter)
    blocks = tuple(replace(block, good=True) for block in own.blocks)
    joined = merged_text(_blocks(at, seat, sealed), replace(own, blocks=blocks))
    # What would be right in their place today need not be right by then.
    problems = tuple(replace(problem, fix="") for problem in (*letter.problems, *refused))
    return Reading(own, joined, problems)


def _blocks(at: Standing, seat: SeatRow, text: str) -> Sequence[Block]:
    """The blocks of a sheet that is kept: as we wrote them down, or, if a bot did, as the game reads them."""
    blocks: list[Block] = []
    for line in text.splitlines():
        if not line.startswith(" "):
            blocks.append(Block(line.removesuffix(":"), (), good=True))
        elif blocks:
            blocks[-1] = replace(blocks[-1], lines=(*blocks[-1].lines, line.strip()))
    return blocks if written(blocks) == text else read_alone(at, seat, text).blocks


def _own_part(at: Standing, seat: SeatRow, letter: Sheet[Any]) -> tuple[Sheet[Any], tuple[Problem, ...]]:
    """The letter without the blocks of units that others command, and a word about each of those."""
    foreign: dict[str, SeatRow] = {}
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


def _not_yours(unit: str, other: SeatRow, seat: SeatRow, letter: Sheet[Any]) -> Problem:
    lines = [line for (owner_of, _), line in _line_numbers(letter).items() if owner_of == unit]
    hint = f"you command {', '.join(seat.units)}" if seat.units else ""
    reason = f"{unit} is commanded by {other.name}, not by you"
    return Problem(min(lines, default=0), f"{unit}:", "", reason, hint, "the lines under it are ignored", unit)


def _reading(at: Standing, seat: SeatRow, text: str, letter: Sheet[Any], refused: tuple[Problem, ...]) -> Reading:
    """Read the joined sheet; problems are told by the lines of the letter the player has before them."""
    sheet = read_alone(at, seat, text)
    joined = {(block.unit, line) for block in sheet.blocks for line in block.lines}
    lines = _line_numbers(letter)
    foreign = {problem.unit for problem in refused}
    lost = [
        problem
        for problem in letter.problems
        if problem.line and (problem.unit, problem.text) not in joined and problem.unit not in foreign
    ]
    kept = [_at_line(problem, lines.get((problem.unit, problem.text), 0)) for problem in sheet.problems]
    return Reading(_for_seat(at, seat, sheet), text, _in_order((*lost, *refused, *kept)))


def _line_numbers(letter: Sheet[Any]) -> dict[tuple[str, str], int]:
    """Where each order and each problem stands in the letter."""
    orders = {(entry.unit, entry.text): entry.line for entry in letter.accepted}
    return orders | {(problem.unit, problem.text): problem.line for problem in letter.problems}


_LAST = 1_000_000
"""Problems without a line come after those with one."""


def _in_order(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """By the lines of the letter, each once."""
    return tuple(sorted(dict.fromkeys(problems), key=lambda problem: problem.line or _LAST))


def _for_seat(at: Standing, seat: SeatRow, sheet: Sheet[Any]) -> Sheet[Any]:
    """A seat that commands some units is not told what those of its fellows will do without orders."""
    others = [unit for unit in at.game.units(at.state, seat.side) if owner(at, seat.side, unit) is not _same(at, seat)]
    if not others:
        return sheet
    own = [unit for unit in at.game.units(at.state, seat.side) if unit not in others]
    defaults = tuple(
        line for line in sheet.defaults if any(unit in line for unit in own) or not any(unit in line for unit in others)
    )
    return replace(sheet, defaults=defaults)


def _same(at: Standing, seat: SeatRow) -> SeatRow | None:
    return next((other for other in at.seats if other.id == seat.id), None)
