"""BR-VP-1 and the end of a battle (R14)."""

from __future__ import annotations

from math import floor

from games.broadsides.data import Catalogue
from games.broadsides.rules.force import ship_points
from games.broadsides.state import (
    Flight,
    Ship,
    State,
    Verdict,
)

LOST_SIDE_PERCENT = 15
GONE_PERCENT = 25
DROPPED_PERCENT = 50
DRAW_PERCENT = 10


def scores(state: State) -> dict[str, int]:
    """BR-VP-1: what each side has earned so far."""
    catalogue = state.cards
    totals = {side.id: 0 for side in state.sides}
    for unit in state.units():
        earner = next(side.id for side in state.sides if side.id != unit.side)
        if isinstance(unit, Ship):
            totals[earner] += ship_score(state, unit)
        else:
            totals[earner] += _flight_score(catalogue, unit)
    return totals


def ship_score(state: State, ship: Ship) -> int:
    """BR-VP-1: what a ship has brought its enemy so far."""
    points = ship_points(state.cards, ship)
    if ship.status == "destroyed":
        factor = next((prize.factor for prize in state.prizes if prize.unit == ship.name), 1)
        return points * factor
    percent = LOST_SIDE_PERCENT * ship.lost_sides(state.cards.classes[ship.class_name])
    if ship.status in ("withdrawn", "jumped"):
        percent += GONE_PERCENT
    return points * min(100, percent) // 100


def _flight_score(catalogue: Catalogue, flight: Flight) -> int:
    craft = catalogue.fighters[flight.class_name]
    if craft.kind == "pod":
        return craft.points if flight.status == "destroyed" else 0
    hundredths = 0
    for fighter in flight.fighters:
        if fighter.structure <= 0 or (flight.status == "destroyed" and not fighter.dropped_out):
            hundredths += 100
        elif fighter.dropped_out:
            hundredths += DROPPED_PERCENT
        elif flight.status == "withdrawn":
            hundredths += GONE_PERCENT
    return floor(craft.points * hundredths / 100)


def final_scores(state: State) -> dict[str, int]:
    """With what a scenario pays for a unit still there at the end."""
    totals = scores(state)
    for prize in state.prizes:
        ship = state.ships.get(prize.unit)
        if ship is not None and prize.alive and ship.status != "destroyed":
            totals[ship.side] += prize.alive
    return totals


def is_over(state: State) -> bool:
    """The last turn is played, or a side that had ships has none left."""
    if state.turn >= state.last_turn:
        return True
    for side in state.sides:
        ships = [ship for ship in state.ships.values() if ship.side == side.id]
        if ships and not any(ship.status in ("on-map", "hyperspace") for ship in ships):
            return True
    return False


def verdict(state: State) -> Verdict:
    """The higher total wins; a lead of less than a tenth of it is a draw."""
    totals = final_scores(state)
    names = {side.id: side.name for side in state.sides}
    ranked = sorted(totals, key=lambda side: -totals[side])
    best, other = totals[ranked[0]], totals[ranked[1]]
    written = ", ".join(f"{names[side]} {totals[side]}" for side in totals)
    if (best - other) * 100 < best * DRAW_PERCENT or best == other:
        return Verdict("", totals, f"A draw: {written} points.")
    return Verdict(ranked[0], totals, f"{names[ranked[0]]} wins: {written} points.")
