"""The opening state of a scenario, or the state a situation file describes."""

from __future__ import annotations

from games.battleshift.files import read_situation
from games.battleshift.rules.bounds import check_bodies, check_units
from games.battleshift.rules.fighters import clear_lost
from games.battleshift.rules.fog import learn, table_of
from games.battleshift.rules.shifting import arrivals
from games.battleshift.state import State
from pbem.kit.dice import Dice
from pbem.kit.scenario import Scenario


def setup(scenario: Scenario, dice: Dice) -> State:
    """Arrivals due in its turn are placed at once (BS-SHF-9)."""
    state = read_situation(scenario)
    check_bodies(state, scenario.key)
    check_units(state, scenario.key)
    if state.stage != "orders":
        return state
    table = table_of(state, dice)
    table.step = "arrivals"
    clear_lost(table)
    arrivals(table, state.turn)
    learn(table)
    return table.frozen(strikes=state.strikes)
