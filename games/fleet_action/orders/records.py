"""Section 6.1: the orders as records; ``unit`` is the squadron, ship or flight whose block the line stands in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal

from games.fleet_action.state import PULSES, Mission
from pbem.kit.hexgrid import Hex

Pulses = tuple[int, ...]
UNSTATED = -1
"""FA-ELI-10: the number of levels was left out."""


@dataclass(frozen=True)
class Order:
    """What all orders share."""

    unit: str


def renamed(order: Order, names: Mapping[str, str]) -> Order:
    """The order with other names of units in it."""
    return replace(order, **{field.name: _renamed(getattr(order, field.name), names) for field in fields(order)})


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, Mapping):
        return {_renamed(key, names): kept for key, kept in value.items()}
    return tuple(_renamed(part, names) for part in value) if type(value) is tuple else value


@dataclass(frozen=True)
class SpeedOrder(Order):
    """FA-MOV-3: the change of speed, and the pulse it takes effect in."""

    delta: int
    pulse: int = 1
    to: int | None = None
    """The speed itself, where the order named one; the change then follows from the speed at the start."""

    def change(self, present: int) -> int:
        return self.delta if self.to is None else self.to - present


@dataclass(frozen=True)
class PathOrder(Order):
    """FA-MOV-2: single steps F, P, S, slipP, slipS and bars."""

    steps: tuple[str, ...]


@dataclass(frozen=True)
class ModeOrder(Order):
    mode: Literal["absolute", "relative"]


@dataclass(frozen=True)
class ShiftOrder(Order):
    """FA-FRM-6, 7: by steps (offset), to a hex, or toward or away from an enemy."""

    ship: str
    form: Literal["steps", "to", "toward", "away"]
    offset: Hex | None = None
    hex: Hex | None = None
    enemy: str = ""
    pulse: int = 1


@dataclass(frozen=True)
class DetachOrder(Order):
    ship: str


@dataclass(frozen=True)
class CommanderOrder(Order):
    ship: str


@dataclass(frozen=True)
class StraysOrder(Order):
    ships: tuple[str, ...]


@dataclass(frozen=True)
class AbsorbOrder(Order):
    ships: tuple[str, ...]


@dataclass(frozen=True)
class FlagOrder(Order):
    ship: str


@dataclass(frozen=True)
class OutsideOrder(Order):
    squadrons: tuple[str, ...]


@dataclass(frozen=True)
class FirstOrder(Order):
    pulse: int


@dataclass(frozen=True)
class SequenceOrder(Order):
    squadrons: tuple[str, ...]


@dataclass(frozen=True)
class OfferEndOrder(Order):
    pass


@dataclass(frozen=True)
class TargetOrder(Order):
    """FA-DOC-1: an enemy squadron, or a word that chooses one."""

    at: str
    pulses: Pulses = PULSES


@dataclass(frozen=True)
class FireOrder(Order):
    """FA-DOC-2..5: weapons, target and conditions."""

    weapons: tuple[str, ...]
    at: str
    flight: bool = False
    pulses: Pulses = PULSES
    within: int | str | None = None
    chance: int | None = None


@dataclass(frozen=True)
class HoldOrder(Order):
    weapons: tuple[str, ...] = ("all",)
    pulses: Pulses = PULSES


@dataclass(frozen=True)
class GuardOrder(Order):
    """FA-SPC-2: levels for a ship; no target: automatic."""

    target: str = ""
    levels: int = 0
    pulses: Pulses = PULSES


@dataclass(frozen=True)
class AfOrder(Order):
    mode: Literal["on", "secondary", "off", "long"]
    arc: str = ""
    pulses: Pulses = PULSES


@dataclass(frozen=True)
class AfFirstOrder(Order):
    flights: tuple[str, ...]


@dataclass(frozen=True)
class DamageOrder(Order):
    weapons: tuple[str, ...]


@dataclass(frozen=True)
class MinesOrder(Order):
    hex: Hex
    ships: tuple[str, ...] = ()
    """Those that launch; none named: all that can."""


@dataclass(frozen=True)
class RapidOrder(Order):
    yes: bool


@dataclass(frozen=True)
class ElintOrder(Order):
    """FA-ELI: one action of an ELINT ship."""

    action: Literal["offensive", "defensive", "jam-command", "jam-elint", "jam-fc"]
    targets: tuple[str, ...] = ()
    levels: int = 1
    vs: Literal["command", "offensive", "fc", ""] = ""


@dataclass(frozen=True)
class UseOrder(Order):
    """FA-ABL-7: an ability that names a ship and whom it serves."""

    ability: str
    ship: str = ""
    serves: str = ""


@dataclass(frozen=True)
class StubbornOrder(Order):
    yes: bool


@dataclass(frozen=True)
class TractorOrder(Order):
    target: str
    power: str = ""


@dataclass(frozen=True)
class ReleaseOrder(Order):
    pass


@dataclass(frozen=True)
class AcceptOrder(Order):
    pass


@dataclass(frozen=True)
class ResistOrder(Order):
    yes: bool


@dataclass(frozen=True)
class WithdrawOrder(Order):
    pass


@dataclass(frozen=True)
class JumpOrder(Order):
    pass


@dataclass(frozen=True)
class LaunchOrder(Order):
    pulse: int = 1
    arc: str = ""


@dataclass(frozen=True)
class MissionOrder(Order):
    """FA-FTR-1: a mission and its goal."""

    mission: Mission
    goal: str = ""
    """Strike: the squadron; escort: squadron or flight; land: the ship."""
    prefer: str = ""
    zone: Hex | None = None
    radius: int = 6
    station: int = 1


@dataclass(frozen=True)
class FlightDoctrineOrder(Order):
    """Section 6.1: burn, react, absorb_af, after, dogfight, force, join, losses."""

    name: str
    value: str


@dataclass(frozen=True)
class BreakoffOrder(Order):
    pass


@dataclass(frozen=True)
class FleetSpeedOrder(Order):
    speed: int


@dataclass(frozen=True)
class PatrolOrder(Order):
    squadrons: tuple[str, ...]


@dataclass(frozen=True)
class AnchorOrder(Order):
    pass


@dataclass(frozen=True)
class VortexHeadingOrder(Order):
    heading: int


@dataclass(frozen=True)
class VortexOrder(Order):
    ship: str
    hex: Hex | None = None
    offset: Hex | None = None


@dataclass(frozen=True)
class BuyOrder(Order):
    key: str
    name: str
    on: str = ""


@dataclass(frozen=True)
class AbilityOrder(Order):
    key: str


@dataclass(frozen=True)
class ReserveOrder(Order):
    turn: int


@dataclass(frozen=True)
class DeployOrder(Order):
    hex: Hex
    heading: int
    speed: int | None = None


@dataclass(frozen=True)
class FormationOrder(Order):
    """A template's name, or offsets by ship."""

    template: str = ""
    offsets: Mapping[str, Hex] = field(default_factory=dict)


@dataclass(frozen=True)
class ArriveOrder(Order):
    turn: int


@dataclass(frozen=True)
class EnterGateOrder(Order):
    pass


@dataclass(frozen=True)
class AdjustOrder(Order):
    hex: Hex


@dataclass(frozen=True)
class StandingOrder(Order):
    """FA-DOC-7: the line stays in force in later turns."""

    text: str


@dataclass(frozen=True)
class CancelStandingOrder(Order):
    pass
