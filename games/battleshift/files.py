"""Scenario and situation files: any field of any record may be set, what is not set follows from the class.

The records of the state are built straight from the file. Here is only what a file says in other words than they do:
`class`, `return`, `at`, `placement`, `doctrine`, `set`, a number of ships, `"line 1.5"`, `"NNW"`, `on` and `off`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar

from games.battleshift import state as records
from games.battleshift.data import TABLES, ShipClass, Switches, units
from games.battleshift.orders.words import read_bearing, read_formation, read_point
from games.battleshift.rules.building import class_of, complete
from games.battleshift.rules.formations import leader_spots, slots
from games.battleshift.state import QUADRANTS, Squadron, State, Taskforce, Terrain
from pbem.kit.codec import BadData, build, did_you_mean
from pbem.kit.plane import Spot
from pbem.kit.scenario import Scenario
from pbem.kit.sheet import BadOrder

Said = dict[str, Any]
"""A table of the file."""
UNITS = ("side", "squadron", "taskforce", "flight", "strike", "terrain")
WORDS = {"class": "classes", **{word: f"{word}s" for word in UNITS if word != "terrain"}}
"""Tables of a file, and the fields of the state that they fill."""
RecordT = TypeVar("RecordT")


def read_situation(scenario: Scenario) -> State:
    """The state a file describes."""
    where = scenario.key
    head = _head(scenario.data, where)
    said = {word: [_tidied(dict(unit)) for unit in scenario.data.get(word, ())] for word in UNITS}
    built = {
        "sides": _records(records.SideRecord, said["side"], f"{where}.side"),
        "terrain": _records(Terrain, said["terrain"], f"{where}.terrain"),
        "flights": _records(records.Flight, said["flight"], f"{where}.flight"),
        "strikes": _records(records.Strike, said["strike"], f"{where}.strike"),
    }
    state: State = build(State, {**head, **built, "title": scenario.title}, where)
    _check_frame(state, where)
    state = replace(
        state,
        switches=_implied(state, [squadron.get("ship_class") for squadron in said["squadron"]]),
        terrain=tuple(_with_quadrants(body, where) for body in state.terrain),
        vp={side.id: state.vp.get(side.id, 0) for side in state.sides},
        classes=_completed(state.classes),
        designs={side: _completed(designs) for side, designs in state.designs.items()},
    )
    return _with_fleets(state, said["squadron"], said["taskforce"], where)


def _head(data: Mapping[str, Any], where: str) -> Said:
    """All but the units, under the names of the state's fields."""
    plurals = {WORDS[word] for word in UNITS if word in WORDS}
    words = sorted({field.name for field in fields(State)} - plurals | set(WORDS) | {"notes"})
    for key in data:
        if key not in words:
            raise BadData(f"{where}.{key}", f"no such key{did_you_mean(key, words)}")
    switches = dict(data.get("switches", {}))
    switches |= {key: value == "on" for key, value in switches.items() if value in ("on", "off")}
    head = {WORDS.get(key, key): value for key, value in data.items() if key not in (*UNITS, "notes")}
    return {**head, "switches": switches}


def _records(kind: type[RecordT], said: Sequence[Said], where: str) -> tuple[RecordT, ...]:
    return tuple(build(kind, unit, f"{where}[{number}]") for number, unit in enumerate(said))


def _completed(classes: Mapping[str, ShipClass]) -> dict[str, ShipClass]:
    return {name: complete(replace(made, name=name)) for name, made in classes.items()}


def _implied(state: State, classes: Sequence[Any]) -> Switches:
    """2.9: stations, planets and moonbases imply their sections when present."""
    catalogue = {**units().classes, **state.classes}
    defended = {body.kind for body in state.terrain if body.defence}
    return replace(
        state.switches,
        stations=state.switches.stations or any(catalogue[name].is_station for name in classes if name in catalogue),
        planets=state.switches.planets or "planet" in defended,
        moonbases=state.switches.moonbases or "moon" in defended,
    )


def _check_frame(state: State, where: str) -> None:
    if len(state.sides) != 2:
        raise BadData(f"{where}.side", f"exactly two sides are needed, not {len(state.sides)}")
    for name, value in (("width_ft", state.width_ft), ("height_ft", state.height_ft)):
        if not 2 <= value <= 30:
            raise BadData(f"{where}.{name}", f"2 to 30 feet, not {value}")


# --- other words for the fields of a record --------------------------------------------------------------------------

ALIASES = {"class": "ship_class", "return": "returns", "doctrine": "standing", "placement": "at"}


