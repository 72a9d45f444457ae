"""Floods: a sender gets so many answers; what goes beyond is handled without one."""

from __future__ import annotations

from dataclasses import replace

from pbem.campaign.envelopes import note
from pbem.desk.case import Case
from pbem.post.letter import Letter
from pbem.store.letters import BucketLevel, LetterChange

SECONDS_AN_HOUR = 3600


def with_limit(case: Case, change: LetterChange) -> LetterChange:
    """Take one answer from the sender's bucket; an empty bucket means silence, never lost orders."""
    if not change.drafts or not isinstance(case.parsed, Letter):
        return change
    sender = case.letter.sender
    left = answers_left(case, sender)
    if left < 1:
        silent = note(None, "flood", f"letter {case.letter_id} was handled without an answer", case.now)
        return replace(change, drafts=(), notes=(*change.notes, silent))
    return replace(change, bucket=BucketLevel(sender, left - 1, case.now))


def answers_left(case: Case, sender: str) -> float:
    """What is in the bucket now: it fills at a steady rate, up to its rim."""
    house = case.house
    level = house.store.letters.bucket(sender)
    if level is None:
        return house.answers_at_once
    passed = max(0.0, (case.now - level.counted_at).total_seconds())
    return min(house.answers_at_once, level.left + passed * house.answers_an_hour / SECONDS_AN_HOUR)
