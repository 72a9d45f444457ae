"""A ship's own missile fire: its moment, its targets and its shares (GA-MIS-4, -5, -10, GA-ORD-8 to -10, -13)."""

from __future__ import annotations

from games.galleys.data import TABLES
from games.galleys.orders.records import Fire, Shot, Target
from games.galleys.rules.intents import tell_skipped
from games.galleys.rules.missiles import (
    FACES,
    exchange,
    exchange_flame,
    expected_losses,
    has_flame,
    is_in_flame_reach,
    points_available,
)
from games.galleys.rules.targets import choose, why_gone
from games.galleys.rules.track import Track, tell_move
from games.galleys.state import HOLD_ALL_FIRE, Ship
from games.galleys.table import Table


def fire_at_start(table: Table, track: Track) -> None:
    """GA-ORD-8, -14: before the first token."""
    fire = _ordered(table, track)
    if fire and fire.moment == "at start":
        _fire_now(table, track, fire)
    else:
        fire_when_able(table, track)


def fire_when_able(table: Table, track: Track) -> None:
    """GA-ORD-8: the first moment at which every listed target still afloat and enemy qualifies."""
    fire = _ordered(table, track)
    if fire and fire.moment == "when able" and _all_qualify(table, track, fire):
        _fire_now(table, track, fire)


def fire_at_end(table: Table, track: Track) -> None:
    """Step e: own fire not yet made, by order or by doctrine."""
    ship = table.ships[track.name]
    if ship.fired or table.is_routed(track.name) or not points_available(table, ship):
        return
    if track.orders.flame:
        _flame_by_order(table, track, track.orders.flame.target)
    elif track.orders.fire:
        # Fire ordered for the start that found no target then is not made up for.
        if track.orders.fire.shots and track.orders.fire.moment != "at start":
            _fire_now(table, track, track.orders.fire)
    else:
        _fire_by_doctrine(table, track)


def _ordered(table: Table, track: Track) -> Fire | None:
    """The fire order that is still to be carried out."""
    ship = table.ships[track.name]
    fire = track.orders.fire
    if fire is None or not fire.shots or ship.fired or table.is_routed(track.name):
        return None
    return fire if points_available(table, ship) else None


# --- by order --------------------------------------------------------------------------------------------------------


def in_sight(table: Table, track: Track) -> list[Ship]:
    """The enemies with a fire line."""
    return [ship for ship in table.enemies(track.side) if table.fire_range(track.name, ship.name) is not None]


def _all_qualify(table: Table, track: Track, fire: Fire) -> bool:
    wanted = tuple(shot for shot in fire.shots if not why_gone(table, track, shot.target))
    return bool(wanted) and len(_aimed(table, track, wanted)) == len(wanted)


def _aimed(table: Table, track: Track, shots: tuple[Shot, ...]) -> dict[int, str]:
    """The ship each shot finds, by its place in the list; a selector never doubles a target already taken.

    GA-ORD-5: ``best`` goes by what the points of the shot would cost the target over the six faces.
    """
    ship, sight = table.ships[track.name], in_sight(table, track)
    points = shares(shots, points_available(table, ship))
    aimed: dict[int, str] = {}
    named = {shot.target.name for shot in shots if shot.target.name}
    for place, shot in enumerate(shots):
        taken = set(aimed.values()) | named if not shot.target.name else set(aimed.values())
        worth = {
            enemy.name: sum(expected_losses(table, ship, enemy, points[place])) if points[place] else 0
            for enemy in sight
            if enemy.name not in taken
        }
        target = choose(table, track, shot.target, worth)
        if target is not None:
            aimed[place] = target
    return aimed


