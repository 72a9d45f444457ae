"""The database behind the store: engine, transactions, migrations, and the lock that keeps a second daemon out."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.engine import URL, make_url
from sqlmodel import Session

BUSY_SECONDS = 30
MIGRATIONS = Path(__file__).parent / "migrations"
ADVISORY_LOCK = 0x7062656D
"""The letters of `pbem`, as PostgreSQL wants a number."""


class NewerDatabase(RuntimeError):
    """The tables were made by a later version of the program."""


class AlreadyRunning(RuntimeError):
    """Another daemon works on this database."""


@dataclass(frozen=True)
class Database:
    """An open database whose tables are up to date."""

    engine: sa.Engine

    @staticmethod
    def open(url: str) -> Database:
        """Connect and bring the tables up to date; an SQLite file that must change is copied first."""
        address = _address(url)
        engine = _engine(address)
        _upgrade(engine, address)
        return Database(engine)

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A view of one moment; blocks nobody."""
        with self.engine.connect() as connection, Session(connection, expire_on_commit=False) as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """One transaction: all of it is kept, or none."""
        with (
            self.engine.connect().execution_options(begin="BEGIN IMMEDIATE") as connection,
            Session(connection, expire_on_commit=False) as session,
        ):
            yield session
            session.commit()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Hold the lock that only one daemon can have; it falls with the process, however that ends."""
        with ExitStack() as stack:
            if self.engine.dialect.name == "sqlite":
                stack.enter_context(_file_lock(self.engine.url))
            else:
                stack.enter_context(_advisory_lock(self.engine))
            yield

    def close(self) -> None:
        self.engine.dispose()


# --- connecting ------------------------------------------------------------------------------------------------------


def _address(url: str) -> URL:
    """A plain path is an SQLite file; PostgreSQL goes by way of psycopg."""
    if "://" not in url:
        return URL.create("sqlite", database=str(Path(url).expanduser().resolve()))
    address = make_url(url)
    if address.drivername in ("postgresql", "postgres"):
        return address.set(drivername="postgresql+psycopg")
    return address


def _engine(address: URL) -> sa.Engine:
    if address.get_backend_name() != "sqlite":
        # Errors of the database must not quote the orders that were to be kept.
        return sa.create_engine(address, pool_pre_ping=True, hide_parameters=True)
    if address.database:
        Path(address.database).parent.mkdir(parents=True, exist_ok=True)
    engine = sa.create_engine(address, connect_args={"timeout": BUSY_SECONDS}, hide_parameters=True)
    sa.event.listen(engine, "connect", _prepare_sqlite)
    sa.event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    # The driver's own BEGIN comes too late to take the write lock, so it is told to leave transactions alone.
    connection.isolation_level = None
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000}")


def _begin_sqlite(connection: sa.Connection) -> None:
    connection.exec_driver_sql(connection.get_execution_options().get("begin", "BEGIN"))


# --- migrations ------------------------------------------------------------------------------------------------------


def alembic_config(connection: sa.Connection | None = None) -> Config:
    """Alembic's settings; there is no ini file, so that the wheel needs none."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def _upgrade(engine: sa.Engine, address: URL) -> None:
    with engine.connect() as connection:
        context = MigrationContext.configure(connection)
        current = context.get_current_revision()
        used = bool(sa.inspect(connection).get_table_names())
    scripts = ScriptDirectory.from_config(alembic_config())
    if current == scripts.get_current_head():
        return
    if current is not None and current not in {script.revision for script in scripts.walk_revisions()}:
        raise NewerDatabase(f"{address.render_as_string()} is at revision {current}, which this version does not know")
    if used and address.get_backend_name() == "sqlite" and address.database:
        _copy(Path(address.database), current or "none")
    with engine.connect().execution_options(begin="BEGIN IMMEDIATE") as connection, connection.begin():
        # Two programs may start at once on a new database; the second finds the work done.
        if engine.dialect.name == "postgresql":
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(ADVISORY_LOCK + 1)))
        command.upgrade(alembic_config(connection), "head")


def _copy(path: Path, revision: str) -> Path:
    """A sound copy of an SQLite file beside it, WAL included, before a migration touches it."""
    copy = path.with_name(f"{path.name}.before-migration-from-{revision}")
    number = 1
    while copy.exists():
        number += 1
        copy = path.with_name(f"{path.name}.before-migration-from-{revision}-{number}")
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)
    return copy


# --- one daemon at a time --------------------------------------------------------------------------------------------


@contextmanager
def _file_lock(url: URL) -> Iterator[None]:
    path = Path(f"{url.database}.lock")
    with path.open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            file.seek(0)
            raise AlreadyRunning(f"process {file.read().strip() or '?'} already runs on {url.database}") from error
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield


@contextmanager
def _advisory_lock(engine: sa.Engine) -> Iterator[None]:
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        taken: Any = connection.execute(sa.select(sa.func.pg_try_advisory_lock(ADVISORY_LOCK))).scalar_one()
        if not taken:
            raise AlreadyRunning(f"another daemon already runs on {engine.url.render_as_string(hide_password=True)}")
        try:
            yield
        finally:
            connection.execute(sa.select(sa.func.pg_advisory_unlock(ADVISORY_LOCK)))
