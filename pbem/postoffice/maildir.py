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
from pymap.backend.maildir.mailbox import MailboxData, MailboxSet, Maildir, Message
from pymap.backend.maildir.uidlist import Record, UidList
from pymap.concurrent import Event
from pymap.flags import FlagOp
from pymap.interfaces.message import CachedMessage
from pymap.parsing.message import AppendMessage
from pymap.parsing.response.code import CopyUid
from pymap.parsing.specials import ObjectId, SequenceSet
from pymap.parsing.specials.flag import Flag
from pymap.selected import SelectedMailbox
from pysasl.creds.server import ServerCredentials

from pbem.postoffice.messages import OrderedMaildir, WholeMessage
from pbem.postoffice.stored import Names, sync_folder, write_mail

IDLE_LOOK = 0.2
"""Seconds between two looks into a folder that a client waits for."""
_GRAIN = 1_000_000_000
"""Nanoseconds within which two changes of a folder may carry the same time."""

# --- lists ---------------------------------------------------------------------------------------------------------


def _write_beside(self: FileWriteable) -> None:
    """Corrections 5 and 9: the new list is written beside the old one, flushed, and takes its place in one step."""
    target = Path(self.get_file(self.path))
    beside = target.with_name(f".{target.name}.{os.getpid()}.new")
    # Among the lists is that of the passwords.
    beside.touch(0o600)
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
            message = Message.from_maildir(record.uid, metadata, self._maildir, record.key, *ids, self.maildir_flags)
            yield WholeMessage.of(message)

    async def reset(self) -> MailboxData:
        """Corrections 2 and 11: mail without a UID gets one in the order of arrival, by a look at the folder now."""
        stamp = self._stamp()
        if stamp is None or stamp != self._numbered:
            keys = {record.key for record in self._uids().records}
            if any(key not in keys for key in self._maildir.listed()):
                await self._number_new()
            self._numbered = stamp
        uids = self._uids()
        self._uid_validity, self._next_uid = uids.uid_validity, uids.next_uid
        return self

    async def _number_new(self) -> None:
        async with UidList.with_write(self._path) as uids:
            keys = {record.key for record in uids.records}
            for key, subpath in sorted(self._maildir.listed().items()):
                if key not in keys:
                    _add_record(uids, Path(subpath).name)

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
        message = Message.from_maildir(record.uid, metadata, self._maildir, record.key, *ids, self.maildir_flags)
        return WholeMessage.of(message)

    async def move(self, uid: int, destination: MailboxData, *, recent: bool = False) -> int | None:
        assert isinstance(destination, CorrectedMailbox)
        return next((there for _, there in await self.move_all([uid], destination, recent=recent)), None)

    async def move_all(
        self, uids: Iterable[int], destination: CorrectedMailbox, *, recent: bool
    ) -> list[tuple[int, int]]:
        """Correction 10: each list is written once, and what was moved away leaves it; old and new UIDs."""
        subfolder = "new" if recent else "cur"
        moved: dict[int, str] = {}
        for uid, record in self._uids().get_all(uids).items():
            try:
                moved[uid] = self._maildir.move_message(record.key, destination._maildir, subfolder)
            except (KeyError, FileNotFoundError):
                continue
        sync_folder(Path(destination._path) / subfolder)
        async with UidList.with_write(destination._path) as there:
            pairs = [(uid, _add_record(there, name)) for uid, name in moved.items()]
        await self._forget(moved)
        return pairs

    async def delete(self, uids: Iterable[int]) -> None:
        gone = list(uids)
        await super().delete(gone)
        await self._forget(gone)

    async def _forget(self, gone: Iterable[int]) -> None:
        async with UidList.with_write(self._path) as uids:
            for uid in uids.get_all(gone):
                uids.remove(uid)


def _add_record(uids: UidList, filename: str) -> int:
    """Give a mail the next UID."""
    record = _new_record(uids, filename)
    uids.set(record)
    return record.uid


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
            folder: Maildir = self._layout.get_folder(name, self.delimiter)
        except FileNotFoundError as error:
            raise KeyError(name) from error
        return folder

    async def add_mailbox(self, name: str) -> ObjectId:
        """Correction 12: the session turns a ValueError into a refusal, and nothing else."""
        try:
            return await super().add_mailbox(name)
        except KeyError as error:
            raise ValueError(name) from error


class CorrectedSession(Session):
    """What a client may ask for, where the original does it message by message."""

    async def move_messages(
        self, selected: SelectedMailbox, sequence_set: SequenceSet, mailbox: str
    ) -> tuple[CopyUid | None, SelectedMailbox]:
        here = await self._get_selected(selected)
        there = await self._get_mailbox(mailbox, try_create=True)
        assert isinstance(here, CorrectedMailbox)
        assert isinstance(there, CorrectedMailbox)
        uids = [uid for _, uid in selected.messages.get_uids(sequence_set)]
        if here is there:
            # What is in the folder already stays where it is.
            return None, selected
        pairs = await here.move_all(uids, there, recent=True)
        return (CopyUid(there.uid_validity, pairs) if pairs else None), await here.update_selected(selected)


# --- accounts --------------------------------------------------------------------------------------------------------


class CorrectedIdentity(Identity):
    """An account whose sessions use the corrected folders."""

    @asynccontextmanager
    async def new_session(self) -> AsyncIterator[Session]:
        # An account's maildir has its name: accounts are made by the office alone.
        path = str(Path(self.config.base_dir) / self.name)
        layout = MaildirLayout.get(path, self.config.layout, OrderedMaildir)
        folders = CorrectedMailboxSet(OrderedMaildir(path, create=False), layout)
        yield CorrectedSession(self.name, self.config, folders, FilterSet(path))


class CorrectedLogin(Login):
    """Lets accounts in, as such identities."""

    def __init__(self, config: Config) -> None:
        super().__init__(config)

    async def authenticate(self, credentials: ServerCredentials) -> CorrectedIdentity:
        identity = await super().authenticate(credentials)
        return CorrectedIdentity(self.config, self.tokens, identity.name, None, identity.roles)

    async def authorize(self, authenticated: Any, authzid: str) -> CorrectedIdentity:
        identity = await super().authorize(authenticated, authzid)
        return CorrectedIdentity(self.config, self.tokens, identity.name, None, identity.roles)
