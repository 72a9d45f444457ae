"""FA-SPC: guardian arrays and tractor beams; jammers, interceptors and gravitic engines count where they act."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from games.fleet_action.data import TABLES
from games.fleet_action.orders.records import AcceptOrder, GuardOrder, ReleaseOrder, ResistOrder, TractorOrder
from games.fleet_action.rules import command, founding, succession
from games.fleet_action.rules.damage import Struck, Wounding
from games.fleet_action.rules.shots import Shot
from games.fleet_action.state import Ship, Squadron
from games.fleet_action.table import Table
from pbem.kit.dice import Roll
from pbem.kit.hexgrid import distance

# --- guardian arrays -------------------------------------------------------------------------------------------------


def guard(table: Table, shots: Sequence[Shot]) -> list[Shot]:
    """FA-SPC-2, 3: the shots after levels are assigned, after declarations and before dice."""
    aimed = [shot for shot in shots if _can_be_guarded(shot)]
    dice: dict[str, int] = {}
    for shot in aimed:
        dice[shot.target] = dice.get(shot.target, 0) + shot.x
    covered: dict[str, int] = {}
    for name in dict.fromkeys(table.ships[target].squadron for target in dice):
        for ship, target, levels in _allocation(table, table.squadrons[name], dice):
            covered[target] = levels
            _tell_guard(table, ship, target, levels, [shot for shot in aimed if shot.target == target])
    return [replace(s, guardian=covered[s.target]) if s.target in covered and _can_be_guarded(s) else s for s in shots]


def _can_be_guarded(shot: Shot) -> bool:
    return shot.weapon_class != "laser" and shot.firer_kind == "ship" and shot.target_kind == "ship"


def _allocation(table: Table, squadron: Squadron, dice: dict[str, int]) -> list[tuple[str, str, int]]:
    """FA-SPC-3: guardians choose in roster order; a ship takes levels from one ship only."""
    given: list[tuple[str, str, int]] = []
    covered: set[str] = set()
    for ship in table.members(squadron):
        level = table.guardian_level(ship)
        if not level:
            continue
        for target, levels in _choice(table, squadron, ship, dice, covered):
            levels = min(levels, level)
            if levels < 1 or target in covered:
                continue
            level -= levels
            covered.add(target)
            given.append((ship.name, target, levels))
    return [(ship, target, levels) for ship, target, levels in given if target in dice]


def _choice(
    table: Table, squadron: Squadron, ship: Ship, dice: dict[str, int], covered: set[str]
) -> list[tuple[str, int]]:
    """What the owner ordered, or all levels to the ship with the most dice against it."""
    reach = [mate.name for mate in _protected(table, squadron, ship)]
    orders = [o for o in table.book.all(GuardOrder, ship.name) if table.pulse in o.pulses]
    if orders and all(order.target for order in orders):
        return [(order.target, order.levels) for order in orders if order.target in reach]
    endangered = [table.ships[name] for name in reach if name in dice and name not in covered]
    if not endangered:
        return []
    chosen = min(endangered, key=lambda mate: (-dice[mate.name], mate.structure))
    return [(chosen.name, table.guardian_level(ship))]


def _protected(table: Table, squadron: Squadron, ship: Ship) -> list[Ship]:
    """FA-SPC-2, FA-CMD-4, 5: itself always; its mates while both are in command and the squadron has a commander."""
    if command.is_out_of_command(table, ship) or command.is_leaderless(table, squadron):
        return [ship]
    mates = table.members(squadron)
    return [mate for mate in mates if mate.name == ship.name or not command.is_out_of_command(table, mate)]


def _tell_guard(table: Table, ship: str, target: str, levels: int, shots: Sequence[Shot]) -> None:
    side = table.side_of(table.ships[ship])
    facts = {"side": side, "ship": ship, "target": target, "levels": levels}
    table.tell("guard", "FA-SPC-2", frozenset({side, *(shot.side for shot in shots)}), facts)


# --- tractor beams ---------------------------------------------------------------------------------------------------


def tractor_beams(table: Table) -> None:
    """FA-SPC-6: end of turn, holders in side and roster order."""
    for ship in list(table.everyone(table.side_order)):
        if table.book.first(ReleaseOrder, ship.name) is not None and ship.holding:
            _release(table, ship)
        order = table.book.first(TractorOrder, ship.name)
        if order is not None and table.living(ship.name) and not table.ships[ship.name].holding:
            _grasp(table, table.ships[ship.name], order)


def _release(table: Table, ship: Ship) -> None:
    target = ship.holding or ""
    held = table.ships.get(target)
    table.change(ship, holding=None, powered_off=())
    if held is not None:
        table.change(held, held_by=None)
    _tell_tractor(table, ship, target, (), "released")


def _grasp(table: Table, ship: Ship, order: TractorOrder) -> None:
    flight = table.flights.get(order.target)
    if flight is not None:
        own = flight.side == table.side_of(ship)
        near = flight.hex is not None and flight.state == "flying" and distance(ship.hex, flight.hex) == 1
        accepts = table.book.first(AcceptOrder, flight.name) is not None
        holds = own and near and accepts and table.card(ship).tractor
        if holds:
            table.change(ship, holding=flight.name)
        _tell_tractor(table, ship, flight.name, (), "holds" if holds else "breaks free")
        return
    target = table.living(order.target)
    if target is None or not table.card(ship).tractor or not _is_alongside(table, ship, target):
        _tell_tractor(table, ship, order.target, (), "breaks free")
        return
    rolls, holds = _contest(table, ship, target)
    target = table.ships[target.name]
    if target.structure <= 0:
        _tell_tractor(table, ship, target.name, rolls, "destroyed")
    elif holds:
        _hold(table, ship, target, order.power)
        _tell_tractor(table, ship, target.name, rolls, "holds")
    else:
        _tell_tractor(table, ship, target.name, rolls, "breaks free")


def _is_alongside(table: Table, ship: Ship, target: Ship) -> bool:
    """FA-SPC-6: adjacent, with the same speed and heading."""
    mine, other = table.squadron(ship), table.squadron(target)
    same = (mine.speed, mine.heading) == (other.speed, other.heading)
    return distance(ship.hex, target.hex) == 1 and same and not target.held_by and target.holding is None


def _contest(table: Table, ship: Ship, target: Ship) -> tuple[list[Roll], bool]:
    """FA-SPC-6, 7: it holds a dead ship, a battered one that cannot tear free, or one that accepts."""
    rows = target.man_left
    if rows.acc == 0 and rows.dec == 0:
        return [], True
    if table.book.first(AcceptOrder, target.name) is not None:
        return [], True
    if not is_battered(table, target):
        return [], False
    order = table.book.first(ResistOrder, target.name)
    if order is not None and not order.yes:
        return [], True
    rolls = _resist(table, ship, target)
    rows = table.ships[target.name].man_left
    return rolls, rows.acc == 0 and rows.dec == 0


def is_battered(table: Table, ship: Ship) -> bool:
    """FA-SPC-6: case 2, a quarter of its structure or less."""
    return ship.structure * 100 <= TABLES.tractor_structure * table.card(ship).structure


def _resist(table: Table, ship: Ship, target: Ship) -> list[Roll]:
    """FA-SPC-7: a d6 for each point of accel and decel: even 1 structure, odd 1 off the larger row."""
    rolls: list[Roll] = []
    for n in range(1, target.man_left.acc + target.man_left.dec + 1):
        current = table.ships[target.name]
        rows = current.man_left
        if current.structure <= 0 or (rows.acc == 0 and rows.dec == 0):
            break
        roll = table.roll(6, "tractor", ship.name, target.name, n)
        rolls.append(roll)
        if roll.face % 2 == 0:
            wounding = Wounding(table, current.name, Struck((), 0, 0), _no_dice)
            wounding.structure(1)
        elif rows.acc >= rows.dec:
            table.change(current, man_left=replace(rows, acc=rows.acc - 1))
        else:
            table.change(current, man_left=replace(rows, dec=rows.dec - 1))
    return rolls


def _hold(table: Table, ship: Ship, target: Ship, power: str) -> None:
    """FA-SPC-8: the held ship becomes a stray; holding costs the holder power."""
    old = table.squadron(target)
    founding.stray(table, target.name)
    if old.command_ship == target.name and table.members(table.squadrons[old.name]):
        succession.lead_by_best(table, old.name)
    table.change(table.ships[target.name], held_by=ship.name)
    table.change(ship, holding=target.name, powered_off=_powered_off(table, ship, target, power))


def _powered_off(table: Table, ship: Ship, target: Ship, power: str) -> tuple[int, ...]:
    mounts = table.mounts(ship)
    if table.card(target).category != "medium":
        return tuple(number for number, _, _ in mounts)
    for number, mount, _ in mounts:
        if power in (mount.weapon, mount.name):
            return (number,)
    working = [number for number, _, _ in mounts if ship.weapon_left[number]]
    least = min(working, key=lambda number: ship.weapon_left[number], default=None)
    return () if least is None else (least,)


def _tell_tractor(table: Table, ship: Ship, target: str, rolls: Sequence[Roll], result: str) -> None:
    side = table.side_of(ship)
    other = table.ships.get(target) or table.flights.get(target)
    target_side = table.side_of(other) if other else side
    facts = {
        "side": side,
        "holder": ship.name,
        "target": target,
        "target_side": target_side,
        "dice": [roll.face for roll in rolls],
        "result": result,
    }
    table.tell("tractor", "FA-SPC-6", frozenset({side, target_side}), facts, rolls)


def _no_dice(faces: int, purpose: str) -> Roll:
    """Structure boxes torn off by a tractor beam need no dice of their own."""
    raise AssertionError(f"no d{faces} is rolled for {purpose}")
