"""What a power knows (rule book, section 8), and what follows from it for charts and for the leak check."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import ceil

from games.encounters.data import PATHS, Design
from games.encounters.orders import places_of
from games.encounters.rules import economy, movement, victory
from games.encounters.rules.board import Board
from games.encounters.rules.construction import repair_cost, works_in_use, works_limit, yard_capacity, yard_in_use
from games.encounters.rules.contacts import contact_text
from games.encounters.rules.supply import in_supply
from games.encounters.rules.turn import after_upkeep
from games.encounters.state import Build, Contact, Lane, Sighting, State, Switches, Unit


@dataclass(frozen=True)
class PowerView:
    key: str
    name: str
    stance: str
    """Mine to it."""
    returned: str
    """Its stance to me."""
    bloc: tuple[str, ...]
    out: bool
    points: int


@dataclass(frozen=True)
class SystemView:
    name: str
    x: int
    y: int
    owner: str | None
    RAW: int
    CAP: int
    CEN: int | None = None
    MOR: int | None = None
    PROD: int | None = None
    seen: int | None = None
    """The turn of the three values; None: never seen."""
    income: int | None = None
    blockaded: bool = False
    supplied: bool | None = None
    yard: tuple[int, int] | None = None
    """Capacity and use of own Shipyards."""
    works: tuple[int, int] | None = None
    intel: int = 0


@dataclass(frozen=True)
class UnitView:
    """A unit known in full: the viewer's, or an ally's in a shared system."""

    id: int
    name: str
    owner: str
    design: str
    mark: str
    category: str
    path: str
    location: str
    state: str
    carrier: int | None
    landed: bool
    fleet: str
    repairing: bool
    in_play: bool
    DV: int
    AS: int
    AF: int
    CV: int
    CC: int
    CR: int
    cost: int
    repair: int


@dataclass(frozen=True)
class FleetView:
    owner: str
    name: str
    location: str
    ships: tuple[str, ...]
    CC: int
    MP: int
    supplied: bool
    doctrine: Mapping[str, str]


@dataclass(frozen=True)
class DesignView:
    key: str
    name: str
    mark: str
    path: str
    category: str
    cost: int
    base_cost: int
    M: int
    G: int
    DV: int
    AS: int
    AF: int
    CV: int
    CC: int
    CR: int
    abilities: tuple[str, ...]
    turns: int


@dataclass(frozen=True)
class BuildView:
    owner: str
    system: str
    design: str
    name: str
    weeks: int
    turns: int


@dataclass(frozen=True)
class ContactView:
    """A hostile bloc in a system: how sure (level), how old (age in turns)."""

    system: str
    powers: tuple[str, ...]
    level: int
    turn: int
    age: int
    mark: str
    """``?``, ``>``, ``<``, ``=`` or a number: what the map shows."""
    text: str
    count: int | None
    paths: Mapping[str, int]
    units: tuple[Sighting, ...]


@dataclass(frozen=True)
class ReadinessView:
    system: str
    bloc: str
    versus: tuple[str, ...]
    total: int
    modifier: int
    budget: int
    level: int


@dataclass(frozen=True)
class EmpireView:
    """A power's own books; treasury is what is left after this turn's income and maintenance while orders are open."""

    key: str
    treasury: int
    income: int
    maintenance: int
    funds: int
    tech: Mapping[str, int]
    research: Mapping[str, int]
    needed: Mapping[str, int]
    """EP the next level of each path takes."""
    pending: Mapping[str, int]
    doctrine: Mapping[str, str]
    designs: tuple[DesignView, ...]
    known: tuple[str, ...]
    lost: int
    strength: int
    """EP of own intact units."""


@dataclass(frozen=True)
class View:
    side: str | None
    turn: int
    phase: str
    switches: Switches
    powers: tuple[PowerView, ...]
    systems: tuple[SystemView, ...]
    lanes: tuple[Lane, ...]
    fleets: tuple[FleetView, ...]
    units: tuple[UnitView, ...]
    builds: tuple[BuildView, ...]
    contacts: tuple[ContactView, ...]
    readiness: tuple[ReadinessView, ...]
    empires: tuple[EmpireView, ...]
    """The viewer's own; all of them for the moderator."""
    places: tuple[str, ...] = ()
    """Systems where this phase asks the viewer for orders."""
    homes: Mapping[str, str] = field(default_factory=dict)
    throne: str = ""
    throne_held: int = 0
    """Turns its owner has held the throne; owners are public."""
    ended: str = ""

    @property
    def own(self) -> EmpireView | None:
        return next((one for one in self.empires if one.key == self.side), None)


