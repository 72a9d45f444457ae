"""One attack, from hit dice to lost ships: BS-ATK-7, BS-SUP, BS-SHD, BS-DMG, BS-DST and BS-DIS."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from games.battleshift.data import NUMBERS, suppression_factor
from games.battleshift.rules.losses import choose_disabled, choose_loss, destroy, disable, lose_wings
from games.battleshift.rules.table import Battle
from games.battleshift.rules.units import Flight, Quadrant, Ship, Squadron
from pbem.kit.dice import Roll
from pbem.kit.plane import Spot

Disabling = Literal["no", "fire", "ion"]


@dataclass
class Volley:
    """One squadron's share of an attack: its number and its dice."""

    name: str
    key: str
    number: int
    dice: int
    unit: Squadron | Flight | None = None


@dataclass
class Blow:
    """What hits bring with them, whatever fired them."""

    weapon: str
    power: int
    label: tuple[object, ...]
    """Names the attack in the labels of its dice."""
    sources: Sequence[Spot] = ()
    """Where it came from, for the choice of casualties."""
    disabling: Disabling = "no"
    focus: Ship | None = None
    objective: str = ""
    suppresses: bool = True
    die_per_hit: bool = False
    """BS-SHD-3: fighters meet one shield die a hit, whatever the number of shields."""
    heavy_damage: bool = False
    """BS-DMG-1: d3 for each unsaved hit."""
    victims: Sequence[Ship] | None = None
    """BS-DST-4: ships a hazard touched; the highest number goes first."""
    rule: str = "BS-ATK-7"
    attackers: list[Squadron | Flight] = field(default_factory=list)


def attack(battle: Battle, volleys: Sequence[Volley], target: Squadron | Quadrant, blow: Blow) -> int:
    """BS-ATK-1: hit dice of all, then what they do; gives the hits."""
    hits = 0
    rolls: list[Roll] = []
    faces: list[list[int]] = []
    for volley in volleys:
        drawn = battle.rolls(volley.dice, *blow.label, volley.key, "to hit")
        hits += sum(roll.face <= volley.number for roll in drawn)
        rolls += drawn
        faces.append([roll.face for roll in drawn])
    facts = {
        "attackers": [volley.name for volley in volleys],
        "weapon": blow.weapon,
        "target": target.name,
        "numbers": [volley.number for volley in volleys],
        "dice": faces,
        "hits": hits,
        "disable": blow.disabling == "fire",
        "from": [list(spot) for spot in blow.sources],
        "to": list(_spot_of(target)),
        "side": volleys[0].unit.side if volleys and volleys[0].unit else "",
    }
    battle.tell("fire", blow.rule, facts, [*blow.attackers, _seen(target)], rolls)
    strike(battle, target, hits, blow)
    return hits


def _seen(target: Squadron | Quadrant) -> Squadron | None:
    return target if isinstance(target, Squadron) else None


def _spot_of(target: Squadron | Quadrant) -> Spot:
    if isinstance(target, Quadrant):
        return target.body.spot
    leader = target.leader
    return leader.spot if leader else Spot(0, 0)


def strike(battle: Battle, target: Squadron | Quadrant, hits: int, blow: Blow) -> None:
    """Hits that were scored: suppression, shields, damage, destruction."""
    if not hits:
        return
    if isinstance(target, Quadrant):
        strike_quadrant(battle, target, hits, blow)
        return
    ships = len(target.present)
    if blow.suppresses and blow.focus is None:
        suppress(battle, target, hits, ships, blow)
    left = hits - shields(battle, target, hits, ships, blow)
    if left > 0:
        harm(battle, target, damage_of(battle, left, blow), ships, blow)


# --- suppression -----------------------------------------------------------------------------------------------------


def needed_hits(ships: int, size: int) -> int:
    """BS-SUP-1: hits before shields that suppress a squadron."""
    return ships * suppression_factor(size)


def suppress(battle: Battle, target: Squadron, hits: int, ships: int, blow: Blow) -> None:
    """BS-SUP-1..3: enough hits in one attack give a marker, at most one in an enemy activation."""
    target.hits_now += hits
    counted = target.hits_now if battle.switches.suppression_count == "activation" else hits
    if counted < needed_hits(ships, target.size) or target.suppressed_now:
        return
    target.suppressed_now = True
    target.suppression += 1
    facts = {"squadron": target.name, "markers": target.suppression, "side": target.side}
    battle.tell("suppress", "BS-SUP-1", facts, [target, *blow.attackers])


# --- shields ---------------------------------------------------------------------------------------------------------


def shields(battle: Battle, target: Squadron, hits: int, ships: int, blow: Blow) -> int:
    """BS-SHD-2, BS-SHD-3: each die not above hardness less power cancels one hit."""
    need = target.cls.hardness - blow.power
    if need <= 0:
        return 0
    count = shield_dice(target, hits, ships, blow)
    rolls = battle.rolls(count, *blow.label, target.key, "shields")
    saved = min(hits, sum(roll.face <= need for roll in rolls))
    facts = {
        "squadron": target.name,
        "dice": [roll.face for roll in rolls],
        "need": need,
        "saved": saved,
        "hits": hits,
        "side": target.side,
    }
    battle.tell("shields", "BS-SHD-2", facts, [target, *blow.attackers], rolls)
    return saved


def shield_dice(target: Squadron, hits: int, ships: int, blow: Blow) -> int:
    """BS-SHD-2: the shields of every ship hit; a focused attack meets those of one ship."""
    if blow.die_per_hit:
        return hits
    return (1 if blow.focus is not None else min(hits, ships)) * target.cls.shields


