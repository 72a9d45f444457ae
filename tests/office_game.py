"""A tiny complete game for the tests of the office: two sides, two ships each, one kind of shot.

What a ship can be ordered is offered; a sunken one has no choices. Every third turn a phase `repairs` asks nobody. Each
side has a hidden mine whose name the other may not know.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pbem.kit.choices import Choice, Closed, Number, Offer
from pbem.kit.codec import build
from pbem.kit.dice import Dice
from pbem.kit.game import Event, Game, Outcome, Phase, Resolution, Scenario, Scene, Sheet, SideInfo
from pbem.kit.hexgrid import Hex
from pbem.kit.scene import HexGrid, Label, Point, ScenePart, hex_point
from pbem.kit.sheet import BadOrder, Dialect, Line, read_sheet, read_verb

SIDES = (SideInfo("red", "Red Fleet"), SideInfo("blue", "Blue Fleet"))
EVERYBODY = frozenset(("red", "blue"))
MINES = {"red": "Krakatoa", "blue": "Vesuvius"}
FASTEST = 6
REPAIRS_EVERY = 3


@dataclass(frozen=True)
class Ship:
    name: str
    side: str
    hull: int = 3
    speed: int = 0


@dataclass(frozen=True)
class State:
    ships: tuple[Ship, ...]
    turn: int = 1
    step: str = "orders"
    last_turn: int = 6
    trouble: str = ""
    """A fault to show: `resolve`, `view`, `read`, `leak`, `runaway`; with `trouble_turn` from that turn on."""
    trouble_turn: int = 0
    fog: bool = False

    def fails(self, where: str) -> bool:
        return self.trouble == where and self.turn >= self.trouble_turn


@dataclass(frozen=True)
class Order:
    unit: str
    verb: str
    value: str


@dataclass(frozen=True)
class View:
    side: str | None
    turn: int
    ships: tuple[Ship, ...]
    mine: str


@dataclass(frozen=True)
class Opening:
    last_turn: int = 6
    trouble: str = ""
    trouble_turn: int = 0
    fog: bool = False


def setup(scenario: Scenario, dice: Dice) -> State:
    opening: Opening = build(Opening, scenario.data, "duel")
    names = (("Ares", "red"), ("Argo", "red"), ("Boreas", "blue"), ("Bellona", "blue"))
    hulls = [3 + dice.roll(2, "hull", name).face for name, _ in names]
    ships = tuple(Ship(name, side, hull) for (name, side), hull in zip(names, hulls, strict=True))
    return State(ships, 1, "orders", opening.last_turn, opening.trouble, opening.trouble_turn, opening.fog)


def phase(state: State) -> Phase | None:
    if outcome(state) is not None:
        return None
    if state.step == "repairs" or state.fails("runaway"):
        return Phase("repairs", state.turn, frozenset())
    return Phase("orders", state.turn, EVERYBODY)


def units(state: State, side: str) -> tuple[str, ...]:
    return tuple(ship.name for ship in state.ships if ship.side == side)


def read_orders(state: State, side: str, text: str) -> Sheet[Order]:
    if state.fails("read") and "kaboom" in text:
        raise RuntimeError(f"the reader broke on: {text}")
    dialect = Dialect(units(state, side), "Fleet", "DU-E-1", "DU-E-2", "DU-E-3", state.turn)
    verbs = {"speed": _read_speed, "fire": _read_fire, "stance": _read_stance}
    sheet = read_sheet(text, dialect, lambda line: [read_verb(line, verbs, "DU-E-1")])
    ordered = {order.unit for order in sheet.orders}
    idle = [name for name in units(state, side) if name not in ordered]
    return replace(sheet, defaults=tuple(f"{name} drifts." for name in idle))


def _read_speed(line: Line, rest: str) -> Order:
    if not rest.isdecimal() or int(rest) > FASTEST:
        raise BadOrder("DU-SPD-1", f"speed {rest} is more than {FASTEST}", f"speed {FASTEST}", "the ship drifts")
    return Order(line.unit, "speed", rest)


def _read_fire(line: Line, rest: str) -> Order:
    if not rest:
        raise BadOrder("DU-FIR-1", "fire needs a target", "fire Boreas", "no shot")
    return Order(line.unit, "fire", rest)


def _read_stance(line: Line, rest: str) -> Order:
    return Order(line.unit, "stance", rest)


def resolve(state: State, sheets: Mapping[str, Sheet[Order]], dice: Dice) -> Resolution[State]:
    if state.fails("resolve"):
        raise RuntimeError("the referee broke")
    if state.fails("runaway"):
        return Resolution(state, ())
    if state.step == "repairs":
        event = Event("repaired", "DU-REP-1", "repairs", {"turn": state.turn}, EVERYBODY)
        return Resolution(replace(state, step="orders", turn=state.turn + 1), (event,))
    ships = {ship.name: ship for ship in state.ships}
    events: list[Event] = []
    for side in ("red", "blue"):
        for order in sheets[side].orders:
            events.extend(_carry_out(order, ships, dice))
    mined = Event("mined", "DU-MIN-1", "orders", {"mine": MINES["red"]}, frozenset(("red",)))
    hidden = (mined,) if state.fog else ()
    step = "repairs" if state.turn % REPAIRS_EVERY == 0 else "orders"
    turn = state.turn if step == "repairs" else state.turn + 1
    return Resolution(replace(state, ships=tuple(ships.values()), step=step, turn=turn), (*events, *hidden))


def _carry_out(order: Order, ships: dict[str, Ship], dice: Dice) -> list[Event]:
    ship = ships.get(order.unit)
    if ship is None:
        return []
    if order.verb == "speed":
        ships[ship.name] = replace(ship, speed=int(order.value))
        return [Event("moved", "DU-SPD-1", "orders", {"ship": ship.name, "speed": int(order.value)}, EVERYBODY)]
    target = ships.get(order.value)
    if order.verb == "fire" and target is None:
        nobody = {"ship": ship.name, "target": order.value}
        return [Event("wasted", "DU-FIR-2", "orders", nobody, frozenset((ship.side,)))]
    if order.verb != "fire" or target is None:
        return []
    roll = dice.roll(6, "orders", ship.name, "fire", target.name)
    hit = roll.face >= 5
    ships[target.name] = replace(target, hull=max(0, target.hull - hit))
    facts = {"ship": ship.name, "target": target.name, "hit": hit}
    return [Event("fired", "DU-FIR-1", "orders", facts, EVERYBODY, (roll,))]


def view(state: State, side: str | None) -> View:
    if state.fails("view"):
        raise RuntimeError("the lookout broke")
    other = {"red": "blue", "blue": "red"}.get(side or "", "red")
    mine = MINES[other] if state.fails("leak") else MINES.get(side or "", "")
    return View(side, state.turn, state.ships, mine)


def scene(view: View, events: Sequence[Event]) -> Scene:
    parts = tuple(ScenePart(info.id, info.name, number) for number, info in enumerate(SIDES))
    labels = tuple(Label(place(view, ship), ship.name) for ship in view.ships)
    return Scene(f"Turn {view.turn}", HexGrid(6, 4), parts, items=labels, alt=f"{len(events)} things happened.")


def place(view: View, ship: Ship) -> Point:
    return hex_point(Hex(view.ships.index(ship), 0))


def imagined(view: View, dice: Dice) -> State:
    """A view hides only the other's mine, which no state holds."""
    return State(view.ships, view.turn)


