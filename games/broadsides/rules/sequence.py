"""Chapter 4.1: initiative, who fires first, and the alternation of fire (R2, R3, R8, R11)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from games.broadsides.data import TABLES, WeaponType
from games.broadsides.rules.ballistics import fire_antifighter
from games.broadsides.rules.battle import Battle, full_mounts, ready
from games.broadsides.rules.boarding import pods_alongside
from games.broadsides.rules.doctrine import FireLine
from games.broadsides.rules.dogfights import attack_ship, can_attack
from games.broadsides.rules.gunnery import Fire, fire_mount
from games.broadsides.rules.hyperspace import arriving
from games.broadsides.rules.interception import reserved
from games.broadsides.rules.mounts import firing_plan
from games.broadsides.rules.programs import AREA_SPECIALS, default_program, hold_limit, in_reach, program_target, select
from games.broadsides.rules.tohit import ATTACK_RUN, chance, on_attack_run, signature
from games.broadsides.state import Flight, Program, Ship, Unit, living, lost_sides, rows_lost
from pbem.kit.hexgrid import distance

LOST_SIDE_INITIATIVE = 6
CNC_ROW_INITIATIVE = 2
ANTIFIGHTER = TABLES.missile["antifighter"]


# --- initiative ------------------------------------------------------------------------------------------------------


def roll_initiative(battle: Battle) -> list[str]:
    """R2, BR-INI-1: one d20 a unit; the names in order of movement."""
    coming = arriving(battle)
    rolled: list[str] = []
    for side in battle.sides:
        names = [name for name in battle.roster if _takes_part(battle, name, side, coming)]
        ships = [name for name in names if name in battle.ships]
        for name in (*ships, *(one for one in names if one in battle.flights)):
            _roll_one(battle, name, coming)
            rolled.append(name)
    return movement_order(battle, rolled)


def _takes_part(battle: Battle, name: str, side: str, coming: frozenset[str]) -> bool:
    unit = battle.unit(name)
    if unit is None or unit.side != side:
        return False
    if isinstance(unit, Ship):
        return unit.status == "on-map" or name in coming
    if battle.is_pod(unit):
        return False
    if unit.status == "hangar" and unit.order == "L":
        carrier = battle.ships.get(unit.carrier)
        return carrier is not None and carrier.status == "on-map" and not carrier.cnc_failure
    return unit.status == "on-map"


def command_bonus(battle: Battle, side: str, coming: frozenset[str] = frozenset()) -> int:
    """BR-INI-3: the best command ship that is there and not in C&C failure."""
    there = [one for one in battle.ships.values() if one.side == side]
    able = [one for one in there if (one.status == "on-map" or one.name in coming) and not one.cnc_failure]
    return max((battle.sheet(one).command for one in able), default=0)


def initiative_modifier(battle: Battle, unit: Unit, coming: frozenset[str] = frozenset()) -> int:
    """BR-INI-1: class, command, lost sides and C&C rows."""
    if isinstance(unit, Flight):
        return battle.craft(unit).init
    sheet = battle.sheet(unit)
    lost = LOST_SIDE_INITIATIVE * lost_sides(sheet, unit)
    rows = CNC_ROW_INITIATIVE * rows_lost(unit, sheet.systems.get("cnc"))
    return sheet.init + command_bonus(battle, unit.side, coming) - lost - rows


def _roll_one(battle: Battle, name: str, coming: frozenset[str]) -> None:
    unit = battle.unit(name)
    assert unit is not None
    tally = battle.tally(name)
    die = tally.roll(20, "initiative")
    total = die + initiative_modifier(battle, unit, coming)
    battle.put(replace(unit, initiative=total))
    facts = {"unit": name, "die": die, "total": total, "side": unit.side}
    battle.tell("initiative", "BR-INI-1", facts, tally.taken())


def movement_order(battle: Battle, names: Sequence[str]) -> list[str]:
    """BR-INI-2: ascending; ties: lower class initiative, then roster order; hidden Minbari flights last."""

    def key(name: str) -> tuple[int, int, int, int]:
        unit = battle.unit(name)
        assert unit is not None
        sheet = battle.sheet(unit) if isinstance(unit, Ship) else battle.craft(unit)
        last = battle.switches.jammer_rule == "gravitic" and isinstance(unit, Flight) and sheet.race == "Minbari"
        return (int(last), unit.initiative, sheet.init, battle.roster.index(name))

    return sorted(names, key=key)


def roll_first_fire(battle: Battle) -> None:
    """R3, BR-SEQ-4: on odd turns each side rolls; ties are rolled again."""
    if battle.turn % 2 == 0:
        return
    tally = battle.tally("first fire")
    while True:
        rolls = {side: tally.roll(20, side) for side in battle.sides}
        if len(set(rolls.values())) == 2:
            break
    battle.first_fire = max(rolls, key=lambda side: rolls[side])
    battle.tell("first_fire", "BR-SEQ-4", {"rolls": rolls, "side": battle.first_fire}, tally.taken())


# --- alternation -----------------------------------------------------------------------------------------------------


def per_activation(own: int, enemy: int) -> int:
    """BR-SEQ-5: more than 2:1 gives two, more than 3:1 three."""
    return 1 if enemy == 0 else max(1, -(-own // enemy) - 1)


def alternate(
    battle: Battle,
    counts: dict[str, int],
    able: Callable[[str], list[str]],
    act: Callable[[str], None],
    additional: Callable[[list[str]], str],
) -> None:
    """BR-SEQ-5 to 7: the sides act in turn until neither has anybody able to."""
    side = battle.first_fire
    passed = 0
    while passed < 2:
        enemy = battle.enemy(side)
        names = able(side)
        passed = 0 if names else passed + 1
        for number in range(per_activation(counts[side], counts[enemy])):
            names = able(side)
            if not names:
                break
            act(names[0] if number == 0 else additional(names))
        side = enemy


def firing_list(battle: Battle, side: str) -> list[str]:
    """BR-SEQ-8: the list given, then larger size, higher initiative, roster."""
    ships = [one for one in battle.ships.values() if one.side == side]

    def key(ship: Ship) -> tuple[int, int, int]:
        return (-TABLES.size_rank[battle.sheet(ship).size], -ship.initiative, battle.roster.index(ship.name))

    default = [ship.name for ship in sorted(ships, key=key)]
    given = [name for name in battle.doctrine.firing.get(side, ()) if name in default]
    return list(dict.fromkeys([*given, *default]))


def ship_fire(battle: Battle) -> None:
    """R8."""
    counts = {side: len(battle.ships_of(side)) for side in battle.sides}
    lists = {side: firing_list(battle, side) for side in battle.sides}

    def able(side: str) -> list[str]:
        return [name for name in lists[side] if _can_fire(battle, name)]

    def smallest(names: list[str]) -> str:
        return min(names, key=lambda name: TABLES.size_rank[battle.sheet(battle.ships[name]).size])

    alternate(battle, counts, able, lambda name: activate(battle, name), smallest)


def fighter_fire(battle: Battle) -> None:
    """R11, BR-SEQ-7: by flight in the same way."""

    def able(side: str) -> list[str]:
        return [flight.name for flight in battle.flights_of(side) if can_attack(battle, flight)]

    counts = {side: len(able(side)) for side in battle.sides}
    alternate(battle, counts, able, lambda name: attack_ship(battle, name), lambda names: names[0])


# --- one ship --------------------------------------------------------------------------------------------------------


def _can_fire(battle: Battle, name: str) -> bool:
    """BR-SEQ-6: it has a full, working mount with a target its orders allow."""
    ship = battle.ships[name]
    if ship.status != "on-map" or ship.fired or ship.cnc_failure:
        return False
    key = ("able", name)
    if key not in battle.chances:
        battle.chances[key] = bool(_point_defence(battle, ship)) or any(
            _target(battle, ship, mount, line) is not None for mount, line in _mounts(battle, ship)
        )
    found: bool = battle.chances[key]
    return found


def _mounts(battle: Battle, ship: Ship) -> list[tuple[str, FireLine | None]]:
    """The mounts that may fire now, in firing order."""
    osat = battle.sheet(ship).size == "OSAT"
    kept = frozenset[str]() if osat else reserved(battle, ship)
    return [
        (mount, line)
        for mount, line in firing_plan(battle, ship)
        if mount not in kept and ready(ship, mount, battle.weapon(ship, mount))
    ]


def activate(battle: Battle, name: str) -> None:
    """One ship's fire: point defence, then its mounts in order, each shot resolved before the next."""
    _defend_against_pods(battle, name)
    for mount, line in _mounts(battle, battle.ships[name]):
        ship = battle.ships[name]
        if ship.status != "on-map" or not ready(ship, mount, battle.weapon(ship, mount)):
            continue
        target = _target(battle, ship, mount, line)
        if target is not None:
            _fire(battle, ship, mount, target, line)
    battle.put(replace(battle.ships[name], fired=True))


