"""Section 8: a power knows what detection gave it, how sure and how old; nothing else leaves the campaign's books."""

from __future__ import annotations

from typing import Any

import pytest
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from games.encounters import GAME
from games.encounters.state import Fleet, Seen, SeenFleet, State
from games.encounters.status import mark_of
from pbem.kit.codec import encode, plain
from pbem.kit.dice import KeyedDice
from pbem.kit.game import Event
from pbem.kit.scenario import scenarios_of
from pbem.kit.scene import Lane, Star, StarField, Trail, Unit
from pbem.play.selfplay import play as self_play
from tests.games.encounters.builders import (
    events,
    force,
    play,
    readiness,
    situation,
    start,
    told,
    unit,
)

WORDS = Environment(
    loader=FileSystemLoader("templates"),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    autoescape=False,
)
CANARIES = ("Zyzzyva", "Quetzal", "Xerxes Fleet", "Wombat Guard")


class Page:
    """Collects what a status says."""

    def heading(self, text: str, level: int = 2) -> str:
        return f"{text}\n"

    def para(self, text: str) -> str:
        return f"{text}\n"

    def table(self, columns: list[str], rows: list[list[object]]) -> str:
        assert all(len(row) == len(columns) for row in rows)
        return "\n".join(" | ".join(map(str, row)) for row in rows) + "\n"

    def items(self, lines: list[str]) -> str:
        return "\n".join(map(str, lines)) + "\n"

    def bar(self, value: float, most: float) -> str:
        return f"{value}/{most}"

    def pre(self, text: str) -> str:
        return text


def macros(name: str) -> Any:
    """A template's macros, which only the template itself knows."""
    return WORDS.get_template(f"encounters/{name}.j2").module


def everything_read(state: State, seen: list[Event], side: str) -> str:
    """All that a player gets: view, map, form, status, summary, narrative and events."""
    view = GAME.view(state, side)
    narrative = macros("narrative")
    status = macros("status")
    told_so = [str(getattr(narrative, event.kind)(event)) for event in seen]
    parts = [
        encode(plain(view)),
        encode(plain(GAME.scene(view, seen))),
        GAME.template(view),
        status.status(view, Page()),
        narrative.summary(view, seen),
        *told_so,
        encode([event.facts for event in seen]),
        encode([[roll.label for roll in event.rolls] for event in seen]),
    ]
    return "\n".join(map(str, parts))


def canary_campaign() -> State:
    """Korvan's fleet lies at Rigel with telling names; Aurigan has a fleet that comes as far as Altair."""
    return start(
        situation(
            force("AUR", "Vega", "Lance Ajax", "Watcher Argus", "Slipway", fleet="First Fleet"),
            force("KOR", "Rigel", "Bulwark Zyzzyva", "Roost Quetzal: Line Wombat Guard", fleet="Xerxes Fleet"),
            force("KOR", "Rigel", "Slipway"),
            phase="strategic",
            AUR="treasury = 20",
            KOR="treasury = 20",
        )
    )


def test_nobody_learns_of_a_fleet_it_has_not_detected() -> None:
    """Two phases beside each other, nobody meets: no text, map or number holds a canary."""
    state = canary_campaign()
    sheets = {
        "AUR": GAME.read_orders(state, "AUR", "First Fleet: move Altair"),
        "KOR": GAME.read_orders(state, "KOR", "hold"),
    }
    after = GAME.resolve(state, sheets, KeyedDice(b"x"))
    for moment, happened in ((state, ()), (after.state, after.events)):
        text = everything_read(moment, [event for event in happened if "AUR" in event.seen_by], "AUR")

        assert [word for word in CANARIES if word in text] == []
        assert set(CANARIES) <= GAME.secrets(moment, "AUR")


@pytest.mark.parametrize("total", [2, 5, 6, 11, 13])
def test_below_d6_no_name_is_known(total: int) -> None:
    here = situation(
        force("AUR", "Altair", "Lance Ajax"),
        force("KOR", "Altair", "Bulwark Zyzzyva", "Roost Quetzal: Line Wombat Guard", fleet="Xerxes Fleet"),
        readiness("Altair", AUR_KOR=f"total = {total}"),
    )
    text = everything_read(start(here), [], "AUR")

    assert [word for word in CANARIES if word in text] == []


