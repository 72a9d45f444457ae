"""When we fail: one campaign is paused, its moderator learns where the fault is, its players that nothing is lost."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import PurePath
from traceback import extract_tb

from games import BrokenGame
from pbem.campaign.envelopes import Leak, note, plain_context, to_moderator, to_seat
from pbem.campaign.house import House
from pbem.letters.content import Mail, SeatContext
from pbem.letters.notices import paused
from pbem.store.outgoing import Draft
from pbem.store.rows import CampaignRow, CampaignStatus, PhaseRow, SeatRow

log = logging.getLogger("pbem.campaign")

FRAMES_TOLD = 4
FAULT = "A fault in the program stopped it."
"""All that players are told of a bug."""


def where_it_failed(error: BaseException) -> str:
    """Which error and where; never its message, which may quote somebody's secret orders."""
    frames = extract_tb(error.__traceback__)[-FRAMES_TOLD:]
    way = " > ".join(f"{PurePath(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames)
    what = str(error) if isinstance(error, Leak | BrokenGame) else type(error).__name__
    return f"{what} at {way}"


def words_of(error: BaseException, slug: str) -> list[str]:
    """For the moderator, who sees all: which words stopped a mail, and what to do if they are harmless."""
    if not isinstance(error, Leak):
        return []
    listed = ", ".join(error.words)
    return [f"The words: {listed}. If they are harmless, allow them: pbem campaign allow {slug} WORD"]


def pause_after_bug(house: House, campaign: CampaignRow, phase: PhaseRow, error: BaseException, now: datetime) -> None:
    """Stop this one campaign; the phase stays open with all its sheets."""
    where = where_it_failed(error)
    log.error("campaign %s paused: %s", campaign.slug, where)
    words = words_of(error, campaign.slug)
    drafts = (
        *bug_letters(house, campaign, phase, where, words, now),
        *pause_letters(house, campaign, phase, FAULT, now),
    )
    paused_note = note(campaign, "paused", where, now)
    house.store.campaigns.set_status(campaign.id, CampaignStatus.PAUSED, FAULT, now, drafts, [paused_note])


def bug_letters(
    house: House, campaign: CampaignRow, phase: PhaseRow, where: str, words: list[str], now: datetime
) -> tuple[Draft, ...]:
    """Word to the moderator."""
    paragraphs = [
        f"Turn {phase.turn} ({phase.name}) of {campaign.title} could not be resolved, and the campaign is paused.",
        f"Where: {where}.",
        *words,
        "Nothing is lost: the phase is open, all orders are kept, other campaigns go on.",
        f"When the fault is mended, write: pbem campaign resume {campaign.slug}",
    ]
    return to_moderator(house, campaign, f"{campaign.title} is paused after a fault", paragraphs, now)


def tell_failures(house: House, now: datetime) -> int:
    """Word to the moderator about each mail that cannot be delivered, once."""
    written = 0
    for row in house.store.outgoing.failures():
        key = f"moderator/failed/{row.id}"
        if row.kind == "moderator" or house.store.outgoing.by_key(key) is not None:
            continue
        campaign = house.store.campaigns.get(row.campaign_id) if row.campaign_id is not None else None
        paragraphs = [
            f"Mail {row.id} ({row.kind}) to {row.recipient} could not be delivered: {row.why}.",
            "It is kept; write: pbem letter list",
        ]
        drafts = to_moderator(house, campaign, "A mail could not be delivered", paragraphs, now)
        house.store.outgoing.add([replace(draft, key=key) for draft in drafts], now)
        written += len(drafts)
    return written


def pause_letters(
    house: House, campaign: CampaignRow, phase: PhaseRow, reason: str, now: datetime
) -> tuple[Draft, ...]:
    """Tell every player that the campaign rests."""
    return letters_to_all(house, campaign, phase, "paused", lambda seat: paused(seat, reason, house.pen), now)


def letters_to_all(
    house: House,
    campaign: CampaignRow,
    phase: PhaseRow,
    kind: str,
    write: Callable[[SeatContext], Mail],
    now: datetime,
) -> tuple[Draft, ...]:
    """The same news to every player of a campaign, written without asking the game."""
    mark = house.fresh(8).hex()
    return tuple(
        _letter(house, campaign, phase, seat, f"{kind}/{campaign.slug}/{mark}/{seat.id}", write, now)
        for seat in house.store.campaigns.seats(campaign.id)
        if seat.address and not seat.bot
    )


def _letter(
    house: House,
    campaign: CampaignRow,
    phase: PhaseRow,
    seat: SeatRow,
    key: str,
    write: Callable[[SeatContext], Mail],
    now: datetime,
) -> Draft:
    token = house.store.campaigns.token(seat.id, phase.id)
    mail = write(plain_context(house, campaign, phase, seat, token))
    return to_seat(house, campaign, seat, mail, key, now, phase_id=phase.id)
