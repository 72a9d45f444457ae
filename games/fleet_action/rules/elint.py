"""FA-ELI: electronic support and jamming."""

from __future__ import annotations

from collections.abc import Sequence

from games.fleet_action.data import TABLES
from games.fleet_action.orders.records import UNSTATED, ElintOrder, UseOrder
from games.fleet_action.rules import command
from games.fleet_action.state import Ship
from games.fleet_action.table import Action, Table
from pbem.kit.hexgrid import distance

# FA-ELI-6: in this order a victim's actions are jammed; defensive support and jam-ELINT cannot be.
_JAMMABLE = ("jam-command", "offensive", "jam-fc")
_VS = {"command": "jam-command", "offensive": "offensive", "fc": "jam-fc"}


def required_levels(table: Table, target: Ship) -> int:
    """FA-ELI-5: 1 for a ship, 2 for a command ship, 4 for a flagship."""
    if table.is_flagship(target):
        return 4
    return 2 if table.squadron(target).command_ship == target.name else 1


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


def allocate(table: Table) -> None:
    """Pre-turn: all actions; jam-ELINT first, then the rest."""
    for side in table.side_order:
        pledged: dict[str, int] = {}
        for ship in table.everyone((side,)):
            if table.elint_level(ship):
                table.actions += served(table, ship, table.book.all(ElintOrder, ship.name), pledged)
    for action in table.actions:
        action.serves = table.ships[action.ship].squadron
    _priority_support(table)
    _jam_elint(table)
    _jam_command(table)
    for action in table.actions:
        if action.kind in ("offensive", "defensive") and action.levels:
            _tell(table, action, action.serves)


def _tell(table: Table, action: Action, target: str, victim: str = "", *, success: bool = True) -> None:
    """To the owner, and to the side of a victim that feels it."""
    side = table.side_of(table.ships[action.ship])
    audience = {side, table.side_of(table.ships[victim])} if victim else {side}
    facts = {
        "side": side,
        "ship": action.ship,
        "action": action.kind,
        "target": target,
        "levels": action.levels,
        "success": success,
    }
    rules = {"offensive": 2, "defensive": 3, "jam-command": 5, "jam-elint": 6, "jam-fc": 7}
    table.tell("elint", f"FA-ELI-{rules[action.kind]}", audience, facts)


def _priority_support(table: Table) -> None:
    """FA-ABL-7: an ELINT ship of the flag squadron supports another squadron near the flagship."""
    for side in table.side_order:
        for order in table.book.of_side(UseOrder, side):
            fleet = table.fleet(table.squadron(table.ships[order.ship]))
            used = command.use(table, fleet.abilities, "priority-support") if can_support(table, order) else None
            if used is None:
                continue
            table.change(fleet, abilities=used)
            for action in table.actions:
                if action.ship == order.ship and action.kind in ("offensive", "defensive"):
                    action.serves = order.serves
            effect = f"{order.ship} supports {order.serves}"
            command.tell_ability(table, "FA-ABL-7", side, fleet.flagship, "priority-support", effect)


def can_support(table: Table, order: UseOrder) -> bool:
    """FA-ABL-7: a ship of the flag squadron, and a command ship within 15 hexes of the flagship."""
    ship = table.ships[order.ship]
    flag = table.flagship_of(table.squadron(ship))
    served_squadron = table.squadrons[order.serves]
    if flag is None or flag.squadron != ship.squadron or not table.is_on_map(served_squadron):
        return False
    return distance(table.commander(served_squadron).hex, flag.hex) <= TABLES.priority_range


def _jam_elint(table: Table) -> None:
    """FA-ELI-6: each level cancels one level in use by an enemy ELINT ship within 35 hexes."""
    for jam in [action for action in table.actions if action.kind == "jam-elint"]:
        victim = table.ships[jam.targets[0]]
        in_range = distance(table.ships[jam.ship].hex, victim.hex) <= TABLES.jam_elint_range
        cancelled = sum(_cancel_one(table, victim, jam.vs) for _ in range(jam.levels)) if in_range else 0
        _tell(table, jam, victim.name, victim.name if cancelled else "", success=bool(cancelled))


def _cancel_one(table: Table, victim: Ship, vs: str) -> bool:
    first = [_VS[vs]] if vs else []
    for kind in dict.fromkeys([*first, *_JAMMABLE]):
        for action in reversed(table.actions):
            if action.ship == victim.name and action.kind == kind and action.levels > 0:
                action.levels -= 1
                return True
    return False


def _jam_command(table: Table) -> None:
    """FA-ELI-5: enough levels on a target put it, its squadron or its fleet out of command for the turn."""
    for target, jams in _pools(table).items():
        ship = table.ships[target]
        success = _holds(table, jams, ship)
        for jam in jams:
            _tell(table, jam, target, target if success else "", success=success)
        if success:
            for jam in jams:
                jam.bites = jam.bared = True
            _set_jammed(table, ship, table.turn)
        else:
            _drop(jams)


