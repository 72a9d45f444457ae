"""Section 6.3: orders that survive a moving enemy."""

from __future__ import annotations

from typing import Any

import pytest

from games.galleys.orders.records import Intent, Plan, Shot, Target
from games.galleys.rules.own_fire import shares
from games.galleys.rules.ramming import successes
from games.galleys.state import State
from tests.games.galleys.builders import OURS, acted, acting, link, ours_to_act, sea, ship, turn

QUIET = {"react": "none", "avoid": "none"}


def duel(mine: str = "14,3/4", theirs: str = "10,5/0", klass: str = "trireme", **fields: Any) -> State:
    return sea([acting("Ajax", "trireme", mine, **fields)], [ship("Thetis", klass, theirs, doctrines=QUIET)])


@pytest.mark.rule("GA-ORD-1")
def test_an_intent_beside_a_path_is_watched_unless_it_says_if_reachable() -> None:
    ram, reach = Intent("", "ram", Target("Thetis")), Intent("", "ram", Target("Thetis"), if_reachable=True)
    ana = Intent("", "anastrophe", Target("Thetis"))

    assert Plan(path="F", intents=(ram, reach, ana)).watched == (ram,)
    assert Plan(path=None, intents=(ram, reach, ana)).watched == ()
    assert Plan(path="F", intents=(ram, reach, ana)).automatic == (reach, ana)


@pytest.mark.rule("GA-ORD-1")
def test_a_move_verb_is_the_fall_back_of_an_automatic_intent() -> None:
    state = duel("10,20/0")

    found = acted(state, "Ajax", "Ajax:\n  ram Thetis\n  approach Thetis")

    assert found.place("Ajax") == "10,16/0"
    assert found.reasons() == ["not reachable with 4 MP"]


@pytest.mark.rule("GA-ORD-2")
def test_the_first_reachable_intent_is_executed_and_the_rest_dropped() -> None:
    """Far is out of reach, the rake of Thetis is not: F4 and two more, without the path."""
    state = sea(
        [acting("Ajax", "trireme", "11,1/3")],
        [ship("Thetis", "trireme", "10,5/0", doctrines=QUIET), ship("Far", "trireme", "40,5/0")],
    )
    orders = (
        "Ajax:\n  speed max\n  ram Far if reachable\n  rake Thetis if reachable\n  ram best if reachable\n  path F1"
    )

    found = acted(state, "Ajax", orders, 4, 4, 1)

    assert [event.facts["intent"] for event in found.events("intent_skipped")] == ["ram Far if reachable"]
    assert (found.place("Ajax"), len(found.events("rake")), found.events("ram")) == ("11,7/3", 1, [])


@pytest.mark.rule("GA-ORD-2")
def test_without_a_reachable_intent_else_goes_before_path_and_hold_is_last() -> None:
    state = duel("10,20/0")

    with_else = acted(state, "Ajax", "Ajax:\n  ram Thetis if reachable\n  else path F1\n  path F2")
    with_path = acted(state, "Ajax", "Ajax:\n  ram Thetis if reachable\n  path F2")
    bare = acted(state, "Ajax", "Ajax: ram Thetis")

    assert [found.place("Ajax") for found in (with_else, with_path, bare)] == ["10,19/0", "10,18/0", "10,20/0"]
    assert all(found.reasons() == ["not reachable with 4 MP"] for found in (with_else, with_path, bare))


@pytest.mark.rule("GA-ORD-2")
def test_the_event_of_a_skipped_intent_is_seen_by_its_owner_alone() -> None:
    found = acted(duel("10,20/0"), "Ajax", "Ajax: ram Thetis")

    (event,) = found.events("intent_skipped")
    assert event.seen_by == frozenset(("Athens",))
    assert event.facts["intent"] == "ram Thetis"


@pytest.mark.rule("GA-ORD-2", "GA-RUL-37")
@pytest.mark.parametrize(
    ("change", "reason"),
    [({"status": "sunk"}, "Thetis is sunk"), ({"side": "Athens", "squadron": OURS, "prize": True}, "Thetis is ours")],
)
def test_a_target_lost_meanwhile_is_passed_over(change: dict[str, object], reason: str) -> None:
    found = acted(duel(), "Ajax", "Ajax:\n  ram Thetis\n  else path F1", meanwhile={"Thetis": change})

    assert found.reasons() == [reason]
    assert found.ship("Ajax").spent == 1


