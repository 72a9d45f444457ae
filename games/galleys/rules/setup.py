"""Scenario and situation files to states (rule book, section 10.2): every field of the data model can be set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from games.galleys.data import CLASSES, checked_class
from games.galleys.rules.entries import Doctrines, File, Head, LinkEntry, ShipEntry, SideEntry, SquadronEntry
from games.galleys.rules.geometry import Hull
from games.galleys.state import (
    DEFAULT_DOCTRINES,
    HOLD_ALL_FIRE,
    Fleet,
    Link,
    Sea,
    Ship,
    ShipClass,
    Squadron,
    State,
    Switches,
)
from pbem.kit.codec import BadData, build
from pbem.kit.dice import Dice
from pbem.kit.hexgrid import Hex
from pbem.kit.scenario import Scenario
from pbem.kit.sheet import nearest

LIMITS: Mapping[str, tuple[int, int]] = {
    "facing": (0, 5),
    "crew": (-1, 2),
    "marine_quality": (-1, 1),
    "ram": (0, 6),
    "firepots": (0, 9),
    "fatigue": (0, 3),
    "fire": (0, 2),
    "marines": (0, 14),
    "avoid_count": (0, 99),
    "debt": (0, 99),
    "spent": (0, 99),
}
"""Section 2.2: the ranges of a ship's numbers; the last three have no upper end in the book."""
HEAD_LIMITS: Mapping[str, tuple[int, int]] = {"wind_force": (0, 2), "wind_dir": (0, 5)}
SIDE_LIMITS: Mapping[str, tuple[int, int]] = {"commander": (0, 3), "break_percent": (10, 100)}
SQUADRON_LIMITS: Mapping[str, tuple[int, int]] = {"morale": (2, 12)}
"""Section 2.3."""


def setup(scenario: Scenario, dice: Dice) -> State:  # noqa: ARG001 - the contract hands dice to every game
    """The opening state of a scenario, or the state a situation file describes."""
    data = dict(scenario.data)
    data["classes"] = _class_tables(data.pop("class", {}), scenario.key)
    file: File = build(File, data, scenario.key)
    _check_sides(file, scenario.key)
    classes = dict(CLASSES)
    for code, found in file.classes.items():
        classes[code] = checked_class(code, found, f"{scenario.key}.class.{code}")
    squadrons = _squadrons(file, scenario.key)
    ships = _ships(file, squadrons, classes, scenario.key)
    return _state(file, scenario, squadrons, ships, classes)


def _class_tables(given: Any, where: str) -> dict[str, Any]:
    """A table ``[class.X]`` makes a class, or changes single figures of one that ships."""
    if not isinstance(given, Mapping) or not all(isinstance(table, Mapping) for table in given.values()):
        raise BadData(f"{where}.class", "a table for each class is needed: [class.trireme]")
    shipped = {
        code: {part.name: getattr(klass, part.name) for part in fields(ShipClass)} for code, klass in CLASSES.items()
    }
    return {code: {**shipped.get(code, {}), **table} for code, table in given.items()}


def _check_limits(given: object, limits: Mapping[str, tuple[int, int]], where: str) -> None:
    for name, (lowest, highest) in limits.items():
        value = getattr(given, name)
        if not lowest <= value <= highest:
            raise BadData(f"{where}.{name}", f"{value} is outside {lowest} to {highest}")


def _check_sides(file: File, where: str) -> None:
    if len(file.side) != 2:
        raise BadData(f"{where}.side", f"two sides are needed, not {len(file.side)}")
    _check_limits(file.scenario, HEAD_LIMITS, f"{where}.scenario")
    for side in file.side:
        _check_limits(side, SIDE_LIMITS, f"{where}.side.{side.name}")
    for squadron in file.squadron:
        _check_limits(squadron, SQUADRON_LIMITS, f"{where}.squadron.{squadron.name}")


