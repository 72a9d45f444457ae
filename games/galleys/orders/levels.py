"""Which orders reach which ship: the plan whole from the most specific level, the rest looked up singly (6.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from games.galleys.orders.checks import Checker, Complaint, Draft, Entry
from games.galleys.orders.plans import (
    Activate,
    Board,
    Disengage,
    Doctrine,
    Else,
    Fire,
    FlameAt,
    Intent,
    Jettison,
    Move,
    Order,
    Path,
    ShipOrders,
    SideOrders,
    Speed,
)
from games.galleys.orders.plans import Sequence as ShipSequence
from games.galleys.state import Ship, State
from pbem.kit.game import Side

__all__ = ["Complaint", "WorkedOut", "standing_doctrines", "work_out"]

FLEET = "Fleet"
PLAN_LINES = (Speed, Path, Move, Else, Intent)


@dataclass(frozen=True)
class WorkedOut:
    """A sheet as it will be carried out, and all that could not stand as written."""

    orders: SideOrders
    complaints: tuple[Complaint, ...]
    refused: frozenset[int]
    """Lines refused for every ship they were meant for."""
    replaced: frozenset[int]
    """Lines that a later one of the same kind replaced."""
    cuts: dict[int, str]
    """Paths of single ships that were cut to their legal part."""
    silent: tuple[str, ...]
    """Ships without a plan at any level."""


def work_out(state: State, side: Side, given: Sequence[tuple[int, Order]]) -> WorkedOut:
    """Section 6.1 and 7: every ship's orders, checked against the state at the start of the turn."""
    entries = [Entry(line, order) for line, order in given]
    blocks = _Blocks(entries)
    doctrines = tuple(entry.order for entry in blocks.standing if isinstance(entry.order, Doctrine))
    told = standing_doctrines(state, side, doctrines)
    checker = Checker(told, side, blocks.activate, blocks.sequences)
    orders: dict[str, ShipOrders] = {}
    silent = []
    for ship in told.ships:
        if ship.side != side or not ship.afloat:
            continue
        draft = blocks.draft(ship)
        if checker.is_routed(ship):
            checker.warn_routed(ship, blocks.addressed_to(ship))
            continue
        orders[ship.name] = checker.check(ship, draft)
        if not draft.plan_from:
            silent.append(ship.name)
    found = SideOrders(orders, blocks.sequences, blocks.activate, doctrines)
    refused = frozenset(line for line, ships in checker.meant_for.items() if ships <= checker.refused.get(line, set()))
    return WorkedOut(found, tuple(checker.complaints), refused, blocks.replaced, checker.cuts, tuple(silent))


def standing_doctrines(state: State, side: Side, doctrines: Sequence[Doctrine]) -> State:
    """Section 6.1: doctrines persist at the level they were given at."""
    for doctrine in doctrines:
        given = {doctrine.word: doctrine.value}
        unit = doctrine.unit
        if unit == FLEET:
            fleets = (replace(f, doctrines={**f.doctrines, **given}) if f.name == side else f for f in state.sides)
            state = replace(state, sides=tuple(fleets))
        elif any(squadron.name == unit for squadron in state.squadrons):
            squadrons = (
                replace(s, doctrines={**s.doctrines, **given}) if s.name == unit else s for s in state.squadrons
            )
            state = replace(state, squadrons=tuple(squadrons))
        else:
            ships = (replace(s, doctrines={**s.doctrines, **given}) if s.name == unit else s for s in state.ships)
            state = replace(state, ships=tuple(ships))
    return state


def _kind(order: Order) -> str:
    """Section 6.1: a later line of the same kind in a block replaces an earlier one; intents accumulate."""
    if isinstance(order, Path | Move):
        return "way"
    if isinstance(order, Doctrine):
        return f"doctrine {order.word}"
    return type(order).__name__


@dataclass
class _Blocks:
    """The lines of a sheet by unit and kind."""

    entries: list[Entry]
    by_unit: dict[str, dict[str, Entry]] = field(default_factory=dict)
    intents: dict[str, list[Entry]] = field(default_factory=dict)
    replaced: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        replaced = set()
        for entry in self.entries:
            unit = entry.order.unit
            if isinstance(entry.order, Intent):
                self.intents.setdefault(unit, []).append(entry)
                continue
            kinds = self.by_unit.setdefault(unit, {})
            earlier = kinds.pop(_kind(entry.order), None)
            if earlier:
                replaced.add(earlier.line)
            kinds[_kind(entry.order)] = entry
        self.replaced = frozenset(replaced)

    @property
    def standing(self) -> list[Entry]:
        return [entry for kinds in self.by_unit.values() for entry in kinds.values()]

    @property
    def activate(self) -> tuple[str, ...] | None:
        found = [entry.order.names for entry in self.standing if isinstance(entry.order, Activate)]
        return found[-1] if found else None

    @property
    def sequences(self) -> dict[str, tuple[str, ...]]:
        orders = [entry.order for entry in self.standing]
        return {order.unit: order.names for order in orders if isinstance(order, ShipSequence)}

    def addressed_to(self, ship: Ship) -> list[Entry]:
        """The lines under the ship's own name or that of its squadron."""
        return [entry for entry in self.entries if entry.order.unit in (ship.name, ship.squadron)]

    def draft(self, ship: Ship) -> Draft:
        levels = (ship.name, ship.squadron, FLEET)
        plan_from = next((unit for unit in levels if self._has_plan(unit)), "")
        plan = self.by_unit.get(plan_from, {})
        return Draft(
            plan_from=plan_from,
            speed=plan.get(Speed.__name__),
            way=plan.get("way"),
            fallback=plan.get(Else.__name__),
            intents=tuple(self.intents.get(plan_from, ())),
            fire=self._single(levels, Fire),
            flame=self._single(levels, FlameAt),
            jettison=self._single(levels, Jettison),
            disengage=self._single(levels, Disengage),
            board=self._single(levels, Board),
        )

    def _has_plan(self, unit: str) -> bool:
        if self.intents.get(unit):
            return True
        return any(isinstance(entry.order, PLAN_LINES) for entry in self.by_unit.get(unit, {}).values())

    def _single(self, levels: Sequence[str], kind: type) -> Entry | None:
        for unit in levels:
            found = self.by_unit.get(unit, {}).get(kind.__name__)
            if found:
                return found
        return None
