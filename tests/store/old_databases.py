"""Databases as earlier versions left them, brought back to life on SQLite and on PostgreSQL.

`before/version-X.sql.gz` was written by version X: `python -m tests.store.write_dump FILE`. Whoever adds a migration
adds the dump of the version before it; every proof in `test_before.py` then runs on it as well.
"""

from __future__ import annotations

import gzip
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command

from pbem.store.database import alembic_config
from tests.office_bench import postgres_database

FOLDER = Path(__file__).parent / "before"
DUMPS = sorted(FOLDER.glob("version-*.sql.gz"))
REVISIONS = "alembic_version"


def version_of(dump: Path) -> str:
    return dump.name.removeprefix("version-").removesuffix(".sql.gz")


def on_sqlite(dump: Path, folder: Path) -> str:
    """The database as a file in the folder; returns its URL."""
    path = folder / "old.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(gzip.decompress(dump.read_bytes()).decode())
    return f"sqlite:///{path}"


def on_postgresql(dump: Path, folder: Path) -> str:
    """The same rows in a PostgreSQL database at the same revision; returns its URL."""
    url = postgres_database()
    with _connected(on_sqlite(dump, folder)) as old, _connected(_by_psycopg(url)) as new:
        command.upgrade(alembic_config(new), _revision(old))
        copy_rows(old, new)
    return url


def _by_psycopg(url: str) -> str:
    return sa.make_url(url).set(drivername="postgresql+psycopg").render_as_string(hide_password=False)


@contextmanager
def _connected(url: str) -> Iterator[sa.Connection]:
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        yield connection
    engine.dispose()


def _revision(connection: sa.Connection) -> str:
    revision: str = connection.execute(sa.text(f"SELECT version_num FROM {REVISIONS}")).scalar_one()
    return revision


def copy_rows(old: sa.Connection, new: sa.Connection) -> None:
    """All rows of all tables, each table after those it refers to."""
    source, target = sa.MetaData(), sa.MetaData()
    source.reflect(old)
    target.reflect(new)
    for table in target.sorted_tables:
        if table.name != REVISIONS:
            rows = [_in_utc(row) for row in old.execute(sa.select(source.tables[table.name])).mappings()]
            if rows:
                new.execute(sa.insert(table), rows)
            _count_on(new, table)


def _in_utc(row: Mapping[Any, Any]) -> dict[str, Any]:
    """SQLite keeps times in UTC and does not say so."""
    return {name: value.replace(tzinfo=UTC) if isinstance(value, datetime) else value for name, value in row.items()}


def _count_on(connection: sa.Connection, table: sa.Table) -> None:
    """Rows that come later are numbered after those that were copied."""
    if "id" not in table.columns:
        return
    last = connection.execute(sa.select(sa.func.max(table.columns["id"]))).scalar_one()
    if last is not None:
        sequence = sa.func.pg_get_serial_sequence(f'"{table.name}"', "id")
        connection.execute(sa.select(sa.func.setval(sequence, last)))