# --- damage and destruction ------------------------------------------------------------------------------------------


def damage_of(battle: Battle, hits: int, blow: Blow) -> int:
    """BS-DMG-1: one point each; super heavy d3 each."""
    if not blow.heavy_damage:
        return hits
    rolls = battle.rolls(hits, *blow.label, "damage")
    points = sum((roll.face + 1) // 2 for roll in rolls)
    facts = {"weapon": blow.weapon, "dice": [roll.face for roll in rolls], "points": points}
    battle.tell("damage_dice", "BS-DMG-1", facts, blow.attackers, rolls)
    return points


def destruction_tests(old: int, points: int, total: int, hull: int, count: str = "attack") -> int:
    """BS-DST-1, BS-DST-2: one for each full hull of damage below the total, one for each point at or above it."""
    below = max(0, min(old + points, total - 1) - old)
    above = max(0, old + points - max(old, total - 1))
    if count == "cumulative" and old < total:
        return min(old + points, total - 1) // hull - old // hull + above
    if count == "cumulative":
        return above
    return below // hull + above


def harm(battle: Battle, target: Squadron, points: int, ships: int, blow: Blow) -> None:
    """BS-DMG-1, BS-DST: damage to the pool, then the tests one at a time."""
    tests = destruction_tests(target.damage, points, target.total, target.cls.hull, battle.switches.destruction_count)
    target.damage += points
    facts = {
        "squadron": target.name,
        "points": points,
        "damage": target.damage,
        "total": target.total,
        "side": target.side,
    }
    battle.tell("damage", "BS-DMG-1", facts, [target, *blow.attackers])
    if tests:
        lost = _test(battle, target, tests, blow)
        lose_wings(battle, target, lost, ships)


def _test(battle: Battle, target: Squadron, tests: int, blow: Blow) -> int:
    """BS-DST-3: a die above the save costs a ship at once; gives the number destroyed."""
    at = len(battle.events)
    rolls: list[Roll] = []
    lost = 0
    for number in range(1, tests + 1):
        if not target.present:
            break
        roll = battle.roll(*blow.label, target.key, "destruction", number)
        rolls.append(roll)
        if roll.face > target.cls.save:
            lost += _fail(battle, target, roll, blow)
    facts = {
        "squadron": target.name,
        "count": tests,
        "dice": [roll.face for roll in rolls],
        "save": target.cls.save,
        "side": target.side,
    }
    later = battle.events[at:]
    del battle.events[at:]
    battle.tell("test", "BS-DST-2", facts, [target, *blow.attackers], rolls)
    battle.events.extend(later)
    return lost


def _fail(battle: Battle, target: Squadron, roll: Roll, blow: Blow) -> int:
    """BS-DIS-1, BS-DIS-2: firing to disable destroys only on a 6, ion never; otherwise the ship is destroyed."""
    if blow.disabling == "ion" or (blow.disabling == "fire" and roll.face < 6):
        chosen = choose_disabled(battle, target, blow.sources, blow.focus)
        if chosen is not None:
            disable(battle, chosen)
        return 0
    ship = _touched(target, blow) or choose_loss(battle, target, blow.sources, blow.focus)
    if ship is None:
        return 0
    destroy(battle, ship)
    return 1


def _touched(target: Squadron, blow: Blow) -> Ship | None:
    """BS-DST-4, BS-TF-6: in a hazard the highest-numbered active ship whose path touched it; never the flagship."""
    if blow.victims is None:
        return None
    touched = [ship for ship in blow.victims if ship.status == "active" and ship is not target.flagship]
    return max(touched, key=lambda ship: ship.number, default=None)


# --- quadrants -------------------------------------------------------------------------------------------------------


def strike_quadrant(battle: Battle, quadrant: Quadrant, hits: int, blow: Blow) -> None:
    """BS-PLN-6, BS-PLN-10: one shield die a hit while the damage is below the defence; no tests."""
    rolls: list[Roll] = []
    need = NUMBERS.hardness_planet - blow.power
    saved = 0
    if quadrant.damage < quadrant.body.defence and need > 0:
        rolls = battle.rolls(hits, *blow.label, quadrant.key, "shields")
        saved = sum(roll.face <= need for roll in rolls)
        facts: dict[str, Any] = {
            "squadron": quadrant.name,
            "dice": [roll.face for roll in rolls],
            "need": need,
            "saved": saved,
            "hits": hits,
            "side": quadrant.side,
        }
        battle.tell("shields", "BS-SHD-3", facts, blow.attackers, rolls)
    points = damage_of(battle, hits - saved, blow) if hits > saved else 0
    if points:
        _harm_quadrant(battle, quadrant, points, blow)


def _harm_quadrant(battle: Battle, quadrant: Quadrant, points: int, blow: Blow) -> None:
    for number, objective in enumerate(quadrant.objectives):
        if objective.name == blow.objective:
            quadrant.objectives[number] = replace(objective, damage=objective.damage + points)
            facts = {
                "squadron": objective.name,
                "points": points,
                "damage": objective.damage + points,
                "total": objective.total,
                "side": quadrant.side,
            }
            battle.tell("damage", "BS-PLN-10", facts, blow.attackers)
            return
    quadrant.damage += points
    facts = {
        "squadron": quadrant.name,
        "points": points,
        "damage": quadrant.damage,
        "total": quadrant.body.defence,
        "side": quadrant.side,
    }
    battle.tell("damage", "BS-PLN-6", facts, blow.attackers)
