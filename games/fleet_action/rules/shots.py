"""FA-FIRE-7: one weapon system, or one flight, at one target, with everything that counts."""

from __future__ import annotations

from dataclasses import dataclass, field

from games.fleet_action.data import TABLES, WeaponType
from games.fleet_action.rules.damage import Struck
from games.fleet_action.rules.salvos import Volley
from pbem.kit.dice import Roll


@dataclass(frozen=True, kw_only=True)
class Shot(Volley):
    """A volley that is fired now; orders call its weapon by mount name or fighter class."""

    firer_kind: str
    weapon_name: str
    weapon_class: str
    target: str
    target_kind: str
    target_side: str
    die: int
    """Faces of the to-hit die."""
    defence: int
    """D without support: def and style."""
    distance: int = 0
    true_bracket: int = 0
    bracket: int = 0
    defensive: int = 0
    interceptor: int = 0
    guardian: int = 0
    style: int = 0
    arc: int | None = None
    """Arc of the target as the firer sees it; None at distance 0."""
    struck: Struck | None = None
    number: int = -1
    waited: int | None = None
    bonus: int = 0
    """Added to damage dice: flights."""
    type: WeaponType | None = None
    damage_die: int = 0
    label: str = ""
    extra: dict[str, int] = field(default_factory=dict)
    kind: str = "fire"
    rule: str = "FA-FIRE-7"
    dice: list[Roll] = field(default_factory=list)
    totals: list[int] = field(default_factory=list)
    """By how much each hit passed what was needed."""

    @property
    def need(self) -> int:
        """FA-FIRE-7: the least face that hits."""
        against = self.defence + self.defensive + self.guardian + self.interceptor
        return against + TABLES.range_modifier[self.bracket] + self.bypass - self.sensor - self.offensive

    def name(self) -> str:
        """What its dice are labelled with; salvos have a number, so that two of them differ."""
        name = f"{self.firer}/{self.weapon}/{self.target}"
        return f"{name}/{self.label}" if self.label else name
