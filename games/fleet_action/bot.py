"""A simple opponent: closes to where its guns count more than the enemy's, keeps together, and leaves when beaten.

It knows what its view knows, and checks every plot by FA-MOV before it writes it down; so it is always legal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from games.fleet_action.rules import geometry
from games.fleet_action.rules.movement import SpeedChange, check_path, check_speed, speeds
from games.fleet_action.rules.plotting import Plot, Token, chart_hexes, fly, written
from games.fleet_action.state import Flight, OpenShip, SeenSquadron, Ship, Squadron
from games.fleet_action.view import View
from pbem.kit.dice import Dice
from pbem.kit.hexgrid import Hex, distance, name

# How much a die is worth in each range bracket, and how much our own skin counts against the enemy's.
BRACKET_WORTH = (10, 8, 4, 2)
CAUTION = 0.6
# Beyond the guns' reach, closing is all that counts.
CLOSING = 3.0
FIGHTING_RANGE = 8
# What it costs to end the turn with the enemy in each arc, F clockwise to FP: guns bear forward, turning takes time.
BEHIND = (0, 8, 30, 45, 30, 8)
# Near the enemy a squadron flies no faster than it can turn, or it only passes by.
NEAR = 24
CRUISING = 3
TOO_FAST = 10.0
EDGE_PENALTY = 200.0
EDGE_MARGIN = 4
LAUNCH_WITHIN = 30
BEATEN_BELOW = 0.3
MINE_CLEARANCE = 6


def bot(view: View, dice: Dice) -> str:
    """Orders for whatever phase is open; the scenario's own deployment is good enough for a bot."""
    if view.side is None or view.stage not in ("turn", "reaction"):
        return ""
    enemies = [squadron for squadron in view.in_play() if not view.owns(squadron.side)]
    lines = [f"turn {view.turn}"]
    for squadron in view.own_squadrons():
        if squadron.state not in ("waiting", "off"):
            lines += _squadron_orders(view, squadron, enemies, dice)
    for number, flight in enumerate(flight for flight in view.flights if isinstance(flight, Flight)):
        lines += _flight_orders(view, flight, number, enemies)
    return "\n".join(lines) + "\n"


# --- squadrons -------------------------------------------------------------------------------------------------------


def _squadron_orders(view: View, squadron: Squadron, enemies: list[SeenSquadron], dice: Dice) -> list[str]:
    orders = _leaving(view, squadron)
    if squadron.state in ("normal", "stray") and not orders:
        best = _best_plot(view, squadron, enemies, dice)
        if best is not None:
            orders += [f"speed {best.delta:+d}"] if best.delta else []
            orders += [f"path {written(best.steps)}"] if best.steps else []
        orders += _mines(view, squadron, enemies)
    return [f"{squadron.name}:", *(f"  {order}" for order in orders)] if orders else []


def _leaving(view: View, squadron: Squadron) -> list[str]:
    """A squadron with less than a third of its structure left has done its duty."""
    left = sum(ship.structure for ship in view.members(squadron) if isinstance(ship, Ship))
    classes = [ship.ship_class for ship in view.ships if ship.squadron == squadron.name]
    most = sum(view.cards.classes[key].structure for key in classes)
    beaten = squadron.state == "normal" and left < BEATEN_BELOW * most
    return ["withdraw"] if beaten and view.stage == "turn" else []


@dataclass(frozen=True)
class _Gun:
    """A weapon system with what the view knows to be left of it."""

    arcs: tuple[int, ...]
    range: tuple[int, ...]
    left: int
    proximity: bool
    powered_off: bool


def _worth(guns: Sequence[_Gun], at: Hex, heading: int, target: Hex) -> float:
    """How hard they would hit a target there."""
    away = distance(at, target)
    arcs = geometry.arcs(at, heading, target)
    total = 0.0
    for gun in guns:
        bracket = next((number for number, reach in enumerate(gun.range) if away <= reach), None)
        if bracket is not None:
            bearing = max((gun.arcs[arc] for arc in arcs), default=max(gun.arcs))
            total += min(bearing, gun.left) * BRACKET_WORTH[bracket]
    return total


def _mounted(view: View, squadron: SeenSquadron) -> Iterator[_Gun]:
    for ship in view.members(squadron):
        for number, mount in enumerate(view.cards.classes[ship.ship_class].weapons):
            weapon = view.cards.weapons[mount.weapon]
            left, off = mount.rating, False
            if isinstance(ship, OpenShip):
                left, off = ship.weapon_left[number], number in ship.powered_off
            if mount.arcs is not None:
                yield _Gun(mount.arcs, weapon.range, left, weapon.proximity, off)


def _guns(view: View, squadron: SeenSquadron) -> list[_Gun]:
    """Those that fire by themselves."""
    return [gun for gun in _mounted(view, squadron) if not gun.proximity]


def _best_plot(view: View, squadron: Squadron, enemies: list[SeenSquadron], dice: Dice) -> Plot | None:
    plots = list(_plots(view, squadron))
    if not plots:
        return None
    foe = min(enemies, key=lambda other: (distance(squadron.hex, other.hex), other.name), default=None)
    lean = dice.roll(2, "bot", squadron.name, "lean").face
    if foe is None:
        return max(plots, key=lambda plot: (_inside(view, squadron, plot), plot.manoeuvre == "maintain"))
    own, theirs, foe_way = _guns(view, squadron), _guns(view, foe), _straight_on(view, foe)
    rows = view.limits[squadron.name].rows

    def score(plot: Plot) -> tuple[float, int]:
        at, heading, worth = squadron.hex, squadron.heading, 0.0
        for segment, enemy_at in zip(plot.segments, foe_way, strict=True):
            way, heading = fly(at, heading, segment)
            at = way[-1] if way else at
            worth += _worth(own, at, heading, enemy_at) - CAUTION * _worth(theirs, enemy_at, foe.heading, at)
            worth -= CLOSING * max(0, distance(at, enemy_at) - FIGHTING_RANGE)
        worth -= _awkwardness(at, heading, plot.speeds[-1], foe_way[-1], max(rows.ht, rows.cc))
        # Of equal plots one bot leans to port and the next to starboard, so that battles differ.
        side = sum(1 for step in plot.steps if step == ("P", "S")[lean - 1])
        return worth + _inside(view, squadron, plot), side

    return max(plots, key=score)


