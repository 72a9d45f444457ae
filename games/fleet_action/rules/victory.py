"""FA-VIC: points and the end of the game."""

from __future__ import annotations

from fractions import Fraction

from games.fleet_action.data import TABLES
from games.fleet_action.orders.records import OfferEndOrder
from games.fleet_action.table import Table
from pbem.kit.game import Outcome


def points(table: Table, side: str) -> Fraction:
    """FA-VIC-2: what the losses of a side's enemies are worth to it."""
    total = Fraction(0)
    worth = TABLES.victory
    for ship in table.ships.values():
        squadron = table.squadron(ship)
        if squadron.side == side or squadron.state == "waiting":
            continue
        cost = table.card(ship).points
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


def judge(table: Table) -> Outcome | None:
    """FA-VIC-1, 3: checked last; None: the game goes on."""
    exact = {side: points(table, side) for side in table.sides}
    scores = {side: int(total) for side, total in exact.items()}
    for side in list(table.sides.values()):
        table.change(side, points=scores[side.id])
    result = _ending(table, exact, scores)
    _tell_scores(table, scores, final=result is not None)
    if result is not None:
        words = result.reason.split()[0].casefold()
        kind = words if words in ("decisive", "marginal") else ("draw" if not result.winners else "decisive")
        facts = {"winners": sorted(result.winners), "result": kind, "reason": result.reason, "points": scores}
        table.tell("victory", "FA-VIC-3", table.audience, facts)
    return result


def _tell_scores(table: Table, scores: dict[str, int], *, final: bool) -> None:
    """Section 8: each side knows its own points; all of them at the end, or in open fog."""
    if final or table.state.switches.fog == "open":
        facts = {"side": None, "points": scores, "final": final}
        table.tell("score", "FA-VIC-2", table.audience, facts)
        return
    for side, own in scores.items():
        table.tell("score", "FA-VIC-2", side, {"side": side, "points": {side: own}, "final": False})


def _ending(table: Table, exact: dict[str, Fraction], scores: dict[str, int]) -> Outcome | None:
    standing = [side for side in table.sides if _is_standing(table, side)]
    if len(standing) < 2 and table.turn >= 1:
        return _swept(table, standing, exact, scores)
    agreed = all(table.book.of_side(OfferEndOrder, side) for side in table.sides)
    if agreed or table.turn >= table.state.turn_limit:
        return by_points(table, exact, scores)
    return None


def _is_standing(table: Table, side: str) -> bool:
    """FA-VIC-1: a ship on the map, or a successful arrival roll this turn."""
    if any(table.members(squadron) for squadron in table.roster(side)):
        return True
    schedules = [fleet.schedule for fleet in table.fleets.values() if fleet.side == side]
    return any(schedule is not None and schedule.arrives == table.turn + 1 for schedule in schedules)


def _swept(table: Table, standing: list[str], exact: dict[str, Fraction], scores: dict[str, int]) -> Outcome:
    if not standing:
        return by_points(table, exact, scores)
    winner = table.sides[standing[0]].name
    reason = f"Victory for {winner}: no other side has a ship on the map."
    return Outcome(frozenset(standing), reason, scores)


def by_points(table: Table, exact: dict[str, Fraction], scores: dict[str, int]) -> Outcome:
    """FA-VIC-3: a ratio of 2 is decisive, of 1.25 marginal; by nothing, decisive with at least 1."""
    ranked = sorted(exact, key=lambda side: -exact[side])
    first, second = ranked[0], ranked[1]
    tally = " to ".join(f"{scores[side]}" for side in ranked)
    grade = _grade(exact[first], exact[second])
    if grade == "draw":
        return Outcome(frozenset(), f"A draw: {tally} points.", scores)
    name = table.sides[first].name
    return Outcome(frozenset({first}), f"{grade.capitalize()} victory for {name}: {tally} points.", scores)


def _grade(most: Fraction, next_most: Fraction) -> str:
    if next_most == 0:
        return "decisive" if most >= 1 else "draw"
    ratio = most / next_most
    if ratio >= Fraction(*TABLES.decisive):
        return "decisive"
    return "marginal" if ratio >= Fraction(*TABLES.marginal) else "draw"
