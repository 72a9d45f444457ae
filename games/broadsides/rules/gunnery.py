"""Chapters 4.7 and 4.8: one shot of a ship's weapon, from the die to the damage."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from games.broadsides.data import WeaponType
from games.broadsides.rules import gravity
from games.broadsides.rules.burst import burst_flight, burst_ship
from games.broadsides.rules.damage import ArmourEffect, Wounds, roll_damage
from games.broadsides.rules.flightdamage import hit_flight, light_pulses_on_flight, plasma_web, pulsar_mine
from games.broadsides.rules.geometry import direction_at_range_0, next_side, opposite, side_toward
from games.broadsides.rules.interception import Incoming, can_be_intercepted, intercept
from games.broadsides.rules.tohit import Chance, chance, shield_of, shot_facts
from games.broadsides.state import Flight, Ship, Side2, Unit
from games.broadsides.table import Table
from pbem.kit.hexgrid import DIRECTIONS, Hex, distance
from pbem.kit.table import Tally

UNSHIELDED = ("grav_beam", "grav_shifter", "grav_cannon", "gravity_mine", "burst", "plasma_web")
"""BR-DMG-3: weapons a shield does not weaken."""


@dataclass(frozen=True)
class Fire:
    """How a mount is fired."""

    piercing: bool = False
    called: str = ""
    split: int = 1
    shift: Side2 | None = None


@dataclass(frozen=True)
class Source:
    """Where a strike comes from: the firer now, or the launch hex of a ballistic."""

    hex: Hex
    firer: Unit | None


def fire_mount(table: Table, firer: Ship, mount: str, target: Unit, how: Fire) -> None:
    """Fire one mount at one target: every shot of it is resolved fully before the next."""
    weapon = table.weapon(firer, mount)
    sustained = _spend_charge(table, firer, mount, weapon, target)
    if weapon.special == "pulsar_mine" and isinstance(target, Flight):
        pulsar_mine(table, table.ships[firer.name], mount, weapon, target)
        return
    if weapon.special == "plasma_web":
        plasma_web(table, table.ships[firer.name], mount)
        return
    for number in range(1, weapon.shots + 1):
        if table.alive(target.name):
            _Shot(table, firer.name, mount, target.name, how, number).resolve(automatic=sustained)


def _spend_charge(table: Table, firer: Ship, mount: str, weapon: WeaponType, target: Unit) -> bool:
    """BR-PWR-1, BR-DMG-7: firing empties the weapon; True: the second shot of a sustained one, hitting by itself."""
    state = firer.weapon[mount]
    if "sustained" not in weapon.flags:
        table.set_mount(firer, mount, used=True, charge=0)
        return False
    second = state.consecutive_shots == 1
    held = second and state.sustained_target == target.name
    table.set_mount(firer, mount, used=True, charge=0 if second else state.charge, sustained_target="")
    return held


class _Shot:
    """One roll to hit and all that follows."""

    def __init__(self, table: Table, firer: str, mount: str, target: str, how: Fire, number: int) -> None:
        self.table, self.firer_name, self.mount, self.target_name = table, firer, mount, target
        self.how = how
        self.label: tuple[object, ...] = (firer, mount, target, f"shot {number}")
        self.tally = table.tally(*self.label)
        self.weapon = table.weapon(self.firer, mount)
        self.range = distance(self.firer.position, self.target.position)

    @property
    def firer(self) -> Ship:
        return self.table.ships[self.firer_name]

    @property
    def target(self) -> Unit:
        return self.table.named(self.target_name)

    def resolve(self, *, automatic: bool) -> None:
        t = chance(self.table, self.firer, self.weapon, self.target, piercing=self.how.piercing, called=self.how.called)
        roll = None if automatic else self.tally.roll(20, "to hit")
        margin = 0 if roll is None else t.total - roll
        forfeited = self._swept(margin)
        hit = margin >= 0 or forfeited > 0
        pulses = self._pulses(margin) if hit else 0
        self._tell_fire(t, roll, hit=hit, forfeited=forfeited, pulses=pulses)
        if not hit:
            return
        self._remember_sustained()
        left = self._after_interception(pulses, margin)
        if left:
            self._strike(left, max(0, margin), forfeited)

    def _remember_sustained(self) -> None:
        """BR-DMG-7: a first shot that hit makes the second one sure."""
        state = self.firer.weapon[self.mount]
        if "sustained" in self.weapon.flags and state.charge:
            self.table.set_mount(self.firer, self.mount, sustained_target=self.target_name)

    def _swept(self, margin: int) -> int:
        """BR-DMG-6: dice given up to turn a near miss of a raking weapon into a hit."""
        raking = self.weapon.mode == "raking" and not self.how.piercing
        return -margin if raking and margin < 0 and -margin <= self.weapon.dice.dice else 0

    def _pulses(self, margin: int) -> int:
        """BR-HIT-7."""
        if self.weapon.mode != "pulse":
            return 0
        return min(self.weapon.max_pulses, 1 + max(0, margin) // self.weapon.grouping)

    def _tell_fire(self, t: Chance, roll: int | None, *, hit: bool, forfeited: int, pulses: int) -> None:
        result = f"swept, {forfeited} dice fewer" if forfeited else ("hit" if hit else "miss")
        who = {"firer": self.firer_name, "mount": self.mount, "weapon": self.weapon.name, "target": self.target_name}
        facts = {
            **shot_facts(t, roll, self.firer.side, self.firer.position, self.target.position, **who),
            "hit": hit,
            "pulses": pulses,
            "swept": forfeited,
            "result": result if roll is not None else "sustained hit",
        }
        self.table.tell("fire", "BR-HIT-1", self.table.sides, facts, self.tally.taken())

    def _after_interception(self, pulses: int, margin: int) -> int:
        """What is left of the hit: pulses, or 1 for a single shot."""
        if not can_be_intercepted(self.weapon):
            return pulses or 1
        dice = self.weapon.dice
        each = dice.mean + dice.slope * min(self.weapon.x_max, max(0, margin))
        average = each * (pulses or 1)
        shot = Incoming(self.firer.position, pulses, Fraction(average), ballistic=False)
        return intercept(self.table, self.target, shot, self.label)

    # --- on the target

    def _strike(self, pulses: int, margin: int, forfeited: int) -> None:
        target = self.target
        if isinstance(target, Flight):
            self._strike_flight(target, pulses, margin, forfeited)
        else:
            self._strike_ship(target, pulses, margin, forfeited)

    def _strike_flight(self, flight: Flight, pulses: int, margin: int, forfeited: int) -> None:
        """BR-DMG-16, BR-WPN-3."""
        armour = armour_effect(self.weapon)
        if self.weapon.special == "burst":
            burst_flight(self.table, flight, self.tally)
            return
        if self.how.shift:
            return
        if self.weapon.mode == "pulse" and "light_pulse" in self.weapon.flags:
            light_pulses_on_flight(self.table, flight.name, self.tally, pulses, self.weapon.dice.plus, self.how.split)
            return
        for _ in range(pulses):
            if self.table.alive(flight.name):
                hit_flight(self.table, flight.name, self.tally, self._damage(margin, forfeited), armour=armour)

    def _damage(self, margin: int, forfeited: int = 0) -> int:
        """The damage dice of one hit (BR-DMG-12, 14)."""
        dice = self.weapon.dice
        rolled = roll_damage(self.tally, dice, fewer=forfeited)
        rolled += dice.slope * min(self.weapon.x_max, margin)
        lost = self.range // self.weapon.range_loss if self.weapon.range_loss else 0
        return max(0, rolled - lost)

    def _strike_ship(self, ship: Ship, pulses: int, margin: int, forfeited: int) -> None:
        if self.how.shift and self.weapon.special == "grav_shifter":
            gravity.shift(self.table, ship, self.how.shift, self.tally)
            return
        side = self._side(ship)
        if self.weapon.special == "burst":
            burst_ship(self.table, ship.name, side, self.tally)
        elif self.weapon.special in ("grav_beam", "grav_shifter"):
            gravity.beam(self.table, ship.name, side, self._damage(margin), self.tally)
        elif self.weapon.special == "grav_cannon":
            gravity.cannon(self.table, ship.name, side, self.weapon.dice.plus, self.tally)
        elif self.weapon.special == "grav_pulsar":
            gravity.pulsar(self.table, ship.name, side, pulses, self._damage(margin), self._shield(ship), self.tally)
        else:
            self._strike_side(self._wounds(ship), side, pulses, (margin, forfeited))

    def _strike_side(self, wounds: Wounds, side: str, pulses: int, luck: tuple[int, int]) -> None:
        """By damage mode (BR-DMG-4 to 14)."""
        margin, forfeited = luck
        weapon = self.weapon
        if self.how.piercing or weapon.mode == "piercing":
            pool = self._damage(margin)
            out = opposite(wounds.sheet, side) if side != "main" else "main"
            wounds.piercing(side, out, pool, weapon.pierce or 0)
        elif weapon.mode == "raking":
            wounds.raking(side, self._damage(margin, forfeited))
        elif weapon.mode == "pulse" and "light_pulse" in weapon.flags:
            wounds.light_pulses(side, pulses, weapon.dice.plus)
        elif weapon.mode == "pulse":
            for _ in range(pulses):
                wounds.strike(side, self._damage(margin))
        elif weapon.mode == "flash":
            wounds.flash(side, self._damage(margin))
        else:
            place = wounds.locate(side, outside=weapon.projectile == "antimatter")
            wounds.land(place, self._damage(margin), side)

    def _wounds(self, ship: Ship) -> Wounds:
        return wounds_of(self.table, ship, self.weapon, self.tally, shield=self._shield(ship))

    def _shield(self, ship: Ship) -> int:
        """BR-DMG-3: nothing at range 0."""
        if self.range == 0 or self.weapon.special in UNSHIELDED:
            return 0
        return shield_of(self.table, ship)

    def _side(self, ship: Ship) -> str:
        if self.how.called:
            return self.how.called
        return struck_side(self.table, ship, Source(self.firer.position, self.firer), self.tally)


def armour_effect(weapon: WeaponType) -> ArmourEffect:
    """BR-DMG-12, 13, 15: what armour counts against a projectile."""
    if weapon.projectile == "gravity" or "explosive_tip" in weapon.flags:
        return "none"
    return "half" if weapon.projectile == "plasma" and "full_armour" not in weapon.flags else "full"


def wounds_of(table: Table, ship: Ship, weapon: WeaponType, tally: Tally, *, shield: int) -> Wounds:
    rule = {"raking": "BR-DMG-5", "pulse": "BR-DMG-9", "piercing": "BR-DMG-10", "flash": "BR-DMG-8"}
    return Wounds(
        table,
        ship.name,
        tally,
        armour=armour_effect(weapon),
        shield=shield,
        overkill="explosive_tip" not in weapon.flags,
        rule=rule.get(weapon.mode, "BR-DMG-4"),
    )


def struck_side(table: Table, ship: Ship, source: Source, tally: Tally) -> str:
    """BR-LOC-4, 5: the facing side, and the side d10 from there; ``main`` units need no roll."""
    sheet = table.sheet(ship)
    if not sheet.sides:
        return "main"
    return next_side(sheet, side_facing(table, ship, source, tally), tally.roll(10, "side"))


def side_facing(table: Table, ship: Ship, source: Source, tally: Tally) -> str:
    """The side toward the source; in the same hex by BR-LOC-3."""
    sheet = table.sheet(ship)
    if not sheet.sides:
        return "main"
    if source.hex != ship.position:
        offset = Hex(source.hex.q - ship.position.q, source.hex.r - ship.position.r)
    else:
        way = direction_at_range_0(source.firer, ship) if source.firer else None
        offset = DIRECTIONS[tally.roll(6, "direction") - 1 if way is None else way]
    return side_toward(sheet, ship, offset)