def _fire(battle: Battle, ship: Ship, mount: str, target: Unit, line: FireLine | None) -> None:
    weapon = battle.weapon(ship, mount)
    if weapon.rack and isinstance(target, Flight):
        fire_antifighter(battle, ship, mount, target)
        return
    how = Fire()
    if line is not None:
        sections = battle.sheet(target).sides if isinstance(target, Ship) else ()
        called = line.called if line.called in sections else ""
        pierce = line.piercing and weapon.pierce is not None
        shift = line.shift if weapon.special == "grav_shifter" else None
        how = Fire(pierce, called, line.split, shift)
    fire_mount(battle, ship, mount, target, how)


def _target(battle: Battle, ship: Ship, mount: str, line: FireLine | None) -> Unit | None:
    """Whom a mount fires at now: the named unit, the fallback, or a program's choice."""
    weapon = battle.weapon(ship, mount)
    if weapon.rack:
        return _antifighter_target(battle, ship, mount, line)
    if weapon.ballistic:
        return None
    if line is None:
        return program_target(battle, ship, mount, default_program(ship))

    def need(unit: Unit) -> int:
        return _need(battle, ship, weapon, unit, line)

    if line.aim.program is not None:
        return program_target(battle, ship, mount, line.aim.program, need)
    named = battle.unit(line.aim.unit)
    if named is not None and _aimable(battle, ship, mount, named):
        return named if weapon.special == "plasma_web" or need(named) >= hold_limit(battle, ship, weapon) else None
    return program_target(battle, ship, mount, line.otherwise or default_program(ship), need)


