"""How often a game reads: a letter once, and once more the sheet it was joined to."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

import pytest

import games
from pbem.kit.merging import written
from pbem.kit.scenario import scenarios_of
from pbem.kit.scene import Arc
from pbem.kit.sheet import Sheet
from pbem.office import Office
from pbem.play.selfplay import play
from tests.office_bench import Bench, duel
from tests.office_game import DUEL, View, read_orders


@dataclass
class Counting:
    """A host whose game offers no choices, and says what it was given to read and whose arcs it was asked for."""

    bench: Bench
    texts: list[str] = field(default_factory=list)
    drawn: list[str] = field(default_factory=list)

    def read(self, state: Any, side: str, text: str) -> Sheet[Any]:
        self.texts.append(text)
        return read_orders(state, side, text)

    def arcs(self, _view: View, unit: str) -> tuple[Arc, ...]:
        self.drawn.append(unit)
        return ()

    def send(self, text: str, **more: Any) -> int:
        """How often the game read for the sake of this letter."""
        self.texts.clear()
        self.bench.send("Anna", text, **more)
        return len(self.texts)


@pytest.fixture
def counting(bench: Bench) -> Counting:
    counting = Counting(bench)
    game = replace(DUEL, read_orders=counting.read, arcs=counting.arcs, choices=None)
    bench.house = replace(bench.house, games=lambda _slug: game)
    bench.office = Office(bench.house)
    bench.open_duel()
    return counting


def test_the_first_letter_of_a_phase_is_read_once(counting: Counting) -> None:
    assert counting.send("Ares: speed 3\nArgo: speed 9") == 1
    assert counting.bench.sheet("Anna") == "Ares:\n  speed 3\nArgo:\n  speed 9\n"


def test_a_further_letter_is_read_alone_and_joined(counting: Counting) -> None:
    counting.send("Ares: speed 3")

    assert counting.send("Argo: speed 2") == 2
    assert counting.texts == ["Argo: speed 2", "Ares:\n  speed 3\nArgo:\n  speed 2\n"]


def test_a_letter_that_replaces_the_whole_sheet_is_read_once(counting: Counting) -> None:
    counting.send("Ares: speed 3")

    assert counting.send("Ares: speed 4") == 1
    assert counting.send("start over\nArgo: speed 2") == 1
    assert counting.bench.sheet("Anna") == "Argo:\n  speed 2\n"


@pytest.mark.parametrize(
    ("words", "most"), [("preview\nAres: speed 2", 2), ("no orders", 1), ("orders", 1), ("help", 0)]
)
def test_other_letters_are_read_no_oftener(counting: Counting, words: str, most: int) -> None:
    counting.send("Argo: speed 3")

    assert counting.send(words) == most


def test_orders_ahead_are_read_for_their_turn_and_for_today(counting: Counting) -> None:
    assert counting.send("turn 2\nAres: speed 3") == 2
    assert counting.send("turn 2\nArgo: speed 1") == 2


def test_orders_that_waited_are_read_once_when_their_turn_opens(counting: Counting) -> None:
    counting.send("turn 2\nAres: speed 3")
    counting.texts.clear()
    counting.bench.office.resolve_now("duel", counting.bench.now)

    assert [text for text in counting.texts if text] == ["Ares:\n  speed 3\n"]


def test_an_order_that_means_something_else_on_a_line_of_its_own_is_read_again(counting: Counting) -> None:
    """What is filed is what the receipt tells, even where a header hid the meaning of a line."""
    counting.send("Ares: Argo: speed 2")

    assert counting.texts == ["Ares: Argo: speed 2", "Ares:\n  Argo: speed 2\n"]
    assert "Argo - speed 2" in counting.bench.sent("receipt")[-1].text


def test_a_bot_s_sheet_is_joined_as_the_game_reads_it(counting: Counting) -> None:
    """A bot writes as it likes; a moderator may still change its orders."""
    bench = counting.bench
    untidy = replace(DUEL, bot=lambda view, dice: "ares: speed 1\nargo: speed 1  # slowly\n")
    bench.house = replace(bench.house, games=lambda _slug: untidy)
    bench.office = Office(bench.house)
    bench.office.open_campaign("robots", duel(), bench.now)
    bench.office.add_seat("robots", "Rob", "red", bot=True)
    bench.office.add_seat("robots", "Eve", "blue", "eve@home.example")
    bench.office.start("robots", bench.now)

    assert bench.office.file_orders("robots", "Rob", "Argo: speed 5", bench.now) == ()
    assert bench.sheet("Rob", "robots") == "Ares:\n  speed 1\nArgo:\n  speed 5\n"


# --- commands above orders -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", ["Argo: speed 3", "no orders", "preview", "withdraw", "turn 2\nArgo: speed 1"])
def test_commands_beside_anything_else_are_answered_once(counting: Counting, words: str) -> None:
    counting.send("Ares: speed 3")
    counting.send(f"arcs Ares\n{words}")

    assert counting.drawn == ["Ares"]


# --- a letter that stands alone --------------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", games.SHIPPED)
def test_what_is_written_down_of_a_sheet_reads_the_same(slug: str) -> None:
    """So a letter's own reading stands for that of the sheet it becomes."""
    game = games.game(slug)
    opening = next(iter(scenarios_of(slug).values()))
    for played in islice(play(game, opening, b"readings"), 6):
        forms = {info.id: game.template(game.view(played.before, info.id)) for info in game.sides(played.before)}
        for side, text in (*played.texts.items(), *forms.items()):
            sheet = game.read_orders(played.before, side, text)
            again = game.read_orders(played.before, side, written(sheet.blocks))

            assert gist(again) == gist(sheet)


def gist(sheet: Sheet[Any]) -> tuple[Any, ...]:
    """All of a sheet but the numbers of its lines."""
    accepted = [replace(entry, line=0) for entry in sheet.accepted]
    return accepted, [replace(problem, line=0) for problem in sheet.problems], sheet.blocks, sheet.defaults
