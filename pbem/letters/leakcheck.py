"""The last look before a letter goes out: none of the names its reader may not know stands in it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from html import unescape

from pbem.letters.content import Attachment, Mail
from pbem.letters.pen import Pen

PLAIN_WORDS_KEPT = 256

_TAG = re.compile(r"<[^<>]*>")


def check(mail: Mail, secrets: Iterable[str]) -> tuple[str, ...]:
    """The secrets found in subject, text, HTML, vector map, JSON or calendar; empty in a healthy letter."""
    texts = [" ".join(text.casefold().split()) for text in _texts(mail)]
    return tuple(name for name in sorted(secrets) if name and any(stands_in(name, text) for text in texts))


@lru_cache(PLAIN_WORDS_KEPT)
def plain_words(pen: Pen, game: str, names: frozenset[str]) -> frozenset[str]:
    """Names that are also words of the letters' own text, as a ship called Line: they tell nobody anything."""
    environment = pen.words.words
    loader = environment.loader
    assert loader is not None
    sources = [name for name in loader.list_templates() if name.startswith(("mail/", "map/", f"{game}/"))]
    # Examples stand in the templates as text with written line ends.
    words = "\n".join(loader.get_source(environment, name)[0].replace("\\n", "\n") for name in sources)
    return frozenset(check(Mail("", words, None), names))


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
