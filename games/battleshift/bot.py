"""A simple opponent: closes to its best range, shoots at what it can hurt, sends its wings in, runs when beaten."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games.battleshift.data import LIMITS
from games.battleshift.view import FlightView, SquadronView, TaskforceView, View
from pbem.kit.dice import Dice
from pbem.kit.plane import INCH, squared, whole_distance

LAUNCH_RANGE = 4000
"""Wings go out when an enemy is nearer than this."""


def bot(view: View, dice: Dice) -> str:
    """Order text for any phase; legal by construction."""
    if view.side is None or view.stage != "orders":
        return "# the scenario's fleet\n"
    own = [tf for tf in view.taskforces if tf.own and tf.side == view.side and tf.location == "table"]
    lines = list(_fleet(view, own, dice))
    for tf in own:
        lines += _taskforce(view, tf, dice)
    for squadron in view.squadrons:
        if squadron.own and squadron.side == view.side and not squadron.where and not squadron.taskforce:
            lines += _loose(squadron)
    for squadron in view.squadrons:
        lines += _carrier(view, squadron)
    lines += [line for flight in view.flights if flight.side == view.side for line in _flight(view, flight)]
    return "\n".join(lines) + "\n"


def _fleet(view: View, own: Sequence[TaskforceView], dice: Dice) -> Iterable[str]:
    """Nearest taskforces first; whether to act first is tossed for."""
    if len(own) > 1:
        order = sorted(own, key=lambda tf: (_closeness(view, tf), tf.name))
        named = ", ".join(tf.name for tf in order)
        if len(named) < 180:
            yield f"sequence {named}"
    yield "initiative first" if dice.roll(6, "bot", view.side, "initiative").face <= 4 else "initiative second"


def _closeness(view: View, tf: TaskforceView) -> int:
    members = [s for s in view.squadrons if s.own and s.name in tf.squadrons and s.ships]
    return min((_nearest(view, s) for s in members), default=0)


def _nearest(view: View, squadron: SquadronView) -> int:
    """Squared distance of the nearest enemy ship known."""
    leader = squadron.leader
    if leader is None:
        return 0
    foes = [(ship.x, ship.y) for s in view.squadrons if s.side != squadron.side and not s.where for ship in s.ships]
    return min((squared((leader.x, leader.y), foe) for foe in foes), default=0)


def _stand_off(squadron: SquadronView) -> int:
    """The distance it likes to fight at, by its weapons."""
    if squadron.systems.get("heavy") or squadron.systems.get("super"):
        return 1400
    if squadron.systems.get("missile"):
        return 1800
    if squadron.systems.get("bay"):
        return 2400
    return 700


def _taskforce(view: View, tf: TaskforceView, dice: Dice) -> Iterable[str]:
    members = [s for s in view.squadrons if s.own and s.side == tf.side and s.name in tf.squadrons and s.ships]
    flag = next((s for s in members if s.flagship is not None), None)
    if flag is None:
        return
    yield f"{tf.name}:"
    if flag.is_station:
        yield "  fire all at best, nearest"
        return
    if dice.roll(6, "bot", view.side, tf.name, "mode").face <= 2:
        yield "  mode concentrate"
    stop = max(_stand_off(s) for s in members) if any(s.systems.get("bay") for s in members) else _stand_off(flag)
    yield f"  move toward nearest to {stop // INCH}"
    if any(_guns(s) for s in members):
        yield "  fire all at best, nearest"
    if any(s.systems.get("missile") for s in members):
        yield "  missiles at best, nearest"
    if view.switches.shift == "normal":
        yield "  escape when damage >= 130%"


def _guns(squadron: SquadronView) -> bool:
    return any(squadron.systems.get(name) for name in ("light", "heavy", "broadside", "super", "ion", "heavy_ion"))


def _loose(squadron: SquadronView) -> Iterable[str]:
    if squadron.is_station or squadron.prize or not squadron.active:
        return
    yield f"{squadron.name}:"
    yield f"  move toward nearest to {_stand_off(squadron) // INCH}"
    if _guns(squadron):
        yield "  fire all at best, nearest"


def _carrier(view: View, squadron: SquadronView) -> Iterable[str]:
    """All wings go out in one flight when the enemy is near; flights that have come home are taken aboard."""
    if not squadron.own or squadron.side != view.side or squadron.where or squadron.prize or not squadron.active:
        return
    out = [f for f in view.flights if f.own and f.side == view.side and f.carrier == squadron.name]
    near = _nearest(view, squadron) <= LAUNCH_RANGE**2
    wings = squadron.wings_aboard or 0
    if wings and not out and near:
        name = f"{squadron.name[:18]} W{view.turn}"
        yield f"{squadron.name}: launch {wings} as {name}"
        yield f"{name}: strike nearest"
        return
    for flight in out:
        if _is_home(squadron, flight) and not near:
            yield f"{squadron.name}: recover {flight.name}"


def _is_home(squadron: SquadronView, flight: FlightView) -> bool:
    spots = [(ship.x, ship.y) for ship in squadron.ships]
    return any(whole_distance(spot, (flight.x, flight.y)) <= LIMITS.contact for spot in spots)


def _flight(view: View, flight: FlightView) -> Iterable[str]:
    foes = [s for s in view.squadrons if s.side != flight.side and not s.where and s.ships]
    yield f"{flight.name}: strike nearest" if foes else f"{flight.name}: hold"