def shares(shots: tuple[Shot, ...], available: int) -> list[int]:
    """GA-ORD-9: the points of each shot; the last listed lose first, and shots without a number share the rest."""
    ordered = sum(shot.points or 0 for shot in shots)
    unnumbered = [place for place, shot in enumerate(shots) if shot.points is None]
    rest = max(available - ordered, 0)
    given = [shot.points or 0 for shot in shots]
    for index, place in enumerate(unnumbered):
        given[place] = rest // len(unnumbered) + (1 if index < rest % len(unnumbered) else 0)
    excess = sum(given) - available
    for place in reversed(range(len(given))):
        taken = min(max(excess, 0), given[place])
        given[place] -= taken
        excess -= taken
    return given


def _fire_now(table: Table, track: Track, fire: Fire) -> None:
    points = shares(fire.shots, points_available(table, table.ships[track.name]))
    aimed = _aimed(table, track, fire.shots)
    shots = [(target, points[place]) for place, target in sorted(aimed.items()) if points[place] > 0]
    tell_move(table, track)
    for place, shot in enumerate(fire.shots):
        if place not in aimed:
            reason = why_gone(table, track, shot.target) or "no fire line"
            tell_skipped(table, track, f"fire at {shot.target}", reason)
    if shots:
        exchange(table, track.name, shots)


def _flame_by_order(table: Table, track: Track, target: Target) -> None:
    ship = table.ships[track.name]
    chosen = choose(table, track, target, {enemy.name: worth for enemy, worth in _beside(table, track)})
    if chosen is None or not has_flame(table, ship):
        gone = why_gone(table, track, target) or "not adjacent"
        reason = gone if has_flame(table, ship) else "no flame missiles aboard"
        tell_skipped(table, track, f"flame at {target}", reason)
        return
    tell_move(table, track)
    exchange_flame(table, track.name, chosen)


# --- by doctrine -----------------------------------------------------------------------------------------------------


def _fire_by_doctrine(table: Table, track: Track) -> None:
    """Doctrine ``target``, all points, never at a ship without marines (GA-MIS-10)."""
    limit = table.doctrine(track.name, "hold fire")
    if limit == HOLD_ALL_FIRE:
        return
    ship, target = table.ships[track.name], Target(selector=table.doctrine(track.name, "target"))
    flamed = choose(table, track, target, _flame_targets(table, track, ship, int(limit)))
    if flamed is not None:
        tell_move(table, track)
        exchange_flame(table, track.name, flamed)
        return
    shot_at = choose(table, track, target, _missile_targets(table, track, ship, int(limit)))
    if shot_at is not None:
        tell_move(table, track)
        exchange(table, track.name, [(shot_at, points_available(table, ship))])


def _missile_targets(table: Table, track: Track, ship: Ship, percent: int) -> dict[str, int]:
    """GA-MIS-10, GA-ORD-10: targets with marines and a fair chance of a loss."""
    points = points_available(table, ship)
    worth = {}
    for enemy in table.enemies(track.side):
        losses = expected_losses(table, ship, enemy, points) if enemy.marines else []
        hits = sum(loss > 0 for loss in losses)
        if losses and 100 * hits >= percent * len(FACES):
            worth[enemy.name] = sum(losses)
    return worth


def _flame_targets(table: Table, track: Track, ship: Ship, percent: int) -> dict[str, int]:
    """GA-ORD-13: enemies beside the ship that do not burn yet; ``best`` means the biggest."""
    if table.doctrine(track.name, "flame") != "on" or not has_flame(table, ship):
        return {}
    numbers = TABLES.flame
    bonus = numbers.many_bonus if points_available(table, ship) >= numbers.many_points else 0
    hits = sum(face + bonus >= numbers.ignites for face in FACES)
    if 100 * hits < percent * len(FACES):
        return {}
    return {enemy.name: worth for enemy, worth in _beside(table, track) if enemy.marines and not enemy.burning}


def _beside(table: Table, track: Track) -> list[tuple[Ship, int]]:
    """The enemies that flame would reach, and the points of their class."""
    ship, enemies = table.ships[track.name], table.enemies(track.side)
    return [(enemy, table.class_of(enemy.name).points) for enemy in enemies if is_in_flame_reach(table, ship, enemy)]
