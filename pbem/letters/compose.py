"""One letter from one template: contents rendered once, then set as text and as HTML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from pbem.letters.blocks import Figure, Out
from pbem.letters.content import Attachment, Mail, SeatContext
from pbem.letters.pen import Pen
from pbem.maps.drawer import Picture


@dataclass(frozen=True)
class Drawn:
    """The pictures of a letter, and in words what those would show that its reader does not want."""

    pictures: Mapping[str, Picture] = field(default_factory=dict)
    spoken: Mapping[str, str] = field(default_factory=dict)

    def along_with(self, more: Mapping[str, Picture]) -> Drawn:
        return Drawn({**self.pictures, **more}, self.spoken)


def compose(
    pen: Pen,
    template: str,
    seat: SeatContext | None,
    content: Mapping[str, Any],
    drawn: Drawn | None = None,
    attachments: Sequence[Attachment] = (),
    automatic: Literal["auto-replied", "auto-generated"] = "auto-generated",
) -> Mail:
    """Render ``mail/<template>.j2`` and set what it wrote."""
    drawn = drawn or Drawn()
    figures = {name: _figure(name, picture) for name, picture in drawn.pictures.items()}
    out = Out(figures, drawn.spoken)
    rendered = pen.words.words.get_template(f"mail/{template}.j2").render(out=out, seat=seat, club=pen.club, **content)
    blocks = out.read(rendered)
    setting = {
        "blocks": blocks,
        "seat": seat,
        "club": pen.club,
        "subject": out.subject_line,
        "preview": out.preview_line,
    }
    text = pen.words.words.get_template("mail/letter.txt.j2").render(setting)
    text_only = seat is not None and seat.preferences.text_only
    html = None if text_only else pen.words.markup.get_template("mail/letter.html.j2").render(setting)
    inline = () if text_only else tuple(_inline(name, picture) for name, picture in drawn.pictures.items())
    return Mail(
        subject=out.subject_line + (f" [{seat.token}]" if seat is not None and seat.token else ""),
        text=text,
        html=html,
        attachments=(*inline, *attachments),
        reply_to=seat.reply_to if seat is not None else "",
        automatic=automatic,
    )


def _figure(name: str, picture: Picture) -> Figure:
    return Figure(f"{name}.png", picture.alt, picture.width, picture.height, name.capitalize().replace("-", " "))


def _inline(name: str, picture: Picture) -> Attachment:
    return Attachment(f"{name}.png", "image/png", picture.png, inline=True)
