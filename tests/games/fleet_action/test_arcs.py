"""The fields of fire of a unit, drawn on request."""

from __future__ import annotations

import math

import pytest

from games.fleet_action import GAME
from pbem.kit.dice import LoadedDice
from pbem.kit.hexgrid import parse
from pbem.kit.scenario import scenarios_of
from pbem.kit.scene import hex_point


@pytest.mark.rule("FA-MAP-9", "FA-FIRE-5")
def test_the_arcs_of_a_ship_reach_as_far_as_its_guns() -> None:
    """Hyperion-1 heads south (4); its heavy laser reaches 8/16/24 ahead, so the fore arc is centred on 180 degrees."""
    view = GAME.view(GAME.setup(scenarios_of("fleet_action")["border-incident"], LoadedDice()), "earth")
    assert GAME.arcs is not None

    drawn = GAME.arcs(view, "Hyperion-1")

    at = parse("2008")
    assert at is not None
    fore = [arc for arc in drawn if (arc.start, arc.end) == (150, 210)]
    assert [round(arc.radius / math.sqrt(3)) for arc in fore] == [8, 16, 24]
    assert {arc.at for arc in drawn} == {hex_point(at)}
    assert len(GAME.arcs(view, "Alpha")) > len(drawn)
    assert GAME.arcs(view, "Nobody") == ()
