"""Reminders: a word before the deadline to those whose sheet is missing, at the hours they chose."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy.exc import SQLAlchemyError

from pbem.campaign.envelopes import check_secrets, seat_context, to_seat
from pbem.campaign.house import House
from pbem.campaign.standing import Standing, standing
from pbem.campaign.trouble import pause_after_bug
from pbem.faults import reach
from pbem.letters.notices import reminder
from pbem.store.outgoing import Draft
from pbem.store.rows import CampaignRow, PhaseRow, SeatRow
from pbem.turns.reports import written_to


def remind_due(house: House, now: datetime) -> int:
    """Write the reminders whose hour has come; each goes out once."""
    written = 0
    for phase in house.store.phases.running_to_a_deadline():
        campaign = house.store.campaigns.get(phase.campaign_id)
        hours = _hours_come(house, phase, now)
        if hours:
            written += _remind(house, campaign, house.store.phases.get(phase.id), hours, now)
    return written


def hour_come(phase: PhaseRow, hours: list[int], now: datetime) -> int | None:
    """The last of the chosen hours that has come; those missed while the program was down are not made up for."""
    if phase.deadline is None or now >= phase.deadline:
        return None
    come = [hour for hour in hours if phase.opened_at < phase.deadline - timedelta(hours=hour) <= now]
    return min(come, default=None)


def _hours_come(house: House, phase: PhaseRow, now: datetime) -> dict[int, int]:
    """Seat id to the hour it is to be reminded at, leaving out reminders already written."""
    hours = {}
    for seat in written_to(house.store.campaigns.seats(phase.campaign_id)):
        hour = hour_come(phase, seat.reminders, now)
        if hour is not None and house.store.outgoing.by_key(_key(phase, seat, hour)) is None:
            hours[seat.id] = hour
    return hours


def _key(phase: PhaseRow, seat: SeatRow, hour: int) -> str:
    # The deadline is part of it: when it moves, its reminders are due anew.
    deadline = "" if phase.deadline is None else phase.deadline.strftime("%Y%m%dT%H%M")
    return f"reminder/{phase.id}/{seat.id}/{deadline}/{hour}"


def _remind(house: House, campaign: CampaignRow, phase: PhaseRow, hours: dict[int, int], now: datetime) -> int:
    try:
        at = standing(house, campaign, phase)
        drafts = [
            reminder_letter(house, at, phase, seat, _key(phase, seat, hours[seat.id]), now)
            for seat in at.awaited()
            if seat.id in hours
        ]
    except SQLAlchemyError:
        raise
    except Exception as error:
        pause_after_bug(house, campaign, phase, error, now)
        return 0
    if drafts:
        house.store.outgoing.add(drafts, now)
        reach("reminder-committed")
    return len(drafts)


def reminder_letter(house: House, at: Standing, phase: PhaseRow, seat: SeatRow, key: str, now: datetime) -> Draft:
    """The form once more, and how much time is left."""
    context = seat_context(house, at, seat, house.store.campaigns.token(seat.id, phase.id))
    mail = reminder(context, at.game, at.game.view(at.state, seat.side), house.pen)
    check_secrets(house, mail, at, seat)
    return to_seat(house, at.campaign, seat, mail, key, now, phase_id=phase.id)


def remind_now(house: House, campaign: CampaignRow, phase: PhaseRow, now: datetime) -> int:
    """Remind everybody awaited, at a moderator's word."""
    at = standing(house, campaign, phase)
    mark = house.fresh(8).hex()
    drafts = [
        reminder_letter(house, at, phase, seat, f"reminder/{phase.id}/{seat.id}/{mark}", now)
        for seat in at.awaited()
        if seat.address and not seat.bot
    ]
    house.store.outgoing.add(drafts, now)
    return len(drafts)
