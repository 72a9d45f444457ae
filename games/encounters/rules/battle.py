"""A space or orbital battle: forces, rounds, end (rule book 3.3, EN-END, EN-SEQ-5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.encounters.plans import BattlePlan, Hit, read_hits
from games.encounters.rules import inclusion
from games.encounters.rules.board import Board
from games.encounters.rules.combatant import Combatant
from games.encounters.rules.contacts import meet, remember, sight
from games.encounters.rules.damage import DEFAULT_ABSORB
from games.encounters.rules.missions import ENGAGE, aim_disruption, assign_missions
from games.encounters.rules.ratings import reset_ratings, set_ratings
from games.encounters.rules.squadrons import Force
from games.encounters.state import BattleStart, Readiness
from pbem.kit.dice import Roll

Bloc = tuple[str, ...]
DEFAULTS = {"engage": "owner", "retreat": "crippled", "absorb": DEFAULT_ABSORB, "pursue": "no", "orbital": "yes"}


def doctrines_of(board: Board, power: str, flagship: int | None) -> list[Mapping[str, str]]:
    """6.4: the doctrine of the Flagship's fleet goes before the power's own."""
    unit = board.units.get(flagship) if flagship is not None else None
    fleet = board.fleets.get((power, unit.fleet)) if unit else None
    own = board.powers[power].doctrine
    return [fleet.doctrine, own] if fleet else [own]


def setting(plan: BattlePlan, doctrines: Sequence[Mapping[str, str]], topic: str) -> str:
    """6.4: a battle order overrides a fleet doctrine, which overrides the power's."""
    ordered = getattr(plan, topic, None)
    if ordered is not None:
        return str(ordered)
    return next((one[topic] for one in doctrines if topic in one), DEFAULTS[topic])


def hits_for(plan: BattlePlan, doctrines: Sequence[Mapping[str, str]], kind: str) -> tuple[Hit, ...] | None:
    """6.2: a line for one kind beats ``all``; None: no list, so the plain aim."""
    for word in (kind, "all"):
        if word in plan.direct:
            return plan.direct[word]
    for doctrine in doctrines:
        for word in (kind, "all"):
            if f"direct {word}" in doctrine:
                return read_hits(doctrine[f"direct {word}"])
    return None


