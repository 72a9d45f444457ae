"""A letter that met a bug of ours: kept, set aside, told to the moderator, and to its sender if that is a player."""

from __future__ import annotations

import logging

from pbem.desk.case import Case
from pbem.post.gate import Admitted
from pbem.post.letter import Letter
from pbem.report.notices import refusal
from pbem.store.letters import LetterOutcome
from pbem.store.outgoing import Draft
from pbem.store.rows import Campaign, LetterStatus, Seat
from pbem.turns.envelopes import Leak, note, to_moderator, to_seat
from pbem.turns.trouble import FAULT, pause_letters, place_of, words_of

log = logging.getLogger("pbem.desk")

REASON = "A fault in the program kept it from being read. The letter is kept, and the moderator has been told."
HINT = "You need not send it again."


def set_aside(case: Case, error: BaseException) -> LetterOutcome:
    """Roll back, keep the letter as broken, tell people; a leak pauses the campaign as well."""
    where = place_of(error)
    log.error("letter %d set aside: %s", case.letter_id, where)
    seat, campaign = _seat(case)
    told = [
        f"Letter {case.letter_id} met a fault and is set aside: {where}.",
        f"Nothing is lost. When the fault is mended, write: pbem letter requeue {case.letter_id}",
    ]
    pause: tuple[int, str] | None = None
    rest: tuple[Draft, ...] = ()
    if isinstance(error, Leak) and campaign is not None and campaign.id is not None:
        pause = (campaign.id, FAULT)
        told.extend((f"The campaign {campaign.slug} is paused.", *words_of(error, campaign.slug)))
        rest = pause_letters(case.house, campaign, case.phase, FAULT, case.now) if case.phase else ()
    letter = case.found if isinstance(case.found, Letter) else None
    return LetterOutcome(
        case.letter_id,
        LetterStatus.BROKEN,
        "broken",
        where,
        letter.message_id if letter else "",
        letter.sender if letter else "",
        drafts=(
            *_to_player(case, seat, campaign),
            *to_moderator(case.house, campaign, "A letter is set aside", told, case.now),
            *rest,
        ),
        notes=(note(campaign, "broken letter", f"letter {case.letter_id}: {where}", case.now),),
        pause=pause,
    )


def _seat(case: Case) -> tuple[Seat | None, Campaign | None]:
    """Who wrote it, as far as that is known without asking a game."""
    if not isinstance(case.found, Letter) or not isinstance(case.admission, Admitted) or case.seat_ref is None:
        return None, None
    return case.seat, case.campaign


def _to_player(case: Case, seat: Seat | None, campaign: Campaign | None) -> tuple[Draft, ...]:
    if seat is None or campaign is None:
        return ()
    mail = refusal(case.house.pen.club, case.received, REASON, HINT, case.house.pen)
    # A letter taken up again may fail again, and is then answered again.
    key = f"aside/{case.letter_id}/{case.house.fresh(8).hex()}"
    return (to_seat(case.house, campaign, seat, mail, key, case.now, case.answering),)
