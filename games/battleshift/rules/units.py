"""Units on the table: each stays who it is through a turn, while its one record in the state is replaced.

``squadron.now`` is that record as it is at the moment; ``squadron.change(damage=3)`` puts another in its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from games.battleshift import state as records
from games.battleshift.data import LIMITS
from games.battleshift.rules.building import class_of
from games.battleshift.state import ON_TABLE
from pbem.kit.plane import Spot, within

if TYPE_CHECKING:
    from games.battleshift.table import Table

BIGGEST_RADIUS = 400
"""No station is larger, so a search this much wider finds all whose rim is in reach."""
RecordT = TypeVar("RecordT", records.Squadron, records.Taskforce, records.Flight)


class Unit(Generic[RecordT]):
    """Who a unit is, what is so about it now, and its way to the other units."""

    def __init__(self, table: Table, record: RecordT) -> None:
        self.table = table
        self.now: RecordT = record
        self.name, self.side, self.key = record.name, record.side, record.key

    def change(self, **fields: Any) -> None:
        self.now = self.table.change(self.now, **fields)


class Squadron(Unit[records.Squadron]):
    """Ships that share damage, suppression and facing."""

    def __init__(self, table: Table, record: records.Squadron) -> None:
        super().__init__(table, record)
        self.cls = class_of(table.state, record)
        self.rank = len(table.fleet)
        """Its place in the fleet list."""
        self.lines_from = record.taskforce
        """The taskforce whose lines of this turn apply to it."""
        self.ships = [Ship(self, place, ship) for place, ship in enumerate(record.ships)]
        self._muster()

    def change(self, **fields: Any) -> None:
        super().change(**fields)
        if "ships" in fields or "docked" in fields:
            self._muster()

    def _muster(self) -> None:
        """Count who is on the table, by number, and let the ships and the table's index follow."""
        for ship, record in zip(self.ships, self.now.ships, strict=True):
            ship.now = record
        here = [] if self.now.docked else self.ships
        self.present = [ship for ship in here if ship.now.status in ON_TABLE]
        self.active = [ship for ship in self.present if ship.now.status == "active"]
        self.table.follow(self)

    def place(self, spots: Mapping[Ship, Spot], facing: int) -> None:
        """Put ships somewhere else, and turn them all."""
        ships = list(self.now.ships)
        for ship, (x, y) in spots.items():
            ships[ship.place] = replace(ship.now, x=x, y=y)
        self.change(ships=tuple(ships), facing=facing)

    def is_near(self, spot: Spot, reach: int) -> bool:
        """Whether a ship of it is within reach of a place, rims of stations counted."""
        return any(within(ship.spot, spot, reach + self.cls.radius) for ship in self.present)

    def acts_near(self, spot: Spot, reach: int) -> bool:
        """The same for its active ships."""
        return any(within(here, spot, reach + self.cls.radius) for here in self.spots)

    def mark(self, **flags: Any) -> None:
        """Set flags of this activation."""
        self.change(flags=replace(self.now.flags, **flags))

    def show(self, trait: str) -> bool:
        """Whether it has the trait, which both sides then know as it is used."""
        if trait in self.now.traits and trait not in self.now.traits_seen:
            self.change(traits_seen=self.now.traits_seen | {trait})
        return trait in self.now.traits

    @property
    def is_prize(self) -> bool:
        return bool(self.now.captor)

    @property
    def size(self) -> int:
        return self.cls.size

    @property
    def spots(self) -> list[Spot]:
        return [ship.spot for ship in self.active]

    @property
    def markers(self) -> int:
        """BS-SUP-4, BS-XP-2: what the markers cost; an Iron Nerve ignores the first."""
        return self.now.suppression - int(self.now.suppression > 0 and self.show("Iron Nerve"))

    @property
    def taskforce(self) -> Taskforce | None:
        return self.table.taskforce(self.side, self.now.taskforce) if self.now.taskforce else None

    @property
    def flagship(self) -> Ship | None:
        """The flagship of its taskforce, if this squadron has it."""
        tf = self.taskforce
        return tf.flagship if tf is not None and tf.flagship.squadron is self else None

    @property
    def leader(self) -> Ship | None:
        """2.3: the flagship, otherwise the first active ship, otherwise the first disabled one."""
        flagship = self.flagship
        if flagship is not None and flagship.is_present:
            return flagship
        return next(iter((*self.active, *self.present)), None)

    @property
    def lines(self) -> tuple[str, ...]:
        """The units whose lines apply, in precedence."""
        return (self.name, self.lines_from) if self.lines_from else (self.name,)

    def weapons(self, system: str) -> int:
        """How many of a system each ship carries; prizes cannot use any."""
        return 0 if self.is_prize else int(getattr(self.cls, system))