def make_view(state: State, side: str | None) -> View:
    """Section 8: exactly what a side may know now; None: all."""
    board = after_upkeep(state) if state.phase == "strategic" and state.ended is None else Board(state)
    if state.phase != "strategic":
        board.blockaded = economy.blockades(board)
    seers = board.seats if side is None else (side,)
    return View(
        side,
        state.turn,
        state.phase,
        state.switches,
        tuple(power_view(board, key, side) for key in board.seats),
        tuple(system_view(board, name, side) for name in sorted(board.systems)),
        state.lanes,
        tuple(fleet_view(board, *key) for key in sorted(board.fleets) if knows_fleet(board, side, *key)),
        tuple(unit_view(board, board.units[n]) for n in sorted(board.units) if knows(board, side, board.units[n])),
        tuple(build_view(board, one) for one in board.builds if side is None or one.owner == side),
        tuple(view for key in seers for view in contact_views(board, key)) if side else (),
        tuple(view for key in seers for view in readiness_views(board, key)),
        tuple(empire_view(state, board, key) for key in seers),
        tuple(place.system for place in places_of(board, side, state.phase)) if side and not_orders(state) else (),
        state.victory.homes,
        state.victory.throne,
        state.throne_held,
        state.ended.reason if state.ended else "",
    )


def not_orders(state: State) -> bool:
    return state.phase != "strategic" and state.ended is None


# --- parts -----------------------------------------------------------------------------------------------------------


def power_view(board: Board, key: str, side: str | None) -> PowerView:
    power = board.powers[key]
    mine = board.powers[side].stance_to(key) if side and side != key else ""
    theirs = power.stance_to(side) if side and side != key else ""
    points = visible_points(board, key, side)
    return PowerView(key, power.name, mine, theirs, board.members(key), power.out, points)


def visible_points(board: Board, key: str, side: str | None) -> int:
    """Points from systems are public; what a power lost is known to itself and the moderator."""
    if side is None:
        return victory.points_of(board, key)
    rules = board.state.victory
    owned = [name for name in sorted(board.systems) if board.systems[name].owner == key]
    return sum(rules.points.get(name, board.systems[name].RAW if rules.others_score_raw else 0) for name in owned)


def system_view(board: Board, name: str, side: str | None) -> SystemView:
    """Section 8: the values are the owner's bloc's and of those present; others have the last they knew."""
    system = board.systems[name]
    plain = SystemView(name, system.x, system.y, system.owner, system.RAW, system.CAP)
    owned = system.owner is not None and (side is None or board.same_bloc(side, system.owner))
    if side is None or owned or side in board.present(name):
        values = (system.CEN, system.MOR, system.PROD, board.turn)
    elif name in board.powers[side].seen:
        last = board.powers[side].seen[name]
        values = (last.CEN, last.MOR, last.PROD, last.turn)
    else:
        return plain
    mine = system.owner is not None and side in (None, system.owner)
    owner = system.owner or ""
    return SystemView(
        name, system.x, system.y, system.owner, system.RAW, system.CAP, *values,
        income=economy.income_of(board, name) if mine else None,
        blockaded=name in board.blockaded and (owned or side in board.present(name)),
        supplied=in_supply(board, side, name) if side and side in board.present(name) else None,
        yard=(yard_capacity(board, owner, name), yard_in_use(board, owner, name)) if mine else None,
        works=(works_limit(board, name), works_in_use(board, owner, name)) if mine else None,
        intel=board.powers[side].intel.get(name, 0) if side else 0,
    )  # fmt: skip


def knows(board: Board, side: str | None, unit: Unit) -> bool:
    """Own units; an ally's in a system the viewer shares."""
    if side is None or unit.owner == side:
        return True
    return board.same_bloc(side, unit.owner) and side in board.present(unit.location)


