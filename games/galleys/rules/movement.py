"""Executing a path token by token (GA-MOV-1 to GA-MOV-7)."""

from __future__ import annotations

from games.galleys.data import TABLES
from games.galleys.rules.geometry import Hull, ahead
from games.galleys.rules.losses import leave_map
from games.galleys.rules.raking import Passage, pass_through, passage
from games.galleys.rules.routes import BACK, FORWARD, THROUGH, TURNS, crosses, moved, turn_cost, water_for
from games.galleys.rules.track import Track, pay, tell_move
from games.galleys.table import Table
from pbem.kit.hexgrid import Hex


def execute(table: Table, track: Track, token: str) -> None:
    """GA-MOV-6: one token, or the end of the movement when it cannot be executed."""
    if token == FORWARD:
        _forward(table, track)
    elif token in TURNS:
        _turn(table, track, token)
    elif token == BACK:
        _back(table, track)
    elif token == THROUGH:
        _through(table, track)


def _forward(table: Table, track: Track) -> None:
    onward = moved(table.hull(track.name), FORWARD)
    circles = onward.bow in track.trodden
    if may_exit_now(table, track):
        pay(table, track, 1)
        exit_map(table, track)
    elif _go(table, track, FORWARD, onward, onward.bow, water_for(table, track.name).cost_of(onward.bow)):
        track.forwards += 1
        track.fit_to_ram = track.fit_to_ram and not circles


def exit_map(table: Table, track: Track) -> None:
    """GA-MOV-7, GA-ACT-1: the ship is gone; nothing more of its activation follows."""
    tell_move(table, track)
    track.stopped = True
    leave_map(table, track.name, table.sides[track.side].exit_edge)


def may_exit_now(table: Table, track: Track) -> bool:
    """GA-MOV-7, -11: MP are left and the next move ahead crosses the side's own exit edge."""
    entered = moved(table.hull(track.name), FORWARD).bow
    beyond = not table.sea.holds(entered) and crosses(entered, table.sides[track.side].exit_edge, table.sea)
    return track.left > 0 and beyond


def _turn(table: Table, track: Track, token: str) -> None:
    swung = moved(table.hull(track.name), token)
    # GA-RAM-3: a turn must come directly behind a move ahead.
    behind_a_move = track.tokens[-1:] in (FORWARD, THROUGH)
    entered = swung.stern if swung.large else None
    if _go(table, track, token, swung, entered, turn_cost(table, track.name, track.points)):
        track.fit_to_ram = track.fit_to_ram and behind_a_move


def _back(table: Table, track: Track) -> None:
    """GA-MOV-4: back water, using all movement points."""
    astern = moved(table.hull(track.name), BACK)
    _go(table, track, BACK, astern, astern.stern, max(track.left, 1))


def _go(table: Table, track: Track, token: str, hull: Hull, entered: Hex | None, cost: int) -> bool:
    """Pay and stand there, or end the movement where the hex is closed or the points do not suffice."""
    if entered is not None and not water_for(table, track.name).is_free(entered):
        _blocked(table, track, token, entered)
    elif cost > track.left:
        _blocked(table, track, token, None, f"{cost} MP are needed, {track.left} are left")
    else:
        pay(table, track, cost)
        _stand(table, track, hull, token)
        return True
    return False


def _through(table: Table, track: Track) -> None:
    """GA-PAS-3: blocked unless every qualification holds."""
    through = open_passage(table, track)
    if isinstance(through, str):
        hull = table.hull(track.name)
        _blocked(table, track, THROUGH, ahead(hull.bow, hull.facing), through)
        return
    pass_through(table, track, through)


def open_passage(table: Table, track: Track) -> Passage | str:
    """GA-PAS-1 to -3: the passage open to the ship where it stands, or what is missing."""
    if track.tokens[-1:] != FORWARD:
        return "the ship has not just moved ahead into the bow or stern hex"
    if track.left < TABLES.rake.pass_cost:
        return f"{TABLES.rake.pass_cost} MP are needed, {track.left} are left"
    return passage(table, track, table.hull(track.name))


def _stand(table: Table, track: Track, hull: Hull, token: str) -> None:
    table.change(table.ships[track.name], bow=hull.bow, facing=hull.facing)
    track.trodden.update(hull.hexes)
    track.tokens += token
    if track.way[-1] != hull.bow:
        track.way.append(hull.bow)


def _blocked(table: Table, track: Track, token: str, at: Hex | None, why: str = "") -> None:
    tell_move(table, track)
    track.stopped = True
    facts = {"ship": track.name, "token": token, "hex": list(at) if at else None, "by": why or obstacle(table, at)}
    table.tell("blocked", "GA-MOV-6", table.sides, facts)


def obstacle(table: Table, at: Hex | None) -> str:
    """What is in the way there, in words."""
    if at is None or not table.sea.holds(at):
        return "the edge of the map"
    if at in table.occupied:
        return table.occupied[at]
    return "land" if at in table.land else "shoal"
