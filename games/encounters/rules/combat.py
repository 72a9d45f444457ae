"""What battles in space and on the ground have in common: settings, who hears of them, losses (6.4, 4.8)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from games.encounters.orders.plans import BattlePlan, read_hits
from games.encounters.orders.records import Hit
from games.encounters.rules.combatant import Combatant
from games.encounters.rules.damage import DEFAULT_ABSORB
from games.encounters.state import Readiness
from games.encounters.table import Table
from pbem.kit.dice import Roll

Bloc = tuple[str, ...]
Doctrine = Mapping[str, str]
DEFAULTS = {"engage": "owner", "retreat": "crippled", "absorb": DEFAULT_ABSORB, "pursue": "no", "orbital": "yes"}


def doctrines_of(table: Table, power: str, flagship: int | None) -> list[Doctrine]:
    """6.4: the doctrine of the Flagship's fleet goes before the power's own."""
    unit = table.units.get(flagship) if flagship is not None else None
    fleet = table.fleets.get((power, unit.fleet)) if unit else None
    own = table.powers[power].doctrine
    return [fleet.doctrine, own] if fleet else [own]


def setting(plan: BattlePlan, doctrines: Sequence[Doctrine], topic: str) -> str:
    """6.4: a battle order overrides a fleet doctrine, which overrides the power's."""
    ordered = getattr(plan, topic, None)
    if ordered is not None:
        return str(ordered)
    return next((doctrine[topic] for doctrine in doctrines if topic in doctrine), DEFAULTS[topic])


def hits_for(plan: BattlePlan, doctrines: Sequence[Doctrine], kind: str) -> tuple[Hit, ...] | None:
    """6.2: a line for one kind beats ``all``; None: no list, so the plain aim."""
    for word in (kind, "all"):
        if word in plan.direct:
            return plan.direct[word]
    for doctrine in doctrines:
        for word in (kind, "all"):
            if f"direct {word}" in doctrine:
                return read_hits(doctrine[f"direct {word}"])
    return None


class Combat:
    """A battle of two blocs in one system while it is fought."""

    damage_rules: ClassVar[Mapping[str, str]] = {"directed": "EN-DMG-2", "nondirected": "EN-DMG-3"}

    def __init__(self, table: Table, kind: str, system: str, blocs: tuple[Bloc, Bloc]) -> None:
        self.table = table
        self.kind = kind
        self.system = system
        self.blocs = blocs
        self.sides: dict[str, int] = {key: index for index, bloc in enumerate(blocs) for key in bloc}

    @property
    def step(self) -> str:
        return f"{self.kind} battle at {self.system}"

    @property
    def audience(self) -> frozenset[str]:
        """The powers in the battle."""
        raise NotImplementedError

    def bloc(self, power: str) -> Bloc:
        return self.blocs[self.sides[power]]

    def other(self, power: str) -> Bloc:
        return self.blocs[1 - self.sides[power]]

    def allies(self, power: str) -> frozenset[str]:
        """The power and its bloc, as far as they are in the battle."""
        return self.audience & set(self.bloc(power))

    def readiness(self, power: str) -> Readiness | None:
        return self.table.between(self.system, power, self.other(power)[0])

    def modifier(self, power: str) -> int:
        """EN-RDY-4: the bloc's fire modifier against the enemy bloc; 0 where nobody rolled."""
        pair = self.readiness(power)
        return pair.modifier if pair else 0

    # --- telling -----------------------------------------------------------------------------------------------------

    def tell(
        self, kind: str, rule: str, seen_by: Iterable[str], facts: Mapping[str, Any], rolls: Sequence[Roll] = ()
    ) -> None:
        with self.table.during(self.step):
            self.table.tell(kind, rule, seen_by, {"system": self.system, "battle": self.kind, **facts}, rolls)

    def tell_all(self, kind: str, rule: str, facts: Mapping[str, Any]) -> None:
        self.tell(kind, rule, self.audience, facts)

    def tell_roll(
        self, kind: str, rule: str, power: str, facts: Mapping[str, Any], roll: Roll, **parts: Mapping[str, int]
    ) -> None:
        """The own bloc hears die and modifiers, which would betray the readiness to all others."""
        own, total = self.allies(power), roll.face + sum(sum(part.values()) for part in parts.values())
        self.tell(kind, rule, own, {**facts, "die": roll.face, "total": total, **parts}, (roll,))
        self.tell(
            kind, rule, self.audience - own, {**facts, "die": None, "total": None, **{name: {} for name in parts}}
        )

    # --- losses ------------------------------------------------------------------------------------------------------

    def note_damage(self, by: str, target: Combatant, how: str, cost: int) -> None:
        """Every step of damage is told and at once true on the table."""
        facts = {"by": by, "unit": target.name, "owner": target.owner, "how": how, "cost": cost, "state": target.state}
        self.tell_all("damage", self.damage_rules[how], facts)
        if target.state == "destroyed":
            self.lose(target)
        else:
            self.table.change(self.table.units[target.id], state=target.state)

    def lose(self, target: Combatant) -> None:
        """EN-DMG-8: a unit is gone; whoever watches without part in the battle learns no more than its name."""
        audience, watching = self.audience, self.table.present(self.system) - self.audience
        self.table.lose(target.unit)
        facts = {"unit": target.name, "owner": target.owner, "cargo": [], "lost": 0}
        self.tell("loss", "EN-DMG-8", audience, {**facts, "afar": False})
        if watching:
            self.tell("loss", "EN-DMG-8", watching, {**facts, "afar": True})
