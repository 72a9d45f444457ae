"""From a letter's text to a sheet: lines by verb, then the checks that need several lines (section 7)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from games.fleet_action.orders import check_building, checks, defaults, deployment, fire, fleet, flights, plot, ships
from games.fleet_action.orders.records import CancelStandingOrder, Order, StandingOrder
from games.fleet_action.orders.standing import cancelled
from games.fleet_action.orders.words import IGNORED, SYNTAX, UNKNOWN, WRONG_KIND, Desk, Verb, Words
from games.fleet_action.state import State
from games.fleet_action.status import units
from games.fleet_action.table import Table
from pbem.kit.sheet import BadOrder, Block, Dialect, Line, Sheet, read_sheet, read_verb

VERBS: dict[str, Verb] = {
    **plot.VERBS,
    **fire.VERBS,
    **ships.VERBS,
    **flights.VERBS,
    **fleet.VERBS,
    **deployment.VERBS,
}
FLEET = "Fleet"
_STANDING = re.compile(r"standing\s+(.*)", re.IGNORECASE)
_CANCEL = re.compile(r"cancel\s+standing", re.IGNORECASE)


def read_orders(state: State, side: str, text: str) -> Sheet[Order]:
    """Parse and validate one side's letter; never raises."""
    roster = check_building.founded_from(state, side, text)
    desk = Desk(Table(roster.state), side, roster.squadrons)
    dialect = Dialect(
        units=(*units(roster.state, side), *(name for name in roster.squadrons if name not in desk.table.squadrons)),
        fleet=FLEET,
        bad_syntax=SYNTAX,
        unknown_unit=UNKNOWN,
        wrong_turn="FA-E-35",
        turn=state.turn if state.stage in ("turn", "reaction") else None,
        strangers=_strangers(desk),
    )
    sheet = read_sheet(text, dialect, lambda line: _read_line(desk, line))
    if sheet.problems and sheet.problems[0].rule == dialect.wrong_turn and not sheet.accepted:
        return sheet
    return _checked(desk, sheet, roster)


def _strangers(desk: Desk) -> list[str]:
    return [s.name for s in desk.enemy_squadrons()] + [s.name for s in desk.enemy_ships()]


def _read_line(desk: Desk, line: Line) -> Sequence[Order]:
    if _CANCEL.fullmatch(line.text):
        return [CancelStandingOrder(line.unit)]
    found = _STANDING.fullmatch(line.text)
    if not found:
        return [_read_order(desk, line)]
    bare = replace(line, text=found[1])
    order = _read_order(desk, bare)
    if _verb_of(bare.text).standing:
        return [order, StandingOrder(line.unit, bare.text)]
    word = bare.text.split()[0]
    desk.remark(line, WRONG_KIND, f"'{word}' cannot stand", "give it each turn", "the order holds for this turn only")
    return [order]


def _verb_of(text: str) -> Verb:
    """The verb of a line that was read."""
    found: dict[str, Callable[[Line, str], Verb]] = {
        word: (lambda _line, _rest, verb=verb: verb)  # type: ignore[misc]
        for word, verb in VERBS.items()
    }
    return read_verb(Line(0, "", text), found, SYNTAX)


def single_valued(text: str) -> bool:
    """FA-E-30: of such an order only the last counts."""
    found = _STANDING.fullmatch(text)
    return _verb_of(found[1] if found else text).single


def _read_order(desk: Desk, line: Line) -> Order:
    readers: dict[str, Callable[[Line, str], Order]] = {
        word: (lambda at, rest, word=word, verb=verb: _read_with(desk, at, rest, word, verb))  # type: ignore[misc]
        for word, verb in VERBS.items()
    }
    return read_verb(line, readers, SYNTAX)


def _read_with(desk: Desk, line: Line, rest: str, word: str, verb: Verb) -> Order:
    stage = desk.table.state.stage
    if stage not in verb.stages:
        when = " or ".join(verb.stages)
        raise BadOrder(SYNTAX, f"'{word}' is an order of the {when} phase; this is the {stage} phase", "", IGNORED)
    kind = "squadron" if line.unit in desk.new_names else desk.kind_of(line.unit)
    if kind == "squadron" and line.unit not in desk.table.squadrons and word not in check_building.VERBS:
        raise BadOrder("FA-E-38", f"the roster with {line.unit} is refused", "correct the roster first", IGNORED)
    if verb.kinds == ("fleet",):
        line = replace(line, unit=FLEET)
    elif kind == "fleet" and "fleet" not in verb.kinds:
        kinds = " or ".join(verb.kinds)
        reason = f"'{word}' is an order to a {kinds}, and no block of one is open"
        raise BadOrder(UNKNOWN, reason, f"open one: Name: {word} ...", IGNORED)
    elif kind not in verb.kinds:
        kinds = " or ".join(verb.kinds)
        reason = f"'{word}' is an order to a {kinds}; {line.unit} is a {kind}"
        raise BadOrder(WRONG_KIND, reason, f"give it in the block of a {kinds}", IGNORED)
    return verb.read(Words(desk, line, rest, verb.usage))


def _checked(desk: Desk, sheet: Sheet[Order], roster: check_building.Roster) -> Sheet[Order]:
    """The checks over several lines; what is refused leaves the sheet, the rest stands."""
    accepted, problems = checks.check(desk, check_building.standing(roster, sheet.accepted), single_valued)
    problems += check_building.complaints(roster, sheet.accepted)
    standing = {entry.unit for entry in accepted}
    blocks = tuple(Block(block.unit, block.lines, block.good and (block.unit in standing)) for block in sheet.blocks)
    checked = replace(sheet, accepted=tuple(accepted), blocks=blocks, defaults=defaults.spoken(desk, accepted))
    return checked.with_problems([*desk.remarks, *problems])


def read_standing(table: Table, side: str, sheet: Sheet[Order] | None = None) -> list[Order]:
    """FA-DOC-7: the lines that stay in force, as far as they still make sense and are not cancelled."""
    desk = Desk(table, side)
    gone = cancelled(sheet)
    orders: list[Order] = []
    for line in table.state.standing:
        if line.side != side or line.unit in gone:
            continue
        try:
            orders.append(_read_order(desk, Line(0, line.unit, line.text)))
        except BadOrder:
            # Its unit or its target is gone; the line waits, and costs nothing.
            continue
    return orders
