"""The header block of a mail: fields, encoded words and addresses, in linear time and without exceptions."""

from __future__ import annotations

import base64
import binascii
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

LONGEST_VALUE = 4000
"""Characters of one header value that are looked at; the rest can only be an attack."""

# Labels a mail may carry, and the codec that reads them. Everything else (utf-7, idna, rot13, zlib...) is not a charset
# but a trick; such text is read as UTF-8 or Latin, so that its escape sequences stay visible text.
_CODECS = {
    "utf8": "utf-8",
    "ascii": "ascii",
    "usascii": "ascii",
    "latin1": "cp1252",
    "iso88591": "cp1252",
    **{f"iso8859{n}": f"iso8859-{n}" for n in (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16)},
    **{f"windows{n}": f"cp{n}" for n in range(1250, 1259)},
    **{f"cp{n}": f"cp{n}" for n in (437, 850, 852, 866, *range(1250, 1259))},
    "koi8r": "koi8-r",
    "koi8u": "koi8-u",
    "macintosh": "mac-roman",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "gb18030": "gb18030",
    "big5": "big5",
    "shiftjis": "shift_jis",
    "sjis": "shift_jis",
    "eucjp": "euc_jp",
    "iso2022jp": "iso2022_jp",
    "euckr": "euc_kr",
    "ksc56011987": "euc_kr",
}

_ENCODED_WORD = re.compile(
    r"=\?([A-Za-z0-9_.:+-]{1,40})(?:\*[A-Za-z0-9-]{0,20})?\?([QqBb])\?([^?\r\n]{0,1000})\?=(?:[ \t\r\n]{1,10}(?==\?))?"
)
_ADDRESS = re.compile(
    r"[\w!#$%&'*+/=?^`{|}~-]{1,64}(?:\.[\w!#$%&'*+/=?^`{|}~-]{1,64}){0,20}@\w(?:[\w-]{0,62}\w)?(?:\.\w(?:[\w-]{0,62}\w)?){0,20}"
)
_LONGEST_ADDRESS = 254
_PARAMETER = re.compile(r';\s{0,20}([A-Za-z0-9_*-]{1,40})\s{0,20}=\s{0,20}("(?:[^"\\]|\\.)*"|[^;\s]*)')


@dataclass(frozen=True)
class Field:
    name: str
    """Lower-case."""
    value: str
    """Unfolded, not decoded."""


@dataclass(frozen=True)
class Address:
    name: str
    address: str
    """Lower-case ``local@domain``."""


# --- splitting -------------------------------------------------------------------------------------------------------


def split_block(raw: bytes) -> tuple[bytes, bytes]:
    """The header block and the body, cut at the first empty line."""
    if raw[:1] == b"\n":
        return b"", raw[1:]
    if raw[:2] == b"\r\n":
        return b"", raw[2:]
    ends = [(at, len(mark)) for mark in (b"\r\n\r\n", b"\n\n", b"\n\r\n") if (at := raw.find(mark)) >= 0]
    if not ends:
        return raw, b""
    at, length = min(ends)
    return raw[:at], raw[at + length :]


def read_fields(block: bytes, most: int) -> tuple[Field, ...]:
    """The fields in order, at most ``most + 1`` of them, so that the caller can tell that there are too many."""
    fields: list[tuple[str, list[str]]] = []
    for line in readable(block).replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        if line[:1] in (" ", "\t"):
            if fields:
                fields[-1][1].append(line.strip())
            continue
        name, colon, value = line.partition(":")
        if not colon or not name.strip() or " " in name.strip():
            continue
        fields.append((name.strip().lower(), [value.strip()]))
        if len(fields) > most:
            break
    return tuple(Field(name, " ".join(pieces)[:LONGEST_VALUE]) for name, pieces in fields)


def values(fields: Iterable[Field], *names: str) -> tuple[str, ...]:
    return tuple(field.value for field in fields if field.name in names)


def first(fields: Iterable[Field], name: str) -> str:
    return next(iter(values(fields, name)), "")


# --- text ------------------------------------------------------------------------------------------------------------


def decode_charset(data: bytes, label: str) -> str:
    """Text in an allowed charset; any other label is read as UTF-8, or as Latin where that fails."""
    codec = _CODECS.get("".join(c for c in label.lower()[:40] if c.isalnum()))
    if codec in (None, "ascii"):
        return readable(data)
    return data.decode(codec, "replace")


