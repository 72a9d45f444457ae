"""Section 9: the kinds of events and their facts.

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
