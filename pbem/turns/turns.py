"""Turns: a campaign starts, its phases are resolved once each, and a bug in a game stops that campaign alone."""

from __future__ import annotations

import logging
from dataclasses import replace
from datetime import datetime

from sqlalchemy.exc import SQLAlchemyError

from pbem.campaign.books import NotPossible
from pbem.campaign.envelopes import note, to_moderator
from pbem.campaign.house import House
from pbem.campaign.record import opening_state
from pbem.campaign.standing import read_state, standing
from pbem.campaign.trouble import pause_after_bug
from pbem.faults import reach
from pbem.kit import codec
from pbem.kit.game import Outcome
from pbem.store.phases import Outdated, TurnChange
from pbem.store.rows import CampaignRow, CampaignStatus, PhaseRow, PhaseStatus
from pbem.turns.opening import Opened, open_phase
from pbem.turns.playing import follow_up, new_turn, play
from pbem.turns.reports import News, final_letters, opening_letters, turn_letters

log = logging.getLogger("pbem.turns")

MOST_TRIES = 20
"""Letters may come in while a turn is worked out; each makes it be worked out again."""


# --- starting --------------------------------------------------------------------------------------------------------


def start(house: House, campaign: CampaignRow, now: datetime) -> None:
    """Set the scenario up, open the first phase and write the opening letters; a bug here is the caller's to see."""
    if campaign.status != CampaignStatus.FORMING:
        raise NotPossible(f"{campaign.slug} is {campaign.status}; only a forming campaign can be started")
    game = house.games(campaign.game)
    state = opening_state(game, campaign)
    played = follow_up(house, campaign, game, state, 0, now)
    state = played[-1][1].state if played else state
    phase = game.phase(read_state(game, state))
    if phase is None:
        raise NotPossible(f"{campaign.slug}: the scenario is over before it begins")
    opened = open_phase(house, campaign, game, phase, state, len(played) + 1, now)
    change = TurnChange(
        campaign_id=campaign.id,
        phase_id=None,
        version=0,
        turns=tuple(turn for _, turn in played),
        opens=opened.to_keep(),
        status=CampaignStatus.RUNNING,
        drafts=opening_letters(house, opened, now),
        notes=(note(campaign, "started", f"turn {phase.turn}, {phase.name}", now),),
    )
    house.store.phases.resolve(change, now)
    log.info("campaign %s started", campaign.slug)


# --- resolving -------------------------------------------------------------------------------------------------------


def resolve_due(house: House, now: datetime, since: datetime | None = None) -> tuple[int, ...]:
    """Resolve every phase whose time has come, or had come at an earlier moment; returns the ids of those that were."""
    return tuple(phase_id for phase_id in house.store.phases.due(since or now) if resolve(house, phase_id, now))


def resolve(house: House, phase_id: int, now: datetime) -> bool:
    """Resolve one phase, once; a bug in the game pauses its campaign and loses nothing."""
    for _ in range(MOST_TRIES):
        phase = house.store.phases.get(phase_id)
        campaign = house.store.campaigns.get(phase.campaign_id)
        if phase.status != PhaseStatus.OPEN or campaign.status != CampaignStatus.RUNNING:
            return False
        try:
            change = _work_out(house, campaign, phase, now)
        except SQLAlchemyError:
            # The database is not the game's fault; the phase stays due and is tried again.
            raise
        except Exception as error:
            pause_after_bug(house, campaign, phase, error, now)
            return False
        reach("turn-written")
        try:
            house.store.phases.resolve(change, now)
        except Outdated:
            continue
        reach("turn-committed")
        log.info("campaign %s: phase %d resolved, %d letters", campaign.slug, phase.number, len(change.drafts))
        return True
    return False


def _work_out(house: House, campaign: CampaignRow, phase: PhaseRow, now: datetime) -> TurnChange:
    """All that the resolution changes; nothing is kept yet."""
    at = standing(house, campaign, phase)
    first = play(at)
    reach("turn-resolved")
    absent = [seat.name for seat in at.awaited()]
    turn = new_turn(phase, first, absent, now)
    more = follow_up(house, campaign, at.game, turn.state, phase.number, now)
    news = News(at, (first, *(played for played, _ in more)), (turn, *(turn for _, turn in more)))
    change = TurnChange(campaign.id, phase.id, phase.version, news.turns, None, CampaignStatus.RUNNING)
    following = at.game.phase(news.after)
    if following is None:
        return _ending(house, news, change, now)
    state = news.turns[-1].state
    number = phase.number + len(news.turns)
    opened = open_phase(house, campaign, at.game, following, state, number, now)
    return _going_on(house, news, change, opened, now)


def _going_on(house: House, news: News, change: TurnChange, opened: Opened, now: datetime) -> TurnChange:
    return replace(
        change,
        opens=opened.to_keep(),
        drafts=turn_letters(house, news, opened, now),
        notes=(note(news.campaign, "resolved", _told(news), now),),
    )


def _ending(house: House, news: News, change: TurnChange, now: datetime) -> TurnChange:
    campaign, game = news.campaign, news.before.game
    ended = game.outcome(news.after) or Outcome(frozenset(), "The game is over.")
    notice = to_moderator(house, campaign, f"{campaign.title} is over", [ended.reason], now)
    return replace(
        change,
        status=CampaignStatus.OVER,
        reason=ended.reason,
        outcome=codec.encode(ended),
        drafts=(*final_letters(house, news, ended, now), *notice),
        notes=(note(campaign, "over", ended.reason, now),),
    )


def _told(news: News) -> str:
    phase, absent = news.before.phase, news.turns[0].absent
    missing = f"; no orders from {', '.join(absent)}" if absent else ""
    return f"turn {phase.turn}, {phase.name}: {len(news.events)} events{missing}"