def test_d6_tells_everything_and_is_remembered_with_its_age() -> None:
    here = situation(
        force("AUR", "Altair", "Lance Ajax"),
        force("KOR", "Altair", "Roost Quetzal: Line Wombat Guard", fleet="Xerxes Fleet"),
        readiness("Altair", AUR_KOR="total = 15"),
    )
    state = start(here)
    contact = GAME.view(state, "AUR").presences[0].contact

    assert (contact.level, contact.turn, mark_of(contact)) == (6, state.turn, "2")
    assert contact.units[0].fleet == "Xerxes Fleet"
    assert contact.units[0].cargo == ("Wombat Guard",)
    assert not GAME.secrets(state, "AUR") & set(CANARIES)


def test_a_battle_reveals_its_participants_and_not_the_reserve() -> None:
    here = situation(
        force("AUR", "Altair", "Mule Ajax"),
        force("KOR", "Altair", "Lance Dagh", "Mule Quetzal: Line Wombat Guard"),
        switches="max_rounds = 1",
    )
    tried = play(here, 1, AUR="Battle Altair:\n fight all\n retreat none", KOR="Battle Altair:\n squadron One = Dagh")
    seen = [event for event in tried.events if "AUR" in event.seen_by]
    text = everything_read(tried.state, seen, "AUR")

    assert "Dagh" in text
    assert "Quetzal" not in text
    assert "Wombat Guard" not in text
    assert {"Quetzal", "Wombat Guard"} <= GAME.secrets(tried.state, "AUR")


def test_dice_and_modifiers_are_for_the_own_bloc_alone() -> None:
    here = situation(
        force("AUR", "Altair", "Lance Ajax"), force("KOR", "Altair", "Lance Dagh"), switches="max_rounds = 1"
    )
    tried = play(here, 5, 5, AUR="Battle Altair:\n fight all", KOR="Battle Altair:\n retreat none")

    for event in events(tried, "fire_roll"):
        assert (event.rolls != ()) == (event.facts["die"] is not None)
        assert set(event.seen_by) == (
            {event.facts["power"]} if event.rolls else {"AUR", "KOR"} - {event.facts["power"]}
        )


def test_values_of_a_system_are_the_last_known_ones() -> None:
    """Aurigan saw Rigel in turn 2 with CEN 8; it is not there now."""
    here = situation(
        force("AUR", "Vega", "Lance Ajax"),
        phase="strategic",
        AUR="seen = { Rigel = { CEN = 8, MOR = 1, PROD = 2, turn = 2 } }",
    )
    view = GAME.view(start(here), "AUR")

    assert view.values["Rigel"] == Seen(8, 1, 2, turn=2)
    assert "Deneb" not in view.values
    assert not any(hasattr(system, "CEN") for system in view.systems.values())


def test_an_owner_without_ships_counts_intruders_at_least() -> None:
    """Section 8: at least D2; readiness 1 alone would tell nothing."""
    here = situation(
        force("KOR", "Vega", "Lance Dagh", "Lance Vorn"),
        phase="strategic",
        switches="supply = false",
        KOR="treasury = 9",
    )
    tried = play(here, 1, 5)

    presence = GAME.view(tried.state, "AUR").presences[0]
    assert (presence.contact.level, presence.contact.count, presence.text) == (2, 2, "2 units")


def test_a_contact_grows_old_when_the_watcher_is_gone() -> None:
    here = situation(
        unit("AUR", "Altair", "Lance", "Ajax", fleet="F"),
        force("KOR", "Altair", "Lance Dagh"),
        phase="strategic",
        turn=7,
        switches="supply = false",
        AUR='treasury = 9\n[[power.contacts.Altair]]\npowers = ["KOR"]\nlevel = 2\nturn = 6\ncount = 3\n',
        KOR="treasury = 9",
    )
    tried = play(here, AUR="F: move Vega")

    view = GAME.view(tried.state, "AUR")
    (presence,) = view.presences
    contact = presence.contact
    assert (presence.system, contact.count, contact.turn, view.turn - contact.turn) == ("Altair", 3, 6, 2)


