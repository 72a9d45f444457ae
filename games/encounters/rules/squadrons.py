"""Forces and squadrons (rule book 4.5: EN-SQD)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from games.encounters.plans import BattlePlan
from games.encounters.rules.board import Board
from games.encounters.rules.combatant import Combatant
from games.encounters.rules.names import FREE_SQUADRONS
from games.encounters.state import Unit

PRESSED, HOME, LANDING = FREE_SQUADRONS
Squadrons = list[tuple[str, list[Unit]]]
CAP_PER_CP = 2


@dataclass(eq=False)
class Force:
    """What one power brings to one battle."""

    power: str
    seat: int
    plan: BattlePlan
    flagship: int | None = None
    squadrons: list[str] = field(default_factory=list)
    """In the enemy's order: as named, then Pressed, Home, Landing."""
    units: list[Combatant] = field(default_factory=list)
    reserve: list[Combatant] = field(default_factory=list)
    excluded: list[Combatant] = field(default_factory=list)
    first_cc: int = 0
    """CC of own ships at the start of round 1 (EN-RET-1)."""

    def members(self, squadron: str) -> list[Combatant]:
        """Units of a squadron in the battle now."""
        return [one for one in self.units if one.squadron == squadron and one.here]


@dataclass(frozen=True)
class Role:
    """What a power may bring besides its ships: nothing, its Home (EN-ORB-2), or ships that must land (EN-ORB-3)."""

    home: bool = False
    landing: tuple[int, ...] = ()


IN_SPACE = Role()


def command_rating(board: Board, unit: Unit) -> int:
    """EN-SQD-4: a crippled ship has CR 0."""
    return board.design(unit).CR if unit.intact else 0


def by_command(board: Board, unit: Unit) -> tuple[int, int, int]:
    """CR high to low, CC high to low, id."""
    return (-command_rating(board, unit), -board.design(unit).CC, unit.id)


def total_cc(board: Board, units: Iterable[Unit]) -> int:
    return sum(board.design(unit).CC for unit in units)


def is_legal_squadron(board: Board, ships: Sequence[Unit]) -> bool:
    """EN-SQD-2, 4: CC within the highest CR, and at least one intact ship."""
    if not any(ship.intact for ship in ships):
        return False
    return total_cc(board, ships) <= max(command_rating(board, ship) for ship in ships)


def trimmed(board: Board, ships: Sequence[Unit]) -> list[Unit]:
    """EN-VAL-23: the last-named ship is dropped, again and again, until the squadron is legal."""
    kept = list(ships)
    while kept and not is_legal_squadron(board, kept):
        kept.pop()
    return kept


def within_cap(board: Board, ships: Sequence[Unit]) -> bool:
    """EN-SQD-9: with the switch on, CC placed is at most twice the highest CP among the ships."""
    if not board.switches.engagement_cap or not ships:
        return True
    return total_cc(board, ships) <= CAP_PER_CP * max(board.design(ship).CP for ship in ships)


def capped(board: Board, squadrons: Squadrons) -> Squadrons:
    """EN-VAL-25: ships are dropped from the end until the cap is kept."""
    kept = [(name, list(ships)) for name, ships in squadrons]
    while not within_cap(board, [ship for _, ships in kept for ship in ships]):
        kept[-1][1].pop()
        kept = [(name, ships) for name, ships in kept if ships]
    return [(name, trimmed(board, ships)) for name, ships in kept if trimmed(board, ships)]


def ordered_squadrons(board: Board, plan: BattlePlan, ships: Sequence[Unit]) -> Squadrons:
    """The squadrons of the plan, as far as their ships are still there and the limits hold."""
    free = {ship.id: ship for ship in ships}
    made: Squadrons = []
    for name, wanted in plan.squadrons:
        kept = trimmed(board, [free[number] for number in wanted if number in free])
        for ship in kept:
            del free[ship.id]
        if kept:
            made.append((name, kept))
    return capped(board, made)


def choose_flagship(board: Board, plan: BattlePlan, squadrons: Squadrons, stations: Sequence[Unit]) -> Unit | None:
    """EN-SQD-1: the one ordered if it stands in a squadron or in Home, else the highest CR of those given."""
    placed = [ship for _, ships in squadrons for ship in ships if ship.intact]
    for unit in (*placed, *(one for one in stations if one.intact)):
        if unit.id == plan.flagship:
            return unit
    candidates = placed or [one for one in stations if one.intact]
    return min(candidates, key=lambda unit: by_command(board, unit)) if candidates else None


def within_number(board: Board, squadrons: Squadrons, flagship: Unit | None) -> Squadrons:
    """EN-VAL-22: the first CR(Flagship) squadrons in line order stand; the Flagship's always."""
    most = command_rating(board, flagship) if flagship else len(squadrons)
    if len(squadrons) <= most or flagship is None:
        return squadrons
    flag = next((one for one in squadrons if flagship in one[1]), None)
    if flag is None or flag in squadrons[:most]:
        return squadrons[:most]
    return [*squadrons[: most - 1], flag]


