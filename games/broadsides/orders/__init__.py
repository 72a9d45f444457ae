"""Orders: a letter's text to a sheet (section 6), checked against section 7."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from games.broadsides.orders import records as r
from games.broadsides.orders.names import FLEET, GONE, Names, own_units
from games.broadsides.orders.reading import Reader, verbs_of
from games.broadsides.orders.records import Order
from games.broadsides.orders.setting_up import settle_setup
from games.broadsides.orders.settling import Entry, Settled, settle
from games.broadsides.orders.targets import FireReader, write_program
from games.broadsides.state import Flight, Ship, State, catalogue_of, unit_of
from pbem.kit.sheet import BadOrder, Dialect, Line, Problem, Sheet, read_sheet, read_verb

__all__ = ["Order", "Settled", "own_units", "read_orders", "settled"]

SETUP_VERBS = (r.Deploy, r.Load, r.SetProgram, r.Upgrade)
BOTH_VERBS = (r.JumpIn, r.Offset, r.Troops)
"""Given in setup and later."""
FIRE_VERBS = (r.FireAt, r.Hold, r.HoldBelow, r.InterceptWith, r.InterceptLimit, r.Firing, r.FlightLetter)
FIRE_EXTRAS = (r.BreakOffWhen, r.UseMissiles, r.Take, r.TakeFighter)


def read_orders(state: State, side: str, text: str) -> Sheet[Order]:
    """Parse and validate; never raises."""
    names = Names(state, side)
    lines = _Lines(state, names)
    dialect = Dialect(
        units=names.own,
        fleet=FLEET,
        bad_syntax="BR-VAL-2",
        unknown_unit="BR-VAL-1",
        wrong_turn="BR-VAL-2",
        turn=state.turn or None,
        strangers=names.enemies,
    )
    sheet = read_sheet(text, dialect, lines.read)
    sheet = sheet.with_problems(names.notes)
    sheet = sheet.with_problems(_cross_checks(state, side, sheet.accepted))
    return replace(sheet, defaults=_defaults(state, side, sheet))


class _Lines:
    """Reads one line after another, minding phase and OSATs."""

    def __init__(self, state: State, names: Names) -> None:
        self._state, self._names = state, names
        self._verbs = verbs_of(Reader(names), FireReader(names))

    def read(self, line: Line) -> Sequence[Order]:
        self._refuse_osat(line)
        order: Order = read_verb(line, self._verbs, "BR-VAL-2")
        self._check_phase(order, line)
        return (order,)

    def _refuse_osat(self, line: Line) -> None:
        """BR-VAL-21: OSATs obey their program."""
        ship = self._names.unit(line)
        if not isinstance(ship, Ship) or self._state.phase == "setup" or ship.status in GONE:
            return
        if self._names.sheet(ship).size == "OSAT" and line.text.split()[0].casefold() not in ("firing", "troops"):
            reason = f"{ship.name} is an OSAT; its program '{write_program(ship.program)}' is in force"
            raise BadOrder("BR-VAL-21", reason, "programs are set in the setup phase", "the line is left out")

    def _check_phase(self, order: Order, line: Line) -> None:
        """Section 3: which orders a phase takes."""
        phase = self._state.phase
        word = line.text.split()[0]
        dropped = "the line is left out"
        if phase == "setup":
            if not isinstance(order, (*SETUP_VERBS, *BOTH_VERBS)):
                hint = "deploy, load, program, upgrade, jump-in, offset, troops"
                raise BadOrder("BR-VAL-2", f"'{word}' is not an order of the setup phase", hint, dropped)
        elif isinstance(order, SETUP_VERBS):
            raise BadOrder("BR-VAL-2", f"'{word}' belongs to the setup phase, which is over", "", dropped)
        elif phase == "fire" and not isinstance(order, (*FIRE_VERBS, *FIRE_EXTRAS)):
            hint = "fire, hold, intercept, firing, attack, defend, breakoff, missiles, take"
            raise BadOrder("BR-VAL-2", f"'{word}' comes too late: only fire is ordered now (BR-SEQ-3)", hint, dropped)


def _cross_checks(state: State, side: str, accepted: Sequence[Entry]) -> list[Problem]:
    if state.phase == "setup":
        _, problems = settle_setup(state, side, accepted)
        return [*problems, *settle(state, side, _jumps_only(accepted)).problems]
    return list(_settle_now(state, side, accepted).problems)


def _jumps_only(accepted: Sequence[Entry]) -> list[Entry]:
    return [entry for entry in accepted if isinstance(entry.order, BOTH_VERBS)]


def settled(state: State, side: str, sheet: Sheet[Order]) -> Settled:
    """The orders of a sheet as they are carried out."""
    if state.phase == "setup":
        return settle(state, side, _jumps_only(sheet.accepted))
    return _settle_now(state, side, sheet.accepted)


def _settle_now(state: State, side: str, accepted: Sequence[Entry]) -> Settled:
    entries = list(accepted)
    if state.phase == "fire":
        entries = [*_fallen_back(state, side, entries), *entries]
    return settle(state, side, entries)


def _fallen_back(state: State, side: str, entries: list[Entry]) -> list[Entry]:
    """BR-SEQ-3: lines of the first e-mail whose kind the second leaves alone, for that unit."""
    given = {(entry.unit, _kind(entry.order)) for entry in entries}
    names = Names(state, side)
    lines = _Lines(state, names)
    kept: list[Entry] = []
    for old in state.standing.get(side, ()):
        try:
            (order,) = lines.read(Line(old.line, old.unit, old.text))
        except BadOrder:
            continue
        if (old.unit, _kind(order)) not in given:
            kept.append(Entry(old.line, old.unit, old.text, order))
    return kept


def _kind(order: Order) -> type[Order]:
    """Fire and hold lines are weighed against each other, so they are replaced together."""
    return r.FireAt if isinstance(order, r.Hold) else type(order)


# --- what silence means ----------------------------------------------------------------------------------------------


def _defaults(state: State, side: str, sheet: Sheet[Order]) -> tuple[str, ...]:
    """Sentences about the units without orders."""
    spoken = {entry.unit for entry in sheet.accepted}
    catalogue = catalogue_of(state)
    said: list[str] = []
    for name in own_units(state, side):
        unit = unit_of(state, name)
        if name in spoken or unit is None or unit.status in GONE:
            continue
        if state.phase == "setup":
            continue
        if isinstance(unit, Flight):
            said.append(_flight_default(unit))
        elif unit.status == "on-map":
            said.append(_ship_default(unit, catalogue.classes[unit.class_name].fixed, state.phase))
    return tuple(said)


def _flight_default(flight: Flight) -> str:
    if flight.status == "hangar":
        return f"{flight.name} stays in its hangar."
    return f"{flight.name} flies straight on and defends against the nearest enemy flight."


def _ship_default(ship: Ship, fixed: bool, phase: str) -> str:
    if fixed:
        return f"{ship.name} fires by its program ({write_program(ship.program)})."
    if phase == "fire":
        return f"{ship.name} fires as ordered in the first e-mail, or at the best chance."
    return (
        f"{ship.name} flies straight on at speed {ship.speed}, turns before the map's edge where it can, "
        "and fires at the best chance."
    )