def _tidied(unit: Said) -> Said:
    """The shorthands of a unit, and of what lies in it, put into the fields of the records."""
    unit = {ALIASES.get(word, word): value for word, value in unit.items()}
    if isinstance(unit.get("standing"), str):
        unit["standing"] = [unit["standing"]]
    if "at" in unit:
        unit["x"], unit["y"] = _point(str(unit.pop("at")))
    if isinstance(unit.get("facing"), str):
        unit["facing"] = _bearing(unit["facing"])
    if isinstance(unit.get("formation"), str):
        unit["formation"] = _formation(unit["formation"])
    if isinstance(unit.get("ships"), list):
        unit["ships"] = [_tidied(dict(ship)) for ship in unit["ships"]]
    if isinstance(unit.get("returns"), dict):
        unit["returns"] = _tidied(unit["returns"])
    for inner, tidy in (("layouts", _tidied), ("quadrants", _tidied_quadrant)):
        if isinstance(unit.get(inner), dict):
            unit[inner] = {name: tidy(dict(said)) for name, said in unit[inner].items()}
    return _with_set(unit, str(unit.pop("set"))) if "set" in unit else unit


def _point(text: str) -> tuple[int, int]:
    """`at = "16.00,42.00"`, in inches as the book writes places."""
    point = read_point(text)
    if point is None:
        raise BadData("at", 'a place such as "16.00,42.00" is needed')
    return point


def _bearing(text: str) -> int:
    """`facing = "NNW"`, or degrees."""
    bearing = read_bearing(text)
    if bearing is None:
        raise BadData("facing", f"'{text}' is no bearing; 0 to 359 or a point such as NNW is needed")
    return bearing


def _formation(text: str) -> Any:
    try:
        return read_formation(text)
    except BadOrder as error:
        raise BadData("formation", error.reason) from error


def _tidied_quadrant(quadrant: Said) -> Said:
    """`installations = ["heavy 2", "bay 1"]`; wings start aboard, one a bay (BS-FLT-4)."""
    built: list[str] = []
    for item in quadrant.get("installations", []):
        name, _, count = str(item).partition(" ")
        built += [name] * (int(count) if count.strip().isdigit() else 1)
    return {"wings_aboard": built.count("bay"), **quadrant, "installations": built}


def _with_set(unit: Said, name: str) -> Said:
    """`set = "Planet D10"`: the defence and the installations of the catalogue."""
    sets = units().defence
    if name not in sets:
        raise BadData("terrain.set", f"no defence set '{name}'; known are {', '.join(sets)}")
    systems = ("heavy", "light", "missile", "interceptor", "bay")
    built = [system for system in systems for _ in range(getattr(sets[name], system))]
    quadrants = {place: _tidied_quadrant({"installations": built}) for place in QUADRANTS}
    return {"defence": sets[name].defence, "quadrants": quadrants, **unit}


def _with_quadrants(body: Terrain, where: str) -> Terrain:
    """Quadrants of a defended body exist all four."""
    if not body.defence and not body.quadrants:
        return body
    for place in body.quadrants:
        if place not in QUADRANTS:
            raise BadData(f"{where}.terrain", f"{body.name}: no quadrant '{place}'; they are {', '.join(QUADRANTS)}")
    return replace(body, quadrants={place: body.quadrants.get(place, records.Quadrant()) for place in QUADRANTS})


# --- fleets ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Group:
    """A taskforce of the file, and where it says that its squadrons stand."""

    tf: Taskforce
    centre: Spot | None
    facing: int | None


def _with_fleets(state: State, squadrons: Sequence[Said], taskforces: Sequence[Said], where: str) -> State:
    """The records of squadrons and taskforces first, then what follows for each from the others."""
    made = [_squadron(said, f"{where}.squadron[{number}]") for number, said in enumerate(squadrons)]
    groups = [_group(said, made, f"{where}.taskforce[{number}]") for number, said in enumerate(taskforces)]
    tfs = [group.tf for group in groups]
    _check_names(state, made, tfs, where)
    joined = {f"{group.tf.side}/{name}": group for group in groups for name in group.tf.squadrons}
    settled = (
        _settled(state, squadron, said, joined.get(squadron.key), f"{where}.squadron")
        for squadron, said in zip(made, squadrons, strict=True)
    )
    state = replace(state, squadrons=tuple(settled))
    return replace(state, taskforces=tuple(_with_flagship(state, tf, f"{where}.taskforce") for tf in tfs))


def _squadron(said: Said, where: str) -> Squadron:
    """A number of ships and the leader's place are worked out later."""
    counted = {"ships": ()} if isinstance(said.get("ships", 1), int) else {}
    fields_said = {key: value for key, value in said.items() if key not in ("x", "y")}
    squadron: Squadron = build(Squadron, {**fields_said, **counted}, where)
    return squadron


