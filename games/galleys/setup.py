"""Scenario and situation files to states (rule book, section 10.2): every field of the data model can be set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from games.galleys.data import CLASSES, check_limits, checked_class
from games.galleys.files import (
    HEAD_LIMITS,
    SHIP_LIMITS,
    SIDE_LIMITS,
    SQUADRON_LIMITS,
    UNSAID,
    File,
    Head,
    SideTable,
    SquadronTable,
    check_doctrines,
    check_known,
    place,
    read_file,
    ship_table,
)
from games.galleys.rules.geometry import hull_of
from games.galleys.state import Fleet, Link, Sea, Ship, ShipClass, Squadron, State, Switches
from pbem.kit.codec import BadData, build
from pbem.kit.dice import Dice
from pbem.kit.records import part
from pbem.kit.scenario import Scenario

Classes = Mapping[str, ShipClass]


def setup(scenario: Scenario, dice: Dice) -> State:  # noqa: ARG001 - the contract hands dice to every game
    """The opening state of a scenario, or the state a situation file describes."""
    where = scenario.key
    file = read_file(scenario.data, where)
    changed = {code: checked_class(code, klass, f"{where}.class.{code}") for code, klass in file.classes.items()}
    classes = {**CLASSES, **changed}
    _check_sides(file, where)
    squadrons = _squadrons(file, where)
    ships = _ships(file, squadrons, classes, where)
    _check_names(squadrons, ships, where)
    _check_references(file, squadrons, ships, where)
    _check_places(ships, file.scenario, classes, where)
    ships.sort(key=lambda ship: ship.roster)
    return _state(file, scenario.title, squadrons, ships, classes)


def _state(
    file: File, title: str, squadrons: Sequence[SquadronTable], ships: Sequence[Ship], classes: Classes
) -> State:
    head, used = file.scenario, {ship.ship_class for ship in ships}
    roster = {ship.name: ship.roster for ship in ships}
    return State(
        title=head.name or title,
        turn=head.turn,
        first_side=head.first_side,
        sides=tuple(_fleet(side, ships, classes) for side in file.side),
        squadrons=tuple(_squadron(squadron, ships) for squadron in squadrons),
        ships=tuple(ships),
        sea=part(Sea, head),
        switches=part(Switches, head),
        classes={code: klass for code, klass in classes.items() if code in used},
        links=tuple(_link(link, roster) for link in file.link),
        step=head.step,
    )


def _fleet(side: SideTable, ships: Sequence[Ship], classes: Classes) -> Fleet:
    counted = sum(classes[ship.ship_class].points for ship in ships if ship.home_side == side.name)
    return replace(part(Fleet, side), start_points=counted if side.start_points == UNSAID else side.start_points)


def _squadron(table: SquadronTable, ships: Sequence[Ship]) -> Squadron:
    counted = sum(ship.home_squadron == table.name for ship in ships)
    return replace(
        part(Squadron, table),
        ships=tuple(ship.name for ship in ships if ship.squadron == table.name),
        start_count=counted if table.start_count == UNSAID else table.start_count,
    )


def _link(link: Link, roster: Mapping[str, int]) -> Link:
    first, second = sorted(link.ships, key=lambda name: roster[name])
    return replace(link, ships=(first, second))


# --- squadrons and ships ---------------------------------------------------------------------------------------------


def _squadrons(file: File, where: str) -> list[SquadronTable]:
    """Side 1 first; a ship of its own without a squadron makes one named after its side."""
    sides = [side.name for side in file.side]
    squadrons = list(file.squadron)
    for table in file.ship:
        side = table.get("side") if isinstance(table, Mapping) and not table.get("squadron") else None
        if side and all(squadron.name != _own(side) for squadron in squadrons):
            squadrons.append(SquadronTable(_own(side), side))
    for squadron in squadrons:
        if squadron.side not in sides:
            raise BadData(f"{where}.squadron.{squadron.name}", f"no side called '{squadron.side}'")
    return sorted(squadrons, key=lambda squadron: sides.index(squadron.side))


def _own(side: str) -> str:
    return f"{side} ships"


def _ships(file: File, squadrons: Sequence[SquadronTable], classes: Classes, where: str) -> list[Ship]:
    """Roster order: side 1 first, squadrons and ships as listed; ``[[ship]]`` tables follow their squadron's list."""
    lone = [ship_table(raw, f"{where}.ship[{n}]") for n, raw in enumerate(file.ship)]
    ships: list[Ship] = []
    for squadron in squadrons:
        at = f"{where}.squadron.{squadron.name}"
        listed = [ship_table(raw, f"{at}.ships[{n}]") for n, raw in enumerate(squadron.ships)]
        listed += [said for said in lone if (said.get("squadron") or _own(said.get("side", ""))) == squadron.name]
        for index, said in enumerate(listed):
            there = f"{at}.{said['name']}"
            given = {"roster": len(ships) + 1, "last_level": file.scenario.start_level, **said}
            ships.append(_ship({**given, **place(said, squadron, index, there)}, squadron, classes, there))
    missing = [said["name"] for said in lone if all(ship.name != said["name"] for ship in ships)]
    if missing:
        raise BadData(f"{where}.ship", f"{missing[0]} belongs to no squadron of the file")
    return [_with_home(ship, squadrons, f"{where}.squadron.{ship.squadron}.{ship.name}") for ship in ships]


