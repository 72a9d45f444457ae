"""What a side knows (rule book, section 8), and the order form made from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from games.galleys.rules.battle import Battle
from games.galleys.rules.geometry import ahead_hexes, ships_apart
from games.galleys.rules.missiles import points_available
from games.galleys.rules.speed import capped, highest_level, movement_points
from games.galleys.rules.victory import lost_points, scores
from games.galleys.state import LEVELS, Level, Link, Result, Sea, Ship, ShipClass, State, Switches
from pbem.kit.dice import LoadedDice
from pbem.kit.game import Side
from pbem.kit.hexgrid import Hex

SIGHT = 1
"""Section 8: marines of a ship this near can be counted."""


@dataclass(frozen=True)
class ShipView:
    """A ship as the viewer knows it; None where the viewer does not know."""

    name: str
    side: str
    squadron: str
    roster: int
    ship_class: str
    bow: Hex
    stern: Hex
    facing: int
    ram: int
    star: bool
    towers: bool
    jettisoned: bool
    corvus: bool
    crippled: bool
    rammed: bool
    fire: int
    last_level: Level
    status: str
    lost_turn: int | None
    home_side: str
    home_squadron: str
    prize: bool
    flagship: bool
    held_by: tuple[str, ...]
    formation: tuple[str, ...]
    """``line abreast``, ``line ahead`` or both."""
    marines: int | str
    """The number, or ``none``, ``few``, ``some``, ``many``."""
    fatigue: int | str
    """The level, or ``fresh`` or ``tired``."""
    crew: int | None = None
    marine_quality: int | None = None
    debt: int | None = None
    avoid_count: int | None = None
    spent: int | None = None
    flame: bool | None = None
    firepots: int | None = None
    missile_points: int | None = None
    speeds: Mapping[str, int] = field(default_factory=dict)
    """Own ships: movement points of every level that may be ordered now."""
    doctrines: Mapping[str, str] = field(default_factory=dict)

    @property
    def afloat(self) -> bool:
        return self.status == "afloat"

    @property
    def large(self) -> bool:
        return self.bow != self.stern


@dataclass(frozen=True)
class SquadronView:
    """A squadron as the viewer knows it."""

    name: str
    side: str
    ships: tuple[str, ...]
    start_count: int
    routed: bool
    morale: int | None = None
    owner: str = ""
    doctrines: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class SideView:
    """A side as the viewer knows it."""

    name: str
    commander: int
    exit_edge: str
    break_percent: int
    start_points: int
    lost_points: int
    score: int
    flagship_lost: bool
    activate_list: tuple[str, ...] = ()
    doctrines: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class View:
    """All that one side, or the moderator, knows between two turns."""

    title: str
    side: str | None
    turn: int
    first_side: str
    sides: tuple[SideView, ...]
    squadrons: tuple[SquadronView, ...]
    ships: tuple[ShipView, ...]
    sea: Sea
    switches: Switches
    classes: Mapping[str, ShipClass]
    links: tuple[Link, ...]
    result: Result | None

    def own(self) -> tuple[ShipView, ...]:
        return tuple(ship for ship in self.ships if ship.side == self.side and ship.afloat)

    def enemies(self) -> tuple[ShipView, ...]:
        return tuple(ship for ship in self.ships if ship.side != self.side and ship.afloat)

    def ship(self, name: str) -> ShipView:
        return next(ship for ship in self.ships if ship.name == name)

    def squadron(self, name: str) -> SquadronView:
        return next(squadron for squadron in self.squadrons if squadron.name == name)


def view(state: State, side: str | None) -> View:
    """Section 8: positions and states are open; numbers of the enemy's crews are not under fog."""
    table = Battle(state, {}, LoadedDice())
    points = scores(state)
    return View(
        title=state.title,
        side=side,
        turn=state.turn,
        first_side=state.first_side,
        sides=tuple(_side_view(state, fleet.name, side, points) for fleet in state.sides),
        squadrons=tuple(_squadron_view(state, squadron.name, side) for squadron in state.squadrons),
        ships=tuple(_ship_view(state, table, ship, side) for ship in state.ships),
        sea=state.sea,
        switches=state.switches,
        classes=state.classes,
        links=state.links,
        result=state.result,
    )


