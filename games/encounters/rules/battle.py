"""A space or orbital battle: forces, rounds, end (rule book 3.3, EN-END, EN-SEQ-5)."""

from __future__ import annotations

from collections.abc import Mapping

from games.encounters.orders.plans import BattlePlan
from games.encounters.rules.combat import Bloc, Combat, doctrines_of, setting
from games.encounters.rules.combatant import Combatant
from games.encounters.rules.contacts import meet, remember, sight
from games.encounters.rules.missions import ENGAGE, aim_disruption, assign_missions
from games.encounters.rules.ratings import reset_ratings, set_ratings
from games.encounters.rules.squadrons import Force, Forced, apply_forced, forced_choices
from games.encounters.state import BattleStart
from games.encounters.table import Table
from pbem.kit.dice import Roll


class Battle(Combat):
    """One engagement of two blocs while it is fought."""

    def __init__(self, table: Table, kind: str, system: str, number: int, blocs: tuple[Bloc, Bloc]) -> None:
        super().__init__(table, kind, system, blocs)
        self.number = number
        self.forces: list[Force] = []
        self.doctrines: dict[str, list[Mapping[str, str]]] = {}
        self.wanted: set[str] = set()
        self.round = 1
        self.residual: dict[tuple[str, str], int] = {}
        self.percents: dict[tuple[str, str], int] = {}
        self.start = BattleStart(system)
        self.plans: dict[str, BattlePlan] = {}

    def add(self, force: Force) -> None:
        self.forces.append(force)
        self.forces.sort(key=lambda joined: self.table.seat(joined.power))
        self.doctrines[force.power] = doctrines_of(self.table, force.power, force.flagship)

    @property
    def step(self) -> str:
        which = f" ({self.number})" if self.number > 1 else ""
        return f"{super().step}{which}, round {self.round}"

    @property
    def audience(self) -> frozenset[str]:
        return frozenset(force.power for force in self.forces)

    def roll(self, *label: object) -> Roll:
        """EN-GEN-1: a d10 of this round."""
        return self.table.roll(10, self.kind, self.system, self.number, f"round {self.round}", *label)

    def side(self, index: int) -> list[Force]:
        return [force for force in self.forces if self.sides[force.power] == index]

    def own(self, power: str) -> list[Force]:
        return self.side(self.sides[power])

    def against(self, power: str) -> list[Force]:
        return self.side(1 - self.sides[power])

    def enemies(self, power: str) -> list[Combatant]:
        return [unit for force in self.against(power) for unit in force.units if unit.here]

    def left(self, index: int) -> list[Combatant]:
        """Who of a side is still in the battle."""
        return [unit for force in self.side(index) for unit in force.units if unit.here]

    def budget(self, power: str) -> int:
        pair = self.readiness(power)
        return pair.budget if pair else 0

    def setting(self, force: Force, topic: str) -> str:
        return setting(force.plan, self.doctrines[force.power], topic)

    def absorbs(self, power: str) -> str:
        """EN-SEQ-5: nondirected damage falls by the absorb doctrine of the bloc's lead."""
        lead = self.table.lead(self.bloc(power), self.system)
        for force in self.forces:
            if force.power == lead:
                return self.setting(force, "absorb")
        return setting(self.plans[lead], doctrines_of(self.table, lead, None), "absorb")

    def flagships_against(self, power: str) -> list[int]:
        return [flagship for force in self.against(power) for flagship in force.flagships]

    def lose(self, target: Combatant) -> None:
        """EN-DMG-8: a destroyed carrier takes with it held flights and troops; launched flights fight on."""
        flights = {unit.id: unit for force in self.forces for unit in force.units if unit.is_flight}
        cargo = [unit for unit in self.table.aboard(target.id) if unit.id not in flights or not flights[unit.id].here]
        watching, own = self.table.present(self.system) - self.audience, self.allies(target.owner)
        for unit in cargo:
            if unit.id in flights:
                flights[unit.id].fall()
        for unit in (*cargo, target.unit):
            self.table.lose(unit)
        facts = {"unit": target.name, "owner": target.owner}
        lost = {**facts, "lost": len(cargo), "afar": False}
        self.tell("loss", "EN-DMG-8", own, {**lost, "cargo": [unit.name for unit in cargo]})
        self.tell("loss", "EN-DMG-8", self.audience - own, {**lost, "cargo": []})
        if watching:
            self.tell("loss", "EN-DMG-8", watching, {**facts, "cargo": [], "lost": 0, "afar": True})


# --- before the first round ------------------------------------------------------------------------------------------


def open_battle(battle: Battle) -> None:
    """Whoever is forced in or out is; then both sides hear who is there."""
    force_units(battle)
    announce_forces(battle)
    reveal_participants(battle)


