"""What a side may name: its units and their mounts, the enemies it knows; and what a unit may be told at all."""

from __future__ import annotations

import re
from collections.abc import Sequence

from games.broadsides.data import ShipClass, WeaponType
from games.broadsides.rules.mounts import SIZE_WORDS, covers
from games.broadsides.rules.sighting import unseen_by
from games.broadsides.state import (
    Flight,
    Program,
    Ship,
    State,
    Unit,
    blocks_left,
    catalogue_of,
    unit_of,
    units_in_order,
)
from pbem.kit.sheet import BadOrder, Line, Problem, match_name, nearest

FLEET = "Fleet"
GONE = ("destroyed", "withdrawn", "jumped", "aboard")
DROPPED = "the line is left out"


def known_enemies(state: State, side: str) -> tuple[str, ...]:
    """Enemy units the side has seen: not those in hangars or hyperspace that have yet to appear."""
    return tuple(
        unit.name
        for unit in units_in_order(state)
        if unit.side != side
        and (unit.status not in ("hangar", "hyperspace") or _has_appeared(unit))
        and not (isinstance(unit, Flight) and unseen_by(state, unit, side))
    )


def _has_appeared(unit: Unit) -> bool:
    return isinstance(unit, Flight) and unit.landed is not None


def own_units(state: State, side: str) -> tuple[str, ...]:
    """Names that may open a block: all own units but pods in flight, which take no orders."""
    catalogue = catalogue_of(state)
    names = []
    for unit in units_in_order(state):
        pod = isinstance(unit, Flight) and catalogue.fighters[unit.class_name].kind == "pod"
        if unit.side == side and not pod:
            names.append(unit.name)
    return tuple(names)