def _squadrons(file: File, where: str) -> list[SquadronEntry]:
    """Side 1 first; a ship of its own without a squadron makes one named after its side."""
    sides = [side.name for side in file.side]
    found = list(file.squadron)
    for entry in file.ship:
        side = entry.get("side", "") if isinstance(entry, Mapping) else ""
        if side and not entry.get("squadron") and all(squadron.name != _own(side) for squadron in found):
            found.append(SquadronEntry(side, _own(side)))
    for squadron in found:
        if squadron.side not in sides:
            raise BadData(f"{where}.squadron.{squadron.name}", f"no side called '{squadron.side}'")
    return sorted(found, key=lambda squadron: sides.index(squadron.side))


def _own(side: str) -> str:
    return f"{side} ships"


def _ships(
    file: File, squadrons: list[SquadronEntry], classes: Mapping[str, ShipClass], where: str
) -> tuple[Ship, ...]:
    """Roster order: side 1 first, squadrons and ships as listed; ``[[ship]]`` tables follow their squadron's list."""
    lone = [_ship_entry(raw, f"{where}.ship[{n}]") for n, raw in enumerate(file.ship)]
    ships: list[Ship] = []
    for squadron in squadrons:
        place = f"{where}.squadron.{squadron.name}"
        listed = [_ship_entry(raw, f"{place}.ships[{n}]") for n, raw in enumerate(squadron.ships)]
        listed += [entry for entry in lone if (entry.squadron or _own(entry.side)) == squadron.name]
        for index, entry in enumerate(listed):
            ships.append(_ship(entry, squadron, index, len(ships) + 1, file.scenario, classes, f"{place}.{entry.name}"))
    missing = [entry.name for entry in lone if all(ship.name != entry.name for ship in ships)]
    if missing:
        raise BadData(f"{where}.ship", f"{missing[0]} belongs to no squadron of the file")
    ships = [_with_home(ship, squadrons, f"{where}.squadron.{ship.squadron}.{ship.name}") for ship in ships]
    _check_names(squadrons, ships, where)
    _check_references(file, squadrons, ships, where)
    _check_places(ships, file.scenario, classes, where)
    return tuple(sorted(ships, key=lambda ship: ship.roster))


def _with_home(ship: Ship, squadrons: list[SquadronEntry], where: str) -> Ship:
    """Section 2.2: a ship away from its home side is a prize; where no home is given, the enemy's first squadron."""
    side_of = {squadron.name: squadron.side for squadron in squadrons}
    _check_known(ship.home_side, list(side_of.values()), "side with a squadron", f"{where}.home_side")
    _check_known(ship.home_squadron, list(side_of), "squadron", f"{where}.home_squadron")
    home = ship.home_squadron
    if side_of[home] == ship.side and (ship.prize or ship.home_side != ship.side):
        abroad = [name for name, side in side_of.items() if side != ship.side]
        if not abroad:
            raise BadData(f"{where}.prize", "the enemy has no squadron it could come from")
        home = abroad[0]
    return replace(ship, home_squadron=home, home_side=side_of[home], prize=side_of[home] != ship.side)


def _check_known(name: str, known: Sequence[str], what: str, where: str) -> None:
    if name not in known:
        close = nearest(name, known)
        hint = f"did you mean '{close}'?" if close else f"known are {', '.join(dict.fromkeys(known))}"
        raise BadData(where, f"no {what} called '{name}'; {hint}")


def _ship_entry(raw: Any, where: str) -> ShipEntry:
    if isinstance(raw, Sequence) and not isinstance(raw, str) and len(raw) in (2, 3):
        raw = {"name": raw[0], "class": raw[1], **(raw[2] if len(raw) == 3 else {})}
    if not isinstance(raw, Mapping):
        raise BadData(where, f'a ship is ["Name", "class"] or ["Name", "class", {{ ... }}], not {raw!r}')
    table = {("ship_class" if key == "class" else key): value for key, value in raw.items()}
    entry: ShipEntry = build(ShipEntry, table, where)
    return entry