class Ship:
    """One ship of a squadron, in whose record its own lies."""

    def __init__(self, squadron: Squadron, place: int, record: records.Ship) -> None:
        self.squadron, self.place = squadron, place
        self.now, self.number = record, record.number
        self.side, self.cls = squadron.side, squadron.cls

    @property
    def name(self) -> str:
        return f"{self.squadron.name}.{self.number}"

    @property
    def key(self) -> str:
        return f"{self.squadron.key}.{self.number}"

    def change(self, **fields: Any) -> None:
        ships = list(self.squadron.now.ships)
        ships[self.place] = replace(ships[self.place], **fields)
        self.squadron.change(ships=tuple(ships))

    @property
    def spot(self) -> Spot:
        return self.now.spot

    @property
    def is_present(self) -> bool:
        return self in self.squadron.present

    @property
    def assault_left(self) -> int:
        left = self.now.assault_left
        return self.cls.assault if left is None else left


class Taskforce(Unit[records.Taskforce]):
    """Squadrons under one flagship, in listing order."""

    acted = False

    @property
    def squadrons(self) -> list[Squadron]:
        return [self.table.fleet[f"{self.side}/{name}"] for name in self.now.squadrons]

    @property
    def living(self) -> list[Squadron]:
        return [squadron for squadron in self.squadrons if squadron.present]

    @property
    def flagship(self) -> Ship:
        ship = self.table.ship(f"{self.side}/{self.now.flagship}")
        assert ship is not None, self.now
        return ship

    @property
    def exists(self) -> bool:
        return self.key in self.table.forces

    @property
    def on_table(self) -> bool:
        return self.exists and self.now.location == "table" and self.flagship.now.status in ON_TABLE


class Flight(Unit[records.Flight]):
    """Fighter wings in flight."""

    is_fresh = False
    """Launched this turn."""
    aimed: object = None
    """What it was sent to attack in this activation, also on the leg it flies afterwards."""

    @property
    def spot(self) -> Spot:
        return self.now.spot

    @property
    def home(self) -> Squadron | None:
        """The carrier squadron; None: a quadrant."""
        return self.table.squadron(self.side, self.now.carrier)

    @property
    def exists(self) -> bool:
        return self.key in self.table.aloft

    def has(self, trait: str) -> bool:
        """Whether its carrier's crews have the trait, which is then seen."""
        return self.home is not None and self.home.show(trait)


class Body:
    """A disc of terrain; a planet or moon may be defended."""

    def __init__(self, record: records.Terrain) -> None:
        self.now = record
        self.name, self.side, self.kind = record.name, record.owner, record.kind
        self.spot, self.radius = record.spot, record.radius
        self.quadrants = {place: Quadrant(self, place) for place in records.QUADRANTS if place in record.quadrants}

    def change(self, **fields: Any) -> None:
        self.now = replace(self.now, **fields)

    @property
    def called(self) -> str:
        """Its name, or what it is."""
        return self.name or f"the {self.kind}"

    @property
    def is_moon(self) -> bool:
        return self.kind == "moon"

    @property
    def is_massive(self) -> bool:
        return self.kind in ("planet", "moon", "singularity")

    @property
    def solid(self) -> int:
        """The radius that blocks a line: of a singularity only its core."""
        return LIMITS.singularity_core if self.kind == "singularity" else self.radius

    @property
    def obscures(self) -> bool:
        return self.kind in ("dust", "asteroids", "nebula")

    @property
    def is_defended(self) -> bool:
        return self.now.defence > 0 and bool(self.quadrants)


class Quadrant:
    """A quarter of a body, in whose record its own lies."""

    fought = False
    """In this turn."""

    def __init__(self, body: Body, place: str) -> None:
        self.body, self.place = body, place
        self.name = f"{body.name} {place}"
        self.key = f"{body.side}/{self.name}"

    @property
    def now(self) -> records.Quadrant:
        return self.body.now.quadrants[self.place]

    def change(self, **fields: Any) -> None:
        self.body.change(quadrants={**self.body.now.quadrants, self.place: replace(self.now, **fields)})

    @property
    def side(self) -> str:
        return self.now.holder or self.body.side

    def count(self, system: str) -> int:
        """Working systems, which serve only the owner of the body."""
        return self.now.working.count(system) if self.side == self.body.side else 0


# --- distances -------------------------------------------------------------------------------------------------------


def ships_within(ship: Ship, other: Ship, reach: int) -> bool:
    """BS-GEO-4: within reach, rims of stations counted."""
    return within(ship.spot, other.spot, reach + ship.cls.radius + other.cls.radius)


def any_within(ships: Iterable[Ship], others: Iterable[Ship], reach: int) -> bool:
    others = list(others)
    return any(ships_within(ship, other, reach) for ship in ships for other in others)


def in_contact(ship: Ship, other: Ship) -> bool:
    """BS-GEO-8: within 0.50", plus the radius of a station."""
    return ships_within(ship, other, LIMITS.contact)


def in_command(squadron: Squadron) -> bool:
    """BS-TF-3: an active ship within 8.00" of the flagship of its taskforce."""
    tf = squadron.taskforce
    if tf is None or tf.flagship.now.status not in ON_TABLE or squadron.now.flags.out_of_tf:
        return False
    return tf.flagship.squadron is squadron or any_within(squadron.active, (tf.flagship,), LIMITS.command)