def readable(data: bytes) -> str:
    """Bytes of no known charset: UTF-8 where they are, else Latin."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def decode_words(value: str) -> str:
    """RFC 2047: encoded words decoded; what is no proper one stays as it is; control characters gone."""
    return without_controls(_ENCODED_WORD.sub(_decoded, value[:LONGEST_VALUE]))


def _decoded(match: re.Match[str]) -> str:
    text = match[3].encode("ascii", "replace")
    if match[2] in "Qq":
        return decode_charset(binascii.a2b_qp(text, header=True), match[1])
    data = decode_base64(text)
    return match[0] if data is None else decode_charset(data, match[1])


def decode_base64(data: bytes) -> bytes | None:
    """The bytes, or None where the text is damaged: half-decoded orders are worse than none."""
    packed = b"".join(data.split()).rstrip(b"=")
    try:
        return base64.b64decode(packed + b"=" * (-len(packed) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None


def without_controls(text: str) -> str:
    """One line: line ends and control characters (also the invisible bidirectional ones) become blanks or nothing."""
    spaced = "".join(" " if c in "\r\n\t\v\f\x85\u2028\u2029" else c for c in text)
    return " ".join("".join(c for c in spaced if unicodedata.category(c) not in ("Cc", "Cf", "Cs")).split())


def parameter(value: str, name: str) -> str:
    """RFC 2045: one parameter of Content-Type or Content-Disposition; an RFC 2231 form is taken without its charset."""
    for key, given in _PARAMETER.findall(value[:LONGEST_VALUE]):
        plain = key.lower().rstrip("*")
        if plain in (name, f"{name}*0"):
            text = re.sub(r"\\(.)", r"\1", given[1:-1]) if given[:1] == '"' else given
            return text.rpartition("'")[2] if key.endswith("*") else text
    return ""


# --- addresses -------------------------------------------------------------------------------------------------------


def read_addresses(value: str) -> tuple[Address, ...]:
    """The mailboxes of a From, To or Cc value; what is no address is left out.

    The display name is split off before encoded words are decoded, so that no decoded comma or bracket can move the
    address.
    """
    scanned = _scan_mailboxes(value[:LONGEST_VALUE])
    return tuple(Address(decode_words(name), address.lower()) for name, address in scanned if is_address(address))


def is_address(text: str) -> bool:
    """RFC 5321: one ``local@domain`` of legal length and characters; quoted local parts are not taken."""
    return len(text) <= _LONGEST_ADDRESS and _ADDRESS.fullmatch(text) is not None


def _scan_mailboxes(value: str) -> list[tuple[str, str]]:
    """Display name and address text of each mailbox, cut at commas outside quotes, comments and brackets."""
    scan = _MailboxScan()
    for c in value:
        scan.take(c)
    scan.close()
    return scan.mailboxes


class _MailboxScan:
    """One pass over the characters: RFC 5322's mailbox list with quoted strings and nested comments."""

    def __init__(self) -> None:
        self.mailboxes: list[tuple[str, str]] = []
        self._plain: list[str] = []
        self._angle: list[str] = []
        self._angles = 0
        self._quoted = self._in_angle = self._escaped = False
        self._comments = 0

    def take(self, c: str) -> None:
        if self._escaped or (c == "\\" and (self._quoted or self._comments)):
            self._escaped = not self._escaped
            if not self._escaped:
                self._keep(c)
        elif self._quoted:
            self._quoted = c != '"'
            if self._quoted:
                self._keep(c)
        elif c in "()" and (c == "(" or self._comments):
            self._comments += 1 if c == "(" else -1
        elif self._comments:
            return
        elif c == '"':
            self._quoted = True
        else:
            self._take_mark(c)

    def _take_mark(self, c: str) -> None:
        if c == "<" and not self._in_angle:
            self._in_angle = True
            self._angles += 1
        elif c == ">" and self._in_angle:
            self._in_angle = False
        elif c in ",;" and not self._in_angle:
            self.close()
        else:
            self._keep(c)

    def _keep(self, c: str) -> None:
        if not self._comments:
            (self._angle if self._in_angle else self._plain).append(c)

    def close(self) -> None:
        """A mailbox ends; one with two bracketed addresses is no mailbox, since readers disagree which one counts."""
        name, address = "".join(self._plain).strip(), "".join(self._angle).strip()
        if self._angles == 0:
            self.mailboxes.append(("", name))
        elif self._angles == 1:
            self.mailboxes.append((name, address))
        self._plain, self._angle, self._angles, self._in_angle = [], [], 0, False
