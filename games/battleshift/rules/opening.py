"""Scenario and situation files to a state: any field may be set, what is not set follows from the class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from games.battleshift.data import LIMITS, TABLES, DefenceSet, units
from games.battleshift.orders.grammar import read_bearing, read_formation, read_point
from games.battleshift.rules.bodies import check_bodies, with_quadrants
from games.battleshift.rules.bounds import check_units
from games.battleshift.rules.building import complete
from games.battleshift.rules.fog import learn, set_contacts
from games.battleshift.rules.formations import slots
from games.battleshift.rules.freezing import freeze
from games.battleshift.rules.shifting import PLACES, arrivals
from games.battleshift.rules.thawing import class_of, thaw
from games.battleshift.state import (
    QUADRANTS,
    Flight,
    Formation,
    Location,
    Mode,
    Return,
    Ship,
    ShipClass,
    SideRecord,
    Squadron,
    Stage,
    State,
    Status,
    Strike,
    Switches,
    Taskforce,
    Terrain,
    Victory,
)
from pbem.kit.codec import BadData, build
from pbem.kit.dice import Dice
from pbem.kit.plane import Spot, displacement
from pbem.kit.scenario import Scenario
from pbem.kit.sheet import BadOrder


@dataclass(frozen=True)
class SquadronSpec:
    """A squadron as a file writes it: `ships = 3` with a place, or each ship by itself."""

    name: str
    side: str
    ship_class: str
    ships: int | tuple[Ship, ...] = 1
    x: int | None = None
    y: int | None = None
    total: int | None = None
    damage: int = 0
    suppression: int = 0
    facing: int | None = None
    formation: Formation = field(default_factory=Formation)
    taskforce: str = ""
    player: str = ""
    traits: frozenset[str] = frozenset()
    traits_seen: frozenset[str] = frozenset()
    wings_aboard: int | None = None
    wings_initial: int | None = None
    arrived_turn: int = 0
    flags: Any = None
    acted: bool = False
    standing: tuple[str, ...] = ()
    docked: str = ""
    origin: str = ""
    captor: str = ""
    returns: Return | None = None


@dataclass(frozen=True)
class TaskforceSpec:
    """A taskforce; with a place, its squadrons stand around the flagship as on arrival (BS-SHF-8)."""

    name: str
    side: str
    squadrons: tuple[str, ...]
    player: str = ""
    flagship: str = ""
    location: Location | None = None
    returns: Return | None = None
    mode: Mode = "volley"
    standing: tuple[str, ...] = ()
    x: int | None = None
    y: int | None = None
    facing: int | None = None


@dataclass(frozen=True)
class SituationFile:
    """All a scenario or situation file may say."""

    width_ft: int
    height_ft: int
    side: tuple[SideRecord, ...]
    turn: int = 1
    turn_limit: int = 6
    stage: Stage = "orders"
    switches: Switches = field(default_factory=Switches)
    terrain: tuple[Terrain, ...] = ()
    classes: Mapping[str, ShipClass] = field(default_factory=dict)
    squadron: tuple[SquadronSpec, ...] = ()
    taskforce: tuple[TaskforceSpec, ...] = ()
    flight: tuple[Flight, ...] = ()
    strike: tuple[Strike, ...] = ()
    vp: Mapping[str, int] = field(default_factory=dict)
    victory: Victory = field(default_factory=Victory)
    known_names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    known_classes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    scored: Mapping[str, int] = field(default_factory=dict)
    designs: Mapping[str, Mapping[str, ShipClass]] = field(default_factory=dict)
    seed: int = 0
    notes: str = ""


def setup(scenario: Scenario, dice: Dice) -> State:
    """The opening state; arrivals due in its turn are placed at once (BS-SHF-9)."""
    given = build(SituationFile, _tidied(scenario.data), scenario.key)
    _check_frame(given, scenario.key)
    classes = {name: complete(replace(made, name=name)) for name, made in given.classes.items()}
    designs = {
        side: {name: complete(replace(made, name=name)) for name, made in own.items()}
        for side, own in given.designs.items()
    }
    state = State(
        title=scenario.title,
        width_ft=given.width_ft,
        height_ft=given.height_ft,
        sides=given.side,
        turn=given.turn,
        turn_limit=given.turn_limit,
        stage=given.stage,
        switches=_implied(given),
        terrain=tuple(with_quadrants(body, scenario.key) for body in given.terrain),
        classes=classes,
        designs=designs,
        vp={side.id: given.vp.get(side.id, 0) for side in given.side},
        victory=given.victory,
        known_names=given.known_names,
        known_classes=given.known_classes,
        scored=given.scored,
        strikes=given.strike,
        flights=given.flight,
        seed=given.seed,
    )
    state = _with_fleets(state, given, scenario.key)
    check_bodies(state, scenario.key)
    check_units(state, scenario.key)
    if state.stage != "orders":
        return state
    battle = thaw(state, dice)
    battle.step = "arrivals"
    set_contacts(battle)
    arrivals(battle, state.turn)
    learn(battle)
    return freeze(battle, strikes=state.strikes)


def _check_frame(given: SituationFile, where: str) -> None:
    if len(given.side) != 2:
        raise BadData(f"{where}.side", f"exactly two sides are needed, not {len(given.side)}")
    for name, value in (("width_ft", given.width_ft), ("height_ft", given.height_ft)):
        if not 2 <= value <= 30:
            raise BadData(f"{where}.{name}", f"2 to 30 feet, not {value}")


def _implied(given: SituationFile) -> Switches:
    """2.9: stations, planets and moonbases imply their sections when present."""
    return replace(
        given.switches,
        stations=given.switches.stations or any(_is_station(given, spec) for spec in given.squadron),
        planets=given.switches.planets or any(b.kind == "planet" and b.defence for b in given.terrain),
        moonbases=given.switches.moonbases or any(b.kind == "moon" and b.defence for b in given.terrain),
    )


def _is_station(given: SituationFile, spec: SquadronSpec) -> bool:
    made = given.classes.get(spec.ship_class) or units().classes.get(spec.ship_class)
    return made is not None and made.is_station


# --- tidying the file ------------------------------------------------------------------------------------------------


def _tidied(data: Mapping[str, Any]) -> dict[str, Any]:
    """The file's own words put into record fields: `class`, `return`, `at`, `form`, `on` and `off`."""
    table = dict(data)
    table["classes"] = table.pop("class", {})
    table["switches"] = {key: {"on": True, "off": False}.get(value, value) if isinstance(value, str) else value
                         for key, value in dict(table.get("switches", {})).items()}  # fmt: skip
    for kind in ("squadron", "taskforce", "flight", "strike", "terrain"):
        table[kind] = [_tidied_unit(dict(unit)) for unit in table.get(kind, [])]
    for tf in table["taskforce"]:
        mine = (tf.get("side"), tf.get("name"))
        members = [s for s in table["squadron"] if (s.get("side"), s.get("taskforce")) == mine]
        tf.setdefault("squadrons", [squadron.get("name") for squadron in members])
    return table


