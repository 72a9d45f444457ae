"""Executing a path token by token (GA-MOV-1 to GA-MOV-7)."""

from __future__ import annotations

from games.galleys.data import TABLES
from games.galleys.rules.battle import Battle
from games.galleys.rules.geometry import ASTERN, Hull, ahead
from games.galleys.rules.losses import leave_map
from games.galleys.rules.raking import Passage, pass_through, passage
from games.galleys.rules.routes import BACK, FORWARD, THROUGH, TURNS, crosses, turn_cost, water_for
from games.galleys.rules.track import Track, pay, tell_move
from pbem.kit.hexgrid import Hex


def execute(battle: Battle, track: Track, token: str) -> None:
    """GA-MOV-6: one token, or the end of the movement when it cannot be executed."""
    if token == FORWARD:
        _forward(battle, track)
    elif token in TURNS:
        _turn(battle, track, token)
    elif token == BACK:
        _back(battle, track)
    elif token == THROUGH:
        _through(battle, track)


def _forward(battle: Battle, track: Track) -> None:
    hull, water = battle.hull(track.name), water_for(battle, track.name)
    entered = ahead(hull.bow, hull.facing)
    cost = water.cost_of(entered)
    if not battle.sea.holds(entered) and track.left >= 1 and _may_exit(battle, track, entered):
        pay(battle, track, 1)
        exit_map(battle, track)
    elif not water.is_free(entered):
        _blocked(battle, track, FORWARD, entered)
    elif cost > track.left:
        _out_of_points(battle, track, FORWARD, cost)
    else:
        pay(battle, track, cost)
        if entered in track.trodden:
            track.fit_to_ram = False
        _stand(battle, track, Hull(entered, hull.facing, hull.large), FORWARD)
        track.forwards += 1


def _may_exit(battle: Battle, track: Track, entered: Hex) -> bool:
    """GA-MOV-7: across the side's own exit edge."""
    return crosses(entered, battle.fleets[track.side].exit_edge, battle.sea)


def exit_map(battle: Battle, track: Track) -> None:
    """GA-MOV-7, GA-ACT-1: the ship is gone; nothing more of its activation follows."""
    tell_move(battle, track)
    track.stopped = True
    leave_map(battle, track.name, battle.fleets[track.side].exit_edge)


def may_exit_now(battle: Battle, track: Track) -> bool:
    """GA-MOV-11: MP are left and the next move ahead crosses the exit edge."""
    hull = battle.hull(track.name)
    entered = ahead(hull.bow, hull.facing)
    return track.left > 0 and not battle.sea.holds(entered) and _may_exit(battle, track, entered)


def _turn(battle: Battle, track: Track, token: str) -> None:
    hull = battle.hull(track.name)
    swung = Hull(hull.bow, (hull.facing + TURNS[token]) % 6, hull.large)
    cost = turn_cost(battle, track.name, track.points)
    if hull.large and not water_for(battle, track.name).is_free(swung.stern):
        _blocked(battle, track, token, swung.stern)
    elif cost > track.left:
        _out_of_points(battle, track, token, cost)
    else:
        pay(battle, track, cost)
        # GA-RAM-3: a turn must come directly behind a move ahead.
        if track.tokens[-1:] not in (FORWARD, THROUGH):
            track.fit_to_ram = False
        _stand(battle, track, swung, token)


def _back(battle: Battle, track: Track) -> None:
    """GA-MOV-4: back water, using all movement points."""
    hull = battle.hull(track.name)
    entered = ahead(hull.stern, hull.facing + ASTERN)
    if not water_for(battle, track.name).is_free(entered):
        _blocked(battle, track, BACK, entered)
    elif track.left < 1:
        _out_of_points(battle, track, BACK, 1)
    else:
        pay(battle, track, track.left)
        _stand(battle, track, Hull(ahead(hull.bow, hull.facing + ASTERN), hull.facing, hull.large), BACK)


def _through(battle: Battle, track: Track) -> None:
    """GA-PAS-3: blocked unless every qualification holds."""
    found = open_passage(battle, track)
    if isinstance(found, str):
        hull = battle.hull(track.name)
        _blocked(battle, track, THROUGH, ahead(hull.bow, hull.facing), found)
        return
    pass_through(battle, track, found)


def open_passage(battle: Battle, track: Track) -> Passage | str:
    """GA-PAS-1 to -3: the passage open to the ship where it stands, or what is missing."""
    if track.tokens[-1:] != FORWARD:
        return "the ship has not just moved ahead into the bow or stern hex"
    if track.left < TABLES.rake.pass_cost:
        return f"{TABLES.rake.pass_cost} MP are needed, {track.left} are left"
    return passage(battle, track, battle.hull(track.name))


def _stand(battle: Battle, track: Track, hull: Hull, token: str) -> None:
    battle.change(track.name, bow=hull.bow, facing=hull.facing)
    track.trodden.update(hull.hexes)
    track.tokens += token
    if track.way[-1] != hull.bow:
        track.way.append(hull.bow)


def _out_of_points(battle: Battle, track: Track, token: str, cost: int) -> None:
    _blocked(battle, track, token, None, f"{cost} MP are needed, {track.left} are left")


def _blocked(battle: Battle, track: Track, token: str, at: Hex | None, why: str = "") -> None:
    tell_move(battle, track)
    track.stopped = True
    facts = {"ship": track.name, "token": token, "hex": list(at) if at else None, "by": why or obstacle(battle, at)}
    battle.tell("blocked", "GA-MOV-6", facts)


def obstacle(battle: Battle, at: Hex | None) -> str:
    """What is in the way there, in words."""
    if at is None or not battle.sea.holds(at):
        return "the edge of the map"
    if at in battle.occupied:
        return battle.occupied[at]
    return "land" if at in battle.land else "shoal"