def arrange_automatically(
    board: Board, plan: BattlePlan, ships: Sequence[Unit], commanding: Unit | None
) -> tuple[Squadrons, Unit | None]:
    """EN-SQD-8: fill squadrons from the ship with the highest CR downwards; a Station may be ``commanding``."""
    intact = [ship for ship in ships if ship.intact]
    if not intact:
        worn = sorted(ships, key=lambda ship: by_command(board, ship))
        return ([("1", worn)] if worn else []), commanding or (worn[0] if worn else None)
    chosen = [s for s in intact if board.design(s).path != "Auxiliary" and s.id not in plan.reserve] or intact
    listed = sorted(chosen, key=lambda ship: (ship.id != plan.flagship, *by_command(board, ship)))
    flagship, unplaced, made = commanding or listed[0], listed, Squadrons()
    placed: list[Unit] = []
    while unplaced and len(made) < command_rating(board, flagship):
        squadron: list[Unit] = []
        for ship in unplaced:
            fits = not squadron or is_legal_squadron(board, [*squadron, ship])
            if fits and within_cap(board, [*placed, ship]):
                squadron.append(ship)
                placed.append(ship)
        if not squadron:
            break
        made.append((str(len(made) + 1), squadron))
        unplaced = [ship for ship in unplaced if ship not in squadron]
    return made, flagship


# --- the force of a power --------------------------------------------------------------------------------------------


def gather(board: Board, power: str, system: str, plan: BattlePlan, role: Role = IN_SPACE) -> Force:
    """Step 1 of a battle: who takes part, in which squadron, and who stays out."""
    mine = [unit for unit in board.at(system) if unit.owner == power and unit.in_play]
    ships = [unit for unit in mine if board.is_ship(unit)]
    home = home_of(board, mine, ships, plan, role)
    stations = [unit for unit in home if board.is_station(unit)]
    squadrons = ordered_squadrons(board, plan, ships)
    if squadrons:
        flagship = choose_flagship(board, plan, squadrons, stations)
        squadrons = within_number(board, squadrons, flagship)
    else:
        commanding = next((one for one in stations if one.id == plan.flagship and one.intact), None)
        squadrons, flagship = arrange_automatically(board, plan, ships, commanding)
        flagship = flagship or choose_flagship(board, plan, squadrons, stations)
    force = Force(power, board.seat(power), plan, flagship.id if flagship else None)
    for name, members in squadrons:
        enlist(board, force, members, name)
    placed = {one.id for one in force.units}
    enlist(board, force, home, HOME)
    enlist(board, force, [ship for ship in ships if ship.id in role.landing and ship.id not in placed], LANDING)
    launch_all(board, force)
    hold_back(board, force, mine)
    order_squadrons(force)
    return force


def home_of(board: Board, mine: Sequence[Unit], ships: Sequence[Unit], plan: BattlePlan, role: Role) -> list[Unit]:
    """EN-SQD-7, EN-ORB-2: Stations ordered in; in an orbital battle everything of the owner's in the system."""
    if role.home:
        grounded = [one for one in mine if board.is_flight(one) and one.carrier is None and one.id not in plan.hold]
        return sorted([*(one for one in mine if board.design(one).category == "base"), *grounded], key=lambda u: u.id)
    stations = [unit for unit in mine if board.is_station(unit)]
    return stations if not ships else [unit for unit in stations if unit.id in plan.station]


def enlist(board: Board, force: Force, units: Sequence[Unit], squadron: str) -> None:
    force.units.extend(combatant(board, unit, squadron) for unit in units)


def combatant(board: Board, unit: Unit, squadron: str = "") -> Combatant:
    return Combatant(
        unit.id,
        unit.name,
        unit.owner,
        board.seat(unit.owner),
        board.design(unit),
        unit.state,
        fleet=unit.fleet,
        carrier=unit.carrier,
        squadron=squadron,
    )


def launch_all(board: Board, force: Force) -> None:
    for carrier in list(force.units):
        launch(board, force, carrier)


def launch(board: Board, force: Force, carrier: Combatant) -> None:
    """EN-SQD-5: flights aboard an intact participant are launched unless held, within the carrier's CV."""
    if carrier.is_flight or not carrier.intact:
        return
    room = carrier.design.CV
    for unit in board.aboard(carrier.id):
        if not board.is_flight(unit) or unit.id in force.plan.hold or room < board.design(unit).CC:
            continue
        room -= board.design(unit).CC
        force.units.append(combatant(board, unit, carrier.squadron))


def hold_back(board: Board, force: Force, mine: Sequence[Unit]) -> None:
    """EN-SQD-6: what is in no squadron is in reserve: ships, Stations, and flights held aboard."""
    placed = {one.id for one in force.units}
    for unit in mine:
        held = board.is_flight(unit) and unit.id in force.plan.hold
        if unit.id not in placed and (board.ship_or_station(unit) or held):
            force.reserve.append(combatant(board, unit))


def order_squadrons(force: Force) -> None:
    """2.6: squadrons in line order, then Pressed, Home, Landing."""
    named = dict.fromkeys(one.squadron for one in force.units if one.squadron not in FREE_SQUADRONS)
    free = [name for name in FREE_SQUADRONS if any(one.squadron == name for one in force.units)]
    force.squadrons = [*named, *free]
