"""One attack, from hit dice to lost ships: BS-ATK-7, BS-SUP, BS-SHD, BS-DMG, BS-DST and BS-DIS."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, Literal

from games.battleshift.data import DIE, NUMBERS, suppression_factor
from games.battleshift.rules.losses import choose_disabled, choose_loss, destroy, disable, lose_wings
from games.battleshift.rules.sight import spot_of
from games.battleshift.rules.units import Flight, Quadrant, Ship, Squadron
from games.battleshift.table import Table, faces, scored
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


def attack(table: Table, volleys: Sequence[Volley], target: Squadron | Quadrant, blow: Blow) -> int:
    """BS-ATK-1: hit dice of all, then what they do; gives the hits."""
    drawn = [table.rolls(volley.dice, *blow.label, volley.key, "to hit") for volley in volleys]
    hits = sum(scored(rolls, volley.number) for rolls, volley in zip(drawn, volleys, strict=True))
    facts = {
        "attackers": [volley.name for volley in volleys],
        "weapon": blow.weapon,
        "target": target.name,
        "numbers": [volley.number for volley in volleys],
        "dice": [faces(rolls) for rolls in drawn],
        "hits": hits,
        "disable": blow.disabling == "fire",
        "from": [list(spot) for spot in blow.sources],
        "to": list(spot_of(target)),
        "side": volleys[0].unit.side if volleys and volleys[0].unit else "",
    }
    seen = target if isinstance(target, Squadron) else None
    table.tell_in_sight("fire", blow.rule, [*blow.attackers, seen], facts, list(chain(*drawn)))
    strike(table, target, hits, blow)
    return hits


def strike(table: Table, target: Squadron | Quadrant, hits: int, blow: Blow) -> None:
    """Hits that were scored: suppression, shields, damage, destruction."""
    if not hits:
        return
    if isinstance(target, Quadrant):
        strike_quadrant(table, target, hits, blow)
        return
    ships = len(target.present)
    if blow.suppresses and blow.focus is None:
        suppress(table, target, hits, ships, blow)
    left = hits - shields(table, target, hits, ships, blow)
    if left > 0:
        harm(table, target, damage_of(table, left, blow), ships, blow)


# --- suppression -----------------------------------------------------------------------------------------------------


def needed_hits(ships: int, size: int) -> int:
    """BS-SUP-1: hits before shields that suppress a squadron."""
    return ships * suppression_factor(size)


def suppress(table: Table, target: Squadron, hits: int, ships: int, blow: Blow) -> None:
    """BS-SUP-1..3: enough hits in one attack give a marker, at most one in an enemy activation."""
    target.mark(hits_now=target.now.flags.hits_now + hits)
    counted = target.now.flags.hits_now if table.switches.suppression_count == "activation" else hits
    if counted < needed_hits(ships, target.size) or target.now.flags.suppressed_now:
        return
    target.mark(suppressed_now=True)
    add_marker(table, target, "BS-SUP-1", blow.attackers)


def add_marker(table: Table, squadron: Squadron, rule: str, by: Sequence[Squadron | Flight] = ()) -> None:
    squadron.change(suppression=squadron.now.suppression + 1)
    facts = {"squadron": squadron.name, "markers": squadron.now.suppression, "side": squadron.side}
    table.tell_in_sight("suppress", rule, [squadron, *by], facts)


# --- shields ---------------------------------------------------------------------------------------------------------


def shields(table: Table, target: Squadron, hits: int, ships: int, blow: Blow) -> int:
    """BS-SHD-2, BS-SHD-3: each die not above hardness less power cancels one hit."""
    need = target.cls.hardness - blow.power
    count = shield_dice(target, hits, ships, blow)
    return _cancelled(table, target, hits, count, need, "BS-SHD-2", blow) if need > 0 else 0


def _cancelled(
    table: Table, target: Squadron | Quadrant, hits: int, count: int, need: int, rule: str, blow: Blow
) -> int:
    rolls = table.rolls(count, *blow.label, target.key, "shields")
    name, side, saved = target.name, target.side, min(hits, scored(rolls, need))
    facts = {"squadron": name, "dice": faces(rolls), "need": need, "saved": saved, "hits": hits, "side": side}
    seen = [target] if isinstance(target, Squadron) else []
    table.tell_in_sight("shields", rule, [*seen, *blow.attackers], facts, rolls)
    return saved


def shield_dice(target: Squadron, hits: int, ships: int, blow: Blow) -> int:
    """BS-SHD-2: the shields of every ship hit; a focused attack meets those of one ship."""
    if blow.die_per_hit:
        return hits
    return (1 if blow.focus is not None else min(hits, ships)) * target.cls.shields


# --- damage and destruction ------------------------------------------------------------------------------------------


def damage_of(table: Table, hits: int, blow: Blow) -> int:
    """BS-DMG-1: one point each; super heavy d3 each."""
    if not blow.heavy_damage:
        return hits
    rolls = table.rolls(hits, *blow.label, "damage")
    points = sum((roll.face + 1) // 2 for roll in rolls)
    facts = {"weapon": blow.weapon, "dice": faces(rolls), "points": points}
    table.tell_in_sight("damage_dice", "BS-DMG-1", blow.attackers, facts, rolls)
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


def harm(table: Table, target: Squadron, points: int, ships: int, blow: Blow) -> None:
    """BS-DMG-1, BS-DST: damage to the pool, then the tests one at a time."""
    tests = destruction_tests(
        target.now.damage, points, target.now.total, target.cls.hull, table.switches.destruction_count
    )
    target.change(damage=target.now.damage + points)
    facts = _damage(target.name, points, target.now.damage, target.now.total, target.side)
    table.tell_in_sight("damage", "BS-DMG-1", [target, *blow.attackers], facts)
    if tests:
        lost = _test(table, target, tests, blow)
        lose_wings(table, target, lost, ships)


def _damage(name: str, points: int, damage: int, total: int, side: str) -> dict[str, Any]:
    return {"squadron": name, "points": points, "damage": damage, "total": total, "side": side}


def _test(table: Table, target: Squadron, tests: int, blow: Blow) -> int:
    """BS-DST-3: a die above the save costs a ship at once; gives the number destroyed."""
    at = len(table.events)
    rolls: list[Roll] = []
    lost = 0
    for number in range(1, tests + 1):
        if not target.present:
            break
        roll = table.roll(DIE, *blow.label, target.key, "destruction", number)
        rolls.append(roll)
        if roll.face > target.cls.save:
            lost += _fail(table, target, roll, blow)
    save, side = target.cls.save, target.side
    facts = {"squadron": target.name, "count": tests, "dice": faces(rolls), "save": save, "side": side}
    later = table.events[at:]
    del table.events[at:]
    table.tell_in_sight("test", "BS-DST-2", [target, *blow.attackers], facts, rolls)
    table.events.extend(later)
    return lost


def _fail(table: Table, target: Squadron, roll: Roll, blow: Blow) -> int:
    """BS-DIS-1, BS-DIS-2: firing to disable destroys only on a 6, ion never; otherwise the ship is destroyed."""
    if blow.disabling == "ion" or (blow.disabling == "fire" and roll.face < 6):
        chosen = choose_disabled(table, target, blow.sources, blow.focus)
        if chosen is not None:
            disable(table, chosen)
        return 0
    ship = _touched(target, blow) or choose_loss(table, target, blow.sources, blow.focus)
    if ship is None:
        return 0
    destroy(table, ship)
    return 1


def _touched(target: Squadron, blow: Blow) -> Ship | None:
    """BS-DST-4, BS-TF-6: in a hazard the highest-numbered active ship whose path touched it; never the flagship."""
    if blow.victims is None:
        return None
    touched = [ship for ship in blow.victims if ship.now.status == "active" and ship is not target.flagship]
    return max(touched, key=lambda ship: ship.number, default=None)


# --- quadrants -------------------------------------------------------------------------------------------------------


def strike_quadrant(table: Table, quadrant: Quadrant, hits: int, blow: Blow) -> None:
    """BS-PLN-6, BS-PLN-10: one shield die a hit while the damage is below the defence; no tests."""
    need = NUMBERS.hardness_planet - blow.power
    saved = 0
    if quadrant.now.damage < quadrant.body.now.defence and need > 0:
        saved = _cancelled(table, quadrant, hits, hits, need, "BS-SHD-3", blow)
    if hits > saved:
        _harm_quadrant(table, quadrant, damage_of(table, hits - saved, blow), blow)


def _harm_quadrant(table: Table, quadrant: Quadrant, points: int, blow: Blow) -> None:
    aimed = next((goal for goal in quadrant.now.objectives if goal.name == blow.objective), None)
    if aimed is not None:
        hurt = replace(aimed, damage=aimed.damage + points)
        quadrant.change(objectives=tuple(hurt if goal is aimed else goal for goal in quadrant.now.objectives))
        facts = _damage(hurt.name, points, hurt.damage, hurt.total, quadrant.side)
    else:
        quadrant.change(damage=quadrant.now.damage + points)
        facts = _damage(quadrant.name, points, quadrant.now.damage, quadrant.body.now.defence, quadrant.side)
    table.tell_in_sight("damage", "BS-PLN-10" if aimed is not None else "BS-PLN-6", blow.attackers, facts)
