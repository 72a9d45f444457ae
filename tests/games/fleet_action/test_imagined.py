"""The law of imagining: a state drawn for a view gives the same view again, in every phase, fog and stage."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from games.fleet_action import GAME
from games.fleet_action.imagined import AtBest, imagined
from games.fleet_action.rules.salvos import Salvo, SeenSalvo
from games.fleet_action.state import State
from pbem.kit.dice import KeyedDice
from pbem.kit.scenario import load_scenario, scenarios_of
from tests.games.fleet_action.builders import SITUATIONS, cards, flight, ship, situation, squadron, the_ship

SCENARIOS = scenarios_of("fleet_action")
PHASES = 6


def drawings():
    return AtBest(), KeyedDice(b"one"), KeyedDice(b"two")


def assert_seen_again(state: State) -> None:
    for side in (*(side.id for side in state.sides), None):
        seen = GAME.view(state, side)
        for dice in drawings():
            assert GAME.view(imagined(seen, dice), side) == seen


def bots_play(state: State, number: int) -> State:
    texts = {s.id: GAME.bot(GAME.view(state, s.id), KeyedDice(f"{number} {s.id}".encode())) for s in state.sides}
    sheets = {side: GAME.read_orders(state, side, text) for side, text in texts.items()}
    return GAME.resolve(state, sheets, KeyedDice(f"{number}".encode())).state


@pytest.mark.parametrize("fog", ["standard", "open"])
@pytest.mark.parametrize("key", ["border-incident", "ragesh-approaches", "the-long-line"])
def test_what_is_imagined_is_seen_as_the_view_it_came_from(key, fog):
    """Deployment, adjustment, reaction and turns, in both fogs, by everybody and by the moderator."""
    opening = GAME.setup(SCENARIOS[key], KeyedDice(b"setup"))
    state = replace(opening, switches=replace(opening.switches, fog=fog))
    for number in range(PHASES):
        assert_seen_again(state)
        state = bots_play(state, number)


def test_the_end_of_a_game_can_be_imagined():
    state = GAME.setup(SCENARIOS["border-incident"], KeyedDice(b"setup"))
    for number in range(12):
        state = bots_play(state, number)
    assert state.stage == "over"
    assert_seen_again(state)


@pytest.mark.parametrize("path", sorted(SITUATIONS.glob("*.toml")), ids=lambda path: path.stem)
def test_every_situation_of_the_book_can_be_imagined(path):
    state = GAME.setup(load_scenario(path), KeyedDice(b"setup"))
    assert_seen_again(state)


def test_an_imagined_battle_can_be_fought():
    """Classes, homes and missions are drawn so that the rules work on them."""
    state = GAME.setup(SCENARIOS["ragesh-approaches"], KeyedDice(b"setup"))
    for number in range(8):
        for side in GAME.sides(state):
            drawn = imagined(GAME.view(state, side.id), KeyedDice(f"{number}".encode()))
            GAME.resolve(drawn, {}, KeyedDice(b"fight"))
        state = bots_play(state, number)


def hidden_battle(**fields: Any) -> State:
    return situation(
        squadron("Alpha", "earth", "2020", "Omega-1"),
        squadron("Kha'Mak", "narn", "2014", ship("T'Loth-1", structure=9, sensor=2), "G'Quan-1", heading=4),
        turn=3,
        flights=[flight("Frazi-1", "frazi", "T'Loth-1"), flight("Frazi-2", "frazi", "T'Loth-1", "2015")],
        **fields,
    )


def test_at_best_the_enemy_is_as_his_cards_have_him():
    """The upper end of the structure band, no system hit, full hangars; never what is really so."""
    drawn = imagined(GAME.view(hidden_battle(), "earth"), AtBest())
    card = the_ship(drawn, "T'Loth-1")
    assert (card.structure, card.sensor) == (13, 5)
    assert [f.name for f in drawn.flights if f.state == "hangar"][:2] == ["T'Loth-1 flight 1", "T'Loth-1 flight 2"]
    assert "Frazi-1" not in {f.name for f in drawn.flights}


def test_a_damaged_band_is_drawn_within_its_bounds():
    """Of 18 boxes, moderate is at least half and less than three quarters."""
    drawn = {
        the_ship(imagined(GAME.view(hidden_battle(), "earth"), KeyedDice(bytes([n]))), "T'Loth-1").structure
        for n in range(40)
    }
    assert len(drawn) > 1
    assert drawn <= {9, 10, 11, 12, 13}


@pytest.mark.rule("FA-JMP-3", "FA-JMP-8")
def test_who_comes_out_of_a_vortex_waits_behind_it():
    """Turn 0: the defender knows opener and squadron, and imagines a ship of that navy with a jump engine."""
    state = GAME.setup(SCENARIOS["the-long-line"], KeyedDice(b"setup"))
    state = GAME.resolve(state, {}, KeyedDice(b"deployed")).state
    assert state.stage == "reaction"
    drawn = imagined(GAME.view(state, "earth"), KeyedDice(b"drawn"))
    openers = {vortex.opener for vortex in state.vortices}
    waiting = [s for s in drawn.squadrons if s.state == "waiting"]
    assert {s.command_ship for s in waiting} == openers
    after = GAME.resolve(GAME.resolve(drawn, {}, KeyedDice(b"0")).state, {}, KeyedDice(b"1")).state
    assert {s.state for s in after.squadrons if s.name in {w.name for w in waiting}} == {"normal"}


@pytest.mark.rule("FA-WPN-9", "FA-WPN-14")
def test_of_a_salvo_under_way_the_enemy_knows_target_and_impact_alone():
    """Section 8: sensor, support, bypass and jamming were frozen at launch and stay with the firer."""
    salvos = [{"weapon": "ion-torpedo", "firer": "G'Quan-1", "target": "Omega-1", "x": 2, "launch": 6, "impact": 8}]
    state = hidden_battle(salvo=[{**salvos[0], "sensor": 7, "bypass": 1, "shift": 1}])
    (seen,) = GAME.view(state, "earth").salvos
    assert seen == SeenSalvo(
        side="narn", firer="G'Quan-1", weapon="ion-torpedo", x=2, target="Omega-1", launch=6, impact=8, number=1
    )
    assert type(GAME.view(state, "narn").salvos[0]) is Salvo
    assert_seen_again(state)


def test_open_fog_shows_salvos_whole():
    salvo = {"weapon": "ion-torpedo", "firer": "G'Quan-1", "target": "Omega-1", "x": 2, "launch": 6, "impact": 8}
    state = hidden_battle(salvo=[{**salvo, "sensor": 7}], switches={"fog": "open"})
    assert type(GAME.view(state, "earth").salvos[0]) is Salvo


@pytest.mark.rule("FA-VIC-2")
def test_points_that_are_not_told_are_counted():
    """The enemy's score follows from one's own losses: an Omega of 860 points."""
    state = hidden_battle()
    omega, *others = state.ships
    lost = replace(state, ships=(replace(omega, fate="destroyed", structure=0), *others))
    drawn = imagined(GAME.view(lost, "earth"), AtBest())
    assert next(side.points for side in drawn.sides if side.id == "narn") == 860


def test_a_side_that_builds_knows_the_cards_it_may_buy():
    """Cards of the scenario's own among them, so that its price can be reckoned."""
    state = situation(
        squadron("Alpha", "earth", "2020", "Omega-1"),
        squadron("Kha'Mak", "narn", "2014", "T'Loth-1"),
        stage="deployment",
        side_fields={"earth": {"points_limit": 1500}},
        **cards(artemis={"points": 99}),
    )
    seen = GAME.view(state, "earth")
    assert "artemis" in seen.buyable
    assert seen.cards.classes["artemis"].points == 99
    assert_seen_again(state)
