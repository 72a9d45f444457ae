"""The store: one function a question, and every transaction of the program."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from pbem.store.campaigns import Campaigns
from pbem.store.database import Database
from pbem.store.letters import Letters
from pbem.store.outgoing import OutgoingQueue
from pbem.store.phases import Phases


@dataclass(frozen=True)
class Store:
    """All tables, grouped by what is asked."""

    database: Database
    campaigns: Campaigns
    phases: Phases
    letters: Letters
    outgoing: OutgoingQueue

    @staticmethod
    def open(url: str) -> Store:
        """Open an SQLite file or a PostgreSQL database by URL; tables are brought up to date."""
        database = Database.open(url)
        return Store(database, Campaigns(database), Phases(database), Letters(database), OutgoingQueue(database))

    def close(self) -> None:
        self.database.close()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep a second daemon out while this one works."""
        with self.database.alone():
            yield
