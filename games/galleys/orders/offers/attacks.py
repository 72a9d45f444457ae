"""Attacks: what is in reach now, with the figures of its dice, and what may come within reach (GA-ORD-1 to -5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, product
from typing import get_args

from games.galleys.data import TABLES, band
from games.galleys.orders.intent_checks import AT_LEVEL
from games.galleys.orders.levels import Means
from games.galleys.orders.offers.block import Block, Fit, named, places
from games.galleys.orders.offers.ways import DEGREES, NEAR_WORDS, Chart
from games.galleys.orders.records import Disengage, Intent, IntentKind, Jettison, Path, Plan, Target, written_path
from games.galleys.rules.anastrophe import PIERCE, Manoeuvre, manoeuvre
from games.galleys.rules.fatigue import ANASTROPHE_ROW
from games.galleys.rules.geometry import PORT, STARBOARD, Hull
from games.galleys.rules.intents import Option, Options
from games.galleys.rules.missiles import FACES
from games.galleys.rules.raking import CRIPPLED, SELF_CRIPPLED
from games.galleys.rules.ramming import successes
from games.galleys.rules.routes import Route
from games.galleys.rules.targets import choose
from games.galleys.rules.track import Track, poised
from games.galleys.state import Level, Ship
from games.galleys.table import Mod, total
from pbem.kit.choices import Fill, Places, fillings
from pbem.kit.scene import Item, Point, Shot, Trail, hex_point
from pbem.kit.sheet import Problem

ROLLS = len(FACES) ** 2
FAR = 99
STRIKING_DISTANCE = 2
"""Hexes between bow and target that no attack reaches over; an enemy farther off than this and all MP is safe."""
VERBS = {"ram": "ram", "rake": "rake", "pass": "pass through", "grapple": "grapple", "anastrophe": "anastrophe on"}
TOLD: tuple[IntentKind, ...] = ("ram", "rake", "grapple")
"""The attacks that are told in a few words."""
ONLY_MANOEUVRE = (Path, Jettison, Disengage)
"""GA-ANA-1: what an anastrophe cannot be combined with."""


def offer_attacks(block: Block) -> None:
    """Every kind of attack under its own heading."""
    looks = _looks(block, block.ship) if block.ship else {}
    for kind in get_args(IntentKind):
        _offer_kind(block, kind, Reach(block, block.ship, kind, looks) if block.ship else None)


def _looks(block: Block, ship: Ship) -> Mapping[Level, Options]:
    """The ship at the start of its activation, once for every level that may be rowed and brings an enemy near."""
    nearest = min((block.table.apart(ship.name, enemy.name) for enemy in block.view.enemies()), default=FAR)
    looks = {}
    for level, means in block.rowing.items():
        if isinstance(means, Means) and nearest <= means.left + STRIKING_DISTANCE:
            track = poised(block.table, ship.name, Plan(), level, means.points)
            track.left = means.left
            looks[level] = Options(block.table, track)
    return looks


def _offer_kind(block: Block, kind: IntentKind, reach: Reach | None) -> None:
    if reach:
        reach.offer_targets()
    level, general = _at_some_level(block, kind)
    if isinstance(general, Problem):
        if not block.of(kind):
            block.close(kind, general)
        return
    for line, label, fill in _general(block, kind, reach.names_at(level) if reach else ()):
        lines = (line,) if level is block.level else (f"speed {level}", line)
        fit = block.like(general, *lines, sample=next(fillings(fill)))
        label = label if level is block.level else f"{label}, at {level}"
        block.offer(kind, label, fit, fill=fill, note=reach.picked(level, line) if reach else "")
    if block.has_path and kind != "anastrophe":
        label = f"{VERBS[kind]} whom the path brings within reach"
        block.offer_line(kind, label, f"{kind} any", note="the path is rowed as plotted")


def _at_some_level(block: Block, kind: IntentKind) -> tuple[Level, Fit | Problem]:
    """The level that is ordered if the attack may be made at it, else the one it needs."""
    tail = "" if kind == "anastrophe" else " if reachable"
    first = block.fit(f"{kind} best{tail}", instead_of=_instead(kind))
    if isinstance(first, Fit) or block.level is AT_LEVEL[kind]:
        return block.level, first
    other = block.fit(f"speed {AT_LEVEL[kind]}", f"{kind} best{tail}", instead_of=_instead(kind))
    return (AT_LEVEL[kind], other) if isinstance(other, Fit) else (block.level, first)


def _instead(kind: IntentKind) -> tuple[type, ...]:
    return ONLY_MANOEUVRE if kind == "anastrophe" else ()


def _general(block: Block, kind: IntentKind, in_reach: Iterable[str]) -> Iterator[tuple[str, str, Fill | None]]:
    """Lines that leave the ship, or the moment, open."""
    verb, tail = VERBS[kind], "" if kind == "anastrophe" else " if reachable"
    for word in NEAR_WORDS:
        yield f"{kind} {word}{tail}", f"{verb} the {word} in reach", None
    if kind == "anastrophe":
        return
    others = [ship for ship in block.view.enemies() if ship.name not in in_reach]
    if others:
        yield f"{kind} {{}}{tail}", f"{verb} this ship, should she come within reach", Places(places(others))
    squadrons: dict[str, Point] = {}
    for ship in block.view.enemies():
        squadrons.setdefault(ship.squadron, hex_point(ship.bow))
    if len(squadrons) > 1:
        yield f"{kind} best of {{}}{tail}", f"{verb} the best in reach of this squadron", Places(squadrons)


def told_in_reach(block: Block, ship: Ship, most: int) -> str:
    """Whom attacks reach as things stand, at the lowest level that does it: ``ram Thetis cruise +2, Nysa full +1``."""
    looks, told = _looks(block, ship), []
    for kind in TOLD:
        found = list(islice(Reach(block, ship, kind, looks).told(), most))
        most -= len(found)
        told += [f"{kind} {', '.join(found)}"] if found else []
    return "; ".join(told)


# --- one ship --------------------------------------------------------------------------------------------------------


class Reach:
    """What one kind of attack reaches, level by level, against the map as it stands."""

    def __init__(self, block: Block, ship: Ship, kind: IntentKind, looks: Mapping[Level, Options]) -> None:
        self.block = block
        self.kind = kind
        self.ship = ship
        self.options: dict[Level, dict[str, Option]] = {}
        self.tracks: dict[Level, Track] = {}
        for level, look in looks.items():
            self.options[level] = look.of(Intent(ship.name, kind, Target(selector="any")))[0]
            self.tracks[level] = look.track

    def names_at(self, level: Level) -> Sequence[str]:
        return tuple(self.options.get(level, ()))

    def picked(self, level: Level, line: str) -> str:
        """Whom a selector would mean now."""
        word = line.split()[1]
        if word not in NEAR_WORDS or " of " in line or level not in self.options:
            return ""
        worth = {name: option.worth for name, option in self.options[level].items()}
        target = choose(self.block.table, self.tracks[level], Target(selector=word), worth)
        return f"now {target}" if target else "nobody in reach as things stand"

    def told(self) -> Iterator[str]:
        """Each target once, with the sum of what is known of the modifiers."""
        names: set[str] = set()
        for level, options in self.options.items():
            for name, option in options.items():
                if name not in names and isinstance(
                    self.block.fit(f"speed {level}", f"{self.kind} {named(name)}"), Fit
                ):
                    names.add(name)
                    yield f"{name} {level} {total(self._known(option.mods)):+d}"

    def offer_targets(self) -> None:
        """Each ship in reach, at the level ordered first; at another, the speed line comes with it."""
        for level in sorted(self.options, key=lambda level: (level is not self.block.level, level.rank)):
            for target, option in self.options[level].items():
                self._offer(level, target, option)

    def _offer(self, level: Level, target: str, option: Option) -> None:
        speed = () if level is self.block.level else (f"speed {level}",)
        label = f"{VERBS[self.kind]} {target}" + (f" at {level}" if speed else "")
        for line, tail, note, strike in self._lines(level, target, option):
            fit = self.block.fit(*speed, line, instead_of=_instead(self.kind))
            self.block.offer(
                self.kind,
                label + tail,
                fit,
                note=note,
                at=hex_point(strike.bow),
                heading=float(strike.facing * DEGREES),
                marks=self._marks(target, option, strike),
            )

    def _lines(self, level: Level, target: str, option: Option) -> Iterator[tuple[str, str, str, Hull]]:
        """The line, what its label adds, its figures, and where she strikes from."""
        if option.route:
            end = Hull(option.route.bow, option.route.facing, self.block.table.hull(self.ship.name).large)
            yield f"{self.kind} {named(target)} if reachable", "", self._figures(level, option, option.route), end
            return
        for side in (STARBOARD, PORT):
            made = manoeuvre(self.block.table, self.tracks[level], target, side)
            if isinstance(made, Manoeuvre) and made.lane == PIERCE:
                note = f"through her line, round to {made.side}, all MP; fatigue row {ANASTROPHE_ROW}"
                yield f"anastrophe {named(target)} {side}", f", turning to {side}", note, made.final
            elif isinstance(made, Manoeuvre) and side == STARBOARD:
                note = f"down her {made.lane} side, round to {made.side}, all MP; fatigue row {ANASTROPHE_ROW}"
                yield f"anastrophe {named(target)}", "", note, made.final

    def _marks(self, target: str, option: Option, strike: Hull) -> tuple[Item, ...]:
        chart, bow = Chart(self.block.table.hull(self.ship.name)), hex_point(strike.bow)
        way = chart.way(option.route.tokens) if option.route else (*chart.way(""), bow)
        blow = Shot(bow, hex_point(self.block.table.hull(target).bow), self.ship.side, hit=False)
        return (Trail(way, self.ship.side, "plotted"), blow) if len(way) > 1 else (blow,)

    def _figures(self, level: Level, option: Option, route: Route) -> str:
        track = self.tracks[level]
        way = written_path(option.movement.tokens) if option.movement.tokens else "where she lies"
        spent = route.cost + track.points - track.left + (TABLES.rake.pass_cost if self.kind == "pass" else 0)
        return f"{way}, {spent} of {track.points} MP; {self._odds(option.mods)}"

    def _odds(self, mods: Sequence[Mod]) -> str:
        """The sum of the modifiers and what the dice make of it, avoidance left out; what fog hides is said to be."""
        known = self._known(mods)
        shown = ", ".join(f"{mod.name} {mod.value:+d}" for mod in known if mod.value) or "no modifiers"
        bonus = total(known)
        hidden = "" if len(known) == len(mods) else ", her crew unknown"
        return f"{shown}: {bonus:+d}{hidden}; {CHANCES[self.kind](bonus)}"

    def _known(self, mods: Sequence[Mod]) -> list[Mod]:
        """Those that the side may know: under fog the enemy's crew is not among them."""
        fog = self.block.table.switches.fog
        return [mod for mod in mods if not fog or mod.secret_of in (None, self.ship.side)]


def _ram_chance(bonus: int) -> str:
    return f"harms on {successes(bonus)} of {ROLLS} rolls, {100 * successes(bonus) // ROLLS}%"


def _rake_chance(bonus: int) -> str:
    codes = [band(TABLES.rake.bands, first + second + bonus) for first, second in product(FACES, repeat=2)]
    own = codes.count(SELF_CRIPPLED)
    return f"cripples on {codes.count(CRIPPLED)} of {ROLLS} rolls, herself on {own}"


def _grapple_chance(bonus: int) -> str:
    return f"holds on {max(TABLES.grapple.holds - bonus, 1)} or more"


CHANCES = {"ram": _ram_chance, "rake": _rake_chance, "pass": _rake_chance, "grapple": _grapple_chance}
