"""Squadrons and ships in action (GA-SEQ, GA-ACT, GA-ORD-14): the steps a to g of one ship's activation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from games.galleys.data import TABLES
from games.galleys.orders.plans import Intent
from games.galleys.rules.anastrophe import perform
from games.galleys.rules.battle import Battle, total
from games.galleys.rules.fatigue import tire
from games.galleys.rules.geometry import ahead
from games.galleys.rules.grappling import can_hook, disengage, grapple, grapple_mods, why_not_grapple
from games.galleys.rules.intents import Movement, choose_movement, skip
from games.galleys.rules.movement import execute, exit_map, may_exit_now, open_passage
from games.galleys.rules.own_fire import fire_at_end, fire_at_start, fire_when_able
from games.galleys.rules.raking import Passage, pass_through, rake, rake_mods, raked_now, why_not_rake
from games.galleys.rules.ramming import ram, ram_percent_ok, ram_position, why_not_ram
from games.galleys.rules.routes import FORWARD, THROUGH, water_for
from games.galleys.rules.speed import movement_points
from games.galleys.rules.targets import choose, why_gone
from games.galleys.rules.track import Track, begin, pay, ship_of, tell_move
from games.galleys.state import Level


def activate_ships(battle: Battle, squadron: str, sequence: tuple[str, ...]) -> None:
    """Section 3, step 4: each ship of the squadron performs its whole activation before the next starts."""
    for name in battle.ships:
        if battle.ship(name).reacted:
            battle.change(name, reacted=False)
    for name in acting_order(battle, squadron, sequence):
        if battle.ship(name).afloat:
            activate(battle, name)
    battle.squadrons[squadron] = replace(battle.squadrons[squadron], activated=True)


def acting_order(battle: Battle, squadron: str, sequence: tuple[str, ...]) -> list[str]:
    """The order given, then unlisted ships by roster, prizes last."""
    ships = [ship for ship in battle.afloat() if ship.squadron == squadron]
    listed = [name for name in sequence if any(ship.name == name for ship in ships)]
    others = [ship.name for ship in ships if ship.name not in listed and not ship.prize]
    return listed + others + [ship.name for ship in ships if ship.name not in listed and ship.prize]


def activate(battle: Battle, name: str) -> None:
    """GA-ACT-1: the steps a to g."""
    track = begin(battle, name)
    _jettison(battle, track)
    disengage(battle, track)
    track.start = battle.hull(name)
    _sail(battle, track)
    tell_move(battle, track)
    if not battle.ship(name).afloat:
        return
    fire_at_end(battle, track)
    _grapple_at_end(battle, track)
    tire(battle, track)
    _close(battle, track)


def _jettison(battle: Battle, track: Track) -> None:
    """GA-JET-1, -2: towers overboard for 1 MP, and one more at Maximum at once."""
    ship = ship_of(battle, track)
    if not track.orders.jettison or not ship.towers or ship.rammed or ship.prize or battle.is_routed(track.name):
        return
    if track.left < TABLES.movement.jettison:
        return
    ship = battle.change(track.name, towers=False, jettisoned=True, flame=False)
    track.points = track.left = movement_points(ship, battle.class_of(track.name), track.level, battle.switches)
    pay(battle, track, TABLES.movement.jettison)
    battle.tell("jettison", "GA-JET-1", {"ship": track.name})


def _close(battle: Battle, track: Track) -> None:
    """Step g: the debt is paid, the level remembered; a ship that spent nothing has lost its way."""
    ship = ship_of(battle, track)
    battle.change(track.name, debt=0, last_level=track.level if ship.spent else Level.HALF)


# --- step d ----------------------------------------------------------------------------------------------------------


def _sail(battle: Battle, track: Track) -> None:
    """GA-ORD-14: fire, the choice of movement, watched intents, and token by token."""
    fire_at_start(battle, track)
    if battle.is_held(track.name):
        holders = ", ".join(battle.partners(track.name))
        for intent in track.plan.intents:
            skip(battle, track, intent, f"held by {holders}")
        return
    movement = choose_movement(battle, track)
    if movement.manoeuvre:
        perform(battle, track, movement.manoeuvre)
        return
    _watch(battle, track)
    _row(battle, track, movement)
    _tell_missed(battle, track)


def _tell_missed(battle: Battle, track: Track) -> None:
    """GA-ORD-2: a watched attack that found no chance says so."""
    if not battle.ship(track.name).afloat:
        return
    for intent in track.plan.watched:
        if intent.kind == "grapple" or intent in track.met:
            continue
        tell_move(battle, track)
        skip(battle, track, intent, why_gone(battle, track, intent.target) or _why_missed(battle, track, intent))


def _why_missed(battle: Battle, track: Track, intent: Intent) -> str:
    if intent.kind != "ram":
        return why_not_rake(battle, track.name) or "the path gave no chance of it"
    if track.level is Level.HALF:
        return "the level is half"
    if not track.fit_to_ram:
        return "the path turned without moving ahead, or circled"
    return why_not_ram(battle, ship_of(battle, track)) or "the path gave no chance of it"


def _row(battle: Battle, track: Track, movement: Movement) -> None:
    """Step d (4): token by token."""
    tokens = movement.tokens
    if not tokens and not track.stopped:
        _strike_due(battle, track, movement)
    while tokens and not track.stopped:
        execute(battle, track, tokens[0])
        tokens = tokens[1:]
        if track.stopped:
            break
        fire_when_able(battle, track)
        if not tokens:
            _strike_due(battle, track, movement)
        _watch(battle, track)
        if movement.plotted:
            _take_opportunity(battle, track)
        tokens = _watch_pass(battle, track, tokens)
    if not track.stopped:
        _row_on(battle, track, movement)


def _strike_due(battle: Battle, track: Track, movement: Movement) -> None:
    """The attack an automatic route was made for; a ship set alight on the way may no longer ram (GA-FIR-1)."""
    if movement.due == "ram" and not why_not_ram(battle, ship_of(battle, track)):
        chance = ram_position(battle, track)
        assert chance is not None
        tell_move(battle, track)
        ram(battle, track, chance)
    elif movement.due == "rake":
        tell_move(battle, track)
        rake(battle, track, movement.target)
    elif movement.due == "grapple":
        track.grapple = movement.target


def _row_on(battle: Battle, track: Track, movement: Movement) -> None:
    """GA-ORD-4: up to two moves ahead after a rake; GA-MOV-11: over the edge after a withdrawal."""
    for _ in range(movement.further):
        hull, water = battle.hull(track.name), water_for(battle, track.name)
        entered = ahead(hull.bow, hull.facing)
        if track.stopped or not water.is_free(entered) or water.cost_of(entered) > track.left:
            return
        execute(battle, track, FORWARD)
        fire_when_able(battle, track)
        _watch(battle, track)
    if movement.leave and may_exit_now(battle, track):
        pay(battle, track, 1)
        exit_map(battle, track)


# --- watched intents -------------------------------------------------------------------------------------------------


def _watch(battle: Battle, track: Track) -> None:
    """GA-ORD-6: after every token, the watched intents in the order they are listed."""
    for intent in track.plan.watched:
        if track.stopped:
            return
        if intent.kind == "ram":
            _watch_ram(battle, track, intent)
        elif intent.kind == "rake" and track.tokens.endswith(FORWARD):
            _watch_rake(battle, track, intent)


def _watch_ram(battle: Battle, track: Track, intent: Intent) -> None:
    """GA-RAM-1 to -4 hold, and the chance is not below ``hold ram below``."""
    chance = ram_position(battle, track)
    if (
        chance is None
        or not track.fit_to_ram
        or track.level is Level.HALF
        or why_not_ram(battle, ship_of(battle, track))
    ):
        return
    if choose(battle, track, intent.target, {chance.target: 0}) and ram_percent_ok(battle, track.name, chance):
        tell_move(battle, track)
        track.met.add(intent)
        ram(battle, track, chance)


def _watch_rake(battle: Battle, track: Track, intent: Intent) -> None:
    if why_not_rake(battle, track.name):
        return
    facing = battle.hull(track.name).facing
    worth = {
        name: total(rake_mods(battle, track.name, name, track.level, facing))
        for name in raked_now(battle, track)
        if intent.target.name or not battle.ship(name).crippled
    }
    target = choose(battle, track, intent.target, worth)
    if target is not None:
        tell_move(battle, track)
        track.met.add(intent)
        rake(battle, track, target)


def _take_opportunity(battle: Battle, track: Track) -> None:
    """GA-ORD-7: with ``opportunity on`` every qualifying move ahead of a path is a rake."""
    if battle.doctrine(track.name, "opportunity") != "on" or why_not_rake(battle, track.name):
        return
    if not track.tokens.endswith(FORWARD):
        return
    for target in raked_now(battle, track):
        if not track.stopped and not battle.ship(target).crippled:
            tell_move(battle, track)
            rake(battle, track, target)


def _watch_pass(battle: Battle, track: Track, tokens: str) -> str:
    """GA-ORD-6: a watched pass takes the place of the next T or F, or follows the last token; returns what is left."""
    if track.stopped or not track.tokens.endswith(FORWARD) or tokens[:1] not in ("", FORWARD, THROUGH):
        return tokens
    for intent in track.plan.watched:
        through = open_passage(battle, track) if intent.kind == "pass" else ""
        if not isinstance(through, Passage):
            continue
        fits = intent.target.name or not battle.ship(through.target).crippled
        if fits and choose(battle, track, intent.target, {through.target: 0}):
            track.met.add(intent)
            pass_through(battle, track, through)
            if not track.stopped:
                fire_when_able(battle, track)
                _watch(battle, track)
            return tokens[1:]
    return tokens


# --- step e ----------------------------------------------------------------------------------------------------------


def _grapple_at_end(battle: Battle, track: Track) -> None:
    """GA-GRP-1, -2: one attempt, after the movement."""
    watched = [intent for intent in track.plan.watched if intent.kind == "grapple"]
    if not track.grapple and not watched:
        return
    reason = why_not_grapple(battle, track)
    hull = battle.hull(track.name)
    beside = [] if reason else [e.name for e in battle.enemies(track.side) if can_hook(battle, hull, e.name)]
    if track.grapple in beside:
        grapple(battle, track, track.grapple)
        return
    worth = {name: total(grapple_mods(battle, track.name, name)) for name in beside}
    for intent in watched:
        target = choose(battle, track, intent.target, worth)
        if target is not None:
            grapple(battle, track, target)
            return
        skip(battle, track, intent, reason or "not alongside at the end of the movement")


# --- the segment -----------------------------------------------------------------------------------------------------


def movement_segment(
    battle: Battle, lists: Mapping[str, tuple[str, ...]], sequences: Mapping[str, tuple[str, ...]]
) -> None:
    """GA-SEQ-1 to -3: the sides activate their squadrons in turn; a side with none left is skipped."""
    sides = [battle.first_side, battle.state.enemy_of(battle.first_side)]
    index = sum(squadron.activated for squadron in battle.squadrons.values())
    if _activated(battle, sides[0]) > _activated(battle, sides[1]):
        # A situation may begin in the middle of the segment: the side that is one behind goes on.
        sides.reverse()
    while any(_next_squadron(battle, side, lists[side]) for side in sides):
        for side in sides:
            squadron = _next_squadron(battle, side, lists[side])
            if squadron is None:
                continue
            index += 1
            battle.activation = squadron
            battle.step = f"activation {index}: {squadron}"
            battle.tell("activation", "GA-SEQ-1", {"side": side, "squadron": squadron, "index": index})
            activate_ships(battle, squadron, sequences.get(squadron, ()))


def _activated(battle: Battle, side: str) -> int:
    return sum(squadron.activated for squadron in battle.squadrons.values() if squadron.side == side)


def _next_squadron(battle: Battle, side: str, listed: tuple[str, ...]) -> str | None:
    """GA-SEQ-2: the first unactivated squadron of the list, then of the roster, that has a ship on the map."""
    own = [name for name, squadron in battle.squadrons.items() if squadron.side == side]
    order = [name for name in listed if name in own] + [name for name in own if name not in listed]
    present = {ship.squadron for ship in battle.afloat()}
    return next((name for name in order if not battle.squadrons[name].activated and name in present), None)
