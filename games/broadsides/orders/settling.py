"""From accepted lines to settled orders: what lines mean together, and section 7's checks across lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from games.broadsides.data import Catalogue
from games.broadsides.orders import records as r
from games.broadsides.orders.gunnery import settle_fire
from games.broadsides.orders.manoeuvre import settle_movement
from games.broadsides.orders.powering import settle_power
from games.broadsides.rules.boarding import BOARDABLE
from games.broadsides.rules.criticals import HANGAR_BLOCKS, awake
from games.broadsides.rules.doctrine import UnitOrders
from games.broadsides.state import Flight, Formation, Ship, State, Unit, blocks_left, catalogue_of, unit_of
from pbem.kit.sheet import Accepted, Problem

Entry = Accepted[r.Order]
OrderT = TypeVar("OrderT", bound=r.Order)


@dataclass
class Settled:
    """A side's orders, ready to be carried out."""

    units: dict[str, UnitOrders] = field(default_factory=dict)
    firing: tuple[str, ...] = ()
    formations: tuple[Formation, ...] = ()
    """The side's formations after its jump-in orders."""
    offsets: dict[str, r.Offset] = field(default_factory=dict)
    troops: dict[str, r.Troops] = field(default_factory=dict)
    """Ship to its squads' orders; the empty name: all."""
    problems: list[Problem] = field(default_factory=list)


def complain(entry: Entry, rule: str, reason: str, hint: str = "", instead: str = "the line is left out") -> Problem:
    return Problem(entry.line, entry.text, rule, reason, hint, instead, entry.unit)


def of_kind(entries: Sequence[Entry], kind: type[OrderT]) -> list[tuple[Entry, OrderT]]:
    return [(entry, entry.order) for entry in entries if isinstance(entry.order, kind)]


def settle(state: State, side: str, entries: Sequence[Entry]) -> Settled:
    """All units of the side, and what the side orders as a whole."""
    # R1 ends deactivations before anything is charged or moved, so orders are judged without them.
    ships = {name: awake(ship, state.turn) for name, ship in state.ships.items()}
    settler = _Settler(replace(state, ships=ships), side)
    return settler.run(list(entries))