def _tidied_unit(unit: dict[str, Any]) -> dict[str, Any]:
    for word, key in (("class", "ship_class"), ("return", "returns"), ("doctrine", "standing")):
        if word in unit:
            unit[key] = unit.pop(word)
    if isinstance(unit.get("standing"), str):
        unit["standing"] = [unit["standing"]]
    _place(unit)
    _face(unit)
    if isinstance(unit.get("formation"), str):
        unit["formation"] = _formation(unit["formation"])
    if isinstance(unit.get("ships"), list):
        unit["ships"] = [_place(dict(ship)) for ship in unit["ships"]]
    if isinstance(unit.get("returns"), dict):
        unit["returns"] = _tidied_return(dict(unit["returns"]))
    if isinstance(unit.get("quadrants"), dict):
        unit["quadrants"] = {place: _tidied_quadrant(dict(one)) for place, one in unit["quadrants"].items()}
    defence = unit.pop("set", None)
    if defence is not None:
        _take_set(unit, str(defence))
    return unit


def _place(unit: dict[str, Any]) -> dict[str, Any]:
    """`at = "16.00,42.00"`, in inches as the book writes places."""
    if "at" in unit:
        point = read_point(str(unit.pop("at")))
        if point is None:
            raise BadData("at", 'a place such as "16.00,42.00" is needed')
        unit["x"], unit["y"] = point
    return unit


