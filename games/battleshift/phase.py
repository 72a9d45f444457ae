"""What is open, who takes part, how it ended, and what a side may not know."""

from __future__ import annotations

from collections.abc import Iterator

from games.battleshift.rules.fog import table_of
from games.battleshift.state import State, Terrain
from games.battleshift.table import Table
from pbem.kit.game import Outcome, Phase, SideInfo

LOST = ("destroyed", "captured", "left")


def sides(state: State) -> tuple[SideInfo, ...]:
    return tuple(SideInfo(side.id, side.name) for side in state.sides)


def units(state: State, side: str) -> tuple[str, ...]:
    """Names that may open a block."""
    names = [tf.name for tf in state.taskforces if tf.side == side]
    names += [s.name for s in state.squadrons if s.side == side and any(x.status not in LOST for x in s.ships)]
    names += [flight.name for flight in state.flights if flight.side == side]
    return tuple(names + [body.name for body in state.terrain if body.name and _has_part_in(body, side)])


def _has_part_in(body: Terrain, side: str) -> bool:
    """Its own, or with units of its own on the ground."""
    quadrants = body.quadrants.values()
    landed = any(quadrant.holder == side or (quadrant.invaders and quadrant.holder != side) for quadrant in quadrants)
    return bool(quadrants) and (body.owner == side or landed)


def phase(state: State) -> Phase | None:
    """Section 3.1: setup once, then one order phase a turn."""
    if state.stage == "over":
        return None
    return Phase(state.stage, state.turn, frozenset(side.id for side in state.sides))


def outcome(state: State) -> Outcome | None:
    if state.ending is None:
        return None
    winners = frozenset((state.ending.winner,)) if state.ending.winner else frozenset()
    return Outcome(winners, state.ending.reason, dict(state.vp))


def secrets(state: State, side: str) -> frozenset[str]:
    """Names the side may not know: reserves, and under fog what it has never identified."""
    own = {unit.name for unit in (*state.squadrons, *state.taskforces) if unit.side == side}
    flights = {flight.name for flight in state.flights}
    return frozenset(_hidden(table_of(state), side)) - own - flights - set(state.known_names.get(side, ()))


def _hidden(table: Table, side: str) -> Iterator[str]:
    foe, setup = table.enemy(side), table.state.stage == "setup"
    for tf in table.forces.values():
        unseen = setup or tf.now.location == "reserve"
        if tf.side == foe and (unseen or not table.identifies(side, tf)):
            yield from (tf.name, *(tf.now.squadrons if unseen else ()))
    for squadron in table.of(foe):
        if setup or (squadron.present and not table.identifies(side, squadron)):
            yield squadron.name
