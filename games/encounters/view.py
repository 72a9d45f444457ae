"""What a power knows (rule book, section 8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil

from games.encounters.data import PATHS, Design
from games.encounters.phase import places_of
from games.encounters.rules import economy, movement, victory
from games.encounters.rules.cargo import enemies_landed
from games.encounters.rules.construction import works_in_use, works_limit, yard_capacity, yard_in_use
from games.encounters.rules.contacts import contact_text, knows, values_now
from games.encounters.rules.supply import in_supply
from games.encounters.rules.turn import after_upkeep
from games.encounters.state import (
    Account,
    ChartedSystem,
    Contact,
    Fleet,
    Known,
    Power,
    PublicPower,
    Seen,
    SeenFleet,
    State,
    Total,
    Unit,
)  # fmt: skip
from games.encounters.table import Table
from pbem.kit.records import part, shared


@dataclass(frozen=True)
class Relation:
    """How the viewer and a power stand to each other."""

    stance: str
    """Mine to it."""
    returned: str
    """Its stance to me."""
    bloc: tuple[str, ...]
    points: int
    """From systems, which are public; the moderator's include what powers lost."""


@dataclass(frozen=True)
class Books(Account):
    """What follows from a power's own figures; its treasury is what is left after this turn's upkeep."""

    needed: Mapping[str, int]
    """EP the next level of each path takes."""
    designs: tuple[str, ...]
    """By path and cost."""
    strength: int
    """EP of own intact units."""


@dataclass(frozen=True)
class SystemFigures:
    """What the viewer can work out of a system: income and capacity of its own, supply where it is present."""

    income: int | None = None
    blockaded: bool = False
    supplied: bool | None = None
    yard: tuple[int, int] | None = None
    """Capacity and use of own Shipyards."""
    works: tuple[int, int] | None = None
    contested: bool = False
    """EN-CAR-2: enemy troops are landed where the viewer is present."""


@dataclass(frozen=True)
class FleetFigures:
    ships: tuple[str, ...]
    CC: int
    MP: int
    supplied: bool


@dataclass(frozen=True)
class Presence:
    """A hostile bloc in a system, as far as it was made out."""

    system: str
    contact: Contact
    text: str


@dataclass(frozen=True)
class Facing:
    """EN-RDY-3: the readiness of the own bloc against another, while the turn lasts."""

    system: str
    lead: str
    against: tuple[str, ...]
    readiness: Total


@dataclass(frozen=True, kw_only=True)
class View(Known):
    """Section 8: exactly what a side may know now. Own records are whole, and so are all the moderator's."""

    side: str | None
    powers: Mapping[str, Power | PublicPower]
    fleets: tuple[Fleet | SeenFleet, ...]
    designs: Mapping[str, Design]
    """Of the units it knows, and those it may build."""
    values: Mapping[str, Seen]
    """System to CEN, MOR and PROD as last known; a system never seen is not among them."""
    relations: Mapping[str, Relation]
    books: Mapping[str, Books]
    """The viewer's own; all of them for the moderator."""
    figures: Mapping[str, SystemFigures]
    flotillas: Mapping[str, Mapping[str, FleetFigures]]
    """Owner and name of a fleet to what its ships can do."""
    presences: tuple[Presence, ...]
    facings: tuple[Facing, ...]
    places: tuple[str, ...] = ()
    """Systems where this phase asks the viewer for orders."""

    @property
    def own(self) -> Power | None:
        mine = self.powers.get(self.side or "")
        return mine if isinstance(mine, Power) else None

    def design(self, unit: Unit) -> Design:
        return self.designs[unit.design]

    def turns(self, weeks: int) -> int:
        """How many turns a build of so many weeks takes."""
        return ceil(weeks / self.switches.weeks_per_turn)

    def units_of(self, power: str | None, system: str | None = None) -> list[Unit]:
        return [unit for unit in self.units.values() if unit.owner == power and system in (None, unit.location)]


def view(state: State, side: str | None) -> View:
    """Section 8: what a side may know; None: all."""
    table = after_upkeep(state) if state.phase == "strategic" and state.ended is None else Table(state)
    if state.phase != "strategic":
        table.blockaded = economy.blockades(table)
    seers = table.seats if side is None else (side,)
    fleets = [table.fleets[key] for key in sorted(table.fleets) if knows(table, side, table.fleets[key])]
    units = {number: table.units[number] for number in sorted(table.units) if knows(table, side, table.units[number])}
    builds = tuple(build for build in table.builds.values() if build.owner in seers)
    designs = {unit.design for unit in units.values()} | {build.design for build in builds}
    designs |= {design for key in seers for design in table.powers[key].designs}
    return View(
        turn=state.turn,
        phase=state.phase,
        switches=state.switches,
        seats=state.seats,
        powers={key: power if key in seers else part(PublicPower, power) for key, power in table.powers.items()},
        systems={name: part(ChartedSystem, table.systems[name]) for name in sorted(table.systems)},
        lanes=state.lanes,
        units=units,
        fleets=tuple(fleet if fleet.owner in seers else part(SeenFleet, fleet) for fleet in fleets),
        builds=builds,
        victory=state.victory,
        throne_held=state.throne_held,
        throne_holder=state.throne_holder,
        ended=state.ended,
        classes=state.classes,
        kept={key: text for key, text in state.kept.items() if key in seers},
        side=side,
        designs={key: table.design_of(key) for key in sorted(designs)},
        values=known_values(table, side),
        relations={key: relation(table, key, side) for key in table.seats},
        books={key: books_of(state, table, key) for key in seers},
        figures={name: system_figures(table, name, side) for name in sorted(table.systems)},
        flotillas=flotillas(table, fleets),
        presences=presences(table, side) if side else (),
        facings=tuple(facing for key in seers for facing in facings(table, key)),
        places=tuple(place.system for place in places_of(table, side)) if side and state.ended is None else (),
    )