def _face(unit: dict[str, Any]) -> None:
    """`facing = "NNW"`, or degrees."""
    written = unit.get("facing")
    if isinstance(written, str):
        unit["facing"] = read_bearing(written)
        if unit["facing"] is None:
            raise BadData("facing", f"'{written}' is no bearing; 0 to 359 or a point such as NNW is needed")


def _formation(text: str) -> dict[str, Any]:
    try:
        made = read_formation(text)
    except BadOrder as error:
        raise BadData("formation", error.reason) from error
    return {"kind": made.kind, "spacing": made.spacing, "pairs": [list(pair) for pair in made.pairs]}


def _tidied_return(back: dict[str, Any]) -> dict[str, Any]:
    if "placement" in back:
        back["at"] = back.pop("placement")
    _face(_place(back))
    layouts = {name: _place(dict(one)) for name, one in back.get("layouts", {}).items()}
    for one in layouts.values():
        if isinstance(one.get("formation"), str):
            one["formation"] = _formation(one["formation"])
    return {**back, "layouts": layouts}


def _tidied_quadrant(quadrant: dict[str, Any]) -> dict[str, Any]:
    """`installations = ["heavy 2", "bay 1"]`; wings start aboard, one a bay (BS-FLT-4)."""
    built: list[str] = []
    for item in quadrant.get("installations", []):
        name, _, count = str(item).partition(" ")
        built += [name] * (int(count) if count.strip().isdigit() else 1)
    return {"wings_aboard": built.count("bay"), **quadrant, "installations": built}


def _take_set(unit: dict[str, Any], name: str) -> None:
    sets: Mapping[str, DefenceSet] = units().defence
    if name not in sets:
        raise BadData("terrain.set", f"no defence set '{name}'; known are {', '.join(sets)}")
    chosen = sets[name]
    unit.setdefault("defence", chosen.defence)
    built = [
        system for system in ("heavy", "light", "missile", "interceptor", "bay") for _ in range(getattr(chosen, system))
    ]
    unit.setdefault("quadrants", {place: _tidied_quadrant({"installations": built}) for place in QUADRANTS})


# --- fleets ----------------------------------------------------------------------------------------------------------


def _with_fleets(state: State, given: SituationFile, where: str) -> State:
    tfs = {(tf.side, tf.name): tf for tf in given.taskforce}
    member_of = {(tf.side, name): tf for tf in given.taskforce for name in tf.squadrons}
    known = {(spec.side, spec.name) for spec in given.squadron}
    for tf in tfs.values():
        for name in tf.squadrons:
            if (tf.side, name) not in known:
                raise BadData(f"{where}.taskforce", f"{tf.name}: there is no squadron {name} of {tf.side}")
    sides = {side.id for side in state.sides}
    named = [tf.side for tf in given.taskforce] + [f.side for f in given.flight] + [s.side for s in given.strike]
    for side in named:
        if side not in sides:
            raise BadData(where, f"no side called '{side}'; the sides are {', '.join(sorted(sides))}")
    squadrons = []
    for spec in given.squadron:
        if spec.side not in sides:
            raise BadData(f"{where}.squadron", f"{spec.name}: no side called '{spec.side}'")
        squadrons.append(_squadron(state, spec, member_of.get((spec.side, spec.name)), where))
    state = replace(state, squadrons=tuple(squadrons))
    return replace(state, taskforces=tuple(_taskforce(state, tf, where) for tf in given.taskforce))


