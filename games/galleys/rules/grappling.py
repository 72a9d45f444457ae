"""Grappling and getting loose again (GA-GRP, GA-DIS)."""

from __future__ import annotations

from games.galleys.data import TABLES
from games.galleys.rules.avoidance import AVOIDED, PARTIAL, avoid
from games.galleys.rules.battle import Battle, Mod, total
from games.galleys.rules.geometry import Hull, shares_flank_side
from games.galleys.rules.missiles import land_volleys, react
from games.galleys.rules.track import Track, pay, ship_of
from games.galleys.state import Level


def why_not_grapple(battle: Battle, track: Track) -> str:
    """GA-GRP-1, -2, of the ship alone: the condition that forbids it, or nothing."""
    ship = ship_of(battle, track)
    conditions = (
        (track.level is not Level.CRUISE, f"the level is {track.level}, not cruise"),
        (ship.crippled, "it is crippled"),
        (ship.rammed, "it is rammed"),
        (ship.burning, "it is burning"),
        (ship.prize, "it is a prize"),
        (track.tried_ram, "it has tried to ram in this activation"),
        (battle.is_held(track.name), f"it is held by {', '.join(battle.partners(track.name))}"),
    )
    return next((reason for true, reason in conditions if true), "")


def can_hook(battle: Battle, hull: Hull, target: str) -> bool:
    """GA-GRP-1: some hexside is a flank hexside of both."""
    return shares_flank_side(hull, battle.hull(target))


def grapple_mods(battle: Battle, name: str, target: str) -> list[Mod]:
    """GA-GRP-3: both crews, a helpless target, the corvus."""
    ship, other = battle.ship(name), battle.ship(target)
    mods = [Mod("crew", ship.crew, ship.side), Mod("target's crew", -other.crew, other.side)]
    if battle.is_helpless(target):
        mods.append(Mod("helpless", TABLES.grapple.helpless))
    if has_corvus(battle, name):
        mods.append(Mod("corvus", TABLES.grapple.corvus))
    return mods


def has_corvus(battle: Battle, name: str) -> bool:
    """GA-CRV-1: switch on and the bridge aboard."""
    return battle.switches.corvus and battle.ship(name).corvus


def grapple(battle: Battle, track: Track, target: str) -> None:
    """GA-GRP-3: reaction fire, avoidance, one die."""
    name = track.name
    battle.change(name, attacked=True)
    volleys = react(battle, target, name, "grapple")
    result = avoid(battle, target, name, "grapple")
    if result != AVOIDED:
        _throw_hooks(battle, name, target, result)
    land_volleys(battle, volleys)


def _throw_hooks(battle: Battle, name: str, target: str, avoidance: str) -> None:
    mods = grapple_mods(battle, name, target)
    if avoidance == PARTIAL:
        mods.append(Mod("partly avoided", TABLES.avoidance.partial_on_grapple))
    die = battle.roll(name, "grapple", target)
    holds = die.face + total(mods) >= TABLES.grapple.holds
    corvus = has_corvus(battle, name)
    facts = {
        "ship": name,
        "target": target,
        "die": die.face,
        "result": "grappled" if holds else "no effect",
        "corvus": corvus,
    }
    battle.tell("grapple", "GA-GRP-3", facts, mods=mods, rolls=(die,))
    if holds:
        battle.link(name, target, "grappled", name if corvus else None)


# --- disengaging -----------------------------------------------------------------------------------------------------


def wants_loose(battle: Battle, track: Track) -> list[str]:
    """GA-ORD-11, GA-DIS-4: the linked enemies the ship will roll against now."""
    partners = battle.partners(track.name)
    if not partners or battle.is_routed(track.name):
        return partners
    ordered = track.orders.disengage
    if ordered:
        return [name for name in partners if not ordered.names or name in ordered.names]
    doctrine = battle.doctrine(track.name, "disengage")
    if doctrine == "unless stronger":
        weaker = ship_of(battle, track).marines <= sum(battle.ship(name).marines for name in partners)
        return partners if weaker else []
    return partners if doctrine == "always" else []


def disengage(battle: Battle, track: Track) -> None:
    """GA-DIS-1, -2: paid once, one die for each enemy."""
    enemies = wants_loose(battle, track)
    if not enemies:
        return
    cost = min(TABLES.disengage.cost, track.left)
    pay(battle, track, cost)
    for enemy in enemies:
        _cut_loose(battle, track.name, enemy, cost)


def _cut_loose(battle: Battle, name: str, enemy: str, cost: int) -> None:
    ship, other = battle.ship(name), battle.ship(enemy)
    mods = [Mod("crew", ship.crew, ship.side)]
    if ship.marines != other.marines:
        stronger = TABLES.disengage.stronger
        mods.append(Mod("marines", stronger if ship.marines > other.marines else -stronger))
    if enemy in battle.corvus_on(name, enemy):
        mods.append(Mod("corvus", TABLES.disengage.corvus))
    die = battle.roll(name, "disengages from", enemy)
    free = die.face + total(mods) >= TABLES.disengage.free
    facts = {"ship": name, "from": enemy, "die": die.face, "result": "free" if free else "still held", "cost": cost}
    battle.tell("disengage", "GA-DIS-2", facts, mods=mods, rolls=(die,))
    if free:
        battle.unlink(name, enemy)
