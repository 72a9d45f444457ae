"""A side's whole letter: blocks, lines, cross checks, and what silent units will do (sections 6.1 and 7)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from games.battleshift.orders.book import OrderBook
from games.battleshift.orders.checks import cross_checks
from games.battleshift.orders.flight_readers import LAUNCH
from games.battleshift.orders.grammar import Names
from games.battleshift.orders.setup import read_setup
from games.battleshift.orders.verbs import LineReader
from games.battleshift.orders.words import ACCUMULATING, Clear, Order, Player
from games.battleshift.rules.fog import set_contacts
from games.battleshift.rules.table import Battle
from games.battleshift.rules.thawing import thaw
from games.battleshift.state import Flight, Squadron, State, Taskforce
from pbem.kit.dice import LoadedDice
from pbem.kit.sheet import Accepted, BadOrder, Dialect, Line, Problem, Sheet, clean, read_sheet

NOT_YOURS = "is not yours to command"


def table_of(state: State) -> Battle:
    """A working table to measure on; no dice are ever thrown on it."""
    battle = thaw(state, LoadedDice())
    set_contacts(battle)
    return battle


def read_orders(state: State, side: str, text: str) -> Sheet[Order]:
    """Parse and validate; never raises."""
    if state.stage == "setup":
        return read_setup(state, side, text)
    battle = table_of(state)
    names = Names(battle, side, launched_names(text))
    reader = LineReader(names, state.switches)
    sheet = read_sheet(text, _dialect(state, names), reader.read)
    sheet = _named_rightly(sheet)
    sheet = _same_slot(sheet)
    sheet = _of_the_player(state, side, sheet, battle)
    standing = standing_of(state, side, sheet.orders, battle)
    sheet = cross_checks(names, sheet, standing)
    return replace(sheet, defaults=tuple(_defaults(battle, side, OrderBook(sheet.orders, standing))))


def launched_names(text: str) -> list[str]:
    """Flights that are launched in this letter may have blocks in it."""
    found = []
    for raw in text.splitlines():
        line = clean(raw)
        at = re.search(r"(?:^|\s|:)launch\s+(.+)$", line, re.IGNORECASE)
        launch = LAUNCH.fullmatch(at[1]) if at else None
        if launch:
            found.append(launch[3].strip().strip("\"'").strip())
    return found


def _dialect(state: State, names: Names) -> Dialect:
    strangers = [name for name in names.foes if name not in names.own]
    return Dialect(
        units=tuple(names.own),
        bad_syntax="BS-V-1",
        unknown_unit="BS-V-2",
        wrong_turn="BS-V-1",
        turn=state.turn,
        strangers=strangers,
    )


def _named_rightly(sheet: Sheet[Order]) -> Sheet[Order]:
    """BS-V-3: a block of somebody else's unit."""
    fixed = tuple(
        replace(p, rule="BS-V-3") if p.rule == "BS-V-2" and NOT_YOURS in p.reason else p for p in sheet.problems
    )
    return replace(sheet, problems=fixed)


def _same_slot(sheet: Sheet[Order]) -> Sheet[Order]:
    """BS-V-6: of two lines of one verb for one unit the later counts."""
    last: dict[tuple[str, str, bool], Accepted[Order]] = {}
    problems = []
    for entry in sheet.accepted:
        order = entry.order
        key = (order.unit, order.slot, order.standing)
        if order.slot in ACCUMULATING:
            continue
        if key in last:
            older = last[key]
            reason = f"line {entry.line} says the same verb again; line {older.line} no longer counts"
            problems.append(
                Problem(older.line, older.text, "BS-V-6", reason, "", f"line {entry.line} is used", order.unit)
            )
        last[key] = entry
    return sheet.with_problems(problems) if problems else sheet


# --- several players -------------------------------------------------------------------------------------------------


def _of_the_player(state: State, side: str, sheet: Sheet[Order], battle: Battle) -> Sheet[Order]:
    """BS-V-3, BS-V-65: where players share a side, each commands its own taskforces and the admiral the fleet."""
    writer = next((entry.order.detail.name for entry in sheet.accepted if isinstance(entry.order.detail, Player)), "")
    record = next(one for one in state.sides if one.id == side)
    if not writer or not record.admiral:
        return sheet
    kept, problems = [], []
    for entry in sheet.accepted:
        order = entry.order
        if order.unit == "" and order.slot != "player" and writer.casefold() != record.admiral.casefold():
            reason = f"only the admiral, {record.admiral}, orders '{order.slot}'"
            problems.append(Problem(entry.line, entry.text, "BS-V-65", reason, "", "the line is ignored"))
            continue
        owner = commander(battle, side, order.unit)
        if order.unit and owner and owner.casefold() != writer.casefold():
            reason = f"{order.unit} is commanded by {owner}"
            problems.append(Problem(entry.line, entry.text, "BS-V-3", reason, "", "the line is ignored", order.unit))
            continue
        kept.append(entry)
    return replace(sheet, accepted=tuple(kept)).with_problems(problems)


