"""A battle that a view could come from: what the view hides is drawn from the dice (section 8)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from games.battleshift import state as records
from games.battleshift.data import LIMITS, TABLES, ShipClass, units
from games.battleshift.rules.building import SYSTEMS, complete
from games.battleshift.state import QUADRANTS, Contact, SeenSquadron, Squadron, State, Taskforce
from games.battleshift.view import View
from pbem.kit.dice import Dice
from pbem.kit.plane import SECTOR, Sector, Spot, within
from pbem.kit.records import shared

T = TypeVar("T")

NOWHERE = Spot(-100_000, -100_000)
"""Where nobody sees a ship that is off the table."""
TRAITED = 3
"""One squadron in so many has a trait that it has not shown yet."""


def imagined(view: View, dice: Dice) -> State:
    """The view with its gaps filled; seen by the same side, it is the same view again."""
    fleet = _Shipyard(view, dice)
    fleet.launch()
    known = {field: getattr(view, field) for field in ("title", "width_ft", "height_ft", "turn", "turn_limit", "stage")}
    return State(
        **known,
        switches=view.switches,
        classes=view.classes,
        victory=view.victory,
        vp=view.vp,
        ending=view.ending,
        sides=tuple(_side(side) for side in view.sides),
        terrain=tuple(_body(view, body, dice) for body in view.terrain),
        squadrons=tuple(fleet.squadrons.values()),
        taskforces=tuple(fleet.taskforces.values()),
        flights=tuple(_flight(view, flight, fleet) for flight in view.flights),
        designs=fleet.designs,
    )


def _side(side: records.SeenSide) -> records.SideRecord:
    """The enemy's standing orders are his own business: none."""
    return side if isinstance(side, records.SideRecord) else records.SideRecord(**vars(side))


def _drawn(dice: Dice, among: Sequence[T], *label: object) -> T:
    return among[dice.roll(len(among), "imagined", *label).face - 1]


