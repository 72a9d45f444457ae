"""Chapter 4.8, ballistics: launches in R5, strikes in R7."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from games.broadsides.data import TABLES, Missile, WeaponType
from games.broadsides.rules.autopilot import flown
from games.broadsides.rules.battle import Battle, Tally, ready
from games.broadsides.rules.craft import Plot, craft_from
from games.broadsides.rules.damage import Wounds, roll_dice
from games.broadsides.rules.doctrine import BallisticLine, FireLine
from games.broadsides.rules.flightdamage import hit_flight
from games.broadsides.rules.geometry import bears, side_toward
from games.broadsides.rules.gravity import GravityMine, gravity_mines
from games.broadsides.rules.gunnery import Source, armour_effect, struck_side
from games.broadsides.rules.interception import Incoming, intercept
from games.broadsides.rules.mounts import exactness
from games.broadsides.rules.programs import select
from games.broadsides.rules.tohit import ATTACK_RUN, Chance, ew_of, jammed, on_attack_run, own_ew, shield_of, signature
from games.broadsides.state import Ballistic, Flight, Program, Ship, Unit, living
from pbem.kit.hexgrid import DIRECTIONS, Hex, distance, neighbour

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


def drift_hex(battle: Battle, unit: Unit) -> Hex:
    """BR-BAL-1: where a unit would be after drifting from here."""
    return flown(craft_from(battle.catalogue, unit), Plot(), battle.ground).hexes[-1]


# --- R5 --------------------------------------------------------------------------------------------------------------


def launch_ballistics(battle: Battle) -> None:
    """R5: ordered launches, then the default ones, ship by ship in sheet order."""
    for name in list(battle.roster):
        ship = battle.ships.get(name)
        if ship is None or ship.status != "on-map" or ship.cnc_failure:
            continue
        for system in battle.sheet(ship).mounts:
            weapon = battle.catalogue.weapons[system.type]
            if weapon.ballistic and ready(battle.ships[name], system.id, weapon):
                _launch_mount(battle, battle.ships[name], system.id, weapon)


def _launch_mount(battle: Battle, ship: Ship, mount: str, weapon: WeaponType) -> None:
    lines = [line for line in battle.doctrine.of(ship.name).ballistics if line.mount == mount]
    if lines and battle.sheet(ship).size != "OSAT":
        _launch_ordered(battle, ship, weapon, lines[-1])
    elif not weapon.mine and not _kept_back(battle, ship, mount):
        _launch_default(battle, ship, mount, weapon)


def _kept_back(battle: Battle, ship: Ship, mount: str) -> bool:
    """BR-BAL-6: a hold or an anti-fighter line covers the mount."""
    system = battle.sheet(ship).systems[mount]
    for line in battle.doctrine.of(ship.name).lines:
        if isinstance(line, FireLine):
            if line.antifighter and exactness(battle.catalogue, system, line.mounts):
                return True
        elif exactness(battle.catalogue, system, line):
            return True
    return False


def _launch_ordered(battle: Battle, ship: Ship, weapon: WeaponType, line: BallisticLine) -> None:
    kind = (line.kind or "standard") if weapon.rack else ""
    target = battle.unit(line.target) if line.target else None
    if line.target and (target is None or target.status != "on-map"):
        return
    aimed = line.hex
    if target is not None and weapon.mine:
        aimed = drift_hex(battle, target)
    if target is not None and not weapon.mine:
        aimed = None
    end = aimed if target is None or weapon.mine else target.position
    if end is None or distance(ship.position, target.position if target else end) > reach_of(weapon, kind):
        return
    if weapon.rack and ship.weapon[line.mount].ammunition.get(kind, 0) <= 0:
        return
    _launch(battle, ship, line.mount, kind, line.target if not weapon.mine else "", aimed)


def _launch_default(battle: Battle, ship: Ship, mount: str, weapon: WeaponType) -> None:
    """BR-BAL-6, BR-OSA-1: at the program's target, with T of this moment and at least 8."""
    kind = _first_kind(ship.weapon[mount].ammunition) if weapon.rack else ""
    if kind is None:
        return
    program = ship.program if battle.sheet(ship).size == "OSAT" else Program()
    if program.unless_slow and weapon.large:
        return
    candidates: list[tuple[Unit, int]] = []
    for unit in battle.units():
        if unit.side == ship.side or not _wanted(program, unit):
            continue
        t = launch_chance(battle, ship, weapon, kind, unit).total
        if t >= LEAST_CHANCE and distance(ship.position, unit.position) <= reach_of(weapon, kind):
            candidates.append((unit, t))
    chosen = select(battle, ship, program, candidates)
    if chosen is not None:
        _launch(battle, ship, mount, kind, chosen.name, None)


def _wanted(program: Program, unit: Unit) -> bool:
    """BR-OSA-2: ships, flights or both."""
    return program.among == "any" or isinstance(unit, Flight) == (program.among == "fighter")


def _first_kind(stock: Mapping[str, int]) -> str | None:
    return next((kind for kind in LAUNCHED_KINDS if stock.get(kind, 0) > 0), None)


