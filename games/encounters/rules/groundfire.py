"""The ground battle itself (rule book 4.10: EN-GFE, EN-GDR, EN-GFI)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from games.encounters.plans import BattlePlan
from games.encounters.rules.battle import doctrines_of, hits_for, setting
from games.encounters.rules.board import Board
from games.encounters.rules.combatant import Combatant
from games.encounters.rules.contacts import meet, remember, sight
from games.encounters.rules.damage import spend_points
from games.encounters.rules.rounding import nearest_whole, percent_of
from games.encounters.rules.squadrons import combatant
from games.encounters.state import Unit
from games.encounters.tables import percent_at, tables
from pbem.kit.dice import Roll

Bloc = tuple[str, ...]
DOGFIGHT, STRIKE, FLAK, TROOPS = "dogfight", "strike", "flak", "troops"
RULES = {DOGFIGHT: "EN-GFI-2", STRIKE: "EN-GFI-3", FLAK: "EN-GFI-3", TROOPS: "EN-GFI-4"}
DOGFIGHT_SHIFT = -1


@dataclass
class GroundBattle:
    """One ground battle of two blocs."""

    board: Board
    system: str
    invader: Bloc
    defender: Bloc
    plans: Mapping[str, BattlePlan]
    bonus: Mapping[str, int]
    excluded: frozenset[int] = frozenset()
    landing: str = ""
    """EN-GDR-2: ``first`` landing, landing on a ``beachhead``, or none."""
    number: int = 1
    """How often this bloc has been the invader here this turn; tells the dice of two battles apart."""
    units: list[Combatant] = field(default_factory=list)
    troop_percent: dict[str, int] = field(default_factory=dict)
    flight_percent: dict[str, int] = field(default_factory=dict)

    @property
    def powers(self) -> list[str]:
        return self.board.by_seat({one.owner for one in self.units})

    def plan(self, power: str) -> BattlePlan:
        return self.plans.get(power, BattlePlan())

    def bloc(self, power: str) -> Bloc:
        return self.invader if power in self.invader else self.defender

    def other(self, power: str) -> Bloc:
        return self.defender if power in self.invader else self.invader

    def audience(self) -> frozenset[str]:
        sides = {*self.invader, *self.defender}
        return frozenset(sides & (self.board.present(self.system) | set(self.powers)))

    def own(self, power: str) -> frozenset[str]:
        return self.audience() & set(self.bloc(power))

    def tell(
        self, kind: str, rule: str, seen_by: frozenset[str], rolls: tuple[Roll, ...] = (), /, **facts: Any
    ) -> None:
        self.board.tell(
            kind, rule, f"ground battle at {self.system}", seen_by, rolls, system=self.system, battle="ground", **facts
        )

    def modifier(self, power: str) -> int:
        """EN-RDY-4: the same readiness serves the ground battle; 0 where nobody rolled."""
        encounter = self.board.encounters.get(self.system)
        pair = encounter.between(power, self.other(power)[0]) if encounter else None
        return pair.modifier if pair else 0

    def of(self, power: str, kind: str) -> list[Combatant]:
        return [one for one in self.units if one.owner == power and one.here and one.design.category == kind]

    def against(self, power: str, kind: str) -> list[Combatant]:
        foes = self.other(power)
        return [one for one in self.units if one.owner in foes and one.here and one.design.category == kind]


def fight_on_the_ground(battle: GroundBattle) -> None:
    """EN-GFI-1, 6: one pass: flights, flights and troops, troops."""
    battle.units = [
        combatant(battle.board, unit) for unit in battle.board.at(battle.system) if takes_part(battle, unit)
    ]
    set_ground_ratings(battle)
    reveal(battle)
    roll_troops(battle)
    roll_flights(battle)
    exchange(battle, DOGFIGHT)
    exchange(battle, STRIKE, FLAK)
    exchange(battle, TROOPS)
    for power in battle.powers:
        alive = [
            battle.board.units[one.id] for one in battle.units if one.owner == power and one.id in battle.board.units
        ]
        meet(battle.board, battle.audience() - battle.own(power), battle.system, alive)


def takes_part(battle: GroundBattle, unit: Unit) -> bool:
    """EN-GFE-1: all landed troops and all intact flights, unless left out or aboard a ship that cannot help."""
    if unit.owner not in (*battle.invader, *battle.defender) or not unit.in_play:
        return False
    if battle.board.is_troop(unit):
        return unit.landed
    if not battle.board.is_flight(unit) or not unit.intact or unit.id in battle.plan(unit.owner).exclude_own:
        return False
    if unit.carrier is None:
        return True
    carrier = battle.board.units[unit.carrier]
    return carrier.intact and carrier.in_play and carrier.id not in battle.excluded


def set_ground_ratings(battle: GroundBattle) -> None:
    """EN-GDR-1, 2: 1 for all; against a landing the defender's troops are dug in, and a first landing is exposed."""
    table = tables().rating
    for one in battle.units:
        one.dr = table.ground
        if one.is_flight or not battle.landing:
            continue
        if one.owner in battle.defender:
            one.dr = table.dug_in
        elif battle.landing == "first":
            one.dr = table.landing


