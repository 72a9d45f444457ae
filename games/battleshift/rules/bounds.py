"""What no situation may say: bounds of section 2, names used twice (BS-TF-10), bodies out of place (BS-V-58)."""

from __future__ import annotations

from collections import Counter

from games.battleshift.data import TABLES
from games.battleshift.rules.space import read_sector
from games.battleshift.state import Return, Squadron, State, Terrain
from pbem.kit.codec import BadData
from pbem.kit.plane import SECTOR, whole_distance


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
    kinds = {"squadron": state.squadrons, "taskforce": state.taskforces, "flight": state.flights}
    for kind, units in kinds.items():
        for (side, name), count in Counter((unit.side, unit.name) for unit in units).items():
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
    listed = [tf.name for tf in state.taskforces if tf.side == squadron.side and squadron.name in tf.squadrons]
    if len(listed) > 1:
        raise BadData(where, f"{squadron.name} is in more than one taskforce: {', '.join(listed)}")
    if squadron.taskforce and not listed:
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
                    systems = ", ".join(TABLES.system)
                    raise BadData(where, f"{body.name}: no installation called '{system}'; known are {systems}")


# --- planets and moons -----------------------------------------------------------------------------------------------


def check_bodies(state: State, where: str) -> None:
    """BS-V-58, BS-PLN-1, BS-MON-1: planets and moonbases must be placed and sized by the book."""
    planets = [body for body in state.terrain if body.kind == "planet"]
    for body in state.terrain:
        if not body.defence:
            continue
        if body.kind == "planet" and (body.x % SECTOR or body.y % SECTOR):
            raise BadData(where, f"BS-V-58: the planet {body.name} is not centred on a sector intersection")
        if body.kind == "moon":
            _check_moon(body, planets, where)


def _check_moon(moon: Terrain, planets: list[Terrain], where: str) -> None:
    if not planets:
        return
    nearest = min(planets, key=lambda p: whole_distance((p.x, p.y), (moon.x, moon.y)))
    far = whole_distance((nearest.x, nearest.y), (moon.x, moon.y))
    if moon.defence > nearest.defence // 2:
        limit = nearest.defence // 2
        raise BadData(where, f"BS-V-58: {moon.name} has defence {moon.defence}, at most {limit} by {nearest.name}")
    if not 1200 <= far <= 2400:
        raise BadData(
            where, f'BS-V-58: {moon.name} is {far / 100:.2f}" from {nearest.name}, 12.00 to 24.00 are allowed'
        )
