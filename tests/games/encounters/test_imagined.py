"""A state imagined from a view gives its reader the same view again, whatever the dice fill its gaps with."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from games.encounters import GAME
from games.encounters.imagined import imagined
from games.encounters.rules.supply import in_supply
from games.encounters.state import State
from games.encounters.table import Table
from pbem.kit.dice import KeyedDice
from pbem.kit.scenario import Scenario, load_scenario, scenarios_of
from pbem.play.selfplay import bot_orders
from tests.games.encounters.builders import SITUATIONS, force, readiness, situation, start

ALLIANCES = {
    "AUR": "stance KOR ally\nstance MER peace\n",
    "KOR": "stance AUR ally\nstance TAL ally\n",
    "TAL": "stance KOR ally\n",
}
DICE = (b"one", b"two")


def states(scenario: Scenario, seed: str, said: dict[str, str] | None = None) -> Iterator[State]:
    """Every state of a campaign of bots, the end included; ``said`` stands above the first orders."""
    state = GAME.setup(scenario, KeyedDice(b"setup"))
    yield state
    for number in range(1000):
        phase = GAME.phase(state)
        if phase is None:
            return
        texts = bot_orders(GAME, state, phase, f"{seed} {number}".encode())
        if said and number == 0:
            texts = {side: said.get(side, "") + text for side, text in texts.items()}
        sheets = {info.id: GAME.read_orders(state, info.id, texts.get(info.id, "")) for info in GAME.sides(state)}
        state = GAME.resolve(state, sheets, KeyedDice(f"{seed} {number}".encode())).state
        yield state


def check(state: State, where: str) -> None:
    for side in (*state.seats, None):
        view = GAME.view(state, side)
        for key in DICE:
            again = GAME.view(imagined(view, KeyedDice(key)), side)

            assert again == view, f"{where}, turn {state.turn}, {state.phase}, {side}"


@pytest.mark.parametrize("key", scenarios_of("encounters"))
def test_the_first_phases_of_every_scenario(key: str) -> None:
    for state in islice(states(scenarios_of("encounters")[key], "law"), 9):
        check(state, key)


@pytest.mark.parametrize("key", ["altair-gap", "rift-war"])
def test_a_whole_campaign_and_its_end(key: str) -> None:
    for number, state in enumerate(states(scenarios_of("encounters")[key], "whole")):
        if number % 4 == 0 or state.ended:
            check(state, key)


def test_allies_who_see_each_other_only_where_they_meet() -> None:
    opening = scenarios_of("encounters")["eight-thrones"]
    for state in islice(states(opening, "allies", ALLIANCES), 1, 8):
        assert GAME.view(state, "AUR").relations["AUR"].bloc == ("AUR", "KOR", "TAL")
        check(state, "allies")


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("key", scenarios_of("encounters"))
def test_whole_campaigns(key: str, seed: int) -> None:
    said = ALLIANCES if key == "eight-thrones" and seed % 2 else None
    for state in states(scenarios_of("encounters")[key], f"soak {seed}", said):
        check(state, key)


@pytest.mark.parametrize("path", sorted(SITUATIONS.glob("*.toml")), ids=lambda path: path.stem)
def test_every_situation(path: Path) -> None:
    check(GAME.setup(load_scenario(path), KeyedDice(b"setup")), path.stem)


def test_what_was_counted_is_there_and_what_was_named_bears_its_name() -> None:
    """D5 counts by class and level: two DD-1 and a CA-1 stand in the imagined system as well."""
    here = situation(
        force("AUR", "Altair", "Lance Ajax"),
        force("KOR", "Altair", "Lance Dagh", "Lance Tarn", "Bulwark Khar"),
        readiness("Altair", AUR_KOR="total = 14"),
    )
    view = GAME.view(start(here), "AUR")
    table = Table(imagined(view, KeyedDice(b"any")))

    theirs = [table.design(enemy).mark for enemy in table.at("Altair") if enemy.owner == "KOR"]
    assert view.presences[0].contact.level == 5
    assert sorted(theirs) == ["CA-1", "DD-1", "DD-1"]
    assert "Khar" not in {enemy.name for enemy in table.at("Altair")}


@pytest.mark.rule("EN-SUP-1")
def test_a_fleet_out_of_supply_is_cut_off_by_somebody() -> None:
    """Rigel is two lanes from Vega, by Altair or by Deneb; the reader is told that it is cut off, not by whom."""
    here = situation(
        force("AUR", "Vega", "Slipway"),
        force("AUR", "Rigel", "Lance Ajax", fleet="First Fleet"),
        force("KOR", "Altair", "Bulwark Khar"),
        force("KOR", "Deneb", "Bulwark Vorn"),
        phase="strategic",
        KOR="treasury = 20",
    )
    view = GAME.view(start(here), "AUR")

    assert view.flotillas["AUR"]["First Fleet"].supplied is False
    for key in DICE:
        state = imagined(view, KeyedDice(key))
        assert not in_supply(Table(state), "AUR", "Rigel")
        assert {"Altair", "Deneb"} <= {enemy.location for enemy in state.units.values() if enemy.owner == "KOR"}


@pytest.mark.rule("EN-ECO-7")
def test_upkeep_is_not_done_twice() -> None:
    """Vega yields 18 and Lance Ajax costs 1: 20 in hand are 37 to spend, and stay 37 in what is imagined."""
    here = situation(
        force("AUR", "Vega", "Lance Ajax"),
        force("KOR", "Rigel", "Lance Dagh"),
        phase="strategic",
        AUR="treasury = 20",
    )
    view = GAME.view(start(here), "AUR")
    state = imagined(view, KeyedDice(b"any"))

    assert (view.books["AUR"].in_hand, view.own.treasury if view.own else 0) == (20, 37)
    assert state.powers["AUR"].treasury == 37
    assert GAME.view(state, "AUR").books == view.books
