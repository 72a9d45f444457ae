"""Lines of the setup phase: deployment, loads, programs and upgrades (BR-SET-6, 7, 10)."""

from __future__ import annotations

from dataclasses import replace

from games.broadsides.orders import records as r
from games.broadsides.orders.words import (
    MISSILE_KINDS,
    Lines,
    bad_form,
    matched,
    read_direction,
    read_hex,
    read_program,
)
from games.broadsides.rules.craft import ground_of
from games.broadsides.rules.force import most_sensor_upgrades
from games.broadsides.state import Ship, State
from pbem.kit.hexgrid import disk, distance, turned
from pbem.kit.judging import Judge
from pbem.kit.sheet import Accepted, Line

DEPLOY_WITHIN = 3
RACK_SIZE = 12


class SetupLines(Lines):
    def deploy(self, line: Line, rest: str) -> r.Order:
        form = "deploy 3,4 heading 0"
        self.names.ship(line)
        found = matched(r"(\S+ ?,? ?\S*?) heading (\d+)(?: facing (\d+))?", rest, form)
        facing = None if found[3] is None else read_direction(found[3], "facing", line)
        return r.Deploy(line.unit, read_hex(found[1], form), read_direction(found[2], "heading", line), facing)

    def load(self, line: Line, rest: str) -> r.Order:
        words = rest.split()
        if len(words) < 3 or len(words) % 2 == 0:
            raise bad_form(rest, "load MR1 standard 8 heavy 4")
        mount = self.names.mount(line, words[0])
        missiles: dict[str, int] = {}
        for kind, count in zip(words[1::2], words[2::2], strict=True):
            if kind.casefold() not in MISSILE_KINDS or not count.isdigit():
                raise bad_form(f"{kind} {count}", f"one of {', '.join(MISSILE_KINDS)} and a number")
            missiles[kind.casefold()] = missiles.get(kind.casefold(), 0) + int(count)
        return r.Load(line.unit, mount, missiles)

    def program(self, line: Line, rest: str) -> r.Order:
        self.names.ship(line)
        program = read_program(rest)
        if program is None:
            raise bad_form(rest, "program nearest, biggest, best-chance over 10, closing or closing unless slow")
        return r.SetProgram(line.unit, program)

    def upgrade(self, line: Line, rest: str) -> r.Order:
        self.names.ship(line)
        if rest.casefold() == "jammer":
            return r.Upgrade(line.unit, "jammer")
        found = matched(r"sensors (\d+)", rest, "upgrade sensors 1 or upgrade jammer")
        return r.Upgrade(line.unit, "sensors", int(found[1]))


# --- what may be ordered ---------------------------------------------------------------------------------------------


def deploy_fault(state: State, ship: Ship, order: r.Deploy) -> str:
    """BR-SET-10: why the ship cannot stand there."""
    given, sheet = state.ships[ship.name], state.cards.classes[ship.class_name]
    if sheet.fixed:
        return f"{ship.name} is a base or OSAT and cannot be moved"
    far = distance(given.position, order.hex)
    if far > DEPLOY_WITHIN:
        return f"{order.hex.q},{order.hex.r} is {far} hexes from the scenario position, at most {DEPLOY_WITHIN}"
    ground = ground_of(state)
    why = ground.forbidden(order.hex, sheet.atmospheric[0])
    if why or not ground.on_map(order.hex):
        return f"{order.hex.q},{order.hex.r} is {why or 'off the map'}"
    heading = scenario_heading(given)
    turn = hexsides_between(order.heading, heading)
    return f"heading {order.heading} is {turn} steps from the scenario's {heading}, at most 1" if turn > 1 else ""


def scenario_heading(ship: Ship) -> int:
    return ship.heading if ship.scenario_heading is None else ship.scenario_heading


def hexsides_between(one: int, other: int) -> int:
    return min((one - other) % 6, (other - one) % 6)


def nearest_deployment(state: State, ship: Ship, order: r.Deploy) -> str:
    """The line for the place and heading that come nearest to what was asked."""
    given = state.ships[ship.name]
    headings = [turned(scenario_heading(given), step) for step in (0, -1, 1)]
    heading = min(headings, key=lambda way: hexsides_between(way, order.heading))
    wished = (replace(order, hex=at, heading=heading) for at in disk(given.position, DEPLOY_WITHIN))
    legal = [deploy for deploy in wished if not deploy_fault(state, ship, deploy)]
    if not legal:
        return ""
    nearest = min(legal, key=lambda deploy: distance(deploy.hex, order.hex))
    facing = "" if order.facing is None else f" facing {order.facing}"
    return f"deploy {nearest.hex.q},{nearest.hex.r} heading {heading}{facing}"


