"""Grappling and getting loose again (GA-GRP, GA-DIS)."""

from __future__ import annotations

from functools import partial

from games.galleys.data import TABLES
from games.galleys.rules.avoidance import attempt
from games.galleys.rules.track import Track, pay
from games.galleys.state import Level
from games.galleys.table import DIE, Mod, Table, total


def why_not_grapple(table: Table, track: Track) -> str:
    """GA-GRP-1, -2, of the ship alone: the condition that forbids it, or nothing."""
    ship = table.ships[track.name]
    conditions = (
        (track.level is not Level.CRUISE, f"the level is {track.level}, not cruise"),
        (ship.crippled, "it is crippled"),
        (ship.rammed, "it is rammed"),
        (ship.burning, "it is burning"),
        (ship.prize, "it is a prize"),
        (track.tried_ram, "it has tried to ram in this activation"),
        (table.is_held(track.name), f"it is held by {', '.join(table.partners(track.name))}"),
    )
    return next((reason for true, reason in conditions if true), "")


def grapple_mods(table: Table, name: str, target: str) -> list[Mod]:
    """GA-GRP-3: both crews, a helpless target, the corvus."""
    ship, other = table.ships[name], table.ships[target]
    mods = [Mod("crew", ship.crew, ship.side), Mod("target's crew", -other.crew, other.side)]
    if table.is_helpless(target):
        mods.append(Mod("helpless", TABLES.grapple.helpless))
    if has_corvus(table, name):
        mods.append(Mod("corvus", TABLES.grapple.corvus))
    return mods


def has_corvus(table: Table, name: str) -> bool:
    """GA-CRV-1: switch on and the bridge aboard."""
    return table.switches.corvus and table.ships[name].corvus


def grapple(table: Table, track: Track, target: str) -> None:
    """GA-GRP-3: reaction fire, avoidance, one die."""
    attempt(table, track.name, target, "grapple", partial(_throw_hooks, table, track.name, target))


def _throw_hooks(table: Table, name: str, target: str, partly: list[Mod]) -> str:
    mods = grapple_mods(table, name, target) + partly
    die = table.roll(DIE, name, "grapple", target)
    result = "grappled" if die.face + total(mods) >= TABLES.grapple.holds else "no effect"
    corvus = has_corvus(table, name)
    facts = {"ship": name, "target": target, "die": die.face, "result": result, "corvus": corvus}
    table.tell_in_fog("grapple", "GA-GRP-3", facts, (die,), mods=mods)
    if result == "grappled":
        table.link(name, target, "grappled", name if corvus else None)
    return result


# --- disengaging -----------------------------------------------------------------------------------------------------


def wants_loose(table: Table, track: Track) -> list[str]:
    """GA-ORD-11, GA-DIS-4: the linked enemies the ship will roll against now."""
    partners = table.partners(track.name)
    if not partners or table.is_routed(track.name):
        return partners
    ordered = track.orders.disengage
    if ordered:
        return [name for name in partners if not ordered.names or name in ordered.names]
    doctrine = table.doctrine(track.name, "disengage")
    if doctrine == "unless stronger":
        weaker = table.ships[track.name].marines <= sum(table.ships[name].marines for name in partners)
        return partners if weaker else []
    return partners if doctrine == "always" else []


def disengage(table: Table, track: Track) -> None:
    """GA-DIS-1, -2: paid once, one die for each enemy."""
    enemies = wants_loose(table, track)
    if not enemies:
        return
    cost = min(TABLES.disengage.cost, track.left)
    pay(table, track, cost)
    for enemy in enemies:
        _cut_loose(table, track.name, enemy, cost)


def loosening_mods(table: Table, name: str, enemy: str) -> list[Mod]:
    """GA-DIS-2: crew, marines, and the enemy's corvus."""
    ship, other = table.ships[name], table.ships[enemy]
    mods = [Mod("crew", ship.crew, ship.side)]
    if ship.marines != other.marines:
        stronger = TABLES.disengage.stronger
        mods.append(Mod("marines", stronger if ship.marines > other.marines else -stronger))
    if enemy in table.corvus_on(name, enemy):
        mods.append(Mod("corvus", TABLES.disengage.corvus))
    return mods


def _cut_loose(table: Table, name: str, enemy: str, cost: int) -> None:
    mods = loosening_mods(table, name, enemy)
    die = table.roll(DIE, name, "disengages from", enemy)
    free = die.face + total(mods) >= TABLES.disengage.free
    facts = {"ship": name, "from": enemy, "die": die.face, "result": "free" if free else "still held", "cost": cost}
    table.tell_in_fog("disengage", "GA-DIS-2", facts, (die,), mods=mods)
    if free:
        table.unlink(name, enemy)
