"""What a side knows: section 8. One's own units whole, the others as far as they are seen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from games.battleshift import state as records
from games.battleshift.data import ShipClass, facing_change, half_arc
from games.battleshift.rules.fog import flagship_seen, table_of
from games.battleshift.rules.moving import Reach, reach_of
from games.battleshift.rules.units import Body, Quadrant, Squadron
from games.battleshift.state import Known, State
from games.battleshift.table import Table
from pbem.kit.records import part


@dataclass(frozen=True)
class Figures:
    """What can be told of a squadron besides its record."""

    size: int
    is_station: bool
    radius: int
    """Of a station; ships are points."""
    started: int
    """Ships it had, or of a contact those that are seen."""
    flagship: int | None = None
    """Number of the flagship, if the squadron has it and the side may know."""
    is_prize: bool = False
    reach: Reach | None = None
    """What it may do in its next move; None: not known."""
    held: Mapping[str, int] = field(default_factory=dict)
    """Sizes of the ships its own ships have engulfed."""


@dataclass(frozen=True, kw_only=True)
class View(Known):
    """The whole of it; figures and class cards are found by the squadron's key."""

    side: str | None
    figures: Mapping[str, Figures]
    cards: Mapping[str, ShipClass]
    """Classes of the squadrons that are identified."""
    designs: Mapping[str, Mapping[str, ShipClass]]
    """Classes the reader's side designed at setup."""
    controlled: tuple[str, ...]
    """Keys of flights whose carrier still leads them."""
    working: Mapping[str, int]
    """Installations that still work, by quadrant."""

    def name_of(self, side: str) -> str:
        return next((record.name for record in self.sides if record.id == side), side)

    def is_own(self, unit: records.Contact | records.SeenTaskforce | records.SeenFlight) -> bool:
        """The moderator owns everything."""
        return self.side in (None, unit.side)

    def leader(self, squadron: records.Contact) -> records.SeenShip | None:
        """The flagship, otherwise the first active ship, otherwise the first."""
        here = squadron.at_hand
        flag = [ship for ship in here if ship.number == self.figures[squadron.key].flagship]
        return next(iter((*flag, *(ship for ship in here if ship.status == "active"), *here)), None)


def view(state: State, side: str | None) -> View:
    """What the side may know now; None: the moderator."""
    table = table_of(state)
    seen = {}
    for squadron in _listed(table, side):
        if _is_seen(state, squadron, side):
            record = _squadron(table, squadron, side)
            seen[record.key] = (squadron, record)
    all_may_know = vars(part(Known, state))
    return View(
        **{
            **all_may_know,
            "sides": tuple(who if side in (None, who.id) else part(records.SeenSide, who) for who in state.sides),
            "terrain": tuple(_body(body, side) for body in table.bodies),
            "squadrons": tuple(record for _, record in seen.values()),
            "taskforces": tuple(_taskforces(table, side)),
            "flights": tuple(
                flight if side in (None, flight.side) else part(records.SeenFlight, flight) for flight in state.flights
            ),
        },
        side=side,
        figures={key: _figures(table, *pair, side) for key, pair in seen.items()},
        cards={
            key: squadron.cls for key, (squadron, record) in seen.items() if isinstance(record, records.SeenSquadron)
        },
        designs={who: made for who, made in state.designs.items() if side in (None, who)},
        controlled=tuple(flight.key for flight in table.aloft.values() if table.is_controlled(flight)),
        working={q.name: len(q.now.working) for body in table.bodies for q in body.quadrants.values()},
    )


def _listed(table: Table, side: str | None) -> list[Squadron]:
    """In fleet-list order; contacts last and by number, since their place in the list would tell who they are."""
    contacts = list(table.masked[side]) if side is not None else []
    return sorted(table.fleet.values(), key=lambda s: contacts.index(s.key) + 1 if s.key in contacts else 0)


def _is_seen(state: State, squadron: Squadron, side: str | None) -> bool:
    """Enemy squadrons only while they are on the table, and after the setup."""
    return side in (None, squadron.side) or (state.stage != "setup" and bool(squadron.present))


def _squadron(table: Table, squadron: Squadron, side: str | None) -> records.Contact:
    now = squadron.now
    if side is None or side == squadron.side:
        return now
    ships = tuple(part(records.SeenShip, ship.now) for ship in squadron.present)
    if table.identifies(side, squadron):
        return replace(part(records.SeenSquadron, now), ships=ships, traits_seen=now.traits & now.traits_seen)
    unknown = tuple(records.SeenShip(number, *ship.spot) for number, ship in enumerate(ships, 1))
    name = table.masked[side].get(squadron.key, "contact")
    return records.Contact(name=name, side=squadron.side, ships=unknown, facing=now.facing)


def _figures(table: Table, squadron: Squadron, record: records.Contact, side: str | None) -> Figures:
    size, is_station, radius = squadron.size, squadron.cls.is_station, squadron.cls.radius
    if not isinstance(record, records.SeenSquadron):
        return Figures(size, is_station, radius, len(record.ships))
    own, flag, reach = side in (None, squadron.side), squadron.flagship, reach_of(table, squadron)
    return Figures(
        size,
        is_station,
        radius,
        started=len(squadron.ships),
        flagship=flag.number if flag is not None and flagship_seen(table, side, squadron) else None,
        is_prize=squadron.is_prize,
        reach=reach if own else Reach(reach.speed, half_arc(size), facing_change(size)),
        held={key: ship.cls.size for key in _holds(squadron) if (ship := table.ship(key))} if own else {},
    )


def _holds(squadron: Squadron) -> list[str]:
    return [key for ship in squadron.ships for key in ship.now.holds]


def _taskforces(table: Table, side: str | None) -> Iterator[records.SeenTaskforce]:
    """Of the enemy's those on the table that are identified, and that others have shifted out."""
    for tf in table.forces.values():
        if side is None or side == tf.side:
            yield tf.now
        elif table.state.stage == "setup" or tf.now.location == "reserve":
            continue
        elif tf.now.location != "table":
            yield replace(part(records.SeenTaskforce, tf.now), squadrons=(), flagship="")
        elif table.identifies(side, tf):
            members = tuple(squadron.name for squadron in tf.squadrons if table.identifies(side, squadron))
            flag = tf.now.flagship if flagship_seen(table, side, tf.flagship.squadron) else ""
            yield replace(part(records.SeenTaskforce, tf.now), squadrons=members, flagship=flag)


def _body(body: Body, side: str | None) -> records.SeenTerrain:
    if side in (None, body.side):
        return body.now
    quadrants = {place: _quadrant(quadrant, side) for place, quadrant in body.quadrants.items()}
    return replace(part(records.SeenTerrain, body.now), quadrants=quadrants)


def _quadrant(quadrant: Quadrant, side: str | None) -> records.HeldQuadrant | records.StormedQuadrant:
    """On another's body a side knows its own units: those that hold a quadrant, or that fight for it."""
    held = quadrant.side == side
    return part(records.HeldQuadrant, quadrant.now) if held else part(records.StormedQuadrant, quadrant.now)
