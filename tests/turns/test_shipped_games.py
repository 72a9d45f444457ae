"""Every scenario that ships can be opened by mail, and the first of each game is played for two phases by letters."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa

import games
from pbem.kit.dice import KeyedDice
from pbem.kit.scenario import scenarios_of
from pbem.letters.pen import Pen
from pbem.office import Office
from tests.office_bench import Bench, bench_on

SCENARIOS = [(slug, key) for slug in games.SHIPPED for key in scenarios_of(slug)]
FIRST = [(slug, next(iter(scenarios_of(slug)))) for slug in games.SHIPPED]


def open_shipped(bench: Bench, slug: str, key: str) -> None:
    """A campaign of a shipped scenario with a player on each side; maps are left to the tests of the report."""
    bench.house = replace(bench.house, games=games.game, pen=Pen("Test Club"))
    bench.office = Office(bench.house)
    bench.office.open_campaign("trial", scenarios_of(slug)[key], bench.now, calendar="3d after opening")
    for number, side in enumerate(bench.office.sides("trial")):
        bench.office.add_seat("trial", f"Player{number}", side, f"player{number}@home.example")
    with bench.store.database.writing() as session:
        session.connection().execute(sa.text("UPDATE seat SET map = 'none'"))
    bench.office.start("trial", bench.now)


@pytest.mark.parametrize(("slug", "key"), SCENARIOS)
def test_every_scenario_can_be_opened_without_giving_anything_away(tmp_path: Path, slug: str, key: str) -> None:
    with bench_on(str(tmp_path / "pbem.sqlite")) as bench:
        open_shipped(bench, slug, key)

        assert bench.office.show("trial").status == "running"
        assert len(bench.sent("opening")) == len(bench.office.show("trial").seats)


@pytest.mark.parametrize(("slug", "key"), FIRST)
def test_every_game_is_played_by_letters(tmp_path: Path, slug: str, key: str) -> None:
    with bench_on(str(tmp_path / "pbem.sqlite")) as bench:
        open_shipped(bench, slug, key)
        game = games.game(slug)
        for number in range(1, 3):
            for seat in bench.office.show("trial").seats:
                if seat.needed:
                    view = game.view(bench.office.state("trial"), seat.side)
                    text = game.bot(view, KeyedDice(b"%d %d" % (number, seat.id)))
                    (receipt,) = bench.send(seat.name, text or "no orders", slug="trial")
                    assert receipt.kind in ("receipt", "answer")
            bench.office.resolve_now("trial", bench.now)

        assert all(bench.office.replay("trial", turn.turn) for turn in bench.office.turns("trial"))
        assert bench.office.letters_set_aside() == ()
        assert not any(turn.absent for turn in bench.office.turns("trial"))


@pytest.mark.parametrize(
    ("slug", "key", "unit"), [("fleet_action", "border-incident", "Hyperion-1"), ("broadsides", "", "")]
)
def test_arcs_are_drawn_on_request(tmp_path: Path, slug: str, key: str, unit: str) -> None:
    with bench_on(str(tmp_path / "pbem.sqlite")) as bench:
        open_shipped(bench, slug, key or next(iter(scenarios_of(slug))))
        game = games.game(slug)
        side = next(iter(bench.office.sides("trial")))
        unit = unit or game.view(bench.office.state("trial"), side).ships[0].name

        (drawn,) = bench.send("Player0", f"arcs of {unit}", slug="trial")
        (which,) = bench.send("Player0", "arcs Nobody", slug="trial")

        assert f"fields of fire of {unit}" in drawn.text
        assert "Which unit?" in which.text