class Names:
    """Looks names up for one side, and collects the remarks that do not cost a line."""

    def __init__(self, state: State, side: str) -> None:
        self.state, self.side = state, side
        self.catalogue = catalogue_of(state)
        self.own = own_units(state, side)
        self.enemies = known_enemies(state, side)
        self.notes: list[Problem] = []

    def note(self, line: Line, rule: str, reason: str, hint: str, instead: str) -> None:
        self.notes.append(Problem(line.number, line.text, rule, reason, hint, instead, line.unit))

    # --- units

    def unit(self, line: Line) -> Unit | None:
        return unit_of(self.state, line.unit)

    def living_unit(self, line: Line) -> Unit:
        """BR-VAL-1: the line stands under a unit that is still in the battle."""
        unit = self.unit(line)
        if unit is None:
            reason = "this order needs a ship or flight: it stands under no unit's name"
            raise BadOrder("BR-VAL-1", reason, f"{self.own[0] if self.own else 'Name'}: {line.text}", DROPPED)
        if unit.status in GONE:
            raise BadOrder("BR-VAL-1", f"{unit.name} is {unit.status}", f"your units: {self._present()}", DROPPED)
        return unit

    def _present(self) -> str:
        present = [name for name in self.own if (unit := unit_of(self.state, name)) and unit.status not in GONE]
        return ", ".join(present[:8])

    def ship(self, line: Line) -> Ship:
        unit = self.living_unit(line)
        if not isinstance(unit, Ship):
            raise BadOrder("BR-VAL-2", f"{unit.name} is a flight; this order is for ships", "", DROPPED)
        return unit

    def craft(self, line: Line, verb: str) -> Flight:
        unit = self.living_unit(line)
        if not isinstance(unit, Flight):
            raise BadOrder("BR-VAL-2", f"{unit.name} is a ship; '{verb}' is for flights", "", DROPPED)
        return unit

    def flight(self, line: Line, verb: str) -> Flight:
        """A flight of fighters; shuttles only move and land."""
        flight = self.craft(line, verb)
        if self.catalogue.fighters[flight.class_name].kind == "shuttle" and verb != "chase":
            raise BadOrder("BR-VAL-22", f"{flight.name} is a shuttle: it only moves and lands", "path F3", DROPPED)
        return flight

    def mover(self, line: Line, flights: str = "") -> Unit:
        """A unit that can move by itself; ``flights``: the complaint where the order is not for flights."""
        unit = self.living_unit(line)
        if isinstance(unit, Flight):
            if flights:
                raise BadOrder(flights, f"{unit.name} is a flight: no pivots, slides or rolls", "path F3 P F3", DROPPED)
            return unit
        if self.sheet(unit).fixed:
            reason = f"{unit.name} is a {self.sheet(unit).size} and never moves: thrust 0 is available"
            raise BadOrder("BR-VAL-3", reason, "no movement order", DROPPED)
        return unit

    def sheet(self, ship: Ship) -> ShipClass:
        return self.catalogue.classes[ship.class_name]

    def anybody(self, text: str, line: Line) -> str:
        """Any unit the side knows."""
        return self._known(text, (*self.own, *self.enemies), "BR-VAL-20", line)

    def enemy(self, text: str, line: Line) -> str:
        """BR-VAL-20: a known unit of the other side."""
        own = match_name(text, self.own)
        if own and not match_name(text, self.enemies):
            reason = f"'{own}' is on your own side"
            raise BadOrder("BR-VAL-20", reason, f"enemies: {', '.join(self.enemies[:8])}", DROPPED)
        return self._known(text, self.enemies, "BR-VAL-20", line)

    def own_ship(self, text: str, line: Line) -> str:
        return self._known(text, [name for name in self.own if name in self.state.ships], "BR-VAL-1", line)

    def _known(self, text: str, names: Sequence[str], rule: str, line: Line) -> str:
        found = match_name(text, names)
        if found:
            return found
        close = nearest(text.strip(), names)
        hint = f"did you mean '{close}'?" if close else f"known: {', '.join(names[:8])}"
        raise BadOrder(rule, f"no unit called '{text.strip()}' in '{line.text}'", hint, DROPPED)

    def default_program(self, line: Line) -> Program:
        unit = self.unit(line)
        return unit.program if isinstance(unit, Ship) else Program()

    def switched(self, line: Line, area: str) -> None:
        """BR-VAL-28: the scenario plays with this area of the rules."""
        if not getattr(self.state.switches, area):
            reason = f"'{line.text}': this scenario has {area} = false"
            raise BadOrder("BR-VAL-28", reason, "", DROPPED)

    # --- mounts

    def box(self, line: Line, text: str) -> str:
        """A weapon or battery of the unit, standing."""
        ship = self.ship(line)
        sheet = self.sheet(ship)
        boxes = [system.id for system in sheet.systems.values() if system.kind in ("weapon", "battery")]
        box = text.strip().upper()
        if box not in boxes:
            close = nearest(box, boxes)
            hint = f"did you mean '{close}'?" if close else f"it has {', '.join(boxes)}"
            raise BadOrder("BR-VAL-17", f"{ship.name} has no mount '{text.strip()}'", hint, DROPPED)
        if blocks_left(ship, sheet.systems[box]) <= 0:
            raise BadOrder("BR-VAL-17", f"{box} is destroyed and will never be ready", "", DROPPED)
        return box

    def mount(self, line: Line, text: str) -> str:
        """A weapon of the unit."""
        box = self.box(line, text)
        if self.sheet(self.ship(line)).systems[box].kind != "weapon":
            raise BadOrder("BR-VAL-17", f"{box} is a battery, not a weapon", "", DROPPED)
        return box

    def weapon(self, line: Line, mount: str) -> WeaponType:
        return self.catalogue.weapons[self.sheet(self.ship(line)).systems[mount].type]

    def mounts(self, line: Line, text: str) -> tuple[str, ...]:
        """``HL1,HL2``, ``TA*``, ``light``, ``all``: weapons only."""
        return self._refs(line, text, batteries=False)

    def boxes(self, line: Line, text: str) -> tuple[str, ...]:
        return self._refs(line, text, batteries=True)

    def _refs(self, line: Line, text: str, *, batteries: bool) -> tuple[str, ...]:
        ship = self.ship(line)
        types = {system.type for system in self.sheet(ship).systems.values() if system.type}
        refs: list[str] = []
        for part in re.split(r"[,\s]+", text.strip()):
            word = part.casefold()
            if word in SIZE_WORDS or word == "all":
                refs.append(word)
            elif part.endswith("*"):
                if part[:-1].upper() not in types:
                    hint = f"it has {', '.join(sorted(types))}"
                    raise BadOrder("BR-VAL-17", f"{ship.name} has no mounts of type '{part[:-1]}'", hint, DROPPED)
                refs.append(part.upper())
            else:
                refs.append(self.box(line, part) if batteries else self.mount(line, part))
        return tuple(refs)

    def weapons(self, line: Line, refs: Sequence[str]) -> list[WeaponType]:
        """The weapon types a line of mounts covers."""
        sheet = self.sheet(self.ship(line))
        return [self.catalogue.weapons[one.type] for one in sheet.mounts if covers(self.catalogue, one, refs)]

    def interceptors(self, line: Line, text: str) -> tuple[str, ...]:
        """BR-VAL-26: mounts with an intercept value."""
        refs = self.mounts(line, text)
        for ref in refs:
            found = self.weapons(line, (ref,))
            if found and not any(weapon.intercept for weapon in found):
                reason = f"{ref} ({found[0].name}) has the intercept value 0"
                raise BadOrder("BR-VAL-26", reason, "mounts with a value, such as INT, SPB, TA", DROPPED)
        return refs
