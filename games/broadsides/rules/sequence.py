"""Chapter 4.1: initiative, who fires first, and the alternation of fire (R2, R3, R8, R11)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from games.broadsides.data import TABLES, WeaponType
from games.broadsides.rules.ballistics import fire_antifighter
from games.broadsides.rules.boarding import pods_alongside
from games.broadsides.rules.doctrine import FireLine
from games.broadsides.rules.dogfights import attack_ship, can_attack
from games.broadsides.rules.gunnery import Fire, fire_mount
from games.broadsides.rules.hyperspace import arriving
from games.broadsides.rules.interception import reserved
from games.broadsides.rules.mounts import firing_plan, full_mounts, ready
from games.broadsides.rules.programs import AREA_SPECIALS, hold_limit, in_reach, program_target, select
from games.broadsides.rules.tohit import attack_run, chance, signature
from games.broadsides.state import Flight, Program, Ship, Unit
from games.broadsides.table import Table
from pbem.kit.hexgrid import distance

LOST_SIDE_INITIATIVE = 6
CNC_ROW_INITIATIVE = 2
ANTIFIGHTER = TABLES.missile["antifighter"]


# --- initiative ------------------------------------------------------------------------------------------------------


def roll_initiative(table: Table) -> list[str]:
    """R2, BR-INI-1: one d20 a unit; the names in order of movement."""
    coming = arriving(table)
    rolled: list[str] = []
    for side in table.sides:
        names = [name for name in table.roster if _takes_part(table, name, side, coming)]
        ships = [name for name in names if name in table.ships]
        for name in (*ships, *(name for name in names if name in table.flights)):
            _roll_one(table, name, coming)
            rolled.append(name)
    return movement_order(table, rolled)


def _takes_part(table: Table, name: str, side: str, coming: frozenset[str]) -> bool:
    unit = table.named(name)
    if unit.side != side:
        return False
    if isinstance(unit, Ship):
        return unit.status == "on-map" or name in coming
    if table.is_pod(unit):
        return False
    if unit.status == "hangar" and unit.order == "L":
        carrier = table.ships.get(unit.carrier)
        return carrier is not None and carrier.status == "on-map" and not carrier.cnc_failure
    return unit.status == "on-map"


def command_bonus(table: Table, side: str, coming: frozenset[str] = frozenset()) -> int:
    """BR-INI-3: the best command ship that is there and not in C&C failure."""
    there = [ship for ship in table.ships.values() if ship.side == side]
    able = [ship for ship in there if (ship.status == "on-map" or ship.name in coming) and not ship.cnc_failure]
    return max((table.sheet(ship).command for ship in able), default=0)


def initiative_modifier(table: Table, unit: Unit, coming: frozenset[str] = frozenset()) -> int:
    """BR-INI-1: class, command, lost sides and C&C rows."""
    if isinstance(unit, Flight):
        return table.craft(unit).init
    sheet = table.sheet(unit)
    lost = LOST_SIDE_INITIATIVE * unit.lost_sides(sheet)
    rows = CNC_ROW_INITIATIVE * unit.rows_lost(sheet.systems.get("cnc"))
    return sheet.init + command_bonus(table, unit.side, coming) - lost - rows


def _roll_one(table: Table, name: str, coming: frozenset[str]) -> None:
    unit = table.named(name)
    tally = table.tally(name)
    die = tally.roll(20, "initiative")
    total = die + initiative_modifier(table, unit, coming)
    table.change(unit, initiative=total)
    facts = {"unit": name, "die": die, "total": total, "side": unit.side}
    table.tell("initiative", "BR-INI-1", table.sides, facts, tally.taken())


def movement_order(table: Table, names: Sequence[str]) -> list[str]:
    """BR-INI-2: ascending; ties: lower class initiative, then roster order; hidden Minbari flights last."""

    def key(name: str) -> tuple[int, int, int, int]:
        unit = table.named(name)
        sheet = table.sheet(unit) if isinstance(unit, Ship) else table.craft(unit)
        last = table.switches.jammer_rule == "gravitic" and isinstance(unit, Flight) and sheet.race == "Minbari"
        return (int(last), unit.initiative, sheet.init, table.roster.index(name))

    return sorted(names, key=key)


def roll_first_fire(table: Table) -> None:
    """R3, BR-SEQ-4: on odd turns each side rolls; ties are rolled again."""
    if table.turn % 2 == 0:
        return
    tally = table.tally("first fire")
    while True:
        rolls = {side: tally.roll(20, side) for side in table.sides}
        if len(set(rolls.values())) == 2:
            break
    table.first_fire = max(rolls, key=lambda side: rolls[side])
    table.tell("first_fire", "BR-SEQ-4", table.sides, {"rolls": rolls, "side": table.first_fire}, tally.taken())


# --- alternation -----------------------------------------------------------------------------------------------------


def per_activation(own: int, enemy: int) -> int:
    """BR-SEQ-5: more than 2:1 gives two, more than 3:1 three."""
    return 1 if enemy == 0 else max(1, -(-own // enemy) - 1)


def alternate(
    table: Table,
    counts: dict[str, int],
    able: Callable[[str], list[str]],
    act: Callable[[str], None],
    additional: Callable[[list[str]], str],
) -> None:
    """BR-SEQ-5 to 7: the sides act in turn until neither has anybody able to."""
    side = table.first_fire
    passed = 0
    while passed < 2:
        enemy = table.enemy(side)
        names = able(side)
        passed = 0 if names else passed + 1
        for number in range(per_activation(counts[side], counts[enemy])):
            names = able(side)
            if not names:
                break
            act(names[0] if number == 0 else additional(names))
        side = enemy


def firing_list(table: Table, side: str) -> list[str]:
    """BR-SEQ-8: the list given, then larger size, higher initiative, roster."""
    ships = [ship for ship in table.ships.values() if ship.side == side]

    def key(ship: Ship) -> tuple[int, int, int]:
        return (-TABLES.size_rank[table.sheet(ship).size], -ship.initiative, table.roster.index(ship.name))

    default = [ship.name for ship in sorted(ships, key=key)]
    given = [name for name in table.doctrine.firing.get(side, ()) if name in default]
    return list(dict.fromkeys([*given, *default]))


def ship_fire(table: Table) -> None:
    """R8."""
    counts = {side: len(table.ships_of(side)) for side in table.sides}
    lists = {side: firing_list(table, side) for side in table.sides}

    def able(side: str) -> list[str]:
        return [name for name in lists[side] if _can_fire(table, name)]

    def smallest(names: list[str]) -> str:
        return min(names, key=lambda name: TABLES.size_rank[table.sheet(table.ships[name]).size])

    alternate(table, counts, able, lambda name: activate(table, name), smallest)


def fighter_fire(table: Table) -> None:
    """R11, BR-SEQ-7: by flight in the same way."""

    def able(side: str) -> list[str]:
        return [flight.name for flight in table.flights_of(side) if can_attack(table, flight)]

    counts = {side: len(able(side)) for side in table.sides}
    alternate(table, counts, able, lambda name: attack_ship(table, name), lambda names: names[0])


# --- one ship --------------------------------------------------------------------------------------------------------


def _can_fire(table: Table, name: str) -> bool:
    """BR-SEQ-6: it has a full, working mount with a target its orders allow."""
    ship = table.ships[name]
    if ship.status != "on-map" or ship.fired or ship.cnc_failure:
        return False
    return table.remembered(("able", name), lambda: _has_target(table, ship))


def _has_target(table: Table, ship: Ship) -> bool:
    mounts = _mounts(table, ship)
    return bool(_point_defence(table, ship)) or any(_target(table, ship, *mount) is not None for mount in mounts)


def _mounts(table: Table, ship: Ship) -> list[tuple[str, FireLine | None]]:
    """The mounts that may fire now, in firing order."""
    osat = table.sheet(ship).size == "OSAT"
    kept = frozenset[str]() if osat else reserved(table, ship)
    return [
        (mount, line)
        for mount, line in firing_plan(table, ship)
        if mount not in kept and ready(ship, mount, table.weapon(ship, mount))
    ]


def activate(table: Table, name: str) -> None:
    """One ship's fire: point defence, then its mounts in order, each shot resolved before the next."""
    _defend_against_pods(table, name)
    for mount, line in _mounts(table, table.ships[name]):
        ship = table.ships[name]
        if ship.status != "on-map" or not ready(ship, mount, table.weapon(ship, mount)):
            continue
        target = _target(table, ship, mount, line)
        if target is not None:
            _fire(table, ship, mount, target, line)
    table.change(table.ships[name], fired=True)


