"""Notes for the moderator, kept with what they tell of."""

from __future__ import annotations

from collections.abc import Iterable

from sqlmodel import Session

from pbem.store.rows import NewNote, NoteRow


def add_notes(session: Session, notes: Iterable[NewNote]) -> None:
    """Keep notes inside the transaction that caused them."""
    session.add_all(NoteRow(**dict(note)) for note in notes)