def test_allies_see_each_others_units_in_shared_systems_only() -> None:
    allied: dict[str, Any] = {"AUR": 'stance = { TAL = "ally" }', "TAL": 'stance = { AUR = "ally" }'}
    here = situation(
        force("AUR", "Vega", "Lance Ajax"),
        force("TAL", "Vega", "Lance Yak"),
        force("TAL", "Deneb", "Lance Zyzzyva"),
        phase="strategic",
        seats=("AUR", "KOR", "TAL"),
        **allied,
    )
    view = GAME.view(start(here), "AUR")

    assert {known.name for known in view.units.values()} == {"Ajax", "Yak"}
    assert {type(fleet): fleet.owner for fleet in view.fleets} == {Fleet: "AUR", SeenFleet: "TAL"}


def test_arrivals_are_seen_by_those_present_without_name_or_size() -> None:
    here = situation(
        force("KOR", "Altair", "Lance Dagh", fleet="Xerxes Fleet"),
        phase="strategic",
        switches="supply = false",
        KOR="treasury = 9",
    )
    tried = play(here, 5, 5, KOR="Xerxes Fleet: move Vega")

    assert [(one["fleet"], one["power"], one["to"]) for one in told(tried, "move", "AUR")] == [("", "KOR", "Vega")]


# --- the map ---------------------------------------------------------------------------------------------------------


def test_the_star_map_shows_systems_lanes_fleets_and_contacts() -> None:
    here = situation(
        force("AUR", "Altair", "Lance Ajax", "Lance Lynx", fleet="First Fleet"),
        force("KOR", "Altair", "Lance Dagh"),
        readiness("Altair", AUR_KOR="total = 5"),
    )
    scene = GAME.scene(GAME.view(start(here), "AUR"), ())

    assert isinstance(scene.ground, StarField)
    assert sum(isinstance(item, Lane) for item in scene.terrain) == 4
    assert {item.name: item.owner for item in scene.items if isinstance(item, Star)} == {
        "Altair": None,
        "Deneb": None,
        "Vega": "AUR",
        "Rigel": "KOR",
    }
    marks = {(item.side, item.label, item.count) for item in scene.items if isinstance(item, Unit)}
    assert marks == {("AUR", "First Fleet", 2), ("KOR", "KOR", 1)}
    assert "First Fleet of Aurigan (2 ships) is at Altair." in scene.alt


def test_the_forecast_draws_the_own_plot() -> None:
    state = start(situation(force("AUR", "Vega", "Lance Ajax", fleet="F"), phase="strategic"))
    sheet = GAME.read_orders(state, "AUR", "F: move Altair Rigel")
    scene = GAME.forecast(GAME.view(state, "AUR"), sheet)

    plotted = [item for item in scene.items if isinstance(item, Trail)]
    assert [(len(trail.points), trail.kind) for trail in plotted] == [(3, "plotted")]


def test_gauges_chart_own_income_and_public_systems() -> None:
    state = start(situation(force("AUR", "Vega", "Lance Ajax"), phase="strategic"))
    figures = GAME.gauges(GAME.view(state, "AUR"))

    assert figures["income"] == {"AUR": 18}
    assert figures["strength"] == {"AUR": 3}
    assert figures["systems"] == {"AUR": 1, "KOR": 1}


# --- words -----------------------------------------------------------------------------------------------------------


def test_every_kind_of_event_has_its_words() -> None:
    """Played events of all three scenarios are told without a fault, and none in raw keys."""
    module = WORDS.get_template("encounters/narrative.j2").module
    kinds = set()
    for key in ("altair-gap", "rift-war"):
        for played in self_play(GAME, scenarios_of("encounters")[key], b"words", 40):
            for event in played.events:
                sentence = str(getattr(module, event.kind)(event)).strip()
                kinds.add(event.kind)
                # Those who saw the blow itself read no second sentence about the loss.
                assert sentence.endswith(".") or (event.kind == "loss" and not sentence), (event, sentence)
                assert "None" not in sentence, (event, sentence)

    assert {"income", "move", "readiness", "detection", "combat", "damage", "retreat", "capture", "victory"} <= kinds


def test_status_and_help_are_written_for_every_phase() -> None:
    status, help_page = (macros(name) for name in ("status", "help"))
    for played in self_play(GAME, scenarios_of("encounters")["altair-gap"], b"status", 9):
        for side in ("AUR", "KOR", None):
            assert "Vega" in str(status.status(GAME.view(played.after, side), Page()))
    assert "Battle Altair" in str(help_page.help(Page()))
