"""FA-SPC: guardian arrays and tractor beams; jammers, interceptors and gravitic engines count where they act."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from games.fleet_action.battle import Battle
from games.fleet_action.orders.records import AcceptOrder, GuardOrder, ReleaseOrder, ResistOrder, TractorOrder
from games.fleet_action.rules import command, founding, succession
from games.fleet_action.rules.damage import Struck, Wounding
from games.fleet_action.rules.shots import Shot
from games.fleet_action.state import Ship, Squadron
from games.fleet_action.tables import TABLES
from pbem.kit.dice import Roll
from pbem.kit.hexgrid import distance

# --- guardian arrays -------------------------------------------------------------------------------------------------


def guard(battle: Battle, shots: Sequence[Shot]) -> None:
    """FA-SPC-2, 3: levels are assigned after declarations and before dice."""
    aimed = [s for s in shots if s.weapon_class != "laser" and s.firer_kind == "ship" and s.target_kind == "ship"]
    dice: dict[str, int] = {}
    for shot in aimed:
        dice[shot.target] = dice.get(shot.target, 0) + shot.x
    if not dice:
        return
    squadrons = dict.fromkeys(battle.ships[target].squadron for target in dice)
    for name in squadrons:
        for ship, target, levels in _allocation(battle, battle.squadrons[name], dice):
            for shot in aimed:
                if shot.target == target:
                    shot.guardian = levels
            _tell_guard(battle, ship, target, levels, [shot for shot in aimed if shot.target == target])


def _allocation(battle: Battle, squadron: Squadron, dice: dict[str, int]) -> list[tuple[str, str, int]]:
    """FA-SPC-3: guardians choose in roster order; a ship takes levels from one ship only."""
    given: list[tuple[str, str, int]] = []
    covered: set[str] = set()
    for ship in battle.members(squadron):
        level = battle.guardian_level(ship)
        if not level:
            continue
        for target, levels in _choice(battle, squadron, ship, dice, covered):
            levels = min(levels, level)
            if levels < 1 or target in covered:
                continue
            level -= levels
            covered.add(target)
            given.append((ship.name, target, levels))
    return [(ship, target, levels) for ship, target, levels in given if target in dice]


def _choice(
    battle: Battle, squadron: Squadron, ship: Ship, dice: dict[str, int], covered: set[str]
) -> list[tuple[str, int]]:
    """What the owner ordered, or all levels to the ship with the most dice against it."""
    reach = [mate.name for mate in _protected(battle, squadron, ship)]
    orders = [o for o in battle.book.all(GuardOrder, ship.name) if battle.pulse in o.pulses]
    if orders and all(order.target for order in orders):
        return [(order.target, order.levels) for order in orders if order.target in reach]
    endangered = [battle.ships[name] for name in reach if name in dice and name not in covered]
    if not endangered:
        return []
    chosen = min(endangered, key=lambda mate: (-dice[mate.name], mate.structure))
    return [(chosen.name, battle.guardian_level(ship))]


def _protected(battle: Battle, squadron: Squadron, ship: Ship) -> list[Ship]:
    """FA-SPC-2, FA-CMD-4, 5: itself always; its mates while both are in command and the squadron has a commander."""
    if command.is_out_of_command(battle, ship) or command.is_leaderless(battle, squadron):
        return [ship]
    mates = battle.members(squadron)
    return [mate for mate in mates if mate.name == ship.name or not command.is_out_of_command(battle, mate)]


def _tell_guard(battle: Battle, ship: str, target: str, levels: int, shots: Sequence[Shot]) -> None:
    side = battle.side_of(battle.ships[ship])
    facts: dict[str, Any] = {"side": side, "ship": ship, "target": target, "levels": levels}
    battle.tell("guard", "FA-SPC-2", frozenset({side, *(shot.side for shot in shots)}), facts)


# --- tractor beams ---------------------------------------------------------------------------------------------------


def tractor_beams(battle: Battle) -> None:
    """FA-SPC-6: end of turn, holders in side and roster order."""
    for ship in list(battle.everyone(battle.side_order)):
        if battle.book.one(ReleaseOrder, ship.name) is not None and ship.holding:
            _release(battle, ship)
        order = battle.book.one(TractorOrder, ship.name)
        if order is not None and battle.living(ship.name) and not battle.ships[ship.name].holding:
            _grasp(battle, battle.ships[ship.name], order)


def _release(battle: Battle, ship: Ship) -> None:
    target = ship.holding or ""
    held = battle.ships.get(target)
    battle.put(replace(ship, holding=None, powered_off=()))
    if held is not None:
        battle.put(replace(held, held_by=None))
    _tell_tractor(battle, ship, target, (), "released")


def _grasp(battle: Battle, ship: Ship, order: TractorOrder) -> None:
    flight = battle.flights.get(order.target)
    if flight is not None:
        own = flight.side == battle.side_of(ship)
        near = flight.hex is not None and flight.state == "flying" and distance(ship.hex, flight.hex) == 1
        accepts = battle.book.one(AcceptOrder, flight.name) is not None
        holds = own and near and accepts and battle.card(ship).tractor
        if holds:
            battle.put(replace(ship, holding=flight.name))
        _tell_tractor(battle, ship, flight.name, (), "holds" if holds else "breaks free")
        return
    target = battle.living(order.target)
    if target is None or not battle.card(ship).tractor or not _is_alongside(battle, ship, target):
        _tell_tractor(battle, ship, order.target, (), "breaks free")
        return
    rolls, holds = _contest(battle, ship, target)
    target = battle.ships[target.name]
    if target.structure <= 0:
        _tell_tractor(battle, ship, target.name, rolls, "destroyed")
    elif holds:
        _hold(battle, ship, target, order.power)
        _tell_tractor(battle, ship, target.name, rolls, "holds")
    else:
        _tell_tractor(battle, ship, target.name, rolls, "breaks free")


def _is_alongside(battle: Battle, ship: Ship, target: Ship) -> bool:
    """FA-SPC-6: adjacent, with the same speed and heading."""
    mine, other = battle.squadrons[ship.squadron], battle.squadrons[target.squadron]
    same = (mine.speed, mine.heading) == (other.speed, other.heading)
    return distance(ship.hex, target.hex) == 1 and same and not target.held_by and target.holding is None


def _contest(battle: Battle, ship: Ship, target: Ship) -> tuple[list[Roll], bool]:
    """FA-SPC-6, 7: it holds a dead ship, a battered one that cannot tear free, or one that accepts."""
    rows = target.man_left
    if rows.acc == 0 and rows.dec == 0:
        return [], True
    if battle.book.one(AcceptOrder, target.name) is not None:
        return [], True
    battered = target.structure * 100 <= TABLES.tractor_structure * battle.card(target).structure
    if not battered:
        return [], False
    order = battle.book.one(ResistOrder, target.name)
    if order is not None and not order.yes:
        return [], True
    rolls = _resist(battle, ship, target)
    rows = battle.ships[target.name].man_left
    return rolls, rows.acc == 0 and rows.dec == 0


def _resist(battle: Battle, ship: Ship, target: Ship) -> list[Roll]:
    """FA-SPC-7: a d6 for each point of accel and decel: even 1 structure, odd 1 off the larger row."""
    rolls: list[Roll] = []
    for n in range(1, target.man_left.acc + target.man_left.dec + 1):
        current = battle.ships[target.name]
        rows = current.man_left
        if current.structure <= 0 or (rows.acc == 0 and rows.dec == 0):
            break
        roll = battle.roll(6, "tractor", ship.name, target.name, n)
        rolls.append(roll)
        if roll.face % 2 == 0:
            wounding = Wounding(battle, current.name, Struck((), 0, 0), _no_dice)
            wounding.structure(1)
        elif rows.acc >= rows.dec:
            battle.put(replace(current, man_left=replace(rows, acc=rows.acc - 1)))
        else:
            battle.put(replace(current, man_left=replace(rows, dec=rows.dec - 1)))
    return rolls


def _hold(battle: Battle, ship: Ship, target: Ship, power: str) -> None:
    """FA-SPC-8: the held ship becomes a stray; holding costs the holder power."""
    old = battle.squadrons[target.squadron]
    founding.stray(battle, target.name)
    if old.command_ship == target.name and battle.members(battle.squadrons[old.name]):
        succession.lead_by_best(battle, old.name)
    battle.put(replace(battle.ships[target.name], held_by=ship.name))
    battle.put(replace(ship, holding=target.name, powered_off=_powered_off(battle, ship, target, power)))


def _powered_off(battle: Battle, ship: Ship, target: Ship, power: str) -> tuple[int, ...]:
    mounts = battle.mounts(ship)
    if battle.card(target).category != "medium":
        return tuple(number for number, _, _ in mounts)
    for number, mount, _ in mounts:
        if power in (mount.weapon, mount.name):
            return (number,)
    working = [number for number, _, _ in mounts if ship.weapon_left[number]]
    least = min(working, key=lambda number: ship.weapon_left[number], default=None)
    return () if least is None else (least,)


def _tell_tractor(battle: Battle, ship: Ship, target: str, rolls: Sequence[Roll], result: str) -> None:
    side = battle.side_of(ship)
    other = battle.ships.get(target)
    flight = battle.flights.get(target)
    target_side = battle.side_of(other) if other else (flight.side if flight else side)
    facts: dict[str, Any] = {"side": side, "holder": ship.name, "target": target, "target_side": target_side}
    facts |= {"dice": [roll.face for roll in rolls], "result": result}
    battle.tell("tractor", "FA-SPC-6", frozenset({side, target_side}), facts, rolls)


def _no_dice(faces: int, purpose: str) -> Roll:
    """Structure boxes torn off by a tractor beam need no dice of their own."""
    raise AssertionError(f"no d{faces} is rolled for {purpose}")
