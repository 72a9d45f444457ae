"""The order form: every own unit with its present values as comments."""

from __future__ import annotations

from games.broadsides.data import Catalogue
from games.broadsides.rules.craft import craft_from
from games.broadsides.state import Flight, Ship, blocks_left, catalogue_of, living
from games.broadsides.view import View, imagined
from pbem.kit.hexgrid import DIRECTION_NAMES

GONE = ("destroyed", "withdrawn", "jumped", "aboard")


def template(view: View) -> str:
    """What a player fills in and sends back; unchanged it reads without a problem."""
    catalogue = catalogue_of(imagined(view))
    lines = [f"# {view.title}, turn {view.turn}, {view.phase} phase"]
    if view.turn:
        lines.append(f"turn {view.turn}")
    lines += ["Fleet:", *_fleet(view)]
    for ship in view.ships:
        lines += _ship(view, catalogue, ship)
    for flight in view.flights:
        lines += _flight(view, catalogue, flight)
    return "\n".join([*lines, "END", ""])


def _fleet(view: View) -> list[str]:
    lines = []
    if view.phase == "setup":
        lines += [f"  # jump-in {_at(one.hex)} facing {one.facing}" for one in view.formations if one.hex is not None]
        return lines
    ships = [ship.name for ship in view.ships if ship.status == "on-map"]
    return [*lines, f"  # firing {', '.join(ships[:4])}"] if ships else lines


def _at(hex_: object) -> str:
    assert isinstance(hex_, tuple)
    return f"{hex_[0]},{hex_[1]}"


def _ship(view: View, catalogue: Catalogue, ship: Ship) -> list[str]:
    if ship.status in GONE:
        return []
    sheet = catalogue.classes[ship.class_name]
    if ship.status == "hyperspace":
        return [f"{ship.name}:", f"  # {sheet.name} in hyperspace, offset {_at(ship.offset)}"]
    lines = [f"{ship.name}:"]
    if view.phase == "setup":
        lines.append(f"  # deploy {_at(ship.position)} heading {ship.heading}")
        return [*lines, *(f"  # load {m.id} standard 12" for m in sheet.mounts if catalogue.weapons[m.type].rack)]
    lines.append(f"  # {sheet.name} at {_at(ship.position)}, heading {_way(ship.heading)}, facing {_way(ship.facing)}")
    if not sheet.fixed and view.phase == "orders":
        lines += _movement(catalogue, ship)
    if view.phase == "orders" or view.switches.fire_phase:
        lines.append(f"  # ready: {', '.join(_ready(catalogue, ship)) or 'nothing'}")
    if sheet.size != "OSAT":
        lines.append("  # fire all at best-chance")
    return lines


def _way(direction: int) -> str:
    return DIRECTION_NAMES[direction]


def _movement(catalogue: Catalogue, ship: Ship) -> list[str]:
    craft = craft_from(catalogue, ship)
    lines = [f"  # speed {ship.speed}    (thrust {craft.thrust}, {craft.accel_cost} for each step)"]
    if ship.turning:
        lines.append(f"  # turning to {ship.turning.dir}, {ship.turning.left} hexes to serve")
    if ship.slide:
        lines.append(f"  # sliding {ship.slide.side} {ship.slide.n}")
    delay = craft.base_delay(ship.speed) + 2 * craft.lost_sides
    return [
        *lines,
        f"  # path F{ship.speed}    (turn delay {delay} hexes, {craft.base_delay(ship.speed)} thrust a turn)",
    ]


def _ready(catalogue: Catalogue, ship: Ship) -> list[str]:
    """Mounts that will be full after R4, and the others with their charge."""
    words = []
    for mount in catalogue.classes[ship.class_name].mounts:
        state, weapon = ship.weapon[mount.id], catalogue.weapons[mount.type]
        if blocks_left(ship, mount) <= 0 or state.dropped_out or mount.id in ship.deactivated:
            continue
        charge = min(weapon.full, state.charge + weapon.power)
        words.append(mount.id if charge >= weapon.full else f"{mount.id} {charge}/{weapon.full}")
    return words


def _flight(view: View, catalogue: Catalogue, flight: Flight) -> list[str]:
    if flight.status in GONE or catalogue.fighters[flight.class_name].kind == "pod" or view.phase == "setup":
        return []
    lines = [f"{flight.name}:"]
    if flight.status == "hangar":
        return [*lines, f"  # {len(living(flight))} {flight.class_name}", f"  # launch from {flight.carrier}"]
    what = f"{len(living(flight))} {flight.class_name} at {_at(flight.position)}, heading {_way(flight.heading)}"
    return [*lines, f"  # {what}, speed {flight.speed}", "  # attack ..., defend ..., intercept or land ..."]
