"""A simple opponent: closes to its best range, shoots at what it can hurt, sends its wings in, runs when beaten."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games.battleshift.data import BATTERIES, LIMITS, ShipClass
from games.battleshift.state import Contact, Flight, SeenFlight, Squadron, Taskforce
from games.battleshift.status import members, own_squadrons, own_taskforces
from games.battleshift.view import View
from pbem.kit.dice import Dice
from pbem.kit.plane import INCH, squared, whole_distance

LAUNCH_RANGE = 4000
"""Wings go out when an enemy is nearer than this."""


def bot(view: View, dice: Dice) -> str:
    """Order text for any phase; legal by construction."""
    if view.side is None or view.stage != "orders":
        return "# the scenario's fleet\n"
    tfs = [tf for tf in own_taskforces(view) if tf.location == "table"]
    lines = list(_fleet(view, tfs, dice))
    for tf in tfs:
        lines += _taskforce(view, tf, dice)
    for squadron in own_squadrons(view):
        if not squadron.taskforce:
            lines += _loose(view, squadron)
    for squadron in own_squadrons(view):
        lines += _carrier(view, squadron)
    lines += [line for flight in view.flights if flight.side == view.side for line in _flight(view, flight)]
    return "\n".join(lines) + "\n"


def _fleet(view: View, own: Sequence[Taskforce], dice: Dice) -> Iterable[str]:
    """Nearest taskforces first; whether to act first is tossed for."""
    if len(own) > 1:
        order = sorted(own, key=lambda tf: (_closeness(view, tf), tf.name))
        named = ", ".join(tf.name for tf in order)
        if len(named) < 180:
            yield f"sequence {named}"
    yield "initiative first" if dice.roll(6, "bot", view.side, "initiative").face <= 4 else "initiative second"


def _closeness(view: View, tf: Taskforce) -> int:
    return min((_nearest(view, squadron) for squadron in members(view, tf)), default=0)


def _foes(view: View, side: str) -> list[Contact]:
    return [squadron for squadron in view.squadrons if squadron.side != side and not squadron.where]


def _nearest(view: View, squadron: Squadron) -> int:
    """Squared distance of the nearest enemy ship known."""
    leader = view.leader(squadron)
    if leader is None:
        return 0
    spots = [ship.spot for foe in _foes(view, squadron.side) for ship in foe.at_hand]
    return min((squared(leader.spot, spot) for spot in spots), default=0)


def _stand_off(view: View, squadron: Squadron) -> int:
    """The distance it likes to fight at, by its weapons."""
    card = view.cards[squadron.key]
    if card.heavy or card.super:
        return 1400
    if card.missile:
        return 1800
    return 2400 if card.bay else 700


def _taskforce(view: View, tf: Taskforce, dice: Dice) -> Iterable[str]:
    own = members(view, tf)
    cards = [view.cards[squadron.key] for squadron in own]
    flag = next((squadron for squadron in own if view.figures[squadron.key].flagship is not None), None)
    if flag is None:
        return
    yield f"{tf.name}:"
    if view.cards[flag.key].is_station:
        yield "  fire all at best, nearest"
        return
    if dice.roll(6, "bot", view.side, tf.name, "mode").face <= 2:
        yield "  mode concentrate"
    carriers = any(card.bay for card in cards)
    stop = max(_stand_off(view, squadron) for squadron in own) if carriers else _stand_off(view, flag)
    yield f"  move toward nearest to {stop // INCH}"
    if any(_has_guns(card) for card in cards):
        yield "  fire all at best, nearest"
    if any(card.missile for card in cards):
        yield "  missiles at best, nearest"
    if view.switches.shift == "normal":
        yield "  escape when damage >= 130%"


def _has_guns(card: ShipClass) -> bool:
    return any(getattr(card, name) for name in BATTERIES)


def _loose(view: View, squadron: Squadron) -> Iterable[str]:
    card = view.cards[squadron.key]
    if card.is_station or squadron.captor or not squadron.active:
        return
    yield f"{squadron.name}:"
    yield f"  move toward nearest to {_stand_off(view, squadron) // INCH}"
    if _has_guns(card):
        yield "  fire all at best, nearest"


def _carrier(view: View, squadron: Squadron) -> Iterable[str]:
    """All wings go out in one flight when the enemy is near; flights that have come home are taken aboard."""
    if squadron.captor or not squadron.active:
        return
    out = [f for f in view.flights if isinstance(f, Flight) and (f.side, f.carrier) == (view.side, squadron.name)]
    near = _nearest(view, squadron) <= LAUNCH_RANGE**2
    wings = squadron.wings_aboard
    if wings and not out and near:
        name = f"{squadron.name[:18]} W{view.turn}"
        yield f"{squadron.name}: launch {wings} as {name}"
        yield f"{name}: strike nearest"
        return
    for flight in out:
        if _is_home(squadron, flight) and not near:
            yield f"{squadron.name}: recover {flight.name}"


def _is_home(squadron: Squadron, flight: SeenFlight) -> bool:
    return any(whole_distance(ship.spot, flight.spot) <= LIMITS.contact for ship in squadron.at_hand)


def _flight(view: View, flight: SeenFlight) -> Iterable[str]:
    yield f"{flight.name}: strike nearest" if _foes(view, flight.side) else f"{flight.name}: hold"
