"""What a side knows (rule book, section 8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from games.galleys.rules.geometry import Hull, ahead_hexes, hull_of
from games.galleys.rules.missiles import points_available
from games.galleys.rules.speed import capped, highest_level, movement_points
from games.galleys.rules.victory import lost_points, scores
from games.galleys.state import (
    LEVELS,
    Fleet,
    Known,
    OpenShip,
    OpenSquadron,
    SeenFleet,
    SeenShip,
    SeenSquadron,
    Ship,
    Squadron,
    State,
)
from games.galleys.table import Table
from pbem.kit.game import Side
from pbem.kit.records import part

SIGHT = 1
"""Section 8: marines of a ship this near can be counted."""
STRENGTHS: tuple[tuple[int, str], ...] = ((0, "none"), (2, "few"), (5, "some"), (99, "many"))
"""Section 8: the most marines of each word for them."""
FRESH, TIRED = "fresh", "tired"

RecordT = TypeVar("RecordT")


@dataclass(frozen=True)
class Figures:
    """What the viewer counts, guesses or works out about a ship."""

    marines: int | str
    """The number, or ``none``, ``few``, ``some``, ``many``."""
    fatigue: int | str
    """The level, or ``fresh`` or ``tired``."""
    formation: tuple[str, ...] = ()
    """``line abreast``, ``line ahead`` or both."""
    missile_points: int | None = None
    """Where the marines are known for certain."""
    speeds: Mapping[str, int] = field(default_factory=dict)
    """Own ships: movement points of every level that may be ordered now."""


@dataclass(frozen=True, kw_only=True)
class View(Known):
    """All that one side, or the moderator, knows between two turns: its own whole, the enemy from outside."""

    side: Side | None
    sides: tuple[Fleet | SeenFleet, ...]
    squadrons: tuple[Squadron | OpenSquadron | SeenSquadron, ...]
    ships: tuple[Ship | OpenShip | SeenShip, ...]
    figures: Mapping[str, Figures]
    points: Mapping[Side, int]
    """GA-VIC-1: points scored."""
    lost: Mapping[Side, int]
    """GA-VIC-2: points lost, which count towards the break point."""

    def own(self) -> tuple[Ship, ...]:
        return tuple(ship for ship in self.ships if isinstance(ship, Ship) and ship.side == self.side and ship.afloat)

    def enemies(self) -> tuple[SeenShip, ...]:
        return tuple(ship for ship in self.ships if ship.side != self.side and ship.afloat)

    def own_squadrons(self) -> tuple[Squadron, ...]:
        """Those with a ship on the map."""
        present = {ship.squadron for ship in self.own()}
        return tuple(
            squadron for squadron in self.squadrons if isinstance(squadron, Squadron) and squadron.name in present
        )

    def own_fleet(self) -> Fleet | None:
        return next((fleet for fleet in self.sides if isinstance(fleet, Fleet) and fleet.name == self.side), None)

    def ship(self, name: str) -> SeenShip:
        return next(ship for ship in self.ships if ship.name == name)

    def squadron(self, name: str) -> SeenSquadron:
        return next(squadron for squadron in self.squadrons if squadron.name == name)

    def hull(self, ship: SeenShip) -> Hull:
        return hull_of(ship, self.class_of(ship))


def view(state: State, side: Side | None) -> View:
    """Section 8: positions and states are open; numbers of the enemy's crews are not under fog."""
    table, fog = Table(state), state.switches.fog
    squadron_kind, ship_kind = (SeenSquadron, SeenShip) if fog else (OpenSquadron, OpenShip)
    open_to_all = vars(part(Known, state))
    seen = {
        "side": side,
        "sides": tuple(_cut(fleet, fleet.name, side, SeenFleet) for fleet in state.sides),
        "squadrons": tuple(_cut(squadron, squadron.side, side, squadron_kind) for squadron in state.squadrons),
        "ships": tuple(_cut(ship, ship.side, side, ship_kind) for ship in state.ships),
        "figures": {ship.name: _figures(table, ship, side) for ship in state.ships},
        "points": scores(state),
        "lost": {fleet.name: lost_points(state, fleet.name) for fleet in state.sides},
    }
    return View(**{**open_to_all, **seen})


def _cut(record: RecordT, owner: Side, viewer: Side | None, outside: type[RecordT]) -> RecordT:
    """The record whole for its owner and the moderator, as seen from outside for others."""
    return record if viewer in (None, owner) else part(outside, record)


def _figures(table: Table, ship: Ship, viewer: Side | None) -> Figures:
    own = viewer in (None, ship.side)
    clear = own or not table.switches.fog
    return Figures(
        marines=ship.marines if clear or _is_counted(table, ship, viewer) else strength_word(ship.marines),
        fatigue=ship.fatigue if clear else (TIRED if ship.fatigue else FRESH),
        formation=_formation(table, ship) if ship.afloat else (),
        missile_points=points_available(table, ship) if clear else None,
        speeds=_speeds(table.state, ship) if own and ship.afloat else {},
    )


def _is_counted(table: Table, ship: Ship, viewer: Side | None) -> bool:
    """Section 8: the marines of a ship linked with, or within 1 hex of, a ship of the viewer."""
    if not ship.afloat:
        return False
    mine = (other for other in table.afloat() if other.side == viewer)
    return any(table.apart(ship.name, other.name) <= SIGHT for other in mine) or table.is_held(ship.name)


def strength_word(marines: int) -> str:
    """Section 8: how many marines are seen from afar."""
    return next(word for most, word in STRENGTHS if marines <= most)


def _formation(table: Table, ship: Ship) -> tuple[str, ...]:
    """GA-FRM-1, -2."""
    lines = ["line abreast"] if table.is_abreast(ship.name) else []
    if any(table.is_friend_bow(at, ship) for at in ahead_hexes(table.hull(ship.name))):
        lines.append("line ahead")
    return tuple(lines)


def _speeds(state: State, ship: Ship) -> dict[str, int]:
    """GA-SPD-3, -4: the levels that may be ordered, with their movement points."""
    highest = min(highest_level(ship).rank, ship.last_level.rank + 2)
    klass = state.class_of(ship)
    return {
        level.value: movement_points(ship, klass, capped(ship, level), state.switches)
        for level in LEVELS
        if level.rank <= highest
    }