# --- parts -----------------------------------------------------------------------------------------------------------


def relation(table: Table, key: str, side: str | None) -> Relation:
    other = side is not None and side != key
    mine = table.powers[side].stance_to(key) if side and other else ""
    theirs = table.powers[key].stance_to(side) if side and other else ""
    points = victory.points_of(table, key) if side is None else victory.points_held(table, key)
    return Relation(mine, theirs, table.members(key), points)


def may_see_values(table: Table, name: str, side: str | None) -> bool:
    """Section 8: the values are the owner's bloc's and of those present."""
    owner = table.systems[name].owner
    if side is None or side in table.present(name):
        return True
    return owner is not None and table.same_bloc(side, owner)


def known_values(table: Table, side: str | None) -> dict[str, Seen]:
    """The values of now where the viewer may see them, elsewhere the last it knew."""
    last = table.powers[side].seen if side else {}
    now = {name: values_now(table, name) for name in table.systems if may_see_values(table, name, side)}
    return {**last, **now}


def system_figures(table: Table, name: str, side: str | None) -> SystemFigures:
    owner, present = table.systems[name].owner, table.present(name)
    allied = owner is not None and (side is None or table.same_bloc(side, owner))
    blockaded = name in table.blockaded and (allied or side in present)
    supplied = in_supply(table, side, name) if side and side in present else None
    contested = side is not None and side in present and enemies_landed(table, side, name)
    if owner is None or side not in (None, owner):
        return SystemFigures(blockaded=blockaded, supplied=supplied, contested=contested)
    yard = (yard_capacity(table, owner, name), yard_in_use(table, owner, name))
    works = (works_limit(table, name), works_in_use(table, owner, name))
    return SystemFigures(economy.income_of(table, name), blockaded, supplied, yard, works, contested)


def flotillas(table: Table, fleets: list[Fleet]) -> dict[str, dict[str, FleetFigures]]:
    figures: dict[str, dict[str, FleetFigures]] = {}
    for fleet in fleets:
        ships = table.ships_of(fleet.owner, fleet.name)
        figures.setdefault(fleet.owner, {})[fleet.name] = FleetFigures(
            tuple(ship.name for ship in ships),
            movement.fleet_cc(table, ships),
            movement.movement_points(table, ships),
            in_supply(table, fleet.owner, fleet.location),
        )
    return figures


def presences(table: Table, side: str) -> tuple[Presence, ...]:
    held = table.powers[side].contacts
    return tuple(
        Presence(system, contact, contact_text(contact)) for system in sorted(held) for contact in held[system]
    )


def facings(table: Table, side: str) -> list[Facing]:
    """Die, total, modifier and budget are known to the own bloc alone, while the turn lasts."""
    seen = []
    for system in sorted(table.encounters if table.state.phase != "strategic" else ()):
        encounter = table.encounters[system]
        mine = encounter.bloc_of(side)
        if mine is None or side not in table.present(system):
            continue
        for other in encounter.blocs:
            pair = encounter.between(side, other.lead)
            if pair is not None and other is not mine:
                seen.append(Facing(system, mine.lead, other.members, part(Total, pair)))
    return seen


def books_of(state: State, table: Table, key: str) -> Books:
    """EN-ECO-2: the form shows funds = treasury + income - maintenance."""
    power = table.powers[key]
    rank = {path: number for number, path in enumerate(PATHS)}
    designs = {design: table.design_of(design) for design in power.designs}
    return Books(
        **shared(Account, account_of(state, key)),
        needed={path: economy.next_level_cost(level) for path, level in power.tech.items()},
        designs=tuple(sorted(designs, key=lambda name: (rank[designs[name].path], designs[name].cost, name))),
        strength=sum(table.design(unit).cost for unit in table.of(key) if unit.intact),
    )


def account_of(state: State, key: str) -> Account:
    if state.upkeep is not None and key in state.upkeep.accounts:
        return state.upkeep.accounts[key]
    start = Table(state)
    start.blockaded = economy.blockades(start)
    income, maintenance = economy.total_income(start, key), economy.maintenance_of(start, key)
    return Account(state.powers[key].treasury, income, maintenance)
