"""Which ship an order means at the moment it is carried out (GA-ORD-5)."""

from __future__ import annotations

from collections.abc import Mapping

from games.galleys.orders.records import Target
from games.galleys.rules.track import Track
from games.galleys.table import Table


def choose(table: Table, track: Track, target: Target, worth: Mapping[str, int]) -> str | None:
    """GA-ORD-5: the ship meant among the candidates; ``worth`` is what ``best`` goes by.

    Ties fall to the nearest at the start of step d, then to the roster.
    """
    if target.name:
        return target.name if target.name in worth else None
    candidates = [name for name in worth if not target.of or table.ships[name].squadron == target.of]

    def rank(name: str) -> tuple[int, int, int]:
        ship = table.ships[name]
        first = {
            "biggest": -table.class_of(name).points,
            "weakest": ship.marines,
            "best": -worth[name],
            "any": -worth[name],
        }.get(target.selector, 0)
        return first, track.distance_from_start(table, name), ship.roster

    return min(candidates, key=rank, default=None)


def why_gone(table: Table, track: Track, target: Target) -> str:
    """GA-RUL-37: a ship that can no longer be attacked."""
    if not target.name:
        return ""
    ship = table.ships[target.name]
    if not ship.afloat:
        return f"{ship.name} is {ship.status}"
    return f"{ship.name} is ours" if ship.side == track.side else ""
