"""Corrections to pymap 0.36.7's maildir backend, each for a fault that would lose, scramble or stall mail.

 1. COPY kept the flags and lost the text.
 2. New mail was numbered in the folder's order, not in the order of arrival.
 3. Mail was parsed and written anew before it was served: its bytes changed, and a hostile one broke the session.
 4. The list of UIDs was read again for every message.
 5. Lists were written in the system's temporary folder, and a rename across file systems fails.
 8. A client in IDLE had the whole folder read again each second.
 9. The list of UIDs was not flushed to disk.
10. Moved mail stayed in the list, and every look into the folder searched for it again.
11. The list could be cleaned by an older look at the folder, which gave new mail another UID.
12. Creating a folder that exists ended the session.
13. A look at the folder trusted the folder's time stamp, whose grain hid mail that came right after the last look.

(6, locks left by a killed process, is the office's; 7, keywords are not kept, binds who uses it.)
"""

from __future__ import annotations

import os
import time
from collections.abc import AsyncIterable, AsyncIterator, Iterable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pymap.backend.maildir import Config, FilterSet, Identity, Login, Session
from pymap.backend.maildir.io import FileWriteable
from pymap.backend.maildir.layout import MaildirLayout
from pymap.backend.maildir.mailbox import LoadedMessage, MailboxData, MailboxSet, Maildir, Message
from pymap.backend.maildir.uidlist import Record, UidList
from pymap.bytes import Writeable
from pymap.concurrent import Event
from pymap.flags import FlagOp
from pymap.interfaces.message import CachedMessage
from pymap.mime import MessageContent
from pymap.parsing.message import AppendMessage
from pymap.parsing.specials import FetchRequirement, ObjectId
from pymap.parsing.specials.flag import Flag
from pymap.selected import SelectedMailbox
from pysasl.creds.server import ServerCredentials

from pbem.post.stored import Names, sync_folder, write_mail

IDLE_LOOK = 0.2
"""Seconds between two looks into a folder that a client waits for."""
_GRAIN = 1_000_000_000

# --- lists ---------------------------------------------------------------------------------------------------------


def _write_beside(self: FileWriteable) -> None:
    """Corrections 5 and 9: the new list is written beside the old one, flushed, and takes its place in one step."""
    target = Path(self.get_file(self.path))
    beside = target.with_name(f".{target.name}.{os.getpid()}.new")
    with beside.open("w", newline="") as file:
        self.write(file)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(target)
    sync_folder(target.parent)
    self._touched = False


# All lists of the backend (UIDs, subscriptions, accounts) are written by this one method.
FileWriteable.file_write = _write_beside  # type: ignore[method-assign]


_NAMES = Names("pbem")


# --- messages --------------------------------------------------------------------------------------------------------


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
        found: dict[str, str] = {}
        for subfolder in ("new", "cur"):
            with os.scandir(Path(self._path) / subfolder) as entries:
                names = [entry.name for entry in entries if not entry.name.startswith(".")]
            found.update((name.partition(self.colon)[0], f"{subfolder}/{name}") for name in names)
        self._toc = found

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

    def get_body(self, section: Any = None, binary: bool = False) -> Writeable:
        if section or binary:
            return super().get_body(section, binary)
        return Writeable.wrap(self._bytes or b"")


# --- folders ---------------------------------------------------------------------------------------------------------


