"""Turns: a campaign starts, its phases are resolved once each, and a bug in a game stops that campaign alone."""

from __future__ import annotations

import logging
from dataclasses import replace
from datetime import datetime

from sqlalchemy.exc import SQLAlchemyError

from pbem.faults import reach
from pbem.kit import codec
from pbem.kit.game import Outcome
from pbem.store.phases import Outdated, TurnOutcome
from pbem.store.rows import Campaign, CampaignStatus, Phase, PhaseStatus
from pbem.turns.envelopes import note, to_moderator
from pbem.turns.house import House
from pbem.turns.opening import Opened, open_phase
from pbem.turns.playing import follow_up, opening_state, play
from pbem.turns.reports import Happened, final_letters, opening_letters, turn_letters
from pbem.turns.standing import read_state, standing
from pbem.turns.trouble import pause_after_bug

log = logging.getLogger("pbem.turns")

MOST_TRIES = 20
"""Letters may come in while a turn is worked out; each makes it be worked out again."""


class NotPossible(ValueError):
    """The campaign is not in a state in which this can be done; says why."""


# --- starting --------------------------------------------------------------------------------------------------------


def start(house: House, campaign: Campaign, now: datetime) -> None:
    """Set the scenario up, open the first phase and write the opening letters; a bug here is the caller's to see."""
    if campaign.status != CampaignStatus.FORMING:
        raise NotPossible(f"{campaign.slug} is {campaign.status}; only a forming campaign can be started")
    assert campaign.id is not None
    game = house.games(campaign.game)
    state = opening_state(game, campaign)
    played = follow_up(house, campaign, game, state, 0, now)
    state = played[-1].state if played else state
    phase = game.phase(read_state(game, state))
    if phase is None:
        raise NotPossible(f"{campaign.slug}: the scenario is over before it begins")
    opened = open_phase(house, campaign, game, phase, state, len(played) + 1, now)
    outcome = TurnOutcome(
        campaign_id=campaign.id,
        phase_id=None,
        version=0,
        resolved=tuple(one.archived(campaign, game, now) for one in played),
        opens=opened.as_row(),
        status=CampaignStatus.RUNNING,
        drafts=opening_letters(house, opened, now),
        notes=(note(campaign, "started", f"turn {phase.turn}, {phase.name}", now),),
    )
    house.store.phases.resolve(outcome, now)
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
            outcome = _work_out(house, campaign, phase, now)
        except SQLAlchemyError:
            # The database is not the game's fault; the phase stays due and is tried again.
            raise
        except Exception as error:
            pause_after_bug(house, campaign, phase, error, now)
            return False
        reach("turn-written")
        try:
            house.store.phases.resolve(outcome, now)
        except Outdated:
            continue
        reach("turn-committed")
        log.info("campaign %s: phase %d resolved, %d letters", campaign.slug, phase.number, len(outcome.drafts))
        return True
    return False


def _work_out(house: House, campaign: Campaign, phase: Phase, now: datetime) -> TurnOutcome:
    """All that the resolution changes; nothing is kept yet."""
    assert campaign.id is not None
    at = standing(house, campaign, phase)
    first = play(at)
    reach("turn-resolved")
    played = (first, *follow_up(house, campaign, at.game, first.state, phase.number, now))
    resolved = tuple(one.archived(campaign, at.game, now) for one in played)
    after = read_state(at.game, played[-1].state)
    events = tuple(event for one in played for event in one.events)
    happened = Happened(campaign, resolved, events, at, after)
    following = at.game.phase(after)
    if following is None:
        return _ending(house, happened, now)
    number = phase.number + len(played)
    opened = open_phase(house, campaign, at.game, following, played[-1].state, number, now)
    return _going_on(house, happened, opened, now)


def _going_on(house: House, happened: Happened, opened: Opened, now: datetime) -> TurnOutcome:
    campaign, phase = happened.campaign, happened.before.phase
    return replace(
        _outcome(happened),
        opens=opened.as_row(),
        drafts=turn_letters(house, happened, opened, now),
        notes=(note(campaign, "resolved", _told(phase, happened), now),),
    )


def _ending(house: House, happened: Happened, now: datetime) -> TurnOutcome:
    campaign, game = happened.campaign, happened.before.game
    ended = game.outcome(happened.after) or Outcome(frozenset(), "The game is over.")
    told = to_moderator(house, campaign, f"{campaign.title} is over", [ended.reason], now)
    return replace(
        _outcome(happened),
        status=CampaignStatus.OVER,
        reason=ended.reason,
        outcome=codec.encode(ended),
        drafts=(*final_letters(house, happened, ended, now), *told),
        notes=(note(campaign, "over", ended.reason, now),),
    )


def _outcome(happened: Happened) -> TurnOutcome:
    phase = happened.before.phase
    assert happened.campaign.id is not None
    return TurnOutcome(
        campaign_id=happened.campaign.id,
        phase_id=phase.id,
        version=phase.version,
        resolved=happened.resolved,
        opens=None,
        status=CampaignStatus.RUNNING,
    )


def _told(phase: Phase, happened: Happened) -> str:
    absent = happened.resolved[0].turn.absent
    missing = f"; no orders from {', '.join(absent)}" if absent else ""
    return f"turn {phase.turn}, {phase.name}: {len(happened.events)} events{missing}"
