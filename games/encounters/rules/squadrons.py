"""Forces and squadrons, and who is forced in or out (rule book 4.5: EN-SQD, EN-INX)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from games.encounters.orders.plans import BattlePlan
from games.encounters.orders.records import Forcing
from games.encounters.rules.combatant import Combatant, select
from games.encounters.rules.names import FREE_SQUADRONS
from games.encounters.state import Unit
from games.encounters.table import Table

PRESSED, HOME, LANDING = FREE_SQUADRONS
Squadrons = list[tuple[str, list[Unit]]]
CAP_PER_CP = 2


@dataclass(eq=False)
class Force:
    """What one power brings to one battle."""

    power: str
    plan: BattlePlan
    flagship: int | None = None
    squadrons: list[str] = field(default_factory=list)
    """In the enemy's order: as named, then Pressed, Home, Landing."""
    units: list[Combatant] = field(default_factory=list)
    reserve: list[Combatant] = field(default_factory=list)
    excluded: list[Combatant] = field(default_factory=list)
    first_cc: int = 0
    """CC of own ships at the start of round 1 (EN-RET-1)."""

    @property
    def flagships(self) -> list[int]:
        return [] if self.flagship is None else [self.flagship]

    def members(self, squadron: str) -> list[Combatant]:
        """Units of a squadron in the battle now."""
        return [unit for unit in self.units if unit.squadron == squadron and unit.here]


@dataclass(frozen=True)
class Role:
    """What a power may bring besides its ships: nothing, its Home (EN-ORB-2), or ships that must land (EN-ORB-3)."""

    home: bool = False
    landing: tuple[int, ...] = ()


IN_SPACE = Role()


def command_rating(table: Table, unit: Unit) -> int:
    """EN-SQD-4: a crippled ship has CR 0."""
    return table.design(unit).CR if unit.intact else 0


def by_command(table: Table, unit: Unit) -> tuple[int, int, int]:
    """CR high to low, CC high to low, id."""
    return (-command_rating(table, unit), -table.design(unit).CC, unit.id)


def total_cc(table: Table, units: Iterable[Unit]) -> int:
    return sum(table.design(unit).CC for unit in units)


def is_legal_squadron(table: Table, ships: Sequence[Unit]) -> bool:
    """EN-SQD-2, 4: CC within the highest CR, and at least one intact ship."""
    if not any(ship.intact for ship in ships):
        return False
    return total_cc(table, ships) <= max(command_rating(table, ship) for ship in ships)


def trimmed(table: Table, ships: Sequence[Unit]) -> list[Unit]:
    """EN-VAL-23: the last-named ship is dropped, again and again, until the squadron is legal."""
    kept = list(ships)
    while kept and not is_legal_squadron(table, kept):
        kept.pop()
    return kept


def within_cap(table: Table, ships: Sequence[Unit]) -> bool:
    """EN-SQD-9: with the switch on, CC placed is at most twice the highest CP among the ships."""
    if not table.switches.engagement_cap or not ships:
        return True
    return total_cc(table, ships) <= CAP_PER_CP * max(table.design(ship).CP for ship in ships)


def capped(table: Table, squadrons: Squadrons) -> Squadrons:
    """EN-VAL-25: ships are dropped from the end until the cap is kept."""
    kept = [(name, list(ships)) for name, ships in squadrons]
    while not within_cap(table, [ship for _, ships in kept for ship in ships]):
        kept[-1][1].pop()
        kept = [(name, ships) for name, ships in kept if ships]
    return [(name, trimmed(table, ships)) for name, ships in kept if trimmed(table, ships)]


def ordered_squadrons(table: Table, plan: BattlePlan, ships: Sequence[Unit]) -> Squadrons:
    """The squadrons of the plan, as far as their ships are still there and the limits hold."""
    free = {ship.id: ship for ship in ships}
    made: Squadrons = []
    for name, wanted in plan.squadrons:
        kept = trimmed(table, [free[number] for number in wanted if number in free])
        for ship in kept:
            del free[ship.id]
        if kept:
            made.append((name, kept))
    return capped(table, made)


def choose_flagship(table: Table, plan: BattlePlan, squadrons: Squadrons, stations: Sequence[Unit]) -> Unit | None:
    """EN-SQD-1: the one ordered if it stands in a squadron or in Home, else the highest CR of those given."""
    placed = [ship for _, ships in squadrons for ship in ships if ship.intact]
    at_home = [station for station in stations if station.intact]
    for unit in (*placed, *at_home):
        if unit.id == plan.flagship:
            return unit
    candidates = placed or at_home
    return min(candidates, key=lambda unit: by_command(table, unit)) if candidates else None