class _Settler:
    def __init__(self, state: State, side: str) -> None:
        self._state, self._side = state, side
        self._catalogue: Catalogue = catalogue_of(state)
        self._done = Settled()
        self._launched: dict[str, int] = {}

    def run(self, entries: list[Entry]) -> Settled:
        blocks: dict[str, list[Entry]] = {}
        for entry in entries:
            blocks.setdefault(entry.unit, []).append(entry)
        self._fleet(entries)
        for name in self._state.roster:
            unit = unit_of(self._state, name)
            if unit is not None and name in blocks and unit.side == self._side:
                self._done.units[name] = self._unit(unit, blocks[name])
        return self._done

    def _fleet(self, entries: list[Entry]) -> None:
        """Orders only a side gives count under any header."""
        for _, firing in of_kind(entries, r.Firing):
            self._done.firing = firing.names
        for entry, troops in of_kind(entries, r.Troops):
            self._done.troops["" if entry.unit not in self._state.ships else entry.unit] = troops
        self._jumps(entries)

    def _jumps(self, entries: list[Entry]) -> None:
        """BR-HYP-1: a jump-in under a leader's name is his formation's; elsewhere the next formation's."""
        own = [one for one in self._state.formations if one.side == self._side]
        waiting = [one for one in own if self._state.ships[one.leader].status == "hyperspace"]
        if not own:
            waiting = self._loose_formation()
        jumped: set[str] = set()
        for entry, order in of_kind(entries, r.JumpIn):
            index = self._formation(entry, waiting, jumped)
            if index is None:
                reason = "no ships in hyperspace with a working jump engine"
                self._done.problems.append(complain(entry, "BR-VAL-24", f"jump-in: {reason}, 1 is needed"))
                continue
            formation = waiting[index]
            when = self._state.turn if self._state.phase != "setup" else (formation.turn or 1)
            if self._state.phase != "setup" and formation.turn is not None:
                when = max(formation.turn, self._state.turn)
            waiting[index] = replace(formation, turn=when, hex=order.hex, facing=order.facing)
            jumped.add(formation.leader)
        self._done.formations = tuple(waiting)
        for entry, offset in of_kind(entries, r.Offset):
            ship = self._state.ships.get(entry.unit)
            if ship is None or ship.status != "hyperspace":
                where = ship.status if ship else "no ship"
                reason = f"an offset is for ships in hyperspace; {entry.unit} is {where}"
                self._done.problems.append(complain(entry, "BR-VAL-24", reason))
            else:
                self._done.offsets[entry.unit] = offset

    def _loose_formation(self) -> list[Formation]:
        """Ships in hyperspace that the scenario put into no formation jump together."""
        state = self._state
        ships = [
            state.ships[name]
            for name in state.roster
            if name in state.ships and state.ships[name].side == self._side and state.ships[name].status == "hyperspace"
        ]
        leader = next((ship for ship in ships if self._can_jump(ship)), None)
        return [Formation(self._side, leader.name, tuple(ship.name for ship in ships))] if leader else []

    def _can_jump(self, ship: Ship) -> bool:
        engine = self._catalogue.classes[ship.class_name].systems.get("jump")
        return engine is not None and blocks_left(ship, engine) > 0

    def _formation(self, entry: Entry, waiting: list[Formation], jumped: set[str]) -> int | None:
        for index, one in enumerate(waiting):
            mine = entry.unit in one.ships if entry.unit in self._state.ships else one.leader not in jumped
            able = any(self._can_jump(self._state.ships[name]) for name in one.ships)
            if mine and able:
                return index
        return None

    # --- one unit

    def _unit(self, unit: Unit, entries: list[Entry]) -> UnitOrders:
        orders = UnitOrders()
        if isinstance(unit, Flight):
            orders, entries = self._flight(unit, entries, orders)
        elif unit.status == "hyperspace":
            entries = self._only_jumps(unit, entries)
        problems = self._done.problems
        orders = settle_movement(self._state, self._catalogue, unit, entries, orders, problems)
        if isinstance(unit, Ship):
            orders = settle_power(self._catalogue, self._state, unit, entries, orders, problems)
            orders = settle_fire(self._catalogue, self._state, unit, entries, orders, problems)
            orders = self._boards(unit, entries, orders)
            orders = self._jump_out(unit, entries, orders)
        return orders

    def _only_jumps(self, ship: Ship, entries: list[Entry]) -> list[Entry]:
        """BR-VAL-1: ships in hyperspace take only jump-in and offset."""
        for entry in entries:
            if not isinstance(
                entry.order, r.JumpIn | r.Offset | r.Firing | r.Troops | r.Load | r.SetProgram | r.Upgrade
            ):
                reason = f"{ship.name} is in hyperspace; only jump-in and offset reach it"
                self._done.problems.append(complain(entry, "BR-VAL-1", reason, "jump-in 0,0 facing 0"))
        return []

    def _flight(self, flight: Flight, entries: list[Entry], orders: UnitOrders) -> tuple[UnitOrders, list[Entry]]:
        """BR-VAL-22: one letter a turn, the first kept; a flight in its hangar must launch to do anything."""
        letter: r.FlightLetter | None = None
        for entry, order in of_kind(entries, r.FlightLetter):
            if letter is not None and letter.letter == order.letter != "L":
                # The same verb again: the later line replaces the earlier.
                letter = order
                continue
            why = self._letter_fault(flight, order, letter)
            if why:
                instead = f"the first, {letter.letter}, is kept" if letter else "the line is left out"
                self._done.problems.append(complain(entry, "BR-VAL-22", why, "one of A, I, D, L a turn", instead))
            elif letter is None:
                letter = order
        if flight.status == "hangar" and (letter is None or letter.letter != "L"):
            for entry in entries:
                if not (isinstance(entry.order, r.FlightLetter) and entry.order.letter == "L"):
                    reason = f"{flight.name} is in the hangar of {flight.carrier}"
                    hint = f"launch from {flight.carrier}"
                    self._done.problems.append(complain(entry, "BR-VAL-1", reason, hint))
            return orders, []
        if letter is not None:
            target = letter.target if letter.letter in ("A", "D") else ""
            orders = replace(orders, order=letter.letter, target=target, attack=letter.aim)
        for _, rule in of_kind(entries, r.BreakOffWhen):
            orders = replace(orders, break_off=rule.rule)
        for _, take in of_kind(entries, r.TakeFighter):
            orders = replace(orders, spread=take.spread)
        for entry, land in of_kind(entries, r.Land):
            if letter is not None and letter.letter == "L":
                reason = f"{flight.name} launches this turn and cannot land in it"
                self._done.problems.append(complain(entry, "BR-VAL-22", reason, f"land in turn {self._state.turn + 1}"))
            else:
                orders = replace(orders, land=land.carrier)
        return replace(orders, missiles=bool(of_kind(entries, r.UseMissiles))), entries

    def _letter_fault(self, flight: Flight, order: r.FlightLetter, first: r.FlightLetter | None) -> str:
        if first is not None:
            return f"{order.letter} after {first.letter}: a flight has one of A, I, D and L a turn"
        if self._state.phase == "fire" and order.letter != flight.order:
            return f"{flight.name} flies {flight.order} this turn; {order.letter} comes too late"
        if order.letter != "L":
            return ""
        if flight.status != "hangar" or flight.carrier != order.target:
            where = f"in the hangar of {flight.carrier}" if flight.status == "hangar" else f"{flight.status}"
            return f"{flight.name} is {where}, it has no berth in {order.target}"
        if flight.landed is not None and self._state.turn < flight.landed + 2:
            return f"{flight.name} landed in turn {flight.landed} and may launch again in turn {flight.landed + 2}"
        return self._capacity_fault(flight)

    def _capacity_fault(self, flight: Flight) -> str:
        """BR-FTR-6."""
        carrier = self._state.ships[flight.carrier]
        if carrier.status != "on-map":
            return f"{carrier.name} is not on the map ({carrier.status}); its flights cannot launch"
        hangar = self._catalogue.classes[carrier.class_name].systems.get("hangar")
        left = blocks_left(carrier, hangar) if hangar else 0
        most = max(1, left // HANGAR_BLOCKS) if left > 0 else 0
        used = self._launched.get(carrier.name, 0)
        if used >= most:
            return f"{carrier.name} has {left} hangar blocks and launches {most} flights a turn; {used} are launching"
        self._launched[carrier.name] = used + 1
        return ""

    # --- pods and jumps

    def _boards(self, ship: Ship, entries: list[Entry], orders: UnitOrders) -> UnitOrders:
        """BR-VAL-23."""
        boards: list[tuple[str, str]] = []
        for entry, order in of_kind(entries, r.Board):
            why, hint = self._board_fault(ship, order, len(boards))
            if why:
                self._done.problems.append(complain(entry, "BR-VAL-23", why, hint, "the pod stays aboard"))
            else:
                boards.append((order.target, order.section))
        return replace(orders, boards=tuple(boards))

    def _board_fault(self, ship: Ship, order: r.Board, launched: int) -> tuple[str, str]:
        target = self._state.ships.get(order.target)
        if target is None:
            return f"{order.target} is a flight; only {', '.join(BOARDABLE)} can be boarded", ""
        sheet = self._catalogue.classes[target.class_name]
        if sheet.size not in BOARDABLE:
            return f"{target.name} is of size {sheet.size}; only {', '.join(BOARDABLE)} can be boarded", ""
        if order.section not in sheet.sides:
            return f"{target.name} has no side '{order.section}'", f"it has {', '.join(sheet.sides)}"
        if launched >= ship.pods:
            return f"{ship.name} has {ship.pods} pods aboard, {launched} are launching already", ""
        return "", ""

    def _jump_out(self, ship: Ship, entries: list[Entry], orders: UnitOrders) -> UnitOrders:
        for entry, _ in of_kind(entries, r.JumpOut):
            if self._can_jump(ship):
                orders = replace(orders, jump_out=True)
            else:
                reason = f"{ship.name} has no working jump engine, 1 is needed"
                self._done.problems.append(complain(entry, "BR-VAL-24", reason, "jump with a friend that has one"))
        for _, order in of_kind(entries, r.JumpWith):
            orders = replace(orders, jump_with=order.leader)
        return orders
