"""From a written mail to a row that can be sent: addresses, ids, thread, and the last look for leaks."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from email.utils import formataddr
from typing import Literal

from pbem.campaign.house import House
from pbem.campaign.standing import Standing
from pbem.letters import leakcheck
from pbem.letters.content import Mail, Preferences, SeatContext
from pbem.letters.mime import build
from pbem.letters.notices import moderator_notice
from pbem.maps.frame import MapSize
from pbem.store.outgoing import Draft
from pbem.store.rows import CampaignRow, NewNote, NewPhase, SeatRow

Theme = Literal["light", "dark"]


class Leak(RuntimeError):
    """A mail held something its reader may not know; it was not kept."""

    def __init__(self, seat: str, words: Sequence[str]) -> None:
        # The words are for the moderator's eyes alone; the message goes to logs as well.
        super().__init__(f"a mail to {seat} held {len(words)} name(s) that its reader may not know")
        self.words = tuple(words)


@dataclass(frozen=True)
class Answering:
    """The letter that a mail answers."""

    letter_id: int
    message_id: str
    references: tuple[str, ...] = ()


def reply_address(house: House, token: str) -> str:
    """Where an answer with this token goes."""
    return f"{house.local}+{token}@{house.domain}" if token else house.address


def preferences(seat: SeatRow) -> Preferences:
    size: MapSize = "small" if seat.map == "small" else "none" if seat.map == "none" else "large"
    theme: Theme | None = "dark" if seat.theme == "dark" else "light" if seat.theme == "light" else None
    return Preferences(seat.zone, seat.text_only, size, tuple(seat.reminders), theme)


def seat_context(house: House, at: Standing, seat: SeatRow, token: str) -> SeatContext:
    """What a letter's writer must know about the seat it goes to."""
    names = {info.id: info.name for info in at.game.sides(at.state)}
    awaited = None if at.campaign.hide_awaited else tuple(waiting.name for waiting in at.awaited())
    context = plain_context(house, at.campaign, at.phase, seat, token)
    return replace(context, game=at.game.title, side_name=names.get(seat.side, seat.side), awaited=awaited)


def plain_context(house: House, campaign: CampaignRow, phase: NewPhase, seat: SeatRow, token: str) -> SeatContext:
    """The same as far as it is known without asking the game, which may be what failed."""
    return SeatContext(
        deadline_changes=phase.deadline_changes,
        asked=seat.side in phase.sides,
        campaign=campaign.slug,
        title=campaign.title,
        game=campaign.game,
        scenario=campaign.scenario_title,
        seat=seat.name,
        side=seat.side,
        side_name=seat.side,
        turn=phase.turn,
        phase=phase.name,
        token=token,
        reply_to=reply_address(house, token),
        deadline=phase.deadline,
        preferences=preferences(seat),
        commitment=phase.commitment,
        awaited=None,
        moderator=campaign.moderator or house.moderator,
        club=house.pen.club,
    )


def check_secrets(house: House, mail: Mail, at: Standing, seat: SeatRow, own_words: str = "") -> None:
    """Raise if the mail names what the seat may not know; what its player wrote to us is no news to them."""
    said = own_words.casefold()
    secrets = at.game.secrets(at.state, seat.side) - set(at.campaign.harmless)
    hidden = frozenset(name for name in secrets if name.casefold() not in said)
    leaked = leakcheck.check(mail, hidden - leakcheck.plain_words(house.pen, at.game.slug, hidden))
    if leaked:
        raise Leak(seat.name, leaked)


def message_id(house: House, salt: bytes, key: str) -> str:
    """The same mail has the same id, so that a thread can be named before it is sent."""
    mark = hmac.digest(salt, key.encode(), hashlib.sha256).hex()[:32]
    return f"<{mark}@{house.domain}>"


def opening_key(campaign: CampaignRow, seat: SeatRow) -> str:
    return f"opening/{campaign.slug}/{seat.id}"


def report_key(campaign: CampaignRow, number: int, seat: SeatRow) -> str:
    """Reports go by the number of the phase they tell of."""
    return f"report/{campaign.slug}/{number}/{seat.id}"


def to_seat(
    house: House,
    campaign: CampaignRow,
    seat: SeatRow,
    mail: Mail,
    key: str,
    now: datetime,
    answering: Answering | None = None,
    phase_id: int | None = None,
) -> Draft:
    """A mail to a player: answers stand under the letter they answer, all else under the opening letter."""
    name = message_id(house, campaign.secret, key)
    first = message_id(house, campaign.secret, opening_key(campaign, seat))
    thread = answering.message_id if answering else first if first != name else None
    references = (*answering.references, answering.message_id) if answering else (first,) if first != name else ()
    raw = build(mail, _sender(house), seat.address, name, thread or None, [ref for ref in references if ref], now)
    return Draft(
        key=key,
        kind=key.partition("/")[0],
        recipient=seat.address,
        envelope_sender=house.address,
        message_id=name,
        subject=mail.subject,
        raw=raw,
        campaign_id=campaign.id,
        seat_id=seat.id,
        phase_id=phase_id,
        letter_id=answering.letter_id if answering else None,
    )


def to_address(
    house: House, recipient: str, mail: Mail, key: str, now: datetime, answering: Answering | None = None
) -> Draft:
    """A mail to somebody without a seat: a moderator, or a known sender whose letter fits no campaign."""
    name = message_id(house, house.fresh(32), key)
    thread = answering.message_id if answering else None
    raw = build(mail, _sender(house), recipient, name, thread or None, [thread] if thread else [], now)
    return Draft(
        key=key,
        kind=key.partition("/")[0],
        recipient=recipient,
        envelope_sender=house.address,
        message_id=name,
        subject=mail.subject,
        raw=raw,
        letter_id=answering.letter_id if answering else None,
    )


def to_moderator(
    house: House, campaign: CampaignRow | None, title: str, paragraphs: Iterable[str], now: datetime
) -> tuple[Draft, ...]:
    """Tell the moderator of the campaign, or of the house; nobody, if there is none."""
    recipient = (campaign.moderator if campaign else "") or house.moderator
    if not recipient:
        return ()
    mail = moderator_notice(title, list(paragraphs), house.pen)
    return (to_address(house, recipient, mail, f"moderator/{house.fresh(12).hex()}", now),)


def note(campaign: CampaignRow | None, kind: str, text: str, now: datetime) -> NewNote:
    return NewNote(campaign_id=campaign.id if campaign else None, at=now, kind=kind, text=text)


def _sender(house: House) -> str:
    """The robot with the club's name before it."""
    return formataddr((house.pen.club, house.address))
