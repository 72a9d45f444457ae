"""Missiles, torpedoes and mines (BR-BAL-1 to 6, BR-WPN-1, 4)."""

from __future__ import annotations

from games.broadsides.data import System
from games.broadsides.orders import records as r
from games.broadsides.orders.offers.desk import written_hex
from games.broadsides.orders.offers.guns import Gunnery
from games.broadsides.rules.ballistics import LAUNCHED_KINDS, drift_hex, launch_chance, reach_of
from games.broadsides.rules.doctrine import BallisticLine
from games.broadsides.state import Flight, Unit
from games.broadsides.table import Table
from pbem.kit.choices import Places
from pbem.kit.hexgrid import Hex, disk, distance
from pbem.kit.scene import Point, Ring, hex_point

MOST_TARGETS = 8
SPECIAL_TARGETS = 3
AROUND = 2
"""Hexes about an enemy's drift hex that a mine may be set for."""
MOST_MINE_TARGETS = 6
HEX_STEP = 3**0.5


def offer_launches(gunnery: Gunnery) -> None:
    """BR-BAL-1: every ready launcher at every enemy in reach."""
    desk = gunnery.desk
    launchers = [mount for mount in gunnery.sheet.mounts if gunnery.weapon(mount).ballistic]
    free = {mount.id for mount in launchers if _is_free(gunnery, mount)}
    table = Table(desk.state)
    for mount in launchers:
        if mount.id not in free:
            continue
        old = _old_lines(gunnery, mount)
        if gunnery.weapon(mount).mine:
            _mine(gunnery, table, mount, old)
        else:
            _guided(gunnery, table, mount, old)
    for mount in launchers:
        why = gunnery.readiness.why_not(mount.id)
        if mount.id not in free and why and "will never be ready" not in why:
            desk.close("ballistic", why, "BR-VAL-17")


def _is_free(gunnery: Gunnery, mount: System) -> bool:
    """Ready, or launching by a line that a new one replaces."""
    return mount in gunnery.ready or mount.id in gunnery.readiness.launched


def _old_lines(gunnery: Gunnery, mount: System) -> list[int]:
    """Launches of the mount, and fire lines that name it."""
    gone = []
    for entry in gunnery.desk.said:
        order = entry.order
        launches = isinstance(order, r.LaunchBallistic) and order.line.mount == mount.id
        if launches or (isinstance(order, r.FireAt) and order.line.mounts == (mount.id,)):
            gone.append(entry.line)
    return gone


def _stands(gunnery: Gunnery, line: str, old: list[int]) -> bool:
    return gunnery.desk.stands(line, replaces=old)


def _guided(gunnery: Gunnery, table: Table, mount: System, old: list[int]) -> None:
    desk, weapon = gunnery.desk, gunnery.weapon(mount)
    stock = gunnery.ship.weapon[mount.id].ammunition
    mixed = desk.state.switches.missile_mix == "open"
    kinds = [kind for kind in LAUNCHED_KINDS if stock.get(kind, 0) > 0 and (mixed or kind == "standard")]
    if weapon.rack and not kinds:
        desk.close("ballistic", f"{mount.id} has no missile left that can be launched", "BR-VAL-18")
    tried: bool | None = None
    for kind in kinds if weapon.rack else [""]:
        most = MOST_TARGETS if kind in ("", "standard") else SPECIAL_TARGETS
        for target in desk.nearest(desk.enemies, most):
            if gunnery.readiness.out_of_reach(BallisticLine(mount.id, kind, target.name)):
                continue
            word = "" if kind in ("", "standard") else f"{kind} "
            line = f"ballistic {mount.id} {word}at {target.name}"
            tried = _stands(gunnery, line, old) if tried is None else tried
            if tried:
                note = _guided_figures(gunnery, table, mount, kind, target)
                label = f"{mount.id} {word}at {target.name}"
                desk.offer("ballistic", label, line, replaces=old, note=note, at=target.position)


def _guided_figures(gunnery: Gunnery, table: Table, mount: System, kind: str, target: Unit) -> str:
    weapon = gunnery.weapon(mount)
    t = launch_chance(table, gunnery.ship, weapon, kind, target).total
    far = distance(gunnery.ship.position, target.position)
    stock = gunnery.ship.weapon[mount.id].ammunition.get(kind, 0)
    left = f", {stock} aboard" if weapon.rack else ""
    return f"distance {far} of {reach_of(weapon, kind)}, hits on {t} or less{left}"


def _mine(gunnery: Gunnery, table: Table, mount: System, old: list[int]) -> None:
    """BR-WPN-4: at where a unit drifts to, or at a hex about there."""
    desk, weapon, ship = gunnery.desk, gunnery.weapon(mount), gunnery.ship
    reach = reach_of(weapon, "")
    points: dict[str, Point] = {}
    tried: bool | None = None
    for target in desk.nearest(desk.enemies, MOST_MINE_TARGETS):
        drift = drift_hex(table, target)
        for at in disk(drift, AROUND):
            if table.ground.on_map(at) and distance(ship.position, at) <= reach:
                points[written_hex(at)] = hex_point(at)
        if gunnery.readiness.out_of_reach(BallisticLine(mount.id, "", target.name)):
            continue
        line = f"ballistic {mount.id} at {target.name}"
        tried = _stands(gunnery, line, old) if tried is None else tried
        if tried:
            label = f"{mount.id} at {target.name}, set for {written_hex(drift)}"
            note = f"distance {distance(ship.position, target.position)} of {reach}{_friends_near(gunnery, drift)}"
            ring = Ring(hex_point(drift), HEX_STEP, ship.side, mount.id)
            desk.offer("ballistic", label, line, replaces=old, note=note, at=drift, marks=(ring,))
    if points and tried is not False and _stands(gunnery, f"ballistic {mount.id} at {next(iter(points))}", old):
        label, line = f"{mount.id} at a hex", f"ballistic {mount.id} at {{}}"
        note = f"within {reach} hexes; it strikes the hex and the six about it"
        desk.offer("ballistic", label, line, replaces=old, note=note, fill=Places(points))


def _friends_near(gunnery: Gunnery, drift: Hex) -> str:
    near = [friend.name for friend in gunnery.desk.friends if distance(friend.position, drift) <= 1]
    return f", beside {', '.join(near)} now" if near else ""


def offer_antifighter(gunnery: Gunnery) -> None:
    """BR-BAL-3: a rack's anti-fighter missile is fired in R8."""
    desk = gunnery.desk
    racks = [mount for mount in gunnery.sheet.mounts if gunnery.weapon(mount).rack and _is_free(gunnery, mount)]
    flights = [enemy for enemy in desk.enemies if isinstance(enemy, Flight)]
    for mount in racks:
        stock = gunnery.ship.weapon[mount.id].ammunition.get("antifighter", 0)
        if not stock:
            continue
        old = sorted({*_old_lines(gunnery, mount), *gunnery.superseded([mount.id])})
        aims = [flight.name for flight in desk.nearest(flights, SPECIAL_TARGETS)]
        for aim in ("nearest fighter", *aims):
            line = f"fire {mount.id} antifighter at {aim}"
            if _stands(gunnery, line, old):
                desk.offer("antifighter", f"{mount.id} at {aim}", line, replaces=old, note=f"{stock} aboard")
