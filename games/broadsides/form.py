"""The order form: every own unit with its present values and what it may be ordered, as comments."""

from __future__ import annotations

from dataclasses import replace

from games.broadsides.choices import offered
from games.broadsides.imagined import plainly_imagined
from games.broadsides.orders import records as r
from games.broadsides.orders.jumps import waiting_formations
from games.broadsides.orders.offers.desk import Desk, way, written_hex
from games.broadsides.orders.offers.guns import Gunnery
from games.broadsides.orders.offers.helm import Helm
from games.broadsides.orders.offers.launches import offer_launches
from games.broadsides.orders.offers.letters import offer_letter
from games.broadsides.orders.offers.plots import declared, no_turn, path_of, speed_limits
from games.broadsides.orders.setting_up import DEPLOY_WITHIN
from games.broadsides.orders.words import write_program
from games.broadsides.phase import FLEET
from games.broadsides.rules.craft import Course, write_tokens
from games.broadsides.rules.force import most_sensor_upgrades
from games.broadsides.state import Flight, Ship, State
from games.broadsides.view import View
from pbem.kit.choices import Choice, Offer
from pbem.kit.sheet import Sheet

MOST_LINES = 5
"""Lines of a small group that are shown."""
NO_ORDERS: Sheet[r.Order] = Sheet()


def template(view: View) -> str:
    """What a player fills in and sends back; unchanged it reads without a problem."""
    form = _Form(view)
    lines = [f"# {view.title}, turn {view.turn}, {view.phase} phase"]
    if view.turn:
        lines.append(f"turn {view.turn}")
    lines += [f"{FLEET}:", *form.fleet()]
    for ship in view.own_ships:
        lines += form.ship(ship)
    for flight in view.own_flights:
        lines += form.flight(flight)
    return "\n".join([*lines, "END", ""])


