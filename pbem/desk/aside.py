"""A letter that met a bug of ours: kept, set aside, told to the moderator, and to its sender if that is a player."""

from __future__ import annotations

import logging

from pbem.campaign.envelopes import Leak, note, to_moderator, to_seat
from pbem.campaign.trouble import FAULT, pause_letters, where_it_failed, words_of
from pbem.desk.case import Case
from pbem.letters.notices import refusal
from pbem.post.gate import Admitted
from pbem.post.letter import Letter
from pbem.store.letters import LetterChange
from pbem.store.outgoing import Draft
from pbem.store.rows import CampaignRow, LetterStatus, SeatRow

log = logging.getLogger("pbem.desk")

REASON = "A fault in the program kept it from being read. The letter is kept, and the moderator has been told."
HINT = "You need not send it again."


def set_aside(case: Case, error: BaseException) -> LetterChange:
    """Roll back, keep the letter as broken, tell people; a leak pauses the campaign as well."""
    where = where_it_failed(error)
    log.error("letter %d set aside: %s", case.letter_id, where)
    seat, campaign = _seat(case)
    paragraphs = [
        f"Letter {case.letter_id} met a fault and is set aside: {where}.",
        f"Nothing is lost. When the fault is mended, write: pbem letter requeue {case.letter_id}",
    ]
    pause: tuple[int, str] | None = None
    rest: tuple[Draft, ...] = ()
    if isinstance(error, Leak) and campaign is not None:
        pause = (campaign.id, FAULT)
        paragraphs.extend((f"The campaign {campaign.slug} is paused.", *words_of(error, campaign.slug)))
        rest = pause_letters(case.house, campaign, case.phase, FAULT, case.now) if case.phase else ()
    letter = case.parsed if isinstance(case.parsed, Letter) else None
    return LetterChange(
        case.letter_id,
        LetterStatus.BROKEN,
        "broken",
        where,
        letter.message_id if letter else "",
        letter.sender if letter else "",
        drafts=(
            *_to_player(case, seat, campaign),
            *to_moderator(case.house, campaign, "A letter is set aside", paragraphs, case.now),
            *rest,
        ),
        notes=(note(campaign, "broken letter", f"letter {case.letter_id}: {where}", case.now),),
        pause=pause,
    )


def _seat(case: Case) -> tuple[SeatRow | None, CampaignRow | None]:
    """Who wrote it, as far as that is known without asking a game."""
    if not isinstance(case.parsed, Letter) or not isinstance(case.admission, Admitted) or case.seat_ref is None:
        return None, None
    return case.seat, case.campaign


def _to_player(case: Case, seat: SeatRow | None, campaign: CampaignRow | None) -> tuple[Draft, ...]:
    if seat is None or campaign is None:
        return ()
    mail = refusal(case.house.pen.club, case.received, REASON, HINT, case.house.pen)
    # A letter taken up again may fail again, and is then answered again.
    key = f"aside/{case.letter_id}/{case.house.fresh(8).hex()}"
    return (to_seat(case.house, campaign, seat, mail, key, case.now, case.answering),)
