"""A ship's own missile fire: its moment, its targets and its shares (GA-MIS-4, -5, -10, GA-ORD-8 to -10, -13)."""

from __future__ import annotations

from games.galleys.data import TABLES
from games.galleys.orders.plans import Fire, Shot, Target
from games.galleys.rules.battle import Battle
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
from games.galleys.rules.track import Track, ship_of, tell_move
from games.galleys.state import HOLD_ALL_FIRE, Ship


def fire_at_start(battle: Battle, track: Track) -> None:
    """GA-ORD-8, -14: before the first token."""
    fire = _ordered(battle, track)
    if fire and fire.moment == "at start":
        _fire_now(battle, track, fire)
    else:
        fire_when_able(battle, track)


def fire_when_able(battle: Battle, track: Track) -> None:
    """GA-ORD-8: the first moment at which every listed target still afloat and enemy qualifies."""
    fire = _ordered(battle, track)
    if fire and fire.moment == "when able" and _all_qualify(battle, track, fire):
        _fire_now(battle, track, fire)


def fire_at_end(battle: Battle, track: Track) -> None:
    """Step e: own fire not yet made, by order or by doctrine."""
    ship = ship_of(battle, track)
    if ship.fired or battle.is_routed(track.name) or not points_available(battle, ship):
        return
    if track.orders.flame:
        _flame_by_order(battle, track, track.orders.flame.target)
    elif track.orders.fire:
        # Fire ordered for the start that found no target then is not made up for.
        if track.orders.fire.shots and track.orders.fire.moment != "at start":
            _fire_now(battle, track, track.orders.fire)
    else:
        _fire_by_doctrine(battle, track)


def _ordered(battle: Battle, track: Track) -> Fire | None:
    """The fire order that is still to be carried out."""
    ship = ship_of(battle, track)
    fire = track.orders.fire
    if fire is None or not fire.shots or ship.fired or battle.is_routed(track.name):
        return None
    return fire if points_available(battle, ship) else None


# --- by order --------------------------------------------------------------------------------------------------------


def in_sight(battle: Battle, track: Track) -> list[Ship]:
    """The enemies with a fire line."""
    return [ship for ship in battle.enemies(track.side) if battle.fire_range(track.name, ship.name) is not None]


def _all_qualify(battle: Battle, track: Track, fire: Fire) -> bool:
    wanted = tuple(shot for shot in fire.shots if not why_gone(battle, track, shot.target))
    return bool(wanted) and len(_aimed(battle, track, wanted)) == len(wanted)


def _aimed(battle: Battle, track: Track, shots: tuple[Shot, ...]) -> dict[int, str]:
    """The ship each shot finds, by its place in the list; a selector never doubles a target already taken.

    GA-ORD-5: ``best`` goes by what the points of the shot would cost the target over the six faces.
    """
    ship, sight = ship_of(battle, track), in_sight(battle, track)
    points = shares(shots, points_available(battle, ship))
    found: dict[int, str] = {}
    named = {shot.target.name for shot in shots if shot.target.name}
    for place, shot in enumerate(shots):
        taken = set(found.values()) | named if not shot.target.name else set(found.values())
        worth = {
            enemy.name: sum(expected_losses(battle, ship, enemy, points[place])) if points[place] else 0
            for enemy in sight
            if enemy.name not in taken
        }
        target = choose(battle, track, shot.target, worth)
        if target is not None:
            found[place] = target
    return found


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


def _fire_now(battle: Battle, track: Track, fire: Fire) -> None:
    points = shares(fire.shots, points_available(battle, ship_of(battle, track)))
    aimed = _aimed(battle, track, fire.shots)
    shots = [(target, points[place]) for place, target in sorted(aimed.items()) if points[place] > 0]
    tell_move(battle, track)
    for place, shot in enumerate(fire.shots):
        if place not in aimed:
            reason = why_gone(battle, track, shot.target) or "no fire line"
            tell_skipped(battle, track, f"fire at {shot.target}", reason)
    if shots:
        exchange(battle, track.name, shots)


def _flame_by_order(battle: Battle, track: Track, target: Target) -> None:
    ship = ship_of(battle, track)
    beside = {
        enemy.name: battle.class_of(enemy.name).points
        for enemy in battle.enemies(track.side)
        if is_in_flame_reach(battle, ship, enemy)
    }
    found = choose(battle, track, target, beside)
    if found is None or not has_flame(battle, ship):
        reason = why_gone(battle, track, target) or "not adjacent"
        reason = reason if has_flame(battle, ship) else "no flame missiles aboard"
        tell_skipped(battle, track, f"flame at {target}", reason)
        return
    tell_move(battle, track)
    exchange_flame(battle, track.name, found)


# --- by doctrine -----------------------------------------------------------------------------------------------------


def _fire_by_doctrine(battle: Battle, track: Track) -> None:
    """Doctrine ``target``, all points, never at a ship without marines (GA-MIS-10)."""
    limit = battle.doctrine(track.name, "hold fire")
    if limit == HOLD_ALL_FIRE:
        return
    ship, target = ship_of(battle, track), Target(selector=battle.doctrine(track.name, "target"))
    flame = _flame_targets(battle, track, ship, int(limit))
    if flame:
        found = choose(battle, track, target, flame)
        assert found is not None
        tell_move(battle, track)
        exchange_flame(battle, track.name, found)
        return
    worth = _missile_targets(battle, track, ship, int(limit))
    found = choose(battle, track, target, worth)
    if found is not None:
        tell_move(battle, track)
        exchange(battle, track.name, [(found, points_available(battle, ship))])


def _missile_targets(battle: Battle, track: Track, ship: Ship, percent: int) -> dict[str, int]:
    """GA-MIS-10, GA-ORD-10: targets with marines and a fair chance of a loss."""
    points = points_available(battle, ship)
    found = {}
    for enemy in battle.enemies(track.side):
        losses = expected_losses(battle, ship, enemy, points) if enemy.marines else []
        hits = sum(loss > 0 for loss in losses)
        if losses and 100 * hits >= percent * len(FACES):
            found[enemy.name] = sum(losses)
    return found


def _flame_targets(battle: Battle, track: Track, ship: Ship, percent: int) -> dict[str, int]:
    """GA-ORD-13: enemies beside the ship that do not burn yet; ``best`` means the biggest."""
    if battle.doctrine(track.name, "flame") != "on" or not has_flame(battle, ship):
        return {}
    table = TABLES.flame
    bonus = table.many_bonus if points_available(battle, ship) >= table.many_points else 0
    hits = sum(face + bonus >= table.ignites for face in FACES)
    if 100 * hits < percent * len(FACES):
        return {}
    return {
        enemy.name: battle.class_of(enemy.name).points
        for enemy in battle.enemies(track.side)
        if enemy.marines and not enemy.burning and is_in_flame_reach(battle, ship, enemy)
    }