def load_fault(state: State, ship: Ship, order: r.Load) -> tuple[str, str]:
    """BR-SET-6: the case and the reason why a rack cannot be loaded so."""
    cards = state.cards
    total = sum(order.missiles.values())
    special = [kind for kind, n in order.missiles.items() if kind != "standard" and n]
    if not cards.weapons[cards.classes[ship.class_name].systems[order.mount].type].rack:
        return "BR-VAL-24", f"{order.mount} is no missile rack"
    if total > RACK_SIZE:
        return "BR-VAL-24", f"{total} missiles; a rack holds {RACK_SIZE}"
    if special and state.switches.missile_mix == "standard":
        return "BR-VAL-28", f"missile_mix is standard: no {', '.join(special)} missiles"
    return "", ""


def nearest_load(state: State, ship: Ship, order: r.Load) -> str:
    """The same load in a rack, in kinds the scenario has, cut to what a rack holds."""
    cards = state.cards
    racks = [mount.id for mount in cards.classes[ship.class_name].mounts if cards.weapons[mount.type].rack]
    if not racks:
        return ""
    missiles, room = dict(order.missiles), RACK_SIZE
    if state.switches.missile_mix == "standard":
        missiles = {"standard": sum(missiles.values())}
    words = []
    for kind, count in missiles.items():
        words.append(f"{kind} {min(count, room)}")
        room -= min(count, room)
    return f"load {order.mount if order.mount in racks else racks[0]} {' '.join(words)}"


def upgrade_fault(state: State, ship: Ship, order: r.Upgrade) -> str:
    """BR-SET-7, BR-JAM-3: why the year does not allow it."""
    cards, now = state.cards, state.year
    race = cards.classes[ship.class_name].race
    if order.what == "sensors":
        most = most_sensor_upgrades(cards, race, now)
        return f"{order.n} sensor upgrades; {race} may have {most} in {now}" if order.n > most else ""
    year = cards.races[race].jam_half_year
    if year is not None and now >= year:
        return ""
    since = "never" if year is None else f"from {year} on"
    return f"the jammer upgrade is open to {race} {since}; the year is {now}"


# --- lines together --------------------------------------------------------------------------------------------------


def check_setup(state: State, side: str, judge: Judge[r.Order]) -> dict[str, Ship]:
    """The side's ships after its setup orders."""
    checker = _Checker(state, judge)
    ships = {name: ship for name, ship in state.ships.items() if ship.side == side}
    for entry in judge.given(r.Order):
        if entry.unit in ships:
            ships[entry.unit] = checker.applied(ships[entry.unit], entry)
    return ships


class _Checker:
    def __init__(self, state: State, judge: Judge[r.Order]) -> None:
        self._state, self._judge = state, judge

    def applied(self, ship: Ship, entry: Accepted[r.Order]) -> Ship:
        """The ship after the line, or as it was if the line cannot stand."""
        order = entry.order
        if isinstance(order, r.Deploy):
            return self._deploy(ship, order, entry)
        if isinstance(order, r.Load):
            return self._load(ship, order, entry)
        if isinstance(order, r.SetProgram):
            return replace(ship, program=order.program)
        if isinstance(order, r.Upgrade):
            return self._upgrade(ship, order, entry)
        if isinstance(order, r.Troops):
            return replace(ship, troops=order.how)
        return ship

    def _deploy(self, ship: Ship, order: r.Deploy, entry: Accepted[r.Order]) -> Ship:
        reason = deploy_fault(self._state, ship, order)
        if reason:
            at, fix = self._state.ships[ship.name].position, nearest_deployment(self._state, ship, order)
            self._judge.refuse(entry, "BR-VAL-29", reason, fix, f"it stays at {at.q},{at.r}", fix)
            return ship
        facing = order.heading if order.facing is None else order.facing
        return replace(ship, position=order.hex, heading=order.heading, facing=facing)

    def _load(self, ship: Ship, order: r.Load, entry: Accepted[r.Order]) -> Ship:
        rule, reason = load_fault(self._state, ship, order)
        if reason:
            fix = nearest_load(self._state, ship, order)
            self._judge.refuse(entry, rule, reason, fix, "the standard load stays", fix)
            return ship
        mount = replace(ship.weapon[order.mount], ammunition=dict(order.missiles))
        return replace(ship, weapon={**ship.weapon, order.mount: mount})

    def _upgrade(self, ship: Ship, order: r.Upgrade, entry: Accepted[r.Order]) -> Ship:
        reason = upgrade_fault(self._state, ship, order)
        if reason:
            race = self._state.cards.classes[ship.class_name].race
            most = most_sensor_upgrades(self._state.cards, race, self._state.year)
            fix = f"upgrade sensors {most}" if order.what == "sensors" and most else ""
            self._judge.refuse(entry, "BR-VAL-25", reason, fix, "no upgrade is made", fix)
            return ship
        if order.what == "jammer":
            return replace(ship, jammer_upgrade=True)
        return replace(ship, sensor_upgrades=order.n)