def knows_fleet(board: Board, side: str | None, owner: str, name: str) -> bool:
    if side is None or owner == side:
        return True
    return board.same_bloc(side, owner) and side in board.present(board.fleets[owner, name].location)


def unit_view(board: Board, unit: Unit) -> UnitView:
    design = board.design(unit)
    return UnitView(
        unit.id, unit.name, unit.owner, design.name, design.mark, design.category, design.path, unit.location,
        unit.state, unit.carrier, unit.landed, unit.fleet, unit.repairing, unit.in_play, design.DV, design.AS,
        design.AF, design.CV, design.CC, design.CR, design.cost, repair_cost(design),
    )  # fmt: skip


def fleet_view(board: Board, owner: str, name: str) -> FleetView:
    fleet, ships = board.fleets[owner, name], board.ships_of(owner, name)
    return FleetView(
        owner, name, fleet.location, tuple(ship.name for ship in ships), movement.fleet_cc(board, ships),
        movement.movement_points(board, ships), in_supply(board, owner, fleet.location), fleet.doctrine,
    )  # fmt: skip


def build_view(board: Board, one: Build) -> BuildView:
    turns = ceil(one.weeks / board.switches.weeks_per_turn)
    return BuildView(one.owner, one.system, board.design_of(one.design).name, one.name, one.weeks, turns)


def design_view(board: Board, key: str, design: Design) -> DesignView:
    turns = ceil(design.base_cost / board.switches.weeks_per_turn)
    return DesignView(
        key, design.name, design.mark, design.path, design.category, design.cost, design.base_cost, design.M, design.G,
        design.DV, design.AS, design.AF, design.CV, design.CC, design.CR, design.abilities, turns,
    )  # fmt: skip


def contact_views(board: Board, side: str) -> list[ContactView]:
    held = board.powers[side].contacts
    return [contact_view(board, system, contact) for system in sorted(held) for contact in held[system]]


def contact_view(board: Board, system: str, contact: Contact) -> ContactView:
    age = board.turn - contact.turn
    return ContactView(
        system, contact.powers, contact.level, contact.turn, age, contact_mark(contact), contact_text(contact),
        contact.count, contact.paths, contact.units,
    )  # fmt: skip


def contact_mark(contact: Contact) -> str:
    if contact.count is not None:
        return str(contact.count)
    return {"more": ">", "fewer": "<", "as many": "="}.get(contact.compare, "?")


def readiness_views(board: Board, side: str) -> list[ReadinessView]:
    """Die, total, modifier and budget are known to the own bloc alone, while the turn lasts."""
    found = []
    for system in sorted(board.encounters if board.state.phase != "strategic" else ()):
        encounter = board.encounters[system]
        mine = encounter.bloc_of(side)
        if mine is None or side not in board.present(system):
            continue
        for other in encounter.blocs:
            pair = encounter.between(side, other.lead)
            if pair is not None and other is not mine:
                numbers = (pair.total, pair.modifier, pair.budget, pair.level)
                found.append(ReadinessView(system, mine.lead, other.members, *numbers))
    return found


def empire_view(state: State, board: Board, key: str) -> EmpireView:
    """EN-ECO-2: the form shows funds = treasury + income - maintenance."""
    power, start = board.powers[key], Board(state)
    start.blockaded = economy.blockades(start)
    income, due = economy.total_income(start, key), economy.maintenance_of(start, key)
    mine = board.of(key)
    rank = {path: number for number, path in enumerate(PATHS)}
    designs = sorted(power.designs, key=lambda one: (rank[board.design_of(one).path], board.design_of(one).cost, one))
    known = sorted(power.known)
    needed = {path: economy.next_level_cost(level) for path, level in power.tech.items()}
    return EmpireView(
        key, state.powers[key].treasury, income, due, power.treasury, power.tech, power.research, needed, power.pending,
        power.doctrine, tuple(design_view(board, one, board.design_of(one)) for one in designs), tuple(known),
        power.lost, sum(board.design(unit).cost for unit in mine if unit.intact),
    )  # fmt: skip
