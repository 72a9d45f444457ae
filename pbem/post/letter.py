"""A mail that came in, from bytes to a `Letter`: who, about what, and the sender's own words.

`read_letter` never raises. Bytes, headers, parts and depth are capped before anything is parsed, and every step is
linear in what is left.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from pbem.post import headers, hypertext, parts, quotes
from pbem.post.headers import Field, decode_words, first, read_addresses, values

LARGEST = 1 << 20
"""Bytes of a letter; orders are a few KB, a phone's reply with our own report quoted a few hundred."""
LARGEST_HEADER = 64 * 1024
MOST_HEADERS = 200
MOST_HOPS = 30
"""RFC 5321 6.3: a mail that passed so many servers runs in a circle."""
MOST_RECIPIENTS = 100
LONGEST_SUBJECT = 300
LONGEST_TEXT = 400_000

_AUTOMATIC_FIELDS = (
    "list-id", "list-post", "list-unsubscribe", "x-autoreply", "x-autorespond", "x-autoresponder", "x-auto-reply",
    "x-failed-recipients",
)  # fmt: skip
_MESSAGE_ID = re.compile(r"<[!-;=?-~]{1,248}>")
_LENGTH_TAG = re.compile(r"(?:^|;)\s{0,20}l\s{0,20}=")
_BULK = frozenset(("bulk", "list", "junk", "auto_reply"))
_DAEMONS = frozenset(("mailer-daemon", "postmaster", "double-bounce", "noreply", "no-reply", "donotreply"))


@dataclass(frozen=True)
class Letter:
    """A mail as the desk reads it; all texts are decoded, one line each but for `own_text`."""

    message_id: str
    """With its angle brackets; ``""`` where the mail has none."""
    sender: str
    """The address alone, lower-case."""
    sender_name: str
    recipients: tuple[str, ...]
    """To, Cc and where it was delivered, lower-case; a plus-address carries the token."""
    subject: str
    date: str
    """As its sender wrote it; never used for order."""
    in_reply_to: str
    references: tuple[str, ...]
    own_text: str
    """Without quotes, signature, copied letters and HTML."""
    automatic: str | None
    """Why it must have been sent by a machine; None: a person may have written it."""
    authentication: tuple[str, ...]
    """Values of Authentication-Results, topmost first."""
    size: int
    loop_marks: tuple[str, ...] = ()
    """Values of X-Loop, lower-case."""
    partly_signed: bool = False
    """A DKIM signature leaves out the end of the text (``l=``), so that anybody may have added to it."""
    unread: tuple[str, ...] = ()
    """Names of attachments and other parts that were not read."""


@dataclass(frozen=True)
class Unreadable:
    """A mail that cannot be taken as a letter; it is set aside and never answered."""

    reason: str
    size: int
    message_id: str = ""
    sender: str = ""


def read_letter(raw: bytes) -> Letter | Unreadable:
    """Read a mail; whatever is wrong with it becomes an `Unreadable` with the reason."""
    if len(raw) > LARGEST:
        return Unreadable(f"the mail has {len(raw)} bytes, at most {LARGEST} are read", len(raw))
    block, body = headers.split_block(raw)
    if len(block) > LARGEST_HEADER:
        return Unreadable(f"the header has {len(block)} bytes, at most {LARGEST_HEADER} are read", len(raw))
    fields = headers.read_fields(block, MOST_HEADERS)
    if len(fields) > MOST_HEADERS:
        return Unreadable(f"more than {MOST_HEADERS} header lines", len(raw))
    return _read(fields, body, len(raw))