def _awkwardness(at: Hex, heading: int, speed: int, enemy_at: Hex, turning_speed: int) -> float:
    """How badly the squadron would stand for the next turn."""
    arcs = geometry.arcs(at, heading, enemy_at)
    behind = min((BEHIND[arc] for arc in arcs), default=0)
    allowed = turning_speed + (CRUISING if distance(at, enemy_at) > NEAR and behind <= BEHIND[1] else 0)
    return behind + TOO_FAST * max(0, speed - allowed)


def _straight_on(view: View, squadron: SeenSquadron) -> list[Hex]:
    """Where a squadron will be after each pulse if it does nothing new."""
    at, way = squadron.hex, []
    for hexes in view.hexes(squadron):
        at = geometry.ahead(at, squadron.heading, hexes)
        way.append(at)
    return way


def _inside(view: View, squadron: Squadron, plot: Plot) -> float:
    """Leaving the map is leaving the battle: stay clear of the edge, formation and all."""
    way, heading = fly(squadron.hex, squadron.heading, plot.steps)
    coming = geometry.ahead(way[-1] if way else squadron.hex, heading, max(EDGE_MARGIN, plot.speeds[-1]))
    off = sum(not geometry.on_map(at, view.map_w, view.map_h) for at in way)
    near = not geometry.on_map(coming, view.map_w, view.map_h)
    return -EDGE_PENALTY * (10 * (off > 0) + near)


def _plots(view: View, squadron: Squadron) -> Iterator[Plot]:
    """Legal plots worth a thought: a few speeds, each with the usual manoeuvres."""
    limits = view.limits[squadron.name]
    for delta in sorted({0, 2, -2, limits.rows.acc, -limits.rows.dec, -squadron.speed}):
        change = SpeedChange(delta)
        if squadron.speed + delta < 0 or check_speed(squadron.speed, change, limits) is not None:
            continue
        for steps in _shapes(sum(chart_hexes(speeds(squadron.speed, change)))):
            pivots = view.switches.pivot_at_zero
            plot = check_path(steps, squadron.speed, change, limits, pivot_at_zero=pivots)
            if isinstance(plot, Plot):
                yield plot


def _shapes(hexes: int) -> Iterator[Sequence[Token]]:
    """Straight, slips, and one to three turns at the usual places."""
    yield ("F",) * hexes
    if hexes:
        yield from (("slipP", *("F",) * (hexes - 1)), ("slipS", *("F",) * (hexes - 1)))
    for side in ("P", "S"):
        for early in sorted({0, hexes // 3, 2 * hexes // 3, hexes}):
            for turns in (1, 2, 3):
                yield (*("F",) * early, *(side,) * turns, *("F",) * (hexes - early))
        if hexes >= 2:
            other = "S" if side == "P" else "P"
            yield (side, *("F",) * (hexes // 2), other, *("F",) * (hexes - hexes // 2))


def _mines(view: View, squadron: Squadron, enemies: list[SeenSquadron]) -> list[str]:
    """Mines where the nearest enemy will be when they burst, if nobody of ours is near."""
    if view.stage != "turn" or squadron.state != "normal" or not enemies:
        return []
    working = [gun for gun in _mounted(view, squadron) if gun.left and not gun.powered_off]
    ranges = [gun.range[0] for gun in working if gun.proximity]
    if not ranges:
        return []
    foe = min(enemies, key=lambda other: (distance(squadron.hex, other.hex), other.name))
    for pulses, at in enumerate([foe.hex, *_straight_on(view, foe)]):
        away = distance(squadron.hex, at)
        burst = -(-away // 15) + 1
        if burst != pulses + 1 or away > min(ranges) - 3 or not geometry.on_map(at, view.map_w, view.map_h):
            continue
        ours = [ship.hex for ship in view.ships if isinstance(ship, Ship) and ship.fate == "in play"]
        if min(distance(at, own) for own in ours) > MINE_CLEARANCE + squadron.speed:
            return [f"mines {name(at)}"]
    return []


# --- flights ---------------------------------------------------------------------------------------------------------


def _flight_orders(view: View, flight: Flight, number: int, enemies: list[SeenSquadron]) -> list[str]:
    """Fighters launch when the enemy is near: every third flight guards its squadron, the others strike."""
    if flight.state != "hangar" or view.stage != "turn" or not enemies or flight.count == 0:
        return []
    home = next((ship for ship in view.ships if ship.name == flight.home and ship.fate == "in play"), None)
    squadron = view.squadron_of(home) if home is not None else None
    if home is None or squadron is None or squadron.state in ("waiting", "off", "withdrawing", "jumping"):
        return []
    foe = min(enemies, key=lambda other: (distance(home.hex, other.hex), other.name))
    if distance(home.hex, foe.hex) > LAUNCH_WITHIN:
        return []
    mission = f"mission escort {squadron.name}" if number % 3 == 0 else f"mission strike {foe.name}"
    return [f"{flight.name}:", "  launch", f"  {mission}"]
