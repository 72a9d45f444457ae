"""A database with a campaign in every state, for later versions: `python -m tests.store.write_dump FILE`."""

from __future__ import annotations

import gzip
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import sqlalchemy as sa

import games
from pbem.campaign.house import House
from pbem.kit.dice import KeyedDice
from pbem.kit.scenario import scenarios_of
from pbem.letters.pen import Pen
from pbem.office import Office
from pbem.store.store import Store
from tests.office_bench import MODERATOR, ROBOT, Bench, Purse

RESOLVED = 3
"""Phases that lie behind a running campaign."""
MOST_PHASES = 200


def write_dump(file: Path) -> None:
    """Play every game for some phases, leave others forming, paused and ended, and write all of it down."""
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "club.sqlite"
        store = Store.open(str(database))
        house = House(store, Pen("Test Club"), ROBOT, MODERATOR, games.game, Purse())
        fill(Bench(house, Office(house)))
        store.close()
        with closing(sqlite3.connect(database)) as connection:
            file.write_bytes(gzip.compress("\n".join(connection.iterdump()).encode(), mtime=0))


def fill(bench: Bench) -> None:
    for game in games.SHIPPED:
        slug = game.replace("_", "-")
        begin(bench, slug, game)
        play(bench, slug, RESOLVED)
        write(bench, slug, 0)
    take_seats(bench, "forming", "galleys")
    begin(bench, "paused", "galleys")
    play(bench, "paused", 1)
    bench.office.pause("paused", "a holiday", bench.now)
    begin(bench, "ended", "galleys")
    play(bench, "ended", MOST_PHASES)
    assert bench.office.show("ended").status == "over"


def take_seats(bench: Bench, slug: str, game: str) -> None:
    opening = next(iter(scenarios_of(game).values()))
    bench.office.open_campaign(slug, opening, bench.now, calendar="3d after opening", moderator=MODERATOR)
    for number, side in enumerate(bench.office.sides(slug), 1):
        bench.office.add_seat(slug, f"Player {number}", side, f"player{number}.{slug}@home.example")
    with bench.store.database.writing() as session:
        # Pictures would make the dump large.
        session.connection().execute(sa.text("UPDATE seat SET text_only = true"))


def begin(bench: Bench, slug: str, game: str) -> None:
    take_seats(bench, slug, game)
    bench.office.start(slug, bench.now)


def play(bench: Bench, slug: str, phases: int) -> None:
    """So many phases by letters, or all of them."""
    for _ in range(phases):
        if bench.office.show(slug).status != "running":
            return
        for number in range(len(bench.office.show(slug).seats)):
            write(bench, slug, number)
        bench.resolve_due()
        bench.later(hours=5)


def write(bench: Bench, slug: str, number: int) -> None:
    """A letter with the bot's orders, if the phase asks for any."""
    info = bench.office.show(slug)
    seat, game = info.seats[number], games.game(info.game)
    if seat.needed:
        dice = KeyedDice(f"{slug} {info.phase_number} {number}".encode())
        text = game.bot(game.view(bench.office.state(slug), seat.side), dice)
        bench.send(seat.name, text or "no orders", slug=slug, sender=seat.address)


if __name__ == "__main__":
    write_dump(Path(sys.argv[1]))