def _read(fields: tuple[Field, ...], body: bytes, size: int) -> Letter | Unreadable:
    message_id = _id_of(first(fields, "message-id"))
    senders = [address for value in values(fields, "from") for address in read_addresses(value)]
    if len(values(fields, "from")) != 1 or len(senders) != 1:
        reason = f"{len(values(fields, 'from'))} From lines with {len(senders)} addresses; exactly one is needed"
        return Unreadable(reason, size, message_id)
    sender = senders[0]
    try:
        texts = parts.find_texts(fields, body)
    except parts.TooComplicated as reason:
        return Unreadable(str(reason), size, message_id, sender.address)
    return Letter(
        message_id=message_id,
        sender=sender.address,
        sender_name=sender.name,
        recipients=_recipients(fields),
        subject=decode_words(first(fields, "subject"))[:LONGEST_SUBJECT],
        date=decode_words(first(fields, "date"))[:100],
        in_reply_to=_id_of(first(fields, "in-reply-to")),
        references=_ids_of(" ".join(values(fields, "references"))),
        own_text=_own_text(texts),
        automatic=why_automatic(fields, sender.address),
        authentication=values(fields, "authentication-results"),
        size=size,
        loop_marks=tuple(decode_words(value).lower() for value in values(fields, "x-loop")),
        partly_signed=any(_LENGTH_TAG.search(value) for value in values(fields, "dkim-signature")),
        unread=tuple(texts.unread),
    )


def _recipients(fields: tuple[Field, ...]) -> tuple[str, ...]:
    lines = values(fields, "delivered-to", "x-original-to", "envelope-to", "to", "cc")
    addresses = dict.fromkeys(address.address for value in lines for address in read_addresses(value))
    return tuple(addresses)[:MOST_RECIPIENTS]


def _id_of(value: str) -> str:
    return next(iter(_ids_of(value)), "")


def _ids_of(value: str) -> tuple[str, ...]:
    """RFC 5322 3.6.4: the last twenty message ids; what is none is left out, since an answer will carry them."""
    return tuple(_MESSAGE_ID.findall(value[: headers.LONGEST_VALUE]))[-20:]


# --- text ------------------------------------------------------------------------------------------------------------


def _own_text(texts: parts.Texts) -> str:
    """The plain text's own words; the HTML's where the plain text says nothing."""
    plain = quotes.own_text(visible("\n".join(texts.plain)))
    if plain.strip() or not texts.html:
        return plain
    pages = [page for html in texts.html if (page := hypertext.as_text(html)) is not None]
    if len(pages) < len(texts.html):
        texts.unread.append("HTML that is too complicated")
    return quotes.own_text(visible("\n".join(pages)))


def visible(text: str) -> str:
    """Line ends made one kind, no-break spaces plain, control characters gone."""
    for mark in ("\u2028", "\u2029", "\x85", "\v", "\f"):
        text = text.replace(mark, "\n")
    text = text[:LONGEST_TEXT].translate(_SPACES)
    if text.isascii():
        return text
    return "".join(c for c in text if c == "\n" or unicodedata.category(c) not in ("Cc", "Cf", "Cs"))


_SPACES: dict[int, str | None] = {**dict.fromkeys((*range(32), 127)), 9: " ", 10: "\n", 0xA0: " "}


# --- machines --------------------------------------------------------------------------------------------------------


def why_automatic(fields: tuple[Field, ...], sender: str) -> str | None:
    """RFC 3834: the sign that no person sent this, so that no answer may go out; None: there is none."""
    submitted = first(fields, "auto-submitted").partition(";")[0].strip().lower()
    if submitted not in ("", "no"):
        return f"Auto-Submitted: {headers.without_controls(submitted)[:40]}"
    if any(value.strip() == "<>" for value in values(fields, "return-path")):
        return "empty return path"
    if (kind := parts.content_type(fields)) in ("multipart/report", "message/delivery-status"):
        return f"a report ({kind})"
    if values(fields, "precedence") and first(fields, "precedence").strip().lower() in _BULK:
        return f"Precedence: {first(fields, 'precedence').strip().lower()}"
    for name in _AUTOMATIC_FIELDS:
        if values(fields, name):
            return f"it carries {name}"
    if (local := sender.partition("@")[0].partition("+")[0]) in _DAEMONS:
        return f"sent by {local}"
    if len(values(fields, "received")) > MOST_HOPS:
        return f"passed more than {MOST_HOPS} servers"
    return None
