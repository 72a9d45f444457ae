"""Orders: a letter's text to a sheet (section 6), checked against section 7."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from games.broadsides.orders import records as r
from games.broadsides.orders.checks import Settled, check
from games.broadsides.orders.flights import FlightLines
from games.broadsides.orders.gunnery import FireLines
from games.broadsides.orders.jumps import JumpLines
from games.broadsides.orders.manoeuvre import MovementLines
from games.broadsides.orders.powering import PowerLines
from games.broadsides.orders.records import Order
from games.broadsides.orders.setting_up import SetupLines
from games.broadsides.orders.words import DROPPED, FILLERS, SYNTAX, Names, Verb, spelt_like, write_program
from games.broadsides.phase import FLEET, units
from games.broadsides.state import Flight, Ship, State
from pbem.kit.choices import Choice, added
from pbem.kit.judging import Judge
from pbem.kit.sheet import Accepted, BadOrder, Dialect, Line, Problem, Sheet, read_sheet, read_verb

CHAPTERS = (MovementLines, PowerLines, FireLines, FlightLines, JumpLines, SetupLines)
SETUP_ORDERS = (r.Deploy, r.Load, r.SetProgram, r.Upgrade)
ANYTIME_ORDERS = (r.JumpIn, r.Offset, r.Troops)
"""Given in setup and later."""
FIRE_ORDERS = (r.FireAt, r.Hold, r.HoldBelow, r.InterceptWith, r.InterceptLimit, r.Firing, r.FlightLetter)
FIRE_EXTRAS = (r.BreakOffWhen, r.UseMissiles, r.Take, r.TakeFighter)


MOST_PROOFS = 40
"""Readings that a letter's fixes are worth."""


def read_orders(state: State, side: str, text: str) -> Sheet[Order]:
    """Parse and validate; never raises. A fix that would not stand is not named."""
    sheet = _read(state, side, text)
    fixes = [problem for problem in sheet.problems if problem.fix]
    proven = {id(problem) for problem in fixes[:MOST_PROOFS] if _holds(state, side, text, problem)}
    return replace(sheet, problems=tuple(one if id(one) in proven else _unfixed(one) for one in sheet.problems))


def _holds(state: State, side: str, text: str, problem: Problem) -> bool:
    """Whether the fix, put in place of the line, is accepted and draws no complaint."""
    lines = tuple(problem.fix.splitlines())
    after = _read(state, side, added(text, problem.unit, Choice("", "", lines, (problem.line,))))
    accepted = {(entry.unit, entry.text.casefold()) for entry in after.accepted}
    complained = {(one.unit, one.text.casefold()) for one in after.problems}
    mended = {(problem.unit, line.casefold()) for line in lines}
    return mended <= accepted and not mended & complained


def _unfixed(problem: Problem) -> Problem:
    """Without the fix, and without a hint that is the same line."""
    return replace(problem, fix="", hint="" if problem.hint == problem.fix else problem.hint)


def _read(state: State, side: str, text: str) -> Sheet[Order]:
    judge: Judge[Order] = Judge()
    names = Names(state, side, judge)
    dialect = Dialect(
        units=names.own,
        fleet=FLEET,
        bad_syntax=SYNTAX,
        unknown_unit="BR-VAL-1",
        not_yours="BR-VAL-1",
        wrong_turn=SYNTAX,
        turn=state.turn or None,
        strangers=names.enemies,
    )
    sheet = read_sheet(text, dialect, judge.reading(Reader(names).read))
    judge.take(sheet)
    earlier = _fallen_back(state, side, sheet)
    judge.entries = [*earlier, *judge.entries]
    check(state, side, judge)
    judge.entries = [entry for entry in judge.entries if entry not in earlier]
    # Lines of the first e-mail were accepted in their time; this letter is not to blame for what became of them.
    old = {(entry.unit, entry.text) for entry in earlier}
    judge.problems = [problem for problem in judge.problems if (problem.unit, problem.text) not in old]
    sheet = judge.settle(sheet)
    return replace(sheet, defaults=_defaults(state, side, sheet))


def settled(state: State, side: str, sheet: Sheet[Order]) -> Settled:
    """The orders of a sheet as they are carried out."""
    return check(state, side, Judge([*_fallen_back(state, side, sheet), *sheet.accepted]))


