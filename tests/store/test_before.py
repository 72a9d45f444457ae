"""A database that an earlier version wrote: every campaign in it lives on, on SQLite and on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from itertools import count
from pathlib import Path

import pytest
import sqlalchemy as sa

import games
from pbem.campaign.house import House
from pbem.campaign.standing import read_state
from pbem.campaign.summaries import SeatInfo
from pbem.kit import codec
from pbem.kit.dice import KeyedDice
from pbem.letters.pen import Pen
from pbem.office import Office
from pbem.store.store import Store
from tests.office_bench import MODERATOR, ROBOT, Bench, Purse, Sent
from tests.store.old_databases import DUMPS, on_postgresql, on_sqlite, version_of
from tests.store.write_dump import write_dump

RUNNING = ("fleet-action", "broadsides", "battleshift", "galleys", "encounters")
"""Three phases are resolved; the next is open, and one of its two sheets is in."""
KINDS = {"sqlite": on_sqlite, "postgresql": on_postgresql}


@pytest.fixture(params=[(dump, kind) for dump in DUMPS for kind in KINDS], ids=lambda p: f"{version_of(p[0])}-{p[1]}")
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Bench]:
    """A host of today on a database of that version."""
    dump, kind = request.param
    store = Store.open(KINDS[kind](dump, tmp_path))
    # Its secrets are others than those the old host drew.
    house = House(store, Pen("Test Club"), ROBOT, MODERATOR, games.game, Purse(count(1_000_000)))
    with store.database.writing() as session:
        # Maps are left to the tests of the letters.
        session.connection().execute(sa.text("UPDATE seat SET map = 'none'"))
    try:
        yield Bench(house, Office(house))
    finally:
        store.close()


def resolved(bench: Bench, slug: str) -> int:
    return len(bench.office.turns(slug))


def at_its_time(bench: Bench, slug: str) -> None:
    """An hour after the open phase opened."""
    opened_at = bench.office.show(slug).opened_at
    assert opened_at is not None
    bench.now = opened_at + timedelta(hours=1)


def missing(bench: Bench, slug: str) -> list[SeatInfo]:
    return [seat for seat in bench.office.show(slug).seats if seat.needed and not seat.ordered]


def bot_writes(bench: Bench, slug: str, seat: SeatInfo) -> list[Sent]:
    """The player of a seat sends what the game's bot would order."""
    game = games.game(bench.office.show(slug).game)
    text = game.bot(game.view(bench.office.state(slug), seat.side), KeyedDice(seat.name.encode()))
    return bench.send(seat.name, text or "no orders", slug=slug, sender=seat.address)


# --- what was --------------------------------------------------------------------------------------------------------


def test_no_campaign_seat_or_turn_is_lost(old: Bench) -> None:
    shown = {info.slug: (info.status, len(info.seats), resolved(old, info.slug)) for info in old.office.campaigns()}

    assert shown.pop("ended")[:2] == ("over", 2)
    assert shown == {
        **dict.fromkeys(RUNNING, ("running", 2, 3)),
        "forming": ("forming", 2, 0),
        "paused": ("paused", 2, 1),
    }


def test_every_state_can_be_read_and_is_the_same(old: Bench) -> None:
    for campaign in old.store.campaigns.all():
        game = games.game(campaign.game)
        archives = old.store.phases.archives(campaign.id)
        phases = [old.store.phases.get(phase.id) for phase in old.store.phases.all(campaign.id)]
        for text in (*(phase.state for phase in phases), *(turn.state for _, turn in archives)):
            assert codec.encode(read_state(game, text)) == text


def test_every_turn_of_the_archive_is_proved(old: Bench) -> None:
    proofs = {
        (info.slug, past.turn): old.office.replay(info.slug, past.turn)
        for info in old.office.campaigns()
        for past in old.office.turns(info.slug)
    }

    assert [turn for turn, proved in proofs.items() if not proved] == []
    assert len(proofs) >= 2 * len(RUNNING)


# --- and goes on -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", RUNNING)
def test_a_running_campaign_takes_the_missing_letter_and_goes_on(old: Bench, slug: str) -> None:
    at_its_time(old, slug)
    (seat,) = missing(old, slug)

    (answer,) = bot_writes(old, slug, seat)

    assert answer.recipient == seat.address
    assert missing(old, slug) == []
    assert len(old.resolve_due()) == 1
    assert resolved(old, slug) == 4
    assert old.office.show(slug).status in ("running", "over")
    assert old.office.turns(slug)[-1].absent == ()
    assert old.office.replay(slug, old.office.turns(slug)[-1].turn)
    assert old.office.letters_set_aside() == ()


def test_a_forming_campaign_starts(old: Bench) -> None:
    old.office.start("forming", old.now)
    for seat in missing(old, "forming"):
        bot_writes(old, "forming", seat)

    assert len(old.resolve_due()) == 1
    assert resolved(old, "forming") == 1


def test_a_paused_campaign_goes_on(old: Bench) -> None:
    at_its_time(old, "paused")
    old.office.resume("paused", "", old.now)
    for seat in missing(old, "paused"):
        bot_writes(old, "paused", seat)

    assert len(old.resolve_due()) == 1
    assert resolved(old, "paused") == 2


def test_a_campaign_that_is_over_answers_how_it_stands(old: Bench) -> None:
    seat = old.office.show("ended").seats[0]
    old.later(days=30)

    (answer,) = old.send(seat.name, "status", slug="ended", sender=seat.address, token=last_token(old, seat))

    assert f"is over. {old.office.show('ended').reason}" in answer.text


def last_token(bench: Bench, seat: SeatInfo) -> str:
    """The word of the last letter that asked the seat for orders."""
    campaign = bench.store.campaigns.named("ended")
    assert campaign is not None
    return bench.store.campaigns.token(seat.id, bench.store.phases.all(campaign.id)[-1].id)


# --- the dumps of later versions -------------------------------------------------------------------------------------


def test_the_version_of_today_can_be_written_down_for_those_to_come(tmp_path: Path) -> None:
    dump = tmp_path / "version-today.sql.gz"
    write_dump(dump)
    store = Store.open(on_sqlite(dump, tmp_path))

    statuses = {campaign.slug: campaign.status for campaign in store.campaigns.all()}
    store.close()
    assert statuses == {**dict.fromkeys(RUNNING, "running"), "forming": "forming", "paused": "paused", "ended": "over"}