class _Form:
    def __init__(self, view: View) -> None:
        self._view, self._cards = view, view.cards
        self._state: State = plainly_imagined(view)

    def _desk(self, unit: Ship | Flight) -> Desk:
        return Desk(self._state, unit.side, NO_ORDERS, unit.name)

    # --- the side

    def fleet(self) -> list[str]:
        view = self._view
        if view.phase == "setup":
            return [*self._jumps(), *self._limits()]
        ships = [ship for ship in view.own_ships if ship.on_map]
        lines = [f"  # firing {', '.join(ship.name for ship in ships[:4])}"] if ships else []
        if view.phase == "orders":
            lines += self._jumps()[:1]
        programmed = [ship for ship in ships if self._cards.classes[ship.class_name].size == "OSAT"]
        if programmed:
            lines.append(f"  # {', '.join(ship.name for ship in programmed)}: OSATs obey their programs")
        return lines

    def _jumps(self) -> list[str]:
        """BR-HYP-1: the plan of each formation that waits, in the order in which lines of the fleet mean them."""
        if self._view.side is None or not self._view.switches.hyperspace:
            return []
        waiting = waiting_formations(self._state, self._view.side)
        plans = [(one.hex, one.facing, one.leader, len(one.ships)) for one in waiting if one.hex is not None]
        return [
            f"  # jump-in {written_hex(at)} facing {facing}    ({leader}, {ships} ships)"
            for at, facing, leader, ships in plans
        ]

    def _limits(self) -> list[str]:
        """BR-SET-6, 7, 10: what holds for every ship."""
        view = self._view
        races = {self._cards.classes[ship.class_name].race for ship in view.own_ships}
        most = {race: most_sensor_upgrades(self._cards, race, view.year) for race in sorted(races)}
        open_to = ", ".join(f"{race} {n}" for race, n in most.items() if n)
        upgrades = f"sensor upgrades in {view.year}: {open_to or 'none'}"
        missiles = "all missiles" if view.switches.missile_mix == "open" else "standard missiles only"
        return [f"  # ships: {DEPLOY_WITHIN} hexes from here, heading one step off; {upgrades}; {missiles}"]

    # --- ships

    def ship(self, ship: Ship) -> list[str]:
        sheet, phase = self._cards.classes[ship.class_name], self._view.phase
        if ship.gone or (sheet.size == "OSAT" and phase != "setup"):
            return []
        if ship.status == "hyperspace":
            jumps = self._view.switches.hyperspace and phase != "fire"
            offset = f"  # offset {written_hex(ship.offset)}    ({sheet.name}, in hyperspace)"
            return [f"{ship.name}:", offset] if jumps else []
        if phase == "setup":
            return [f"{ship.name}:", *self._setup(ship)]
        facing = f", facing {way(ship.facing)}" * (ship.facing != ship.heading)
        what = f"{sheet.name} at {written_hex(ship.position)}, heading {way(ship.heading)}{facing}"
        desk = self._desk(ship)
        moves = self._movement(desk) if phase == "orders" and not sheet.fixed else []
        return [f"{ship.name}:", f"  # {what}", *moves, *self._weapons(desk)]

    def _setup(self, ship: Ship) -> list[str]:
        offer = offered(self._state, ship.side, NO_ORDERS, ship.name)
        here = f"  # deploy {written_hex(ship.position)} heading {ship.heading}"
        lines = [here] if offer.of("deploy") else []
        racks = dict.fromkeys(choice.lines[0].split()[1] for choice in offer.of("load"))
        lines += [f"  # load {rack} standard 12" for rack in racks]
        if self._cards.classes[ship.class_name].fixed:
            lines.append(f"  # program {write_program(ship.program)}")
        return lines

    def _movement(self, desk: Desk) -> list[str]:
        """Speeds and the first turns, or why there are none."""
        helm = Helm(desk)
        ship, craft = desk.unit, helm.craft
        lines = []
        if ship.turning:
            lines.append(f"  # turning to {ship.turning.dir}, {ship.turning.left} hexes to serve")
        if isinstance(ship, Ship) and ship.slide:
            lines.append(f"  # sliding {ship.slide.side} {ship.slide.n}")
        return [*lines, f"  # speed {craft.speed}    ({self._speeds(helm)})", *self._paths(helm)]

    def _speeds(self, helm: Helm) -> str:
        """From the lowest to the highest, and why it can go only one way or none."""
        craft, speeds = helm.craft, [helm.craft.speed + change for change in helm.speeds]
        faster, slower = max(speeds) > craft.speed, min(speeds) < craft.speed
        limits = speed_limits(helm)
        if not faster and not slower and limits:
            return f"no change: {limits[0].reason}"
        why = f"; no faster: {limits[0].reason}" if limits and not faster else ""
        return f"{min(speeds)} to {max(speeds)}; {craft.accel_cost} of {craft.thrust} thrust a step{why}"

    def _paths(self, helm: Helm) -> list[str]:
        """Straight on and the first turn to each side; a turn that takes longer is declared."""
        if not helm.craft.speed:
            return []
        on = helm.flown(replace(helm.plot, tokens=path_of(helm)))
        turns = [write_tokens(found.plot.tokens or ()) for found in helm.turning_ways().values()]
        if on is None:
            trouble = f"straight on {helm.trouble(helm.course)}"
            return [f"  # {turns[0]}    ({', or '.join([trouble, *turns[1:]])})"] if turns else [f"  # {trouble}"]
        fault = no_turn(helm)
        note = f"or {', '.join(turns)}" if turns else helm.thrust_left(on)
        if fault is not None:
            late = {side: course for side, _, course in declared(helm) if isinstance(course, Course)}
            later = [write_tokens(course.plot.tokens or ()) for course in late.values()]
            note = f"no turn: {fault.reason}" + f"; next turn by {' or '.join(later)}" * bool(later)
        return [f"  # {write_tokens(on.plot.tokens or ())}    ({note})"]

    def _weapons(self, desk: Desk) -> list[str]:
        """What can fire, what is still charging, and mines, which nobody launches by default."""
        gunnery = Gunnery(desk, None)
        ready = [mount.id for mount in gunnery.ready]
        lines = [f"  # ready: {', '.join(ready) or 'nothing'}"]
        charging = [
            f"{mount.id} {gunnery.readiness.charge[mount.id]}/{gunnery.weapon(mount).full}"
            for mount in gunnery.sheet.mounts
            if desk.unit.on_map and mount.id not in ready and gunnery.ship.works(mount)
        ]
        if charging:
            lines[0] += f"; not: {', '.join(charging)}"
        if self._view.phase == "orders" and any(gunnery.weapon(mount).mine for mount in gunnery.ready):
            offer_launches(gunnery)
            mines: dict[str, Choice] = {}
            for choice in desk.choices:
                mount = choice.lines[0].split()[1]
                if choice.fill is None and gunnery.readiness.weapon(mount).mine:
                    mines.setdefault(mount, choice)
            shown = list(mines.values())[:MOST_LINES]
            lines += [f"  # {choice.lines[0]}    ({choice.label.partition(', ')[2]})" for choice in shown]
        return [*lines, "  # fire all at best-chance"]

    # --- flights

    def flight(self, flight: Flight) -> list[str]:
        pod = self._cards.fighters[flight.class_name].kind == "pod"
        hangar, phase = flight.status == "hangar", self._view.phase
        if flight.gone or pod or phase == "setup" or (hangar and phase == "fire"):
            return []
        desk = self._desk(flight)
        offer_letter(desk)
        offer = Offer(flight.name, "", tuple(desk.choices), tuple(desk.closed))
        strength = f"{len(flight.living)} {flight.class_name}"
        if hangar:
            return [f"{flight.name}:", f"  # {strength}", *_letters(offer)]
        what = f"{strength} at {written_hex(flight.position)}, heading {way(flight.heading)}, speed {flight.speed}"
        return [f"{flight.name}:", f"  # {what}", *_letters(offer)]


def _letters(offer: Offer) -> list[str]:
    """The nearest target of each letter, or why there is none."""
    lines = [choice.lines[0] for choice in offer.of("letter") if " " in choice.lines[0]]
    first = {line.split()[0]: line for line in reversed(lines)}
    named = [first[verb] for verb in ("launch", "attack", "defend") if verb in first]
    if named:
        return [f"  # {line}" for line in named]
    return [f"  # {one.why}" for one in offer.closed if one.group == "letter"][:1]