def within_number(table: Table, squadrons: Squadrons, flagship: Unit | None) -> Squadrons:
    """EN-VAL-22: the first CR(Flagship) squadrons in line order stand; the Flagship's always."""
    most = command_rating(table, flagship) if flagship else len(squadrons)
    if len(squadrons) <= most or flagship is None:
        return squadrons
    flag = next((squadron for squadron in squadrons if flagship in squadron[1]), None)
    if flag is None or flag in squadrons[:most]:
        return squadrons[:most]
    return [*squadrons[: most - 1], flag]


def commands_all(table: Table, squadrons: Squadrons, stations: Sequence[Unit], wanted: int | None) -> bool:
    """EN-VAL-21, 22: whoever was named Flagship commands, and all squadrons stand."""
    flagship = choose_flagship(table, BattlePlan(flagship=wanted), squadrons, stations)
    if flagship is None or not squadrons:
        return True
    return wanted in (None, flagship.id) and len(within_number(table, squadrons, flagship)) == len(squadrons)


def arrange_automatically(
    table: Table, plan: BattlePlan, ships: Sequence[Unit], commanding: Unit | None
) -> tuple[Squadrons, Unit | None]:
    """EN-SQD-8: fill squadrons from the ship with the highest CR downwards; a Station may be ``commanding``."""
    intact = [ship for ship in ships if ship.intact]
    if not intact:
        worn = sorted(ships, key=lambda ship: by_command(table, ship))
        return ([("1", worn)] if worn else []), commanding or (worn[0] if worn else None)
    chosen = [s for s in intact if table.design(s).path != "Auxiliary" and s.id not in plan.reserve] or intact
    listed = sorted(chosen, key=lambda ship: (ship.id != plan.flagship, *by_command(table, ship)))
    flagship, unplaced, made = commanding or listed[0], listed, Squadrons()
    placed: list[Unit] = []
    while unplaced and len(made) < command_rating(table, flagship):
        squadron: list[Unit] = []
        for ship in unplaced:
            fits = not squadron or is_legal_squadron(table, [*squadron, ship])
            if fits and within_cap(table, [*placed, ship]):
                squadron.append(ship)
                placed.append(ship)
        if not squadron:
            break
        made.append((str(len(made) + 1), squadron))
        unplaced = [ship for ship in unplaced if ship not in squadron]
    return made, flagship


# --- the force of a power --------------------------------------------------------------------------------------------


def gather(table: Table, power: str, system: str, plan: BattlePlan, role: Role = IN_SPACE) -> Force:
    """Step 1 of a battle: who takes part, in which squadron, and who stays out."""
    mine = [unit for unit in table.at(system) if unit.owner == power and unit.in_play]
    ships = [unit for unit in mine if table.is_ship(unit)]
    home = home_of(table, mine, ships, plan, role)
    stations = [unit for unit in home if table.is_station(unit)]
    squadrons = ordered_squadrons(table, plan, ships)
    if squadrons:
        flagship = choose_flagship(table, plan, squadrons, stations)
        squadrons = within_number(table, squadrons, flagship)
    else:
        commanding = next((unit for unit in stations if unit.id == plan.flagship and unit.intact), None)
        squadrons, flagship = arrange_automatically(table, plan, ships, commanding)
        flagship = flagship or choose_flagship(table, plan, squadrons, stations)
    force = Force(power, plan, flagship.id if flagship else None)
    for name, members in squadrons:
        enlist(table, force, members, name)
    placed = {unit.id for unit in force.units}
    enlist(table, force, home, HOME)
    enlist(table, force, [ship for ship in ships if ship.id in role.landing and ship.id not in placed], LANDING)
    for carrier in list(force.units):
        launch(table, force, carrier)
    hold_back(table, force, mine)
    order_squadrons(force)
    return force


def home_of(table: Table, mine: Sequence[Unit], ships: Sequence[Unit], plan: BattlePlan, role: Role) -> list[Unit]:
    """EN-SQD-7, EN-ORB-2: Stations ordered in; in an orbital battle everything of the owner's in the system."""
    if role.home:
        grounded = {unit.id for unit in mine if table.is_flight(unit) and unit.carrier is None} - set(plan.hold)
        return [unit for unit in mine if table.design(unit).category == "base" or unit.id in grounded]
    stations = [unit for unit in mine if table.is_station(unit)]
    return stations if not ships else [unit for unit in stations if unit.id in plan.station]


def enlist(table: Table, force: Force, units: Sequence[Unit], squadron: str) -> None:
    force.units.extend(combatant(table, unit, squadron) for unit in units)


def combatant(table: Table, unit: Unit, squadron: str = "") -> Combatant:
    return Combatant(unit, table.design(unit), squadron)


