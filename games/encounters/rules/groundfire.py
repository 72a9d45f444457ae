"""The ground battle itself (rule book 4.10: EN-GFE, EN-GDR, EN-GFI)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import ClassVar

from games.encounters.data import percent_at, tables
from games.encounters.orders.plans import BattlePlan
from games.encounters.rules.combat import Bloc, Combat, Doctrine, doctrines_of, hits_for, setting
from games.encounters.rules.combatant import Combatant, ability_cc
from games.encounters.rules.contacts import meet, remember, sight
from games.encounters.rules.damage import spend_points
from games.encounters.rules.rounding import nearest_whole, percent_of
from games.encounters.state import Unit
from games.encounters.table import Table
from pbem.kit.dice import Roll

DOGFIGHT, STRIKE, FLAK, TROOPS = "dogfight", "strike", "flak", "troops"
RULES = {DOGFIGHT: "EN-GFI-2", STRIKE: "EN-GFI-3", FLAK: "EN-GFI-3", TROOPS: "EN-GFI-4"}
TARGETS = {DOGFIGHT: "flight", STRIKE: "troop", FLAK: "flight", TROOPS: "troop"}
DOGFIGHT_SHIFT = -1


class GroundBattle(Combat):
    """One ground battle of two blocs: the invader and the defender."""

    damage_rules: ClassVar[Mapping[str, str]] = {"directed": "EN-GFI-5", "nondirected": "EN-GFI-5"}

    def __init__(self, table: Table, system: str, blocs: tuple[Bloc, Bloc], plans: Mapping[str, BattlePlan]) -> None:
        super().__init__(table, "ground", system, blocs)
        self.invader, self.defender = blocs
        self.plans = plans
        self.bonus: Mapping[str, int] = {}
        """EN-BOM-3: what bombardment adds to a power's troop fire."""
        self.excluded: set[int] = set()
        self.landing = ""
        """EN-GDR-2: ``first`` landing, landing on a ``beachhead``, or none."""
        self.number = 1
        """How often this bloc has been the invader here this turn; tells the dice of two battles apart."""
        self.units: list[Combatant] = []
        self.troop_percent: dict[str, int] = {}
        self.flight_percent: dict[str, int] = {}

    @property
    def powers(self) -> list[str]:
        return self.table.by_seat(unit.owner for unit in self.units)

    @property
    def audience(self) -> frozenset[str]:
        return frozenset(self.sides) & {*self.table.present(self.system), *self.powers}

    def doctrines(self, power: str) -> list[Doctrine]:
        return doctrines_of(self.table, power, self.plans[power].flagship)

    def of(self, power: str, kind: str) -> list[Combatant]:
        return self.among((power,), kind)

    def against(self, power: str, kind: str) -> list[Combatant]:
        return self.among(self.other(power), kind)

    def among(self, powers: Bloc, kind: str) -> list[Combatant]:
        return [unit for unit in self.units if unit.owner in powers and unit.here and unit.design.category == kind]

    def roll(self, kind: str, power: str) -> Roll:
        lead = self.table.lead(self.invader, self.system)
        again = (str(self.number),) if self.number > 1 else ()
        return self.table.roll(10, "ground", self.system, lead, kind, power, *again)


def fight_on_the_ground(battle: GroundBattle) -> None:
    """EN-GFI-1, 6: one pass: flights, flights and troops, troops."""
    table = battle.table
    fighting = [unit for unit in table.at(battle.system) if takes_part(battle, unit)]
    battle.units = [Combatant(unit, table.design(unit)) for unit in fighting]
    set_ground_ratings(battle)
    reveal(battle)
    roll_troops(battle)
    roll_flights(battle)
    exchange(battle, DOGFIGHT)
    exchange(battle, STRIKE, FLAK)
    exchange(battle, TROOPS)
    for power in battle.powers:
        alive = [table.units[u.id] for u in battle.units if u.owner == power and u.id in table.units]
        meet(table, battle.audience - battle.allies(power), battle.system, alive)


def takes_part(battle: GroundBattle, unit: Unit) -> bool:
    """EN-GFE-1: all landed troops and all intact flights, unless left out or aboard a ship that cannot help."""
    if unit.owner not in battle.sides or not unit.in_play:
        return False
    if battle.table.is_troop(unit):
        return unit.landed
    if not battle.table.is_flight(unit) or not unit.intact or unit.id in battle.plans[unit.owner].exclude_own:
        return False
    if unit.carrier is None:
        return True
    carrier = battle.table.units[unit.carrier]
    return carrier.intact and carrier.in_play and carrier.id not in battle.excluded