def _side_view(state: State, name: str, viewer: str | None, points: Mapping[str, int]) -> SideView:
    fleet = state.fleet(name)
    own = viewer in (None, name)
    return SideView(
        name=name,
        commander=fleet.commander,
        exit_edge=fleet.exit_edge,
        break_percent=fleet.break_percent,
        start_points=fleet.start_points,
        lost_points=lost_points(state, name),
        score=points[name],
        flagship_lost=fleet.flagship_lost,
        activate_list=fleet.activate_list if own else (),
        doctrines=fleet.doctrines if own else {},
    )


def _squadron_view(state: State, name: str, viewer: str | None) -> SquadronView:
    squadron = state.squadron(name)
    own = viewer in (None, squadron.side)
    return SquadronView(
        name=name,
        side=squadron.side,
        ships=squadron.ships,
        start_count=squadron.start_count,
        routed=squadron.routed,
        morale=squadron.morale if own or not state.switches.fog else None,
        owner=squadron.owner if own else "",
        doctrines=squadron.doctrines if own else {},
    )


def _ship_view(state: State, table: Battle, ship: Ship, viewer: str | None) -> ShipView:
    own = viewer in (None, ship.side)
    clear = own or not state.switches.fog
    hull = table.hull(ship.name)
    counted = clear or _is_counted(table, ship, viewer)
    return ShipView(
        name=ship.name,
        side=ship.side,
        squadron=ship.squadron,
        roster=ship.roster,
        ship_class=ship.ship_class,
        bow=hull.bow,
        stern=hull.stern,
        facing=ship.facing,
        ram=ship.ram,
        star=ship.star,
        towers=ship.towers,
        jettisoned=ship.jettisoned,
        corvus=ship.corvus,
        crippled=ship.crippled,
        rammed=ship.rammed,
        fire=ship.fire,
        last_level=ship.last_level,
        status=ship.status,
        lost_turn=ship.lost_turn,
        home_side=ship.home_side,
        home_squadron=ship.home_squadron,
        prize=ship.prize,
        flagship=ship.flagship,
        held_by=tuple(table.partners(ship.name)),
        formation=_formation(table, ship) if ship.afloat else (),
        marines=ship.marines if counted else strength_word(ship.marines),
        fatigue=ship.fatigue if clear else ("tired" if ship.fatigue else "fresh"),
        crew=ship.crew if clear else None,
        marine_quality=ship.marine_quality if clear else None,
        debt=ship.debt if clear else None,
        avoid_count=ship.avoid_count if clear else None,
        spent=ship.spent if clear else None,
        flame=ship.flame if clear else None,
        firepots=ship.firepots if clear else None,
        missile_points=points_available(table, ship) if clear else None,
        speeds=_speeds(state, ship) if own and ship.afloat else {},
        doctrines=ship.doctrines if own else {},
    )


def _is_counted(table: Battle, ship: Ship, viewer: str | None) -> bool:
    """Section 8: the marines of a ship linked with, or within 1 hex of, a ship of the viewer."""
    if not ship.afloat:
        return False
    hull = table.hull(ship.name)
    mine = (other for other in table.afloat() if other.side == viewer)
    return any(ships_apart(hull, table.hull(other.name)) <= SIGHT for other in mine) or table.is_held(ship.name)


def strength_word(marines: int) -> str:
    """Section 8: how many marines are seen from afar."""
    return next(word for most, word in ((0, "none"), (2, "few"), (5, "some"), (99, "many")) if marines <= most)


def _formation(table: Battle, ship: Ship) -> tuple[str, ...]:
    """GA-FRM-1, -2."""
    found = ["line abreast"] if table.is_abreast(ship.name) else []
    if any(table.is_friend_bow(at, ship) for at in ahead_hexes(table.hull(ship.name))):
        found.append("line ahead")
    return tuple(found)


def _speeds(state: State, ship: Ship) -> dict[str, int]:
    """GA-SPD-3, -4: the levels that may be ordered, with their movement points."""
    highest = min(highest_level(ship).rank, ship.last_level.rank + 2)
    klass = state.class_of(ship)
    return {
        level.value: movement_points(ship, klass, capped(ship, level), state.switches)
        for level in LEVELS
        if level.rank <= highest
    }


