"""The desk: one letter, one verdict, one transaction.

The verdict table below is the whole policy; the first rule that fits decides.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from sqlalchemy.exc import SQLAlchemyError

from pbem.campaign.house import House
from pbem.desk import verdicts as say
from pbem.desk.aside import set_aside
from pbem.desk.case import Case
from pbem.desk.floods import with_limit
from pbem.faults import reach
from pbem.store.letters import HERE, MOST_ATTEMPTS, AlreadyHandled, LetterChange, MailboxPlace
from pbem.store.phases import Outdated
from pbem.store.rows import LetterStatus

log = logging.getLogger("pbem.desk")

Folder = Literal["Done", "Refused"]

MOST_TRIES = 20
"""Sheets may change while a letter is judged; each change makes it be judged again."""


@dataclass(frozen=True)
class VerdictRule:
    """If this is so, that is the verdict."""

    name: str
    fits: Callable[[Case], bool]
    verdict: Callable[[Case], LetterChange]


VERDICTS: tuple[VerdictRule, ...] = (
    # What no person wrote is never answered: an answer would feed a loop.
    VerdictRule("bounce", say.is_bounce, say.note_bounce),
    VerdictRule("unreadable", say.is_unreadable, say.ignore_unreadable),
    VerdictRule("stranger", say.is_turned_away_in_silence, say.ignore),
    VerdictRule("repeated", say.is_repeated, say.ignore_repeated),
    # Known people get a reason.
    VerdictRule("turned away", say.is_turned_away, say.refuse_at_gate),
    VerdictRule("too big", say.is_too_big, say.refuse_too_big),
    VerdictRule("which seat", say.is_ambiguous, say.refuse_ambiguous),
    VerdictRule("not begun", say.is_not_begun, say.refuse_not_begun),
    # Commands that stand alone are answered at any time.
    VerdictRule("preview", say.is_preview, say.answer_preview),
    VerdictRule("withdraw", say.is_withdrawal, say.withdraw),
    VerdictRule("no orders", say.is_no_orders, say.file_empty),
    VerdictRule("command", say.is_command, say.answer_commands),
    # All else is orders, for the phase that is open.
    VerdictRule("nothing", say.is_empty, say.answer_empty),
    VerdictRule("over", say.is_over, say.refuse_over),
    VerdictRule("late", say.is_late, say.refuse_late),
    VerdictRule("ahead", say.is_ahead, say.seal_ahead),
    VerdictRule("wrong turn", say.is_for_another_turn, say.refuse_turn),
    VerdictRule("not asked", say.is_not_asked, say.refuse_not_asked),
    VerdictRule("orders", say.always, say.file_orders),
)


def judge(case: Case) -> LetterChange:
    """The verdict on a letter; nothing is kept yet."""
    rule = next(rule for rule in VERDICTS if rule.fits(case))
    return with_limit(case, replace(rule.verdict(case), verdict=rule.name))


def take(house: House, raw: bytes, now: datetime, place: MailboxPlace = HERE) -> Folder:
    """File the bytes, then handle the letter; only after this may the mail server be told to put it away."""
    filed = house.store.letters.file(raw, now, place)
    reach("letter-filed")
    if filed.again and filed.status is LetterStatus.NEW:
        # It was being handled when the process died.
        _count_attempt(house, filed.id, now)
    return handle(house, filed.id, now)


def handle(house: House, letter_id: int, now: datetime) -> Folder:
    """Judge one letter and keep all that follows from it, once."""
    for _ in range(MOST_TRIES):
        row = house.store.letters.get(letter_id)
        if row.status != LetterStatus.NEW:
            return _folder(row.status)
        case = Case(house, row, now)
        try:
            change = judge(case)
        except SQLAlchemyError:
            # The database is no fault of the letter; it stays new and is tried again.
            raise
        except Exception as error:
            change = with_limit(case, set_aside(case, error))
        reach("letter-judged")
        if _keep(house, change, now):
            reach("letter-handled")
            return _folder(change.status)
    raise Outdated(f"letter {letter_id}: the phase kept changing")


def _keep(house: House, change: LetterChange, now: datetime) -> bool:
    try:
        house.store.letters.handled(change, now)
    except (Outdated, AlreadyHandled):
        return False
    # No word of the letter itself: logs are read by people who may be playing.
    log.info("letter %d: %s, %s", change.letter_id, change.verdict, change.status)
    return True


def catch_up(house: House, now: datetime) -> int:
    """Handle the letters that were filed but not handled when the process died, in the order they arrived."""
    waiting = house.store.letters.waiting()
    for letter_id in waiting:
        _count_attempt(house, letter_id, now)
        handle(house, letter_id, now)
    return len(waiting)


def _count_attempt(house: House, letter_id: int, now: datetime) -> None:
    """A letter that kills the process each time is set aside before it does so again."""
    if house.store.letters.begin_again(letter_id) <= MOST_ATTEMPTS:
        return
    row = house.store.letters.get(letter_id)
    error = RuntimeError(f"the process died {MOST_ATTEMPTS} times while handling it")
    _keep(house, set_aside(Case(house, row, now), error), now)


def _folder(status: str) -> Folder:
    return "Done" if status == LetterStatus.ACCEPTED else "Refused"
