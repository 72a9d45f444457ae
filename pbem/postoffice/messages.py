"""Messages of a maildir as the built-in post office serves them: in the order of arrival, byte for byte."""

from __future__ import annotations

import os
from datetime import UTC
from pathlib import Path
from typing import Any

from pymap.backend.maildir.mailbox import LoadedMessage, Maildir, Message
from pymap.bytes import Writeable
from pymap.mime import MessageContent
from pymap.parsing.specials import FetchRequirement


class OrderedMaildir(Maildir):
    """A maildir whose new mail is seen in the order of arrival."""

    def claim_new(self) -> list[str]:
        """Correction 2; a list, where the original was a generator used up by the first question about it."""
        return sorted(super().claim_new())

    def listed(self) -> dict[str, str]:
        """Keys and where their files are, read now."""
        self._refresh()
        return self._toc

    def _refresh(self) -> None:
        """Correction 13: read the folder; the original trusts its time stamp, whose grain hides quick changes."""
        files: dict[str, str] = {}
        for subfolder in ("new", "cur"):
            with os.scandir(Path(self._path) / subfolder) as entries:
                names = [entry.name for entry in entries if not entry.name.startswith(".")]
            files.update((name.partition(self.colon)[0], f"{subfolder}/{name}") for name in names)
        self._toc = files

    def raw(self, key: str) -> bytes:
        return Path(self._join(self._lookup(key))).read_bytes()


class WholeMessage(Message):
    """Correction 3: a message that is served as it was received."""

    _maildir: OrderedMaildir | None

    @classmethod
    def of(cls, message: Message) -> WholeMessage:
        return cls(
            message.uid,
            message.internal_date.astimezone(UTC),
            message.permanent_flags,
            expunged=message.expunged,
            email_id=message.email_id,
            thread_id=message.thread_id,
            recent=message.recent,
            maildir=message._maildir,
            key=message._key,
        )

    async def load_content(self, requirement: FetchRequirement) -> WholeContent:
        if self._key is None or self._maildir is None or requirement.has_none(FetchRequirement.CONTENT):
            return WholeContent(self, requirement, None)
        try:
            return WholeContent(self, requirement, self._maildir.raw(self._key))
        except (KeyError, FileNotFoundError):
            return WholeContent(self, requirement, None)


class WholeContent(LoadedMessage):
    """Size and text come from the bytes; only who asks for single parts has them parsed."""

    def __init__(self, message: Message, requirement: FetchRequirement, raw: bytes | None) -> None:
        super().__init__(message, requirement, None)
        self._bytes = raw
        self._parsed = False

    @property
    def content(self) -> MessageContent:
        if not self._parsed and self._bytes is not None:
            self._parsed = True
            try:
                self._content = MessageContent.parse(self._bytes)
            except (RecursionError, ValueError, LookupError):
                # A mail nobody can take apart has no parts; as a whole it is served all the same.
                self._content = None
        return super().content

    def __bytes__(self) -> bytes:
        return self._bytes or b""

    def get_size(self, section: Any = None) -> int:
        return super().get_size(section) if section else len(self._bytes or b"")

    def get_body(
        self,
        section: Any = None,
        binary: bool = False,  # noqa: FBT001, FBT002  pymap calls with it
    ) -> Writeable:
        if section or binary:
            return super().get_body(section, binary)
        return Writeable.wrap(self._bytes or b"")
