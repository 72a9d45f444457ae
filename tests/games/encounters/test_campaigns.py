"""Whole campaigns: bots to the end, JSON round trips, stable size, and laws that hold whatever happens."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.encounters import GAME
from games.encounters.data import catalogue
from games.encounters.orders.records import Hit, Target
from games.encounters.rules.combatant import Combatant, effective_dv
from games.encounters.rules.damage import ABSORB, spend_points
from games.encounters.setup import setup
from games.encounters.state import State, Unit
from games.encounters.table import Table
from pbem.kit.codec import encode, same
from pbem.kit.dice import KeyedDice
from pbem.kit.scenario import Scenario, scenarios_of
from pbem.play.phase import Played
from pbem.play.selfplay import play


@cache
def campaign(key: str, seed: bytes, most: int) -> tuple[Played, ...]:
    return tuple(islice(play(GAME, scenarios_of("encounters")[key], seed), most))


@pytest.mark.parametrize("key", ["altair-gap", "rift-war", "eight-thrones"])
@pytest.mark.parametrize("seed", [b"one", b"two"])
def test_bots_play_every_scenario_to_its_end(key: str, seed: bytes) -> None:
    phases = campaign(key, seed, 200)

    assert GAME.phase(phases[-1].after) is None
    assert GAME.outcome(phases[-1].after) is not None
    assert [
        played.sheets[side].problems for played in phases for side in played.sheets if played.sheets[side].problems
    ] == []


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(40))
def test_many_campaigns_come_to_an_end(seed: int) -> None:
    for key in ("altair-gap", "rift-war", "eight-thrones"):
        phases = campaign(key, f"soak {seed}".encode(), 300)

        assert GAME.phase(phases[-1].after) is None
        for played in phases:
            check_laws(played.after)


@pytest.mark.parametrize("key", ["altair-gap", "rift-war"])
def test_states_survive_json_and_keep_the_laws(key: str) -> None:
    for played in campaign(key, b"one", 200):
        assert same(played.after) == played.after
        check_laws(played.after)


def test_a_stored_state_resolves_like_the_one_in_memory() -> None:
    """Order of keys is lost in JSON; nothing may depend on it."""
    for played in campaign("rift-war", b"two", 12):
        assert isinstance(played.dice, KeyedDice)
        stored = same(played.before)
        sheets = {side: GAME.read_orders(stored, side, text_of(sheet)) for side, sheet in played.sheets.items()}
        again = GAME.resolve(stored, sheets, KeyedDice(played.dice._key))

        assert encode(again.state) == encode(played.after)
        assert encode(again.events) == encode(played.events)


def text_of(sheet: object) -> str:
    from pbem.kit.merging import written
    from pbem.kit.sheet import Sheet

    assert isinstance(sheet, Sheet)
    return written(sheet.blocks)


def check_laws(state: State) -> None:
    """Cargo is where its carrier is and fits; ships are where their fleets are; numbers keep their ranges."""
    table = Table(state)
    for unit in state.units.values():
        assert unit.state in ("intact", "crippled")
        if unit.carrier is not None:
            assert state.units[unit.carrier].location == unit.location
            assert not unit.landed
        if table.is_ship(unit):
            assert table.fleets[unit.owner, unit.fleet].location == unit.location
            assert table.free_cv(unit) >= 0
    for name, system in state.systems.items():
        assert 0 <= system.PROD <= system.CEN <= system.CAP, name
        assert 0 <= system.MOR <= system.CEN, name
    for power in state.powers.values():
        assert power.treasury >= 0
        names = [unit.name for unit in state.units.values() if unit.owner == power.key]
        assert len(names) == len(set(names))


def endless(key: str) -> Scenario:
    """The scenario without an end, for long runs."""
    scenario = scenarios_of("encounters")[key]
    data = {**scenario.data, "victory": {}, "switches": {**scenario.data["switches"], "turn_limit": 9999}}
    return replace(scenario, data=data)


def test_a_campaign_of_a_hundred_turns_stays_small() -> None:
    """The state of turn 100 is not much bigger than that of turn 20."""
    sizes: dict[int, int] = {}
    state = setup(endless("rift-war"), KeyedDice(b"setup"))
    for played in play(GAME, endless("rift-war"), b"long", 400):
        state = played.after
        sizes[state.turn] = len(encode(state))
        if state.turn > 100 or GAME.phase(state) is None:
            break

    assert state.turn > 60
    assert max(sizes.values()) < 3 * sizes[min(20, max(sizes))]


@settings(max_examples=30, deadline=None)
@given(
    points=st.integers(0, 60),
    ratings=st.lists(st.integers(-4, 4), min_size=1, max_size=6),
    doctrine=st.sampled_from(sorted(ABSORB)),
    kill=st.booleans(),
)
def test_damage_never_spends_more_than_it_has_and_goes_on_while_it_can(
    points: int, ratings: list[int], doctrine: str, *, kill: bool
) -> None:
    """EN-DMG-3: what is left buys no further nondirected step."""
    names = ("Picket", "Lance", "Bulwark", "Citadel", "Aegis", "Rampart")
    targets = [
        Combatant(Unit(n, f"U{n}", "KOR", name, "Vega"), catalogue().designs[name], dr=rating)
        for n, (name, rating) in enumerate(zip(names, ratings, strict=False))
    ]
    spent: list[int] = []
    left = spend_points(
        points, [Hit(Target("weakest"), kill=kill)], targets, doctrine, lambda _one, _how, cost: spent.append(cost)
    )

    assert sum(spent) + left == points
    assert all(left < one.design.DV for one in targets if one.state != "destroyed")


@settings(max_examples=50, deadline=None)
@given(dv=st.integers(1, 25), rating=st.integers(-9, 9))
def test_effective_dv_rises_with_the_rating(dv: int, rating: int) -> None:
    assert 1 <= effective_dv(dv, rating) <= effective_dv(dv, rating + 1)


@settings(max_examples=25, deadline=None)
@given(st.text(max_size=200))
def test_reading_orders_never_raises(text: str) -> None:
    for state in (campaign("altair-gap", b"one", 2)[0].before, campaign("altair-gap", b"one", 2)[0].after):
        GAME.read_orders(state, "AUR", text)
        GAME.read_orders(state, "AUR", f"Battle Altair:\n{text}\nGround Altair:\n{text}")


ALLIES = {"AUR": "KOR", "KOR": "AUR", "TAL": "MER", "MER": "TAL"}
SELECTORS = ("biggest", "weakest", "flagship", "crippled", "carriers", "transports", "DD", "smallest x 2", "flights")
MISSIONS = ("engage", "screen", "disrupt", "disrupt 2", "firecontrol", "disengage")


def wild_letter(state: State, side: str, dice: KeyedDice) -> str:
    """The bot's orders with allies, and with targets and missions drawn by lot."""
    view = GAME.view(state, side)
    text = GAME.bot(view, dice)

    def lot(words: tuple[str, ...], *label: object) -> str:
        return words[dice.roll(len(words), "wild", *label).face - 1]

    if view.phase == "strategic":
        return text + (f"Empire: stance {ALLIES[side]} ally\n" if side in ALLIES else "")
    for place in view.places:
        text += f"{'Battle' if view.phase == 'battle' else 'Ground'} {place}:\n"
        text += f" direct all at kill {lot(SELECTORS, place, 1)}, {lot(SELECTORS, place, 2)}\n"
        text += f" exclude {lot(SELECTORS, place, 3)}\n include {lot(SELECTORS, place, 4)}\n"
        for unit in view.units_of(side, place):
            if view.design(unit).category == "ship":
                text += f"{unit.name}: mission {lot(MISSIONS, place, 'mission', unit.id)}\n"
    return text


@pytest.mark.parametrize("seed", ["wild", "wilder"])
def test_allies_and_wild_letters_keep_the_laws_and_the_secrets(seed: str) -> None:
    """Eight powers, two alliances, orders by lot: nothing breaks, and nobody reads a name it may not know."""
    state = setup(endless("eight-thrones"), KeyedDice(b"setup"))
    for number in range(9):
        phase = GAME.phase(state)
        assert phase is not None
        sheets = {}
        for side in state.seats:
            lots = KeyedDice(f"{seed} {number} {side}".encode())
            sheets[side] = GAME.read_orders(state, side, wild_letter(state, side, lots) if side in phase.sides else "")
        after = GAME.resolve(state, sheets, KeyedDice(f"{seed} {number}".encode()))
        state = after.state
        check_laws(state)
        assert same(state) == state
        for side in state.seats:
            seen = [event.facts for event in after.events if side in event.seen_by]
            text = encode([GAME.view(state, side), GAME.scene(GAME.view(state, side), ()), seen])
            assert [word for word in sorted(GAME.secrets(state, side)) if word in text] == []

    assert GAME.view(state, None).relations["AUR"].bloc == ("AUR", "KOR")
