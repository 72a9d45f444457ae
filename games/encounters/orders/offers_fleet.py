"""What a fleet, a ship or any other unit can still be ordered in the strategic phase (rule book 6.1)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from games.encounters.data import tables
from games.encounters.orders import records as said
from games.encounters.orders.offering import Desk, Entry, Switch, Wares
from games.encounters.orders.offers_empire import doctrines, repairs
from games.encounters.rules import construction as yards
from games.encounters.rules import movement
from games.encounters.scene import trail
from games.encounters.state import Lane, Unit
from games.encounters.table import Table
from pbem.kit.choices import Closed
from pbem.kit.sheet import LONGEST_LINE, BadOrder

MOST_WAYS, MOST_TRANSFERS = 80, 120


# --- fleets ----------------------------------------------------------------------------------------------------------


def fleet_offers(desk: Desk, fleet: str) -> Wares:
    yield from moves(desk, fleet)
    yield from transfers(desk, fleet)
    yield from doctrines(desk, fleet)


def title_of_fleet(desk: Desk, fleet: str) -> str:
    table = desk.letter.end.table
    ships, place = table.ships_of(desk.side, fleet), table.fleets[desk.side, fleet].location
    points, weight = movement.movement_points(table, ships), movement.fleet_cc(table, ships)
    return f"{fleet}: at {place}, {len(ships)} ship{'s' if len(ships) != 1 else ''}, {weight} CC, {points} MP"


def moves(desk: Desk, fleet: str) -> Wares:
    """EN-MOV-1, 2, 6: every way its movement points reach, with room for it on restricted lanes."""
    old = [entry for entry in desk.given(said.Move) if entry.order.fleet == fleet]
    switch, gone, end = Switch(desk, "move", old), desk.replaced(old), desk.letter.end.table
    start = end.fleets[desk.side, fleet].location
    points = movement.movement_points(end, end.ships_of(desk.side, fleet))
    barred: dict[str, BadOrder] = {}
    for path, lanes in sorted(movement.ways(end, start, points), key=lambda way: (len(way[0]), way[0]))[:MOST_WAYS]:
        order = said.Move(fleet, path)
        if (error := refused_way(desk, fleet, order, gone)) is not None:
            barred.setdefault(error.reason, error)
            continue
        way = [desk.points[name] for name in (start, *path)]
        yield switch.to(
            f"to {path[-1]}" + (f" by {', '.join(path[:-1])}" if path[:-1] else ""), f"move {', '.join(path)}", order,
            note=note_of_way(desk, lanes, path[-1], points), at=way[-1], marks=(trail(way, desk.side, "plotted"),),
        )  # fmt: skip
    yield switch.to(f"stay at {start}", "hold", said.Move(fleet, ()), at=desk.points[start])
    yield from (Closed("move", error.reason, rule_of(error)) for error in barred.values())
    yield from slowed(desk, end, fleet)


def refused_way(desk: Desk, fleet: str, order: said.Move, gone: tuple[int, ...]) -> BadOrder | None:
    """Why the way is closed, where the line would stand or with the fleet as the letter leaves it."""
    end = desk.letter.end
    try:
        movement.check_path(end.table, desk.side, fleet, order.path, end.traffic_without(fleet))
    except BadOrder as error:
        return error
    return desk.letter.refusal(fleet, [order], gone)


def rule_of(error: BadOrder) -> str:
    return {"EN-VAL-15": "EN-MOV-2", "EN-VAL-16": "EN-MOV-6"}.get(error.rule, error.rule)


def note_of_way(desk: Desk, lanes: list[Lane], end: str, points: int) -> str:
    """Lanes and cost, whose system it is, and who was seen there."""
    cost = sum(tables().movement.cost[lane.kind] for lane in lanes)
    kinds = ", ".join(lane.kind for lane in lanes)
    owner = desk.view.systems[end].owner
    whose = "neutral" if owner is None else ("yours" if owner == desk.side else desk.table.name(owner))
    met = [presence for presence in desk.view.presences if presence.system == end]
    seen = [f"{'+'.join(one.contact.powers)} {one.text or 'present'} (turn {one.contact.turn})" for one in met]
    return "; ".join([f"{cost} of {points} MP, {kinds}", whose, *seen])


def slowed(desk: Desk, table: Table, fleet: str) -> Wares:
    """EN-MOV-1: which ship keeps the fleet from its usual pace."""
    ships = table.ships_of(desk.side, fleet)
    slow = movement.limiting_ship(table, ships)
    if not slow.intact:
        points = movement.movement_points(table, ships)
        yield Closed("move", f"no farther than {points} MP: {slow.name} is crippled", "EN-MOV-1")


def transfers(desk: Desk, fleet: str) -> Wares:
    """EN-MOV-7: a ship, or all of them, to another own fleet in the system or to a new one."""
    end = desk.letter.end.table
    ships, place = end.ships_of(desk.side, fleet), end.fleets[desk.side, fleet].location
    for entry in (entry for entry in desk.given(said.Transfer) if entry.unit == fleet):
        names = ", ".join(end.units[number].name for number in entry.order.ships if number in end.units)
        yield desk.chosen("transfer", f"{names} to {entry.order.to}", entry)
    others = [name for name in end.fleet_names(desk.side) if end.fleets[desk.side, name].location == place]
    others.remove(fleet)
    groups = [[ship] for ship in ships] if len(ships) > 1 else []
    wanted = [(group, name) for group in groups for name in (*others, new_fleet(end, desk.side, place))]
    wanted = [(ships, name) for name in others] + wanted
    for group, to in wanted[:MOST_TRANSFERS]:
        whole = len(group) == len(ships)
        if (whole and fleet in desk.letter.end.moves) or spoils_move(desk, group, to):
            continue
        order = said.Transfer(tuple(ship.id for ship in group), to)
        if desk.letter.refusal(fleet, [order]) is None:
            text = "\n".join(written_transfer([ship.name for ship in group], to))
            label = f"{'all ships' if whole else group[0].name} to {to}"
            yield Switch(desk, "transfer", ()).to(label, text, note=note_of_transfer(end, group, to, others))


def written_transfer(names: Sequence[str], to: str) -> list[str]:
    """A line, or for a fleet too large for one line, its halves."""
    line = f"transfer {', '.join(names)} to {to}"
    if len(line) <= LONGEST_LINE or len(names) == 1:
        return [line]
    half = len(names) // 2
    return [*written_transfer(names[:half], to), *written_transfer(names[half:], to)]


def note_of_transfer(table: Table, group: list[Unit], to: str, others: list[str]) -> str:
    weight = f"{movement.fleet_cc(table, group)} CC"
    return weight if to in others else f"{weight}; a new fleet"


def new_fleet(table: Table, power: str, place: str) -> str:
    """A free name for a fleet that a transfer forms."""
    taken = {name.casefold() for name in (*table.fleet_names(power), *(unit.name for unit in table.of(power)))}
    names = (f"{place[:20]} Group {number}" for number in count(1))
    return next(name for name in names if name.casefold() not in taken)


def spoils_move(desk: Desk, group: list[Unit], to: str) -> bool:
    """A ship that would slow or crowd the fleet it joins, which has been ordered to move."""
    if to not in desk.letter.end.moves:
        return False
    board = desk.letter.end.copy()
    try:
        board.take(said.Transfer(tuple(ship.id for ship in group), to))
        board.take(said.Move(to, board.moves[to]))
    except BadOrder:
        return True
    return False


# --- single units ----------------------------------------------------------------------------------------------------


def unit_offers(desk: Desk, unit: Unit) -> Wares:
    here = desk.letter.end.table.units.get(unit.id)
    if here is not None and desk.table.ship_or_station(unit):
        yield from loading(desk, here)
        yield from unloading(desk, here)
    yield from repairs(desk, unit, unit.name)
    yield from scrapping(desk, unit)


def title_of_unit(desk: Desk, unit: Unit) -> str:
    design, end = desk.table.design(unit), desk.letter.end.table
    now = end.units.get(unit.id, unit)
    fleet = f", {now.fleet}" if now.fleet else ""
    deck = f", aboard {end.units[now.carrier].name}" if now.carrier in end.units else ""
    room = f", CV {end.free_cv(now)} of {design.CV} free" if design.CV and now.id in end.units else ""
    return f"{unit.name}: {design.name} ({design.mark}), {unit.state}, at {unit.location}{fleet}{deck}{room}"


def loading(desk: Desk, carrier: Unit) -> Wares:
    """EN-CAR-1, 2: landed troops and system-based flights, while there is room for them."""
    table = desk.letter.end.table
    if not table.design(carrier).CV:
        return
    for entry in (entry for entry in desk.given(said.Load) if entry.order.carrier == carrier.id):
        yield desk.chosen("load", f"load {desk.table.units[entry.order.unit].name}", entry)
    ashore = [unit for unit in table.at(carrier.location) if unit.owner == desk.side and unit.carrier is None]
    shut: dict[str, BadOrder] = {}
    for unit in (unit for unit in ashore if table.is_troop(unit) or table.is_flight(unit)):
        error = desk.letter.refusal(carrier.name, [said.Load(carrier.id, unit.id)])
        if error is not None:
            shut.setdefault(error.rule, error)
            continue
        design = table.design(unit)
        note = f"{design.name} ({design.mark}), takes {design.CC} of {table.free_cv(carrier)} CV"
        yield Switch(desk, "load", ()).to(f"load {unit.name}", f"load {unit.name}", note=note)
    yield from (Closed("load", error.reason, "EN-CAR-1") for error in shut.values())


def unloading(desk: Desk, carrier: Unit) -> Wares:
    """EN-CAR-1: at once, or after the fleet has moved to a system of the bloc."""
    table = desk.letter.end.table
    later = [entry for entry in desk.given(said.Land) if entry.order.carrier == carrier.id]
    at_once = [entry for entry in desk.given(said.Unload) if entry.order.carrier == carrier.id]
    written: list[Entry] = [*at_once, *later]
    for entry in written:
        yield desk.chosen("unload", entry.text, entry)
    aboard = table.aboard(carrier.id)
    if not aboard:
        return
    landing_later = {entry.order.unit for entry in later}
    cargo = [unit for unit in aboard if not landing_later & {unit.id, None}]
    first: BadOrder | None = None
    for unit in cargo:
        error = desk.letter.refusal(carrier.name, [said.Unload(carrier.id, unit.id)])
        first = first or error
        if error is None:
            text = f"unload {unit.name}"
            yield Switch(desk, "unload", ()).to(text, text, note=f"at {carrier.location}, before fleets move")
    everything = [said.Unload(carrier.id, unit.id) for unit in cargo]
    if len(cargo) > 1 and desk.letter.refusal(carrier.name, everything) is None:
        yield Switch(desk, "unload", ()).to(
            "unload all", "unload all", note=f"at {carrier.location}, before fleets move"
        )
    if first is not None:
        yield Closed("unload", first.reason, "EN-CAR-1")
    yield from landing(desk, carrier, cargo)


def landing(desk: Desk, carrier: Unit, cargo: list[Unit]) -> Wares:
    moves = desk.letter.end.moves
    goal = moves[carrier.fleet][-1] if carrier.fleet in moves else carrier.location
    owner = desk.table.systems[goal].owner
    if carrier.fleet not in moves or not carrier.intact:
        return
    if owner is None or not desk.table.same_bloc(desk.side, owner):
        why = f"{goal} belongs neither to you nor to your bloc: troops land there by ground battle"
        yield Closed("unload", why, "EN-CAR-1")
        return
    words = [unit.name for unit in cargo] + (["all"] if len(cargo) > 1 else [])
    for word in words:
        yield Switch(desk, "unload", ()).to(
            f"unload {word} after", f"unload {word} after", note=f"at {goal}, after the move"
        )


def scrapping(desk: Desk, unit: Unit) -> Wares:
    """EN-CON-6: a unit that no other line of the letter speaks of."""
    mine = [entry for entry in desk.given(said.Scrap) if entry.order.unit == unit.id]
    if mine:
        yield desk.chosen("scrap", f"scrap {unit.name}", mine[-1])
        return
    error = desk.letter.refusal(unit.name, [said.Scrap(unit.id)])
    if error is not None:
        yield Closed("scrap", error.reason, "EN-CON-6")
    elif not any(speaks_of(desk, entry.order, unit) for entry in desk.entries):
        back = yards.scrap_value(desk.table.design(unit))
        yield Switch(desk, "scrap", ()).to(f"scrap {unit.name}", f"scrap {unit.name}", note=f"{back} EP come back")


def speaks_of(desk: Desk, order: said.Order, unit: Unit) -> bool:
    match order:
        case said.Repair(number) | said.RenameUnit(number, _):
            return number == unit.id
        case said.Load(carrier, cargo) | said.Unload(carrier, cargo) | said.Land(carrier, cargo):
            return unit.id in (carrier, cargo)
        case said.Transfer(ships, _):
            return unit.id in ships
        case said.Move(fleet, _) | said.RenameFleet(fleet, _) | said.SetDoctrine(fleet, _, _):
            return fleet == desk.letter.end.table.units[unit.id].fleet != ""
    return False
