"""Chapter 4.8, ballistics: launches in R5, strikes in R7."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from games.broadsides.data import TABLES, Missile, WeaponType
from games.broadsides.rules.autopilot import flown
from games.broadsides.rules.craft import Plot, craft_from
from games.broadsides.rules.damage import Wounds, roll_damage
from games.broadsides.rules.doctrine import BallisticLine, FireLine
from games.broadsides.rules.flightdamage import hit_flight
from games.broadsides.rules.geometry import bears, side_toward
from games.broadsides.rules.gravity import GravityMine, gravity_mines
from games.broadsides.rules.gunnery import Source, armour_effect, struck_side
from games.broadsides.rules.interception import Incoming, intercept
from games.broadsides.rules.mounts import exactness, ready
from games.broadsides.rules.programs import select
from games.broadsides.rules.tohit import Chance, attack_run, ew_of, jammed, own_ew, shield_of, shot_facts, signature
from games.broadsides.state import Ballistic, Flight, Program, Ship, Unit
from games.broadsides.table import Table
from pbem.kit.hexgrid import DIRECTIONS, Hex, distance, neighbour
from pbem.kit.table import Tally

LEAST_CHANCE = 8
"""BR-BAL-6."""
MINE_ON_TARGET, MINE_ONE_OFF, MINE_TWO_OFF = 16, 18, 19
ADJACENT_DIVISOR = 2
"""BR-WPN-5: 20 in the hex, 10 beside it."""
LAUNCHED_KINDS = ("standard", "long", "heavy", "harm")


def reach_of(weapon: WeaponType, kind: str) -> int:
    """The range of a launch."""
    if weapon.rack:
        return TABLES.missile[kind].range
    return weapon.max_range or 0


def drift_hex(table: Table, unit: Unit) -> Hex:
    """BR-BAL-1: where a unit would be after drifting from here."""
    return flown(craft_from(table.catalogue, unit), Plot(), table.ground).hexes[-1]


# --- R5 --------------------------------------------------------------------------------------------------------------


def launch_ballistics(table: Table) -> None:
    """R5: ordered launches, then the default ones, ship by ship in sheet order."""
    for ship in table.ships_there():
        for system in () if ship.cnc_failure else table.sheet(ship).mounts:
            weapon, now = table.catalogue.weapons[system.type], table.ships[ship.name]
            if weapon.ballistic and ready(now, system.id, weapon):
                _launch_mount(table, now, system.id, weapon)


def _launch_mount(table: Table, ship: Ship, mount: str, weapon: WeaponType) -> None:
    lines = [line for line in table.doctrine.of(ship.name).ballistics if line.mount == mount]
    if lines and table.sheet(ship).size != "OSAT":
        _launch_ordered(table, ship, weapon, lines[-1])
    elif not weapon.mine and not _kept_back(table, ship, mount):
        _launch_default(table, ship, mount, weapon)


def _kept_back(table: Table, ship: Ship, mount: str) -> bool:
    """BR-BAL-6: a hold or an anti-fighter line covers the mount."""
    system = table.sheet(ship).systems[mount]
    for line in table.doctrine.of(ship.name).lines:
        if isinstance(line, FireLine):
            if line.antifighter and exactness(table.catalogue, system, line.mounts):
                return True
        elif exactness(table.catalogue, system, line):
            return True
    return False


def _launch_ordered(table: Table, ship: Ship, weapon: WeaponType, line: BallisticLine) -> None:
    kind = (line.missile or "standard") if weapon.rack else ""
    target = table.on_map(line.target)
    if line.target and target is None:
        return
    aimed = line.hex
    if target is not None and weapon.mine:
        aimed = drift_hex(table, target)
    if target is not None and not weapon.mine:
        aimed = None
    end = aimed if target is None or weapon.mine else target.position
    if end is None or distance(ship.position, target.position if target else end) > reach_of(weapon, kind):
        return
    if weapon.rack and ship.weapon[line.mount].ammunition.get(kind, 0) <= 0:
        return
    _launch(table, ship, line.mount, kind, line.target if not weapon.mine else "", aimed)


def _launch_default(table: Table, ship: Ship, mount: str, weapon: WeaponType) -> None:
    """BR-BAL-6, BR-OSA-1: at the program's target, with T of this moment and at least 8."""
    kind = _first_kind(ship.weapon[mount].ammunition) if weapon.rack else ""
    if kind is None:
        return
    program = ship.program if table.sheet(ship).size == "OSAT" else Program()
    if program.unless_slow and weapon.large:
        return
    candidates: list[tuple[Unit, int]] = []
    for unit in table.units():
        if unit.side == ship.side or not _wanted(program, unit):
            continue
        t = launch_chance(table, ship, weapon, kind, unit).total
        if t >= LEAST_CHANCE and distance(ship.position, unit.position) <= reach_of(weapon, kind):
            candidates.append((unit, t))
    chosen = select(table, ship, program, candidates)
    if chosen is not None:
        _launch(table, ship, mount, kind, chosen.name, None)