class _Shipyard:
    """Builds the squadrons and taskforces of a view whole, and those behind them that it does not show."""

    def __init__(self, view: View, dice: Dice) -> None:
        self.view, self.dice = view, dice
        self.squadrons: dict[str, Squadron] = {}
        self.taskforces: dict[str, Taskforce] = {}
        self.designs: dict[str, dict[str, ShipClass]] = {side: dict(made) for side, made in view.designs.items()}
        self._common = {**units().classes, **view.classes}
        own = (s for s in view.squadrons if isinstance(s, Squadron) and s.side == view.side and not s.docked)
        self.eyes = [ship.spot for squadron in own for ship in squadron.ships if ship.status == "active"]
        """Whence the side looks."""

    def launch(self) -> None:
        view = self.view
        for squadron in view.squadrons:
            self._enter(self._squadron(squadron))
        for tf in view.taskforces:
            self.taskforces[tf.key] = tf if isinstance(tf, Taskforce) else self._taskforce(tf)
        self._group_contacts()
        for keys in (figures.held for figures in view.figures.values()):
            self._enter_held(keys)
        if view.stage == "setup":
            self._mirror()

    def _enter(self, squadron: Squadron) -> Squadron:
        self.squadrons[squadron.key] = squadron
        return squadron

    # --- squadrons ---------------------------------------------------------------------------------------------------

    def _squadron(self, seen: Contact) -> Squadron:
        if isinstance(seen, Squadron):
            return self._with_class(seen)
        return self._identified(seen) if isinstance(seen, SeenSquadron) else self._contact(seen)

    def _with_class(self, squadron: Squadron) -> Squadron:
        """What another side has built is of that side's design, unless it is one of the common classes."""
        builder, card = squadron.origin or squadron.side, self.view.cards[squadron.key]
        if builder != self.view.side and self._common.get(card.name) != card:
            self.designs.setdefault(builder, {})[squadron.ship_class] = card
        return squadron

    def _identified(self, seen: SeenSquadron) -> Squadron:
        figures, card = self.view.figures[seen.key], self.view.cards[seen.key]
        here = {ship.number for ship in seen.ships}
        gone = [number for number in range(1, figures.started + len(here) + 1) if number not in here]
        lost = [records.Ship(number, status="destroyed") for number in gone[: figures.started - len(here)]]
        ships = [*(records.Ship(**shared(records.SeenShip, ship)) for ship in seen.ships), *lost]
        most = card.bay * seen.active
        return self._with_class(
            Squadron(
                **{**shared(SeenSquadron, seen), "ships": tuple(sorted(ships, key=lambda ship: ship.number))},
                traits=seen.traits_seen | self._traits(seen, card),
                wings_aboard=_drawn(self.dice, range(most + 1), seen.key, "wings") if most else 0,
                wings_initial=card.bay * figures.started,
                captor=self._captor(seen) if figures.is_prize else "",
                origin=self._other(seen.side) if figures.is_prize else "",
            )
        )

    def _traits(self, seen: SeenSquadron, card: ShipClass) -> frozenset[str]:
        """BS-XP: perhaps one that has not been seen."""
        if not self.view.switches.experience or _drawn(self.dice, range(TRAITED), seen.key, "has a trait"):
            return frozenset()
        fit = [name for name, price in TABLES.trait.items() if price.per_size or card.bay]
        return frozenset({_drawn(self.dice, fit, seen.key, "trait")})

    def _captor(self, prize: SeenSquadron) -> str:
        mates = [s.name for s in self.view.squadrons if s.side == prize.side and s.key != prize.key]
        return _drawn(self.dice, mates, prize.key, "captor") if mates else "a prize crew"

    def _contact(self, seen: Contact) -> Squadron:
        """Named so that the contacts keep their numbers."""
        figures, number = self.view.figures[seen.key], int(seen.name.rpartition(" ")[2])
        ships = tuple(records.Ship(**shared(records.SeenShip, ship)) for ship in seen.ships)
        return self._unknown(seen.side, f"Unknown {number:03d}", ships, figures.size, seen.facing, figures.radius)

    def _unknown(
        self, side: str, name: str, ships: tuple[records.Ship, ...], size: int, facing: int = 0, radius: int = 0
    ) -> Squadron:
        """A squadron of which no more than its size is known, of some class of that size."""
        cls = self._class(side, name, size, radius)
        wings = cls.bay * len(ships)
        return Squadron(
            name=name,
            side=side,
            ship_class=cls.name,
            ships=ships,
            facing=facing,
            total=cls.hull * len(ships),
            wings_aboard=wings,
            wings_initial=wings,
        )

    def _class(self, side: str, name: str, size: int, radius: int) -> ShipClass:
        known = {**self._common, **self.designs.get(side, {})}
        like = [cls for cls in known.values() if (cls.size, cls.radius) == (size, radius) and self._is_allowed(cls)]
        if like:
            return _drawn(self.dice, like, side, name, "class")
        made = ShipClass(f"Unknown {size}/{radius}", "station" if radius else "ship", size, light=1, radius=radius)
        return self.designs.setdefault(side, {}).setdefault(made.name, complete(made))

    def _is_allowed(self, cls: ShipClass) -> bool:
        needed = [TABLES.system[name].switch for name in SYSTEMS if getattr(cls, name)]
        return all(getattr(self.view.switches, switch) for switch in needed if switch)

    def _other(self, side: str) -> str:
        return next(who.id for who in self.view.sides if who.id != side)

    # --- taskforces --------------------------------------------------------------------------------------------------

    def _taskforce(self, seen: records.SeenTaskforce) -> Taskforce:
        flag, _, number = seen.flagship.rpartition(".")
        names = dict.fromkeys((*seen.squadrons, *((flag,) if flag else ())))
        for name in names:
            if f"{seen.side}/{name}" not in self.squadrons:
                self._enter(self._unseen(seen, name, int(number) if name == flag else 0))
        if seen.location != "table":
            return self._away(seen)
        whole = Taskforce(**{**shared(records.SeenTaskforce, seen), "squadrons": tuple(names)})
        return whole if flag else self._with_flagship(whole)

    def _unseen(self, tf: records.SeenTaskforce, name: str, flagship: int) -> Squadron:
        """A member that is no longer on the table: its flagship is docked, others were lost where the side saw it."""
        ship = records.Ship(flagship or 1, *(self.eyes or [Spot(0, 0)])[0], "active" if flagship else "destroyed")
        made = self._unknown(tf.side, name, (ship,), 3)
        return replace(made, taskforce=tf.name, docked="a station" if flagship else "")

    def _away(self, tf: records.SeenTaskforce) -> Taskforce:
        """In hyperspace with ships that nobody has counted, to come back some time."""
        name = f"{tf.name} in hyperspace"
        ship = records.Ship(1, *NOWHERE, "hyperspace")
        squadron = self._enter(replace(self._unknown(tf.side, name, (ship,), 3), taskforce=tf.name))
        column = _drawn(self.dice, range(1, self.view.width_ft + 1), tf.key, "column")
        row = _drawn(self.dice, range(1, self.view.height_ft + 1), tf.key, "row")
        facing = _drawn(self.dice, (0, 90, 180, 270), tf.key, "facing")
        wait = _drawn(self.dice, (1, 2, 3), tf.key, "return")
        back = records.Return(self.view.turn + wait, Sector(column, row).name, facing)
        left = [s.name for s in self.squadrons.values() if (s.side, s.taskforce) == (tf.side, tf.name)]
        names = tuple(dict.fromkeys((squadron.name, *left)))
        whole = {**shared(records.SeenTaskforce, tf), "squadrons": names, "flagship": f"{squadron.name}.1"}
        return Taskforce(**whole, returns=back)

    def _with_flagship(self, tf: Taskforce) -> Taskforce:
        """Under fog: a large ship too far off to be known as the flagship, one of a contact if need be."""
        members = [self.squadrons[f"{tf.side}/{name}"] for name in tf.squadrons]
        for among in (members, self._free_contacts(tf.side)):
            ships = [(squadron, ship) for squadron in among for ship in squadron.at_hand if self._is_far(ship.spot)]
            if ships:
                largest = max(self._size(squadron) for squadron, _ in ships)
                fit = [pair for pair in ships if self._size(pair[0]) == largest]
                squadron, ship = _drawn(self.dice, fit, tf.key, "flagship")
                return self._joined(tf, squadron, ship.number)
        hidden = self._unknown(tf.side, f"{tf.name} flagship", (records.Ship(1, *NOWHERE),), 3)
        return self._joined(tf, replace(hidden, docked="a station"), 1)

    def _joined(self, tf: Taskforce, squadron: Squadron, flagship: int) -> Taskforce:
        self._enter(replace(squadron, taskforce=tf.name))
        names = tuple(dict.fromkeys((*tf.squadrons, squadron.name)))
        return replace(tf, squadrons=names, flagship=f"{squadron.name}.{flagship}")

    def _is_far(self, spot: Spot) -> bool:
        return not any(within(eye, spot, LIMITS.flagship_visible) for eye in self.eyes)

    def _size(self, squadron: Squadron) -> int:
        figures = self.view.figures.get(squadron.key)
        known = {**self._common, **self.designs.get(squadron.side, {})}
        return figures.size if figures else known[squadron.ship_class].size

    def _free_contacts(self, side: str) -> list[Squadron]:
        unknown = (s for s in self.squadrons.values() if s.key not in self.view.figures and s.at_hand and not s.docked)
        return [squadron for squadron in unknown if squadron.side == side and not squadron.taskforce]

    def _group_contacts(self) -> None:
        """BS-TF-1, BS-TF-3: contacts near each other make taskforces of their own."""
        if self.view.side is None or self.view.stage == "setup":
            return
        side, limit = self._other(self.view.side), self.view.switches.max_squadrons_per_tf
        free, number = self._free_contacts(side), 0
        while free:
            number += 1
            centre = free[0].at_hand[0].spot
            near = [s for s in free if any(within(ship.spot, centre, LIMITS.command) for ship in s.at_hand)][:limit]
            flag = max(near, key=self._size)
            tf = Taskforce(name=f"Unknown taskforce {number}", side=side, squadrons=tuple(s.name for s in near))
            for squadron in near:
                self._enter(replace(squadron, taskforce=tf.name))
            self.taskforces[tf.key] = replace(tf, flagship=f"{flag.name}.{flag.at_hand[0].number}")
            free = [squadron for squadron in free if squadron not in near]

    # --- what nobody sees --------------------------------------------------------------------------------------------

    def _enter_held(self, held: Mapping[str, int]) -> None:
        """BS-ENG-2: enemy ships that own ships have engulfed."""
        for key, size in held.items():
            owner = key.rpartition(".")[0]
            if owner in self.squadrons:
                continue
            side, _, name = owner.partition("/")
            numbers = [int(k.rpartition(".")[2]) for k in held if k.startswith(f"{owner}.")]
            ships = tuple(records.Ship(n, status="engulfed", captor=self.view.side or "") for n in numbers)
            self._enter(self._unknown(side, name, ships, size))

    def _mirror(self) -> None:
        """At setup the enemy is taken for one's own match on the other side of the table."""
        if self.view.side is None:
            return
        side, width, height = self._other(self.view.side), self.view.width_ft * SECTOR, self.view.height_ft * SECTOR
        own = [s for s in self.view.squadrons if isinstance(s, Squadron) and s.side == self.view.side and s.at_hand]
        names = {squadron.name: f"Unknown {number:03d}" for number, squadron in enumerate(own, 1)}
        for squadron in own:
            ships = tuple(replace(ship, x=width - ship.x, y=height - ship.y, holds=()) for ship in squadron.ships)
            figures, facing = self.view.figures[squadron.key], (squadron.facing + 180) % 360
            match = self._unknown(side, names[squadron.name], ships, figures.size, facing, figures.radius)
            joined = f"Unknown {squadron.taskforce}" if squadron.taskforce else ""
            self._enter(replace(match, taskforce=joined, formation=squadron.formation))
        for tf in [tf for tf in self.taskforces.values() if tf.side == self.view.side and tf.location == "table"]:
            flag, _, number = tf.flagship.rpartition(".")
            members, flagship = tuple(names[name] for name in tf.squadrons), f"{names[flag]}.{number}"
            made = Taskforce(name=f"Unknown {tf.name}", side=side, squadrons=members, flagship=flagship)
            self.taskforces[made.key] = made


