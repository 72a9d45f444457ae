"""Section 9: what is told, and to whom; the kinds of events and their facts, and the telling of fire and damage.

Every event has the facts ``turn`` and ``pulse`` (0: before the pulses, 4: end of turn). Hexes are printed (``"2014"``),
headings are 1-6. Where audiences may know different amounts there is one event for each of them, with the same
facts; what an audience may not know is None or empty.

==============  ====================================================================================================
kind            facts
==============  ====================================================================================================
order_error     side, unit, text, code, reason, instead            an order that became impossible; owner
deploy          side, squadron, hex, heading, speed, ships         D1 and D2 closed; all
fleet_speed     side, side_name, speed                             FA-DEP-2; all
style           side, squadron, die, style                         FA-CMD-16; owner
enter           side, squadron, hex, heading, way, ships           FA-JMP-9, FA-REI-5; way: vortex, gate, edge; all
speed           side, squadron, old, new                           all
move            side, squadron, from, to, path, hexes, heading, speed, ships: [{name, from, to}]; all
shift           side, squadron, ship, from, to                     all
detach          side, ship, squadron, to                           the ship leaves squadron, founds "to"; all
join            side, ship, squadron                               all
mission         side, flight, mission, goal                        owner
launch          side, flight, ship, hex, count, fighter_class      all
land            side, flight, ship, hex, count, fighter_class      all
flight_move     side, flight, from, to, hexes, burn                all
mine_launch     side, squadron, launchers, hex, ships, impact_turn, impact_pulse, delay; all
mine_burst      side, squadron, launchers, hex, radius, results: [{unit, side, die, modifier, hit}]; all
salvo           side, weapon, weapon_name, firer, target, target_side, x, impact_turn, impact_pulse; all
impact          as fire, for ballistics that arrive; lost: true if the target was gone
fire            side, firer, firer_kind (ship, flight), target, target_kind, target_side, weapon, weapon_name, x,
                dice, need, hits, distance, bracket, arc, modifiers: {sensor, offensive, bypass, def, style, defensive,
                guardian, interceptor, range, count, anti_ship, strike}, full, firer_hex, target_hex
                full: false for third parties (no dice, need None, modifiers empty)
damage          side (target's), target, firer, weapon, weapon_name, arc, armour, results: [{die, severity, marks}],
                marks (in words), structure (left; owner only), kills (fighters), full; target's and scorer's sides
hit             side (target's), target, firer, weapon, weapon_name, hits    third parties
af              side, ship, weapon, weapon_name, flight, target_side, long, x, dice, need, hits, kills, absorbed_by,
                left, full
dogfight        hex, flights: [{flight, side, count, die, total, against, margin, kills}], losses: [{flight, side,
                lost, left}], started, ended; all
drift           hex, to, direction, distance, joined; all
loss            side, unit, unit_kind (ship, flight, fighters), squadron, cause, grey, hex, count; all
guard           side, ship, target, levels                         owner and firers' sides
elint           side, ship, action (offensive, defensive, jam-command, jam-elint, jam-fc), target, levels, success;
                owner, and the victim when it bites
command         side, squadron, fleet, cause, effect               owner
ability         side, commander, ability, effect                   owner; all when its effect is seen
morale          side, squadron, level, morale, die, modifier, threshold, result (holds, withdraws), reroll; owner
withdraw        side, squadron, cause (order, morale)              all
jump            side, squadron, ship, hex                          the vortex opens; all
exit            side, squadron, ships, flights, way (edge, jump, gate); all
vortex          side, hex, direction, squadron, opener, open_turn  all (rolls: owner's copy)
reinforce       side, fleet, die, result (arrives, delayed, never), arrives; owner; arrival: all
tractor         side, holder, target, target_side, dice, result (holds, breaks free, released, destroyed); both
score           side, points: {side: points}, final                per section 8
victory         winners, result (decisive, marginal, draw), reason, points: {side: points}; all
==============  ====================================================================================================
"""

from __future__ import annotations

from collections.abc import Sequence

from games.fleet_action.data import ARCS, BRACKETS, TABLES
from games.fleet_action.rules import damage
from games.fleet_action.rules.damage import GREY
from games.fleet_action.rules.shots import Shot
from games.fleet_action.state import Flight
from games.fleet_action.table import Table, printed
from pbem.kit.hexgrid import Hex

KINDS = (
    "order_error",
    "deploy",
    "fleet_speed",
    "style",
    "enter",
    "speed",
    "move",
    "shift",
    "detach",
    "join",
    "mission",
    "launch",
    "land",
    "flight_move",
    "mine_launch",
    "mine_burst",
    "salvo",
    "impact",
    "fire",
    "damage",
    "hit",
    "af",
    "dogfight",
    "drift",
    "loss",
    "guard",
    "elint",
    "command",
    "ability",
    "morale",
    "withdraw",
    "jump",
    "exit",
    "vortex",
    "reinforce",
    "tractor",
    "score",
    "victory",
)


def tell_fire(table: Table, shot: Shot) -> None:
    """Section 9: in full to the two sides, without dice to others."""
    firer = table.ships.get(shot.firer) or table.flights[shot.firer]
    target = table.ships.get(shot.target) or table.flights[shot.target]
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
    table.tell(shot.kind, shot.rule, concerned, facts, shot.dice)
    if others := table.audience - concerned:
        table.tell(shot.kind, shot.rule, others, {**facts, "dice": [], "need": None, "modifiers": {}, "full": False})


def tell_flight_lost(
    table: Table, rule: str, seen_by: frozenset[str], flight: Flight, at: Hex | None, cause: str
) -> None:
    """The flight as it was before it was lost."""
    facts = {
        "side": flight.side,
        "unit": flight.name,
        "unit_kind": "flight",
        "squadron": None,
        "cause": cause,
        "grey": 0,
        "hex": printed(at),
        "count": flight.count,
    }
    table.tell("loss", rule, seen_by, facts)


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


def tell_damage(table: Table, shot: Shot, wounds: damage.Wounds, armour: int) -> None:
    """Section 8: the target knows exactly; the scorer the effects; others that it was hit."""
    table.blame[shot.target] = shot.firer
    facts = damage_facts(shot, armour, wounds.results, wounds.marks, 0)
    left = table.ships[shot.target].structure
    table.tell("damage", "FA-DMG-2", shot.target_side, {**facts, "structure": left}, wounds.rolls)
    if shot.side != shot.target_side:
        seen = left if table.state.switches.fog == "open" else None
        effects = {**_without_grey(facts), "structure": seen, "full": False}
        table.tell("damage", "FA-DMG-2", shot.side, effects, wounds.rolls)
    tell_third_parties(table, shot)


def _without_grey(facts: dict[str, object]) -> dict[str, object]:
    """Section 8: morale is the owner's secret, so the scorer is not told of grey boxes."""
    results = [{**result, "marks": [m for m in result["marks"] if m != GREY]} for result in facts["results"]]  # type: ignore[attr-defined]
    marks = [mark for mark in facts["marks"] if not mark.endswith(GREY)]  # type: ignore[attr-defined]
    return {**facts, "results": results, "marks": marks}


def tell_third_parties(table: Table, shot: Shot) -> None:
    others = table.others(shot.side, shot.target_side)
    if others and shot.totals:
        facts = {
            "side": shot.target_side,
            "target": shot.target,
            "firer": shot.firer,
            "weapon": shot.weapon,
            "weapon_name": shot.weapon_name,
            "hits": len(shot.totals),
        }
        table.tell("hit", "FA-FIRE-7", others, facts)
