"""Squadrons and ships in action (GA-SEQ, GA-ACT, GA-ORD-14): the steps a to g of one ship's activation."""

from __future__ import annotations

from collections.abc import Mapping

from games.galleys.data import TABLES
from games.galleys.orders.records import Intent
from games.galleys.rules.anastrophe import perform
from games.galleys.rules.fatigue import tire
from games.galleys.rules.geometry import ahead, shares_flank_side
from games.galleys.rules.grappling import disengage, grapple, grapple_mods, why_not_grapple
from games.galleys.rules.intents import Movement, choose_movement, skip
from games.galleys.rules.movement import execute, exit_map, may_exit_now, open_passage
from games.galleys.rules.own_fire import fire_at_end, fire_at_start, fire_when_able
from games.galleys.rules.raking import Passage, pass_through, rake, rake_mods, raked_now, why_not_rake
from games.galleys.rules.ramming import ram, ram_percent_ok, ram_position, why_not_ram
from games.galleys.rules.routes import FORWARD, THROUGH, water_for
from games.galleys.rules.speed import movement_points
from games.galleys.rules.targets import choose, why_gone
from games.galleys.rules.track import Track, begin, pay, tell_move
from games.galleys.state import Level
from games.galleys.table import Table, total


def activate_ships(table: Table, squadron: str, sequence: tuple[str, ...]) -> None:
    """Section 3, step 4: each ship of the squadron performs its whole activation before the next starts."""
    for ship in list(table.ships.values()):
        if ship.reacted:
            table.change(ship, reacted=False)
    for name in acting_order(table, squadron, sequence):
        if table.ships[name].afloat:
            activate(table, name)
    table.change(table.squadrons[squadron], activated=True)


def acting_order(table: Table, squadron: str, sequence: tuple[str, ...]) -> list[str]:
    """The order given, then unlisted ships by roster, prizes last."""
    ships = [ship for ship in table.afloat() if ship.squadron == squadron]
    listed = [name for name in sequence if any(ship.name == name for ship in ships)]
    others = [ship.name for ship in ships if ship.name not in listed and not ship.prize]
    return listed + others + [ship.name for ship in ships if ship.name not in listed and ship.prize]


def activate(table: Table, name: str) -> None:
    """GA-ACT-1: the steps a to g."""
    track = begin(table, name)
    _jettison(table, track)
    disengage(table, track)
    track.start = table.hull(name)
    _sail(table, track)
    tell_move(table, track)
    if not table.ships[name].afloat:
        return
    fire_at_end(table, track)
    _grapple_at_end(table, track)
    tire(table, track)
    _close(table, track)


def _jettison(table: Table, track: Track) -> None:
    """GA-JET-1, -2: towers overboard for 1 MP, and one more at Maximum at once."""
    ship = table.ships[track.name]
    if not track.orders.jettison or not ship.towers or ship.rammed or ship.prize or table.is_routed(track.name):
        return
    if track.left < TABLES.movement.jettison:
        return
    ship = table.change(ship, towers=False, jettisoned=True, flame=False)
    track.points = track.left = movement_points(ship, table.class_of(track.name), track.level, table.switches)
    pay(table, track, TABLES.movement.jettison)
    table.tell("jettison", "GA-JET-1", table.sides, {"ship": track.name})


def _close(table: Table, track: Track) -> None:
    """Step g: the debt is paid, the level remembered; a ship that spent nothing has lost its way."""
    ship = table.ships[track.name]
    table.change(ship, debt=0, last_level=track.level if ship.spent else Level.HALF)


# --- step d ----------------------------------------------------------------------------------------------------------


def _sail(table: Table, track: Track) -> None:
    """GA-ORD-14: fire, the choice of movement, watched intents, and token by token."""
    fire_at_start(table, track)
    if table.is_held(track.name):
        holders = ", ".join(table.partners(track.name))
        for intent in track.plan.intents:
            skip(table, track, intent, f"held by {holders}")
        return
    movement = choose_movement(table, track)
    if movement.manoeuvre:
        perform(table, track, movement.manoeuvre)
        return
    _watch(table, track)
    _row(table, track, movement)
    _tell_missed(table, track)