# --- flights ---------------------------------------------------------------------------------------------------------


def _flight(view: View, seen: records.SeenFlight, fleet: _Shipyard) -> records.Flight:
    """A controlled flight has a carrier that could lead it; an uncontrolled one has none any more."""
    if isinstance(seen, records.Flight):
        return seen
    carriers = list(_carriers(view, seen, fleet)) if seen.key in view.controlled else []
    carrier = _drawn(fleet.dice, carriers, seen.key, "carrier") if carriers else ""
    return records.Flight(**shared(records.SeenFlight, seen), carrier=carrier)


def _carriers(view: View, flight: records.SeenFlight, fleet: _Shipyard) -> Iterable[str]:
    able = [s for s in fleet.squadrons.values() if s.side == flight.side and not s.docked and s.active]
    with_bays = [s.name for s in able if (card := view.cards.get(s.key)) is not None and card.bay]
    if with_bays or able:
        return with_bays or [squadron.name for squadron in able]
    return [f"{body.name} {place}" for body in view.terrain for place in _held_places(body, flight.side)]


def _held_places(body: records.SeenTerrain, side: str) -> Iterator[str]:
    return (place for place, quadrant in body.quadrants.items() if (quadrant.holder or body.owner) == side)


# --- bodies ----------------------------------------------------------------------------------------------------------


