"""One turn (SK-TRN-1): all ships move, all ships fire, then the lost ones go down."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.kit.dice import Dice
from pbem.kit.game import Resolution, Side
from pbem.kit.hexgrid import distance, name
from pbem.kit.sheet import Sheet

from skirmish.data import CLASSES, TABLES
from skirmish.orders import NEAREST, Fire, Move, Order
from skirmish.state import Ship, State
from skirmish.table import Table


def resolve(state: State, sheets: Mapping[Side, Sheet[Order]], dice: Dice) -> Resolution[State]:
    """A squadron that sent nothing stays where it is and fires at will."""
    table = Table(state, dice)
    orders = [order for squadron in state.squadrons for order in sheets[squadron.id].orders]
    move(table, [order for order in orders if isinstance(order, Move)])
    fire(table, {order.unit: order.target for order in orders if isinstance(order, Fire)})
    return Resolution(table.frozen(turn=state.turn + 1), tuple(table.events))


def move(table: Table, orders: list[Move]) -> None:
    """SK-MOV-1 and SK-MOV-2: at once, so nobody is in anybody's way."""
    table.step = "movement"
    for order in orders:
        ship = table.ships[order.unit]
        facts = {"ship": ship.name, "start": name(ship.at), "to": name(order.to)}
        table.change(ship, at=order.to)
        table.tell("moved", "SK-MOV-1", table.everybody, facts)


def fire(table: Table, targets: Mapping[str, str]) -> None:
    """SK-FIR-1 and SK-FIR-6: every ship fires once, and damage counts when all have fired."""
    table.step = "fire"
    shots = [(ship, aimed_at(table, ship, targets.get(ship.name, NEAREST))) for ship in table.afloat()]
    hits = [(target.name, shoot(table, ship, target)) for ship, target in shots if target is not None]
    for struck, count in hits:
        ship = table.ships[struck]
        table.change(ship, hull=max(0, ship.hull - count))
    for ship in {struck: table.ships[struck] for struck, _ in hits}.values():
        if not ship.hull:
            table.tell("lost", "SK-LOS-1", table.everybody, {"ship": ship.name, "at": name(ship.at)})


def aimed_at(table: Table, ship: Ship, wanted: str) -> Ship | None:
    """SK-FIR-4 and SK-FIR-5: the ship ordered, or the nearest enemy; None: it is out of range."""
    target = table.nearest_enemy(ship) if wanted == NEAREST else table.ships[wanted]
    if target is not None and TABLES.to_hit(distance(ship.at, target.at)) is not None:
        return target
    if target is not None and wanted != NEAREST:
        facts = {"ship": ship.name, "target": wanted, "range": distance(ship.at, target.at)}
        table.tell("out_of_range", "SK-FIR-4", ship.squadron, facts)
    return None


def shoot(table: Table, ship: Ship, target: Ship) -> int:
    """SK-FIR-2 and SK-FIR-3: a die for each gun; the hits."""
    far = distance(ship.at, target.at)
    needed = TABLES.to_hit(far)
    assert needed is not None, "nobody aims at what is out of range"
    rolls = [table.roll(TABLES.die, ship.name, "gun", gun) for gun in range(1, CLASSES[ship.kind].guns + 1)]
    hits = sum(roll.face >= needed for roll in rolls)
    places = {"at": name(ship.at), "target_at": name(target.at)}
    facts = {"ship": ship.name, "target": target.name, "range": far, "needed": needed, "hits": hits, **places}
    table.tell("fired", "SK-FIR-3", table.everybody, facts, rolls)
    return hits