@pytest.mark.rule("GA-ORD-3")
def test_what_each_intent_needs_to_be_reachable() -> None:
    """A pass needs 2 MP beyond the F into the bow hex, and a line abreast."""
    line = [ship("Thetis", "trireme", "10,5/0", doctrines=QUIET), ship("Tethys", "trireme", "12,4/0", doctrines=QUIET)]
    state = sea([acting("Ajax", "trireme", "10,2/3")], line)
    alone = sea([acting("Ajax", "trireme", "10,2/3")], line[:1])

    found = acted(state, "Ajax", "Ajax:\n  speed max\n  pass Thetis", 3, 3, 1)
    assert (found.place("Ajax"), found.ship("Ajax").spent) == ("10,8/3", 4)
    assert acted(alone, "Ajax", "Ajax:\n  speed max\n  pass Thetis", 1).reasons() == ["not reachable with 7 MP"]


@pytest.mark.rule("GA-ORD-3")
def test_a_selector_never_rakes_a_cripple_but_a_name_may() -> None:
    state = sea(
        [acting("Ajax", "trireme", "11,3/3")], [ship("Thetis", "trireme", "10,5/0", crippled=True, doctrines=QUIET)]
    )

    assert acted(state, "Ajax", "Ajax: rake any").reasons() == ["not reachable with 4 MP"]
    assert len(acted(state, "Ajax", "Ajax: rake Thetis", 3, 3).events("rake")) == 1


@pytest.mark.rule("GA-ORD-4")
def test_the_best_ram_goes_amidships_before_the_cheapest() -> None:
    found = acted(duel(), "Ajax", "Ajax:\n  speed full\n  ram Thetis", 1, 1, 1)

    assert found.facts("ram", "zone") == [{"zone": "midship/flank"}]
    assert found.facts("move", "tokens") == [{"tokens": "F2 S F1"}]


@pytest.mark.rule("GA-ORD-4")
def test_after_an_automatic_rake_the_ship_rows_on_if_there_is_room() -> None:
    state = sea(
        [acting("Ajax", "trireme", "11,1/3")],
        [ship("Thetis", "trireme", "10,5/0", doctrines=QUIET), ship("Rock", "lembos", "11,7/0")],
    )

    found = acted(state, "Ajax", "Ajax:\n  speed max\n  rake Thetis", 3, 3, 1)

    assert found.place("Ajax") == "11,6/3"
    assert found.events("blocked") == []


@pytest.mark.rule("GA-ORD-5")
@pytest.mark.parametrize(
    ("selector", "chosen"),
    [("nearest", "Alke"), ("biggest", "Bia"), ("weakest", "Ceto"), ("best", "Alke"), ("nearest of Ravens", "Alke")],
)
def test_selectors_choose_among_the_candidates(selector: str, chosen: str) -> None:
    """Alke lies alongside, the best shot by range; Bia, a hexeres, has the most points; Ceto a single marine."""
    state = sea(
        [acting("Ajax", "cataphract", "10,10/0")],
        [
            ship("Alke", "trireme", "11,10/0", doctrines=QUIET),
            ship("Bia", "hexeres", "8,11/0", doctrines=QUIET),
            ship("Ceto", "lembos", "12,8/0", doctrines=QUIET),
        ],
    )

    found = acted(state, "Ajax", f"Ajax:\n  hold\n  fire at {selector}", 1)

    assert found.facts("fire", "target") == [{"target": chosen}]


@pytest.mark.rule("GA-ORD-5")
def test_approach_takes_the_nearest_and_holds_without_a_candidate() -> None:
    state = sea(
        [acting("Ajax", "trireme", "10,20/0")], [ship("Far", "trireme", "10,2/0"), ship("Near", "trireme", "10,8/0")]
    )
    gone = acted(state, "Ajax", "Ajax: approach Near", meanwhile={"Near": {"status": "sunk"}})

    assert acted(state, "Ajax", "Ajax: approach best").place("Ajax") == "10,16/0"
    assert (gone.place("Ajax"), gone.reasons()) == ("10,20/0", ["Near is sunk"])


@pytest.mark.rule("GA-ORD-6")
def test_a_watched_ram_strikes_when_the_path_gives_the_chance() -> None:
    """Along the path F2 the bow comes to 11,5/5: the ram is made there."""
    found = acted(duel("13,5/5"), "Ajax", "Ajax:\n  path F2\n  ram any", 4, 4)

    assert found.facts("ram", "target") == [{"target": "Thetis"}]