def commander(battle: Battle, side: str, unit: str) -> str:
    """Section 6.1: a detached squadron stays with the player who commanded it."""
    tf = battle.taskforce(side, unit)
    if tf is not None:
        return tf.player
    squadron = battle.squadron(side, unit)
    flight = battle.flight(side, unit)
    if squadron is None and flight is not None:
        squadron = flight.home
    if squadron is None:
        body = battle.body(unit)
        return body.player if body else ""
    return squadron.taskforce.player if squadron.taskforce else squadron.player


# --- standing orders -------------------------------------------------------------------------------------------------


def standing_of(
    state: State, side: str, turn: Iterable[Order] = (), battle: Battle | None = None
) -> dict[str, list[Order]]:
    """The standing orders in force, by unit; `standing clear` of this turn has already wiped its unit's."""
    cleared = {order.unit for order in turn if isinstance(order.detail, Clear)}
    if "" in cleared:
        return {}
    written = {unit: lines for unit, lines in _written(state, side).items() if unit not in cleared and lines}
    if not written:
        return {}
    names = Names(battle or table_of(state), side)
    reader = LineReader(names, state.switches)
    return {unit: _read_standing(reader, unit, lines) for unit, lines in written.items()}


def _written(state: State, side: str) -> dict[str, tuple[str, ...]]:
    found = {"": next(one.standing for one in state.sides if one.id == side)}
    units: list[Taskforce | Squadron | Flight] = [*state.taskforces, *state.squadrons, *state.flights]
    for unit in units:
        if unit.side == side:
            found[unit.name] = unit.standing
    for body in state.terrain:
        if body.owner == side and body.name:
            found[body.name] = body.standing
    return found


def _read_standing(reader: LineReader, unit: str, lines: Iterable[str]) -> list[Order]:
    orders: list[Order] = []
    for text in lines:
        try:
            orders += reader.read(Line(0, unit or "Fleet", f"standing {text}"))
        except BadOrder:
            # A name in it may be gone by now; the line rests until it means something again.
            continue
    return orders


def standing_after(state: State, orders: Mapping[str, Iterable[Order]]) -> State:
    """The state with this turn's standing orders written down, slot by slot over the old ones."""
    for side in state.sides:
        given = [o for o in orders.get(side.id, ()) if o.standing]
        if given:
            state = _write_down(state, side.id, given)
    return state


def _write_down(state: State, side: str, given: list[Order]) -> State:
    old = _slots_of(state, side)
    if any(isinstance(order.detail, Clear) and not order.unit for order in given):
        old = {}
    for order in given:
        if isinstance(order.detail, Clear):
            old.pop(order.unit, None)
        else:
            kept = [(slot, text) for slot, text in old.get(order.unit, []) if slot != order.slot]
            old[order.unit] = [*kept, (order.slot, order.text)]
    texts = {unit: tuple(text for _, text in lines) for unit, lines in old.items()}
    return replace(
        state,
        sides=tuple(replace(s, standing=texts.get("", ())) if s.id == side else s for s in state.sides),
        taskforces=tuple(_with(u, side, texts) for u in state.taskforces),
        squadrons=tuple(_with(u, side, texts) for u in state.squadrons),
        flights=tuple(_with(u, side, texts) for u in state.flights),
        terrain=tuple(replace(b, standing=texts.get(b.name, ())) if b.owner == side else b for b in state.terrain),
    )


def _slots_of(state: State, side: str) -> dict[str, list[tuple[str, str]]]:
    """The standing lines of each unit with their slots; a line that means nothing now has none, and is kept."""
    reader = LineReader(Names(table_of(state), side), state.switches)
    found: dict[str, list[tuple[str, str]]] = {}
    for unit, lines in _written(state, side).items():
        orders = [(text, _read_standing(reader, unit, [text])) for text in lines]
        found[unit] = [(read[0].slot if read else "", text) for text, read in orders]
    return found


UnitT = TypeVar("UnitT", Taskforce, Squadron, Flight)


def _with(unit: UnitT, side: str, texts: Mapping[str, tuple[str, ...]]) -> UnitT:
    return replace(unit, standing=texts.get(unit.name, ())) if unit.side == side else unit


# --- defaults --------------------------------------------------------------------------------------------------------


def _defaults(battle: Battle, side: str, book: OrderBook) -> Iterable[str]:
    """What units without orders will do, in sentences."""
    for tf in battle.taskforces:
        if tf.side != side or not tf.on_table:
            continue
        silent = [s.name for s in tf.living if not _has_way(book, s.name, tf.name) and not s.cls.is_station]
        if silent:
            yield f"{tf.name}: {', '.join(silent)} will hold, turn toward the nearest enemy and fire at the nearest."
    for squadron in battle.on_table(side):
        loose = squadron.taskforce is None and not _has_way(book, squadron.name)
        if loose and not squadron.cls.is_station:
            yield f"{squadron.name} will hold, turn toward the nearest enemy and fire at the nearest."
    for flight in battle.flights:
        if flight.side == side and not book.has(flight.name, "fly"):
            yield f"{flight.name} will hold, and attack an enemy flight in contact."
    if not book.has("", "sequence"):
        listed = ", ".join(tf.name for tf in battle.taskforces if tf.side == side and tf.on_table)
        if listed.count(","):
            yield f"Activation in fleet-list order: {listed}."


def _has_way(book: OrderBook, *units: str) -> bool:
    return any(book.has(unit, slot) for unit in units for slot in ("move", "face"))