def _aimable(battle: Battle, ship: Ship, mount: str, target: Unit) -> bool:
    """On the map, in arc and range; area weapons cannot aim at ships."""
    if target.status != "on-map" or (isinstance(target, Flight) and not living(target)):
        return False
    if battle.weapon(ship, mount).special in AREA_SPECIALS and isinstance(target, Ship):
        return False
    return in_reach(battle, ship, mount, target)


def _need(battle: Battle, ship: Ship, weapon: WeaponType, target: Unit, line: FireLine) -> int:
    """BR-SEQ-9: T as the line fires the mount, piercing or called; ``hold below`` is weighed against it."""
    sections = battle.sheet(target).sides if isinstance(target, Ship) else ()
    called = line.called if line.called in sections else ""
    piercing = line.piercing and weapon.pierce is not None
    return chance(battle, ship, weapon, target, piercing=piercing, called=called).total


def _antifighter_target(battle: Battle, ship: Ship, mount: str, line: FireLine | None) -> Flight | None:
    """BR-BAL-3, 5: a flight within five hexes, if the rack was ordered to fire anti-fighter missiles."""
    if line is None or not line.antifighter or ship.weapon[mount].ammunition.get("antifighter", 0) <= 0:
        return None
    enemies = battle.flights_of(battle.enemy(ship.side))
    near = [one for one in enemies if distance(ship.position, one.position) <= ANTIFIGHTER.range]
    named = next((one for one in near if one.name == line.aim.unit), None)
    limit = hold_limit(battle, ship, battle.weapon(ship, mount))
    if named is not None:
        return named if _missile_chance(battle, ship, named) >= limit else None
    program = line.aim.program or line.otherwise or Program()
    ranked: list[tuple[Unit, int]] = [(one, _missile_chance(battle, ship, one)) for one in near]
    chosen = select(battle, ship, program, [(one, t) for one, t in ranked if t >= limit])
    return chosen if isinstance(chosen, Flight) else None


def _missile_chance(battle: Battle, ship: Ship, target: Flight) -> int:
    run = ATTACK_RUN if on_attack_run(target) else 0
    return signature(battle, target, ship.position) + ANTIFIGHTER.bonus + run


# --- point defence ---------------------------------------------------------------------------------------------------


def _point_defence(battle: Battle, ship: Ship) -> list[str]:
    """BR-POD-4: full mounts with an intercept value, not named by id in a fire line, while a pod lies alongside."""
    if not pods_alongside(battle, ship):
        return []
    lines = battle.doctrine.of(ship.name).lines
    named = {ref for line in lines if isinstance(line, FireLine) for ref in line.mounts}
    return [mount for mount, _, weapon in full_mounts(battle, ship) if weapon.intercept and mount not in named]


def _defend_against_pods(battle: Battle, name: str) -> None:
    for mount in _point_defence(battle, battle.ships[name]):
        pods = pods_alongside(battle, battle.ships[name])
        if not pods or not battle.alive(name):
            return
        fire_mount(battle, battle.ships[name], mount, pods[0], Fire())