def _ship(
    entry: ShipEntry,
    squadron: SquadronEntry,
    index: int,
    roster: int,
    head: Head,
    classes: Mapping[str, ShipClass],
    where: str,
) -> Ship:
    """What the entry says, else what the squadron gives to all, else the class."""
    klass = classes.get(entry.ship_class)
    if klass is None:
        raise BadData(f"{where}.class", f"no class called '{entry.ship_class}'; known are {', '.join(sorted(classes))}")
    bow, facing = _placed(entry, squadron, index, where)
    given = {part.name: getattr(entry, part.name) for part in fields(ShipEntry)}
    kept = {name: value for name, value in given.items() if value is not None and name not in NOT_OF_THE_SHIP}
    values: dict[str, Any] = {
        "roster": roster,
        "crew": squadron.crew,
        "marine_quality": squadron.marine_quality,
        "flame": squadron.flame,
        "firepots": squadron.firepots,
        "corvus": squadron.corvus,
        "ram": klass.ram,
        "star": klass.star,
        "towers": klass.towers,
        "marines": klass.marines,
        "last_level": head.start_level,
        "home_side": squadron.side,
        "home_squadron": squadron.name,
        **kept,
        "side": squadron.side,
        "squadron": squadron.name,
        "bow": bow,
        "facing": facing,
    }
    ship = Ship(**values)
    _check_limits(ship, LIMITS, where)
    _check_doctrines(ship.doctrines, where)
    return ship


NOT_OF_THE_SHIP = ("at", "bow", "facing", "side", "squadron")


DOCTRINE_VALUES: Mapping[str, tuple[str, ...]] = {
    "target": ("nearest", "biggest", "weakest", "best"),
    "opportunity": ("on", "off"),
    "firepots": ("on", "off"),
    "flame": ("on", "off"),
    "board": ("always", "never", "if stronger"),
    "disengage": ("always", "never", "unless stronger"),
}
ATTEMPTS = frozenset(("missile", "grapple", "ram", "rake"))


def _check_doctrines(doctrines: Doctrines, where: str) -> None:
    for word, value in doctrines.items():
        if word not in DEFAULT_DOCTRINES:
            raise BadData(f"{where}.doctrines.{word}", f"no such doctrine; known are {', '.join(DEFAULT_DOCTRINES)}")
        if not _is_doctrine(word, value):
            raise BadData(f"{where}.doctrines.{word}", f"'{value}' is no value of this doctrine")


def _is_doctrine(word: str, value: str) -> bool:
    if word in DOCTRINE_VALUES:
        return value in DOCTRINE_VALUES[word]
    if word in ("react", "avoid"):
        return value in ("all", "none") or set(value.split()) <= ATTEMPTS
    return (word == "hold fire" and value == HOLD_ALL_FIRE) or (value.isdigit() and int(value) <= PERCENT)


PERCENT = 100


def _placed(entry: ShipEntry, squadron: SquadronEntry, index: int, where: str) -> tuple[Hex, int]:
    """``at = "10,5/0"`` as the book writes it, or bow and facing, or the squadron's line (section 10.2)."""
    bow, facing = entry.bow, entry.facing if entry.facing is not None else squadron.facing
    if entry.at:
        try:
            place, _, direction = entry.at.partition("/")
            q, r = (int(part) for part in place.split(","))
            return Hex(q, r), int(direction)
        except ValueError as error:
            raise BadData(f"{where}.at", f'a place is written "10,5/0" (bow hex / facing), not {entry.at!r}') from error
    if bow is None and squadron.first is not None:
        bow = squadron.first.plus(squadron.spacing.times(index))
    if bow is None or facing is None:
        raise BadData(
            where, 'its place is missing: at = "10,5/0", or bow and facing, or the squadron\'s first and facing'
        )
    return bow, facing


def _check_names(squadrons: list[SquadronEntry], ships: list[Ship], where: str) -> None:
    """Section 6.1: names never clash within a game."""
    names = ["Fleet", *(squadron.name for squadron in squadrons), *(ship.name for ship in ships)]
    seen: set[str] = set()
    for name in names:
        if name.casefold() in seen:
            raise BadData(where, f"the name '{name}' is used twice")
        seen.add(name.casefold())


