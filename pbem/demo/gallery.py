"""The letters of the demo as files, and a page to look at them in a browser."""

from __future__ import annotations

import re
from dataclasses import dataclass
from email.message import EmailMessage
from html import escape
from pathlib import Path


@dataclass(frozen=True)
class Kept:
    """One letter on disk."""

    folder: Path
    subject: str
    files: tuple[str, ...]


def keep_letters(folder: Path, letters: list[EmailMessage]) -> list[Kept]:
    """Each letter in a folder of its own: text, HTML with its pictures, and all that was attached."""
    return [_keep(folder / f"{number:02}-{_slug(letter)}", letter) for number, letter in enumerate(letters, 1)]


def _subject(letter: EmailMessage) -> str:
    """Without the token, which is nobody's business."""
    return re.sub(r"\s*\[[^\]]*\]", "", str(letter["Subject"])).strip()


def _slug(letter: EmailMessage) -> str:
    return re.sub(r"[^a-z0-9]+", "-", _subject(letter).lower()).strip("-")[:40] or "letter"


def _keep(folder: Path, letter: EmailMessage) -> Kept:
    folder.mkdir(parents=True)
    parts = [part for part in letter.walk() if not part.is_multipart()]
    # Inside a mail, pictures are named by content id; beside the file, by name.
    ids = {f"cid:{part['Content-ID'].strip('<>')}": _file_name(part) for part in parts if part["Content-ID"]}
    for part in parts:
        content = part.get_payload(decode=True)
        data = content if isinstance(content, bytes) else str(content).encode()
        for content_id, name in ids.items() if part.get_content_type() == "text/html" else ():
            data = data.replace(content_id.encode(), name.encode())
        (folder / _file_name(part)).write_bytes(data)
    return Kept(folder, _subject(letter), tuple(_file_name(part) for part in parts))


def _file_name(part: EmailMessage) -> str:
    names = {"text/plain": "letter.txt", "text/html": "letter.html"}
    given = part.get_filename() or names.get(part.get_content_type(), "part")
    return re.sub(r"[^\w.-]", "_", Path(given).name)


def write_gallery(page: Path, title: str, kept: dict[str, list[Kept]]) -> Path:
    """One page with every letter of every player, side by side in the order they came."""
    columns = "".join(_column(page.parent, player, letters) for player, letters in kept.items())
    page.write_text(
        "<!doctype html><html lang='en'><meta charset='utf-8'>"
        f"<title>{escape(title)}</title><style>body{{font-family:sans-serif;margin:1rem}}"
        ".columns{display:flex;gap:1rem}.columns>div{flex:1;min-width:0}"
        "iframe{width:100%;height:32rem;border:1px solid #999}h3{margin-bottom:.2rem;font-size:1rem}</style>"
        f"<h1>{escape(title)}: every letter the players got</h1><div class='columns'>{columns}</div></html>",
        encoding="utf-8",
    )
    return page


def _column(base: Path, player: str, letters: list[Kept]) -> str:
    return f"<div><h2>{escape(player)}</h2>{''.join(_entry(base, letter) for letter in letters)}</div>"


def _entry(base: Path, letter: Kept) -> str:
    where = letter.folder.relative_to(base).as_posix()
    links = " ".join(f"<a href='{where}/{escape(name)}'>{escape(name)}</a>" for name in letter.files)
    shown = "letter.html" if "letter.html" in letter.files else "letter.txt"
    return f"<h3>{escape(letter.subject)}</h3><p>{links}</p><iframe src='{where}/{shown}'></iframe>"
