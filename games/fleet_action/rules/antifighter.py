"""FA-AF: anti-fighter fire, before the flights attack."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from games.fleet_action.data import ARCS, Mount, WeaponType
from games.fleet_action.orders.records import AfFirstOrder, AfOrder
from games.fleet_action.rules import damage, fire, geometry, weapons
from games.fleet_action.state import Flight, Ship
from games.fleet_action.table import Table, pulse_index
from pbem.kit.dice import Roll
from pbem.kit.hexgrid import Hex


def anti_fighter_fire(table: Table) -> None:
    """Step 3.6: each firing ship in side and roster order."""
    table.part = "AF"
    crowded = {flight.hex for flight in table.airborne() if flight.state == "flying"}
    for ship in list(table.everyone(table.side_order)):
        order = af_order(table, ship)
        mode = order.mode if order is not None else "on"
        if mode == "off":
            continue
        if mode == "long":
            _long_range(table, ship, order.arc if order else "")
        elif ship.hex in crowded:
            _close_range(table, ship, mode)
    table.part = ""


def af_order(table: Table, ship: Ship) -> AfOrder | None:
    """The ship's own order for this pulse, then its squadron's."""
    orders = table.book.all(AfOrder, ship.name, ship.squadron)
    return next((order for order in orders if table.pulse in order.pulses), None)


def is_eligible(table: Table, ship: Ship, number: int, mode: str) -> bool:
    """FA-AF-2, 8: rating and AF left, and no standard firing this turn within two pulses."""
    mount = table.card(ship).weapons[number]
    weapon = table.cards.weapons[mount.weapon]
    if ship.weapon_left[number] < 1 or mount.af < 1 or number in ship.powered_off or not weapon.fc[2]:
        return False
    if mode == "secondary" and not damage.is_secondary(mount, weapon):
        return False
    last = ship.last_std[number]
    if last is None or last < pulse_index(table.turn, 1):
        return True
    return table.now - last >= weapons.APART


def _systems(table: Table, ship: Ship, mode: str) -> list[tuple[int, Mount, WeaponType]]:
    return [entry for entry in table.mounts(ship) if is_eligible(table, ship, entry[0], mode)]


def enemies_in(table: Table, ship: Ship, at: Hex) -> list[Flight]:
    """Enemy flights in a hex that are not dogfighting, in roster order."""
    side = table.side_of(ship)
    return [f for f in table.airborne() if f.side != side and f.state == "flying" and f.hex == at]


# --- at range 0 ------------------------------------------------------------------------------------------------------


def _close_range(table: Table, ship: Ship, mode: str) -> None:
    """FA-AF-1, 5: escorts of attackers first, by all weapons; then the attackers."""
    present = enemies_in(table, ship, ship.hex)
    attackers = [flight for flight in present if table.attacks.get(flight.name) == ship.name]
    if not attackers:
        return
    names = {flight.name for flight in attackers}
    escorts = [flight for flight in present if flight.name not in names and flight.charge in names]
    guarding = {flight.name for flight in escorts}
    targets = [flight for flight in present if flight.name in names | guarding]
    systems = _systems(table, ship, mode)
    plans = [_plan(table, ship, entry, targets, len(present)) for entry in systems]
    for in_pass in (guarding, names):
        for (number, _, weapon), plan in zip(systems, plans, strict=True):
            for flight, x in plan:
                if flight in in_pass and table.flights[flight].count > 0:
                    _fire(table, _Burst(ship.name, number, weapon, flight, x))
                    table.put(weapons.fired_af(table, table.ships[ship.name], number))


def _plan(
    table: Table, ship: Ship, entry: tuple[int, Mount, WeaponType], targets: Sequence[Flight], crowd: int
) -> list[tuple[str, int]]:
    """FA-AF-3: how many dice of a weapon at which flights."""
    number, mount, _ = entry
    base = weapons.lessened(min(mount.af, ship.weapon_left[number]), weapons.multiplier(table, ship))
    return _divided(table, ship, base, targets, crowd)


def _divided(table: Table, ship: Ship, base: int, targets: Sequence[Flight], crowd: int) -> list[tuple[str, int]]:
    """FA-AF-3: A over half the flights; if that is less than one, only half of them, with one die."""
    parts = -(-crowd // 2)
    if base >= parts:
        return [(flight.name, -(-base // parts)) for flight in targets]
    chosen = sorted(targets, key=lambda flight: _preference(table, ship, flight))[: -(-len(targets) // 2)]
    names = {flight.name for flight in chosen}
    return [(flight.name, 1) for flight in targets if flight.name in names]


def _preference(table: Table, ship: Ship, flight: Flight) -> tuple[int, int]:
    """FA-AF-3: by order, then the largest count; ties by roster."""
    order = table.book.first(AfFirstOrder, ship.name, ship.squadron)
    named = order.flights if order is not None else ()
    return (named.index(flight.name) if flight.name in named else len(named), -flight.count)


# --- into an adjacent hex --------------------------------------------------------------------------------------------


def _long_range(table: Table, ship: Ship, arc: str) -> None:
    """FA-AF-6: each AF weapon into one adjacent hex in arc, with half its x."""
    for entry in _systems(table, ship, "on"):
        number, mount, weapon = entry
        aim = _adjacent(table, ship, mount, arc)
        if aim is None:
            continue
        direction, present = aim
        targets = _open_to_long_range(table, present)
        x = mount.af if mount.arcs is None else mount.arcs[direction]
        product = weapons.multiplier(table, ship) * weapons.HALF
        base = weapons.lessened(min(x, ship.weapon_left[number]), product)
        for flight, count in _divided(table, ship, base, targets, len(present)):
            if table.flights[flight].count > 0:
                _fire(table, _Burst(ship.name, number, weapon, flight, count, long=True))
                table.put(weapons.fired_af(table, table.ships[ship.name], number))


def _adjacent(table: Table, ship: Ship, mount: Mount, arc: str) -> tuple[int, list[Flight]] | None:
    """The ordered arc, else the hex with most fighters to fire on, ties clockwise from F; all flights in that hex."""
    heading = table.squadron(ship).heading
    best: tuple[int, list[Flight]] | None = None
    most = 0
    for k in [ARCS.index(arc)] if arc else range(6):
        if mount.arcs is not None and mount.arcs[k] < 1:
            continue
        at = geometry.ahead(ship.hex, geometry.starboard(heading, k))
        present = [flight for flight in enemies_in(table, ship, at) if flight.count > 0]
        fighters = sum(flight.count for flight in _open_to_long_range(table, present))
        if fighters > most:
            best, most = (k, present), fighters
    return best


def _open_to_long_range(table: Table, flights: Sequence[Flight]) -> list[Flight]:
    """FA-FTR-22: stealth is immune; it counts among the flights in the hex all the same (FA-AF-3)."""
    return [flight for flight in flights if not table.fighter(flight).stealth]


# --- dice ------------------------------------------------------------------------------------------------------------


@dataclass
class _Burst:
    """One weapon at one flight."""

    ship: str
    number: int
    weapon: WeaponType
    flight: str
    x: int
    long: bool = False
    dice: list[Roll] = field(default_factory=list)
    kills: dict[str, int] = field(default_factory=dict)


def _fire(table: Table, burst: _Burst) -> None:
    """FA-AF-4, 5: to hit with the sensor against def, then damage; kills at once, escorts absorb."""
    ship = table.ships[burst.ship]
    flight = table.flights[burst.flight]
    need = table.fighter(flight).defence - fire.sensor_of(table, ship)
    mount = table.card(ship).weapons[burst.number]
    label = (burst.ship, mount.word, burst.flight, "AF")
    margins = []
    for n in range(1, burst.x + 1):
        roll = table.roll(burst.weapon.fc[2], *label, "to hit", n)
        burst.dice.append(roll)
        if roll.face >= need:
            margins.append(roll.face - need)
    count = 0
    for margin in margins:
        pulses = 1
        if burst.weapon.weapon_class == "pulse":
            pulses = min(burst.weapon.max_pulses, 1 + margin)
        for _ in range(pulses):
            count = _hurt(table, burst, label, count)
    _tell(table, burst, need, len(margins))
    for name, lost in burst.kills.items():
        if table.flights[name].count == 0:
            table.change(table.flights[name], count=lost)
            fire.lose_fighters(table, table.flights[name], lost, burst.ship)


def _hurt(table: Table, burst: _Burst, label: tuple[object, ...], count: int) -> int:
    """One hit, or one pulse of it."""
    weapon = burst.weapon
    if weapon.weapon_class in ("em", "matter"):
        _kill(table, burst, weapon.points or 1)
        return count
    dice, faces = damage.damage_dice(weapon, 0, None) or (0, 0)
    for _ in range(dice):
        count += 1
        roll = table.roll(faces, *label, "damage", count)
        burst.dice.append(roll)
        victim = _victim(table, burst.flight)
        if victim is not None and roll.face >= table.fighter(victim).armor:
            _kill(table, burst, table.fighter(victim).hits)
    return count


def _victim(table: Table, name: str) -> Flight | None:
    """FA-AF-5: a surviving escort in the hex absorbs, in roster order; then the charge itself."""
    charge = table.flights[name]
    for escort in table.wing(charge.side):
        absorbs = escort.charge == name and escort.mission == "escort" and escort.doctrine.absorb_af
        if absorbs and escort.state == "flying" and escort.hex == charge.hex and escort.count > 0:
            return escort
    return charge if charge.count > 0 else None


def _kill(table: Table, burst: _Burst, fighters: int) -> None:
    """Kills apply at once; what is left over goes on to the next."""
    while fighters > 0:
        victim = _victim(table, burst.flight)
        if victim is None:
            return
        lost = min(fighters, victim.count)
        fighters -= lost
        burst.kills[victim.name] = burst.kills.get(victim.name, 0) + lost
        table.change(victim, count=victim.count - lost)


def _tell(table: Table, burst: _Burst, need: int, hits: int) -> None:
    side = table.side_of(table.ships[burst.ship])
    flight = table.flights[burst.flight]
    mount = table.card(table.ships[burst.ship]).weapons[burst.number]
    absorbed = [name for name in burst.kills if name != burst.flight]
    facts = {
        "side": side,
        "ship": burst.ship,
        "weapon": mount.word,
        "weapon_name": burst.weapon.name,
        "flight": burst.flight,
        "target_side": flight.side,
        "long": burst.long,
        "x": burst.x,
        "dice": [roll.face for roll in burst.dice],
        "need": need,
        "hits": hits,
        "kills": sum(burst.kills.values()),
        "absorbed_by": absorbed,
        "left": {name: table.flights[name].count for name in (burst.flight, *absorbed)},
        "full": True,
    }
    concerned = frozenset({side, flight.side})
    table.tell("af", "FA-AF-4", concerned, facts, burst.dice)
    if others := table.audience - concerned:
        table.tell("af", "FA-AF-4", others, {**facts, "dice": [], "need": None, "full": False})
