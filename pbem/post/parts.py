"""The MIME tree of a mail (RFC 2045, 2046, 3676), read only as far as its texts; attachments are never opened."""

from __future__ import annotations

import binascii
from dataclasses import dataclass, field

from pbem.post import headers
from pbem.post.headers import Field, decode_base64, decode_charset, parameter

MOST_PARTS = 50
DEEPEST = 10
MOST_PART_HEADERS = 50


class TooComplicated(Exception):
    """The tree has more parts or levels than a letter needs."""


@dataclass
class Texts:
    """What was found in the tree, in its order."""

    plain: list[str] = field(default_factory=list)
    html: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    """Names of parts that were left out: attachments, forwarded mails, damaged or encrypted text."""
    parts: int = 0


def find_texts(fields: tuple[Field, ...], body: bytes) -> Texts:
    """All inline texts of a mail."""
    texts = Texts()
    _read_part(fields, body, 0, texts)
    return texts


def content_type(fields: tuple[Field, ...]) -> str:
    """``maintype/subtype`` in lower case; what is missing or malformed counts as text/plain, as RFC 2045 says."""
    kind = headers.first(fields, "content-type").partition(";")[0].strip().lower()
    main, slash, sub = kind.partition("/")
    return kind if slash and main and sub else "text/plain"


def _read_part(fields: tuple[Field, ...], body: bytes, depth: int, texts: Texts) -> None:
    texts.parts += 1
    if texts.parts > MOST_PARTS:
        raise TooComplicated(f"more than {MOST_PARTS} parts")
    if depth > DEEPEST:
        raise TooComplicated(f"parts nested more than {DEEPEST} deep")
    kind = content_type(fields)
    if kind == "multipart/encrypted":
        texts.unread.append("encrypted text")
    elif kind.startswith("multipart/"):
        _read_multipart(fields, body, depth, texts)
    elif kind in ("text/plain", "text/html") and not _is_attachment(fields):
        _read_text(fields, body, kind, texts)
    else:
        texts.unread.append(_name_of(fields, kind))


def _read_multipart(fields: tuple[Field, ...], body: bytes, depth: int, texts: Texts) -> None:
    boundary = parameter(headers.first(fields, "content-type"), "boundary").encode("utf-8", "replace")
    if not boundary:
        # Without a boundary nobody can tell parts apart; the whole is shown as text by most readers.
        _read_text(fields, body, "text/plain", texts)
        return
    for piece in split_parts(body, boundary, MOST_PARTS - texts.parts + 1):
        block, inner = headers.split_block(piece)
        _read_part(headers.read_fields(block, MOST_PART_HEADERS), inner, depth + 1, texts)


def split_parts(body: bytes, boundary: bytes, most: int) -> list[bytes]:
    """RFC 2046 5.1: the pieces between delimiter lines, without preamble and epilogue; at most ``most`` of them."""
    delimiter = b"--" + boundary
    pieces: list[bytes] = []
    start: int | None = None
    at = 0 if body.startswith(delimiter) else _next_delimiter(body, delimiter, 0)
    while at >= 0 and len(pieces) < most:
        end_of_line = body.find(b"\n", at)
        line = body[at : end_of_line if end_of_line >= 0 else len(body)].rstrip()
        if line in (delimiter, delimiter + b"--"):
            if start is not None:
                pieces.append(_without_last_break(body[start:at]))
            start = end_of_line + 1 if line == delimiter and end_of_line >= 0 else None
            if start is None:
                return pieces
        at = _next_delimiter(body, delimiter, at) if end_of_line >= 0 else -1
    if start is not None and len(pieces) < most:
        pieces.append(body[start:])
    return pieces


def _next_delimiter(body: bytes, delimiter: bytes, after: int) -> int:
    line_end = body.find(b"\n" + delimiter, after)
    return line_end + 1 if line_end >= 0 else -1


def _without_last_break(piece: bytes) -> bytes:
    """The line end before a delimiter belongs to the delimiter."""
    return piece[:-2] if piece.endswith(b"\r\n") else piece[:-1] if piece.endswith(b"\n") else piece


def _is_attachment(fields: tuple[Field, ...]) -> bool:
    return headers.first(fields, "content-disposition").strip().lower().startswith("attachment")


def _name_of(fields: tuple[Field, ...], kind: str) -> str:
    disposition, declared = headers.first(fields, "content-disposition"), headers.first(fields, "content-type")
    named = parameter(disposition, "filename") or parameter(declared, "name")
    return headers.decode_words(named)[:100] or headers.without_controls(kind)[:100]


def _read_text(fields: tuple[Field, ...], body: bytes, kind: str, texts: Texts) -> None:
    data = _decode_transfer(body, headers.first(fields, "content-transfer-encoding").strip().lower())
    if data is None:
        texts.unread.append("damaged text")
        return
    declared = headers.first(fields, "content-type")
    text = decode_charset(data, parameter(declared, "charset")).replace("\r\n", "\n").replace("\r", "\n")
    if kind == "text/html":
        texts.html.append(text)
    elif parameter(declared, "format").lower() == "flowed":
        texts.plain.append(unflow(text, delete_space=parameter(declared, "delsp").lower() == "yes"))
    else:
        texts.plain.append(text)


def _decode_transfer(body: bytes, encoding: str) -> bytes | None:
    if encoding == "base64":
        return decode_base64(body)
    if encoding == "quoted-printable":
        return binascii.a2b_qp(body)
    return body


def unflow(text: str, *, delete_space: bool) -> str:
    """RFC 3676: soft line breaks joined within one quote depth, space-stuffing removed; ``-- `` is never soft."""
    lines: list[str] = []
    pieces: list[str] = []
    open_depth: int | None = None
    for raw in text.split("\n"):
        content = raw.lstrip(">")
        depth = len(raw) - len(content)
        content = content.removeprefix(" ")
        if open_depth is not None and (depth != open_depth or content == "-- "):
            lines.append("".join(pieces))
            pieces, open_depth = [], None
        soft = content.endswith(" ") and content != "-- "
        if open_depth is None:
            pieces.append("> " if depth else "")
        pieces.append(content[:-1] if soft and delete_space else content)
        open_depth = depth if soft else None
        if not soft:
            lines.append("".join(pieces))
            pieces = []
    if pieces:
        lines.append("".join(pieces))
    return "\n".join(lines)
