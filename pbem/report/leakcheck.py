"""The last look before a letter goes out: none of the names its reader may not know stands in it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from html import unescape

from pbem.report.content import Attachment, Mail

_TAG = re.compile(r"<[^<>]*>")


def check(mail: Mail, secrets: Iterable[str]) -> tuple[str, ...]:
    """The secrets found in subject, text, HTML, vector map, JSON or calendar; empty in a healthy letter."""
    texts = [" ".join(text.casefold().split()) for text in _texts(mail)]
    return tuple(name for name in sorted(secrets) if name and any(stands_in(name, text) for text in texts))


def _texts(mail: Mail) -> Iterator[str]:
    yield mail.subject
    yield mail.text
    if mail.html is not None:
        yield from _of_markup(mail.html)
    for part in mail.attachments:
        yield part.name
        yield from _of_attachment(part)


def _of_markup(text: str) -> Iterator[str]:
    """As it is written, attributes included, and as it reads without its tags."""
    yield unescape(text)
    yield unescape(_TAG.sub("", text))


def _of_attachment(part: Attachment) -> Iterator[str]:
    text = part.data.decode("utf-8", "replace")
    if part.type == "application/json":
        # Written out plainly, as JSON may hide letters behind escapes.
        yield json.dumps(json.loads(text), ensure_ascii=False)
    elif part.type == "image/svg+xml":
        yield from _of_markup(text)
    elif part.type == "text/calendar":
        # A calendar's long lines are folded, even in the middle of a word.
        yield text.replace("\r\n ", "").replace("\n ", "")
    elif part.type.startswith("text/"):
        yield text


def stands_in(name: str, text: str) -> bool:
    """As a word of its own: the secret ship ``Ark`` is not betrayed by ``dark``."""
    wanted = " ".join(name.casefold().split())
    start = text.find(wanted)
    while start >= 0:
        end = start + len(wanted)
        before, after = text[start - 1 : start], text[end : end + 1]
        if not before.isalnum() and not after.isalnum():
            return True
        start = text.find(wanted, start + 1)
    return False
