"""A letter as bytes: the same letter with the same ids is always the same bytes."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from pbem.letters.content import Attachment, Mail


def build(
    mail: Mail,
    sender: str,
    recipient: str,
    message_id: str,
    in_reply_to: str | None,
    references: Sequence[str],
    date: datetime,
) -> bytes:
    """Text, HTML with its pictures, and attachments; boundaries follow from the Message-ID."""
    message = EmailMessage(policy=SMTP)
    message["From"] = sender
    message["To"] = recipient
    message["Subject"] = one_line(mail.subject)
    message["Date"] = format_datetime(date)
    message["Message-ID"] = message_id
    if mail.reply_to:
        message["Reply-To"] = mail.reply_to
    if in_reply_to:
        message["In-Reply-To"] = in_reply_to
    if references:
        message["References"] = " ".join(references)
    message["Auto-Submitted"] = mail.automatic
    # Vacation programs that know no Auto-Submitted know this one.
    message["X-Auto-Response-Suppress"] = "All"
    _fill(message, mail, hashlib.sha256(message_id.encode()).hexdigest()[:16])
    return message.as_bytes()


def one_line(text: str) -> str:
    """A header's text without anything that could start another header."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _fill(message: EmailMessage, mail: Mail, mark: str) -> None:
    message.set_content(mail.text, cte="quoted-printable")
    inline = [part for part in mail.attachments if part.inline]
    if mail.html is not None:
        html = mail.html
        for part in inline:
            html = html.replace(f"cid:{part.name}", f"cid:{part.name}.{mark}@pbem")
        message.add_alternative(html, subtype="html", cte="quoted-printable")
        body = message.get_payload(1)
        assert isinstance(body, EmailMessage)
        for part in inline:
            kind, subtype = part.type.split("/", 1)
            body.add_related(
                part.data, kind, subtype, cid=f"<{part.name}.{mark}@pbem>", filename=part.name, disposition="inline"
            )
    for part in mail.attachments:
        if not part.inline or mail.html is None:
            _attach(message, part)
    for number, entity in enumerate(part for part in message.walk() if part.is_multipart()):
        entity.set_boundary(f"=_{mark}_{number}")


def _attach(message: EmailMessage, part: Attachment) -> None:
    kind, subtype = part.type.split("/", 1)
    if kind == "text":
        params = {"method": "PUBLISH"} if subtype == "calendar" else {}
        message.add_attachment(part.data.decode(), subtype=subtype, filename=part.name, params=params)
    else:
        message.add_attachment(part.data, kind, subtype, filename=part.name)
