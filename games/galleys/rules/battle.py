"""The table the battle is played on: ships in their present state, who is where, links, dice and what was seen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from games.galleys.orders.plans import NO_ORDERS, ShipOrders
from games.galleys.rules.geometry import Hull, Zone, abreast_hexes, fire_range, ships_apart, zone_of
from games.galleys.state import DEFAULT_DOCTRINES, Fleet, Link, LinkKind, Ship, ShipClass, Squadron, State
from pbem.kit.dice import Dice, Roll
from pbem.kit.game import Event
from pbem.kit.hexgrid import Hex

DIE = 6


@dataclass(frozen=True)
class Mod:
    """One modifier of a die; ``secret_of`` is the side that alone may know it by itself."""

    name: str
    value: int
    secret_of: str | None = None


def total(mods: Iterable[Mod]) -> int:
    return sum(mod.value for mod in mods)


class Battle:
    """A working table inside one resolution; the state it began with is never changed."""

    def __init__(self, state: State, orders: Mapping[str, ShipOrders], dice: Dice) -> None:
        self.state = state
        self.switches = state.switches
        self.sea = state.sea
        self.turn = state.turn
        self.first_side = state.first_side
        self.step = "orders"
        self.activation = "orders"
        self.orders = orders
        self.events: list[Event] = []
        self.ships: dict[str, Ship] = {ship.name: ship for ship in state.ships}
        self.squadrons: dict[str, Squadron] = {squadron.name: squadron for squadron in state.squadrons}
        self.fleets: dict[str, Fleet] = {fleet.name: fleet for fleet in state.sides}
        self.links: list[Link] = list(state.links)
        self.land = frozenset(state.sea.land)
        self.shoal = frozenset(state.sea.shoal)
        self._dice = dice
        self._seq = 0
        self._hulls: dict[str, Hull] = {}
        self.occupied: dict[tuple[int, int], str] = {}
        for ship in state.ships:
            self._settle(ship)

    # --- ships -------------------------------------------------------------------------------------------------------

    def ship(self, name: str) -> Ship:
        return self.ships[name]

    def class_of(self, name: str) -> ShipClass:
        return self.state.classes[self.ships[name].ship_class]

    def hull(self, name: str) -> Hull:
        return self._hulls[name]

    def change(self, name: str, **fields: Any) -> Ship:
        """Put the changed ship on the table, and its hexes with it when it moved."""
        changed = replace(self.ships[name], **fields)
        self.ships[name] = changed
        if "bow" in fields or "facing" in fields or "status" in fields:
            self._lift(name)
            self._settle(changed)
        return changed

    def _settle(self, ship: Ship) -> None:
        hull = Hull(ship.bow, ship.facing, self.state.classes[ship.ship_class].large)
        self._hulls[ship.name] = hull
        if ship.afloat:
            for part in hull.hexes:
                self.occupied[part] = ship.name

    def _lift(self, name: str) -> None:
        for part in self._hulls[name].hexes:
            if self.occupied.get(part) == name:
                del self.occupied[part]

    def afloat(self) -> list[Ship]:
        """All ships on the map, in roster order."""
        return [ship for ship in self.ships.values() if ship.afloat]

    def enemies(self, side: str) -> list[Ship]:
        return [ship for ship in self.ships.values() if ship.afloat and ship.side != side]

    def is_enemy(self, name: str, side: str) -> bool:
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
        hulls = self.hull(shooter), self.hull(target)
        return fire_range(*hulls, self.occupied.keys() | self.land if self.land else self.occupied.keys())

    def is_abreast(self, name: str) -> bool:
        """GA-FRM-1: a friend with the same facing lies abeam, with at most one hex between."""
        ship = self.ships[name]
        return any(self.is_friend_bow(at, ship) for at in abreast_hexes(self.hull(name)))

    def is_friend_bow(self, at: Hex, ship: Ship) -> bool:
        found = self.occupied.get(at)
        if found is None or found == ship.name:
            return False
        other = self.ships[found]
        return other.bow == at and other.side == ship.side and other.facing == ship.facing

    def doctrine(self, name: str, word: str) -> str:
        """Section 6.1: ship, else squadron, else fleet, else the default."""
        ship = self.ships[name]
        for level in (ship.doctrines, self.squadrons[ship.squadron].doctrines, self.fleets[ship.side].doctrines):
            if word in level:
                return level[word]
        return DEFAULT_DOCTRINES[word]

    def orders_of(self, name: str) -> ShipOrders:
        return self.orders.get(name, NO_ORDERS)

    # --- links -------------------------------------------------------------------------------------------------------

    def partners(self, name: str) -> list[str]:
        """The ships linked with this one, in roster order."""
        found = {link.other(name) for link in self.links if name in link.ships}
        return sorted(found, key=lambda other: self.ships[other].roster)

    def is_held(self, name: str) -> bool:
        return any(name in link.ships for link in self.links)

    def is_helpless(self, name: str) -> bool:
        """Section 2.2: crippled, rammed or held."""
        ship = self.ships[name]
        return ship.crippled or ship.rammed or self.is_held(name)

    def link(self, a: str, b: str, kind: LinkKind, corvus_by: str | None = None) -> None:
        """Join two ships; a link of the same kind is not doubled, but a corvus on it is remembered."""
        first, second = sorted((a, b), key=lambda name: self.ships[name].roster)
        made = Link((first, second), kind, corvus_by)
        for index, old in enumerate(self.links):
            if old.ships == made.ships and old.kind == kind:
                self.links[index] = replace(old, corvus_by=corvus_by or old.corvus_by)
                return
        self.links.append(made)

    def are_linked(self, a: str, b: str) -> bool:
        return any(a in link.ships and b in link.ships for link in self.links)

    def unlink(self, a: str, b: str) -> None:
        self.links = [link for link in self.links if not (a in link.ships and b in link.ships)]

    def unlink_all(self, name: str) -> None:
        self.links = [link for link in self.links if name not in link.ships]

    def corvus_on(self, a: str, b: str) -> set[str]:
        """Whose boarding bridges hold this pair together."""
        return {link.corvus_by for link in self.links if a in link.ships and b in link.ships and link.corvus_by}

    # --- dice and events ---------------------------------------------------------------------------------------------

    def roll(self, *label: object) -> Roll:
        return self._dice.roll(DIE, self.activation, *label)

    def roll_two(self, *label: object) -> tuple[Roll, Roll]:
        return self.roll(*label, 1), self.roll(*label, 2)

    def tell(
        self,
        kind: str,
        rule: str,
        facts: Mapping[str, Any],
        *,
        mods: Sequence[Mod] = (),
        rolls: tuple[Roll, ...] = (),
        private: Sequence[str] = (),
        owner: str = "",
    ) -> None:
        """Record what both sides see; under fog each side gets the figures of the enemy merged (section 8).

        ``private`` names facts that only ``owner`` may know exactly under fog; the other side gets None for them.
        """
        self._seq += 1
        base = {"turn": self.turn, "seq": self._seq, "activation": self.activation, **facts}
        if rolls:
            base["mod"] = total(mods)
        sides = tuple(self.fleets)
        masked = self.switches.fog and (private or any(mod.secret_of and mod.value for mod in mods))
        for audience in [(side,) for side in sides] if masked else [sides]:
            seen = dict(base)
            if rolls:
                seen["mods"] = _shown(mods, audience[0] if masked else None)
            if masked and owner != audience[0]:
                seen.update(dict.fromkeys(private))
            self.events.append(Event(kind, rule, self.step, seen, frozenset(audience), rolls))

    def tell_only(
        self, side: str, kind: str, rule: str, facts: Mapping[str, Any], rolls: tuple[Roll, ...] = ()
    ) -> None:
        """Record what one side alone may know."""
        self._seq += 1
        base = {"turn": self.turn, "seq": self._seq, "activation": self.activation, **facts}
        self.events.append(Event(kind, rule, self.step, base, frozenset((side,)), rolls))

    # --- the end -----------------------------------------------------------------------------------------------------

    def state_now(self) -> State:
        """The state as the table shows it."""
        aboard: dict[str, list[str]] = {name: [] for name in self.squadrons}
        for ship in self.ships.values():
            aboard[ship.squadron].append(ship.name)
        return replace(
            self.state,
            turn=self.turn,
            first_side=self.first_side,
            sides=tuple(self.fleets.values()),
            squadrons=tuple(replace(found, ships=tuple(aboard[name])) for name, found in self.squadrons.items()),
            ships=tuple(self.ships.values()),
            links=tuple(self.links),
        )


def _shown(mods: Sequence[Mod], side: str | None) -> list[list[Any]]:
    """The modifiers as a side may know them: those of the enemy's crew merged into one figure."""
    open_ones = [mod for mod in mods if side is None or mod.secret_of in (None, side)]
    hidden = [mod for mod in mods if mod not in open_ones]
    shown: list[list[Any]] = [[mod.name, mod.value] for mod in open_ones if mod.value]
    if hidden and total(hidden):
        shown.append(["enemy's crew and condition", total(hidden)])
    return shown