def _tell_missed(table: Table, track: Track) -> None:
    """GA-ORD-2: a watched attack that found no chance says so."""
    if not table.ships[track.name].afloat:
        return
    for intent in track.plan.watched:
        if intent.kind == "grapple" or intent in track.met:
            continue
        tell_move(table, track)
        skip(table, track, intent, why_gone(table, track, intent.target) or _why_missed(table, track, intent))


def _why_missed(table: Table, track: Track, intent: Intent) -> str:
    if intent.kind != "ram":
        return why_not_rake(table, track.name) or "the path gave no chance of it"
    if track.level is Level.HALF:
        return "the level is half"
    if not track.fit_to_ram:
        return "the path turned without moving ahead, or circled"
    return why_not_ram(table, table.ships[track.name]) or "the path gave no chance of it"


def _row(table: Table, track: Track, movement: Movement) -> None:
    """Step d (4): token by token."""
    tokens = movement.tokens
    if not tokens and not track.stopped:
        _strike_due(table, track, movement)
    while tokens and not track.stopped:
        execute(table, track, tokens[0])
        tokens = tokens[1:]
        if track.stopped:
            break
        fire_when_able(table, track)
        if not tokens:
            _strike_due(table, track, movement)
        _watch(table, track)
        if movement.plotted:
            _take_opportunity(table, track)
        tokens = _watch_pass(table, track, tokens)
    if not track.stopped:
        _row_on(table, track, movement)


def _strike_due(table: Table, track: Track, movement: Movement) -> None:
    """The attack an automatic route was made for; a ship set alight on the way may no longer ram (GA-FIR-1)."""
    if movement.due == "ram" and not why_not_ram(table, table.ships[track.name]):
        chance = ram_position(table, track)
        assert chance is not None
        tell_move(table, track)
        ram(table, track, chance)
    elif movement.due == "rake":
        tell_move(table, track)
        rake(table, track, movement.target)
    elif movement.due == "grapple":
        track.grapple = movement.target


def _row_on(table: Table, track: Track, movement: Movement) -> None:
    """GA-ORD-4: up to two moves ahead after a rake; GA-MOV-11: over the edge after a withdrawal."""
    for _ in range(movement.further):
        hull, water = table.hull(track.name), water_for(table, track.name)
        entered = ahead(hull.bow, hull.facing)
        if track.stopped or not water.is_free(entered) or water.cost_of(entered) > track.left:
            return
        execute(table, track, FORWARD)
        fire_when_able(table, track)
        _watch(table, track)
    if movement.leave and may_exit_now(table, track):
        pay(table, track, 1)
        exit_map(table, track)


# --- watched intents -------------------------------------------------------------------------------------------------


def _watch(table: Table, track: Track) -> None:
    """GA-ORD-6: after every token, the watched intents in the order they are listed."""
    for intent in track.plan.watched:
        if track.stopped:
            return
        if intent.kind == "ram":
            _watch_ram(table, track, intent)
        elif intent.kind == "rake" and track.tokens.endswith(FORWARD):
            _watch_rake(table, track, intent)


def _watch_ram(table: Table, track: Track, intent: Intent) -> None:
    """GA-RAM-1 to -4 hold, and the chance is not below ``hold ram below``."""
    chance = ram_position(table, track)
    if (
        chance is None
        or not track.fit_to_ram
        or track.level is Level.HALF
        or why_not_ram(table, table.ships[track.name])
    ):
        return
    if choose(table, track, intent.target, {chance.target: 0}) and ram_percent_ok(table, track.name, chance):
        tell_move(table, track)
        track.met.add(intent)
        ram(table, track, chance)


def _watch_rake(table: Table, track: Track, intent: Intent) -> None:
    if why_not_rake(table, track.name):
        return
    facing = table.hull(track.name).facing
    worth = {
        name: total(rake_mods(table, track.name, name, track.level, facing))
        for name in raked_now(table, track)
        if intent.target.name or not table.ships[name].crippled
    }
    target = choose(table, track, intent.target, worth)
    if target is not None:
        tell_move(table, track)
        track.met.add(intent)
        rake(table, track, target)