OF_THE_SQUADRON = ("crew", "marine_quality", "flame", "firepots", "corvus")
OF_THE_CLASS = ("ram", "star", "towers", "marines")


def _ship(said: Mapping[str, Any], squadron: SquadronTable, classes: Classes, where: str) -> Ship:
    """What is said of the ship, else what the squadron gives to all, else the class."""
    klass = classes.get(said["ship_class"])
    if klass is None:
        codes = ", ".join(sorted(classes))
        raise BadData(f"{where}.class", f"no class called '{said['ship_class']}'; known are {codes}")
    values = {
        **{name: getattr(squadron, name) for name in OF_THE_SQUADRON},
        **{name: getattr(klass, name) for name in OF_THE_CLASS},
        "home_side": squadron.side,
        "home_squadron": squadron.name,
        **{key: value for key, value in said.items() if key != "at"},
        "side": squadron.side,
        "squadron": squadron.name,
    }
    ship: Ship = build(Ship, values, where)
    check_limits(ship, SHIP_LIMITS, where)
    check_doctrines(ship.doctrines, where)
    return ship


def _with_home(ship: Ship, squadrons: Sequence[SquadronTable], where: str) -> Ship:
    """Section 2.2: a ship away from its home side is a prize; where no home is given, the enemy's first squadron."""
    side_of = {squadron.name: squadron.side for squadron in squadrons}
    check_known(ship.home_side, list(side_of.values()), "side with a squadron", f"{where}.home_side")
    check_known(ship.home_squadron, list(side_of), "squadron", f"{where}.home_squadron")
    home = ship.home_squadron
    if side_of[home] == ship.side and (ship.prize or ship.home_side != ship.side):
        abroad = [name for name, side in side_of.items() if side != ship.side]
        if not abroad:
            raise BadData(f"{where}.prize", "the enemy has no squadron it could come from")
        home = abroad[0]
    return replace(ship, home_squadron=home, home_side=side_of[home], prize=side_of[home] != ship.side)


# --- what is checked -------------------------------------------------------------------------------------------------


def _check_sides(file: File, where: str) -> None:
    if len(file.side) != 2:
        raise BadData(f"{where}.side", f"two sides are needed, not {len(file.side)}")
    check_limits(file.scenario, HEAD_LIMITS, f"{where}.scenario")
    for side in file.side:
        check_limits(side, SIDE_LIMITS, f"{where}.side.{side.name}")
        check_doctrines(side.doctrines, f"{where}.{side.name}")
    for squadron in file.squadron:
        check_limits(squadron, SQUADRON_LIMITS, f"{where}.squadron.{squadron.name}")
        check_doctrines(squadron.doctrines, f"{where}.{squadron.name}")


def _check_names(squadrons: Sequence[SquadronTable], ships: Sequence[Ship], where: str) -> None:
    """Section 6.1: names never clash within a game."""
    seen = {"fleet"}
    for name in (*(squadron.name for squadron in squadrons), *(ship.name for ship in ships)):
        if name.casefold() in seen:
            raise BadData(where, f"the name '{name}' is used twice")
        seen.add(name.casefold())


def _check_references(file: File, squadrons: Sequence[SquadronTable], ships: Sequence[Ship], where: str) -> None:
    """Every name the file refers to is one it defines."""
    head, names = file.scenario, [squadron.name for squadron in squadrons]
    if head.first_side:
        check_known(head.first_side, [side.name for side in file.side], "side", f"{where}.scenario.first_side")
    for name in head.escape_squadrons:
        check_known(name, names, "squadron", f"{where}.scenario.escape_squadrons")
    for side in file.side:
        own = [squadron.name for squadron in squadrons if squadron.side == side.name]
        for name in side.activate_list:
            check_known(name, own, f"squadron of {side.name}", f"{where}.side.{side.name}.activate_list")
    colours = {ship.name: ship.side for ship in ships}
    for number, link in enumerate(file.link):
        _check_link(link, colours, f"{where}.link[{number}]")


def _check_link(link: Link, colours: Mapping[str, str], where: str) -> None:
    """Section 2.2: a link joins two enemies; a corvus on it belongs to one of them."""
    for name in link.ships:
        check_known(name, list(colours), "ship", f"{where}.ships")
    first, second = link.ships
    if colours[first] == colours[second]:
        raise BadData(f"{where}.ships", f"{first} and {second} are of one side; a link joins two enemies")
    if link.corvus_by is not None:
        check_known(link.corvus_by, link.ships, "ship of this link", f"{where}.corvus_by")


def _check_places(ships: Sequence[Ship], head: Head, classes: Classes, where: str) -> None:
    """GA-MAP-3, -4: one ship part a hex, on the map and off the land."""
    taken = dict.fromkeys(head.land, "land")
    for ship in ships:
        if not ship.afloat:
            continue
        for at in hull_of(ship, classes[ship.ship_class]).hexes:
            if not head.holds(at):
                raise BadData(f"{where}: {ship.name}", f"{at.q},{at.r} is off the map of {head.cols} x {head.rows}")
            if at in taken:
                raise BadData(f"{where}: {ship.name}", f"{at.q},{at.r} already holds {taken[at]}")
            taken[at] = ship.name