def launch_chance(battle: Battle, ship: Ship, weapon: WeaponType, kind: str, target: Unit) -> Chance:
    """BR-OSA-1: what a launch may expect: missiles their bonus, torpedoes the ship's EW."""
    seen = signature(battle, target, ship.position)
    run = ATTACK_RUN if on_attack_run(target) else 0
    if weapon.rack:
        return Chance(seen, 0, 0, run + missile_bonus(battle, TABLES.missile[kind], target))
    return Chance(seen, jammed(battle, ew_of(battle, ship), ship, target), 0, run)


def _launch(battle: Battle, ship: Ship, mount: str, kind: str, target: str, aimed: Hex | None) -> None:
    stock = dict(ship.weapon[mount].ammunition)
    if kind:
        stock[kind] -= 1
    battle.set_mount(ship, mount, used=True, charge=0, ammunition=stock)
    battle.ballistics.append(Ballistic(ship.side, ship.name, mount, ship.position, kind, target, aimed))
    at = [*aimed] if aimed is not None else None
    facts = {"unit": ship.name, "mount": mount, "kind": kind, "target": target, "hex": at, "from": [*ship.position]}
    battle.tell("launch", "BR-BAL-1", facts, seen_by=[ship.side])
    hidden = {"unit": ship.name, "mount": mount, "kind": "", "target": "", "hex": None, "from": [*ship.position]}
    battle.tell("launch", "BR-BAL-1", hidden, seen_by=[battle.enemy(ship.side)])


# --- R7 --------------------------------------------------------------------------------------------------------------


def ballistics_strike(battle: Battle) -> None:
    """R7: gravity mines, energy mines, then torpedoes and missiles; each kind first-fire side first."""
    flying, battle.ballistics = battle.ballistics, []
    ranked = sorted(flying, key=lambda one: _strike_rank(battle, one))
    kinds = {one: _weapon(battle, one) for one in ranked}
    heavy = [(one, mine) for one in ranked if kinds[one].special == "gravity_mine" for mine in _set(battle, one)]
    # Aimed in the order of R7, but of equally near ones the first launched counts as nearest.
    gravity_mines(battle, [mine for _, mine in sorted(heavy, key=lambda pair: flying.index(pair[0]))])
    for one in ranked:
        if kinds[one].special == "energy_mine":
            _energy_mine(battle, one, kinds[one])
    for one in ranked:
        if not kinds[one].mine:
            _Strike(battle, one, kinds[one]).resolve()


def _weapon(battle: Battle, one: Ballistic) -> WeaponType:
    return battle.weapon(battle.ships[one.launcher], one.mount)


def _strike_rank(battle: Battle, one: Ballistic) -> tuple[int, int, int]:
    ship = battle.ships[one.launcher]
    order = list(battle.sheet(ship).systems)
    return (battle.by_first_fire().index(one.side), battle.roster.index(one.launcher), order.index(one.mount))


def _aim(battle: Battle, one: Ballistic, tally: Tally) -> Hex | None:
    """BR-WPN-4: where a mine goes off; None: a dud."""
    assert one.target_hex is not None
    die = tally.roll(20, "aim")
    at: Hex | None = one.target_hex
    if die > MINE_TWO_OFF:
        at = None
    elif die > MINE_ON_TARGET:
        way = tally.roll(6, "direction") - 1
        at = neighbour(one.target_hex, way, 1 if die <= MINE_ONE_OFF else 2)
    facts = {
        "unit": one.launcher,
        "mount": one.mount,
        "kind": _weapon(battle, one).special,
        "aimed": [*one.target_hex],
        "hex": None if at is None else [*at],
        "die": die,
    }
    battle.tell("burst", "BR-WPN-4", facts, tally.taken())
    return at


def _set(battle: Battle, one: Ballistic) -> list[GravityMine]:
    at = _aim(battle, one, battle.tally(one.launcher, one.mount))
    return [] if at is None else [GravityMine(at, f"{one.launcher} {one.mount}")]


def _energy_mine(battle: Battle, one: Ballistic, weapon: WeaponType) -> None:
    """BR-WPN-5: all units in the hex and beside it, friend and foe."""
    at = _aim(battle, one, battle.tally(one.launcher, one.mount))
    if at is None:
        return
    for unit in list(battle.units()):
        far = distance(at, unit.position)
        if far > 1 or not battle.alive(unit.name):
            continue
        damage = weapon.dice.plus if far == 0 else weapon.dice.plus // ADJACENT_DIVISOR
        tally = battle.tally(one.launcher, one.mount, unit.name)
        if isinstance(unit, Flight):
            _mine_flight(battle, unit, damage, tally)
        else:
            _mine_ship(battle, unit, at, damage, tally)


def _mine_flight(battle: Battle, flight: Flight, damage: int, tally: Tally) -> None:
    for index in living(flight):
        hit_flight(battle, flight.name, tally, damage, index=index)


def _mine_ship(battle: Battle, ship: Ship, at: Hex, damage: int, tally: Tally) -> None:
    sheet = battle.sheet(ship)
    shield = 0 if at == ship.position else shield_of(battle, ship)
    offset = Hex(at.q - ship.position.q, at.r - ship.position.r)
    if offset == (0, 0) and sheet.sides:
        offset = DIRECTIONS[tally.roll(6, "direction") - 1]
    side = side_toward(sheet, ship, offset)
    Wounds(battle, ship.name, tally, shield=shield, rule="BR-WPN-5").flash(side, damage)