@pytest.mark.rule("GA-ORD-6")
def test_a_watched_ram_is_checked_before_the_first_token() -> None:
    found = acted(duel("11,5/5"), "Ajax", "Ajax:\n  path S F1\n  ram Thetis", 4, 4)

    assert (found.ship("Ajax").spent, len(found.events("ram"))) == (0, 1)


@pytest.mark.rule("GA-ORD-6")
def test_a_watched_pass_replaces_the_next_forward_token_but_not_a_turn() -> None:
    line = [ship("Thetis", "trireme", "10,5/0", doctrines=QUIET), ship("Tethys", "trireme", "12,4/0", doctrines=QUIET)]
    state = sea([acting("Ajax", "trireme", "10,2/3")], line)

    through = acted(state, "Ajax", "Ajax:\n  speed max\n  path F4\n  pass Thetis", 3, 3, 1)
    at_end = acted(state, "Ajax", "Ajax:\n  speed max\n  path F2\n  pass Thetis", 3, 3, 1)
    turning = acted(state, "Ajax", "Ajax:\n  speed max\n  path F2 P\n  pass Thetis", 1)

    assert through.place("Ajax") == "10,9/3"
    assert at_end.place("Ajax") == "10,8/3"
    assert (turning.place("Ajax"), turning.events("rake")) == ("10,4/2", [])


@pytest.mark.rule("GA-ORD-6", "GA-GRP-1")
def test_a_watched_grapple_waits_for_the_end_of_the_movement() -> None:
    found = acted(duel("11,7/0"), "Ajax", "Ajax:\n  path F2\n  grapple Thetis", 4)

    assert found.place("Ajax") == "11,5/0"
    assert found.links() == [(("Ajax", "Thetis"), "grappled")]


@pytest.mark.rule("GA-ORD-7")
def test_opportunity_rakes_along_a_plotted_path_only() -> None:
    state = duel("11,2/3", doctrines={"hold fire": "always", "opportunity": "on"})

    assert len(acted(state, "Ajax", "Ajax:\n  speed full\n  path F5", 3, 3, 1).events("rake")) == 1
    assert acted(state, "Ajax", "Ajax:\n  speed cruise\n  withdraw").events("rake") == []


@pytest.mark.rule("GA-ORD-7")
def test_the_token_t_attacks_whoever_is_met() -> None:
    line = [ship("Thetis", "trireme", "10,5/0", doctrines=QUIET), ship("Tethys", "trireme", "12,4/0", doctrines=QUIET)]
    state = sea([acting("Ajax", "trireme", "10,2/3")], line)

    assert acted(state, "Ajax", "Ajax:\n  speed max\n  path F2 T", 3, 3, 1).facts("rake", "target") == [
        {"target": "Thetis"}
    ]


@pytest.mark.rule("GA-ORD-8")
@pytest.mark.parametrize(
    ("moment", "order"), [("at start", ["fire", "move"]), ("when able", ["move", "fire", "move"]), ("at end", ["move"])]
)
def test_the_moment_of_fire(moment: str, order: list[str]) -> None:
    """Rowing north past Tanit: abeam at the start, or only on the way, or not yet at the end of a short path."""
    start = "12,5/0" if moment == "at start" else "12,8/0"
    state = sea([ship("Syracuse", "quinquereme", start)], [ship("Tanit", "cataphract", "10,5/0", doctrines=QUIET)])
    faces = (1,) if moment != "at end" else ()
    orders = f"Syracuse:\n  speed full\n  path F5 \n  fire at Tanit {moment}"

    if moment == "at end":
        orders = orders.replace("F5", "F1")
    found = acted(state, "Syracuse", orders, *faces, 1)

    assert [event.kind for event in found.table.events if event.kind in ("fire", "move")] == order


@pytest.mark.rule("GA-ORD-8")
def test_when_able_waits_for_all_and_takes_what_it_has_at_the_end() -> None:
    state = sea(
        [ship("Hydra", "hepteres", "10,5/0")],
        [ship("Alke", "trireme", "11,5/0", doctrines=QUIET), ship("Bia", "trireme", "30,5/0")],
    )

    found = acted(state, "Hydra", "Hydra:\n  hold\n  fire 2 at Alke, 2 at Bia when able", 1)

    assert found.facts("fire", "target", "points") == [{"target": "Alke", "points": 2}]
    assert found.reasons() == ["no fire line"]


