"""Points, winners and powers that are out (rule book EN-VIC; scenarios 10.4 to 10.6)."""

from __future__ import annotations

from fractions import Fraction

from games.encounters.rules.board import Board
from games.encounters.rules.rounding import nearest_whole
from games.encounters.state import Ended

STEP = "the score"
Bloc = tuple[str, ...]


def points_of(board: Board, power: str) -> int:
    """What a power scores by the scenario's text."""
    rules = board.state.victory
    total = 0
    for name in sorted(board.systems):
        system = board.systems[name]
        if system.owner != power:
            continue
        total += rules.points.get(name, system.RAW if rules.others_score_raw else 0)
        if rules.captured_home and name in rules.homes.values() and rules.homes.get(power) != name:
            total += rules.captured_home
    if rules.destroyed_ep:
        enemies = [key for key in board.seats if not board.same_bloc(power, key)]
        total += sum(board.powers[key].lost for key in enemies) // rules.destroyed_ep
    return total


def bloc_points(board: Board, bloc: Bloc) -> Fraction:
    """10.6: a bloc's sum divided by the number of its members, as an exact fraction."""
    total = Fraction(sum(points_of(board, key) for key in bloc))
    return total / len(bloc) if board.state.victory.shared_by_bloc else total


def drop_beaten_powers(board: Board) -> None:
    """EN-VIC-2: a power with no system and no ship is out."""
    owners = {system.owner for system in board.systems.values()}
    sailing = {unit.owner for unit in board.units.values() if board.is_ship(unit)}
    for key in board.seats:
        if key not in owners and key not in sailing and not board.powers[key].out:
            board.set_power(key, out=True)
            board.tell("out", "EN-VIC-2", STEP, board.everyone(), power=key)


def blocs_left(board: Board) -> list[Bloc]:
    return board.blocs_among(key for key in board.seats if not board.powers[key].out)


def at_once(board: Board) -> list[Bloc]:
    """EN-VIC-1: blocs that fulfil a condition that wins at once."""
    rules = board.state.victory
    throned = bool(rules.throne) and board.throne_held >= rules.throne_turns
    return [
        bloc
        for bloc in blocs_left(board)
        if (rules.homes_win_at_once and holds_a_foreign_home(board, bloc)) or (throned and board.throne_holder in bloc)
    ]


def holds_a_foreign_home(board: Board, bloc: Bloc) -> bool:
    homes = board.state.victory.homes
    held = {home for home in homes.values() if board.systems[home].owner in bloc}
    if board.state.victory.captured_home:
        # 10.5: both homes must be held.
        return len(homes) > 1 and held == set(homes.values())
    return any(home in held and key not in bloc for key, home in sorted(homes.items()))


def count_throne(board: Board) -> None:
    throne = board.state.victory.throne
    if not throne:
        return
    owner = board.systems[throne].owner or ""
    same = owner and owner == board.state.throne_holder
    board.throne_held = (board.state.throne_held + 1 if same else 1) if owner else 0
    board.throne_holder = owner


def judge(board: Board) -> Ended | None:
    """Step 18, EN-VIC-1, 2: the campaign ends at once, with the last bloc, or with the last turn."""
    count_throne(board)
    drop_beaten_powers(board)
    left = blocs_left(board)
    if len(left) <= 1:
        return finish(board, left[0] if left else (), "the last bloc in the field")
    winners = at_once(board)
    if len(winners) == 1:
        return finish(board, winners[0], "a victory at once")
    if winners or board.turn >= board.switches.turn_limit:
        return by_points(board, winners or left)
    return None


def by_points(board: Board, blocs: list[Bloc]) -> Ended:
    ranked = sorted(blocs, key=lambda bloc: (-bloc_points(board, bloc), board.seat(bloc[0])))
    best, second = bloc_points(board, ranked[0]), bloc_points(board, ranked[1])
    rules, lead = board.state.victory, best - second
    if best == second or lead < rules.margin:
        return finish(board, (), f"a draw, {spoken(best)} points to {spoken(second)}")
    word = "a decisive victory" if rules.decisive and lead >= rules.decisive else "victory"
    return finish(board, ranked[0], f"{word}, {spoken(best)} points to {spoken(second)}")


def spoken(points: Fraction) -> str:
    return str(points.numerator) if points.denominator == 1 else f"{points.numerator}/{points.denominator}"


def finish(board: Board, winners: Bloc, how: str) -> Ended:
    names = " and ".join(board.name(key) for key in winners)
    reason = f"{names}: {how}." if winners else f"{how[0].upper()}{how[1:]}."
    scores = {key: points_of(board, key) for key in board.seats}
    board.tell("victory", "EN-VIC-1", STEP, board.everyone(), powers=list(winners), points=scores, reason=reason)
    return Ended(winners, reason, scores)


def standing(board: Board) -> dict[str, int]:
    """Points as they stand, whole numbers for charts."""
    return {key: nearest_whole(Fraction(points_of(board, key))) for key in board.seats}