class CorrectedMailbox(MailboxData):
    """One folder as one session sees it."""

    _maildir: OrderedMaildir

    def __init__(self, mailbox_id: ObjectId, maildir: OrderedMaildir, path: str) -> None:
        super().__init__(mailbox_id, maildir, path)
        self._list_seen: tuple[int, int, int] | None = None
        self._list: UidList | None = None
        self._numbered: tuple[int, ...] | None = None
        self._shown: tuple[int, ...] | None = None

    def _uids(self) -> UidList:
        """Correction 4: the list is read again only when its file is another one."""
        try:
            stat = Path(UidList.get_file(self._path)).stat()
        except FileNotFoundError:
            return UidList.file_read(self._path)
        seen = (stat.st_ino, stat.st_mtime_ns, stat.st_size)
        if self._list is None or seen != self._list_seen:
            self._list, self._list_seen = UidList.file_read(self._path), seen
        return self._list

    def _stamp(self) -> tuple[int, ...] | None:
        """When the folder last changed; None: just now, and it may do so again within the clock's grain."""
        try:
            changed = [(Path(self._path) / name).stat().st_mtime_ns for name in ("new", "cur", UidList.FILE_NAME)]
        except FileNotFoundError:
            return None
        return tuple(changed) if max(changed) < time.time_ns() - _GRAIN else None

    async def update_selected(self, selected: SelectedMailbox, *, wait_on: Event | None = None) -> SelectedMailbox:
        """Correction 8: who waits in IDLE hears of new mail sooner, and a folder that did not change costs nothing."""
        if wait_on is not None:
            await wait_on.wait(timeout=IDLE_LOOK)
        stamp = self._stamp()
        if wait_on is None or stamp is None or stamp != self._shown:
            selected.set_messages([message async for message in self.messages()])
            self._shown = stamp
        return selected

    async def _get_maildir_msg(self, uid: int) -> tuple[Record, Any]:
        record = self._uids().get(uid)
        return record, self._maildir.get_message_metadata(record.key)

    async def messages(self) -> AsyncIterable[WholeMessage]:
        present = self._maildir.listed()
        for record in self._uids().records:
            if record.key not in present:
                continue
            try:
                metadata = self._maildir.get_message_metadata(record.key)
            except (KeyError, FileNotFoundError):
                continue
            ids = self._get_object_id(record, "E"), self._get_object_id(record, "T")
            found = Message.from_maildir(record.uid, metadata, self._maildir, record.key, *ids, self.maildir_flags)
            yield WholeMessage.of(found)

    async def reset(self) -> MailboxData:
        """Corrections 2 and 11: mail without a UID gets one in the order of arrival, by a look at the folder now."""
        stamp = self._stamp()
        if stamp is None or stamp != self._numbered:
            known = {record.key for record in self._uids().records}
            if any(key not in known for key in self._maildir.listed()):
                await self._number_new()
            self._numbered = stamp
        uids = self._uids()
        self._uid_validity, self._next_uid = uids.uid_validity, uids.next_uid
        return self

    async def _number_new(self) -> None:
        async with UidList.with_write(self._path) as uids:
            known = {record.key for record in uids.records}
            for key, subpath in sorted(self._maildir.listed().items()):
                if key not in known:
                    uids.set(_new_record(uids, Path(subpath).name))

    async def cleanup(self) -> None:
        """Correction 11: what is gone leaves the list, by a look at the folder under the lock."""
        self._maildir.clean()
        async with UidList.with_write(self._path) as uids:
            present = self._maildir.listed()
            for record in list(uids.records):
                if record.key not in present:
                    uids.remove(record.uid)

    async def get(self, uid: int, cached_msg: CachedMessage) -> WholeMessage:
        return WholeMessage.of(await super().get(uid, cached_msg))

    async def update(
        self, uid: int, cached_msg: CachedMessage, flag_set: frozenset[Flag], mode: FlagOp
    ) -> WholeMessage:
        return WholeMessage.of(await super().update(uid, cached_msg, flag_set, mode))

    async def append(self, append_msg: AppendMessage, *, recent: bool = False) -> WholeMessage:
        """Correction 3, for mail put here by a client."""
        when = (append_msg.when or datetime.now(UTC)).astimezone(UTC)
        name = f"{_NAMES.next(datetime.now(UTC))}:2,{self.maildir_flags.to_maildir(append_msg.flag_set)}"
        write_mail(Path(self._path), name, append_msg.literal, "new" if recent else "cur", when)
        return await self._stored(name)

    async def copy(self, uid: int, destination: MailboxData, *, recent: bool = False) -> int | None:
        """Correction 1: the copy has the text, too."""
        try:
            record, metadata = await self._get_maildir_msg(uid)
            raw = self._maildir.raw(record.key)
        except (KeyError, FileNotFoundError):
            return None
        when = datetime.fromtimestamp(metadata.get_date(), UTC)
        name = f"{_NAMES.next(datetime.now(UTC))}:{metadata.get_info() or '2,'}"
        write_mail(Path(destination._path), name, raw, "new" if recent else "cur", when)
        assert isinstance(destination, CorrectedMailbox)
        return (await destination._stored(name)).uid

    async def _stored(self, name: str) -> WholeMessage:
        """Number a mail just written here."""
        async with UidList.with_write(self._path) as uids:
            record = _new_record(uids, name)
            uids.set(record)
        ids = self._get_object_id(record, "E"), self._get_object_id(record, "T")
        metadata = self._maildir.get_message_metadata(record.key)
        found = Message.from_maildir(record.uid, metadata, self._maildir, record.key, *ids, self.maildir_flags)
        return WholeMessage.of(found)

    async def move(self, uid: int, destination: MailboxData, *, recent: bool = False) -> int | None:
        """Correction 10: what was moved away leaves the list at once."""
        moved: int | None = await super().move(uid, destination, recent=recent)
        if moved is not None:
            sync_folder(Path(destination._path) / ("new" if recent else "cur"))
            await self._forget([uid])
        return moved

    async def delete(self, uids: Iterable[int]) -> None:
        gone = list(uids)
        await super().delete(gone)
        await self._forget(gone)

    async def _forget(self, gone: Iterable[int]) -> None:
        async with UidList.with_write(self._path) as uids:
            for uid in uids.get_all(gone):
                uids.remove(uid)


