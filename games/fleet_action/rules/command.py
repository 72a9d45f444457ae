"""FA-CMD: command ships, flagships, and what happens when they are lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from games.fleet_action.data import TABLES
from games.fleet_action.state import Ability, Fleet, Ship, Squadron
from games.fleet_action.table import Table


def command_radius(table: Table, side: str) -> int:
    """FA-CMD-2, 3: five hexes, or by navy."""
    if not table.state.switches.navy_radius:
        return TABLES.command_radius
    return TABLES.navy_radius.get(table.sides[side].navy, TABLES.command_radius)


def abilities(table: Table, squadron: Squadron) -> tuple[Ability, ...]:
    """What the commander owns; in the flag squadron that is the admiral."""
    fleet = table.fleet(squadron)
    flag = table.ships.get(fleet.flagship)
    admirals = fleet.abilities if flag is not None and flag.squadron == squadron.name else ()
    return (*squadron.abilities, *admirals)


def use(table: Table, abilities: Sequence[Ability], key: str) -> tuple[Ability, ...] | None:
    """FA-ABL-1: the abilities after one use of this one, or None; a commander uses one triggered ability a turn."""
    if any(ability.used_turn == table.turn for ability in abilities):
        return None
    for n, ability in enumerate(abilities):
        alive = not ability.ship or table.ships[ability.ship].fate == "in play"
        if ability.key == key and (ability.uses is None or ability.uses > 0) and (alive or key == "rapid-net-change"):
            left = None if ability.uses is None else ability.uses - 1
            return (*abilities[:n], replace(ability, uses=left, used_turn=table.turn), *abilities[n + 1 :])
    return None


def spend(table: Table, squadron: Squadron, key: str) -> bool:
    """FA-ABL-1: one use of an ability, the commander's own or else his admiral's; False: neither can."""
    used = use(table, squadron.abilities, key)
    if used is not None:
        table.change(squadron, abilities=used)
        return True
    fleet = table.fleet(squadron)
    used = use(table, fleet.abilities, key)
    if used is None or table.flagship_of(squadron) is None:
        return False
    table.change(fleet, abilities=used)
    return True


def tell_command(table: Table, rule: str, unit: Squadron | Fleet, cause: str, effect: str) -> None:
    """What befell a command; its owner alone is told."""
    squadron, fleet = (unit.name, None) if isinstance(unit, Squadron) else (None, unit.name)
    facts = {"side": unit.side, "squadron": squadron, "fleet": fleet, "cause": cause, "effect": effect}
    table.tell("command", rule, unit.side, facts)


def tell_ability(table: Table, rule: str, side: str, commander: str, ability: str, effect: str) -> None:
    facts = {"side": side, "commander": commander, "ability": ability, "effect": effect}
    table.tell("ability", rule, side, facts)


def is_leaderless(table: Table, squadron: Squadron) -> bool:
    """FA-CMD-5: its commander was destroyed last turn, and the successor is not yet in office."""
    return squadron.lost_commander_turn is not None and squadron.lost_commander_turn == table.state.turn - 1


def is_flagless(table: Table, squadron: Squadron) -> bool:
    """FA-CMD-8: its fleet lost the flagship last turn."""
    return table.fleet(squadron).flagless_turn == table.state.turn - 1


def is_jammed(table: Table, ship: Ship) -> bool:
    """FA-ELI-5: its command is jammed this turn."""
    return ship.jammed_turn is not None and ship.jammed_turn == table.state.turn


def is_out_of_command(table: Table, ship: Ship) -> bool:
    """FA-CMD-2, 14: beyond the command radius, jammed, or a stray."""
    return ship.command == "ooc" or is_jammed(table, ship) or is_stray(table.squadron(ship))


def is_stray(squadron: Squadron) -> bool:
    """FA-CMD-6: a ship on its own, out of command."""
    return squadron.stray


def ranks_out_of_command(table: Table, squadron: Squadron) -> bool:
    """FA-SEQ-2: category 1."""
    if is_leaderless(table, squadron) or is_stray(squadron):
        return True
    return is_jammed(table, table.commander(squadron))


def has_elint_support(table: Table, squadron: Squadron) -> bool:
    """FA-SEQ-2: it has a ship with ELINT levels left, or receives priority support (FA-ABL-7)."""
    return any(table.elint_level(ship) for ship in table.members(squadron))


def has_fighter_ops(table: Table, squadron: Squadron) -> bool:
    """FA-ABL-6, FA-CMD-5: an Ex-Fighter Ops Commander leads it; not while it is without a commander."""
    owned = any(ability.key == "ex-fighter-ops" for ability in abilities(table, squadron))
    return owned and not is_leaderless(table, squadron)