def _wanted(program: Program, unit: Unit) -> bool:
    """BR-OSA-2: ships, flights or both."""
    return program.among == "any" or isinstance(unit, Flight) == (program.among == "fighter")


def _first_kind(stock: Mapping[str, int]) -> str | None:
    return next((kind for kind in LAUNCHED_KINDS if stock.get(kind, 0) > 0), None)


def launch_chance(table: Table, ship: Ship, weapon: WeaponType, kind: str, target: Unit) -> Chance:
    """BR-OSA-1: what a launch may expect: missiles their bonus, torpedoes the ship's EW."""
    seen = signature(table, target, ship.position)
    run = attack_run(target)
    if weapon.rack:
        return Chance(seen, 0, 0, run + missile_bonus(table, TABLES.missile[kind], target))
    return Chance(seen, jammed(table, ew_of(table, ship), ship, target), 0, run)


def _launch(table: Table, ship: Ship, mount: str, kind: str, target: str, aimed: Hex | None) -> None:
    stock = dict(ship.weapon[mount].ammunition)
    if kind:
        stock[kind] -= 1
    table.set_mount(ship, mount, used=True, charge=0, ammunition=stock)
    table.ballistics.append(Ballistic(ship.side, ship.name, mount, ship.position, kind, target, aimed))
    at = [*aimed] if aimed is not None else None
    facts = {"unit": ship.name, "mount": mount, "kind": kind, "target": target, "hex": at, "from": [*ship.position]}
    table.tell_masked("launch", "BR-BAL-1", ship.side, facts, {"kind": "", "target": "", "hex": None})


# --- R7 --------------------------------------------------------------------------------------------------------------


def ballistics_strike(table: Table) -> None:
    """R7: gravity mines, energy mines, then torpedoes and missiles; each kind first-fire side first."""
    flying, table.ballistics = table.ballistics, []
    ranked = sorted(flying, key=lambda launch: _strike_rank(table, launch))
    kinds = {launch: _weapon(table, launch) for launch in ranked}
    heavy = [
        (launch, mine) for launch in ranked if kinds[launch].special == "gravity_mine" for mine in _set(table, launch)
    ]
    # Aimed in the order of R7, but of equally near ones the first launched counts as nearest.
    gravity_mines(table, [mine for _, mine in sorted(heavy, key=lambda pair: flying.index(pair[0]))])
    for launch in ranked:
        if kinds[launch].special == "energy_mine":
            _energy_mine(table, launch, kinds[launch])
    for launch in ranked:
        if not kinds[launch].mine:
            _Strike(table, launch, kinds[launch]).resolve()


def _weapon(table: Table, launch: Ballistic) -> WeaponType:
    return table.weapon(table.ships[launch.launcher], launch.mount)


def _strike_rank(table: Table, launch: Ballistic) -> tuple[int, int, int]:
    ship = table.ships[launch.launcher]
    order = list(table.sheet(ship).systems)
    return (table.by_first_fire().index(launch.side), table.roster.index(launch.launcher), order.index(launch.mount))


def _aim(table: Table, launch: Ballistic, tally: Tally) -> Hex | None:
    """BR-WPN-4: where a mine goes off; None: a dud."""
    assert launch.target_hex is not None
    die = tally.roll(20, "aim")
    at: Hex | None = launch.target_hex
    if die > MINE_TWO_OFF:
        at = None
    elif die > MINE_ON_TARGET:
        way = tally.roll(6, "direction") - 1
        at = neighbour(launch.target_hex, way, 1 if die <= MINE_ONE_OFF else 2)
    facts = {
        "unit": launch.launcher,
        "mount": launch.mount,
        "kind": _weapon(table, launch).special,
        "aimed": [*launch.target_hex],
        "hex": None if at is None else [*at],
        "die": die,
    }
    table.tell("burst", "BR-WPN-4", table.sides, facts, tally.taken())
    return at


def _set(table: Table, launch: Ballistic) -> list[GravityMine]:
    at = _aim(table, launch, table.tally(launch.launcher, launch.mount))
    return [] if at is None else [GravityMine(at, f"{launch.launcher} {launch.mount}")]


def _energy_mine(table: Table, launch: Ballistic, weapon: WeaponType) -> None:
    """BR-WPN-5: all units in the hex and beside it, friend and foe."""
    at = _aim(table, launch, table.tally(launch.launcher, launch.mount))
    if at is None:
        return
    for unit in list(table.units()):
        far = distance(at, unit.position)
        if far > 1 or not table.alive(unit.name):
            continue
        damage = weapon.dice.plus if far == 0 else weapon.dice.plus // ADJACENT_DIVISOR
        tally = table.tally(launch.launcher, launch.mount, unit.name)
        if isinstance(unit, Flight):
            _mine_flight(table, unit, damage, tally)
        else:
            _mine_ship(table, unit, at, damage, tally)


def _mine_flight(table: Table, flight: Flight, damage: int, tally: Tally) -> None:
    for index in flight.living:
        hit_flight(table, flight.name, tally, damage, index=index)


