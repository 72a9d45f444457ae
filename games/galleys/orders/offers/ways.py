"""Where to go and how fast: speed levels, plotted paths, move verbs and fall-backs (GA-SPD, GA-MOV, GA-ORD-2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from games.galleys.orders.checks import check_means
from games.galleys.orders.levels import Case, Means
from games.galleys.orders.offers.block import Block, Entry, Fit, places
from games.galleys.orders.path_checks import legal_part
from games.galleys.orders.records import Else, Intent, Path, Way, written_path
from games.galleys.orders.words import SELECTORS
from games.galleys.rules.fatigue import TIRING, fatigue_row
from games.galleys.rules.geometry import Hull, ahead
from games.galleys.rules.routes import BACK, FORWARD, TURNS, Route, crosses, moved, routes
from games.galleys.state import LEVELS, Level, Ship
from pbem.kit.choices import Choice, Closed, Fill, Places, fillings
from pbem.kit.hexgrid import DIRECTION_NAMES, Hex, distance
from pbem.kit.scene import Point, Trail, hex_point
from pbem.kit.sheet import Problem

DEGREES = 60
MOST_PATHS = 420
"""So many that an offer never has more than the contract allows; the nearest to the present plot are kept."""
MOST_TRAILS = 20
OVERRULING = (Else,)
"""GA-ORD-2: where there is a fall-back, a path or a move verb beside it is never rowed."""
NEAR_WORDS = SELECTORS[:-1]
"""``any`` means ``best`` (GA-ORD-5)."""


# --- speed -----------------------------------------------------------------------------------------------------------


def offer_speeds(block: Block) -> None:
    """GA-SPD-1: every level, with its movement points; what is above cap or rise is closed."""
    for level in LEVELS:
        fit = block.fit(f"speed {level}")
        objection = block.offer("speed", level.value, fit, note=_speed_note(block, level, fit))
        if objection:
            block.closed.append(Closed("speed", f"{level}: {block.reason(objection)}", objection.rule))


def _speed_note(block: Block, level: Level, fit: Fit | Problem) -> str:
    points = sorted({block.means_of(ship, fit).points for ship in block.followers} if isinstance(fit, Fit) else ())
    words = [f"{points[0]}-{points[-1]} MP" if len(points) > 1 else f"{points[0]} MP"] if points else []
    if level in TIRING:
        words.append("the rowers roll for fatigue")
    if not block.plan:
        words.append("holds unless a way or an attack is added")
    return "; ".join(words)


# --- paths -----------------------------------------------------------------------------------------------------------


@dataclass
class Chart:
    """Where token strings lead a ship, each worked out once from the one before."""

    start: Hull
    hulls: dict[str, Hull] = field(default_factory=dict)
    ways: dict[str, tuple[Point, ...]] = field(default_factory=dict)

    def hull(self, tokens: str) -> Hull:
        if not tokens:
            return self.start
        if tokens not in self.hulls:
            self.hulls[tokens] = moved(self.hull(tokens[:-1]), tokens[-1])
        return self.hulls[tokens]

    def way(self, tokens: str) -> tuple[Point, ...]:
        """The places of the bow."""
        if not tokens:
            return (hex_point(self.start.bow),)
        if tokens not in self.ways:
            point = hex_point(self.hull(tokens).bow)
            before = self.way(tokens[:-1])
            self.ways[tokens] = before if before[-1] == point else (*before, point)
        return self.ways[tokens]

    def entered(self, tokens: str) -> Iterator[Hex]:
        for count in range(1, len(tokens) + 1):
            yield from self.hull(tokens[:count]).hexes


@dataclass(frozen=True)
class Plot:
    """A path that may be offered."""

    level: Level
    tokens: str
    cost: int
    leaves: bool = False


def offer_paths(block: Block) -> None:
    """GA-MOV-8: one path to each place and facing in reach, for every level that may be rowed."""
    objections = [found for level in _levels(block) if (found := _offer_level(block, level))]
    if not block.of("path"):
        ahead_of_her = block.fit("path F1")
        shut = Problem(0, "", "GA-MOV-6", f"every hex that {block.unit} could row to is closed")
        block.close("path", next(iter(objections), ahead_of_her if isinstance(ahead_of_her, Problem) else shut))


def _levels(block: Block) -> list[Level]:
    """The level that is ordered, then the others."""
    return sorted(LEVELS, key=lambda level: (level is not block.level, level.rank))


def _offer_level(block: Block, level: Level) -> Problem | None:
    """The paths of one level; what stands against all of them is handed back."""
    speed = block.fit(f"speed {level}")
    if isinstance(speed, Problem):
        return None
    plots = _plots(block, block.ship, level, speed) if block.ship else _common_plots(block, level, speed)
    fit: Fit | Problem | None = None
    for plot in plots[:MOST_PROBES]:
        fit = block.fit(*_lines(block, plot), instead_of=OVERRULING)
        if isinstance(fit, Fit):
            break
    if isinstance(fit, Fit):
        drawer = Drawer(block, level, fit)
        room = MOST_PATHS - len(block.of("path"))
        for plot in plots[:room]:
            drawer.draw(plot)
    return fit if isinstance(fit, Problem) else None


def _lines(block: Block, plot: Plot) -> tuple[str, ...]:
    path = f"path {written_path(plot.tokens)}"
    return (path,) if plot.level is block.level else (f"speed {plot.level}", path)


MOST_PROBES = 3
"""What stands against paths as such stands against the first of them; of many ships one may be blocked ahead."""


class Drawer:
    """Makes choices of the paths of one level, which differ in nothing but where they lead."""

    def __init__(self, block: Block, level: Level, fit: Fit) -> None:
        self.block = block
        self.fit = fit
        self.model = block.choice("path", "", fit)
        self.standing = [(case, check_means(case)) for case in block.cases(fit)]
        self.means = min((means for _, means in self.standing), key=lambda means: means.left)
        self.tail = "" if level is block.level else f" at {level}"
        self.charts = [Chart(block.table.hull(case.ship.name)) for case, _ in self.standing[:MOST_TRAILS]]
        near = ((at, name) for at, name in block.gone_by_then.items() if self._is_near(at)) if block.ship else ()
        self.friends = dict(near)
        self.watches = any(
            isinstance(entry.order, Intent) and entry.order.kind == "ram" and not entry.order.if_reachable
            for entry in block.plan
        )

    def _is_near(self, at: Hex) -> bool:
        return distance(at, self.charts[0].start.bow) <= self.means.points

    def draw(self, plot: Plot) -> None:
        """The model with this path in it, if the checks let every ship row it."""
        if not self.block.ship and not self._is_clean(plot.tokens):
            return
        figures: dict[str, Any] = {"marks": tuple(self._trails(plot.tokens)), "note": self._figures(plot)}
        label = written_path(plot.tokens)
        if self.block.ship:
            end = self.charts[0].hull(plot.tokens)
            figures.update(at=hex_point(end.bow), heading=float(end.facing * DEGREES))
            label = "off the map" if plot.leaves else f"{end.bow.q},{end.bow.r} facing {DIRECTION_NAMES[end.facing]}"
        if self.watches:
            # A path may spoil the ram that waits along it (GA-VAL-17), so each is fitted in for itself.
            fit = self.block.fit(*_lines(self.block, plot), instead_of=OVERRULING)
            self.block.offer("path", label + self.tail, fit, **figures)
        else:
            self.block.choices.append(self._choice(plot, label + self.tail, **figures))

    def _choice(self, plot: Plot, label: str, note: str, **where: Any) -> Choice:
        model, path = self.model, f"path {written_path(plot.tokens)}"
        lines = tuple(path if line.startswith("path") else line for line in model.lines)
        own = (entry.order.tokens for entry in self.block.own if isinstance(entry.order, Path))
        chosen = not model.faint and plot.tokens in own
        words = "; ".join((note, *self.fit.said))
        return Choice("path", label, lines, model.replaces, words, chosen=chosen, faint=model.faint, **where)

    def _is_clean(self, tokens: str) -> bool:
        return not any(_complaints(case, means, self.fit.new[-1], tokens) for case, means in self.standing)

    def _trails(self, tokens: str) -> Iterator[Trail]:
        """Of a large fleet none are drawn, nor of ships that only turn."""
        if len(self.charts) == len(self.standing):
            ways = (chart.way(tokens) for chart in self.charts)
            yield from (Trail(way, self.block.letter.side, "plotted") for way in ways if len(way) > 1)

    def _figures(self, plot: Plot) -> str:
        spent = plot.cost + self.means.overhead
        words = [f"{spent} of {self.means.points} MP"]
        if plot.level in TIRING:
            words.append(f"fatigue row {fatigue_row(spent)}")
        if plot.leaves:
            words.append("she is gone for good")
        if friends := self._friends_in_the_way(plot.tokens) if self.friends else ():
            words.append(f"if {', '.join(friends)} {'has' if len(friends) == 1 else 'have'} moved on by then")
        return ", ".join(words)

    def _friends_in_the_way(self, tokens: str) -> list[str]:
        return list(dict.fromkeys(self.friends[at] for at in self.charts[0].entered(tokens) if at in self.friends))


def _complaints(case: Case, means: Means, line: Entry, tokens: str) -> bool:
    said = len(case.judge.problems)
    legal_part(case, means, line, tokens)
    return len(case.judge.problems) > said


def _plots(block: Block, ship: Ship, level: Level, speed: Fit) -> list[Plot]:
    """The cheapest path to every place and facing, off the map by the way home, and back water.

    Those that end nearest to the present plot come first.
    """
    means = block.means_of(ship, speed)
    if means.left <= 0:
        return []
    start = block.table.hull(ship.name)
    found = routes(block.table, ship.name, means.left, means.points, block.water)
    ends: dict[tuple[Hex, int], Plot] = {}
    for route in found:
        ends.setdefault((route.bow, route.facing), Plot(level, route.tokens, route.cost))
    del ends[start.bow, start.facing]
    if level is Level.HALF and block.water.is_free(moved(start, BACK).stern):
        ends.setdefault((moved(start, BACK).bow, start.facing), Plot(level, BACK, means.left))
    middle = Chart(start).hull(_plotted(block)).bow
    nearest = sorted(ends, key=lambda end: distance(end[0], middle))
    return [*(ends[end] for end in nearest), *_ways_out(block, ship, level, means, found)]


def _plotted(block: Block) -> str:
    return next((entry.order.tokens for entry in block.plan if isinstance(entry.order, Path)), "")


def _ways_out(block: Block, ship: Ship, level: Level, means: Means, found: Sequence[Route]) -> Iterator[Plot]:
    """GA-MOV-7: the cheapest way off each hex of the exit edge."""
    sea, edge = block.table.sea, block.table.sides[ship.side].exit_edge
    left_from: set[Hex] = set()
    for route in found:
        if route.cost >= means.left or route.bow in left_from:
            continue
        beyond = ahead(route.bow, route.facing)
        if not sea.holds(beyond) and crosses(beyond, edge, sea):
            left_from.add(route.bow)
            yield Plot(level, route.tokens + FORWARD, route.cost + 1, leaves=True)


def _common_plots(block: Block, level: Level, speed: Fit) -> list[Plot]:
    """Straight runs, and those with a turn before or behind; a fleet of many squadrons only goes straight."""
    left = min((block.means_of(ship, speed).left for ship in block.followers), default=0)
    runs = [FORWARD * count for count in range(1, left + 1)]
    straight = [Plot(level, run, len(run)) for run in runs]
    if len({ship.squadron for ship in block.followers}) > 1:
        return straight
    cost = max(block.table.class_of(ship.name).turn_cost for ship in block.followers) - 1
    turned = [way for turn in TURNS for way in (turn, *(turn + run for run in runs), *(run + turn for run in runs))]
    return straight + [Plot(level, way, len(way) + cost) for way in turned if len(way) + cost <= left]


# --- move verbs and fall-backs ---------------------------------------------------------------------------------------


def offer_moves(block: Block) -> None:
    """GA-MOV-9 to -11: hold, approach, follow, withdraw; a path goes out for them."""
    block.offer("move", "hold", block.fit("hold", instead_of=OVERRULING), note="stays put whatever comes")
    first = block.fit("withdraw", instead_of=OVERRULING)
    edge = block.table.sides[block.letter.side].exit_edge
    objection = block.offer("move", "withdraw", first, note=f"makes for the {edge} edge, the way home")
    for line, label, fill in _makings(block):
        block.offer("move", label, block.like(first, line, sample=next(fillings(fill))), fill=fill)
    block.close("move", objection)


def _makings(block: Block) -> Iterator[tuple[str, str, Fill | None]]:
    """Whom to make for, and whom to keep station on."""
    for word in NEAR_WORDS:
        yield f"approach {word}", f"approach the {word} enemy", None
    enemies = block.view.enemies()
    if enemies:
        yield "approach {}", "approach this enemy", Places(places(enemies))
    meant = {ship.name for ship in block.ships}
    friends = [ship for ship in block.view.own() if ship.name not in meant]
    if friends:
        yield "follow {}", "follow this ship of ours", Places(places(friends))


def offer_fallbacks(block: Block) -> None:
    """GA-ORD-2: what to do when no attack is in reach."""
    intents = [entry.order for entry in block.plan if isinstance(entry.order, Intent)]
    if not intents:
        why = "a fall-back needs an attack that may be out of reach: order a ram, rake, pass or grapple first"
        block.closed.append(Closed("else", why, "GA-ORD-2"))
        return
    if block.has_path:
        why = "the path is the fall-back already; take it out or choose a move verb to have another"
        block.closed.append(Closed("else", why, "GA-ORD-2"))
        return
    hold = block.fit("else hold", instead_of=(Way,))
    block.offer("else", "else hold", hold, note="if no attack is in reach")
    first = block.fit("else withdraw", instead_of=(Way,))
    objection = block.offer("else", "else withdraw", first)
    for line, label, fill in _makings(block):
        fit = block.like(first, f"else {line}", sample=next(fillings(fill)))
        block.offer("else", f"else {label}", fit, fill=fill)
    if not objection:
        _offer_else_paths(block)
    block.close("else", objection)


def _offer_else_paths(block: Block) -> None:
    """Straight runs at the level that is ordered."""
    most = min((block.means_of(ship).left for ship in block.followers), default=0)
    for count in range(1, most + 1):
        tokens = FORWARD * count
        fit = block.fit(f"else path {written_path(tokens)}", instead_of=(Way,))
        block.offer(
            "else", f"else {written_path(tokens)}", fit, note=f"{count} of {most} MP", marks=_straight(block, tokens)
        )


def _straight(block: Block, tokens: str) -> tuple[Trail, ...]:
    if not block.ship:
        return ()
    return (Trail(Chart(block.table.hull(block.ship.name)).way(tokens), block.ship.side, "plotted"),)
