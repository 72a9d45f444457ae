"""A simple opponent: closes to where its guns count more than the enemy's, keeps together, and leaves when beaten.

It knows what its view knows, and checks every plot by FA-MOV before it writes it down; so it is always legal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from games.fleet_action import geometry
from games.fleet_action.rules.movement import Plot, SpeedChange, check_path, check_speed, speeds
from games.fleet_action.rules.plotting import Token, chart, chart_hexes, fly, written
from games.fleet_action.view import FlightView, ShipView, SquadronView, View, WeaponView
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
    enemies = [squadron for squadron in view.squadrons if not squadron.own and squadron.ships]
    lines = [f"turn {view.turn}"]
    for squadron in view.squadrons:
        if squadron.own and squadron.state not in ("waiting", "off"):
            lines += _squadron_orders(view, squadron, enemies, dice)
    for flight in view.flights:
        if flight.own:
            lines += _flight_orders(view, flight, enemies)
    return "\n".join(lines) + "\n"


# --- squadrons -------------------------------------------------------------------------------------------------------


def _squadron_orders(view: View, squadron: SquadronView, enemies: list[SquadronView], dice: Dice) -> list[str]:
    orders = _leaving(view, squadron)
    if squadron.state in ("normal", "stray") and not orders:
        best = _best_plot(view, squadron, enemies, dice)
        if best is not None:
            orders += [f"speed {best.delta:+d}"] if best.delta else []
            orders += [f"path {written(best.steps)}"] if best.steps else []
        orders += _mines(view, squadron, enemies)
    return [f"{squadron.name}:", *(f"  {order}" for order in orders)] if orders else []


def _leaving(view: View, squadron: SquadronView) -> list[str]:
    """A squadron with less than a third of its structure left has done its duty."""
    ships = _ships(view, squadron)
    left = sum(ship.structure or 0 for ship in ships)
    most = sum(ship.structure_max for ship in view.ships if ship.squadron == squadron.name)
    beaten = squadron.state == "normal" and left < BEATEN_BELOW * most
    return ["withdraw"] if beaten and view.stage == "turn" else []


def _ships(view: View, squadron: SquadronView) -> list[ShipView]:
    return [ship for ship in view.ships if ship.name in squadron.ships]


@dataclass(frozen=True)
class _Guns:
    """The weapons of a squadron that fire by themselves, with what is left of them."""

    weapons: tuple[WeaponView, ...]

    def worth(self, at: Hex, heading: int, target: Hex) -> float:
        """How hard they would hit a target there."""
        away = distance(at, target)
        arcs = geometry.arcs(at, heading, target)
        total = 0.0
        for weapon in self.weapons:
            bracket = _bracket(weapon, away)
            if bracket is None or weapon.arcs is None:
                continue
            bearing = max((weapon.arcs[arc] for arc in arcs), default=max(weapon.arcs))
            total += min(bearing, weapon.rating if weapon.left is None else weapon.left) * BRACKET_WORTH[bracket]
        return total


def _guns(view: View, squadron: SquadronView) -> _Guns:
    mounted = (weapon for ship in _ships(view, squadron) for weapon in ship.weapons)
    return _Guns(tuple(weapon for weapon in mounted if not weapon.proximity and weapon.arcs is not None))


def _bracket(weapon: WeaponView, away: int) -> int | None:
    for number, reach in enumerate(weapon.range):
        if away <= reach:
            return number
    return None


def _best_plot(view: View, squadron: SquadronView, enemies: list[SquadronView], dice: Dice) -> Plot | None:
    plots = list(_plots(view, squadron))
    if not plots:
        return None
    foe = min(enemies, key=lambda other: (distance(squadron.hex, other.hex), other.name), default=None)
    lean = dice.roll(2, "bot", squadron.name, "lean").face
    if foe is None:
        return max(plots, key=lambda plot: (_inside(view, squadron, plot), plot.manoeuvre == "maintain"))
    own, theirs, foe_way = _guns(view, squadron), _guns(view, foe), _straight_on(foe)

    def score(plot: Plot) -> tuple[float, int]:
        at, heading, worth = squadron.hex, squadron.heading, 0.0
        for segment, enemy_at in zip(plot.segments, foe_way, strict=True):
            way, heading = fly(at, heading, segment)
            at = way[-1] if way else at
            worth += own.worth(at, heading, enemy_at) - CAUTION * theirs.worth(enemy_at, foe.heading, at)
            worth -= CLOSING * max(0, distance(at, enemy_at) - FIGHTING_RANGE)
        worth -= _awkwardness(at, heading, plot.speeds[-1], foe_way[-1], squadron)
        # Of equal plots one bot leans to port and the next to starboard, so that battles differ.
        side = sum(1 for step in plot.steps if step == ("P", "S")[lean - 1])
        return worth + _inside(view, squadron, plot), side

    return max(plots, key=score)


def _awkwardness(at: Hex, heading: int, speed: int, enemy_at: Hex, squadron: SquadronView) -> float:
    """How badly the squadron would stand for the next turn."""
    arcs = geometry.arcs(at, heading, enemy_at)
    behind = min((BEHIND[arc] for arc in arcs), default=0)
    turning_speed = max(squadron.limits.ht, squadron.limits.cc) if squadron.limits else 0
    allowed = turning_speed + (CRUISING if distance(at, enemy_at) > NEAR and behind <= BEHIND[1] else 0)
    return behind + TOO_FAST * max(0, speed - allowed)


def _straight_on(squadron: SquadronView) -> list[Hex]:
    """Where a squadron will be after each pulse if it does nothing new."""
    at, way = squadron.hex, []
    for hexes in chart(squadron.speed or 0):
        at = geometry.ahead(at, squadron.heading, hexes)
        way.append(at)
    return way


def _inside(view: View, squadron: SquadronView, plot: Plot) -> float:
    """Leaving the map is leaving the battle: stay clear of the edge, formation and all."""
    way, heading = fly(squadron.hex, squadron.heading, plot.steps)
    coming = geometry.ahead(way[-1] if way else squadron.hex, heading, max(EDGE_MARGIN, plot.speeds[-1]))
    off = sum(not geometry.on_map(at, view.map_w, view.map_h) for at in way)
    near = not geometry.on_map(coming, view.map_w, view.map_h)
    return -EDGE_PENALTY * (10 * (off > 0) + near)


def _plots(view: View, squadron: SquadronView) -> Iterator[Plot]:
    """Legal plots worth a thought: a few speeds, each with the usual manoeuvres."""
    limits = squadron.limits
    if limits is None or squadron.speed is None:
        return
    for delta in sorted({0, 2, -2, limits.acc[0], -limits.dec[0], -squadron.speed}):
        change = SpeedChange(delta)
        if squadron.speed + delta < 0 or check_speed(squadron.speed, change, limits) is not None:
            continue
        for steps in _shapes(sum(chart_hexes(speeds(squadron.speed, change)))):
            plot = check_path(steps, squadron.speed, change, limits, view.switches.pivot_at_zero)
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


def _mines(view: View, squadron: SquadronView, enemies: list[SquadronView]) -> list[str]:
    """Mines where the nearest enemy will be when they burst, if nobody of ours is near."""
    if view.stage != "turn" or squadron.state != "normal" or not enemies:
        return []
    ranges = [
        weapon.range[0]
        for ship in _ships(view, squadron)
        for weapon in ship.weapons
        if weapon.proximity and weapon.left and not weapon.powered_off
    ]
    if not ranges:
        return []
    foe = min(enemies, key=lambda other: (distance(squadron.hex, other.hex), other.name))
    for pulses, at in enumerate([foe.hex, *_straight_on(foe)]):
        away = distance(squadron.hex, at)
        burst = -(-away // 15) + 1
        if burst != pulses + 1 or away > min(ranges) - 3 or not geometry.on_map(at, view.map_w, view.map_h):
            continue
        ours = [ship.hex for ship in view.ships if ship.own and ship.fate == "in play"]
        if min(distance(at, own) for own in ours) > MINE_CLEARANCE + (squadron.speed or 0):
            return [f"mines {name(at)}"]
    return []


# --- flights ---------------------------------------------------------------------------------------------------------


def _flight_orders(view: View, flight: FlightView, enemies: list[SquadronView]) -> list[str]:
    """Fighters launch when the enemy is near: every third flight guards its squadron, the others strike."""
    if flight.state != "hangar" or view.stage != "turn" or not enemies or flight.count == 0:
        return []
    home = next((ship for ship in view.ships if ship.name == flight.home and ship.fate == "in play"), None)
    squadron = next((own for own in view.squadrons if home is not None and own.name == home.squadron), None)
    if home is None or squadron is None or squadron.state in ("waiting", "off", "withdrawing", "jumping"):
        return []
    foe = min(enemies, key=lambda other: (distance(home.hex, other.hex), other.name))
    if distance(home.hex, foe.hex) > LAUNCH_WITHIN:
        return []
    number = [own.name for own in view.flights if own.own].index(flight.name)
    mission = f"mission escort {squadron.name}" if number % 3 == 0 else f"mission strike {foe.name}"
    return [f"{flight.name}:", "  launch", f"  {mission}"]