class Reader:
    """Reads one line after another, minding phase and OSATs."""

    def __init__(self, names: Names) -> None:
        self._state, self._names = names.state, names
        self._verbs: dict[str, Verb] = {}
        for chapter in CHAPTERS:
            self._verbs |= chapter(names).verbs()

    def read(self, line: Line) -> Sequence[Order]:
        self._refuse_osat(line)
        order = self._order(line)
        self._check_phase(order, line)
        return (order,)

    def _order(self, line: Line) -> Order:
        """The order of a line; one that cannot be read may only be misspelt."""
        try:
            return read_verb(line, self._verbs, SYNTAX)
        except BadOrder as error:
            error.fix = error.fix or self._spelt(line)
            raise

    def _spelt(self, line: Line) -> str:
        """The line with every unknown word mended to the one most like it."""
        verb, *rest = line.text.split()
        words = (*FILLERS.split(), *self._names.own, *self._names.enemies)
        spelt = [spelt_like(verb, self._verbs), *(spelt_like(word, words) for word in rest)]
        mended = " ".join(spelt)
        return mended if mended != line.text else ""

    def _refuse_osat(self, line: Line) -> None:
        """BR-VAL-21: OSATs obey their program."""
        ship = self._names.unit(line)
        if not isinstance(ship, Ship) or self._state.phase == "setup" or ship.gone:
            return
        if self._names.sheet(ship).size == "OSAT" and line.text.split()[0].casefold() not in ("firing", "troops"):
            reason = f"{ship.name} is an OSAT; its program '{write_program(ship.program)}' is in force"
            raise BadOrder("BR-VAL-21", reason, "programs are set in the setup phase", DROPPED)

    def _check_phase(self, order: Order, line: Line) -> None:
        """Section 3: which orders a phase takes."""
        phase = self._state.phase
        word = line.text.split()[0]
        if phase == "setup":
            if not isinstance(order, (*SETUP_ORDERS, *ANYTIME_ORDERS)):
                hint = "deploy, load, program, upgrade, jump-in, offset, troops"
                raise BadOrder(SYNTAX, f"'{word}' is not an order of the setup phase", hint, DROPPED)
        elif isinstance(order, SETUP_ORDERS):
            raise BadOrder(SYNTAX, f"'{word}' belongs to the setup phase, which is over", "", DROPPED)
        elif phase == "fire" and not isinstance(order, (*FIRE_ORDERS, *FIRE_EXTRAS)):
            hint = "fire, hold, intercept, firing, attack, defend, breakoff, missiles, take"
            raise BadOrder(SYNTAX, f"'{word}' comes too late: only fire is ordered now (BR-SEQ-3)", hint, DROPPED)


# --- the first e-mail behind the second ------------------------------------------------------------------------------


def _fallen_back(state: State, side: str, sheet: Sheet[Order]) -> list[Accepted[Order]]:
    """BR-SEQ-3: in the fire phase, lines of the first e-mail whose kind the second leaves alone, for that unit."""
    if state.phase != "fire":
        return []
    reader = Reader(Names(state, side, Judge()))
    given = {(entry.unit, _kind(entry.order)) for entry in sheet.accepted}
    if sheet.turn in (None, state.turn):
        # A line that was understood but cannot stand takes the place of the earlier ones all the same.
        written = [Line(0, block.unit, text) for block in sheet.blocks for text in block.lines]
        given |= {(line.unit, _kind(order)) for line in written for order in _understood(reader, line)}
    return [
        Accepted(old.line, old.unit, old.text, order)
        for old in state.standing.get(side, ())
        for order in _understood(reader, Line(old.line, old.unit, old.text))
        if (old.unit, _kind(order)) not in given
    ]


def _understood(reader: Reader, line: Line) -> Sequence[Order]:
    try:
        return reader.read(line)
    except BadOrder:
        return ()


def _kind(order: Order) -> type[Order]:
    """Fire and hold lines are weighed against each other, so they are replaced together."""
    return r.FireAt if isinstance(order, r.Hold) else type(order)


# --- what silence means ----------------------------------------------------------------------------------------------


def _defaults(state: State, side: str, sheet: Sheet[Order]) -> tuple[str, ...]:
    """Sentences about the units without orders."""
    if state.phase == "setup":
        return ()
    spoken = {entry.unit for entry in sheet.accepted}
    silent = [unit for name in units(state, side) if name not in spoken and (unit := state.unit(name))]
    return tuple(
        _flight_default(unit) if isinstance(unit, Flight) else _ship_default(state, unit)
        for unit in silent
        if not unit.gone and (isinstance(unit, Flight) or unit.on_map)
    )


def _flight_default(flight: Flight) -> str:
    if flight.status == "hangar":
        return f"{flight.name} stays in its hangar."
    return f"{flight.name} flies straight on and defends against the nearest enemy flight."


def _ship_default(state: State, ship: Ship) -> str:
    if state.cards.classes[ship.class_name].fixed:
        return f"{ship.name} fires by its program ({write_program(ship.program)})."
    if state.phase == "fire":
        return f"{ship.name} fires as ordered in the first e-mail, or at the best chance."
    return (
        f"{ship.name} flies straight on at speed {ship.speed}, turns before the map's edge where it can, "
        "and fires at the best chance."
    )