def _squadron(state: State, spec: SquadronSpec, tf: TaskforceSpec | None, where: str) -> Squadron:
    made = Squadron(spec.name, spec.side, spec.ship_class, origin=spec.origin)
    try:
        cls = class_of(state, made)
    except KeyError as error:
        raise BadData(f"{where}.squadron", f"{spec.name}: no class called '{spec.ship_class}'") from error
    for trait in sorted(spec.traits):
        if trait not in TABLES.trait:
            known = ", ".join(TABLES.trait)
            raise BadData(f"{where}.squadron", f"{spec.name}: no trait called '{trait}'; known are {known}")
    facing = spec.facing if spec.facing is not None else (tf.facing if tf and tf.facing is not None else 0)
    away = tf is not None and (tf.location in ("reserve", "hyperspace") or (not tf.location and tf.returns is not None))
    away = away or spec.returns is not None
    ships = _ships(spec, tf, facing, away=away)
    wings = cls.bay * len(ships)
    flags = build(type(made.flags), spec.flags, f"{where}.flags") if spec.flags is not None else made.flags
    return replace(
        made,
        ships=ships,
        total=cls.hull * len(ships) if spec.total is None else spec.total,
        damage=spec.damage,
        suppression=spec.suppression,
        facing=facing,
        formation=spec.formation,
        taskforce=tf.name if tf is not None else spec.taskforce,
        player=spec.player,
        traits=spec.traits,
        traits_seen=spec.traits_seen,
        wings_aboard=wings if spec.wings_aboard is None else spec.wings_aboard,
        wings_initial=wings if spec.wings_initial is None else spec.wings_initial,
        arrived_turn=spec.arrived_turn,
        flags=flags,
        acted=spec.acted,
        standing=spec.standing,
        docked=spec.docked,
        captor=spec.captor,
        returns=spec.returns,
    )


def _ships(spec: SquadronSpec, tf: TaskforceSpec | None, facing: int, *, away: bool) -> tuple[Ship, ...]:
    if not isinstance(spec.ships, int):
        return tuple(replace(s, status="hyperspace") if away and s.status == "active" else s for s in spec.ships)
    status: Status = "hyperspace" if away else "active"
    spots = slots(spec.formation, spec.ships, facing, _leader_spot(spec, tf, facing))
    return tuple(Ship(number, spot.x, spot.y, status) for number, spot in enumerate(spots, 1))


def _leader_spot(spec: SquadronSpec, tf: TaskforceSpec | None, facing: int) -> Spot:
    if spec.x is not None and spec.y is not None:
        return Spot(spec.x, spec.y)
    if tf is None or tf.x is None or tf.y is None:
        return Spot(0, 0)
    first = tf.flagship.rpartition(".")[0] or tf.squadrons[0]
    if spec.name == first:
        return Spot(tf.x, tf.y)
    others = [name for name in tf.squadrons if name != first]
    dx, dy = displacement(LIMITS.arrival_gap, facing + PLACES[others.index(spec.name) % len(PLACES)])
    return Spot(tf.x + dx, tf.y + dy)


def _taskforce(state: State, spec: TaskforceSpec, where: str) -> Taskforce:
    """BS-TF-2: by default the flagship is ship 1 of the first squadron of the largest size."""
    own = {s.name: s for s in state.squadrons if s.side == spec.side}
    flagship = spec.flagship
    if not flagship:
        members = [own[name] for name in spec.squadrons]
        largest = max(class_of(state, one).size for one in members)
        first = next(one for one in members if class_of(state, one).size == largest)
        flagship = f"{first.name}.{first.ships[0].number}"
    elif "." not in flagship:
        flagship = f"{flagship}.1"
    name, _, number = flagship.rpartition(".")
    if name not in spec.squadrons or not any(str(ship.number) == number for ship in own[name].ships):
        raise BadData(f"{where}.taskforce", f"{spec.name}: its flagship '{flagship}' is no ship of its squadrons")
    location: Location = spec.location or ("reserve" if spec.returns else "table")
    return Taskforce(
        spec.name,
        spec.side,
        spec.player,
        spec.squadrons,
        flagship,
        location,
        spec.returns,
        spec.mode,
        spec.standing,
    )