class Battle:
    """One engagement of two blocs while it is fought."""

    def __init__(self, board: Board, kind: str, system: str, number: int, blocs: tuple[Bloc, Bloc]) -> None:
        self.board = board
        self.kind = kind
        self.system = system
        self.number = number
        self.blocs = blocs
        self.forces: list[Force] = []
        self.sides: dict[str, int] = {key: index for index, bloc in enumerate(blocs) for key in bloc}
        self.doctrines: dict[str, list[Mapping[str, str]]] = {}
        self.wanted: set[str] = set()
        self.round = 1
        self.residual: dict[tuple[str, str], int] = {}
        self.percents: dict[tuple[str, str], int] = {}
        self.start = BattleStart(system)
        self.field: str = ""
        self.plans: dict[str, BattlePlan] = {}

    def add(self, force: Force) -> None:
        self.forces.append(force)
        self.forces.sort(key=lambda one: one.seat)
        self.doctrines[force.power] = doctrines_of(self.board, force.power, force.flagship)

    @property
    def step(self) -> str:
        which = f" ({self.number})" if self.number > 1 else ""
        return f"{self.kind} battle at {self.system}{which}, round {self.round}"

    @property
    def audience(self) -> frozenset[str]:
        """The powers in the battle."""
        return frozenset(force.power for force in self.forces)

    def tell(
        self, kind: str, rule: str, seen_by: frozenset[str] | None = None, rolls: tuple[Roll, ...] = (), /, **facts: Any
    ) -> None:
        known = {"system": self.system, "battle": self.kind, **facts}
        self.board.tell(kind, rule, self.step, self.audience if seen_by is None else seen_by, rolls, **known)

    def own(self, power: str) -> list[Force]:
        return [force for force in self.forces if self.sides[force.power] == self.sides[power]]

    def against(self, power: str) -> list[Force]:
        return [force for force in self.forces if self.sides[force.power] != self.sides[power]]

    def allies(self, power: str) -> frozenset[str]:
        return frozenset(force.power for force in self.own(power))

    def enemies(self, power: str) -> list[Combatant]:
        return [one for force in self.against(power) for one in force.units if one.here]

    def readiness(self, power: str) -> Readiness | None:
        encounter = self.board.encounters.get(self.system)
        other = self.blocs[1 - self.sides[power]]
        return encounter.between(power, other[0]) if encounter else None

    def modifier(self, power: str) -> int:
        """EN-RDY-4: the bloc's fire modifier against the enemy bloc."""
        found = self.readiness(power)
        return found.modifier if found else 0

    def budget(self, power: str) -> int:
        found = self.readiness(power)
        return found.budget if found else 0

    def setting(self, force: Force, topic: str) -> str:
        return setting(force.plan, self.doctrines[force.power], topic)

    def absorbs(self, power: str) -> str:
        """EN-SEQ-5: nondirected damage falls by the absorb doctrine of the bloc's lead."""
        lead = self.board.lead(self.blocs[self.sides[power]], self.system)
        for force in self.forces:
            if force.power == lead:
                return self.setting(force, "absorb")
        return setting(self.plans.get(lead, BattlePlan()), doctrines_of(self.board, lead, None), "absorb")

    def flagships_against(self, power: str) -> list[int]:
        return [force.flagship for force in self.against(power) if force.flagship is not None]

    # --- losses ------------------------------------------------------------------------------------------------------

    def note_damage(self, by: str, one: Combatant, how: str, cost: int) -> None:
        """Every step of damage is told and at once true on the board."""
        facts: dict[str, Any] = {
            "by": by,
            "unit": one.name,
            "owner": one.owner,
            "how": how,
            "cost": cost,
            "state": one.state,
        }
        self.tell("damage", "EN-DMG-2" if how == "directed" else "EN-DMG-3", **facts)
        if one.state == "destroyed":
            self.lose(one)
        else:
            self.board.change(one.id, state=one.state)

    def lose(self, one: Combatant) -> None:
        """EN-DMG-8: a destroyed carrier takes with it held flights and troops; launched flights fight on."""
        fighting = {flight.id for force in self.forces for flight in force.units if flight.is_flight and flight.here}
        cargo = [unit for unit in self.board.aboard(one.id) if unit.id not in fighting]
        for force in self.forces:
            for flight in force.units:
                if flight.id in {unit.id for unit in cargo}:
                    flight.state, flight.left = "destroyed", "destroyed"
        lost = one.design.cost + sum(self.board.design(unit).cost for unit in cargo)
        self.board.set_power(one.owner, lost=self.board.powers[one.owner].lost + lost)
        for unit in cargo:
            self.board.remove(unit.id)
        watching = self.board.present(self.system) - self.audience
        self.board.remove(one.id)
        own = self.allies(one.owner)
        facts: dict[str, Any] = {"unit": one.name, "owner": one.owner}
        self.tell("loss", "EN-DMG-8", own, **facts, cargo=[unit.name for unit in cargo], lost=len(cargo), afar=False)
        self.tell("loss", "EN-DMG-8", self.audience - own, **facts, cargo=[], lost=len(cargo), afar=False)
        if watching:
            self.tell("loss", "EN-DMG-8", watching, **facts, cargo=[], lost=0, afar=True)


# --- before the first round ------------------------------------------------------------------------------------------


def force_units(battle: Battle) -> None:
    """EN-INX-2: both blocs' choices are made on the forces as chosen, at once."""
    made: list[inclusion.Forced] = []
    for index in (0, 1):
        forcers = [force for force in battle.forces if battle.sides[force.power] == index]
        enemies = [force for force in battle.forces if battle.sides[force.power] != index]
        if forcers and enemies:
            made.extend(inclusion.choices(battle.budget(forcers[0].power), forcers, enemies))
    inclusion.apply(battle.board, made, battle.forces)
    for forced in made:
        facts: dict[str, Any] = {
            "by": forced.by,
            "unit": forced.unit.name,
            "owner": forced.unit.owner,
            "CC": forced.cost,
        }
        battle.tell("forced", "EN-INX-1", way="in" if forced.way == "include" else "out", **facts)


def announce_forces(battle: Battle) -> None:
    for force in battle.forces:
        squadrons = {name: [one.name for one in force.members(name)] for name in force.squadrons}
        facts: dict[str, Any] = {
            "power": force.power,
            "squadrons": [[name, units] for name, units in squadrons.items()],
        }
        own = battle.allies(force.power)
        battle.tell("forces", "EN-SQD-1", own, **facts, reserve=len(force.reserve))
        others = battle.audience - own
        if others:
            battle.tell("forces", "EN-SQD-1", others, **facts, reserve=None)


