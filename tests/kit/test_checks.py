"""The laws of the contract complain, and say what is wrong, where a game breaks them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from games import AnyGame
from pbem.kit.checks import LAWS, Sample, choices, every_check, orders, package, purity, sample_of, telling
from pbem.kit.choices import Choice, Offer
from pbem.kit.game import Event, Outcome, Resolution
from pbem.kit.sheet import Sheet
from tests.conftest import Publish
from tests.office_bench import duel
from tests.office_game import DUEL, EVERYBODY, SIDES, State

Law = Callable[[Sample], None]


def tried(law: Law, game: AnyGame = DUEL, **data: Any) -> None:
    law(Sample(game, duel(**data)))


def complaint(law: Law, game: AnyGame = DUEL, **data: Any) -> str:
    with pytest.raises(AssertionError) as caught:
        tried(law, game, **data)
    return str(caught.value)


HEALTHY = (
    purity.states_survive_json,
    purity.resolving_is_pure,
    purity.looking_changes_nothing,
    orders.bots_are_legal,
    orders.the_form_reads_back,
    orders.silence_is_played,
    orders.nonsense_is_answered,
    orders.random_play_ends,
    choices.imagined_gives_the_same_view,
    choices.choices_keep_the_law,
    choices.bots_order_what_is_offered,
    choices.random_sheets_are_legal,
    telling.views_can_be_drawn,
    telling.nobody_learns_a_secret,
)


@pytest.mark.parametrize("law", HEALTHY)
def test_a_healthy_game_is_let_pass(law: Law) -> None:
    tried(law, fog=True)


def test_a_check_bears_the_name_of_its_law() -> None:
    from games import game

    assert [check.__name__ for check in every_check(game("galleys"))] == [law.__name__ for law in LAWS]


# --- purity ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Forgetful(State):
    """A state whose JSON is not the whole of it."""

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = None  # type: ignore[assignment]


def test_a_state_that_does_not_survive_json() -> None:
    def setup(scenario: Any, dice: Any) -> Forgetful:
        state = DUEL.setup(scenario, dice)
        return Forgetful(**{name: getattr(state, name) for name in state.__dataclass_fields__})

    said = complaint(purity.states_survive_json, replace(DUEL, setup=setup, state_type=Forgetful))

    assert said == "duel/duel, phase 1 (turn 1, orders): the state is another after a trip through JSON"


def test_a_rule_that_remembers() -> None:
    calls = count()

    def resolve(state: Any, sheets: Any, dice: Any) -> Resolution[Any]:
        made = DUEL.resolve(state, sheets, dice)
        again = Event("moved", "DU-SPD-1", "orders", {"call": next(calls)}, EVERYBODY)
        return replace(made, events=(*made.events, again))

    assert "resolving twice gives two results" in complaint(purity.resolving_is_pure, replace(DUEL, resolve=resolve))


def test_a_rule_that_writes_into_what_it_is_given() -> None:
    def resolve(state: Any, sheets: Any, dice: Any) -> Resolution[Any]:
        sheets["red"] = Sheet()
        return DUEL.resolve(state, sheets, dice)

    assert "resolve changed its inputs" in complaint(purity.resolving_is_pure, replace(DUEL, resolve=resolve))


def test_a_form_that_is_never_the_same() -> None:
    calls = count()
    restless = replace(DUEL, template=lambda view: f"{DUEL.template(view)}# {next(calls)}\n")

    assert "asked twice, red gets two answers" in complaint(purity.looking_changes_nothing, restless)


def test_a_loop_over_a_set(publish: Publish) -> None:
    """Names in the order of a set: another with every hash seed."""
    publish(
        "club_sets",
        "from dataclasses import replace\n"
        "from tests.office_game import DUEL\n"
        "def bot(view, dice):\n"
        "    return ''.join(f'{name}: speed 1\\n' for name in {s.name for s in view.ships if s.side == view.side})\n"
        "GAME = replace(DUEL, slug='sets', bot=bot)\n",
        "sets",
    )
    from games import game

    with pytest.raises(AssertionError, match="the result depends on PYTHONHASHSEED"):
        purity.the_hash_seed_does_not_matter(Sample(game("sets"), replace(duel(), game="sets")))


# --- orders ----------------------------------------------------------------------------------------------------------


def test_a_bot_that_breaks_the_rules() -> None:
    said = complaint(orders.bots_are_legal, replace(DUEL, bot=lambda view, dice: "Ares: speed 99\n"))

    assert "the bot of red wrote\nAres: speed 99" in said
    assert "line 1 'speed 99': DU-SPD-1 speed 99 is more than 6" in said


def test_a_form_that_cannot_be_sent_back() -> None:
    said = complaint(orders.the_form_reads_back, replace(DUEL, template=lambda view: "dance\n"))

    assert "no order called 'dance'" in said


def test_a_game_that_complains_about_silence() -> None:
    def read_orders(state: Any, side: str, text: str) -> Sheet[Any]:
        return DUEL.read_orders(state, side, text or "Ares: dance")

    assert "no letter, and yet a complaint about a line" in complaint(
        orders.silence_is_played, replace(DUEL, read_orders=read_orders)
    )


def test_a_reader_that_takes_anything() -> None:
    careless = replace(DUEL, read_orders=lambda state, side, text: Sheet())

    assert "may order nonsense without a complaint" in complaint(orders.nonsense_is_answered, careless)


def test_a_battle_without_an_end() -> None:
    assert "still in turn" in complaint(orders.random_play_ends, last_turn=100_000)


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        (None, "there is no open phase, and yet no outcome"),
        (Outcome(frozenset(), ""), "the outcome gives no reason"),
        (Outcome(frozenset({"green"}), "Green wins."), "won by ['green'], who are no sides"),
    ],
)
def test_an_end_without_a_proper_outcome(outcome: Outcome | None, said: str) -> None:
    assert said in complaint(orders.random_play_ends, replace(DUEL, outcome=lambda state: outcome))


# --- choices ---------------------------------------------------------------------------------------------------------

OFFERED = tuple(law for law in HEALTHY if law.__module__ == choices.__name__)


@pytest.mark.parametrize("law", OFFERED)
def test_a_game_that_offers_nothing_is_let_pass(law: Law) -> None:
    tried(law, replace(DUEL, imagined=None, choices=None))


def offering(*lines: str, **more: Any) -> AnyGame:
    """A duel in which every unit is offered these lines."""
    made = tuple(Choice("any", line, (line,), **more) for line in lines)
    return replace(DUEL, choices=lambda view, sheet, unit: Offer(unit, unit, made))


def test_a_choice_that_cannot_be_sent() -> None:
    said = complaint(choices.choices_keep_the_law, offering("speed 9", "speed 1"))

    assert "phase 1 (turn 1, orders): choices of blue that cannot be sent" in said
    assert "any 'speed 9' ['speed 9'] []: 'speed 9' is not accepted: DU-SPD-1 'speed 9'" in said


def test_a_choice_that_costs_a_line_of_the_sheet() -> None:
    def read(state: State, side: str, text: str) -> Sheet[Any]:
        sheet = DUEL.read_orders(state, side, text)
        bold = tuple(entry for entry in sheet.accepted if entry.text == "stance bold")
        return replace(sheet, accepted=bold or sheet.accepted)

    game = replace(offering("stance bold"), read_orders=read)

    assert "stood before and is refused now" in complaint(choices.choices_keep_the_law, game)


def test_a_verb_that_bots_use_and_no_choice_has() -> None:
    said = complaint(choices.bots_order_what_is_offered, offering("stance bold"))

    assert said == "duel/duel: bots order speed, and no choice does"


def test_a_verb_that_is_left_to_the_players(published_duel: Callable[..., tuple[Sample, Path]]) -> None:
    sample, folder = published_duel("replace(GAME, choices=lambda view, sheet, unit: Offer(unit, unit))")
    with pytest.raises(AssertionError, match="bots order speed"):
        choices.bots_order_what_is_offered(sample)

    (folder / "choices.py").write_text("NOT_OFFERED = {'speed': 'everybody knows it'}\n")
    choices.bots_order_what_is_offered(sample)


def test_a_random_sheet_that_draws_a_complaint() -> None:
    said = complaint(choices.random_sheets_are_legal, offering("speed 9"))

    assert "duel/duel, random battle 1, turn 1 (orders): red chose" in said
    assert "line 2 'speed 9': DU-SPD-1 speed 9 is more than 6" in said


def test_an_imagination_that_forgets() -> None:
    def imagined(view: Any, dice: Any) -> State:
        return State(view.ships[:1], view.turn)

    said = complaint(choices.imagined_gives_the_same_view, replace(DUEL, imagined=imagined))

    assert said.endswith("red sees another View.ships in what it imagines")


# --- what is told ----------------------------------------------------------------------------------------------------


def test_a_map_without_words() -> None:
    silent = replace(DUEL, scene=lambda view, events: replace(DUEL.scene(view, events), alt=""))

    assert "seen by red: the map says nothing to those who cannot see it" in complaint(
        telling.views_can_be_drawn, silent
    )


def test_gauges_of_a_stranger() -> None:
    assert "the gauges measure ['green']" in complaint(
        telling.views_can_be_drawn, replace(DUEL, gauges=lambda view: {"hull": {"green": 1.0}})
    )


def test_a_view_that_leaks() -> None:
    assert "red learns ['Vesuvius'] from its view" in complaint(telling.nobody_learns_a_secret, trouble="leak")


@pytest.fixture
def published_duel(publish: Publish) -> Callable[[str], tuple[Sample, Path]]:
    """The duel with its files, changed by some code."""

    def made(change: str = "GAME") -> tuple[Sample, Path]:
        code = (
            "from dataclasses import replace\nfrom tests.office_game import *\nfrom tests.office_game import DUEL\n"
            f"GAME = replace(DUEL, slug='boats')\nGAME = {change}\n"
        )
        folder = publish("club_boats", code, "boats")
        for name in ("scenarios", "templates"):
            (folder / name).mkdir()
        (folder / "scenarios" / "1-pond.toml").write_text('game = "boats"\nkey = "pond"\nfog = true\n')
        source = Path(__file__).parent.parent / "office_templates" / "duel"
        for file in source.iterdir():
            (folder / "templates" / file.name).write_text(file.read_text())
        (folder / "rules.md").write_text("DU-SPD-1 DU-FIR-1 DU-REP-1 DU-MIN-1\n")
        from games import game

        return sample_of(game("boats")), folder

    return made


def test_a_whole_game_from_outside(published_duel: Callable[..., tuple[Sample, Path]]) -> None:
    sample, _ = published_duel()

    telling.events_name_sides_and_rules(sample)
    telling.events_are_told(sample)
    telling.letters_can_be_written(sample)
    package.its_slug_finds_it(sample)
    package.scenarios_set_up(sample)
    package.former_keys_open_their_scenarios(sample)


def test_an_event_whose_rule_is_not_in_the_book(published_duel: Callable[..., tuple[Sample, Path]]) -> None:
    sample, folder = published_duel()
    (folder / "rules.md").write_text("DU-FIR-1\n")

    with pytest.raises(AssertionError, match="the rule DU-SPD-1 is not in the rule book"):
        telling.events_name_sides_and_rules(sample)


def test_a_game_without_a_rule_book(published_duel: Callable[..., tuple[Sample, Path]]) -> None:
    sample, folder = published_duel()
    (folder / "rules.md").unlink()

    with pytest.raises(AssertionError, match="comes without a rule book; it belongs into its package"):
        telling.events_name_sides_and_rules(sample)


def test_templates_that_are_missing_or_wrong(published_duel: Callable[..., tuple[Sample, Path]]) -> None:
    sample, folder = published_duel()
    telling.its_templates_are_there(sample)
    (folder / "templates" / "narrative.j2").write_text("{% if %}")
    (folder / "templates" / "status.j2").write_text("Nothing.")
    (folder / "templates" / "help.j2").unlink()

    with pytest.raises(AssertionError) as caught:
        telling.its_templates_are_there(sample)

    assert "boats: narrative.j2 cannot be read: " in str(caught.value)
    assert "; status.j2 has no macro 'status'; there is no help.j2 in the folder 'templates'" in str(caught.value)


def test_an_event_that_no_macro_tells(published_duel: Callable[..., tuple[Sample, Path]]) -> None:
    sample, folder = published_duel()
    (folder / "templates" / "narrative.j2").write_text("{% macro moved(e) %}It moved.{% endmacro %}")

    with pytest.raises(AssertionError, match=r"narrative.j2 has no macro for mined, repaired"):
        telling.events_are_told(sample)
    with pytest.raises(AssertionError, match="boats has no words for the event 'mined'"):
        telling.letters_can_be_written(sample)


def test_a_letter_that_leaks(published_duel: Callable[..., tuple[Sample, Path]]) -> None:
    sample, folder = published_duel()
    (folder / "templates" / "status.j2").write_text("{% macro status(view, out) %}V{{ 'esuvius' }}{% endmacro %}")

    with pytest.raises(AssertionError, match="the opening letter to red tells what red may not know"):
        telling.letters_can_be_written(sample)


# --- the package -----------------------------------------------------------------------------------------------------


def test_a_game_that_is_not_installed() -> None:
    with pytest.raises(AssertionError, match="no installed package publishes the game 'duel'"):
        every_check(DUEL)


def test_a_slug_that_finds_another_game() -> None:
    assert "the slug 'galleys' finds another game" in complaint(
        package.its_slug_finds_it, replace(DUEL, slug="galleys")
    )


def test_a_game_that_imports_the_post(published_duel: Callable[..., tuple[Sample, Path]]) -> None:
    sample, folder = published_duel()
    (folder / "clock.py").write_text("import time\nimport json\n\nfrom pbem.store import store\n")

    with pytest.raises(AssertionError, match=r"(?s)clock.py:1: time\nclock.py:4: pbem.store$"):
        package.it_imports_only_the_kit(sample)


def test_a_scenario_of_another_game(published_duel: Callable[..., tuple[Sample, Path]]) -> None:
    sample, folder = published_duel()
    (folder / "scenarios" / "2-sea.toml").write_text('game = "ships"\nkey = "sea"\n')

    with pytest.raises(AssertionError, match="boats/sea: its file says game = 'ships'"):
        package.scenarios_set_up(sample)


def test_a_contest_of_one(published_duel: Callable[..., tuple[Sample, Path]]) -> None:
    assert SIDES
    sample, _ = published_duel("replace(GAME, sides=lambda state: SIDES[:1], phase=lambda state: None)")

    with pytest.raises(AssertionError, match="boats/pond: the game is over before it begins"):
        package.scenarios_set_up(sample)