def _take_opportunity(table: Table, track: Track) -> None:
    """GA-ORD-7: with ``opportunity on`` every qualifying move ahead of a path is a rake."""
    if table.doctrine(track.name, "opportunity") != "on" or why_not_rake(table, track.name):
        return
    if not track.tokens.endswith(FORWARD):
        return
    for target in raked_now(table, track):
        if not track.stopped and not table.ships[target].crippled:
            tell_move(table, track)
            rake(table, track, target)


def _watch_pass(table: Table, track: Track, tokens: str) -> str:
    """GA-ORD-6: a watched pass takes the place of the next T or F, or follows the last token; returns what is left."""
    if track.stopped or not track.tokens.endswith(FORWARD) or tokens[:1] not in ("", FORWARD, THROUGH):
        return tokens
    for intent in track.plan.watched:
        through = open_passage(table, track) if intent.kind == "pass" else ""
        if not isinstance(through, Passage):
            continue
        fits = intent.target.name or not table.ships[through.target].crippled
        if fits and choose(table, track, intent.target, {through.target: 0}):
            track.met.add(intent)
            pass_through(table, track, through)
            if not track.stopped:
                fire_when_able(table, track)
                _watch(table, track)
            return tokens[1:]
    return tokens


# --- step e ----------------------------------------------------------------------------------------------------------


def _grapple_at_end(table: Table, track: Track) -> None:
    """GA-GRP-1, -2: one attempt, after the movement."""
    watched = [intent for intent in track.plan.watched if intent.kind == "grapple"]
    if not track.grapple and not watched:
        return
    reason = why_not_grapple(table, track)
    hull = table.hull(track.name)
    enemies = [] if reason else [enemy.name for enemy in table.enemies(track.side)]
    beside = [name for name in enemies if shares_flank_side(hull, table.hull(name))]
    if track.grapple in beside:
        grapple(table, track, track.grapple)
        return
    worth = {name: total(grapple_mods(table, track.name, name)) for name in beside}
    for intent in watched:
        target = choose(table, track, intent.target, worth)
        if target is not None:
            grapple(table, track, target)
            return
        skip(table, track, intent, reason or "not alongside at the end of the movement")


# --- the segment -----------------------------------------------------------------------------------------------------


def movement_segment(table: Table, sequences: Mapping[str, tuple[str, ...]]) -> None:
    """GA-SEQ-1 to -3: the sides activate their squadrons in turn; a side with none left is skipped."""
    sides = [table.first_side, table.state.enemy_of(table.first_side)]
    index = sum(squadron.activated for squadron in table.squadrons.values())
    if _activated(table, sides[0]) > _activated(table, sides[1]):
        # A situation may begin in the middle of the segment: the side that is one behind goes on.
        sides.reverse()
    while any(_next_squadron(table, side) for side in sides):
        for side in sides:
            squadron = _next_squadron(table, side)
            if squadron is None:
                continue
            index += 1
            table.activation = squadron
            table.step = f"activation {index}: {squadron}"
            facts = {"side": side, "squadron": squadron, "index": index}
            table.tell("activation", "GA-SEQ-1", table.sides, facts)
            activate_ships(table, squadron, sequences.get(squadron, ()))


def _activated(table: Table, side: str) -> int:
    return sum(squadron.activated for squadron in table.squadrons.values() if squadron.side == side)


def _next_squadron(table: Table, side: str) -> str | None:
    """GA-SEQ-2: the first unactivated squadron of the list, then of the roster, that has a ship on the map."""
    listed = table.sides[side].activate_list
    own = [name for name, squadron in table.squadrons.items() if squadron.side == side]
    order = [name for name in listed if name in own] + [name for name in own if name not in listed]
    present = {ship.squadron for ship in table.afloat()}
    return next((name for name in order if not table.squadrons[name].activated and name in present), None)