def _mine_ship(table: Table, ship: Ship, at: Hex, damage: int, tally: Tally) -> None:
    sheet = table.sheet(ship)
    shield = 0 if at == ship.position else shield_of(table, ship)
    offset = Hex(at.q - ship.position.q, at.r - ship.position.r)
    if offset == (0, 0) and sheet.sides:
        offset = DIRECTIONS[tally.roll(6, "direction") - 1]
    side = side_toward(sheet, ship, offset)
    Wounds(table, ship.name, tally, shield=shield, rule="BR-WPN-5").flash(side, damage)


def missile_bonus(table: Table, missile: Missile, target: Unit) -> int:
    """BR-BAL-2: a harm missile homes on half the target's EW."""
    return own_ew(table, target) // 2 if missile.homing else missile.bonus


class _Strike:
    """A torpedo or missile at its target."""

    def __init__(self, table: Table, launch: Ballistic, weapon: WeaponType) -> None:
        self.table, self.launch, self.weapon = table, launch, weapon
        self.label: tuple[object, ...] = (launch.launcher, launch.mount, launch.target)
        self.tally = table.tally(*self.label)
        self.missile = TABLES.missile[launch.kind] if weapon.rack else None

    def resolve(self) -> None:
        target = self.table.on_map(self.launch.target)
        if target is None:
            self._lost("the target is gone")
            return
        far = distance(self.launch.launch_hex, target.position)
        if far > reach_of(self.weapon, self.launch.kind):
            self._lost(f"the target is {far} hexes from the launch, beyond {reach_of(self.weapon, self.launch.kind)}")
            return
        t = self._chance(target)
        die = self.tally.roll(20, "to hit")
        self._tell(t, die, target)
        if die > t.total:
            return
        shot = Incoming(self.launch.launch_hex, 0, self._average(), ballistic=True)
        if intercept(self.table, target, shot, self.label):
            self._hit(target)

    def _chance(self, target: Unit) -> Chance:
        """BR-WPN-1, BR-BAL-2."""
        seen = signature(self.table, target, self.launch.launch_hex)
        run = attack_run(target)
        if self.missile:
            return Chance(seen, 0, 0, run + missile_bonus(self.table, self.missile, target))
        return Chance(seen, self._guidance(target), 0, run)

    def _guidance(self, target: Unit) -> int:
        """BR-WPN-1: the ship's EW while the target is in the mount's arc, else none."""
        ship = self.table.ships[self.launch.launcher]
        arc = self.table.sheet(ship).systems[self.launch.mount].arc
        if ship.status != "on-map" or not bears(ship, arc, target.position):
            return 0
        return jammed(self.table, ew_of(self.table, ship), ship, target)

    def _average(self) -> Fraction:
        return Fraction(self.missile.damage) if self.missile else self.weapon.dice.mean

    def _name(self) -> str:
        return f"{self.launch.kind} missile" if self.missile else self.weapon.name

    def _facts(self) -> dict[str, object]:
        launch = self.launch
        return {"firer": launch.launcher, "mount": launch.mount, "weapon": self._name(), "target": launch.target}

    def _lost(self, why: str) -> None:
        self.table.tell("lost_ballistic", "BR-BAL-1", self.table.sides, {**self._facts(), "why": why})

    def _tell(self, t: Chance, die: int, target: Unit) -> None:
        facts = shot_facts(t, die, self.launch.side, self.launch.launch_hex, target.position, **self._facts())
        self.table.tell(
            "fire", "BR-WPN-1" if self.weapon.torpedo else "BR-BAL-2", self.table.sides, facts, self.tally.taken()
        )

    def _damage(self) -> int:
        if self.missile:
            return self.missile.damage
        return roll_damage(self.tally, self.weapon.dice)

    def _hit(self, target: Unit) -> None:
        effect = armour_effect(self.weapon)
        if isinstance(target, Flight):
            hit_flight(self.table, target.name, self.tally, self._damage(), armour=effect)
            return
        launcher = self.table.ships[self.launch.launcher]
        side = struck_side(self.table, target, Source(self.launch.launch_hex, launcher), self.tally)
        shield = shield_of(self.table, target) if self.launch.launch_hex != target.position else 0
        wounds = Wounds(self.table, target.name, self.tally, armour=effect, shield=shield, rule="BR-DMG-4")
        place = wounds.locate(side)
        wounds.land(place, self._damage(), side)


# --- anti-fighter missiles, R8 ---------------------------------------------------------------------------------------


def fire_antifighter(table: Table, ship: Ship, mount: str, target: Flight) -> None:
    """BR-BAL-3: a rack's anti-fighter missile, fired in the ship's turn."""
    stock = dict(ship.weapon[mount].ammunition)
    stock["antifighter"] -= 1
    table.set_mount(ship, mount, used=True, charge=0, ammunition=stock)
    launch = Ballistic(ship.side, ship.name, mount, ship.position, "antifighter", target.name)
    _Strike(table, launch, table.weapon(ship, mount)).resolve()