@pytest.mark.rule("GA-ORD-8")
def test_fire_at_start_that_finds_no_target_is_not_made_up_for() -> None:
    state = sea([ship("Syracuse", "quinquereme", "12,8/0")], [ship("Tanit", "cataphract", "10,5/0", doctrines=QUIET)])

    found = acted(state, "Syracuse", "Syracuse:\n  path F4\n  fire at Tanit at start")

    assert found.reasons() == ["no fire line"]


@pytest.mark.rule("GA-ORD-9")
@pytest.mark.parametrize(
    ("points", "available", "expected"),
    [
        ((3, 1), 4, [3, 1]),
        ((3, 2), 4, [3, 1]),
        ((3, 2), 2, [2, 0]),
        ((None,), 5, [5]),
        ((None, None), 5, [3, 2]),
        ((2, None, None), 5, [2, 2, 1]),
        ((None, 3), 4, [1, 3]),
    ],
)
def test_shares_of_the_points(points: tuple[int | None, ...], available: int, expected: list[int]) -> None:
    shots = tuple(Shot(Target(name=str(index)), value) for index, value in enumerate(points))

    assert shares(shots, available) == expected


@pytest.mark.rule("GA-ORD-10")
def test_hold_fire_in_both_forms_and_an_order_that_overrides_it() -> None:
    """3 points at range 2: faces 4, 5 and 6 cost a marine, 50%."""
    state = sea([ship("Syracuse", "quinquereme", "12,4/0")], [ship("Tanit", "cataphract", "10,5/0", doctrines=QUIET)])

    assert acted(state, "Syracuse", "Syracuse:\n  hold\n  hold fire").rolls == ()
    assert acted(state, "Syracuse", "Syracuse:\n  hold\n  hold fire below 51%").rolls == ()
    assert len(acted(state, "Syracuse", "Syracuse:\n  hold\n  hold fire below 50%", 1).rolls) == 1
    assert len(acted(state, "Syracuse", "Syracuse:\n  hold\n  hold fire\n  fire at Tanit", 1).rolls) == 1
    assert acted(state, "Syracuse", "Syracuse:\n  hold\n  fire none").rolls == ()


@pytest.mark.rule("GA-ORD-10")
def test_hold_ram_compares_the_chance_exactly() -> None:
    """Full speed amidships, 3 - 2 + 1 = +2: a total of 6 needs 4 or more on two dice, 33 of 36."""
    assert successes(2) == 33
    state = duel()

    assert (
        len(acted(state, "Ajax", "Ajax:\n  speed full\n  ram Thetis\n  hold ram below 91%", 1, 1, 1).events("ram")) == 1
    )
    held = acted(state, "Ajax", "Ajax:\n  speed full\n  ram Thetis\n  hold ram below 92%", 1)
    assert held.reasons() == ["every ram in reach has less than 92% chance"]


@pytest.mark.rule("GA-ORD-11")
def test_disengage_unless_stronger_and_an_order_for_the_turn() -> None:
    state = sea(
        [acting("Ajax", "quinquereme", "10,10/0")],
        [ship("Bia", "trireme", "11,10/0")],
        links=[link("Ajax", "Bia")],
    )

    assert acted(state, "Ajax", "Ajax: hold").events("disengage") == []
    assert len(acted(state, "Ajax", "Ajax:\n  hold\n  disengage", 4).events("disengage")) == 1
    # Bia, the weaker, cuts loose by default; then she shoots (1) and Ajax answers (1).
    assert len(acted(state, "Bia", "", 4, 1, 1).events("disengage")) == 1


@pytest.mark.rule("GA-ORD-11")
def test_a_board_order_overrides_the_doctrine() -> None:
    friends = [ship(f"Friend {n}", "lembos", f"{42 + 4 * n},5/0") for n in range(3)]
    state = sea(
        [ship("Ajax", "quinquereme", "10,10/0"), *friends],
        [ship("Bia", "hexeres", "11,10/0")],
        links=[link("Ajax", "Bia")],
        step="boarding",
    )

    assert len(turn(state, "Ajax: board Bia", "Fleet: board never", 3).of("boarding")) == 1
    assert turn(state, "Ajax: board never", "Fleet: board never").of("boarding") == []


