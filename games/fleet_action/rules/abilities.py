"""FA-ABL: what commanders and admirals can do; costs and how many they may own."""

from __future__ import annotations

from games.fleet_action.data import TABLES
from games.fleet_action.orders.records import AbsorbOrder, DetachOrder
from games.fleet_action.rules import command, founding
from games.fleet_action.rules.command import is_leaderless, is_out_of_command
from games.fleet_action.state import Ability, Ship, Squadron
from games.fleet_action.table import Table
from pbem.kit.hexgrid import distance

REORGANIZATION = "command-reorganization"
NETWORK = "improved-command-network"


def fresh(key: str, ship: str) -> Ability:
    """An ability that has not been used yet, of the commander aboard this ship."""
    return Ability(key, TABLES.ability[key].uses or None, None, ship)


def most_abilities(cr: int) -> int:
    """FA-ABL-1: one for every four points of cr, at least one."""
    return max(1, cr // TABLES.abilities_per_cr)


def improved_cr(cr: int) -> int:
    """FA-ABL-3: a quarter more, rounded up."""
    return -(-cr * 5 // 4)


def command_rating(table: Table, squadron: Squadron, ship: Ship) -> int:
    """FA-ABL-3: cr, improved where the commander's network is."""
    networks = [ability for ability in command.abilities(table, squadron) if ability.key == NETWORK]
    cr = table.card(ship).cr
    return improved_cr(cr) if any(network.ship == ship.name for network in networks) else cr


def cost(key: str, cr: int, reinforcements: int = 0) -> int:
    """FA-ABL: the price of an ability; the network by points gained, the planner by 500 points of reinforcements."""
    points = TABLES.ability[key].points
    if key == NETWORK:
        return points * (improved_cr(cr) - cr)
    if key == "strategic-planner":
        return points * -(-reinforcements // TABLES.planner_per)
    return points


def detach(table: Table) -> None:
    """FA-CMD-15: pre-turn; the ship is a stray from this turn on."""
    for squadron in table.in_play():
        for order in table.book.all(DetachOrder, squadron.name):
            ship = table.ships[order.ship]
            if ship.squadron == squadron.name and ship.fate == "in play" and ship.name != squadron.command_ship:
                founding.stray(table, ship.name)


def reorganize(table: Table) -> None:
    """FA-ABL-4: one use takes in any number of own ships out of command, while there is room."""
    for squadron in table.in_play():
        orders = table.book.all(AbsorbOrder, squadron.name)
        if orders and owner_of(table, squadron, REORGANIZATION) and command.spend(table, squadron, REORGANIZATION):
            effect = f"{squadron.name} takes in ships out of command"
            command.tell_ability(table, "FA-ABL-4", squadron.side, squadron.command_ship, REORGANIZATION, effect)
            for name in orders[0].ships:
                if why_not_absorbed(table, table.squadrons[squadron.name], name) is None:
                    founding.join(table, name, table.squadrons[squadron.name])


def owner_of(table: Table, squadron: Squadron, key: str) -> str:
    """FA-ABL-1: who can apply a squadron ability here: the commander, or his admiral."""
    if any(ability.key == key for ability in squadron.abilities) and not is_leaderless(table, squadron):
        return squadron.name
    fleet = table.fleet(squadron)
    owned = any(ability.key == key for ability in fleet.abilities)
    return fleet.name if owned and table.flagship_of(squadron) is not None else ""


def why_not_absorbed(table: Table, squadron: Squadron, name: str) -> str | None:
    """FA-ABL-4: in reach, out of command, and room for it; None: it can be taken in."""
    ship = table.ships[name]
    own = table.squadron(ship)
    leader = table.commander(squadron)
    rating = command_rating(table, squadron, leader)
    members = len(table.members(squadron))
    radius = command.command_radius(table, squadron.side)
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