def missile_bonus(battle: Battle, missile: Missile, target: Unit) -> int:
    """BR-BAL-2: a harm missile homes on half the target's EW."""
    return own_ew(battle, target) // 2 if missile.homing else missile.bonus


class _Strike:
    """A torpedo or missile at its target."""

    def __init__(self, battle: Battle, one: Ballistic, weapon: WeaponType) -> None:
        self.battle, self.one, self.weapon = battle, one, weapon
        self.label: tuple[object, ...] = (one.launcher, one.mount, one.target)
        self.tally = battle.tally(*self.label)
        self.missile = TABLES.missile[one.kind] if weapon.rack else None

    def resolve(self) -> None:
        target = self.battle.unit(self.one.target)
        if target is None or target.status != "on-map":
            self._lost("the target is gone")
            return
        far = distance(self.one.launch_hex, target.position)
        if far > reach_of(self.weapon, self.one.kind):
            self._lost(f"the target is {far} hexes from the launch, beyond {reach_of(self.weapon, self.one.kind)}")
            return
        t = self._chance(target)
        die = self.tally.roll(20, "to hit")
        self._tell(t, die, target, far)
        if die > t.total:
            return
        shot = Incoming(self.one.launch_hex, 0, self._average(), ballistic=True)
        if intercept(self.battle, target, shot, self.label):
            self._hit(target)

    def _chance(self, target: Unit) -> Chance:
        """BR-WPN-1, BR-BAL-2."""
        seen = signature(self.battle, target, self.one.launch_hex)
        run = ATTACK_RUN if on_attack_run(target) else 0
        if self.missile:
            return Chance(seen, 0, 0, run + missile_bonus(self.battle, self.missile, target))
        return Chance(seen, self._guidance(target), 0, run)

    def _guidance(self, target: Unit) -> int:
        """BR-WPN-1: the ship's EW while the target is in the mount's arc, else none."""
        ship = self.battle.ships[self.one.launcher]
        arc = self.battle.sheet(ship).systems[self.one.mount].arc
        if ship.status != "on-map" or not bears(ship, arc, target.position):
            return 0
        return jammed(self.battle, ew_of(self.battle, ship), ship, target)

    def _average(self) -> Fraction:
        return Fraction(self.missile.damage) if self.missile else self.weapon.dice.mean

    def _name(self) -> str:
        return f"{self.one.kind} missile" if self.missile else self.weapon.name

    def _facts(self) -> dict[str, object]:
        return {"firer": self.one.launcher, "mount": self.one.mount, "weapon": self._name(), "target": self.one.target}

    def _lost(self, why: str) -> None:
        self.battle.tell("lost_ballistic", "BR-BAL-1", {**self._facts(), "why": why})

    def _tell(self, t: Chance, die: int, target: Unit, far: int) -> None:
        hit = die <= t.total
        facts = {
            **self._facts(),
            "range": far,
            "need": t.total,
            "signature": t.signature,
            "ew": t.ew,
            "range_modifier": t.range_modifier,
            "situation": t.situation,
            "die": die,
            "hit": hit,
            "pulses": 0,
            "swept": 0,
            "result": "hit" if hit else "miss",
            "side": self.one.side,
            "from": [*self.one.launch_hex],
            "to": [*target.position],
        }
        self.battle.tell("fire", "BR-WPN-1" if self.weapon.torpedo else "BR-BAL-2", facts, self.tally.taken())

    def _damage(self) -> int:
        if self.missile:
            return self.missile.damage
        dice = self.weapon.dice
        return roll_dice(self.tally, [dice.sides] * dice.dice) + dice.plus

    def _hit(self, target: Unit) -> None:
        effect = armour_effect(self.weapon)
        if isinstance(target, Flight):
            hit_flight(self.battle, target.name, self.tally, self._damage(), armour=effect)
            return
        launcher = self.battle.ships[self.one.launcher]
        side = struck_side(self.battle, target, Source(self.one.launch_hex, launcher), self.tally)
        shield = shield_of(self.battle, target) if self.one.launch_hex != target.position else 0
        wounds = Wounds(self.battle, target.name, self.tally, armour=effect, shield=shield, rule="BR-DMG-4")
        place = wounds.locate(side)
        wounds.land(place, self._damage(), side)


# --- anti-fighter missiles, R8 ---------------------------------------------------------------------------------------


def fire_antifighter(battle: Battle, ship: Ship, mount: str, target: Flight) -> None:
    """BR-BAL-3: a rack's anti-fighter missile, fired in the ship's turn."""
    stock = dict(ship.weapon[mount].ammunition)
    stock["antifighter"] -= 1
    battle.set_mount(ship, mount, used=True, charge=0, ammunition=stock)
    one = Ballistic(ship.side, ship.name, mount, ship.position, "antifighter", target.name)
    _Strike(battle, one, battle.weapon(ship, mount)).resolve()
