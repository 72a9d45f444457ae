"""Standing orders: kept as the player wrote them, and read anew every turn (section 6.1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from games.battleshift.orders.records import Clear, Order
from games.battleshift.orders.verbs import LineReader
from games.battleshift.orders.words import Names
from games.battleshift.rules.fog import table_of
from games.battleshift.state import Flight, Squadron, State, Taskforce
from games.battleshift.table import Table
from pbem.kit.sheet import BadOrder, Line

UnitT = TypeVar("UnitT", Taskforce, Squadron, Flight)


def standing_of(
    state: State, side: str, turn: Iterable[Order] = (), table: Table | None = None
) -> dict[str, list[Order]]:
    """The standing orders in force, by unit; `standing clear` of this turn has already wiped its unit's."""
    cleared = {order.unit for order in turn if isinstance(order.detail, Clear)}
    written = {} if "" in cleared else _written(state, side)
    in_force = {unit: lines for unit, lines in written.items() if unit not in cleared and lines}
    if not in_force:
        return {}
    reader = LineReader(Names(table or table_of(state), side), state.switches)
    return {unit: _read(reader, unit, lines) for unit, lines in in_force.items()}


def _written(state: State, side: str) -> dict[str, tuple[str, ...]]:
    written = {"": next(record.standing for record in state.sides if record.id == side)}
    units: list[Taskforce | Squadron | Flight] = [*state.taskforces, *state.squadrons, *state.flights]
    for unit in units:
        if unit.side == side:
            written[unit.name] = unit.standing
    return written | {body.name: body.standing for body in state.terrain if body.owner == side and body.name}


def _read(reader: LineReader, unit: str, lines: Iterable[str]) -> list[Order]:
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
        given = [order for order in orders.get(side.id, ()) if order.standing]
        if given:
            state = _write_down(state, side.id, given)
    return state


def _write_down(state: State, side: str, given: list[Order]) -> State:
    kept = _slots_of(state, side)
    if any(isinstance(order.detail, Clear) and not order.unit for order in given):
        kept = {}
    for order in given:
        if isinstance(order.detail, Clear):
            kept.pop(order.unit, None)
        else:
            others = [(slot, text) for slot, text in kept.get(order.unit, []) if slot != order.slot]
            kept[order.unit] = [*others, (order.slot, order.text)]
    texts = {unit: tuple(text for _, text in lines) for unit, lines in kept.items()}
    return replace(
        state,
        sides=tuple(replace(s, standing=texts.get("", ())) if s.id == side else s for s in state.sides),
        taskforces=tuple(_with(unit, side, texts) for unit in state.taskforces),
        squadrons=tuple(_with(unit, side, texts) for unit in state.squadrons),
        flights=tuple(_with(unit, side, texts) for unit in state.flights),
        terrain=tuple(replace(b, standing=texts.get(b.name, ())) if b.owner == side else b for b in state.terrain),
    )


def _slots_of(state: State, side: str) -> dict[str, list[tuple[str, str]]]:
    """The standing lines of each unit with their slots; a line that means nothing now has none, and is kept."""
    reader = LineReader(Names(table_of(state), side), state.switches)
    slots: dict[str, list[tuple[str, str]]] = {}
    for unit, lines in _written(state, side).items():
        orders = [(text, _read(reader, unit, [text])) for text in lines]
        slots[unit] = [(read[0].slot if read else "", text) for text, read in orders]
    return slots


def _with(unit: UnitT, side: str, texts: Mapping[str, tuple[str, ...]]) -> UnitT:
    return replace(unit, standing=texts.get(unit.name, ())) if unit.side == side else unit
