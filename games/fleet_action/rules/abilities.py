"""FA-ABL: what commanders and admirals can do; costs and how many they may own."""

from __future__ import annotations

from dataclasses import replace

from games.fleet_action.battle import Battle
from games.fleet_action.orders.records import AbsorbOrder, DetachOrder
from games.fleet_action.rules import founding, morale
from games.fleet_action.rules.command import is_leaderless, is_out_of_command
from games.fleet_action.state import Squadron
from games.fleet_action.table import Table
from games.fleet_action.tables import TABLES
from pbem.kit.hexgrid import distance

REORGANIZATION = "command-reorganization"


def most_abilities(cr: int) -> int:
    """FA-ABL-1: one for every four points of cr, at least one."""
    return max(1, cr // TABLES.abilities_per_cr)


def improved_cr(cr: int) -> int:
    """FA-ABL-3: a quarter more, rounded up."""
    return -(-cr * 5 // 4)


def cost(key: str, cr: int, reinforcements: int = 0) -> int:
    """FA-ABL: the price of an ability; the network by points gained, the planner by 500 points of reinforcements."""
    points = TABLES.ability[key].points
    if key == "improved-command-network":
        return points * (improved_cr(cr) - cr)
    if key == "strategic-planner":
        return points * -(-reinforcements // TABLES.planner_per)
    return points


def detach(battle: Battle) -> None:
    """FA-CMD-15: pre-turn; the ship is a stray from this turn on."""
    for squadron in battle.in_play():
        for order in battle.book.all(DetachOrder, squadron.name):
            ship = battle.ships[order.ship]
            if ship.squadron == squadron.name and ship.fate == "in play" and ship.name != squadron.command_ship:
                founding.stray(battle, ship.name)


def reorganize(battle: Battle) -> None:
    """FA-ABL-4: one use takes in any number of own ships out of command, while there is room."""
    for squadron in battle.in_play():
        orders = battle.book.all(AbsorbOrder, squadron.name)
        if orders and owner_of(battle, squadron, REORGANIZATION) and _spend(battle, squadron):
            facts = {"side": squadron.side, "commander": squadron.command_ship, "ability": REORGANIZATION}
            effect = f"{squadron.name} takes in ships out of command"
            battle.tell("ability", "FA-ABL-4", squadron.side, {**facts, "effect": effect})
            for name in orders[0].ships:
                if why_not_absorbed(battle, battle.squadrons[squadron.name], name) is None:
                    founding.join(battle, name, battle.squadrons[squadron.name])


def owner_of(table: Table, squadron: Squadron, key: str) -> str:
    """FA-ABL-1: who can apply a squadron ability here: the commander, or his admiral."""
    if any(ability.key == key for ability in squadron.abilities) and not is_leaderless(table, squadron):
        return squadron.name
    fleet = table.fleets[squadron.fleet]
    owned = any(ability.key == key for ability in fleet.abilities)
    return fleet.name if owned and table.flagship_of(squadron) is not None else ""


def _spend(battle: Battle, squadron: Squadron) -> bool:
    used = morale.use(battle, squadron.abilities, REORGANIZATION)
    if used is not None:
        battle.put(replace(squadron, abilities=used))
        return True
    fleet = battle.fleets[squadron.fleet]
    used = morale.use(battle, fleet.abilities, REORGANIZATION)
    if used is None:
        return False
    battle.put(replace(fleet, abilities=used))
    return True


def why_not_absorbed(table: Table, squadron: Squadron, name: str) -> str | None:
    """FA-ABL-4: in reach, out of command, and room for it; None: it can be taken in."""
    ship = table.ships[name]
    own = table.squadrons[ship.squadron]
    leader = table.commander(squadron)
    rating = table.command_rating(squadron, leader)
    members = len(table.members(squadron))
    radius = table.command_radius(squadron.side)
    far = distance(ship.hex, leader.hex)
    if own.side != squadron.side or ship.squadron == squadron.name:
        return f"{name} is no ship of yours outside {squadron.name}"
    if not is_out_of_command(table, ship) or (ship.name == own.command_ship and not own.stray):
        return f"{name} is in command"
    if far > radius:
        return f"{name} is {far} hexes away, the command radius is {radius}"
    if members >= rating:
        return f"{squadron.name} has {members} ships, its cr is {rating}"
    return None
