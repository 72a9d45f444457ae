"""FA-VIC: points and the end of the game."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from games.fleet_action.battle import Battle
from games.fleet_action.orders.records import OfferEndOrder
from games.fleet_action.state import Result
from games.fleet_action.table import Table
from games.fleet_action.tables import TABLES


def points(table: Table, side: str) -> Fraction:
    """FA-VIC-2: what the losses of a side's enemies are worth to it."""
    total = Fraction(0)
    worth = TABLES.victory
    for ship in table.ships.values():
        squadron = table.squadrons[ship.squadron]
        if squadron.side == side or squadron.state == "waiting":
            continue
        cost = table.points_of(ship)
        holder = table.ships.get(ship.held_by or "")
        if ship.fate == "destroyed":
            total += Fraction(cost * worth.destroyed, 100)
        elif ship.fate == "left":
            total += Fraction(cost * worth.withdrawn, 100)
        elif holder is not None and table.side_of(holder) == side:
            total += Fraction(cost * worth.held, 100)
        elif ship.structure * 100 <= table.card(ship).structure * worth.battered_below:
            total += Fraction(cost * worth.battered, 100)
    for flight in table.flights.values():
        if flight.side != side:
            lost = TABLES.flight_size - flight.count
            total += Fraction(table.fighter(flight).points * lost, TABLES.flight_size)
    return total


def judge(battle: Battle) -> Result | None:
    """FA-VIC-1, 3: checked last; None: the game goes on."""
    exact = {side: points(battle, side) for side in battle.sides}
    scores = {side: int(total) for side, total in exact.items()}
    for side in battle.sides.values():
        battle.sides[side.id] = replace(side, points=scores[side.id])
    result = _ending(battle, exact, scores)
    _tell_scores(battle, scores, final=result is not None)
    if result is not None:
        words = result.reason.split()[0].casefold()
        kind = words if words in ("decisive", "marginal") else ("draw" if not result.winners else "decisive")
        facts = {"winners": sorted(result.winners), "result": kind, "reason": result.reason, "points": scores}
        battle.tell("victory", "FA-VIC-3", battle.audience, facts)
    return result


def _tell_scores(battle: Battle, scores: dict[str, int], *, final: bool) -> None:
    """Section 8: each side knows its own points; all of them at the end, or in open fog."""
    if final or battle.state.switches.fog == "open":
        facts = {"side": None, "points": scores, "final": final}
        battle.tell("score", "FA-VIC-2", battle.audience, facts)
        return
    for side, own in scores.items():
        battle.tell("score", "FA-VIC-2", side, {"side": side, "points": {side: own}, "final": False})


def _ending(battle: Battle, exact: dict[str, Fraction], scores: dict[str, int]) -> Result | None:
    standing = [side for side in battle.sides if _is_standing(battle, side)]
    if len(standing) < 2 and battle.turn >= 1:
        return _swept(battle, standing, exact, scores)
    agreed = all(battle.book.of_side(OfferEndOrder, side) for side in battle.sides)
    if agreed or battle.turn >= battle.state.turn_limit:
        return by_points(battle, exact, scores)
    return None


def _is_standing(battle: Battle, side: str) -> bool:
    """FA-VIC-1: a ship on the map, or a successful arrival roll this turn."""
    if any(battle.members(squadron) for squadron in battle.roster(side)):
        return True
    schedules = [fleet.schedule for fleet in battle.fleets.values() if fleet.side == side]
    return any(schedule is not None and schedule.arrives == battle.turn + 1 for schedule in schedules)


def _swept(battle: Battle, standing: list[str], exact: dict[str, Fraction], scores: dict[str, int]) -> Result:
    if not standing:
        return by_points(battle, exact, scores)
    winner = battle.sides[standing[0]].name
    reason = f"Victory for {winner}: no other side has a ship on the map."
    return Result(frozenset(standing), reason, scores)


def by_points(battle: Battle, exact: dict[str, Fraction], scores: dict[str, int]) -> Result:
    """FA-VIC-3: a ratio of 2 is decisive, of 1.25 marginal; by nothing, decisive with at least 1."""
    ranked = sorted(exact, key=lambda side: -exact[side])
    first, second = ranked[0], ranked[1]
    tally = " to ".join(f"{scores[side]}" for side in ranked)
    grade = _grade(exact[first], exact[second])
    if grade == "draw":
        return Result(frozenset(), f"A draw: {tally} points.", scores)
    name = battle.sides[first].name
    return Result(frozenset({first}), f"{grade.capitalize()} victory for {name}: {tally} points.", scores)


def _grade(most: Fraction, next_most: Fraction) -> str:
    if next_most == 0:
        return "decisive" if most >= 1 else "draw"
    ratio = most / next_most
    if ratio >= Fraction(*TABLES.decisive):
        return "decisive"
    return "marginal" if ratio >= Fraction(*TABLES.marginal) else "draw"