@pytest.mark.rule("GA-ORD-12")
def test_a_ship_that_must_stay_put_writes_hold() -> None:
    state = sea([acting("Ajax", "trireme", "10,10/0")], [ship("Thetis", "trireme", "11,7/3", doctrines=QUIET)])

    assert acted(state, "Ajax", "Ajax: hold").place("Ajax") == "10,10/0"
    assert acted(state, "Ajax", "", 1, 1).place("Ajax") == "10,7/1"


@pytest.mark.rule("GA-ORD-13")
def test_flame_by_doctrine_takes_the_biggest_beside_the_ship() -> None:
    state = sea(
        [ship("Apama", "hepteres", "10,5/0", flame=True)],
        [ship("Lark", "liburnian", "10,4/3", doctrines=QUIET), ship("Nysa", "hexeres", "11,5/0", doctrines=QUIET)],
        flame_missiles=True,
    )

    assert acted(state, "Apama", "Apama: hold", 1).facts("flame", "target") == [{"target": "Nysa"}]
    assert acted(state, "Apama", "Apama:\n  hold\n  flame off", 1).facts("fire", "target") == [{"target": "Nysa"}]
    assert acted(state, "Apama", "Apama:\n  hold\n  fire at Nysa", 1).events("flame") == []


@pytest.mark.rule("GA-ORD-14")
def test_step_d_fires_first_then_strikes_token_by_token() -> None:
    """When able at the token that also rams: the shot precedes the ram."""
    state = sea([ship("Ajax", "trireme", "13,5/5")], [ship("Thetis", "trireme", "10,5/0", doctrines=QUIET)])

    found = acted(state, "Ajax", "Ajax:\n  speed full\n  path F2\n  ram Thetis\n  fire at Thetis when able", 1, 3, 3, 1)

    kinds = [event.kind for event in found.table.events if event.kind in ("fire", "ram", "move")]
    assert kinds.index("fire") < kinds.index("ram")


def test_only_our_squadrons_act_in_a_situation_that_says_so() -> None:
    state = ours_to_act(sea([acting("Ajax", "lembos", "2,5/0")]))

    assert [event.facts["squadron"] for event in turn(state, "Fleet: hold", "").of("activation")] == [OURS]


@pytest.mark.rule("GA-ORD-6", "GA-PAS-2")
def test_a_watched_pass_takes_the_place_of_the_next_move_ahead() -> None:
    """F F, the third F becomes the pass (2 MP), the fourth is rowed: 5 MP. Rake 9 + 1 head-on + 1 max = 11: C."""
    state = sea(
        [acting("Ajax", "trireme", "10,2/3")],
        [ship("Thetis", "trireme", "10,5/0"), ship("Tethys", "trireme", "12,4/0")],
    )

    found = acted(state, "Ajax", "Ajax:\n speed max\n path F4\n pass Thetis", 2, 5, 4, 3)

    assert found.place("Ajax") == "10,9/3"
    assert (found.ship("Ajax").spent, found.ship("Thetis").crippled) == (5, True)


@pytest.mark.rule("GA-ORD-5", "GA-ORD-9")
def test_best_target_of_a_split_shot_goes_by_the_points_of_that_shot() -> None:
    """One point: Alke (range 1) loses on 4, 5, 6, Bia (range 2) on 5, 6; with all six points Bia would lose more."""
    state = sea(
        [ship("Hydra", "hekkaidekeres", "10,5/0")],
        [ship("Alke", "trireme", "11,5/0", marines=1), ship("Bia", "quinquereme", "8,6/0")],
    )

    found = acted(state, "Hydra", "Hydra:\n hold\n fire 1 at best", 4, 1)

    assert found.facts("fire", "shooter", "target", "loss") == [
        {"shooter": "Hydra", "target": "Alke", "loss": 1},
        {"shooter": "Alke", "target": "Hydra", "loss": 0},
    ]


@pytest.mark.rule("GA-ORD-10")
@pytest.mark.parametrize(("percent", "rams"), [(83, True), (84, False)])
def test_hold_ram_below_compares_exactly(percent: int, *, rams: bool) -> None:
    """3 - 2 - 1 cruise + 1 midship = +1: 30 of 36 rolls reach 6, 83.33 percent."""
    state = sea([acting("Ajax", "trireme", "10,10/0")], [ship("Thetis", "trireme", "11,7/3")])
    dice = (2, 2, 4, 5) if rams else ()

    found = acted(state, "Ajax", f"Ajax:\n ram Thetis\n hold ram below {percent}%", *dice)

    assert found.ship("Thetis").rammed is rams
