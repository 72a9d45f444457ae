"""FA-ELI: electronic support and jamming."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from games.fleet_action.battle import Action, Battle
from games.fleet_action.orders.records import ElintOrder, UseOrder
from games.fleet_action.orders.ships import UNSTATED
from games.fleet_action.rules import command, morale
from games.fleet_action.state import Ship
from games.fleet_action.table import Table
from games.fleet_action.tables import TABLES
from pbem.kit.hexgrid import distance

# FA-ELI-6: in this order a victim's actions are jammed; defensive support and jam-ELINT cannot be.
_JAMMABLE = ("jam-command", "offensive", "jam-fc")
_VS = {"command": "jam-command", "offensive": "offensive", "fc": "jam-fc"}


def required_levels(table: Table, target: Ship) -> int:
    """FA-ELI-5: 1 for a ship, 2 for a command ship, 4 for a flagship."""
    if table.is_flagship(target):
        return 4
    return 2 if table.squadrons[target.squadron].command_ship == target.name else 1


def served(table: Table, ship: Ship, lines: Sequence[ElintOrder], pledged: dict[str, int]) -> list[Action]:
    """FA-ELI-10: lines top to bottom while levels last; what is left over gives defensive support."""
    left = table.elint_level(ship)
    actions: list[Action] = []
    for line in lines:
        wanted = line.levels
        if wanted == UNSTATED:
            target = table.ships[line.targets[0]]
            wanted = min(left, max(0, required_levels(table, target) - pledged.get(target.name, 0)))
        levels = min(wanted, left)
        if levels < 1:
            continue
        left -= levels
        if line.action == "jam-command":
            pledged[line.targets[0]] = pledged.get(line.targets[0], 0) + levels
        actions.append(Action(ship.name, line.action, levels, line.targets, line.vs))
    if left:
        actions.append(Action(ship.name, "defensive", left))
    return actions


def allocate(battle: Battle) -> None:
    """Pre-turn: all actions; jam-ELINT first, then the rest."""
    for side in battle.side_order:
        pledged: dict[str, int] = {}
        for ship in battle.everyone((side,)):
            if battle.elint_level(ship):
                battle.actions += served(battle, ship, battle.book.all(ElintOrder, ship.name), pledged)
    for action in battle.actions:
        action.serves = battle.ships[action.ship].squadron
    _priority_support(battle)
    _jam_elint(battle)
    _jam_command(battle)
    for action in battle.actions:
        if action.kind in ("offensive", "defensive") and action.levels:
            _tell(battle, action, battle.sides_of(action.ship), action.serves)


def _tell(battle: Battle, action: Action, audience: frozenset[str], target: str, *, success: bool = True) -> None:
    facts: dict[str, Any] = {
        "side": battle.side_of(battle.ships[action.ship]),
        "ship": action.ship,
        "action": action.kind,
    }
    facts |= {"target": target, "levels": action.levels, "success": success}
    rules = {"offensive": 2, "defensive": 3, "jam-command": 5, "jam-elint": 6, "jam-fc": 7}
    battle.tell("elint", f"FA-ELI-{rules[action.kind]}", audience, facts)


def _priority_support(battle: Battle) -> None:
    """FA-ABL-7: an ELINT ship of the flag squadron supports another squadron near the flagship."""
    for side in battle.side_order:
        for order in battle.book.of_side(UseOrder, side):
            fleet = battle.fleets[battle.squadrons[battle.ships[order.ship].squadron].fleet]
            used = morale.use(battle, fleet.abilities, "priority-support") if can_support(battle, order) else None
            if used is None:
                continue
            battle.put(replace(fleet, abilities=used))
            for action in battle.actions:
                if action.ship == order.ship and action.kind in ("offensive", "defensive"):
                    action.serves = order.serves
            facts: dict[str, Any] = {"side": side, "commander": fleet.flagship, "ability": "priority-support"}
            effect = f"{order.ship} supports {order.serves}"
            battle.tell("ability", "FA-ABL-7", side, {**facts, "effect": effect})


def can_support(table: Table, order: UseOrder) -> bool:
    """FA-ABL-7: a ship of the flag squadron, and a command ship within 15 hexes of the flagship."""
    ship = table.ships[order.ship]
    flag = table.flagship_of(table.squadrons[ship.squadron])
    served_squadron = table.squadrons[order.serves]
    if flag is None or flag.squadron != ship.squadron or not table.is_on_map(served_squadron):
        return False
    return distance(table.commander(served_squadron).hex, flag.hex) <= TABLES.priority_range


def _jam_elint(battle: Battle) -> None:
    """FA-ELI-6: each level cancels one level in use by an enemy ELINT ship within 35 hexes."""
    for jam in [action for action in battle.actions if action.kind == "jam-elint"]:
        victim = battle.ships[jam.targets[0]]
        in_range = distance(battle.ships[jam.ship].hex, victim.hex) <= TABLES.jam_elint_range
        cancelled = sum(_cancel_one(battle, victim, jam.vs) for _ in range(jam.levels)) if in_range else 0
        audience = battle.sides_of(jam.ship) | (battle.sides_of(victim.name) if cancelled else frozenset())
        _tell(battle, jam, audience, victim.name, success=bool(cancelled))


def _cancel_one(battle: Battle, victim: Ship, vs: str) -> bool:
    first = [_VS[vs]] if vs else []
    for kind in dict.fromkeys([*first, *_JAMMABLE]):
        for action in reversed(battle.actions):
            if action.ship == victim.name and action.kind == kind and action.levels > 0:
                action.levels -= 1
                return True
    return False


def _jam_command(battle: Battle) -> None:
    """FA-ELI-5: enough levels on a target put it, its squadron or its fleet out of command for the turn."""
    for target, jams in _pools(battle).items():
        ship = battle.ships[target]
        success = _holds(battle, jams, ship)
        for jam in jams:
            audience = battle.sides_of(jam.ship) | (battle.sides_of(target) if success else frozenset())
            _tell(battle, jam, audience, target, success=success)
        if success:
            for jam in jams:
                jam.bites = jam.bared = True
            _set_jammed(battle, ship, battle.turn)
        else:
            _drop(jams)


def _pools(battle: Battle) -> dict[str, list[Action]]:
    """FA-ELI-1: levels of several ships of one side may be pooled for one action."""
    pools: dict[str, list[Action]] = {}
    for action in battle.actions:
        if action.kind == "jam-command" and (action.levels or action.bites):
            pools.setdefault(action.targets[0], []).append(action)
    return pools


def _holds(battle: Battle, jams: Sequence[Action], target: Ship) -> bool:
    if target.fate != "in play" or sum(jam.levels for jam in jams) < required_levels(battle, target):
        return False
    near = TABLES.jam_command_range
    return all(distance(battle.ships[jam.ship].hex, target.hex) <= near for jam in jams)


def _drop(jams: Sequence[Action]) -> None:
    """FA-ELI-6: an action left short fails, and its other levels are lost."""
    for jam in jams:
        jam.levels, jam.bites = 0, False


def _set_jammed(battle: Battle, target: Ship, turn: int | None) -> None:
    squadron = battle.squadrons[target.squadron]
    if battle.is_flagship(target):
        fleet = battle.fleets[squadron.fleet]
        ships = [ship for mate in battle.fleet_squadrons(fleet) for ship in battle.members(mate)]
    elif squadron.command_ship == target.name:
        ships = battle.members(squadron)
    else:
        ships = [target]
    for ship in ships:
        battle.put(replace(ship, jammed_turn=turn))


def check_ranges(battle: Battle) -> None:
    """FA-ELI-9: step 3.5, jam command and jam fire control."""
    _end_broken_jams(battle)
    before = battle.fire_control_jammed
    battle.fire_control_jammed = frozenset(
        target
        for action in battle.actions
        if action.kind == "jam-fc" and action.levels and battle.living(action.ship)
        for target in action.targets
        if distance(battle.ships[action.ship].hex, battle.ships[target].hex) <= TABLES.jam_fc_range
    )
    for action in battle.actions:
        for target in action.targets if action.kind == "jam-fc" else ():
            if target in battle.fire_control_jammed - before and battle.living(target):
                _tell(battle, action, battle.sides_of(action.ship) | battle.sides_of(target), target)


def _end_broken_jams(battle: Battle) -> None:
    """FA-ELI-5: a jam out of range or short of levels is lost for the rest of the turn; the others go on."""
    broken = {t: jams for t, jams in _pools(battle).items() if not _holds(battle, jams, battle.ships[t])}
    for target, jams in broken.items():
        if battle.ships[target].fate == "in play":
            _set_jammed(battle, battle.ships[target], None)
        for jam in jams:
            _tell(battle, jam, battle.sides_of(jam.ship) | battle.sides_of(target), target, success=False)
        _drop(jams)
    for target in _pools(battle) if broken else ():
        _set_jammed(battle, battle.ships[target], battle.turn)


def lose_levels(battle: Battle) -> None:
    """FA-ELI-8: a level lost in a step ends the last-listed action at the end of it."""
    for name in dict.fromkeys(action.ship for action in battle.actions):
        ship = battle.ships[name]
        level = battle.elint_level(ship) if ship.fate == "in play" else 0
        mine = [action for action in battle.actions if action.ship == name and action.levels]
        excess = sum(action.levels for action in mine) - level
        for action in reversed(mine):
            lost = min(action.levels, max(0, excess))
            action.levels -= lost
            excess -= lost
    _end_broken_jams(battle)


# --- what it does ----------------------------------------------------------------------------------------------------


def is_fire_control_jammed(battle: Battle, ship: Ship) -> int:
    """FA-ELI-7: 1 if all fire of the ship counts one bracket further."""
    return int(ship.name in battle.fire_control_jammed)


def command_jammers(battle: Battle) -> frozenset[str]:
    """FA-ELI-5: the ships that jam a command network this turn lose bypass protection."""
    return frozenset(action.ship for action in battle.actions if action.bared)


def _support(battle: Battle, squadron: str, kind: str) -> int:
    """FA-ELI-4: support is given by ships in command."""
    total = 0
    for action in battle.actions:
        if action.serves == squadron and action.kind == kind and action.levels:
            giver = battle.ships[action.ship]
            if not command.is_out_of_command(battle, giver):
                total += action.levels
    return total


def _gets_support(battle: Battle, ship: Ship) -> bool:
    squadron = battle.squadrons[ship.squadron]
    return not command.is_out_of_command(battle, ship) and not command.is_leaderless(battle, squadron)


def offensive_support(battle: Battle, ship: Ship, target: Ship) -> int:
    """FA-ELI-2, FA-FIRE-15: only against squadrons whose command ship is within 20 hexes."""
    if not battle.actions or not _gets_support(battle, ship):
        return 0
    here = battle.squadrons[ship.squadron]
    there = battle.squadrons[target.squadron]
    if distance(here.hex, there.hex) > TABLES.support_range:
        return 0
    return _support(battle, here.name, "offensive")


def defensive_support(battle: Battle, ship: Ship) -> int:
    """FA-ELI-3: def of the squadron's ships in command."""
    if not battle.actions or not _gets_support(battle, ship):
        return 0
    return _support(battle, ship.squadron, "defensive")
