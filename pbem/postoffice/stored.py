"""Mail on the disk: written so that it is there whole or not at all, under names that sort by arrival."""

from __future__ import annotations

import os
import threading
from datetime import datetime
from pathlib import Path


def sync_folder(folder: Path) -> None:
    """Make the names in a folder survive a power failure."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_mail(box: Path, name: str, raw: bytes, subfolder: str, when: datetime) -> None:
    """Store a mail so that it is there whole or not at all, and stays: text and name flushed before we return."""
    waiting = box / "tmp" / name
    with waiting.open("xb") as file:
        file.write(raw)
        file.flush()
        os.fsync(file.fileno())
    os.utime(waiting, (when.timestamp(), when.timestamp()))
    waiting.rename(box / subfolder / name)
    sync_folder(box / subfolder)


class Names:
    """File names that sort in the order of arrival, even when the clock is set back."""

    def __init__(self, host: str) -> None:
        self._host = "".join(c if c.isalnum() or c in ".-" else "-" for c in host)
        self._last = 0
        self._lock = threading.Lock()

    def after(self, box: Path) -> None:
        """New names come after those of mail that waits here already."""
        waiting = [_stamp_of(path.name) for sub in ("new", "cur") for path in (box / sub).iterdir()]
        with self._lock:
            self._last = max((self._last, *waiting))

    def next(self, now: datetime) -> str:
        with self._lock:
            self._last = max(int(now.timestamp() * 1_000_000), self._last + 1)
            seconds, rest = divmod(self._last, 1_000_000)
        return f"{seconds:010d}.M{rest:06d}P{os.getpid()}.{self._host}"


def _stamp_of(name: str) -> int:
    seconds, _, rest = name.partition(".M")
    digits = rest[:6]
    return int(seconds) * 1_000_000 + int(digits) if seconds.isdigit() and digits.isdigit() else 0
