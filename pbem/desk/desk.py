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

from pbem.desk import verdicts as say
from pbem.desk.case import Case
from pbem.desk.floods import with_limit
from pbem.desk.trouble import set_aside
from pbem.faults import reach
from pbem.store.letters import HERE, MOST_ATTEMPTS, AlreadyHandled, LetterOutcome, Place
from pbem.store.phases import Outdated
from pbem.store.rows import LetterStatus
from pbem.turns.house import House

log = logging.getLogger("pbem.desk")

Folder = Literal["Done", "Refused"]

MOST_TRIES = 20
"""Sheets may change while a letter is judged; each change makes it be judged again."""


@dataclass(frozen=True)
class Rule:
    """If this is so, that is the verdict."""

    name: str
    fits: Callable[[Case], bool]
    verdict: Callable[[Case], LetterOutcome]


VERDICTS: tuple[Rule, ...] = (
    # What no person wrote is never answered: an answer would feed a loop.
    Rule("bounce", say.is_bounce, say.note_bounce),
    Rule("unreadable", say.is_unreadable, say.ignore_unreadable),
    Rule("stranger", say.is_turned_away_in_silence, say.ignore),
    Rule("repeated", say.is_repeated, say.ignore_repeated),
    # Known people get a reason.
    Rule("turned away", say.is_turned_away, say.refuse_at_gate),
    Rule("too big", say.is_too_big, say.refuse_too_big),
    Rule("which seat", say.is_ambiguous, say.refuse_ambiguous),
    Rule("not begun", say.is_not_begun, say.refuse_not_begun),
    # Commands that stand alone are answered at any time.
    Rule("preview", say.is_preview, say.answer_preview),
    Rule("withdraw", say.is_withdrawal, say.withdraw),
    Rule("no orders", say.is_no_orders, say.file_empty),
    Rule("command", say.is_command, say.answer_commands),
    # All else is orders, for the phase that is open.
    Rule("nothing", say.is_empty, say.answer_empty),
    Rule("over", say.is_over, say.refuse_over),
    Rule("late", say.is_late, say.refuse_late),
    Rule("ahead", say.is_ahead, say.seal_ahead),
    Rule("wrong turn", say.is_for_another_turn, say.refuse_turn),
    Rule("not asked", say.is_not_asked, say.refuse_not_asked),
    Rule("orders", say.always, say.file_orders),
)


def judge(case: Case) -> LetterOutcome:
    """The verdict on a letter; nothing is kept yet."""
    rule = next(rule for rule in VERDICTS if rule.fits(case))
    return with_limit(case, replace(rule.verdict(case), verdict=rule.name))


def take(house: House, raw: bytes, now: datetime, place: Place = HERE) -> Folder:
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
            outcome = judge(case)
        except SQLAlchemyError:
            # The database is no fault of the letter; it stays new and is tried again.
            raise
        except Exception as error:
            outcome = with_limit(case, set_aside(case, error))
        reach("letter-judged")
        if _keep(house, outcome, now):
            reach("letter-handled")
            return _folder(outcome.status)
    raise Outdated(f"letter {letter_id}: the phase kept changing")


def _keep(house: House, outcome: LetterOutcome, now: datetime) -> bool:
    try:
        house.store.letters.handled(outcome, now)
    except (Outdated, AlreadyHandled):
        return False
    # No word of the letter itself: logs are read by people who may be playing.
    log.info("letter %d: %s, %s", outcome.letter_id, outcome.verdict, outcome.status)
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
