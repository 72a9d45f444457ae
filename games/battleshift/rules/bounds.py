"""What no situation may say of its units: bounds of section 2, and names used twice (BS-TF-10)."""

from __future__ import annotations

from collections import Counter

from games.battleshift.data import TABLES
from games.battleshift.rules.space import read_sector
from games.battleshift.state import Return, Squadron, State
from pbem.kit.codec import BadData


def check_units(state: State, where: str) -> None:
    """Names, numbers and sectors that the rules could not work with."""
    _check_names(state, where)
    for squadron in state.squadrons:
        _check_squadron(squadron, f"{where}.squadron")
        _check_return(state, squadron.returns, f"{where}.squadron {squadron.name}")
        _check_membership(state, squadron, f"{where}.squadron")
    for tf in state.taskforces:
        _check_return(state, tf.returns, f"{where}.taskforce {tf.name}")
    _check_quadrants(state, f"{where}.terrain")


def _check_names(state: State, where: str) -> None:
    """BS-TF-10: squadrons, taskforces and flights of a side have names of their own."""
    kinds = {
        "squadron": [(one.side, one.name) for one in state.squadrons],
        "taskforce": [(one.side, one.name) for one in state.taskforces],
        "flight": [(one.side, one.name) for one in state.flights],
    }
    for kind, named in kinds.items():
        for (side, name), count in Counter(named).items():
            if count > 1:
                raise BadData(f"{where}.{kind}", f"BS-TF-10: {side} has {count} units called '{name}'")


def _check_squadron(squadron: Squadron, where: str) -> None:
    if not 0 <= squadron.facing < 360:
        raise BadData(where, f"{squadron.name}: facing is 0 to 359, not {squadron.facing}")
    for key in ("damage", "suppression", "wings_aboard", "wings_initial"):
        value = getattr(squadron, key)
        if value < 0:
            raise BadData(where, f"{squadron.name}: {key} is 0 or more, not {value}")
    numbers = Counter(ship.number for ship in squadron.ships)
    for number, count in numbers.items():
        if count > 1:
            raise BadData(where, f"{squadron.name}: ship number {number} is used {count} times")


def _check_membership(state: State, squadron: Squadron, where: str) -> None:
    """BS-FLT-2: a squadron belongs to one taskforce, or is detached."""
    found = [tf.name for tf in state.taskforces if tf.side == squadron.side and squadron.name in tf.squadrons]
    if len(found) > 1:
        raise BadData(where, f"{squadron.name} is in more than one taskforce: {', '.join(found)}")
    if squadron.taskforce and not found:
        raise BadData(where, f"{squadron.name}: no taskforce '{squadron.taskforce}' of {squadron.side} lists it")


def _check_return(state: State, back: Return | None, where: str) -> None:
    if back is not None and read_sector(back.sector, state.width_ft, state.height_ft) is None:
        size = f"{state.width_ft} by {state.height_ft} feet"
        raise BadData(f"{where}.return", f"there is no sector '{back.sector}' on a table of {size}")


def _check_quadrants(state: State, where: str) -> None:
    for body in state.terrain:
        for quadrant in body.quadrants.values():
            for system in quadrant.installations:
                if system not in TABLES.system:
                    known = ", ".join(TABLES.system)
                    raise BadData(where, f"{body.name}: no installation called '{system}'; known are {known}")