def _new_record(uids: UidList, filename: str) -> Record:
    fields = {"E": str(ObjectId.random_email_id()), "T": str(ObjectId.random_thread_id())}
    record = Record(uids.next_uid, fields, filename)
    uids.next_uid += 1
    return record


class CorrectedMailboxSet(MailboxSet):
    """The folders of one account as one session sees them."""

    async def get_mailbox(self, name: str) -> MailboxData:
        if name not in self._cache:
            maildir = self._inbox_maildir if name == "INBOX" else self._folder(name)
            assert isinstance(maildir, OrderedMaildir)
            path = self._layout.get_path(name, self.delimiter)
            async with UidList.with_init(path) as uids:
                self._cache[name] = CorrectedMailbox(ObjectId(uids.global_uid), maildir, path)
        return await self._cache[name].reset()

    def _folder(self, name: str) -> Maildir:
        try:
            found: Maildir = self._layout.get_folder(name, self.delimiter)
        except FileNotFoundError as error:
            raise KeyError(name) from error
        return found

    async def add_mailbox(self, name: str) -> ObjectId:
        """Correction 12: the session turns a ValueError into a refusal, and nothing else."""
        try:
            return await super().add_mailbox(name)
        except KeyError as error:
            raise ValueError(name) from error


# --- accounts --------------------------------------------------------------------------------------------------------


class CorrectedIdentity(Identity):
    """An account whose sessions use the corrected folders."""

    @asynccontextmanager
    async def new_session(self) -> AsyncIterator[Session]:
        # An account's maildir has its name: accounts are made by the office alone.
        path = str(Path(self.config.base_dir) / self.name)
        layout = MaildirLayout.get(path, self.config.layout, OrderedMaildir)
        folders = CorrectedMailboxSet(OrderedMaildir(path, create=False), layout)
        yield Session(self.name, self.config, folders, FilterSet(path))


class CorrectedLogin(Login):
    """Lets accounts in, as such identities."""

    def __init__(self, config: Config) -> None:
        super().__init__(config)

    async def authenticate(self, credentials: ServerCredentials) -> CorrectedIdentity:
        found = await super().authenticate(credentials)
        return CorrectedIdentity(self.config, self.tokens, found.name, None, found.roles)

    async def authorize(self, authenticated: Any, authzid: str) -> CorrectedIdentity:
        found = await super().authorize(authenticated, authzid)
        return CorrectedIdentity(self.config, self.tokens, found.name, None, found.roles)
