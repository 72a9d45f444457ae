"""A unit while it fights, and the selectors that pick among such units (rule book 6.5)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from games.encounters.data import PATHS, Design
from games.encounters.plans import Target
from games.encounters.rules.rounding import nearest_whole, percent_of
from games.encounters.state import Condition
from games.encounters.tables import tables


@dataclass(eq=False)
class Combatant:
    """One ship, base, flight or troop in a battle."""

    id: int
    name: str
    owner: str
    seat: int
    design: Design
    state: Condition
    fleet: str = ""
    carrier: int | None = None
    squadron: str = ""
    mission: str = "engage"
    disrupts: tuple[str, str] | None = None
    """Power and squadron whose ratings it lowers this round."""
    start: int = 0
    dr: int = 0
    disorder: bool = False
    left: str = ""
    """Why it is no longer in the battle: ``destroyed``, ``retreated``, ``aboard``."""
    pressed: bool = field(default=False)

    @property
    def intact(self) -> bool:
        return self.state == "intact"

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


def effective_dv(dv: int, rating: int) -> int:
    """EN-DR-8: DV at a Defence Rating, at least 1."""
    table = tables().rating
    return max(1, nearest_whole(percent_of(dv, table.percent[table.limited(rating)])))


def by_size(one: Combatant) -> tuple[int, int, int]:
    """``biggest``: CC high to low, DV high to low, id."""
    return (-one.design.CC, -one.design.DV, one.id)


Key = Callable[[Combatant], tuple[int, ...]]

ORDERED: dict[str, Key] = {
    "biggest": by_size,
    "smallest": lambda one: (one.design.CC, one.design.DV, one.id),
    "weakest": lambda one: (effective_dv(one.design.DV, one.dr), -one.design.CC, one.id),
    "toughest": lambda one: (-effective_dv(one.design.DV, one.dr), -one.design.CC, one.id),
    "strongest": lambda one: (-one.AS, one.id),
}

CHOSEN: dict[str, Callable[[Combatant], bool]] = {
    "crippled": lambda one: one.state == "crippled",
    "intact": lambda one: one.intact,
    "scouts": lambda one: one.design.has("Scout"),
    "stealth": lambda one: one.design.has("Stealth"),
    "jammers": lambda one: one.design.has("Jammer"),
    "carriers": lambda one: one.design.has("Carrier"),
    "transports": lambda one: one.design.path == "Auxiliary",
    "stations": lambda one: one.design.path == "Station",
    "forts": lambda one: one.design.path == "Fortification",
    "flights": lambda one: one.is_flight,
}


def select(target: Target, units: Iterable[Combatant], flagships: Sequence[int] = ()) -> list[Combatant]:
    """6.5: the units a selector yields, in its order."""
    found = _selected(target.word, list(units), flagships)
    return found if target.most is None else found[: target.most]


def _selected(word: str, units: list[Combatant], flagships: Sequence[int]) -> list[Combatant]:
    folded = word.casefold()
    if folded in ORDERED:
        return sorted(units, key=ORDERED[folded])
    if folded == "flagship":
        return [one for number in flagships for one in units if one.id == number]
    if folded in CHOSEN:
        return sorted((one for one in units if CHOSEN[folded](one)), key=by_size)
    if folded in {path.casefold() for path in PATHS}:
        return sorted((one for one in units if one.design.path.casefold() == folded), key=by_size)
    of_class = [one for one in units if one.design.code.casefold() == folded]
    if of_class:
        return sorted(of_class, key=by_size)
    named = [one for one in units if folded in (one.name.casefold(), one.design.name.casefold())]
    return sorted(named, key=by_size)