def _fire(table: Table, ship: Ship, mount: str, target: Unit, line: FireLine | None) -> None:
    weapon = table.weapon(ship, mount)
    if weapon.rack and isinstance(target, Flight):
        fire_antifighter(table, ship, mount, target)
        return
    how = Fire()
    if line is not None:
        sections = table.sheet(target).sides if isinstance(target, Ship) else ()
        called = line.called if line.called in sections else ""
        pierce = line.piercing and weapon.pierce is not None
        shift = line.shift if weapon.special == "grav_shifter" else None
        how = Fire(pierce, called, line.split, shift)
    fire_mount(table, ship, mount, target, how)


def _target(table: Table, ship: Ship, mount: str, line: FireLine | None) -> Unit | None:
    """Whom a mount fires at now: the named unit, the fallback, or a program's choice."""
    weapon = table.weapon(ship, mount)
    if weapon.rack:
        return _antifighter_target(table, ship, mount, line)
    if weapon.ballistic:
        return None
    if line is None:
        return program_target(table, ship, mount, ship.program)

    def need(unit: Unit) -> int:
        return _need(table, ship, weapon, unit, line)

    if line.aim.program is not None:
        return program_target(table, ship, mount, line.aim.program, need)
    named = table.unit(line.aim.unit)
    if named is not None and _aimable(table, ship, mount, named):
        return named if weapon.special == "plasma_web" or need(named) >= hold_limit(table, ship, weapon) else None
    return program_target(table, ship, mount, line.otherwise or ship.program, need)


