"""GA-MOV-8 the slow way: every sequence of tokens tried one by one, against the search that the rules use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from games.galleys.rules.geometry import Hull, ahead
from games.galleys.rules.routes import Route, approach_key, best, ram_routes, routes, withdraw_key
from games.galleys.table import Table
from pbem.kit.hexgrid import Hex
from tests.games.galleys.builders import sea, ship

Place = tuple[Hex, int]


def by_hand(table: Table, name: str, points: int) -> dict[str, tuple[int, Place]]:
    """Every legal sequence with its cost and where it leads."""
    hull, klass = table.hull(name), table.class_of(name)
    found: dict[str, tuple[int, Place]] = {}

    def free(at: Hex) -> bool:
        shoal = klass.large and at in table.shoal
        taken = table.occupied.get(at, name) != name
        return table.sea.holds(at) and at not in table.land and not shoal and not taken

    def go(tokens: str, cost: int, at: Hull, turns: int) -> None:
        if cost > points:
            return
        found[tokens] = cost, (at.bow, at.facing)
        entered = ahead(at.bow, at.facing)
        if free(entered):
            extra = 1 if not klass.large and entered in table.shoal else 0
            go(tokens + "F", cost + 1 + extra, Hull(entered, at.facing, at.large), 0)
        if turns < (1 if klass.large else 2):
            for token, turn in (("P", 5), ("S", 1)):
                swung = Hull(at.bow, (at.facing + turn) % 6, at.large)
                if free(swung.stern):
                    go(tokens + token, cost + (1 if points == 1 else klass.turn_cost), swung, turns + 1)

    go("", 0, hull, 0)
    return found


seas = st.fixed_dictionaries(
    {
        "klass": st.sampled_from(["trireme", "liburnian", "dekeres"]),
        "facing": st.integers(0, 5),
        "points": st.integers(1, 5),
        "rocks": st.lists(st.tuples(st.integers(8, 12), st.integers(7, 13)), max_size=6, unique=True),
        "shoals": st.lists(st.tuples(st.integers(8, 12), st.integers(7, 13)), max_size=4, unique=True),
    }
)


def laid_out(given_sea: dict[str, Any]) -> Table:
    kept = {*Hull(Hex(10, 10), given_sea["facing"], large=True).hexes, Hex(13, 8), Hex(12, 8)}
    land, shoal = ([list(at) for at in given_sea[kind] if Hex(*at) not in kept] for kind in ("rocks", "shoals"))
    mine = [ship("Ajax", given_sea["klass"], f"10,10/{given_sea['facing']}")]
    return Table(sea(mine, [ship("Thetis", "trireme", "13,8/2")], land=land, shoal=shoal))


@settings(max_examples=60, deadline=None)
@given(seas)
def test_the_search_finds_the_best_sequence_to_every_place(given_sea: dict[str, Any]) -> None:
    table, points = laid_out(given_sea), given_sea["points"]
    slow: dict[Place, tuple[int, str]] = {}
    for tokens, (cost, place) in by_hand(table, "Ajax", points).items():
        slow[place] = min(slow.get(place, (cost, tokens)), (cost, tokens))

    quick: dict[Place, tuple[int, str]] = {}
    for route in routes(table, "Ajax", points, points):
        quick.setdefault((route.bow, route.facing), (route.cost, route.tokens))

    assert quick == slow


def best_by_hand(every: list[Route], key: Callable[[Route], tuple[int, ...]]) -> Route:
    return min(every, key=lambda route: (*key(route), route.cost, route.tokens))


@settings(max_examples=40, deadline=None)
@given(seas)
def test_approach_and_withdraw_choose_as_the_slow_way_does(given_sea: dict[str, Any]) -> None:
    table, points = laid_out(given_sea), given_sea["points"]
    every = [Route(tokens, cost, *place) for tokens, (cost, place) in by_hand(table, "Ajax", points).items()]
    for key in (approach_key(table.hull("Thetis")), withdraw_key("S", table.sea)):
        slow = best_by_hand(every, key)

        assert best(routes(table, "Ajax", points, points), key).tokens == slow.tokens


@settings(max_examples=40, deadline=None)
@given(seas)
def test_ram_routes_are_those_that_keep_the_rammers_rules(given_sea: dict[str, Any]) -> None:
    """GA-RAM-3, -4 checked on every sequence by walking it."""
    table, points = laid_out(given_sea), given_sea["points"]
    large = table.class_of("Ajax").large
    slow = set()
    for tokens, (_, (bow, facing)) in by_hand(table, "Ajax", points).items():
        target = table.occupied.get(ahead(bow, facing))
        zone = table.zone(bow, "Thetis")
        if target == "Thetis" and zone and zone.is_flank and rows_as_a_rammer(table.hull("Ajax"), tokens, large=large):
            slow.add(tokens)

    assert {way.route.tokens for way in ram_routes(table, "Ajax", points, points)} == slow


def rows_as_a_rammer(hull: Hull, tokens: str, *, large: bool) -> bool:
    trodden, at = set(hull.hexes), hull
    for place, token in enumerate(tokens):
        if token == "F":
            at = Hull(ahead(at.bow, at.facing), at.facing, large)
            if at.bow in trodden:
                return False
        else:
            if place == 0 or tokens[place - 1] != "F":
                return False
            at = Hull(at.bow, (at.facing + {"P": 5, "S": 1}[token]) % 6, large)
        trodden |= set(at.hexes)
    return True