def launch(table: Table, force: Force, carrier: Combatant) -> None:
    """EN-SQD-5: flights aboard an intact participant are launched unless held, within the carrier's CV."""
    if carrier.is_flight or not carrier.intact:
        return
    room = carrier.design.CV
    for unit in table.aboard(carrier.id):
        if not table.is_flight(unit) or unit.id in force.plan.hold or room < table.design(unit).CC:
            continue
        room -= table.design(unit).CC
        force.units.append(combatant(table, unit, carrier.squadron))


def hold_back(table: Table, force: Force, mine: Sequence[Unit]) -> None:
    """EN-SQD-6: what is in no squadron is in reserve: ships, Stations, and flights held aboard."""
    placed = {fighting.id for fighting in force.units}
    for unit in mine:
        held = table.is_flight(unit) and unit.id in force.plan.hold
        if unit.id not in placed and (table.ship_or_station(unit) or held):
            force.reserve.append(combatant(table, unit))


def order_squadrons(force: Force) -> None:
    """2.6: squadrons in line order, then Pressed, Home, Landing."""
    manned = dict.fromkeys(unit.squadron for unit in force.units)
    named = [name for name in manned if name not in FREE_SQUADRONS]
    force.squadrons = [*named, *(name for name in FREE_SQUADRONS if name in manned)]


# --- forced includes and excludes ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Forced:
    """One unit forced in or out."""

    by: str
    unit: Combatant
    way: str

    @property
    def cost(self) -> int:
        return self.unit.design.CC


def forced_choices(budget: int, forcers: Sequence[Force], enemies: Sequence[Force]) -> list[Forced]:
    """EN-INX-1, 2: a bloc's shared budget, spent in seat order and line order on the forces as chosen."""
    made: list[Forced] = []
    for force in forcers:
        for forcing in force.plan.forcing:
            budget = force_targets(force.power, forcing, enemies, budget, made)
    return made


def force_targets(power: str, forcing: Forcing, enemies: Sequence[Force], budget: int, made: list[Forced]) -> int:
    flagships = [flagship for force in enemies for flagship in force.flagships]
    for target in forcing.targets:
        for unit in select(target, forceable(forcing.way, enemies, made), flagships):
            if budget < unit.design.CC or is_last(forcing.way, unit, enemies, made):
                continue
            budget -= unit.design.CC
            made.append(Forced(power, unit, forcing.way))
    return budget


def forceable(way: str, enemies: Sequence[Force], made: Sequence[Forced]) -> list[Combatant]:
    """EN-INX-1: ships, flights and Stations; troops, Defences and Mines may not be chosen."""
    chosen = {forced.unit.id for forced in made}
    pool = [unit for force in enemies for unit in (force.units if way == "exclude" else force.reserve)]
    able = [unit for unit in pool if unit.id not in chosen and unit.design.path != "Fortification"]
    if way == "exclude":
        gone = {forced.unit.id for forced in made if forced.way == "exclude"}
        return [unit for unit in able if unit.unit.carrier not in gone]
    intact = {unit.id for force in enemies for unit in force.units if unit.intact}
    return [unit for unit in able if not unit.is_flight or unit.unit.carrier in intact]


def is_last(way: str, chosen: Combatant, enemies: Sequence[Force], made: Sequence[Forced]) -> bool:
    """EN-INX-3: the last participating ship or base of a bloc cannot be excluded."""
    if way != "exclude" or chosen.is_flight:
        return False
    ins = [forced.unit for forced in made if forced.way == "include"]
    outs = {chosen.id, *(forced.unit.id for forced in made if forced.way == "exclude")}
    present = [unit for force in enemies for unit in force.units] + ins
    return not any(not unit.is_flight and unit.id not in outs for unit in present)


def apply_forced(table: Table, made: Sequence[Forced], forces: Sequence[Force]) -> None:
    """EN-INX-3, 4: pressed ships join Pressed with their flights; an excluded ship takes its flights out."""
    for forced in made:
        force = next(force for force in forces if force.power == forced.unit.owner)
        if forced.way == "include":
            press(table, force, forced.unit)
            continue
        number = forced.unit.id
        out = [unit for unit in force.units if unit.id == number or (unit.is_flight and unit.unit.carrier == number)]
        force.units = [unit for unit in force.units if unit not in out]
        force.excluded += out
    for force in forces:
        order_squadrons(force)


def press(table: Table, force: Force, unit: Combatant) -> None:
    force.reserve.remove(unit)
    carrier = next((other for other in force.units if other.id == unit.unit.carrier), None)
    if unit.is_flight:
        unit.squadron = carrier.squadron if carrier else PRESSED
    else:
        unit.squadron = HOME if unit.design.path == "Station" else PRESSED
    force.units.append(unit)
    if not unit.is_flight:
        launch(table, force, unit)
