"""Where planets and moonbases may be, and how strong (BS-V-58, BS-PLN-1, BS-MON-1)."""

from __future__ import annotations

from dataclasses import replace

from games.battleshift.state import QUADRANTS, Quadrant, State, Terrain
from pbem.kit.codec import BadData
from pbem.kit.plane import SECTOR, whole_distance


def with_quadrants(body: Terrain, where: str) -> Terrain:
    """Quadrants of a defended body exist all four."""
    if not body.defence and not body.quadrants:
        return body
    for place in body.quadrants:
        if place not in QUADRANTS:
            raise BadData(f"{where}.terrain", f"{body.name}: no quadrant '{place}'; they are {', '.join(QUADRANTS)}")
    return replace(body, quadrants={place: body.quadrants.get(place, Quadrant()) for place in QUADRANTS})


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
