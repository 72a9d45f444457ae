"""Seats, letters and pens that the tests of letters and maps share."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from pbem.letters.content import Preferences, Received, SeatContext
from pbem.letters.pen import Pen

TEMPLATES = Path(__file__).parent / "templates"


def pen(**settings: object) -> Pen:
    return Pen(club="The Harbour Club", overrides=TEMPLATES, **settings)  # type: ignore[arg-type]


def seat(turn: int = 1, **changes: object) -> SeatContext:
    values: dict[str, object] = {
        "campaign": "rocks",
        "title": "The Rocks",
        "game": "duel",
        "scenario": "First meeting",
        "seat": "Ada",
        "side": "earth",
        "side_name": "Earth Force",
        "turn": turn,
        "phase": "orders",
        "token": "k7m2p9",
        "reply_to": "robot+k7m2p9@club.example",
        "deadline": datetime(2026, 11, 20, 19, 0, tzinfo=UTC),
        "preferences": Preferences(zone="Europe/Berlin"),
        "commitment": "5f" * 32,
        "awaited": ("Ada", "Londo"),
        "moderator": "moderator@club.example",
        "club": "The Harbour Club",
    }
    return SeatContext(**{**values, **changes})  # type: ignore[arg-type]


def received(subject: str = "Re: The Rocks: welcome, Earth Force [k7m2p9]") -> Received:
    return Received(
        subject,
        "Thu, 19 Nov 2026 08:30:00 +0100",
        "<orders-1@mail.example>",
        datetime(2026, 11, 19, 7, 30, 12, tzinfo=UTC),
    )
