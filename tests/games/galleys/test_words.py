"""Section 9: every event has its words, and the map shows what happened."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from games.galleys import GAME
from pbem.kit.game import Event
from pbem.kit.scenario import scenarios_of
from pbem.kit.scene import Burst, HexGrid, Lane, Patch, Shot, Trail, Unit
from pbem.play.selfplay import play
from tests.games.galleys.builders import THEM, US, acting, link, read, sea, ship, tried

ROOT = Path(__file__).parents[3]
KINDS = [
    "order_error",
    "order_warning",
    "initiative",
    "activation",
    "speed",
    "move",
    "blocked",
    "exit",
    "fire",
    "avoidance",
    "grapple",
    "ram",
    "rake",
    "anastrophe",
    "crippled",
    "rammed",
    "fouled",
    "ram_broken",
    "disengage",
    "jettison",
    "flame",
    "firepot",
    "burn",
    "fatigue",
    "recovery",
    "boarding",
    "capture",
    "sinking",
    "lost",
    "morale",
    "flagship_lost",
    "intent_skipped",
    "victory",
]


def narrative(*, escaping: bool = False) -> dict[str, object]:
    environment = Environment(
        loader=FileSystemLoader(ROOT / "templates"), undefined=StrictUndefined, autoescape=escaping, trim_blocks=True
    )
    return vars(environment.get_template("galleys/narrative.j2").module)


def said(event: Event, *, escaping: bool = False) -> str:
    macro = narrative(escaping=escaping)[event.kind]
    return " ".join(str(macro(event)).split())  # type: ignore[operator]


def test_every_kind_of_the_book_has_a_macro() -> None:
    assert [kind for kind in KINDS if kind not in narrative()] == []


@pytest.mark.parametrize("key", ["rhium", "actium", "mylae"])
@pytest.mark.parametrize("escaping", [False, True])
def test_every_event_of_a_battle_can_be_told(key: str, *, escaping: bool) -> None:
    words = narrative(escaping=escaping)
    for played in play(GAME, scenarios_of("galleys")[key], b"words"):
        for event in played.events:
            assert event.kind in KINDS
            text = str(words[event.kind](event))  # type: ignore[operator]
            assert "None" not in text, event
        for side in played.sheets:
            seen = [event for event in played.events if side in event.seen_by]
            summary = str(words["summary"](GAME.view(played.after, side), seen))  # type: ignore[operator]
            assert 1 <= len(re.findall(r"\.(\s|$)", summary)) <= 3


def test_the_words_of_some_examples() -> None:
    told = {event.kind: said(event) for event in tried("GA-EX-9").events}

    assert told["ram"] == (
        "Ajax drives her beak into Thetis amidships (4+4 +3 = 11): "
        "she is holed below the waterline, and the rammer backs clear."
    )
    assert told["move"] == "Ajax rows F2 S F1 from 14,3 to 11,5, facing north-west."
    assert told["avoidance"] == "Thetis cannot get out of the way of Ajax (3)."
    assert told["speed"] == "Ajax picks up the stroke to full speed (6 MP)."


def test_an_intent_that_failed_says_why() -> None:
    (event,) = [event for event in tried("GA-EX-21").events if event.kind == "intent_skipped"]

    assert said(event) == 'Juno passes over "grapple Nysa": not alongside at the end of the movement.'


# --- the map ---------------------------------------------------------------------------------------------------------


def test_the_map_shows_bow_and_stern_states_links_and_wind() -> None:
    state = sea(
        [ship("Ajax", "trireme", "10,10/1", crippled=True, rammed=True, fire=1, flagship=True)],
        [ship("Bia", "liburnian", "11,10/3"), ship("Rhea", "liburnian", "13,9/3")],
        links=[link("Ajax", "Bia"), link("Ajax", "Bia", "fouled")],
        land=[[20, 5]],
        shoal=[[21, 5]],
        wind_force=2,
        wind_dir=4,
    )

    scene = GAME.scene(GAME.view(state, US), ())

    units = {item.label: item for item in scene.items if isinstance(item, Unit)}
    ajax, bia = units["Ajax"], units["Bia"]
    assert isinstance(scene.ground, HexGrid)
    assert (scene.ground.ground, scene.ground.columns, scene.ground.rows) == ("sea", 60, 60)
    assert (ajax.glyph, ajax.heading, ajax.flag) == ("two-hex galley", 60.0, True)
    assert ajax.stern is not None
    assert ajax.states == ("rammed", "crippled", "burning 1", "fouled", "grappled")
    assert (bia.glyph, bia.stern, bia.states) == ("galley", None, ("fouled", "grappled", "abreast"))
    assert [type(item) for item in scene.terrain[:2]] == [Patch, Patch]
    assert len([item for item in scene.items if isinstance(item, Lane)]) == 2
    assert scene.wind is not None
    assert (scene.wind.to, scene.wind.strength) == (240, "strong")
    assert "Ajax at 10,10 facing NE (crippled, rammed, burning 1, held by Bia)" in scene.alt
    assert "strong wind" in scene.alt


def test_the_map_shows_trails_shots_and_blows() -> None:
    found = tried("GA-EX-9")

    scene = GAME.scene(GAME.view(found.state, US), found.events)

    (trail,) = [item for item in scene.items if isinstance(item, Trail)]
    assert (len(trail.points), trail.side, trail.kind) == (4, US, "flown")
    assert [shot.hit for shot in scene.items if isinstance(shot, Shot)] == [False]
    assert [burst.label for burst in scene.items if isinstance(burst, Burst)] == ["ram"]


def test_the_forecast_draws_the_plotted_paths_of_ones_own_ships() -> None:
    state = sea([acting("Ajax", "trireme", "10,10/0"), acting("Bias", "trireme", "14,10/0")])

    scene = GAME.forecast(GAME.view(state, US), read(state, "Fleet: path F4\nAjax: path F2 S F1"))

    plots = [item for item in scene.items if isinstance(item, Trail) and item.kind == "plotted"]
    assert [len(plot.points) for plot in plots] == [4, 5]


def test_gauges_count_ships_points_and_worth() -> None:
    state = sea([ship("Ajax", "trireme", "10,10/0"), ship("Bias", "trireme", "14,10/0", status="sunk", lost_turn=1)])

    assert GAME.gauges(GAME.view(state, US)) == {
        "ships": {US: 1, THEM: 1},
        "points scored": {US: 0, THEM: 6},
        "worth left": {US: 6, THEM: 4},
    }


def test_the_order_form_leaves_out_what_a_ship_cannot_do() -> None:
    """A plan for the squadron, and a block of her own for the ship too tired to follow it."""
    tired = ship("Ajax", "trireme", "10,10/0", fatigue=1, doctrines={"react": "ram"})
    state = sea([tired, ship("Bias", "trireme", "14,10/0")], sides={US: {"doctrines": {"avoid": "none"}}})

    form = GAME.template(GAME.view(state, US))

    assert read(state, form).problems == ()
    assert form == (
        "# test: orders of Athens, turn 2\n"
        "turn 2\n"
        "\n"
        "Fleet:\n"
        "  activate Owls\n"
        "  # in force: avoid none\n"
        "\n"
        "# --- Owls: ships 2, morale 8\n"
        "Owls:\n"
        "  speed cruise\n"
        "  ram best if reachable\n"
        "  else hold\n"
        "  # Bias: Trireme, aphract, 14,10/0, MP half 2 cruise 4 full 6 max 7, ram 3, marines 2, missiles 1\n"
        "Ajax:   # Trireme, aphract, 10,10/0, MP half 2 cruise 4, ram 3, marines 2, missiles 1, fatigue 1; "
        "so no full or max; no ram then\n"
        "  # in force: react ram\n"
        "  hold\n"
        "END\n"
    )
    assert GAME.template(replace(GAME.view(state, US), ships=())).startswith("# test: orders of Athens")
