"""What a ship, a squadron or the fleet can still be ordered, on top of a sheet."""

from __future__ import annotations

from collections.abc import Mapping

from games.galleys.orders.offers.attacks import offer_attacks
from games.galleys.orders.offers.block import Block, Letter
from games.galleys.orders.offers.singles import offer_singles
from games.galleys.orders.offers.standing import offer_doctrines, offer_succession
from games.galleys.orders.offers.ways import offer_fallbacks, offer_moves, offer_paths, offer_speeds
from games.galleys.orders.records import FLEET, Order
from games.galleys.state import Ship
from games.galleys.status import conditions
from games.galleys.view import View
from pbem.kit.choices import Closed, Offer
from pbem.kit.hexgrid import DIRECTION_NAMES
from pbem.kit.sheet import Sheet

NOT_OFFERED: Mapping[str, str] = {}
"""Every verb of section 6.4 is offered."""

CHAPTERS = (
    offer_succession,
    offer_speeds,
    offer_paths,
    offer_moves,
    offer_attacks,
    offer_fallbacks,
    offer_singles,
    offer_doctrines,
)
"""In the order in which a captain makes up his mind."""


def choices(view: View, sheet: Sheet[Order], unit: str) -> Offer:
    """Every line a unit of the view's own side may still be given, by the checks that will judge it."""
    why = _why_nothing(view, unit)
    if why or view.side is None:
        return Offer(unit, f"{unit}: no orders", closed=(why,) if why else ())
    block = Block(Letter(view, sheet, view.side), unit)
    for offer_chapter in CHAPTERS:
        offer_chapter(block)
    return Offer(unit, _title(view, block), tuple(block.choices), tuple(block.closed))


def _why_nothing(view: View, unit: str) -> Closed | None:
    """The battle is over, the unit is gone, or it no longer listens."""
    if view.result:
        return Closed("orders", f"the battle is over: {view.result.reason}", "GA-VIC-2")
    ships = [ship for ship in view.own() if unit in (FLEET, ship.squadron, ship.name)]
    if not ships:
        return Closed("orders", f"no ship of {unit} is left", "GA-VAL-4")
    routed = {squadron.name for squadron in view.own_squadrons() if squadron.routed}
    if all(ship.squadron in routed for ship in ships):
        broken = ", ".join(sorted({ship.squadron for ship in ships}))
        return Closed("orders", f"{broken} is routed: withdraws, whatever is ordered", "GA-VAL-29")
    return None


def _title(view: View, block: Block) -> str:
    if block.ship:
        return _ship_title(view, block, block.ship)
    count = f"{len(block.ships)} ship{'s' if len(block.ships) != 1 else ''}"
    if block.unit == FLEET:
        return f"{FLEET}: {count} in {len({ship.squadron for ship in block.ships})} squadrons"
    return f"{block.unit}: {count}, morale {block.table.squadrons[block.unit].morale}"


def _ship_title(view: View, block: Block, ship: Ship) -> str:
    means = block.means_of(ship)
    place = f"{ship.bow.q},{ship.bow.r} facing {DIRECTION_NAMES[ship.facing]}"
    rows = f"{view.class_of(ship).name}, {means.level} {means.points} MP"
    return f"{ship.name}: {', '.join((place, rows, *conditions(view, ship)))}"
