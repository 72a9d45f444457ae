"""Power: diversions, batteries and the list for a shortage (BR-PWR-2 to 7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from games.broadsides.data import System
from games.broadsides.orders import records as r
from games.broadsides.orders.offers.guns import Gunnery
from games.broadsides.rules.power import charge_up, supply_of
from pbem.kit.choices import Number, Ranking

MOST_RANKED = 16


def offer_power(gunnery: Gunnery) -> None:
    _diversions(gunnery)
    _batteries(gunnery)
    _shortage(gunnery)


def _full(gunnery: Gunnery, mount: str) -> int:
    return gunnery.readiness.weapon(mount).full


def _diversions(gunnery: Gunnery) -> None:
    """BR-PWR-3: a large weapon gives to another that is not full, any weapon to a battery."""
    desk, ship = gunnery.desk, gunnery.ship
    large = [mount for mount in gunnery.sheet.mounts if gunnery.weapon(mount).large and ship.works(mount)]
    hungry = [mount for mount in large if gunnery.readiness.charge[mount.id] < _full(gunnery, mount.id)]
    given = {(order.giver, order.receiver): entry.line for entry in desk.said for order in _divert(entry.order)}
    before = len(desk.choices)
    for receiver in [*hungry, *_stores(gunnery)]:
        givers = large if receiver.kind == "weapon" else [one for one in gunnery.sheet.mounts if ship.works(one)]
        for giver in givers:
            old = [line for (gave, _), line in given.items() if gave == giver.id]
            line = f"divert {giver.id} to {receiver.id}"
            if giver is not receiver and desk.stands(line, replaces=old):
                note = _after(gunnery, giver, receiver)
                desk.offer("divert", f"{giver.id} to {receiver.id}", line, replaces=old, note=note)
    if len(desk.choices) > before:
        return
    if not hungry:
        desk.close("divert", "every weapon that takes more than a turn to charge will be full", "BR-PWR-3")
    else:
        names = ", ".join(mount.id for mount in hungry)
        desk.close("divert", f"no working weapon of 2 turns or more can give to {names}", "BR-PWR-2")


def _divert(order: r.Order) -> tuple[r.Divert, ...]:
    return (order,) if isinstance(order, r.Divert) else ()


def _stores(gunnery: Gunnery) -> list[System]:
    """Working batteries with room."""
    ship, cards = gunnery.ship, gunnery.desk.state.cards
    boxes = [system for system in gunnery.sheet.systems.values() if system.kind == "battery" and ship.works(system)]
    return [box for box in boxes if ship.battery[box.id] < cards.batteries[box.type].capacity]


def _after(gunnery: Gunnery, giver: System, receiver: System) -> str:
    """What it costs and brings."""
    lost = gunnery.readiness.charge[giver.id]
    power = gunnery.weapon(giver).power
    if receiver.kind == "battery":
        store = gunnery.ship.battery[receiver.id]
        return f"{giver.id} loses {lost} and is shut down, {receiver.id} stores {store} + {power}"
    moved = (giver.id, receiver.id, power)
    orders = replace(gunnery.desk.orders, diverts=(*gunnery.desk.orders.diverts, moved))
    charge = charge_up(gunnery.desk.state.cards, gunnery.ship, orders).charge[receiver.id]
    full = _full(gunnery, receiver.id)
    ready = ": ready this turn" if charge >= full else ""
    return f"{giver.id} loses {lost} and is shut down, {receiver.id} {charge} of {full}{ready}"


def _batteries(gunnery: Gunnery) -> None:
    """BR-PWR-7: weapons of the battery's own section."""
    desk, ship = gunnery.desk, gunnery.ship
    boxes = [system for system in gunnery.sheet.systems.values() if system.kind == "battery"]
    for box in boxes:
        if not ship.works(box):
            continue
        spent: Mapping[int, int] = {
            entry.line: entry.order.points
            for entry in desk.said
            if isinstance(entry.order, r.SpendBattery) and entry.order.box == box.id
        }
        for mount in gunnery.sheet.mounts:
            lacking = _full(gunnery, mount.id) - gunnery.readiness.charge[mount.id]
            old = [
                entry.line
                for entry in desk.said
                if entry.line in spent and isinstance(entry.order, r.SpendBattery) and entry.order.mount == mount.id
            ]
            left = ship.battery[box.id] - sum(points for line, points in spent.items() if line not in old)
            useful = mount.section == box.section and ship.works(mount) and (lacking > 0 or old)
            if useful and left > 0 and desk.stands(f"battery {box.id} to {mount.id} {left}", replaces=old):
                label, line = f"{box.id} to {mount.id}", f"battery {box.id} to {mount.id} {{}}"
                now = max(1, min(left, lacking))
                note = f"{left} stored, {mount.id} lacks {max(0, lacking)} of {_full(gunnery, mount.id)}"
                desk.offer("battery", label, line, replaces=old, note=note, fill=Number(1, left, now))
    if boxes and not any(ship.battery[box.id] for box in boxes):
        desk.close("battery", "the batteries are empty", "BR-PWR-7")


def _shortage(gunnery: Gunnery) -> None:
    """BR-PWR-6: who is charged first when the reactor cannot feed all."""
    desk, ship, cards = gunnery.desk, gunnery.ship, gunnery.desk.state.cards
    demand = sum(gunnery.weapon(mount).power for mount in gunnery.sheet.mounts)
    supply = supply_of(cards, ship)
    if supply >= demand:
        desk.close("power", f"the reactor feeds all weapons: {supply} of {demand}", "BR-PWR-6")
        return
    names = [mount.id for mount in gunnery.sheet.mounts if ship.blocks_left(mount) > 0]
    if len(names) > MOST_RANKED:
        names = list(gunnery.types)
    if len(names) > 1:
        label, note = "who is charged first", f"the reactor gives {supply} of {demand}"
        fill = Ranking(tuple(names[:MOST_RANKED]))
        desk.offer("power", label, "power {}", replaces=desk.lines_of(r.PowerList), note=note, fill=fill)
