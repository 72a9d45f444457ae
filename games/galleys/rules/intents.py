"""Orders that survive a moving enemy: what an intent can reach now, and with which ship (GA-ORD-1 to GA-ORD-5)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from games.galleys.data import TABLES
from games.galleys.orders.plans import Intent, Move, Path
from games.galleys.rules.anastrophe import Manoeuvre, manoeuvre, why_no_anastrophe
from games.galleys.rules.battle import Battle, total
from games.galleys.rules.geometry import Hull
from games.galleys.rules.grappling import can_hook, grapple_mods, why_not_grapple
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
from games.galleys.rules.track import Track, ship_of
from games.galleys.state import Level

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


class Options:
    """What is within reach of a ship at this moment; the enumeration of routes is made once and only when needed."""

    def __init__(self, battle: Battle, track: Track) -> None:
        self.battle = battle
        self.track = track
        self._routes: list[Route] | None = None

    @property
    def routes(self) -> list[Route]:
        if self._routes is None:
            self._routes = routes(self.battle, self.track.name, self.track.left, self.track.points)
        return self._routes

    def of(self, intent: Intent) -> tuple[dict[str, Option], str]:
        """The targets within reach of an intent, or why the ship has none."""
        finders: dict[str, Callable[[Intent], tuple[dict[str, Option], str]]] = {
            "ram": self._rams,
            "rake": self._rakes,
            "pass": self._passes,
            "grapple": self._grapples,
            "anastrophe": self._anastrophes,
        }
        return finders[intent.kind](intent)

    def _rams(self, intent: Intent) -> tuple[dict[str, Option], str]:
        """GA-ORD-3, -4: the best ram of each target."""
        battle, track = self.battle, self.track
        ship = ship_of(battle, track)
        if track.level is Level.HALF:
            return {}, "the level is half"
        if reason := why_not_ram(battle, ship):
            return {}, reason
        found: dict[str, Option] = {}
        held_back = False
        for way in ram_routes(battle, track.name, track.left, track.points):
            if intent.target.name and way.target != intent.target.name:
                continue
            chance = RamChance(way.target, way.zone, track.level, way.forwards)
            if not ram_percent_ok(battle, track.name, chance):
                held_back = True
                continue
            _keep(found, way.target, total(ram_mods(battle, track.name, chance)), way.route, "ram")
        percent = battle.doctrine(track.name, "hold ram")
        return found, f"every ram in reach has less than {percent}% chance" if held_back else self._no_route()

    def _rakes(self, intent: Intent) -> tuple[dict[str, Option], str]:
        battle, track = self.battle, self.track
        if reason := why_not_rake(battle, track.name):
            return {}, reason
        found: dict[str, Option] = {}
        for route in self.routes:
            if not route.tokens.endswith(FORWARD):
                continue
            for target in rakeable(battle, track, route.bow, route.facing):
                if self._is_spared(intent, target):
                    continue
                worth = total(rake_mods(battle, track.name, target, track.level, route.facing))
                _keep(found, target, worth, route, "rake", TABLES.rake.further)
        return found, self._no_route()

    def _is_spared(self, intent: Intent, target: str) -> bool:
        """GA-ORD-3: a selector never picks a ship already crippled; a name may."""
        if intent.target.name:
            return intent.target.name != target
        return self.battle.ship(target).crippled

    def _passes(self, intent: Intent) -> tuple[dict[str, Option], str]:
        battle, track = self.battle, self.track
        if track.level is not Level.MAX:
            return {}, f"the level is {track.level}, not max"
        if reason := why_not_rake(battle, track.name):
            return {}, reason
        water, large = water_for(battle, track.name), battle.hull(track.name).large
        found: dict[str, Option] = {}
        for route in self.routes:
            if not route.tokens.endswith(FORWARD) or route.cost + TABLES.rake.pass_cost > track.left:
                continue
            through = passage(battle, track, Hull(route.bow, route.facing, large), water)
            if isinstance(through, Passage) and not self._is_spared(intent, through.target):
                worth = total(rake_mods(battle, track.name, through.target, track.level, route.facing))
                _keep_first(found, through.target, worth, replace(route, tokens=route.tokens + THROUGH), "")
        return found, self._no_route()

    def _grapples(self, intent: Intent) -> tuple[dict[str, Option], str]:
        battle, track = self.battle, self.track
        if reason := why_not_grapple(battle, track):
            return {}, reason
        large = battle.hull(track.name).large
        reach = track.left + 2
        near = [ship.name for ship in battle.enemies(track.side) if battle.apart(track.name, ship.name) <= reach]
        if intent.target.name:
            near = [name for name in near if name == intent.target.name]
        found: dict[str, Option] = {}
        for target in near:
            worth = total(grapple_mods(battle, track.name, target))
            for route in self.routes:
                if can_hook(battle, Hull(route.bow, route.facing, large), target):
                    _keep_first(found, target, worth, route, "grapple")
                    break
        return found, self._no_route()

    def _anastrophes(self, intent: Intent) -> tuple[dict[str, Option], str]:
        battle, track = self.battle, self.track
        if reason := why_no_anastrophe(battle, track):
            return {}, reason
        found: dict[str, Option] = {}
        reason = ""
        for enemy in battle.enemies(track.side):
            if intent.target.name and enemy.name != intent.target.name:
                continue
            able = manoeuvre(battle, track, enemy.name, intent.side)
            if isinstance(able, str):
                reason = able
                continue
            near = -track.distance_from_start(battle, enemy.name)
            movement = Movement(due="anastrophe", target=enemy.name, manoeuvre=able)
            found[enemy.name] = Option(near, movement, (near, 0, ""))
        return found, reason if intent.target.name else "no enemy lies before its bow, facing it"

    def _no_route(self) -> str:
        return f"not reachable with {self.track.left} MP"


def _keep(found: dict[str, Option], target: str, worth: int, route: Route, due: Due, further: int = 0) -> None:
    """GA-ORD-4: of several ways to one target the best, then the cheapest, then the first by its tokens."""
    rank = (-worth, route.cost, route.tokens)
    if target not in found or rank < found[target].rank:
        found[target] = Option(worth, Movement(route.tokens, due, target, further=further), rank)


def _keep_first(found: dict[str, Option], target: str, worth: int, route: Route, due: Due) -> None:
    """GA-ORD-4: pass and grapple have no key of their own; routes come cheapest first."""
    if target not in found:
        found[target] = Option(worth, Movement(route.tokens, due, target), (0, route.cost, route.tokens))


# --- the choice ------------------------------------------------------------------------------------------------------


def choose_movement(battle: Battle, track: Track) -> Movement:
    """GA-ORD-2: the first automatic intent in reach; else the fall-back, the path or the move verb; else hold."""
    options = Options(battle, track)
    for intent in track.plan.automatic:
        found, reason = options.of(intent)
        target = choose(battle, track, intent.target, {name: option.worth for name, option in found.items()})
        if target is not None:
            return found[target].movement
        skip(battle, track, intent, why_gone(battle, track, intent.target) or reason)
    return _otherwise(battle, track, options)


def skip(battle: Battle, track: Track, intent: Intent, reason: str) -> None:
    """GA-ORD-2: an intent that could not be carried out says why, to its owner alone."""
    if intent.kind == "anastrophe" and intent.target.name:
        facts = {"ship": track.name, "target": intent.target.name, "lane": None, "side": None, "refused_reason": reason}
        battle.tell_only(track.side, "anastrophe", "GA-ANA-4", facts)
    tell_skipped(battle, track, str(intent), reason)


def tell_skipped(battle: Battle, track: Track, order: str, reason: str) -> None:
    facts = {"ship": track.name, "intent": order, "reason": reason}
    battle.tell_only(track.side, "intent_skipped", "GA-ORD-2", facts)


def _otherwise(battle: Battle, track: Track, options: Options) -> Movement:
    fallback = track.plan.fallback
    if isinstance(fallback, Path):
        return Movement(fallback.tokens, plotted=True)
    if fallback is not None:
        return _by_verb(battle, track, options, fallback)
    if track.plan.path is not None:
        return Movement(track.plan.path, plotted=True)
    return _by_verb(battle, track, options, track.plan.move) if track.plan.move else HOLD


def _by_verb(battle: Battle, track: Track, options: Options, move: Move) -> Movement:
    """GA-MOV-9 to -11."""
    if move.verb == "approach":
        return _approach(battle, track, options, move)
    if move.verb == "follow":
        leader = battle.ship(move.target.name)
        if not leader.afloat or leader.side != track.side:
            tell_skipped(battle, track, str(move), f"{leader.name} is no longer with us")
            return HOLD
        return Movement(best(options.routes, follow_key(battle.hull(leader.name))).tokens)
    if move.verb == "withdraw":
        edge = battle.fleets[track.side].exit_edge
        return Movement(best(options.routes, withdraw_key(edge, battle.sea)).tokens, leave=True)
    return HOLD


def _approach(battle: Battle, track: Track, options: Options, move: Move) -> Movement:
    """GA-MOV-9, GA-ORD-5: every enemy afloat is a candidate, and ``best`` means nearest."""
    near = {ship.name: -track.distance_from_start(battle, ship.name) for ship in battle.enemies(track.side)}
    target = choose(battle, track, move.target, near)
    if target is None:
        reason = why_gone(battle, track, move.target) or "no such enemy is afloat"
        tell_skipped(battle, track, str(move), reason)
        return HOLD
    return Movement(best(options.routes, approach_key(battle.hull(target))).tokens)