def _aimable(table: Table, ship: Ship, mount: str, target: Unit) -> bool:
    """On the map, in arc and range; area weapons cannot aim at ships."""
    if target.status != "on-map" or (isinstance(target, Flight) and not target.living):
        return False
    if table.weapon(ship, mount).special in AREA_SPECIALS and isinstance(target, Ship):
        return False
    return in_reach(table, ship, mount, target)


def _need(table: Table, ship: Ship, weapon: WeaponType, target: Unit, line: FireLine) -> int:
    """BR-SEQ-9: T as the line fires the mount, piercing or called; ``hold below`` is weighed against it."""
    sections = table.sheet(target).sides if isinstance(target, Ship) else ()
    called = line.called if line.called in sections else ""
    piercing = line.piercing and weapon.pierce is not None
    return chance(table, ship, weapon, target, piercing=piercing, called=called).total


def _antifighter_target(table: Table, ship: Ship, mount: str, line: FireLine | None) -> Flight | None:
    """BR-BAL-3, 5: a flight within five hexes, if the rack was ordered to fire anti-fighter missiles."""
    if line is None or not line.antifighter or ship.weapon[mount].ammunition.get("antifighter", 0) <= 0:
        return None
    enemies = table.flights_of(table.enemy(ship.side))
    near = [flight for flight in enemies if distance(ship.position, flight.position) <= ANTIFIGHTER.range]
    named = next((flight for flight in near if flight.name == line.aim.unit), None)
    limit = hold_limit(table, ship, table.weapon(ship, mount))
    if named is not None:
        return named if _missile_chance(table, ship, named) >= limit else None
    program = line.aim.program or line.otherwise or Program()
    ranked: list[tuple[Unit, int]] = [(flight, _missile_chance(table, ship, flight)) for flight in near]
    chosen = select(table, ship, program, [(flight, t) for flight, t in ranked if t >= limit])
    return chosen if isinstance(chosen, Flight) else None


def _missile_chance(table: Table, ship: Ship, target: Flight) -> int:
    return signature(table, target, ship.position) + ANTIFIGHTER.bonus + attack_run(target)


# --- point defence ---------------------------------------------------------------------------------------------------


def _point_defence(table: Table, ship: Ship) -> list[str]:
    """BR-POD-4: full mounts with an intercept value, not named by id in a fire line, while a pod lies alongside."""
    if not pods_alongside(table, ship):
        return []
    lines = table.doctrine.of(ship.name).lines
    named = {ref for line in lines if isinstance(line, FireLine) for ref in line.mounts}
    return [mount for mount, weapon in full_mounts(table, ship) if weapon.intercept and mount not in named]


def _defend_against_pods(table: Table, name: str) -> None:
    for mount in _point_defence(table, table.ships[name]):
        pods = pods_alongside(table, table.ships[name])
        if not pods or not table.alive(name):
            return
        fire_mount(table, table.ships[name], mount, pods[0], Fire())
