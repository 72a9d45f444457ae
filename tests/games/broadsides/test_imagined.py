"""Imagined states: seen by the same reader they give the same view again, whatever the dice say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from games.broadsides import GAME
from games.broadsides.state import Ship, State
from pbem.kit.dice import KeyedDice
from pbem.kit.hexgrid import distance
from pbem.kit.scenario import load_scenario, scenarios_of
from pbem.play.trial import run_trial
from tests.games.broadsides.builders import SITUATIONS, state_of, tried, unit

SCENARIOS = ("border-incident", "the-gap", "siege-of-the-citadel")
DRAWS = 3


@cache
def played(key: str, *, second_mail: bool = False, phases: int = 7) -> tuple[State, ...]:
    """The states of a battle between two bots, the last one included; sides upgrade what they may."""
    scenario = scenarios_of("broadsides")[key]
    switches = {**scenario.data.get("switches", {}), "fire_phase": second_mail}
    scenario = replace(scenario, data={**scenario.data, "switches": switches})
    states = [GAME.setup(scenario, KeyedDice(b"imagined"))]
    while (phase := GAME.phase(states[-1])) is not None and len(states) < phases:
        state = states[-1]
        texts = {side: bot_text(state, side) for side in sorted(phase.sides)}
        sheets = {side: GAME.read_orders(state, side, text) for side, text in texts.items()}
        states.append(GAME.resolve(state, sheets, KeyedDice(b"%d" % len(states))).state)
    return tuple(states)


def bot_text(state: State, side: str) -> str:
    if state.phase == "setup":
        ships = [name for name in GAME.units(state, side) if name in state.ships]
        return "\n".join(f"{name}: upgrade sensors {number % 3}" for number, name in enumerate(ships))
    return GAME.bot(GAME.view(state, side), KeyedDice(f"{state.turn} {side}".encode()))


def readers(state: State) -> Iterator[str | None]:
    yield from (info.id for info in GAME.sides(state))
    yield None


def assert_law(state: State) -> None:
    assert GAME.imagined is not None
    for side in readers(state):
        view = GAME.view(state, side)
        for draw in range(DRAWS):
            assert GAME.view(GAME.imagined(view, KeyedDice(b"%d" % draw)), side) == view


@pytest.mark.parametrize("second_mail", [False, True])
@pytest.mark.parametrize("key", SCENARIOS)
def test_the_view_of_an_imagined_state_is_the_view_it_was_made_from(key: str, *, second_mail: bool) -> None:
    for state in played(key, second_mail=second_mail):
        assert_law(state)


@pytest.mark.parametrize("key", SCENARIOS[:2])
def test_the_law_holds_after_the_end(key: str) -> None:
    state = played(key, phases=99)[-1]

    assert GAME.phase(state) is None
    assert_law(state)


@pytest.mark.parametrize("path", sorted(SITUATIONS.glob("*.toml")), ids=lambda path: path.stem)
def test_the_law_holds_in_every_situation(path: Path) -> None:
    scenario = load_scenario(path)

    assert_law(GAME.setup(scenario, KeyedDice(b"setup")))
    assert_law(run_trial(scenario).state)


@pytest.mark.parametrize("second_mail", [False, True])
def test_an_imagined_state_can_be_played(*, second_mail: bool) -> None:
    assert GAME.imagined is not None
    for state in played("the-gap", second_mail=second_mail)[1:]:
        thought = GAME.imagined(GAME.view(state, "EA"), KeyedDice(b"thought"))
        sheets = {side: GAME.read_orders(thought, side, bot_text(thought, side)) for side in ("EA", "Narn")}
        assert all(sheet.problems == () for sheet in sheets.values())
        assert GAME.resolve(thought, sheets, KeyedDice(b"x")).state.roster


@pytest.mark.rule("BR-VP-1", "BR-SET-7")
def test_upgrades_are_drawn_so_that_the_totals_come_out() -> None:
    """A Lance of 315 points with 2 upgrades at 16 each is worth 347 destroyed; its enemy knows the total alone."""
    state = state_of(
        unit("EA", "Ajax", "Lance", (0, 9), sensor_upgrades=1, jammer_upgrade=True, status="destroyed"),
        unit("EA", "Bold", "Lance", (1, 9)),
        unit("Narn", "Karn", "Karn-Tal", (0, -9)),
        year=2261,
    )
    view = GAME.view(state, "Narn")
    assert GAME.imagined is not None
    drawn = [GAME.imagined(view, KeyedDice(b"%d" % draw)).ships for draw in range(12)]

    assert view.scores["Narn"] == 315 + 2 * 16
    assert {ships["Ajax"].sensor_upgrades + ships["Ajax"].jammer_upgrade for ships in drawn} == {2}
    assert len({ships["Bold"].sensor_upgrades for ships in drawn}) > 1


@pytest.mark.rule("BR-JAM-4")
def test_a_hidden_flight_is_drawn_out_of_sight_and_a_seen_one_has_fired() -> None:
    units = [unit("Narn", "Ajax", "Lance", (0, 0)), unit("EA", "Shade", "Lirin", (0, 20), number=2, heading=2)]
    seen = {"Narn": {"Shade": {"hex": [0, 9], "heading": 0, "turn": 1}}}
    hidden = state_of(*units, switches={"jammer_rule": "gravitic"}, sightings=seen)
    fired = state_of(units[0], {**units[1], "fired": True}, switches={"jammer_rule": "gravitic"})
    assert GAME.imagined is not None

    assert_law(hidden)
    assert_law(fired)
    drawn = [GAME.imagined(GAME.view(hidden, "Narn"), KeyedDice(b"%d" % draw)).flights["Shade"] for draw in range(9)]
    assert len({flight.position for flight in drawn}) > 1
    assert all(distance(flight.position, hidden.ships["Ajax"].position) > 3 for flight in drawn)
    assert GAME.imagined(GAME.view(fired, "Narn"), KeyedDice(b"x")).flights["Shade"].fired


def test_a_launch_in_flight_keeps_its_mount_and_draws_its_target() -> None:
    done = tried(
        unit("EA", "Dover", "Picket", (0, 12)),
        unit("Narn", "Foe", "Lance", (0, -12), heading=3),
        dice=[5, 5],
        ea="Dover: ballistic MR1 at Foe",
        narn="Foe: hold all",
        switches={"fire_phase": True},
    )
    assert GAME.imagined is not None
    thought = GAME.imagined(GAME.view(done.state, "Narn"), KeyedDice(b"x"))

    assert_law(done.state)
    assert [(shot.launcher, shot.mount, shot.target) for shot in thought.ballistics] == [("Dover", "MR1", "Foe")]
    assert thought.ships["Dover"].weapon["MR1"].used


def test_hidden_parts_stay_within_the_class() -> None:
    assert GAME.imagined is not None
    for state in played("the-gap")[2:]:
        thought = GAME.imagined(GAME.view(state, "EA"), KeyedDice(b"within"))
        for ship in (one for one in thought.ships.values() if one.side == "Narn"):
            assert_within_class(thought, ship)


def assert_within_class(state: State, ship: Ship) -> None:
    sheet = state.cards.classes[ship.class_name]
    for section in sheet.sections:
        assert 0 <= ship.structure[section.name] <= section.structure
    for mount in sheet.mounts:
        assert 0 <= ship.weapon[mount.id].charge <= state.cards.weapons[mount.type].full
    assert set(ship.battery) == {system.id for system in sheet.systems.values() if system.kind == "battery"}