def _body(view: View, seen: records.SeenTerrain, dice: Dice) -> records.Terrain:
    if isinstance(seen, records.Terrain):
        return seen
    quadrants = {
        place: _quadrant(seen, place, view.working[f"{seen.name} {place}"], dice)
        for place in QUADRANTS
        if place in seen.quadrants
    }
    return records.Terrain(**{**shared(records.SeenTerrain, seen), "quadrants": quadrants})


def _quadrant(body: records.SeenTerrain, place: str, working: int, dice: Dice) -> records.Quadrant:
    """BS-PLN-7: as many installations as work, and those that the damage has put out."""
    seen = body.quadrants[place]
    systems = [name for name in SYSTEMS if not TABLES.system[name].switch and name != "assault"]
    number = working + seen.damage if working else min(seen.damage, body.defence)
    built = tuple(_drawn(dice, systems, body.name, place, "installation", n) for n in range(number))
    wings = built[:working].count("bay")
    hidden: dict[str, Any] = {"wings_aboard": _drawn(dice, range(wings + 1), body.name, place, "wings")}
    if not isinstance(seen, records.HeldQuadrant):
        hidden["assault"] = _drawn(dice, range(3), body.name, place, "assault")
    return records.Quadrant(**vars(seen), installations=built, **hidden)
