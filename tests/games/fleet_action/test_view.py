"""Section 8: what a side knows, and what it must not."""

from __future__ import annotations

import dataclasses

import pytest

from games.fleet_action import GAME
from games.fleet_action.state import (
    Flight,
    OpenFlight,
    OpenShip,
    OpenSquadron,
    SeenFlight,
    SeenShip,
    SeenSquadron,
    Ship,
    Squadron,
)
from pbem.kit import codec
from tests.games.fleet_action.builders import flight, play, ship, situation, squadron, the_squadron


def test_hidden_names_never_reach_the_enemy():
    """Canaries in a hangar and in hyperspace, and exact figures of damaged ships, stay with their owner."""
    state = situation(
        squadron("Alpha", "earth", "2020", ship("Hyperion-1", structure=13)),
        squadron("Relief", "earth", None, ship("Canary-Ship", "artemis"), fleet="Canary-Fleet"),
        squadron("Kha'Mak", "narn", "5555", "T'Loth-9"),
        turn=2,
        fleet=[
            {"side": "earth", "name": "Main", "abilities": ["stubborn"]},
            {"side": "earth", "name": "Canary-Fleet", "schedule": {"turn": 7}},
        ],
        flights=[flight("Canary-Flight", "aurora", "Hyperion-1")],
    )
    result = play(state, earth="Alpha:\n standing hold secondary\n withdraw")
    for before in (state, result.state):
        seen = codec.encode(GAME.view(before, "narn"))
        assert "Canary" not in seen
        assert "stubborn" not in seen
        assert {"Canary-Ship", "Canary-Flight", "Relief"} <= GAME.secrets(before, "narn")
        view = GAME.view(before, "narn")
        hyperion = next(s for s in view.ships if s.name == "Hyperion-1")
        assert (type(hyperion), view.bands["Hyperion-1"]) == (SeenShip, "moderate")
        assert {"structure", "sensor", "weapon_left"}.isdisjoint(vars(hyperion))
    told = codec.encode([event for event in result.events if "narn" in event.seen_by])
    assert "Canary" not in told
    assert GAME.secrets(state, "earth") == frozenset()
    assert "Canary-Ship" in codec.encode(GAME.view(state, None))


def test_open_fog_shows_damage_but_not_plans():
    """Structure is exact; schedules and abilities are not told."""
    state = situation(
        squadron("Alpha", "earth", "2020", ship("Hyperion-1", structure=13), abilities=["stubborn"]),
        squadron("Kha'Mak", "narn", "5555", "T'Loth-9"),
        switches={"fog": "open"},
    )
    view = GAME.view(state, "narn")
    assert next(s.structure for s in view.ships if isinstance(s, OpenShip) and s.name == "Hyperion-1") == 13
    alpha = next(s for s in view.squadrons if s.name == "Alpha")
    assert isinstance(alpha, OpenSquadron)
    assert (alpha.morale_start, hasattr(alpha, "abilities")) == (the_squadron(state, "Alpha").morale_start, False)


def test_third_parties_learn_no_dice():
    """Centauri watch Earth fire at Narn: hits, but neither dice nor modifiers nor effects."""
    sides = (("earth", "Earth", "defender"), ("narn", "Narn", "attacker"), ("centauri", "Centauri", "attacker"))
    state = situation(
        squadron("Alpha", "earth", "2020", "Omega-1"),
        squadron("Kha'Mak", "narn", "2014", "T'Loth-1", heading=4),
        squadron("Aquila", "centauri", "5555", "Primus-1"),
        sides=sides,
    )
    text = "Omega-1:\n target Kha'Mak\n fire heavy-laser at T'Loth-1 pulse 1\n hold medium-pulse, particle-beam"
    result = play(state, 9, 1, 1, 1, 9, 1, earth=text, narn="Kha'Mak: hold", centauri="Aquila: hold")
    seen = [event for event in result.events if "centauri" in event.seen_by and event.kind in ("fire", "damage", "hit")]
    assert [event.kind for event in seen] == ["fire", "hit"]
    assert (seen[0].facts["dice"], seen[0].facts["modifiers"], seen[0].rolls) == ([], {}, ())


@pytest.mark.parametrize(("fog", "kinds"), [("standard", "Seen"), ("open", "Open")])
def test_units_of_others_are_cut_to_what_the_fog_leaves(fog, kinds):
    """Own records are whole; of the enemy's the view holds no more than the audience's own record."""
    state = situation(
        squadron("Alpha", "earth", "2020", ship("Hyperion-1", prepared_jump_turn=1), state="jumping"),
        squadron("Kha'Mak", "narn", "5555", "T'Loth-9"),
        flights=[flight("Fury-1", "aurora", "Hyperion-1", "2021")],
        switches={"fog": fog},
    )
    view = GAME.view(state, "narn")
    units: list[SeenSquadron | SeenShip | SeenFlight] = [*view.squadrons, *view.ships, *view.flights]
    enemy = {type(unit).__name__ for unit in units if unit.name[0] in "AHF"}
    assert enemy == {f"{kinds}Squadron", f"{kinds}Ship", f"{kinds}Flight"}
    assert next(s.state for s in view.squadrons if s.name == "Alpha") == "normal"
    mine = GAME.view(state, "earth")
    assert [type(unit) for unit in (mine.squadrons[0], mine.ships[0], mine.flights[0])] == [Squadron, Ship, Flight]
    assert mine.squadrons[0].state == "jumping"


@pytest.mark.parametrize(
    ("kind", "secret"),
    [
        (OpenSquadron, {"abilities", "formation", "patrol", "arrives"}),
        (OpenShip, {"prepared_jump_turn"}),
        (OpenFlight, {"doctrine"}),
        (SeenShip, {"structure", "sensor", "weapon_left", "man_left", "command"}),
    ],
)
def test_open_fog_never_shows_orders_and_standard_fog_no_tracks(kind, secret):
    """Section 8: the fields that a cut record must not have."""
    assert secret.isdisjoint(field.name for field in dataclasses.fields(kind))