def secrets(state: State, side: Side) -> frozenset[str]:  # noqa: ARG001 - no name is ever hidden on this sea
    """Section 8: no ship is ever hidden, and orders are not part of the state."""
    return frozenset()


def gauges(known: View) -> Mapping[str, Mapping[Side, float]]:
    """Ships in action, points scored and fighting worth left, side by side."""
    return {
        "ships": {
            side.name: sum(ship.afloat and not ship.prize and ship.side == side.name for ship in known.ships)
            for side in known.sides
        },
        "points scored": {side.name: side.score for side in known.sides},
        "worth left": {side.name: side.start_points - side.lost_points for side in known.sides},
    }


# --- the order form --------------------------------------------------------------------------------------------------


def template(known: View) -> str:
    """The order form: a plan for every squadron, standing guard unless changed, its ships with their figures beside it.

    A ship that cannot do as its squadron does has a block of its own.
    """
    present = {ship.squadron for ship in known.own()}
    own = [squadron for squadron in known.squadrons if squadron.side == known.side and squadron.name in present]
    fleet = next((side for side in known.sides if side.name == known.side), None)
    lines = [f"# {known.title}: orders of {known.side}, turn {known.turn}", f"turn {known.turn}", "", "Fleet:"]
    if fleet and own:
        listed = [name for name in fleet.activate_list if name in present]
        order = listed + [squadron.name for squadron in own if squadron.name not in listed]
        lines += [f"  activate {', '.join(order)}", *_in_force(fleet.doctrines)]
    for squadron in own:
        lines += _squadron_form(known, squadron)
    return "\n".join([*lines, "END"]) + "\n"


def _in_force(doctrines: Mapping[str, str]) -> list[str]:
    """Standing doctrines as comments; they hold until changed."""
    return [f"  # in force: {word} {value}" for word, value in doctrines.items()]


GUARD = ("  speed cruise", "  ram best if reachable", "  else hold")
"""GA-ORD-12 written out."""


def _squadron_form(known: View, squadron: SquadronView) -> list[str]:
    ships = [ship for ship in known.own() if ship.squadron == squadron.name]
    head = f"# --- {squadron.name}: ships {len(ships)}, morale {squadron.morale}"
    if squadron.routed:
        told = [f"#   {ship.name}: {_figures(known, ship)}" for ship in ships]
        return ["", f"{head}, ROUTED: withdraws, whatever is ordered", *told]
    able = [ship for ship in ships if _can_guard(ship)]
    lines = ["", head, f"{squadron.name}:", *_in_force(squadron.doctrines)]
    if able:
        lines += GUARD
    for ship in able:
        lines += [f"  # {ship.name}: {_figures(known, ship)}", *_in_force(ship.doctrines)]
    for ship in ships:
        if ship not in able:
            lines += [f"{ship.name}:   # {_figures(known, ship)}", *_in_force(ship.doctrines), "  hold"]
    return lines


def _can_guard(ship: ShipView) -> bool:
    return bool(ship.ram) and not (ship.crippled or ship.rammed or ship.fire or ship.prize or ship.fatigue)


def _figures(known: View, ship: ShipView) -> str:
    klass = known.classes[ship.ship_class]
    speeds = " ".join(f"{level} {points}" for level, points in ship.speeds.items())
    words = [
        f"{klass.name}, {ship.bow.q},{ship.bow.r}/{ship.facing}",
        f"MP {speeds}",
        f"ram {ship.ram}{'*' if ship.star else ''}",
        f"marines {ship.marines}",
        f"missiles {ship.missile_points}",
    ]
    return ", ".join([*words, *conditions(ship)])


def conditions(ship: ShipView) -> list[str]:
    """What is wrong with a ship, in words."""
    found = [
        word for word, true in (("crippled", ship.crippled), ("rammed", ship.rammed), ("prize", ship.prize)) if true
    ]
    if ship.fire:
        found.append(f"burning {ship.fire}")
    if ship.fatigue not in (0, "fresh"):
        found.append(f"fatigue {ship.fatigue}" if isinstance(ship.fatigue, int) else "tired")
    if ship.held_by:
        found.append(f"held by {' and '.join(ship.held_by)}")
    return found
