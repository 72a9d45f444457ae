"""The turn's own steps: upkeep before the orders (2 to 4), settling and judging after them (17, 18)."""

from __future__ import annotations

from games.encounters.rules.board import Board
from games.encounters.rules.construction import finish_repairs, make_progress
from games.encounters.rules.contacts import forget_old_names, update_contacts
from games.encounters.rules.economy import blockades, collect_income, pay_maintenance
from games.encounters.rules.retreat import find_deck
from games.encounters.rules.victory import judge
from games.encounters.state import State


def keep_up(board: Board) -> None:
    """Steps 2 to 4, EN-ECO-7: they depend on no order of the turn, so the order form can show their result."""
    board.blockaded = blockades(board)
    board.at_start = {name: board.present(name) for name in sorted(board.systems)}
    collect_income(board)
    pay_maintenance(board)
    make_progress(board)


def after_upkeep(state: State) -> Board:
    """The board that strategic orders are judged against."""
    board = Board(state)
    keep_up(board)
    board.events = []
    return board


def end_turn(board: Board) -> State:
    """Steps 17 and 18: settle, look round, judge; then the next turn opens."""
    finish_repairs(board)
    for number in sorted(board.units):
        unit = board.units[number]
        if unit.retreated or unit.scattered:
            board.change(number, retreated=False, scattered=False)
    for number in sorted(board.units):
        if number in board.units and board.is_flight(board.units[number]):
            find_deck(board, number, "end of turn")
    board.drop_empty_fleets()
    update_contacts(board)
    forget_old_names(board)
    ended = judge(board)
    board.kept = {}
    following = board.turn if ended else board.turn + 1
    return board.frozen(turn=following, phase="strategic", battles=(), ended=ended)
