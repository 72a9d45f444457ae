"""What a letter is made of, before it is MIME, and what its writer must know about the seat it goes to."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from pbem.kit.game import Side
from pbem.maps.frame import MapSize


@dataclass(frozen=True)
class Preferences:
    """What a player set by mail."""

    zone: str = "UTC"
    """IANA name; deadlines are shown in it."""
    text_only: bool = False
    map: MapSize = "large"
    reminders: tuple[int, ...] = (24,)
    """Hours before the deadline."""
    theme: Literal["light", "dark"] | None = None
    """Colours of maps; None: as the club has it."""


@dataclass(frozen=True)
class SeatContext:
    """Who a letter goes to and where their campaign stands."""

    campaign: str
    """Slug, unique on this host: ``border-incident``."""
    title: str
    game: str
    scenario: str
    seat: str
    """The player's name."""
    side: Side
    side_name: str
    turn: int
    phase: str
    token: str
    """Secret of this seat and phase; goes into the reply address, the subject and the form."""
    reply_to: str
    """``robot+TOKEN@club.example``."""
    deadline: datetime | None
    """In UTC; None: the phase is resolved when all sheets are in, or by the moderator."""
    preferences: Preferences
    commitment: str
    """SHA-256 of the phase's secret, so that nobody can choose the dice afterwards."""
    awaited: tuple[str, ...] | None
    """Seats whose sheets are missing; None: the campaign hides that."""
    moderator: str = ""
    """Address of the moderator, for questions."""
    club: str = "pbem"
    deadline_changes: int = 0
    """How often this phase's deadline was moved; calendars take a later entry for a newer one by it."""
    asked: bool = True
    """The open phase needs orders of this side."""


@dataclass(frozen=True)
class Received:
    """The mail a letter answers."""

    subject: str
    date: str
    """As its sender wrote it."""
    message_id: str
    arrived: datetime


@dataclass(frozen=True)
class Attachment:
    name: str
    type: str
    """``image/png``."""
    data: bytes
    inline: bool = False
    """Shown inside the HTML as ``cid:NAME``."""


@dataclass(frozen=True)
class Mail:
    """A letter to one person, complete but for its addresses and ids."""

    subject: str
    text: str
    html: str | None
    attachments: tuple[Attachment, ...] = ()
    reply_to: str = ""
    automatic: Literal["auto-replied", "auto-generated"] = "auto-generated"