def set_ground_ratings(battle: GroundBattle) -> None:
    """EN-GDR-1, 2: 1 for all; against a landing the defender's troops are dug in, and a first landing is exposed."""
    ratings = tables().rating
    for unit in battle.units:
        unit.dr = ratings.ground
        if unit.is_flight or not battle.landing:
            continue
        if unit.owner in battle.defender:
            unit.dr = ratings.dug_in
        elif battle.landing == "first":
            unit.dr = ratings.landing


def reveal(battle: GroundBattle) -> None:
    for power in battle.powers:
        sightings = [sight(battle.table, unit.unit) for unit in battle.units if unit.owner == power]
        for other in sorted(battle.audience - battle.allies(power)):
            remember(battle.table, other, sightings)


# --- effectiveness ---------------------------------------------------------------------------------------------------


def roll_troops(battle: GroundBattle) -> None:
    """EN-GFE-2, 4: one troop roll for each power with an intact participating troop."""
    for power in battle.powers:
        if any(unit.intact for unit in battle.of(power, "troop")):
            recon = ability_cc(battle.of(power, "troop"), "Recon")
            shock = ability_cc(battle.against(power, "troop"), "Shock")
            parts = {"readiness": battle.modifier(power), "Recon": recon, "Shock": -shock}
            battle.troop_percent[power] = effectiveness(battle, "EN-GFE-2", "troops", power, parts)


def roll_flights(battle: GroundBattle) -> None:
    """EN-GFE-3, 4: the invader adds its Carriers in orbit, the owner its unspent Intel."""
    for power in battle.powers:
        if battle.of(power, "flight"):
            parts = {"readiness": battle.modifier(power), **flight_help(battle, power)}
            battle.flight_percent[power] = effectiveness(battle, "EN-GFE-3", "flights", power, parts)


def effectiveness(battle: GroundBattle, rule: str, kind: str, power: str, parts: Mapping[str, int]) -> int:
    rows = tables().fire.troops if kind == "troops" else tables().fire.ground_flights
    roll = battle.roll(kind, power)
    percent = percent_at(rows, roll.face + sum(parts.values()))
    battle.tell_roll("ground_roll", rule, power, {"power": power, "kind": kind, "percent": percent}, roll, parts=parts)
    return percent


def flight_help(battle: GroundBattle, power: str) -> dict[str, int]:
    table = battle.table
    if power in battle.invader:
        ships = [u for u in table.at(battle.system) if u.owner == power and u.intact and u.in_play and table.is_ship(u)]
        return {"Carrier": sum(table.design(ship).CC for ship in ships if table.design(ship).has("Carrier"))}
    if table.systems[battle.system].owner == power:
        return {"Intel": table.powers[power].intel.get(battle.system, 0)}
    return {}


# --- fire ------------------------------------------------------------------------------------------------------------


def points_of(battle: GroundBattle, power: str, step: str) -> int:
    """EN-GFI-2, 3, 4: what a power scores in a step, from totals at its start."""
    if step in (DOGFIGHT, STRIKE):
        total = sum(flight.AF if step == DOGFIGHT else flight.AS for flight in battle.of(power, "flight"))
        return nearest_whole(percent_of(total, battle.flight_percent.get(power, 0)))
    troops = [troop for troop in battle.of(power, "troop") if troop.intact]
    if not troops:
        return 0
    total = sum(troop.AF if step == FLAK else troop.AS for troop in troops)
    scored = nearest_whole(percent_of(total, battle.troop_percent.get(power, 0)))
    return scored + (battle.bonus.get(power, 0) if step == TROOPS else 0)


def exchange(battle: GroundBattle, *steps: str) -> None:
    """EN-GFI-1, 5: totals at the start, simultaneous effect, no residual."""
    volleys = [
        (power, step, points_of(battle, power, step), battle.against(power, TARGETS[step]))
        for step in steps
        for power in battle.powers
    ]
    for power, step, points, targets in volleys:
        if not points or not targets:
            continue
        bonus = battle.bonus.get(power, 0) if step == TROOPS else 0
        facts = {"power": power, "step": step, "points": points, "bonus": bonus}
        battle.tell_all("ground_fire", RULES[step], facts)
        hits = hits_for(battle.plans[power], battle.doctrines(power), step)
        shift = DOGFIGHT_SHIFT if step == DOGFIGHT else 0
        report = partial(battle.note_damage, power)
        spend_points(points, hits, targets, absorbs(battle, power), report, shift=shift)


def absorbs(battle: GroundBattle, firer: str) -> str:
    lead = battle.table.lead(battle.other(firer), battle.system)
    return setting(battle.plans[lead], battle.doctrines(lead), "absorb")
