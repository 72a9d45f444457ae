"""The turn's own steps: upkeep before the orders (2 to 4), settling and judging after them (17, 18)."""

from __future__ import annotations

from games.encounters.rules.construction import finish_repairs, make_progress
from games.encounters.rules.contacts import forget_old_names, update_contacts
from games.encounters.rules.economy import blockades, collect_income, pay_maintenance
from games.encounters.rules.retreat import find_deck
from games.encounters.rules.victory import judge
from games.encounters.state import State
from games.encounters.table import Table, Trial


def keep_up(table: Table) -> None:
    """Steps 2 to 4, EN-ECO-7: they depend on no order of the turn, so the order form can show their result."""
    done = table.state.upkeep
    table.blockaded = blockades(table) if done is None else frozenset(done.blockaded)
    table.at_start = {name: table.present(name) for name in sorted(table.systems)}
    if done is None:
        collect_income(table)
        pay_maintenance(table)
        make_progress(table)


def after_upkeep(state: State) -> Table:
    """The table that strategic orders are judged against."""
    table = Trial(state)
    keep_up(table)
    return table


def end_turn(table: Table) -> State:
    """Steps 17 and 18: settle, look round, judge; then the next turn opens."""
    table.step = "end of turn"
    finish_repairs(table)
    for unit in [unit for unit in table.units.values() if not unit.in_play]:
        table.change(unit, retreated=False, scattered=False)
    for number in sorted(table.units):
        if table.is_flight(table.units[number]):
            find_deck(table, number)
    table.drop_empty_fleets()
    update_contacts(table)
    forget_old_names(table)
    ended = judge(table)
    table.kept = {}
    following = table.turn if ended else table.turn + 1
    return table.frozen(turn=following, phase="strategic", battles=(), ended=ended, upkeep=None)