def reveal_participants(battle: Battle) -> None:
    """Section 8: a battle report gives the names of all participants."""
    for force in battle.forces:
        sightings = [
            sight(battle.board, battle.board.units[one.id], fully="no") for one in (*force.units, *force.excluded)
        ]
        for other in battle.against(force.power):
            remember(battle.board, other.power, sightings)


# --- the start of a round --------------------------------------------------------------------------------------------


def open_round(battle: Battle) -> None:
    """Steps a and b: missions and Defence Ratings."""
    rolled = battle.start.eff if battle.round == battle.start.round else {}
    battle.percents = {(key, step): percent for key, steps in rolled.items() for step, percent in steps.items()}
    battle.tell("round", "EN-END-3", n=battle.round)
    lines = {}
    for force in battle.forces:
        switch = battle.board.switches.fire_control
        lines[force.power] = assign_missions(force, battle.round, fire_control=switch)
    reset_ratings(battle.forces)
    for force in battle.forces:
        aim_disruption(force, lines[force.power], battle.against(force.power))
    changes = set_ratings(battle.forces, battle.sides, battle.round)
    if battle.round == battle.start.round:
        override_ratings(battle)
    for force in battle.forces:
        for one in force.units:
            tell_unit(battle, one, changes[one.id])
            one.disorder = False


def override_ratings(battle: Battle) -> None:
    """A situation file may set the ratings of the round it starts in."""
    for force in battle.forces:
        for one in force.units:
            one.dr = battle.start.DR.get(one.id, one.dr)


def tell_unit(battle: Battle, one: Combatant, changes: tuple[int, int]) -> None:
    if not one.here:
        return
    if one.intact and one.mission != ENGAGE:
        target = one.disrupts[1] if one.disrupts else ""
        facts: dict[str, Any] = {"unit": one.name, "owner": one.owner, "mission": one.mission, "squadron": one.squadron}
        battle.tell("mission", "EN-MIS-1", **facts, target=target)
    ups, downs = changes
    if one.dr or ups or downs:
        facts = {"unit": one.name, "owner": one.owner, "start": one.start, "ups": ups, "downs": downs}
        battle.tell("rating", "EN-DR-5", **facts, final=one.dr)


# --- the end ---------------------------------------------------------------------------------------------------------


def wished_rounds(battle: Battle) -> int:
    """EN-END-1: the highest ``rounds`` wish; max_rounds for whoever wanted to fight, 1 for others."""
    most = battle.board.switches.max_rounds
    wishes = [
        force.plan.rounds if force.plan.rounds is not None else (most if force.power in battle.wanted else 1)
        for force in battle.forces
    ]
    return min(most, max(wishes))


def why_over(battle: Battle) -> str:
    """EN-END-1: why the battle ends after this round; empty: it goes on."""
    for index in (0, 1):
        left = [one for f in battle.forces if battle.sides[f.power] == index for one in f.units if one.here]
        if not left:
            return "no one is left to fight"
    if battle.round >= battle.board.switches.max_rounds:
        return "the last round is over"
    return "nobody wishes another round" if battle.round >= wished_rounds(battle) else ""


def holds_field(battle: Battle) -> Bloc | None:
    """EN-END-2: a bloc with an intact participant left while the other has none."""
    fit = [
        any(one.here and one.intact for f in battle.forces if battle.sides[f.power] == index for one in f.units)
        for index in (0, 1)
    ]
    if fit[0] == fit[1]:
        return None
    return battle.blocs[0] if fit[0] else battle.blocs[1]


def close_battle(battle: Battle, reason: str) -> None:
    """EN-END-1, 2: tell who holds the field, and let both sides remember whom they met."""
    holder = holds_field(battle)
    battle.field = holder[0] if holder else ""
    holders = [key for key in (holder or ()) if key in battle.audience]
    battle.tell(
        "battle_end",
        "EN-END-1",
        battle.board.present(battle.system) | battle.audience,
        reason=reason,
        field=holders,
        rounds=battle.round,
    )
    for force in battle.forces:
        alive = [battle.board.units[o.id] for o in force.units if o.id in battle.board.units and o.left != "retreated"]
        meet(battle.board, [other.power for other in battle.against(force.power)], battle.system, alive)
