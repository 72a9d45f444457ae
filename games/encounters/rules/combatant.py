"""A unit while it fights, and the selectors that pick among such units (rule book 6.5)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from games.encounters.data import PATHS, Design, tables
from games.encounters.orders.records import Target
from games.encounters.rules.rounding import nearest_whole, percent_of
from games.encounters.state import Condition, Unit


@dataclass(eq=False)
class Combatant:
    """One ship, base, flight or troop in a battle: its record as the fire leaves it, and what the battle adds."""

    unit: Unit
    design: Design
    squadron: str = ""
    mission: str = "engage"
    disrupts: tuple[str, str] | None = None
    """Power and squadron whose ratings it lowers this round."""
    start: int = 0
    dr: int = 0
    disorder: bool = False
    left: str = ""
    """Why it is no longer in the battle: ``destroyed``, ``retreated``, ``aboard``."""

    @property
    def id(self) -> int:
        return self.unit.id

    @property
    def name(self) -> str:
        return self.unit.name

    @property
    def owner(self) -> str:
        return self.unit.owner

    @property
    def state(self) -> Condition:
        return self.unit.state

    @property
    def intact(self) -> bool:
        return self.unit.intact

    @property
    def here(self) -> bool:
        """Still in the battle."""
        return not self.left

    @property
    def is_flight(self) -> bool:
        return self.design.category == "flight"

    @property
    def is_ship(self) -> bool:
        return self.design.category == "ship"

    def fall(self) -> None:
        self.left = "destroyed"
        self.unit = replace(self.unit, state="destroyed")

    @property
    def AS(self) -> int:  # noqa: N802 - the rule book's word
        """EN-GEN-3: a crippled unit has AS 0."""
        return self.design.AS if self.intact else 0

    @property
    def AF(self) -> int:  # noqa: N802 - the rule book's word
        return self.design.AF if self.intact else 0

    def works(self, ability: str) -> bool:
        """EN-GEN-4: abilities count on intact units, Armor also on crippled ones."""
        return self.design.has(ability) and (self.intact or ability == "Armor")


def ability_cc(units: Iterable[Combatant], ability: str) -> int:
    """CC of the units in the battle whose ability counts."""
    return sum(unit.design.CC for unit in units if unit.here and unit.works(ability))


def effective_dv(dv: int, rating: int) -> int:
    """EN-DR-8: DV at a Defence Rating, at least 1."""
    ratings = tables().rating
    return max(1, nearest_whole(percent_of(dv, ratings.percent[ratings.limited(rating)])))


def by_size(foe: Combatant) -> tuple[int, int, int]:
    """``biggest``: CC high to low, DV high to low, id."""
    return (-foe.design.CC, -foe.design.DV, foe.id)


Key = Callable[[Combatant], tuple[int, ...]]

ORDERED: dict[str, Key] = {
    "biggest": by_size,
    "smallest": lambda foe: (foe.design.CC, foe.design.DV, foe.id),
    "weakest": lambda foe: (effective_dv(foe.design.DV, foe.dr), -foe.design.CC, foe.id),
    "toughest": lambda foe: (-effective_dv(foe.design.DV, foe.dr), -foe.design.CC, foe.id),
    "strongest": lambda foe: (-foe.AS, foe.id),
}

CHOSEN: dict[str, Callable[[Combatant], bool]] = {
    "crippled": lambda foe: foe.state == "crippled",
    "intact": lambda foe: foe.intact,
    "scouts": lambda foe: foe.design.has("Scout"),
    "stealth": lambda foe: foe.design.has("Stealth"),
    "jammers": lambda foe: foe.design.has("Jammer"),
    "carriers": lambda foe: foe.design.has("Carrier"),
    "transports": lambda foe: foe.design.path == "Auxiliary",
    "stations": lambda foe: foe.design.path == "Station",
    "forts": lambda foe: foe.design.path == "Fortification",
    "flights": lambda foe: foe.is_flight,
}


def select(target: Target, units: Iterable[Combatant], flagships: Sequence[int] = ()) -> list[Combatant]:
    """6.5: the units a selector yields, in its order."""
    folded, pool = target.word.casefold(), list(units)
    if folded in ORDERED:
        chosen = sorted(pool, key=ORDERED[folded])
    elif folded == "flagship":
        chosen = [unit for number in flagships for unit in pool if unit.id == number]
    else:
        chosen = sorted(_matching(folded, pool), key=by_size)
    return chosen if target.most is None else chosen[: target.most]


def _matching(word: str, units: list[Combatant]) -> list[Combatant]:
    """A selector's kind, a path, a class, or the name of a unit or design; the first that is known counts."""
    if word in CHOSEN:
        return [unit for unit in units if CHOSEN[word](unit)]
    if word in {path.casefold() for path in PATHS}:
        return [unit for unit in units if unit.design.path.casefold() == word]
    of_class = [unit for unit in units if unit.design.code.casefold() == word]
    return of_class or [unit for unit in units if word in (unit.name.casefold(), unit.design.name.casefold())]