def _pools(table: Table) -> dict[str, list[Action]]:
    """FA-ELI-1: levels of several ships of one side may be pooled for one action."""
    pools: dict[str, list[Action]] = {}
    for action in table.actions:
        if action.kind == "jam-command" and (action.levels or action.bites):
            pools.setdefault(action.targets[0], []).append(action)
    return pools


def _holds(table: Table, jams: Sequence[Action], target: Ship) -> bool:
    if target.fate != "in play" or sum(jam.levels for jam in jams) < required_levels(table, target):
        return False
    near = TABLES.jam_command_range
    return all(distance(table.ships[jam.ship].hex, target.hex) <= near for jam in jams)


def _drop(jams: Sequence[Action]) -> None:
    """FA-ELI-6: an action left short fails, and its other levels are lost."""
    for jam in jams:
        jam.levels, jam.bites = 0, False


def _set_jammed(table: Table, target: Ship, turn: int | None) -> None:
    squadron = table.squadron(target)
    if table.is_flagship(target):
        fleet = table.fleet(squadron)
        ships = [ship for mate in table.fleet_squadrons(fleet) for ship in table.members(mate)]
    elif squadron.command_ship == target.name:
        ships = table.members(squadron)
    else:
        ships = [target]
    for ship in ships:
        table.change(ship, jammed_turn=turn)


def check_ranges(table: Table) -> None:
    """FA-ELI-9: step 3.5, jam command and jam fire control."""
    _end_broken_jams(table)
    before = table.fire_control_jammed
    table.fire_control_jammed = frozenset(
        target
        for action in table.actions
        if action.kind == "jam-fc" and action.levels and table.living(action.ship)
        for target in action.targets
        if distance(table.ships[action.ship].hex, table.ships[target].hex) <= TABLES.jam_fc_range
    )
    for action in table.actions:
        for target in action.targets if action.kind == "jam-fc" else ():
            if target in table.fire_control_jammed - before and table.living(target):
                _tell(table, action, target, target)


def _end_broken_jams(table: Table) -> None:
    """FA-ELI-5: a jam out of range or short of levels is lost for the rest of the turn; the others go on."""
    broken = {t: jams for t, jams in _pools(table).items() if not _holds(table, jams, table.ships[t])}
    for target, jams in broken.items():
        if table.ships[target].fate == "in play":
            _set_jammed(table, table.ships[target], None)
        for jam in jams:
            _tell(table, jam, target, target, success=False)
        _drop(jams)
    for target in _pools(table) if broken else ():
        _set_jammed(table, table.ships[target], table.turn)


def lose_levels(table: Table) -> None:
    """FA-ELI-8: a level lost in a step ends the last-listed action at the end of it."""
    for name in dict.fromkeys(action.ship for action in table.actions):
        ship = table.ships[name]
        level = table.elint_level(ship) if ship.fate == "in play" else 0
        mine = [action for action in table.actions if action.ship == name and action.levels]
        excess = sum(action.levels for action in mine) - level
        for action in reversed(mine):
            lost = min(action.levels, max(0, excess))
            action.levels -= lost
            excess -= lost
    _end_broken_jams(table)


# --- what it does ----------------------------------------------------------------------------------------------------


def is_fire_control_jammed(table: Table, ship: Ship) -> int:
    """FA-ELI-7: 1 if all fire of the ship counts one bracket further."""
    return int(ship.name in table.fire_control_jammed)


def command_jammers(table: Table) -> frozenset[str]:
    """FA-ELI-5: the ships that jam a command network this turn lose bypass protection."""
    return frozenset(action.ship for action in table.actions if action.bared)


def _support(table: Table, squadron: str, kind: str) -> int:
    """FA-ELI-4: support is given by ships in command."""
    total = 0
    for action in table.actions:
        if action.serves == squadron and action.kind == kind and action.levels:
            giver = table.ships[action.ship]
            if not command.is_out_of_command(table, giver):
                total += action.levels
    return total


def _gets_support(table: Table, ship: Ship) -> bool:
    squadron = table.squadron(ship)
    return not command.is_out_of_command(table, ship) and not command.is_leaderless(table, squadron)


def offensive_support(table: Table, ship: Ship, target: Ship) -> int:
    """FA-ELI-2, FA-FIRE-15: only against squadrons whose command ship is within 20 hexes."""
    if not table.actions or not _gets_support(table, ship):
        return 0
    here = table.squadron(ship)
    there = table.squadron(target)
    if distance(here.hex, there.hex) > TABLES.support_range:
        return 0
    return _support(table, here.name, "offensive")


def defensive_support(table: Table, ship: Ship) -> int:
    """FA-ELI-3: def of the squadron's ships in command."""
    if not table.actions or not _gets_support(table, ship):
        return 0
    return _support(table, ship.squadron, "defensive")
