"""Ship building and fleets: BS-BLD and BS-FLT as pure functions, for setup orders and for a command line."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from games.battleshift.data import LIMITS, NUMBERS, TABLES, ShipClass, Switches, units
from games.battleshift.state import Squadron, State

SYSTEMS = tuple(TABLES.system)
"""Everything that is counted per ship and takes up space."""
_PRICES = TABLES.building


@dataclass(frozen=True)
class Fault:
    """A building rule that is broken: its validation id, why, and what would be legal."""

    rule: str
    reason: str
    hint: str = ""


def class_of(state: State, squadron: Squadron) -> ShipClass:
    """The class of a squadron: of its builder's designs, of the scenario, or of the catalogue."""
    name, designs = squadron.ship_class, state.designs.get(squadron.origin or squadron.side, {})
    return designs.get(name) or state.classes.get(name) or units().classes[name]


def halved(size: int) -> int:
    return (size + 1) // 2


def complete(design: ShipClass) -> ShipClass:
    """BS-BLD-1..4: fill in the derived values that the design leaves at 0."""
    return replace(
        design,
        fast="free" if design.size == 1 and not design.is_station and design.fast == "none" else design.fast,
        hull=design.hull or design.size + 1 + design.reinforced,
        shields=design.shields or shields_of(design),
        hardness=design.hardness or hardness_of(design),
        save=design.save or save_of(design),
        speed=design.speed or speed_of(design),
        space=design.space or space_of(design),
        used=design.used or used_by(design),
        cost=design.cost or cost_of(design),
        radius=design.radius or (LIMITS.station_step * ((design.size + 4) // 5) if design.is_station else 0),
    )


def shields_of(design: ShipClass) -> int:
    """BS-SHD-1, BS-STN-4: half the size rounded up, a station its size; and the extra ones."""
    return (design.size if design.is_station else halved(design.size)) + design.extra_shield


def hardness_of(design: ShipClass) -> int:
    """BS-SHD-1: 4, weak 3, armour alone 2."""
    if design.no_shields:
        return NUMBERS.hardness_none
    return NUMBERS.hardness_weak if design.weak_shields else NUMBERS.hardness


def save_of(design: ShipClass) -> int:
    """BS-DST-3: 3, hardened 4, flimsy 2."""
    if design.hardened:
        return NUMBERS.save_hardened
    return NUMBERS.save_flimsy if design.flimsy else NUMBERS.save


def speed_of(design: ShipClass) -> int:
    """BS-BLD-4: 12.00", 6.00" more when fast or of size 1, 6.00" less when slow; stations stand still."""
    if design.is_station:
        return 0
    fast = design.fast != "none" or design.size == 1
    return _PRICES.speed + _PRICES.speed_change * (int(fast) - int(design.slow))


def space_of(design: ShipClass) -> int:
    """BS-BLD-1: twice the size, bought units, and what slow drives leave free."""
    return _PRICES.space_per_size * design.size + design.extra_space + (halved(design.size) if design.slow else 0)


def used_by(design: ShipClass) -> int:
    """BS-BLD-1: the space all systems take up."""
    systems = sum(TABLES.system[name].space * int(getattr(design, name)) for name in SYSTEMS)
    engulfing = design.size if design.engulf == "space" else 0
    drives = halved(design.size) if design.fast == "space" else 0
    return systems + design.repair + design.extra_shield + engulfing + drives


def cost_of(design: ShipClass) -> int:
    """BS-BLD-2: ten for each size, additions and reductions; at least 1."""
    size = design.size
    systems = sum(TABLES.system[name].cost * int(getattr(design, name)) for name in SYSTEMS)
    extras = _PRICES.extra_space * design.extra_space + _PRICES.extra_shield * design.extra_shield
    hull = _PRICES.reinforced * design.reinforced + _PRICES.hardened_per_size * size * design.hardened
    bought = _PRICES.fast_per_size * size * (design.fast == "cost")
    bought += _PRICES.engulf_per_size * size * (design.engulf == "cost")
    bought += _PRICES.repair_per_size * size * design.repair_cost
    weak = _PRICES.weak_per_size * design.weak_shields + _PRICES.none_per_size * design.no_shields
    weak += _PRICES.flimsy_per_size * design.flimsy
    return max(1, _PRICES.cost_per_size * size + systems + extras + hull + bought - weak * size)


# --- checks ----------------------------------------------------------------------------------------------------------


def check_design(design: ShipClass, switches: Switches | None = None) -> tuple[Fault, ...]:
    """All building rules a design breaks; empty: it is legal."""
    faults = [*_size_faults(design), *_pair_faults(design), *_cap_faults(design), *_space_faults(design)]
    if switches is not None:
        faults += _switch_faults(design, switches)
    return tuple(faults)


def _space_faults(design: ShipClass) -> list[Fault]:
    used, space = used_by(design), space_of(design)
    if used <= space:
        return []
    reason = f"{design.name} uses {used} space units of {space}, {used - space} too many"
    return [Fault("BS-V-50", reason, f"take out systems worth {used - space}, or add 'extra space {used - space}'")]


def _size_faults(design: ShipClass) -> list[Fault]:
    if not 1 <= design.size <= 40:
        return [Fault("BS-V-51", f"size {design.size} does not exist; sizes are 1 to 40", "size 1 to 40")]
    faults = []
    for name in SYSTEMS:
        least = TABLES.system[name].least
        exempt = name == "gate" and design.is_station
        if getattr(design, name) and design.size < least and not exempt:
            reason = f"{spoken(name)} needs size {least} or more, {design.name} is size {design.size}"
            faults.append(Fault("BS-V-51", reason, f"size {least}"))
    return faults


def _pair_faults(design: ShipClass) -> list[Fault]:
    bought_fast = design.fast in ("space", "cost")
    pairs = (
        (design.weak_shields and design.no_shields, "weak shields", "no shields"),
        (design.hardened and design.flimsy, "hardened", "flimsy"),
        (bought_fast and design.slow, "fast", "slow"),
        (design.no_shields and design.extra_shield > 0, "no shields", "extra shield"),
        (design.is_station and bought_fast, "station", "fast"),
        (design.is_station and design.slow, "station", "slow"),
    )
    return [
        Fault("BS-V-52", f"{first} and {second} exclude each other", "keep one of them")
        for hit, first, second in pairs
        if hit
    ]


def _cap_faults(design: ShipClass) -> list[Fault]:
    caps = (
        ("extra space", design.extra_space),
        ("extra shield", design.extra_shield),
        ("reinforced", design.reinforced),
    )
    return [
        Fault("BS-V-53", f"{name} is at most the size, {design.size}, not {asked}", f"{name} {design.size}")
        for name, asked in caps
        if asked > design.size
    ]


def _switch_faults(design: ShipClass, switches: Switches) -> list[Fault]:
    """BS-BLD-6: systems of an option that is off are illegal."""
    needed = [(name, TABLES.system[name].switch) for name in SYSTEMS if getattr(design, name)]
    if design.engulf != "none":
        needed.append(("engulf", "engulf"))
    if design.is_station:
        needed.append(("station", "stations"))
    return [
        Fault("BS-V-7", f"{spoken(name)} needs the switch '{switch}', which is off", f"a design without {spoken(name)}")
        for name, switch in needed
        if switch and not getattr(switches, switch)
    ]


def check_squadron(ships: int, design: ShipClass) -> Fault | None:
    """BS-SQN-1: at most 7 ships and 21 size units; one ship of any size is always allowed."""
    most = max(1, min(LIMITS.squadron_ships, LIMITS.squadron_size // design.size))
    if design.is_station:
        most = 1
    if 1 <= ships <= most:
        return None
    reason = f"{ships} ships of size {design.size} make {ships * design.size} size units"
    limit = f"limits are {LIMITS.squadron_ships} ships and {LIMITS.squadron_size} units"
    return Fault("BS-V-54", f"{reason}; {limit}", f"at most {most}")


def trait_cost(traits: Sequence[str] | frozenset[str], design: ShipClass) -> int:
    """What the traits of one ship cost."""
    prices = [TABLES.trait[name] for name in sorted(traits)]
    return sum(price.per_size * design.size + price.per_bay * design.bay for price in prices)


def spoken(system: str) -> str:
    return "heavyion" if system == "heavy_ion" else system


# --- the language of designs -----------------------------------------------------------------------------------------

_COUNTED = {"heavyion": "heavy_ion", "extra space": "extra_space", "extra shield": "extra_shield"}
_FLAGS = {"hardened": "hardened", "flimsy": "flimsy", "slow": "slow"}
_FLAGS |= {"weak shields": "weak_shields", "no shields": "no_shields"}


class BadDesign(ValueError):
    """A design that cannot be read; names the words."""


def read_design(text: str) -> ShipClass:
    """`Lancer = size 3, heavy 2, light 1, fast cost, weak shields`, as setup orders and command lines write it."""
    name, equals, features = text.partition("=")
    if not equals or not name.strip():
        raise BadDesign(f"'{text}' is no design; write for example 'Lancer = size 3, heavy 2, fast cost'")
    values: dict[str, Any] = {"name": name.strip().strip("\"'"), "size": 0}
    for feature in (part.strip().casefold() for part in features.split(",")):
        _take_feature(values, feature)
    if not values["size"]:
        raise BadDesign(f"the design {values['name']} has no size")
    return complete(ShipClass(**values))


def _take_feature(values: dict[str, Any], feature: str) -> None:
    if feature == "station":
        values["kind"] = "station"
    elif feature in _FLAGS:
        values[_FLAGS[feature]] = True
    elif said := re.fullmatch(r"(fast|engulf) (space|cost)", feature):
        values[said[1]] = said[2]
    elif said := re.fullmatch(r"repair (?:(\d+) )?(space|cost)", feature):
        key = "repair" if said[2] == "space" else "repair_cost"
        values[key] = values.get(key, 0) + int(said[1] or 1)
    elif (said := re.fullmatch(r"([a-z ]+?) (\d+)", feature)) and _counted(said[1]):
        values[_counted(said[1])] = int(said[2])
    else:
        features = "size, " + ", ".join(spoken(name) for name in SYSTEMS)
        raise BadDesign(f"no feature '{feature}'; known are {features}, fast, engulf, repair and the weaknesses")


def _counted(word: str) -> str:
    key = _COUNTED.get(word, word)
    return key if key in (*SYSTEMS, "size", "extra_space", "extra_shield", "reinforced") else ""


def data_sheet(design: ShipClass) -> Mapping[str, Any]:
    """The derived values of a class, for reports and command lines."""
    return {
        "name": design.name,
        "size": design.size,
        "used": design.used,
        "space": design.space,
        "hull": design.hull,
        "shields": f"{design.shields}x{design.hardness}",
        "save": design.save,
        "speed": design.speed,
        "cost": design.cost,
    }
