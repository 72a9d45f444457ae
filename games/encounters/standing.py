"""How the contest stands: charts, sides and outcome; and the names a side must not read."""

from __future__ import annotations

from games.encounters.data import catalogue
from games.encounters.rules.board import Board
from games.encounters.state import State
from games.encounters.view import View, knows, knows_fleet
from pbem.kit.game import Outcome, SideInfo

# --- charts and secrets ----------------------------------------------------------------------------------------------


def gauges(view: View) -> dict[str, dict[str, float]]:
    """Figures worth a chart: own income and strength; systems and points of all, which are public."""
    figures: dict[str, dict[str, float]] = {"income": {}, "treasury": {}, "strength": {}, "systems": {}, "points": {}}
    for empire in view.empires:
        figures["income"][empire.key] = empire.income
        figures["treasury"][empire.key] = empire.treasury
        figures["strength"][empire.key] = empire.strength
    for power in view.powers:
        figures["systems"][power.key] = sum(1 for system in view.systems if system.owner == power.key)
        figures["points"][power.key] = power.points
    return figures


def secrets(state: State, side: str) -> frozenset[str]:
    """Names that side may not know: of hostile units, fleets and designs it has neither met nor could call its own."""
    board = Board(state)
    allowed = open_words(board, side)
    hidden = {unit.name for unit in board.units.values() if not knows(board, side, unit)}
    hidden |= {name for owner, name in board.fleets if not knows_fleet(board, side, owner, name)}
    for key in board.seats:
        if key != side:
            hidden |= {board.design_of(one).name for one in board.powers[key].designs if ":" in one}
            hidden |= {one.name for one in board.builds if one.owner == key and one.name}
    return frozenset(
        name
        for name in hidden
        if not is_automatic(board, name) and not any(name.casefold() in word for word in allowed)
    )


def open_words(board: Board, side: str) -> list[str]:
    """Texts a side may read anyway: its own and its allies' names, the map, the catalogue, names it has met."""
    own = [unit.name for unit in board.units.values() if knows(board, side, unit)]
    fleets = [name for owner, name in board.fleets if knows_fleet(board, side, owner, name)]
    met = [one for found in board.powers[side].contacts.values() for contact in found for one in contact.units]
    seen = [word for one in met for word in (one.name, one.fleet, *one.cargo) if word]
    powers = [word for power in board.powers.values() for word in (power.key, power.name)]
    mine = board.powers[side]
    designs = [board.design_of(key).name for key in mine.designs]
    builds = [build.name for build in board.builds if build.owner == side]
    words = (
        *own,
        *fleets,
        *designs,
        *builds,
        *mine.former,
        *seen,
        *board.powers[side].known,
        *board.systems,
        *powers,
        *catalogue().designs,
    )
    return [word.casefold() for word in words]


def is_automatic(board: Board, name: str) -> bool:
    """``Lance 7``, ``Yard Vega``: names the rules give alike to everybody, which tell nothing by themselves."""
    head, _, tail = name.rpartition(" ")
    if tail.isdigit() and head in board.catalogue().designs:
        return True
    return name.startswith(("Yard ", "Retreat "))


# --- sides and outcome -----------------------------------------------------------------------------------------------


def sides_of(state: State) -> tuple[SideInfo, ...]:
    return tuple(SideInfo(key, state.powers[key].name) for key in state.seats)


def outcome_of(state: State) -> Outcome | None:
    if state.ended is None:
        return None
    return Outcome(frozenset(state.ended.winners), state.ended.reason, state.ended.scores)
