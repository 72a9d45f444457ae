"""From a letter's text to a sheet: lines by verb, then the checks that need several lines (section 7)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from games.fleet_action.orders import check_building, checks, defaults
from games.fleet_action.orders.desk import SYNTAX, UNKNOWN, WRONG_KIND, Desk
from games.fleet_action.orders.fixes import Reading, with_fixes
from games.fleet_action.orders.records import CancelStandingOrder, Order, StandingOrder
from games.fleet_action.orders.standing import cancelled
from games.fleet_action.orders.verbs import FLEET, STANDING, read_order, verb_of
from games.fleet_action.phase import units
from games.fleet_action.state import State
from games.fleet_action.table import Table
from pbem.kit.sheet import BadOrder, Dialect, Line, Sheet, read_sheet

_CANCEL = re.compile(r"cancel\s+standing", re.IGNORECASE)


def read_orders(state: State, side: str, text: str) -> Sheet[Order]:
    """Parse and validate one side's letter, with a fix for what does not stand where one is found; never raises."""
    state = _as_known(state, side)
    return with_fixes(text, lambda letter: _reading(state, side, letter), (FLEET, *units(state, side)))


def _reading(state: State, side: str, text: str) -> Reading:
    """The letter as it is read, before its fixes are proven."""
    roster = check_building.founded_from(state, side, text)
    desk = Desk(Table(roster.state), side, roster.squadrons)
    dialect = Dialect(
        units=(*units(roster.state, side), *(name for name in roster.squadrons if name not in desk.table.squadrons)),
        fleet=FLEET,
        bad_syntax=SYNTAX,
        unknown_unit=UNKNOWN,
        wrong_turn="FA-E-35",
        turn=state.turn if state.stage in ("turn", "reaction") else None,
        strangers=[unit.name for unit in desk.enemies()],
    )
    sheet = read_sheet(text, dialect, desk.reading(lambda line: read_line(desk, line)))
    if sheet.problems and sheet.problems[0].rule == dialect.wrong_turn and not sheet.accepted:
        return Reading(sheet, desk)
    desk.take(sheet)
    check_building.drop_refused(desk, roster)
    checks.check(desk)
    check_building.complain(desk, roster, sheet)
    settled = replace(desk.settle(sheet), defaults=defaults.spoken(desk))
    return Reading(settled, desk, {entry.line: entry for entry in reversed(sheet.accepted)})


def _as_known(state: State, side: str) -> State:
    """FA-DEP-4: before deployment closes nobody knows what others have, and no complaint may tell it."""
    if state.stage != "deployment":
        return state
    squadrons = tuple(squadron for squadron in state.squadrons if squadron.side == side)
    names = {squadron.name for squadron in squadrons}
    ships = tuple(ship for ship in state.ships if ship.squadron in names)
    openers = {ship.name for ship in ships}
    return replace(
        state,
        fleets=tuple(fleet for fleet in state.fleets if fleet.side == side),
        squadrons=squadrons,
        ships=ships,
        flights=tuple(flight for flight in state.flights if flight.side == side),
        plans=tuple(plan for plan in state.plans if plan.opener in openers),
    )


def read_line(desk: Desk, line: Line) -> Sequence[Order]:
    """The orders of one line; raises BadOrder."""
    if _CANCEL.fullmatch(line.text):
        return [CancelStandingOrder(line.unit)]
    standing = STANDING.fullmatch(line.text)
    if not standing:
        return [read_order(desk, line)]
    bare = replace(line, text=standing[1])
    order = read_order(desk, bare)
    if verb_of(bare.text).standing:
        return [order, StandingOrder(line.unit, bare.text)]
    word = bare.text.split()[0]
    desk.warn(line, WRONG_KIND, f"'{word}' cannot stand", "give it each turn", "the order holds for this turn only")
    return [order]


def read_standing(table: Table, side: str, sheet: Sheet[Order] | None = None) -> list[Order]:
    """FA-DOC-7: the lines that stay in force, as far as they still make sense and are not cancelled."""
    desk = Desk(table, side)
    gone = cancelled(sheet)
    orders: list[Order] = []
    for line in table.state.standing:
        if line.side != side or line.unit in gone:
            continue
        try:
            orders.append(read_order(desk, Line(0, line.unit, line.text)))
        except BadOrder:
            # Its unit or its target is gone; the line waits, and costs nothing.
            continue
    return orders