def choices(view: View, sheet: Sheet[Order], unit: str) -> Offer:
    """Any speed, and a shot at any enemy afloat; the fleet may take a stance."""
    given = {(entry.order.unit, entry.order.verb): entry for entry in sheet.accepted}
    if unit == "Fleet":
        return Offer(unit, "Fleet", (Choice("stance", "dare more", ("stance bold",)),))
    ship = next(ship for ship in view.ships if ship.name == unit)
    if not ship.hull:
        return Offer(unit, f"{unit}: sunk", closed=(Closed("orders", f"{unit} is sunk", "DU-HUL-1"),))
    enemies = [enemy for enemy in view.ships if enemy.side != view.side and enemy.hull]
    speeds = replaced(given, unit, "speed")
    shots = replaced(given, unit, "fire")
    return Offer(
        unit,
        f"{unit}: hull {ship.hull}, speed {ship.speed}",
        (
            Choice("speed", "so fast", ("speed {}",), speeds, fill=Number(0, FASTEST, ship.speed)),
            *(
                Choice(
                    "fire", f"at {enemy.name}", (f"fire {enemy.name}",), shots, "needs 5 or more", place(view, enemy)
                )
                for enemy in enemies
            ),
        ),
        () if enemies else (Closed("fire", "no enemy is afloat", "DU-FIR-1"),),
    )


def replaced(given: Mapping[tuple[str, str], Any], unit: str, verb: str) -> tuple[int, ...]:
    return (given[unit, verb].line,) if (unit, verb) in given else ()


def template(view: View) -> str:
    own = [ship for ship in view.ships if ship.side == view.side]
    return "".join(f"{ship.name}:\n  speed {ship.speed}\n" for ship in own)


def outcome(state: State) -> Outcome | None:
    if state.turn <= state.last_turn:
        return None
    left = {info.id: sum(ship.hull for ship in state.ships if ship.side == info.id) for info in SIDES}
    best = max(left.values())
    winners = frozenset(side for side, hull in left.items() if hull == best and len(set(left.values())) > 1)
    return Outcome(winners, f"Red has {left['red']}, Blue {left['blue']}.", left)


def bot(view: View, dice: Dice) -> str:
    own = [ship.name for ship in view.ships if ship.side == view.side]
    return "".join(f"{name}:\n  speed {dice.roll(FASTEST, 'bot', name).face}\n" for name in own)


def secrets(state: State, side: str) -> frozenset[str]:
    if not (state.fog or state.trouble == "leak"):
        return frozenset()
    return frozenset(mine for owner, mine in MINES.items() if owner != side)


def gauges(view: View) -> dict[str, dict[str, float]]:
    return {"hull": {info.id: float(sum(ship.hull for ship in view.ships if ship.side == info.id)) for info in SIDES}}


DUEL: Game[Any, Any, Any] = Game(
    slug="duel",
    title="Duel",
    version="1",
    state_type=State,
    setup=setup,
    sides=lambda state: SIDES,
    phase=phase,
    units=units,
    read_orders=read_orders,
    resolve=resolve,
    view=view,
    scene=scene,
    template=template,
    forecast=lambda view, sheet: scene(view, ()),
    outcome=outcome,
    bot=bot,
    secrets=secrets,
    gauges=gauges,
    imagined=imagined,
    choices=choices,
    orders_ahead=2,
)


def games(slug: str) -> Game[Any, Any, Any]:
    assert slug == "duel"
    return DUEL