def _check_references(file: File, squadrons: list[SquadronEntry], ships: list[Ship], where: str) -> None:
    """Every name the file refers to is one it defines."""
    head, known = file.scenario, [squadron.name for squadron in squadrons]
    if head.first_side:
        _check_known(head.first_side, [side.name for side in file.side], "side", f"{where}.scenario.first_side")
    for name in head.escape_squadrons:
        _check_known(name, known, "squadron", f"{where}.scenario.escape_squadrons")
    for side in file.side:
        own = [squadron.name for squadron in squadrons if squadron.side == side.name]
        for name in side.activate_list:
            _check_known(name, own, f"squadron of {side.name}", f"{where}.side.{side.name}.activate_list")
    colours = {ship.name: ship.side for ship in ships}
    for number, link in enumerate(file.link):
        _check_link(link, colours, f"{where}.link[{number}]")


def _check_link(link: LinkEntry, colours: Mapping[str, str], where: str) -> None:
    """Section 2.2: a link joins two enemies; a corvus on it belongs to one of them."""
    for name in link.ships:
        _check_known(name, list(colours), "ship", f"{where}.ships")
    first, second = link.ships
    if colours[first] == colours[second]:
        raise BadData(f"{where}.ships", f"{first} and {second} are of one side; a link joins two enemies")
    if link.corvus_by is not None:
        _check_known(link.corvus_by, link.ships, "ship of this link", f"{where}.corvus_by")


def _check_places(ships: list[Ship], head: Head, classes: Mapping[str, ShipClass], where: str) -> None:
    """GA-MAP-3, -4: one ship part a hex, on the map and off the land."""
    sea, taken = Sea(head.cols, head.rows), dict.fromkeys(head.land, "land")
    for ship in ships:
        if not ship.afloat:
            continue
        for part in Hull(ship.bow, ship.facing, classes[ship.ship_class].large).hexes:
            if not sea.holds(part):
                raise BadData(f"{where}: {ship.name}", f"{part.q},{part.r} is off the map of {head.cols} x {head.rows}")
            if part in taken:
                raise BadData(f"{where}: {ship.name}", f"{part.q},{part.r} already holds {taken[part]}")
            taken[part] = ship.name


def _state(
    file: File,
    scenario: Scenario,
    squadrons: list[SquadronEntry],
    ships: tuple[Ship, ...],
    classes: Mapping[str, ShipClass],
) -> State:
    head = file.scenario
    for name, doctrines in [*((e.name, e.doctrines) for e in file.side), *((e.name, e.doctrines) for e in squadrons)]:
        _check_doctrines(doctrines, f"{scenario.key}.{name}")
    used = {ship.ship_class for ship in ships}
    roster = {ship.name: ship.roster for ship in ships}
    return State(
        title=head.name or scenario.title,
        turn=head.turn,
        first_side=head.first_side,
        sides=tuple(_fleet(side, ships, classes) for side in file.side),
        squadrons=tuple(_squadron(squadron, ships) for squadron in squadrons),
        ships=ships,
        sea=Sea(head.cols, head.rows, head.land, head.shoal),
        switches=Switches(**{part.name: getattr(head, part.name) for part in fields(Switches)}),
        classes={code: klass for code, klass in classes.items() if code in used},
        links=tuple(_link(link, roster) for link in file.link),
        step=head.step,
    )


def _fleet(side: SideEntry, ships: Sequence[Ship], classes: Mapping[str, ShipClass]) -> Fleet:
    start = sum(classes[ship.ship_class].points for ship in ships if ship.home_side == side.name)
    given = {part.name: getattr(side, part.name) for part in fields(SideEntry) if part.name != "start_points"}
    return Fleet(**given, start_points=start if side.start_points is None else side.start_points)


def _squadron(entry: SquadronEntry, ships: Sequence[Ship]) -> Squadron:
    home = sum(ship.home_squadron == entry.name for ship in ships)
    return Squadron(
        name=entry.name,
        side=entry.side,
        owner=entry.owner,
        ships=tuple(ship.name for ship in ships if ship.squadron == entry.name),
        morale=entry.morale,
        start_count=home if entry.start_count is None else entry.start_count,
        routed=entry.routed,
        activated=entry.activated,
        doctrines=entry.doctrines,
    )


def _link(entry: LinkEntry, roster: Mapping[str, int]) -> Link:
    first, second = sorted(entry.ships, key=lambda name: roster[name])
    return replace(Link((first, second), entry.kind), corvus_by=entry.corvus_by)
