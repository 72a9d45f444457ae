"""The table the battle is played on: ships in their present state, who is where, links, dice and what was seen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from games.galleys.orders.records import NO_ORDERS, ShipOrders
from games.galleys.rules.geometry import Hull, Zone, abreast_hexes, fire_range, hull_of, ships_apart, zone_of
from games.galleys.state import DEFAULT_DOCTRINES, Fleet, Link, LinkKind, Ship, ShipClass, Squadron, State
from pbem.kit.dice import Dice, Roll
from pbem.kit.game import Side
from pbem.kit.hexgrid import Hex
from pbem.kit.table import WorkingTable

DIE = 6


@dataclass(frozen=True)
class Mod:
    """One modifier of a die; ``secret_of`` is the side that alone may know it by itself."""

    name: str
    value: int
    secret_of: str | None = None


def total(mods: Iterable[Mod]) -> int:
    return sum(mod.value for mod in mods)


class Table(WorkingTable[State]):
    """A turn of the battle while it is resolved; without dice and orders it serves for measuring and checking."""

    shelves: ClassVar[Mapping[type, str]] = {Ship: "ships", Squadron: "squadrons", Fleet: "sides", Link: "links"}
    ships: dict[str, Ship]
    squadrons: dict[str, Squadron]
    sides: dict[str, Fleet]
    links: dict[tuple[tuple[str, str], LinkKind], Link]

    def __init__(self, state: State, dice: Dice | None = None, orders: Mapping[str, ShipOrders] | None = None) -> None:
        super().__init__(state, dice)
        self.orders = orders or {}
        self.switches = state.switches
        self.sea = state.sea
        self.turn = state.turn
        self.first_side = state.first_side
        self.step = self.activation = "orders"
        self.land = frozenset(state.sea.land)
        self.shoal = frozenset(state.sea.shoal)
        self.occupied: dict[tuple[int, int], str] = {}
        self._hulls: dict[str, Hull] = {}
        self._told = 0
        for ship in state.ships:
            self._settle(ship)

    # --- ships -------------------------------------------------------------------------------------------------------

    def key(self, record: Any) -> Any:
        """Two ships may be joined in both ways at once."""
        return (record.ships, record.kind) if isinstance(record, Link) else record.name

    def put(self, record: Any) -> None:
        """Lay the record on the table, and take a ship's hexes with it."""
        super().put(record)
        if isinstance(record, Ship):
            self._lift(record.name)
            self._settle(record)

    def _settle(self, ship: Ship) -> None:
        hull = self._hulls[ship.name] = hull_of(ship, self.state.class_of(ship))
        if ship.afloat:
            self.occupied.update(dict.fromkeys(hull.hexes, ship.name))

    def _lift(self, name: str) -> None:
        for part in self._hulls[name].hexes:
            if self.occupied.get(part) == name:
                del self.occupied[part]

    def class_of(self, name: str) -> ShipClass:
        return self.state.classes[self.ships[name].ship_class]

    def hull(self, name: str) -> Hull:
        return self._hulls[name]

    def afloat(self) -> list[Ship]:
        """All ships on the map, in roster order."""
        return [ship for ship in self.ships.values() if ship.afloat]

    def enemies(self, side: Side) -> list[Ship]:
        return [ship for ship in self.afloat() if ship.side != side]

    def is_enemy(self, name: str, side: Side) -> bool:
        ship = self.ships[name]
        return ship.afloat and ship.side != side

    def is_routed(self, name: str) -> bool:
        return self.squadrons[self.ships[name].squadron].routed

    def apart(self, a: str, b: str) -> int:
        return ships_apart(self.hull(a), self.hull(b))

    def zone(self, at: Hex, target: str) -> Zone | None:
        return zone_of(at, self.hull(target))

    def fire_range(self, shooter: str, target: str) -> int | None:
        """GA-MIS-2: the range of the best fire line between two ships, or None."""
        blocked = self.occupied.keys() | self.land if self.land else self.occupied.keys()
        return fire_range(self.hull(shooter), self.hull(target), blocked)

    def is_abreast(self, name: str) -> bool:
        """GA-FRM-1: a friend with the same facing lies abeam, with at most one hex between."""
        ship = self.ships[name]
        return any(self.is_friend_bow(at, ship) for at in abreast_hexes(self.hull(name)))

    def is_friend_bow(self, at: Hex, ship: Ship) -> bool:
        holder = self.occupied.get(at)
        if holder is None or holder == ship.name:
            return False
        other = self.ships[holder]
        return other.bow == at and other.side == ship.side and other.facing == ship.facing

    def doctrine(self, name: str, word: str) -> str:
        """Section 6.1: ship, else squadron, else fleet, else the default."""
        ship = self.ships[name]
        for level in (ship.doctrines, self.squadrons[ship.squadron].doctrines, self.sides[ship.side].doctrines):
            if word in level:
                return level[word]
        return DEFAULT_DOCTRINES[word]

    def orders_of(self, name: str) -> ShipOrders:
        return self.orders.get(name, NO_ORDERS)

    # --- links -------------------------------------------------------------------------------------------------------

    def partners(self, name: str) -> list[str]:
        """The ships linked with this one, in roster order."""
        others = {link.other(name) for link in self.links.values() if name in link.ships}
        return sorted(others, key=lambda other: self.ships[other].roster)

    def is_held(self, name: str) -> bool:
        return any(name in link.ships for link in self.links.values())

    def is_helpless(self, name: str) -> bool:
        """Section 2.2: crippled, rammed or held."""
        ship = self.ships[name]
        return ship.crippled or ship.rammed or self.is_held(name)

    def link(self, a: str, b: str, kind: LinkKind, corvus_by: str | None = None) -> None:
        """Join two ships; a link of the same kind is not doubled, but a corvus on it is remembered."""
        first, second = sorted((a, b), key=lambda name: self.ships[name].roster)
        made = Link((first, second), kind, corvus_by)
        old = self.links.get(self.key(made), made)
        self.put(replace(made, corvus_by=corvus_by or old.corvus_by))

    def between(self, a: str, b: str) -> list[Link]:
        return [link for link in self.links.values() if a in link.ships and b in link.ships]

    def unlink(self, a: str, b: str) -> None:
        for link in self.between(a, b):
            del self.links[self.key(link)]

    def unlink_all(self, name: str) -> None:
        for partner in self.partners(name):
            self.unlink(name, partner)

    def corvus_on(self, a: str, b: str) -> set[str]:
        """Whose boarding bridges hold this pair together."""
        return {link.corvus_by for link in self.between(a, b) if link.corvus_by}

    # --- dice and events ---------------------------------------------------------------------------------------------

    @property
    def moment(self) -> str:
        return self.activation

    def roll_two(self, *label: object) -> tuple[Roll, Roll]:
        return self.roll(DIE, *label, 1), self.roll(DIE, *label, 2)

    def setting(self) -> Mapping[str, Any]:
        return {"turn": self.turn, "seq": self._told, "activation": self.activation}

    def tell(
        self,
        kind: str,
        rule: str,
        seen_by: Iterable[Side] | Side,
        facts: Mapping[str, Any],
        rolls: Sequence[Roll] = (),
    ) -> None:
        self._told += 1
        super().tell(kind, rule, seen_by, facts, rolls)

    def tell_in_fog(
        self,
        kind: str,
        rule: str,
        facts: Mapping[str, Any],
        rolls: Sequence[Roll] = (),
        *,
        mods: Sequence[Mod] = (),
        private: Sequence[str] = (),
        owner: Side = "",
    ) -> None:
        """Tell both sides; under fog each gets the modifiers of the enemy's crew as one figure (section 8).

        ``private`` names facts that only ``owner`` may know under fog; the other side gets None for them.
        """
        self._told += 1
        masked = self.switches.fog and (private or any(mod.secret_of and mod.value for mod in mods))
        for audience in self.sides if masked else (None,):
            seen = {**facts, "mod": total(mods), "mods": _shown(mods, audience)} if rolls else dict(facts)
            if audience not in (None, owner):
                seen.update(dict.fromkeys(private))
            super().tell(kind, rule, audience or self.sides, seen, rolls)

    # --- the end -----------------------------------------------------------------------------------------------------

    def frozen(self, **fields: Any) -> State:
        """The state as the table shows it, every squadron with the ships that are now its own."""
        aboard: dict[str, list[str]] = {name: [] for name in self.squadrons}
        for ship in self.ships.values():
            aboard[ship.squadron].append(ship.name)
        squadrons = tuple(replace(squadron, ships=tuple(aboard[name])) for name, squadron in self.squadrons.items())
        return super().frozen(first_side=self.first_side, squadrons=squadrons, **fields)


def _shown(mods: Sequence[Mod], side: Side | None) -> list[list[Any]]:
    """The modifiers as a side may know them: those of the enemy's crew merged into one figure."""
    hidden = [mod for mod in mods if side is not None and mod.secret_of not in (None, side)]
    shown: list[list[Any]] = [[mod.name, mod.value] for mod in mods if mod not in hidden and mod.value]
    if total(hidden):
        shown.append(["enemy's crew and condition", total(hidden)])
    return shown
