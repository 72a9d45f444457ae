"""Section 9: what is told of fire and damage, and to whom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.fleet_action.battle import Battle, printed
from games.fleet_action.data import ARCS, BRACKETS
from games.fleet_action.rules import damage
from games.fleet_action.rules.damage import GREY
from games.fleet_action.rules.shots import Shot
from games.fleet_action.tables import TABLES


def tell_fire(battle: Battle, shot: Shot) -> None:
    """Section 9: in full to the two sides, without dice to others."""
    firer = battle.ships.get(shot.firer) or battle.flights[shot.firer]
    target = battle.ships.get(shot.target) or battle.flights[shot.target]
    modifiers = {
        "sensor": shot.sensor,
        "offensive": shot.offensive,
        "bypass": shot.bypass,
        "def": shot.defence,
        "style": shot.style,
        "defensive": shot.defensive,
        "guardian": shot.guardian,
        "interceptor": shot.interceptor,
        "range": TABLES.range_modifier[shot.bracket],
        "count": shot.extra.get("count", 0),
        "anti_ship": shot.extra.get("anti_ship", 0),
        "strike": shot.extra.get("strike", 0),
    }
    facts = {
        "side": shot.side,
        "firer": shot.firer,
        "firer_kind": shot.firer_kind,
        "target": shot.target,
        "target_kind": shot.target_kind,
        "target_side": shot.target_side,
        "weapon": shot.weapon,
        "weapon_name": shot.weapon_name,
        "x": shot.x,
        "dice": [roll.face for roll in shot.dice],
        "need": shot.need,
        "hits": len(shot.totals),
        "distance": shot.distance,
        "bracket": BRACKETS[shot.bracket],
        "arc": None if shot.arc is None else ARCS[shot.arc],
        "modifiers": modifiers,
        "full": True,
        "firer_hex": printed(firer.hex),
        "target_hex": printed(target.hex),
        "lost": False,
    }
    concerned = frozenset({shot.side, shot.target_side})
    battle.tell(shot.kind, shot.rule, concerned, facts, shot.dice)
    if others := battle.audience - concerned:
        battle.tell(shot.kind, shot.rule, others, {**facts, "dice": [], "need": None, "modifiers": {}, "full": False})


def damage_facts(
    shot: Shot, armour: int, results: Sequence[dict[str, object]], marks: Sequence[str], kills: int
) -> dict[str, object]:
    arc = None if shot.struck is None else ARCS[shot.struck.manoeuvre_arc]
    return {
        "side": shot.target_side,
        "target": shot.target,
        "firer": shot.firer,
        "firer_side": shot.side,
        "weapon": shot.weapon,
        "weapon_name": shot.weapon_name,
        "arc": arc,
        "armour": armour,
        "results": list(results),
        "marks": damage.in_words(marks),
        "structure": None,
        "kills": kills,
        "full": True,
    }


def tell_damage(battle: Battle, shot: Shot, wounds: damage.Wounds, armour: int) -> None:
    """Section 8: the target knows exactly; the scorer the effects; others that it was hit."""
    battle.blame[shot.target] = shot.firer
    facts = damage_facts(shot, armour, wounds.results, wounds.marks, 0)
    left = battle.ships[shot.target].structure
    if shot.side == shot.target_side:
        battle.tell("damage", "FA-DMG-2", shot.target_side, {**facts, "structure": left}, wounds.rolls)
    else:
        battle.tell("damage", "FA-DMG-2", shot.target_side, {**facts, "structure": left}, wounds.rolls)
        seen = left if battle.state.switches.fog == "open" else None
        told = {**_without_grey(facts), "structure": seen, "full": False}
        battle.tell("damage", "FA-DMG-2", shot.side, told, wounds.rolls)
    tell_third_parties(battle, shot)


def _without_grey(facts: dict[str, object]) -> dict[str, object]:
    """Section 8: morale is the owner's secret, so the scorer is not told of grey boxes."""
    results = [{**result, "marks": [m for m in result["marks"] if m != GREY]} for result in facts["results"]]  # type: ignore[attr-defined]
    marks = [mark for mark in facts["marks"] if not mark.endswith(GREY)]  # type: ignore[attr-defined]
    return {**facts, "results": results, "marks": marks}


def tell_third_parties(battle: Battle, shot: Shot) -> None:
    others = battle.others(shot.side, shot.target_side)
    if others and shot.totals:
        facts: dict[str, Any] = {
            "side": shot.target_side,
            "target": shot.target,
            "firer": shot.firer,
            "weapon": shot.weapon,
        }
        hits = {"weapon_name": shot.weapon_name, "hits": len(shot.totals)}
        battle.tell("hit", "FA-FIRE-7", others, {**facts, **hits})
