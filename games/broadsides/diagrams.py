"""The ship sheets as pictures: sections about the primary hull as they stand on paper, boxes struck off."""

from __future__ import annotations

from collections.abc import Sequence

from games.broadsides.data import ShipClass, System
from games.broadsides.rules.shipsheet import SectionBox, ShipSheet, SystemBox
from games.broadsides.state import Ship
from games.broadsides.view import View
from pbem.kit.scene import Boxes, Diagram, SheetSection

# Column and row of each section; the bow is at the top, and at the left on ships of two sides.
PLACES = {
    1: {"main": (0, 0)},
    3: {"fore": (0, 0), "primary": (1, 0), "aft": (2, 0)},
    5: {"fore": (1, 0), "port": (0, 1), "primary": (1, 1), "starboard": (2, 1), "aft": (1, 2)},
    7: {
        "s0": (1, 0),
        "s1": (2, 0),
        "s2": (2, 2),
        "s3": (1, 2),
        "s4": (0, 2),
        "s5": (0, 0),
        "primary": (1, 1),
    },
}
KEY = "4/8: charge 4 of 8"
SHORT_NAMES = {"cnc": "C&C", "shieldgen": "shields"}


def diagrams(view: View) -> Sequence[Diagram]:
    """A sheet for each own ship in the battle."""
    return [
        _diagram(view, ship, view.cards.classes[ship.class_name], view.sheets[ship.name])
        for ship in view.own_ships
        if ship.on_map
    ]


def _diagram(view: View, ship: Ship, card: ShipClass, sheet: ShipSheet) -> Diagram:
    places = PLACES[len(card.sections)]
    index = next(number for number, side in enumerate(view.sides) if side.id == ship.side)
    boxes = {box.id: box for box in sheet.systems}
    sections = tuple(
        SheetSection(
            Boxes(held.name, held.full, max(0, held.structure), held.armour),
            *places[held.name],
            tuple(_system(boxes[system.id], system) for system in card.by_section[held.name].systems),
        )
        for held in sheet.sections
    )
    title = ship.name if ship.name == ship.class_name else f"{ship.name}, {ship.class_name}"
    words = _damage_in_words(ship.name, sheet)
    return Diagram(title, index, sections, (sheet.where.removesuffix("."),), words, KEY)


def _system(box: SystemBox, system: System) -> Boxes:
    label = box.id if system.kind in ("weapon", "battery") else SHORT_NAMES.get(system.kind, system.kind)
    out = box.state.startswith(("dropped", "off"))
    return Boxes(label, box.blocks, max(0, box.left), box.armour, system.width, out, _note(box, system))


def _note(box: SystemBox, system: System) -> str:
    """The state in a word; the table has it in full."""
    if box.left <= 0:
        return "gone"
    word, *rest = box.state.partition(";")[0].split()
    if word in ("dropped", "off"):
        return "out" if word == "dropped" else "off"
    if word == "charge":
        return f"{rest[0]}/{rest[2]}"
    if word == "stores":
        return f"has {rest[0]}"
    return word if system.kind == "weapon" else ""


def _damage_in_words(name: str, sheet: ShipSheet) -> str:
    hurt = [_section_in_words(box) for box in sheet.sections if box.structure < box.full or box.out]
    touched = [f"{box.id} {box.left} of {box.blocks}" for box in sheet.systems if 0 < box.left < box.blocks]
    parts = [*hurt, *([f"blocks left: {', '.join(touched)}"] if touched else [])]
    return f"{name}: {'; '.join(parts) if parts else 'no damage'}."


def _section_in_words(box: SectionBox) -> str:
    held = f"{box.name} structure {max(0, box.structure)} of {box.full}"
    return f"{held}, {', '.join(box.out)} out" if box.out else held