def reveal(battle: GroundBattle) -> None:
    for power in battle.powers:
        sightings = [
            sight(battle.board, battle.board.units[one.id], fully="no") for one in battle.units if one.owner == power
        ]
        for other in sorted(battle.audience() - battle.own(power)):
            remember(battle.board, other, sightings)


# --- effectiveness ---------------------------------------------------------------------------------------------------


def label(battle: GroundBattle, kind: str, power: str) -> tuple[str, ...]:
    lead = battle.board.lead(battle.invader, battle.system)
    again = (str(battle.number),) if battle.number > 1 else ()
    return ("ground", battle.system, lead, kind, power, *again)


def ability_cc(units: Sequence[Combatant], ability: str) -> int:
    return sum(one.design.CC for one in units if one.works(ability))


def roll_troops(battle: GroundBattle) -> None:
    """EN-GFE-2, 4: one troop roll for each power with an intact participating troop."""
    for power in battle.powers:
        if not any(one.intact for one in battle.of(power, "troop")):
            continue
        parts = {
            "readiness": battle.modifier(power),
            "Recon": ability_cc(battle.of(power, "troop"), "Recon"),
            "Shock": -ability_cc(battle.against(power, "troop"), "Shock"),
        }
        roll = battle.board.dice.roll(10, *label(battle, "troops", power))
        percent = percent_at(tables().fire.troops, roll.face + sum(parts.values()))
        battle.troop_percent[power] = percent
        tell_roll(battle, power, "troops", roll, parts, percent)


def roll_flights(battle: GroundBattle) -> None:
    """EN-GFE-3, 4: the invader adds its Carriers in orbit, the owner its unspent Intel."""
    for power in battle.powers:
        if not battle.of(power, "flight"):
            continue
        parts = {"readiness": battle.modifier(power), **flight_help(battle, power)}
        roll = battle.board.dice.roll(10, *label(battle, "flights", power))
        percent = percent_at(tables().fire.ground_flights, roll.face + sum(parts.values()))
        battle.flight_percent[power] = percent
        tell_roll(battle, power, "flights", roll, parts, percent)


def flight_help(battle: GroundBattle, power: str) -> dict[str, int]:
    board = battle.board
    if power in battle.invader:
        ships = [u for u in board.at(battle.system) if u.owner == power and u.intact and u.in_play and board.is_ship(u)]
        return {"Carrier": sum(board.design(unit).CC for unit in ships if board.design(unit).has("Carrier"))}
    if board.systems[battle.system].owner == power:
        return {"Intel": board.powers[power].intel.get(battle.system, 0)}
    return {}