def force_units(battle: Battle) -> None:
    """EN-INX-2: both blocs' choices are made on the forces as chosen, at once."""
    made: list[Forced] = []
    for index in (0, 1):
        forcers, enemies = battle.side(index), battle.side(1 - index)
        if forcers and enemies:
            made.extend(forced_choices(battle.budget(forcers[0].power), forcers, enemies))
    apply_forced(battle.table, made, battle.forces)
    for forced in made:
        facts = {"by": forced.by, "unit": forced.unit.name, "owner": forced.unit.owner, "CC": forced.cost}
        battle.tell_all("forced", "EN-INX-1", {**facts, "way": "in" if forced.way == "include" else "out"})


def announce_forces(battle: Battle) -> None:
    for force in battle.forces:
        squadrons = [[name, [unit.name for unit in force.members(name)]] for name in force.squadrons]
        facts, own = {"power": force.power, "squadrons": squadrons}, battle.allies(force.power)
        battle.tell("forces", "EN-SQD-1", own, {**facts, "reserve": len(force.reserve)})
        if others := battle.audience - own:
            battle.tell("forces", "EN-SQD-1", others, {**facts, "reserve": None})


def reveal_participants(battle: Battle) -> None:
    """Section 8: a battle report gives the names of all participants."""
    for force in battle.forces:
        sightings = [sight(battle.table, unit.unit) for unit in (*force.units, *force.excluded)]
        for other in battle.against(force.power):
            remember(battle.table, other.power, sightings)


# --- the start of a round --------------------------------------------------------------------------------------------


def open_round(battle: Battle) -> None:
    """Steps a and b: missions and Defence Ratings."""
    rolled = battle.start.eff if battle.round == battle.start.round else {}
    battle.percents = {(key, step): percent for key, steps in rolled.items() for step, percent in steps.items()}
    battle.tell_all("round", "EN-END-3", {"n": battle.round})
    switch = battle.table.switches.fire_control
    lines = {force.power: assign_missions(force, battle.round, fire_control=switch) for force in battle.forces}
    reset_ratings(battle.forces)
    for force in battle.forces:
        aim_disruption(force, lines[force.power], battle.against(force.power))
    changes = set_ratings(battle.forces, battle.sides, battle.round)
    if battle.round == battle.start.round:
        override_ratings(battle)
    for force in battle.forces:
        for unit in force.units:
            tell_unit(battle, unit, changes[unit.id])
            unit.disorder = False


def override_ratings(battle: Battle) -> None:
    """A situation file may set the ratings of the round it starts in."""
    for force in battle.forces:
        for unit in force.units:
            unit.dr = battle.start.DR.get(unit.id, unit.dr)


def tell_unit(battle: Battle, unit: Combatant, changes: tuple[int, int]) -> None:
    if not unit.here:
        return
    named = {"unit": unit.name, "owner": unit.owner}
    if unit.intact and unit.mission != ENGAGE:
        target = unit.disrupts[1] if unit.disrupts else ""
        mission = {"mission": unit.mission, "squadron": unit.squadron, "target": target}
        battle.tell_all("mission", "EN-MIS-1", {**named, **mission})
    ups, downs = changes
    if unit.dr or ups or downs:
        rating = {"start": unit.start, "ups": ups, "downs": downs, "final": unit.dr}
        battle.tell_all("rating", "EN-DR-5", {**named, **rating})


# --- the end ---------------------------------------------------------------------------------------------------------


def wished_rounds(battle: Battle) -> int:
    """EN-END-1: the highest ``rounds`` wish; max_rounds for whoever wanted to fight, 1 for others."""
    most = battle.table.switches.max_rounds
    wishes = [
        force.plan.rounds if force.plan.rounds is not None else (most if force.power in battle.wanted else 1)
        for force in battle.forces
    ]
    return min(most, max(wishes))


def why_over(battle: Battle) -> str:
    """EN-END-1: why the battle ends after this round; empty: it goes on."""
    if not battle.left(0) or not battle.left(1):
        return "no one is left to fight"
    if battle.round >= battle.table.switches.max_rounds:
        return "the last round is over"
    return "nobody wishes another round" if battle.round >= wished_rounds(battle) else ""


def holds_field(battle: Battle) -> Bloc:
    """EN-END-2: a bloc with an intact participant left while the other has none."""
    fit = [any(unit.intact for unit in battle.left(index)) for index in (0, 1)]
    return () if fit[0] == fit[1] else battle.blocs[fit.index(True)]


def close_battle(battle: Battle, reason: str) -> None:
    """EN-END-1, 2: tell who holds the field, and let both sides remember whom they met."""
    table = battle.table
    holders = [key for key in holds_field(battle) if key in battle.audience]
    facts = {"reason": reason, "field": holders, "rounds": battle.round}
    battle.tell("battle_end", "EN-END-1", table.present(battle.system) | battle.audience, facts)
    for force in battle.forces:
        alive = [table.units[u.id] for u in force.units if u.id in table.units and u.left != "retreated"]
        meet(table, [other.power for other in battle.against(force.power)], battle.system, alive)
