"""Orders that survive a moving enemy: what an intent can reach now, and with which ship (GA-ORD-1 to GA-ORD-5)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from games.galleys.data import TABLES
from games.galleys.orders.records import Intent, Move, Path
from games.galleys.rules.anastrophe import Manoeuvre, manoeuvre, why_no_anastrophe
from games.galleys.rules.geometry import Hull, shares_flank_side
from games.galleys.rules.grappling import grapple_mods, why_not_grapple
from games.galleys.rules.raking import Passage, passage, rake_mods, rakeable, why_not_rake
from games.galleys.rules.ramming import RamChance, ram_mods, ram_percent_ok, why_not_ram
from games.galleys.rules.routes import (
    FORWARD,
    THROUGH,
    Route,
    approach_key,
    best,
    follow_key,
    ram_routes,
    routes,
    water_for,
    withdraw_key,
)
from games.galleys.rules.targets import choose, why_gone
from games.galleys.rules.track import Track
from games.galleys.state import Level
from games.galleys.table import Mod, Table, total

Due = Literal["", "ram", "rake", "grapple", "anastrophe"]


@dataclass(frozen=True)
class Movement:
    """What the ship will do in step d: the tokens, and what is due when the last is executed."""

    tokens: str = ""
    due: Due = ""
    target: str = ""
    plotted: bool = False
    """A path the player wrote, on which ``opportunity`` applies."""
    further: int = 0
    """Moves ahead after the last token, as far as MP and space allow."""
    leave: bool = False
    """Cross the exit edge if the next move ahead does (GA-MOV-11)."""
    manoeuvre: Manoeuvre | None = None


HOLD = Movement()


@dataclass(frozen=True)
class Option:
    """One target within reach: the best way to it and what it is worth."""

    worth: int
    movement: Movement
    rank: tuple[int, int, str]
    mods: tuple[Mod, ...] = ()
    """All that is added to the dice of the attack, except avoidance."""
    route: Route | None = None
    """None: an anastrophe, which is no route."""


Reach = tuple[dict[str, Option], str]
"""The best way to each target, or why there is none."""


class Options:
    """What is within reach of a ship at this moment; the enumeration of routes is made once and only when needed."""

    def __init__(self, table: Table, track: Track) -> None:
        self.table = table
        self.track = track

    @cached_property
    def routes(self) -> list[Route]:
        return routes(self.table, self.track.name, self.track.left, self.track.points)

    def of(self, intent: Intent) -> Reach:
        """The targets within reach of an intent, or why the ship has none."""
        finders: dict[str, Callable[[Intent], Reach]] = {
            "ram": self._rams,
            "rake": self._rakes,
            "pass": self._passes,
            "grapple": self._grapples,
            "anastrophe": self._anastrophes,
        }
        return finders[intent.kind](intent)

    def _rams(self, intent: Intent) -> Reach:
        """GA-ORD-3, -4: the best ram of each target."""
        table, track = self.table, self.track
        if track.level is Level.HALF:
            return {}, "the level is half"
        if reason := why_not_ram(table, table.ships[track.name]):
            return {}, reason
        in_reach: dict[str, Option] = {}
        held_back = False
        for way in ram_routes(table, track.name, track.left, track.points):
            if not intent.target.allows(way.target):
                continue
            chance = RamChance(way.target, way.zone, track.level, way.forwards)
            if not ram_percent_ok(table, track.name, chance):
                held_back = True
                continue
            mods = ram_mods(table, track.name, chance)
            _keep(in_reach, mods, way.route, Movement(way.route.tokens, "ram", way.target))
        percent = table.doctrine(track.name, "hold ram")
        return in_reach, f"every ram in reach has less than {percent}% chance" if held_back else self._no_route()

    def _rakes(self, intent: Intent) -> Reach:
        table, track = self.table, self.track
        if reason := why_not_rake(table, track.name):
            return {}, reason
        in_reach: dict[str, Option] = {}
        for route in self.routes:
            if not route.tokens.endswith(FORWARD):
                continue
            for target in rakeable(table, track, route.bow, route.facing):
                if self._is_spared(intent, target):
                    continue
                mods = rake_mods(table, track.name, target, track.level, route.facing)
                _keep(in_reach, mods, route, Movement(route.tokens, "rake", target, further=TABLES.rake.further))
        return in_reach, self._no_route()

    def _is_spared(self, intent: Intent, target: str) -> bool:
        """GA-ORD-3: a selector never picks a ship already crippled; a name may."""
        if intent.target.name:
            return intent.target.name != target
        return self.table.ships[target].crippled

    def _passes(self, intent: Intent) -> Reach:
        table, track = self.table, self.track
        if track.level is not Level.MAX:
            return {}, f"the level is {track.level}, not max"
        if reason := why_not_rake(table, track.name):
            return {}, reason
        water, large = water_for(table, track.name), table.hull(track.name).large
        in_reach: dict[str, Option] = {}
        for route in self.routes:
            if not route.tokens.endswith(FORWARD) or route.cost + TABLES.rake.pass_cost > track.left:
                continue
            through = passage(table, track, Hull(route.bow, route.facing, large), water)
            if isinstance(through, Passage) and not self._is_spared(intent, through.target):
                mods = rake_mods(table, track.name, through.target, track.level, route.facing)
                _keep(in_reach, mods, route, Movement(route.tokens + THROUGH, target=through.target))
        return in_reach, self._no_route()

    def _grapples(self, intent: Intent) -> Reach:
        table, track = self.table, self.track
        if reason := why_not_grapple(table, track):
            return {}, reason
        large = table.hull(track.name).large
        in_reach: dict[str, Option] = {}
        for target in (ship.name for ship in table.enemies(track.side) if intent.target.allows(ship.name)):
            if table.apart(track.name, target) > track.left + 2:
                continue
            hooked, mods = table.hull(target), grapple_mods(table, track.name, target)
            for route in self.routes:
                if shares_flank_side(Hull(route.bow, route.facing, large), hooked):
                    _keep(in_reach, mods, route, Movement(route.tokens, "grapple", target))
                    break
        return in_reach, self._no_route()

    def _anastrophes(self, intent: Intent) -> Reach:
        table, track = self.table, self.track
        if reason := why_no_anastrophe(table, track):
            return {}, reason
        in_reach: dict[str, Option] = {}
        reason = ""
        for enemy in table.enemies(track.side):
            if not intent.target.allows(enemy.name):
                continue
            able = manoeuvre(table, track, enemy.name, intent.side)
            if isinstance(able, str):
                reason = able
                continue
            near = -track.distance_from_start(table, enemy.name)
            movement = Movement(due="anastrophe", target=enemy.name, manoeuvre=able)
            in_reach[enemy.name] = Option(near, movement, (near, 0, ""))
        return in_reach, reason if intent.target.name else "no enemy lies before its bow, facing it"

    def _no_route(self) -> str:
        return f"not reachable with {self.track.left} MP"


def _keep(in_reach: dict[str, Option], mods: list[Mod], route: Route, movement: Movement) -> None:
    """GA-ORD-4: of several ways to one target the best, then the cheapest, then the first by its tokens.

    A pass or a grapple is as good from everywhere.
    """
    worth = total(mods)
    first = -worth if movement.due in ("ram", "rake") else 0
    rank = (first, route.cost, route.tokens)
    if movement.target not in in_reach or rank < in_reach[movement.target].rank:
        in_reach[movement.target] = Option(worth, movement, rank, tuple(mods), route)


# --- the choice ------------------------------------------------------------------------------------------------------


def choose_movement(table: Table, track: Track) -> Movement:
    """GA-ORD-2: the first automatic intent in reach; else the fall-back, the path or the move verb; else hold."""
    options = Options(table, track)
    for intent in track.plan.automatic:
        reachable, reason = options.of(intent)
        target = choose(table, track, intent.target, {name: option.worth for name, option in reachable.items()})
        if target is not None:
            return reachable[target].movement
        skip(table, track, intent, why_gone(table, track, intent.target) or reason)
    return _otherwise(table, track, options)


def skip(table: Table, track: Track, intent: Intent, reason: str) -> None:
    """GA-ORD-2: an intent that could not be carried out says why, to its owner alone."""
    if intent.kind == "anastrophe" and intent.target.name:
        facts = {"ship": track.name, "target": intent.target.name, "lane": None, "side": None, "refused_reason": reason}
        table.tell("anastrophe", "GA-ANA-4", track.side, facts)
    tell_skipped(table, track, str(intent), reason)


def tell_skipped(table: Table, track: Track, order: str, reason: str) -> None:
    facts = {"ship": track.name, "intent": order, "reason": reason}
    table.tell("intent_skipped", "GA-ORD-2", track.side, facts)


def _otherwise(table: Table, track: Track, options: Options) -> Movement:
    fallback = track.plan.fallback
    if isinstance(fallback, Path):
        return Movement(fallback.tokens, plotted=True)
    if fallback is not None:
        return _by_verb(table, track, options, fallback)
    if track.plan.path is not None:
        return Movement(track.plan.path, plotted=True)
    return _by_verb(table, track, options, track.plan.move) if track.plan.move else HOLD


def _by_verb(table: Table, track: Track, options: Options, move: Move) -> Movement:
    """GA-MOV-9 to -11."""
    if move.verb == "approach":
        return _approach(table, track, options, move)
    if move.verb == "follow":
        leader = table.ships[move.target.name]
        if not leader.afloat or leader.side != track.side:
            tell_skipped(table, track, str(move), f"{leader.name} is no longer with us")
            return HOLD
        return Movement(best(options.routes, follow_key(table.hull(leader.name))).tokens)
    if move.verb == "withdraw":
        edge = table.sides[track.side].exit_edge
        return Movement(best(options.routes, withdraw_key(edge, table.sea)).tokens, leave=True)
    return HOLD


def _approach(table: Table, track: Track, options: Options, move: Move) -> Movement:
    """GA-MOV-9, GA-ORD-5: every enemy afloat is a candidate, and ``best`` means nearest."""
    near = {ship.name: -track.distance_from_start(table, ship.name) for ship in table.enemies(track.side)}
    target = choose(table, track, move.target, near)
    if target is None:
        reason = why_gone(table, track, move.target) or "no such enemy is afloat"
        tell_skipped(table, track, str(move), reason)
        return HOLD
    return Movement(best(options.routes, approach_key(table.hull(target))).tokens)
