"""Short answers, which share one mail, and the parts of letters they are made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.desk.case import Case
from pbem.letters.blocks import Out, TextBlock
from pbem.letters.content import Attachment
from pbem.store.letters import PreferenceChange

Blocks = Sequence[TextBlock | str]


@dataclass(frozen=True)
class Said:
    """A short answer."""

    title: str
    blocks: Blocks
    change: PreferenceChange | None = None
    enclosed: tuple[Attachment, ...] = ()


def part(case: Case, name: str, *values: object) -> tuple[TextBlock, ...]:
    """A part that all letters share, from the templates."""
    out = Out()
    macro = case.house.pen.words.macro("mail/parts.j2", name)
    return out.read(str(macro(out, *values))) if macro else ()
