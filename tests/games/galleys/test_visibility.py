"""Section 8: what a side knows, and that it learns no more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from games.galleys import GAME
from games.galleys.state import OpenShip, SeenShip, Ship, Squadron, State
from games.galleys.view import Figures, strength_word
from pbem.kit.codec import encode, plain
from tests.games.galleys.builders import THEM, US, acting, link, ours_to_act, sea, ship, turn


def two_fleets(**head: Any) -> State:
    """Syracuse within 1 hex of Tanit; Thetis far off; the enemy's figures are all unusual."""
    return sea(
        [ship("Syracuse", "quinquereme", "12,4/0")],
        [
            ship("Tanit", "cataphract", "11,5/0", crew=2, marines=3),
            ship(
                "Thetis",
                "quinquereme",
                "30,5/0",
                crew=2,
                marine_quality=1,
                fatigue=2,
                debt=3,
                avoid_count=1,
                flame=True,
                firepots=4,
                doctrines={"react": "none"},
            ),
        ],
        sides={THEM: {"activate_list": ["Ravens"], "doctrines": {"avoid": "ram"}}},
        **head,
    )


def test_under_fog_the_enemys_crews_are_a_guess() -> None:
    seen = GAME.view(two_fleets(fog=True), US)

    assert seen.figures["Thetis"] == Figures(marines="some", fatigue="tired", missile_points=None, speeds={})
    thetis = seen.ship("Thetis")
    assert type(thetis) is SeenShip
    hidden = ("crew", "marine_quality", "marines", "fatigue", "debt", "avoid_count", "spent")
    assert [name for name in (*hidden, "flame", "firepots", "doctrines") if hasattr(thetis, name)] == []


def test_marines_within_one_hex_or_linked_can_be_counted() -> None:
    linked = sea(
        [ship("Ajax", "trireme", "10,10/0")], [ship("Bia", "trireme", "11,10/0")], links=[link("Ajax", "Bia")], fog=True
    )

    assert GAME.view(two_fleets(fog=True), US).figures["Tanit"].marines == 3
    assert GAME.view(linked, US).figures["Bia"].marines == 2


@pytest.mark.parametrize(
    ("marines", "word"), [(0, "none"), (1, "few"), (2, "few"), (3, "some"), (5, "some"), (6, "many"), (14, "many")]
)
def test_marines_seen_from_afar(marines: int, word: str) -> None:
    assert strength_word(marines) == word


def test_without_fog_all_figures_are_open_but_never_the_orders() -> None:
    seen = GAME.view(two_fleets(fog=False), US)

    thetis = seen.ship("Thetis")
    assert isinstance(thetis, OpenShip)
    assert (thetis.crew, thetis.fatigue, thetis.debt, thetis.firepots) == (2, 2, 3, 4)
    (enemy,) = [side for side in seen.sides if side.name == THEM]
    assert [name for name in ("activate_list", "doctrines") if hasattr(thetis, name) or hasattr(enemy, name)] == []


def test_the_moderator_and_the_owner_see_all() -> None:
    for viewer in (None, THEM):
        thetis = GAME.view(two_fleets(fog=True), viewer).ship("Thetis")
        assert isinstance(thetis, Ship)
        assert (thetis.marines, thetis.crew, thetis.fatigue, thetis.doctrines) == (5, 2, 2, {"react": "none"})


def test_morale_is_the_owners_and_rout_is_everybodys() -> None:
    state = sea(
        [ship("Ajax", "trireme", "10,10/0")],
        squadrons=[
            {"side": THEM, "name": "Left", "morale": 11, "routed": True, "ships": [ship("Bia", "trireme", "30,10/0")]}
        ],
        fog=True,
    )

    mine, theirs = (GAME.view(state, side).squadron("Left") for side in (US, THEM))
    assert (hasattr(mine, "morale"), mine.routed) == (False, True)
    assert isinstance(theirs, Squadron)
    assert (theirs.morale, theirs.routed) == (11, True)


Facts = dict[str, Mapping[str, Any]]
"""What the events of each kind told."""


def battle(**head: Any) -> tuple[Facts, Facts]:
    """The ram of a veteran on a green ship: what each side is told of it."""
    state = sea(
        [acting("Ajax", "trireme", "14,3/4", crew=1)],
        [ship("Thetis", "trireme", "10,5/0", crew=-1, fatigue=1, doctrines={"react": "none"})],
        **head,
    )
    found = turn(ours_to_act(state), "Ajax:\n  speed full\n  ram Thetis", "", 3, 4, 4, 1, 6)
    mine, theirs = ({event.kind: event.facts for event in found.events if side in event.seen_by} for side in (US, THEM))
    return mine, theirs


def test_modifiers_of_the_enemys_crew_are_merged_into_one_figure() -> None:
    mine, theirs = battle(fog=True)

    assert mine["ram"]["mods"] == [["ram", 3], ["hull", -2], ["crew", 1], ["midship", 1]]
    assert theirs["ram"]["mods"] == [["ram", 3], ["hull", -2], ["midship", 1], ["enemy's crew and condition", 1]]
    assert mine["avoidance"]["mods"] == [["enemy's crew and condition", -2]]
    assert theirs["avoidance"]["mods"] == [["crew", -1], ["fatigue", -1]]
    assert mine["ram"]["total"] == theirs["ram"]["total"] == 11


def test_without_fog_there_is_one_event_for_both() -> None:
    mine, theirs = battle(fog=False)

    assert mine["ram"] == theirs["ram"]
    assert mine["speed"]["mp"] == theirs["speed"]["mp"] == 6


def test_movement_points_are_the_owners_under_fog() -> None:
    mine, theirs = battle(fog=True)

    assert (mine["speed"]["mp"], theirs["speed"]["mp"]) == (6, None)
    assert (mine["move"]["spent"], theirs["move"]["spent"]) == (4, None)


def test_the_enemy_sees_only_that_a_crew_has_become_tired() -> None:
    state = ours_to_act(sea([acting("Ajax", "trireme", "10,10/0")], fog=True))

    found = turn(state, "Ajax:\n  speed full\n  path F6", "", 6)

    told = {next(iter(event.seen_by)): event.facts for event in found.of("fatigue")}
    assert (told[US]["level"], told[US]["die"]) == (2, 6)
    assert (told[THEM]["level"], told[THEM]["die"]) == ("tired", None)


def test_no_canary_of_the_enemys_orders_reaches_a_view_an_event_or_a_map() -> None:
    """The standing orders and the secret list of Corinth are told to nobody else, on any turn."""
    state = two_fleets(fog=True)
    secret = "Fleet:\n  hold\n  hold ram below 73%\n  hold fire below 91%\n  disengage never\nTanit: react grapple rake"

    found = turn(state, "Fleet: hold\nFleet: hold fire", secret, 6, 1)

    view = GAME.view(found.state, US)
    seen = [event for event in found.events if US in event.seen_by]
    text = encode([plain(view), plain(GAME.scene(view, seen)), [event.facts for event in seen]])
    assert [word for word in ("73", "91", "disengage never", "grapple rake") if f'"{word}"' in text] == []
    assert '"73"' in encode(GAME.view(found.state, THEM))


def test_no_ship_is_ever_hidden() -> None:
    assert GAME.secrets(two_fleets(fog=True), US) == frozenset()
    assert {found.name for found in GAME.view(two_fleets(fog=True), US).ships} == {"Syracuse", "Tanit", "Thetis"}
