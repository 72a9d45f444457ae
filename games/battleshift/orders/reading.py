"""A side's whole letter: blocks, lines, checks, and what silent units will do (sections 6.1 and 7)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from games.battleshift.orders.book import OrderBook
from games.battleshift.orders.checks import check
from games.battleshift.orders.fixes import mended
from games.battleshift.orders.judge import Checker
from games.battleshift.orders.readers import LAUNCH
from games.battleshift.orders.records import Order
from games.battleshift.orders.setup import read_setup
from games.battleshift.orders.standing import standing_of
from games.battleshift.orders.trial import Trial
from games.battleshift.orders.verbs import LineReader
from games.battleshift.orders.words import Names
from games.battleshift.rules.fog import table_of
from games.battleshift.rules.units import in_command
from games.battleshift.state import State
from games.battleshift.table import Table
from pbem.kit.sheet import Dialect, Sheet, clean, read_sheet


def read_orders(state: State, side: str, text: str) -> Sheet[Order]:
    """Parse and validate; never raises."""
    if state.stage == "setup":
        return read_setup(state, side, text)
    names = Names(table_of(state), side, launched_names(text))
    sheet = read_sheet(text, _dialect(state, names), LineReader(names, state.switches).read)
    checker = Checker(names, sheet.accepted)
    checker.standing = standing_of(state, side, [entry.order for entry in checker.entries], names.table)
    check(checker)
    settled = checker.settle(sheet)
    trial = Trial(names, checker.entries, checker.standing)
    settled = replace(settled, problems=tuple(mended(trial, settled.problems)))
    return replace(settled, defaults=tuple(_defaults(names.table, side, checker.book())))


def launched_names(text: str) -> list[str]:
    """Flights that are launched in this letter may have blocks in it."""
    names = []
    for line in (clean(raw) for raw in text.splitlines()):
        at = re.search(r"(?:^|\s|:)launch\s+(.+)$", line, re.IGNORECASE)
        launch = LAUNCH.fullmatch(at[1]) if at else None
        if launch:
            names.append(launch[3].strip().strip("\"'").strip())
    return names


def _dialect(state: State, names: Names) -> Dialect:
    return Dialect(
        units=tuple(names.own),
        bad_syntax="BS-V-1",
        unknown_unit="BS-V-2",
        wrong_turn="BS-V-1",
        turn=state.turn,
        strangers=[name for name in names.foes if name not in names.own],
        not_yours="BS-V-3",
    )


def _defaults(table: Table, side: str, book: OrderBook) -> Iterable[str]:
    """What units without orders will do, in sentences."""
    tfs = [tf for tf in table.forces.values() if tf.side == side and tf.on_table]
    for tf in tfs:
        silent = [s.name for s in tf.living if not _has_way(book, s.name, tf.name) and not s.cls.is_station]
        if silent:
            yield f"{tf.name}: {', '.join(silent)} will hold, turn toward the nearest enemy and fire at the nearest."
        for lost in (s for s in tf.living if s.active and not in_command(s) and not book.has(s.name, "move")):
            yield f'{lost.name} is more than 8.00" from {tf.flagship.name}: without a move of its own it is detached.'
    for squadron in table.on_table(side):
        loose = squadron.taskforce is None and not _has_way(book, squadron.name)
        if loose and not squadron.cls.is_station:
            yield f"{squadron.name} will hold, turn toward the nearest enemy and fire at the nearest."
    for flight in table.aloft.values():
        if flight.side == side and not book.has(flight.name, "fly"):
            yield f"{flight.name} will hold, and attack an enemy flight in contact."
    if len(tfs) > 1 and not book.has("", "sequence"):
        yield f"Activation in fleet-list order: {', '.join(tf.name for tf in tfs)}."


def _has_way(book: OrderBook, *units: str) -> bool:
    return any(book.has(unit, slot) for unit in units for slot in ("move", "face"))
