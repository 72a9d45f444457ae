"""A game of two squadrons on a few hexes: small enough to read, whole enough to write every letter about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pbem.kit.game import Dice, Event, Game, Outcome, Phase, Resolution, Roll, Scenario, SideInfo
from pbem.kit.hexgrid import DIRECTION_NAMES, Hex, from_column_row, name, neighbour
from pbem.kit.scene import (
    Burst,
    HexGrid,
    Patch,
    Ring,
    Scene,
    ScenePart,
    Shot,
    Trail,
    Unit,
    Wind,
    hex_point,
    hex_points,
)
from pbem.kit.sheet import BadOrder, Dialect, Line, Sheet, read_sheet, read_verb

LONGEST_MOVE = 4
SIDES = (SideInfo("earth", "Earth Force"), SideInfo("narn", "Narn Regime"))


@dataclass(frozen=True)
class Squadron:
    name: str
    side: str
    at: Hex
    heading: int
    structure: int
    most: int = 12
    hidden: bool = False


@dataclass(frozen=True)
class State:
    turn: int
    squadrons: tuple[Squadron, ...]


@dataclass(frozen=True)
class View:
    turn: int
    side: str
    own: tuple[Squadron, ...]
    known: tuple[Squadron, ...]


@dataclass(frozen=True)
class Move:
    squadron: str
    direction: int
    hexes: int


def opening_state() -> State:
    return State(
        1,
        (
            Squadron("Alpha", "earth", from_column_row(4, 6), 2, 12),
            Squadron("Beta", "earth", from_column_row(4, 9), 2, 12),
            Squadron("G'Quan", "narn", from_column_row(11, 5), 5, 12),
            Squadron("Canary Deep", "narn", from_column_row(12, 9), 5, 12, hidden=True),
        ),
    )


def read_orders(state: State, side: str, text: str) -> Sheet[Move]:
    own = {squadron.name: squadron for squadron in state.squadrons if squadron.side == side}

    def move(line: Line, words: str) -> Move:
        parts = words.split()
        if len(parts) != 2 or parts[0].upper() not in DIRECTION_NAMES or not parts[1].isdigit():
            raise BadOrder("DU-E-1", f"'{words}' is no move", "move SE 3", "the squadron holds its place")
        if int(parts[1]) > LONGEST_MOVE:
            reason = f"'move {words}' is {parts[1]} hexes, the limit is {LONGEST_MOVE}"
            raise BadOrder("DU-MOV-1", reason, f"move {parts[0]} {LONGEST_MOVE}", "the squadron holds its place")
        if line.unit not in own:
            raise BadOrder("DU-E-2", "a move needs a squadron", "Alpha:", "the line is ignored")
        return Move(line.unit, DIRECTION_NAMES.index(parts[0].upper()), int(parts[1]))

    dialect = Dialect(tuple(own), bad_syntax="DU-E-1", unknown_unit="DU-E-2", wrong_turn="DU-E-3", turn=state.turn)
    sheet = read_sheet(text, dialect, lambda line: [read_verb(line, {"move": move}, "DU-E-1")])
    moved = {order.squadron for order in sheet.orders}
    return replace(
        sheet, defaults=tuple(f"{unit} has no orders and holds its place." for unit in own if unit not in moved)
    )


def resolve(state: State, sheets: Mapping[str, Sheet[Move]], dice: Dice) -> Resolution[State]:
    everyone = frozenset(side.id for side in SIDES)
    moves = {order.squadron: order for sheet in sheets.values() for order in sheet.orders}
    squadrons, events = [], []
    for squadron in state.squadrons:
        order = moves.get(squadron.name)
        if order:
            to = neighbour(squadron.at, order.direction, order.hexes)
            way = [name(neighbour(squadron.at, order.direction, n)) for n in range(order.hexes + 1)]
            facts = {"unit": squadron.name, "way": way, "hexes": order.hexes}
            audience = frozenset({squadron.side}) if squadron.hidden else everyone
            events.append(Event("move", "DU-MOV-1", "movement", facts, audience))
            squadron = replace(squadron, at=to, heading=order.direction)
        squadrons.append(squadron)
    shooter, target = squadrons[0], squadrons[2]
    roll = dice.roll(10, "fire", shooter.name, target.name)
    hit = roll.face <= 6
    facts = {"unit": shooter.name, "target": target.name, "hit": hit, "damage": 3 if hit else 0}
    events.append(Event("fire", "DU-FIRE-1", "fire", facts, everyone, (roll,)))
    if hit:
        squadrons[2] = replace(target, structure=max(0, target.structure - 3))
    return Resolution(State(state.turn + 1, tuple(squadrons)), tuple(events))


def view(state: State, side: str | None) -> View:
    own = tuple(s for s in state.squadrons if side is None or s.side == side)
    known = tuple(s for s in state.squadrons if s not in own and not s.hidden)
    return View(state.turn, side or "", own, known)


def scene(seen: View, events: Sequence[Event]) -> Scene:
    places = {squadron.name: squadron.at for squadron in (*seen.own, *seen.known)}
    items: list[Any] = []
    for event in events:
        if event.kind == "move":
            points = hex_points(_hex(at) for at in event.facts["way"])
            side = next((s.side for s in (*seen.own, *seen.known) if s.name == event.facts["unit"]), "narn")
            items.append(Trail(points, side, marks=(len(points) - 1,)))
        if event.kind == "fire":
            start, end = hex_point(places[event.facts["unit"]]), hex_point(places[event.facts["target"]])
            items.append(Shot(start, end, "earth", event.facts["hit"], str(event.facts["damage"] or "")))
            if event.facts["hit"]:
                items.append(Burst(end, 0, "explosion"))
    items.extend(_unit(squadron, seen) for squadron in (*seen.own, *seen.known))
    items.extend(Ring(hex_point(s.at), 4, s.side) for s in seen.own[:1])
    return Scene(
        f"The duel, turn {seen.turn}",
        HexGrid(16, 12),
        tuple(ScenePart(side.id, side.name, n) for n, side in enumerate(SIDES)),
        (Patch("asteroids", tuple(from_column_row(8, row) for row in (4, 5, 6)), "The Rocks"),),
        tuple(items),
        wind=Wind(120, "solar"),
        alt=f"Turn {seen.turn}. " + " ".join(f"{s.name} stands in {name(s.at)}." for s in (*seen.own, *seen.known)),
    )


def _unit(squadron: Squadron, seen: View) -> Unit:
    weak = ("crippled",) if squadron.structure < squadron.most / 2 else ()
    return Unit(
        hex_point(squadron.at), squadron.side, "squadron", squadron.name, 60.0 * squadron.heading, count=4, states=weak
    )


def _hex(text: str) -> Hex:
    return from_column_row(int(text[:2]), int(text[2:]))


def forecast(seen: View, sheet: Sheet[Move]) -> Scene:
    base = scene(seen, ())
    plots = []
    for order in sheet.orders:
        start = next(s.at for s in seen.own if s.name == order.squadron)
        points = hex_points(neighbour(start, order.direction, n) for n in range(order.hexes + 1))
        plots.append(Trail(points, seen.side, "plotted", (order.hexes,)))
    return replace(base, title=f"{base.title}: your plot", items=(*base.items, *plots))


def template(seen: View) -> str:
    lines = []
    for squadron in seen.own:
        lines += [f"{squadron.name}:", f"  # in {name(squadron.at)}, heading {DIRECTION_NAMES[squadron.heading]}"]
        lines += ["  # move DIRECTION HEXES"]
    return "\n".join(lines) + "\n"


def outcome(state: State) -> Outcome | None:
    if state.turn <= 3:
        return None
    return Outcome(frozenset({"earth"}), "Victory for Earth Force after three turns.", {"earth": 9, "narn": 3})


def gauges(seen: View) -> Mapping[str, Mapping[str, float]]:
    totals: dict[str, float] = {}
    for squadron in (*seen.own, *seen.known):
        totals[squadron.side] = totals.get(squadron.side, 0.0) + squadron.structure
    return {"structure": totals}


def secrets(state: State, side: str) -> frozenset[str]:
    return frozenset(s.name for s in state.squadrons if s.hidden and s.side != side)


def _bot(seen: View, dice: Dice) -> str:
    return "".join(f"{squadron.name}:\n  move {DIRECTION_NAMES[squadron.heading]} 2\n" for squadron in seen.own)


DUEL: Game[State, Move, View] = Game(
    slug="duel",
    title="Duel",
    version="1",
    state_type=State,
    setup=lambda scenario, dice: opening_state(),
    sides=lambda state: SIDES,
    phase=lambda state: None if outcome(state) else Phase("orders", state.turn, frozenset(s.id for s in SIDES)),
    units=lambda state, side: tuple(s.name for s in state.squadrons if s.side == side),
    read_orders=read_orders,
    resolve=resolve,
    view=view,
    scene=scene,
    template=template,
    forecast=forecast,
    outcome=outcome,
    bot=_bot,
    secrets=secrets,
    gauges=gauges,
)

__all__ = ["DUEL", "Roll", "Scenario", "State", "opening_state"]
