"""FA-FIRE-3..6, 9, FA-CMD-11: which weapon bears on what, at which range, how strongly, and when it is ready."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from games.fleet_action.data import Mount, WeaponType
from games.fleet_action.orders.records import RapidOrder
from games.fleet_action.rules import command, geometry
from games.fleet_action.state import Flight, Ship
from games.fleet_action.table import Table
from pbem.kit.hexgrid import Hex, distance

Unit = Ship | Flight

HALF = Fraction(1, 2)
THREE_QUARTERS = Fraction(3, 4)
EXTREME = 3
RAPID_WAIT = 3
"""FA-WPN-7: pulses after which a rapid weapon has its full damage again."""
APART = 2
"""FA-FIRE-9: pulses between two firings of a weapon with fewer than three shots."""


def multiplier(table: Table, ship: Ship) -> Fraction:
    """FA-CMD-11: the product of what lessens a ship's fire."""
    squadron = table.squadron(ship)
    product = Fraction(1)
    if command.is_out_of_command(table, ship):
        product *= HALF
    if command.is_leaderless(table, squadron):
        product *= HALF
    if command.is_flagless(table, squadron):
        product *= THREE_QUARTERS
    if squadron.outside_net:
        product *= THREE_QUARTERS
    if squadron.excess:
        product *= THREE_QUARTERS
    return product


def lessened(x: int, product: Fraction) -> int:
    """FA-CMD-11: multipliers multiply, then one rounding up; 0 stays 0."""
    scaled = x * product
    return -(-scaled.numerator // scaled.denominator)


def nominal_x(mount: Mount, at: Hex, heading: int, target: Hex) -> int:
    """FA-MAP-9..11: the x factor towards a hex; the larger on a boundary, the highest at distance 0."""
    if mount.arcs is None:
        return 0
    arcs = geometry.arcs(at, heading, target)
    return max(mount.arcs[arc] for arc in arcs) if arcs else max(mount.arcs)


def x_towards(table: Table, ship: Ship, number: int, target: Hex) -> int:
    """FA-FIRE-3: x in the target's arc, capped by the rating left."""
    mount = table.card(ship).weapons[number]
    heading = table.squadron(ship).heading
    return min(nominal_x(mount, ship.hex, heading, target), ship.weapon_left[number])


def bracket(weapon: WeaponType, range_: int) -> int | None:
    """FA-FIRE-5: 0 short to 3 extreme; None: out of range. Ballistics are always short."""
    for index, limit in enumerate(weapon.range):
        if range_ <= limit:
            return index
    return None


def column(table: Table, target: Unit) -> int:
    """FA-FIRE-4: which of the three fire-control dice is rolled."""
    if isinstance(target, Flight):
        return 2
    return 1 if table.card(target).category == "medium" else 0


def is_jammed_by(table: Table, firer: Ship, target: Unit) -> bool:
    """FA-SPC-5: the target's jammer, against ships that are not Minbari."""
    if isinstance(target, Flight):
        return False
    return table.card(target).jammer and table.card(firer).navy != "Minbari"


def is_ready(table: Table, ship: Ship, number: int) -> bool:
    """FA-FIRE-9, 10: the weapon may fire in standard mode in this pulse."""
    weapon = table.cards.weapons[table.card(ship).weapons[number].weapon]
    if ship.weapon_left[number] < 1 or number in ship.powered_off or not weapon.range:
        return False
    if ship.last_any[number] == table.now:
        return False
    last = ship.last_std[number]
    if weapon.rapid:
        order = table.book.first(RapidOrder, ship.name)
        waits = order is not None and not order.yes
        return last is None or table.now - last >= (RAPID_WAIT if waits else 1)
    return ready_pulse(weapon, last, ship.shots_this_turn[number], table.turn) <= table.now


def ready_pulse(weapon: WeaponType, last: int | None, shots: int, turn: int) -> int:
    """FA-FIRE-9: the first pulse index in which a weapon may fire again."""
    if shots >= weapon.shots:
        return 3 * turn + 1
    if last is None:
        return -10_000
    return last + (1 if weapon.shots >= 3 else APART)


def fired(table: Table, ship: Ship, number: int) -> Ship:
    """The ship after this weapon has fired in standard mode."""
    return _with(
        ship,
        last_std=_set(ship.last_std, number, table.now),
        last_any=_set(ship.last_any, number, table.now),
        shots_this_turn=_set(ship.shots_this_turn, number, ship.shots_this_turn[number] + 1),
    )


def fired_af(table: Table, ship: Ship, number: int) -> Ship:
    """FA-AF-2: anti-fighter fire does not use up shots."""
    return _with(ship, last_any=_set(ship.last_any, number, table.now))


def _with(ship: Ship, **values: object) -> Ship:
    return replace(ship, **values)  # type: ignore[arg-type]


def _set(figures: tuple[object, ...], number: int, value: object) -> tuple[object, ...]:
    return (*figures[:number], value, *figures[number + 1 :])


def struck_arc(table: Table, target: Ship, firer: Hex, came_from: Hex | None) -> int:
    """FA-MAP-10, 11: the arc of the target that is struck."""
    card = table.card(target)
    heading = table.squadron(target).heading
    seen = geometry.arcs(target.hex, heading, firer)
    if not seen and came_from is not None:
        seen = geometry.arcs(target.hex, heading, came_from)
    return geometry.struck_arc(card, seen) if seen else geometry.best_arc(card)


def range_to(firer: Ship, target: Unit) -> int:
    assert target.hex is not None
    return distance(firer.hex, target.hex)


def longest_reach(table: Table, ship: Ship) -> int:
    """The farthest any working standard weapon of the ship reaches."""
    reaches = [weapon.range[-1] for n, mount, weapon in table.mounts(ship) if weapon.range and ship.weapon_left[n]]
    return max(reaches, default=-1)