def _group(said: Said, squadrons: Sequence[Squadron], where: str) -> Group:
    """Membership may be written at the squadrons as well."""
    fields_said = {key: value for key, value in said.items() if key not in ("x", "y", "facing")}
    location = "reserve" if said.get("returns") else "table"
    tf: Taskforce = build(Taskforce, {"location": location, **fields_said}, where)
    if "squadrons" not in said:
        own = (squadron.name for squadron in squadrons if (squadron.side, squadron.taskforce) == (tf.side, tf.name))
        tf = replace(tf, squadrons=tuple(own))
    facing = build(int | None, said.get("facing"), f"{where}.facing")
    return Group(tf, _place(said, where), facing)


def _check_names(state: State, squadrons: Sequence[Squadron], tfs: Sequence[Taskforce], where: str) -> None:
    """Members and sides that are named must be there."""
    sides = {side.id for side in state.sides}
    named = [unit.side for unit in (*squadrons, *tfs, *state.flights)] + [strike.side for strike in state.strikes]
    for side in named:
        if side not in sides:
            raise BadData(where, f"no side called '{side}'; the sides are {', '.join(sorted(sides))}")
    keys = {squadron.key for squadron in squadrons}
    for tf in tfs:
        for name in tf.squadrons:
            if f"{tf.side}/{name}" not in keys:
                raise BadData(f"{where}.taskforce", f"{tf.name}: there is no squadron {name} of {tf.side}")


def _settled(state: State, squadron: Squadron, said: Said, group: Group | None, where: str) -> Squadron:
    """What follows from the class and the taskforce, where the file does not say it."""
    try:
        cls = class_of(state, squadron)
    except KeyError as error:
        raise BadData(where, f"{squadron.name}: no class called '{squadron.ship_class}'") from error
    for trait in sorted(squadron.traits):
        if trait not in TABLES.trait:
            traits = ", ".join(TABLES.trait)
            raise BadData(where, f"{squadron.name}: no trait called '{trait}'; known are {traits}")
    if group is not None:
        facing = squadron.facing if "facing" in said or group.facing is None else group.facing
        squadron = replace(squadron, taskforce=group.tf.name, facing=facing)
    ships = squadron.ships
    if isinstance(count := said.get("ships", 1), int):
        leader = _place(said, where) or _place_in(group, squadron)
        spots = slots(squadron.formation, count, squadron.facing, leader)
        ships = tuple(records.Ship(number, *spot) for number, spot in enumerate(spots, 1))
    if squadron.returns is not None or (group is not None and group.tf.location != "table"):
        ships = tuple(replace(ship, status="hyperspace") if ship.status == "active" else ship for ship in ships)
    wings = cls.bay * len(ships)
    follows: Said = {"total": cls.hull * len(ships), "wings_aboard": wings, "wings_initial": wings}
    follows = {key: value for key, value in follows.items() if key not in said}
    return replace(squadron, ships=ships, **follows)


def _place(said: Said, where: str) -> Spot | None:
    if said.get("x") is None or said.get("y") is None:
        return None
    layout: records.Layout = build(records.Layout, {"x": said["x"], "y": said["y"]}, where)
    return layout.spot


def _place_in(group: Group | None, squadron: Squadron) -> Spot:
    """BS-SHF-8: around the flagship of a taskforce that has a place."""
    if group is None or group.centre is None:
        return Spot(0, 0)
    members = group.tf.squadrons
    first = group.tf.flagship.rpartition(".")[0] or members[0]
    order = (first, *(name for name in members if name != first))
    return leader_spots(order, group.centre, squadron.facing)[squadron.name]


def _with_flagship(state: State, tf: Taskforce, where: str) -> Taskforce:
    """BS-TF-2: by default the flagship is ship 1 of the first squadron of the largest size."""
    own = {squadron.name: squadron for squadron in state.squadrons if squadron.side == tf.side}
    members = [own[name] for name in tf.squadrons]
    flagship = tf.flagship if "." in tf.flagship else f"{tf.flagship}.1"
    if not tf.flagship and members:
        first = max(members, key=lambda squadron: class_of(state, squadron).size)
        flagship = f"{first.name}.{first.ships[0].number}"
    if flagship not in [f"{squadron.name}.{ship.number}" for squadron in members for ship in squadron.ships]:
        raise BadData(where, f"{tf.name}: its flagship '{flagship}' is no ship of its squadrons")
    return replace(tf, flagship=flagship)