def tell_roll(battle: GroundBattle, power: str, kind: str, roll: Roll, parts: dict[str, int], percent: int) -> None:
    own = battle.own(power)
    rule = "EN-GFE-2" if kind == "troops" else "EN-GFE-3"
    facts: dict[str, Any] = {"power": power, "kind": kind, "percent": percent}
    total = roll.face + sum(parts.values())
    battle.tell("ground_roll", rule, own, (roll,), **facts, die=roll.face, parts=parts, total=total)
    battle.tell("ground_roll", rule, battle.audience() - own, **facts, die=None, parts={}, total=None)


# --- fire ------------------------------------------------------------------------------------------------------------


def points_of(battle: GroundBattle, power: str, step: str) -> int:
    """EN-GFI-2, 3, 4: what a power scores in a step, from totals at its start."""
    if step in (DOGFIGHT, STRIKE):
        flights = battle.of(power, "flight")
        total = sum(one.AF if step == DOGFIGHT else one.AS for one in flights)
        return nearest_whole(percent_of(total, battle.flight_percent.get(power, 0)))
    troops = [one for one in battle.of(power, "troop") if one.intact]
    if not troops:
        return 0
    total = sum(one.AF if step == FLAK else one.AS for one in troops)
    scored = nearest_whole(percent_of(Fraction(total), battle.troop_percent.get(power, 0)))
    return scored + (battle.bonus.get(power, 0) if step == TROOPS else 0)


def exchange(battle: GroundBattle, *steps: str) -> None:
    """EN-GFI-1, 5: totals at the start, simultaneous effect, no residual."""
    fired = [(power, step, points_of(battle, power, step)) for step in steps for power in battle.powers]
    targets = {
        (power, step): battle.against(power, "troop" if step in (STRIKE, TROOPS) else "flight")
        for power, step, _ in fired
    }
    for power, step, points in fired:
        if not points or not targets[power, step]:
            continue
        bonus = battle.bonus.get(power, 0) if step == TROOPS else 0
        facts: dict[str, Any] = {"power": power, "step": step, "points": points, "bonus": bonus}
        battle.tell("ground_fire", RULES[step], battle.audience(), **facts)
        hits = hits_for(battle.plan(power), doctrines(battle, power), step)
        shift = DOGFIGHT_SHIFT if step == DOGFIGHT else 0
        spend_points(points, hits, targets[power, step], absorbs(battle, power), teller(battle, power), (), shift)


def doctrines(battle: GroundBattle, power: str) -> list[Mapping[str, str]]:
    return doctrines_of(battle.board, power, battle.plan(power).flagship)


def absorbs(battle: GroundBattle, firer: str) -> str:
    lead = battle.board.lead(battle.other(firer), battle.system)
    return setting(battle.plan(lead), doctrines(battle, lead), "absorb")


def teller(battle: GroundBattle, power: str) -> Callable[[Combatant, str, int], None]:
    """Tell every step of damage and make it true on the board."""

    def told(one: Combatant, how: str, cost: int) -> None:
        facts: dict[str, Any] = {
            "by": power,
            "unit": one.name,
            "owner": one.owner,
            "how": how,
            "cost": cost,
            "state": one.state,
        }
        battle.tell("damage", "EN-GFI-5", battle.audience(), **facts)
        if one.state != "destroyed":
            battle.board.change(one.id, state=one.state)
            return
        lost = battle.board.powers[one.owner].lost + one.design.cost
        battle.board.set_power(one.owner, lost=lost)
        audience = battle.audience()
        watching = battle.board.present(battle.system) - audience
        battle.board.remove(one.id)
        fallen: dict[str, Any] = {"unit": one.name, "owner": one.owner, "cargo": [], "lost": 0}
        battle.tell("loss", "EN-DMG-8", audience, **fallen, afar=False)
        if watching:
            battle.tell("loss", "EN-DMG-8", watching, **fallen, afar=True)

    return told
