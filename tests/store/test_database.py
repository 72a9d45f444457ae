"""The database itself: migrations, copies, transactions, locks; the same on SQLite and PostgreSQL."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from pbem.store.database import AlreadyRunning, Database, NewerDatabase
from pbem.store.rows import Row
from pbem.store.store import Store


def test_a_new_database_gets_all_tables_by_migration(url: str) -> None:
    store = Store.open(url)
    with store.database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        differences = compare_metadata(context, Row.metadata)
        head = context.get_current_revision()
    store.close()

    assert differences == []
    assert head == "0001"


def test_opening_again_changes_nothing(url: str) -> None:
    Store.open(url).close()
    store = Store.open(url)

    assert store.campaigns.all() == []
    store.close()


def test_an_sqlite_file_is_copied_before_a_migration(tmp_path: Path) -> None:
    path = tmp_path / "club.sqlite"
    with closing(sqlite3.connect(path)) as old:
        old.execute("PRAGMA journal_mode = WAL")
        old.execute("CREATE TABLE treasure (gold INTEGER)")
        old.execute("INSERT INTO treasure VALUES (7)")
        old.commit()

    Store.open(str(path)).close()

    (copy,) = tmp_path.glob("club.sqlite.before-migration-from-none")
    with closing(sqlite3.connect(copy)) as kept:
        assert kept.execute("SELECT gold FROM treasure").fetchall() == [(7,)]
        assert kept.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    Store.open(str(path)).close()
    assert len(list(tmp_path.glob("*.before-migration*"))) == 1


def test_a_database_of_a_later_version_is_left_alone(url: str) -> None:
    store = Store.open(url)
    with store.database.writing() as session:
        session.connection().execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    store.close()

    with pytest.raises(NewerDatabase, match="is at revision 9999"):
        Store.open(url)


def test_an_sqlite_file_is_kept_as_safe_as_it_can_be(tmp_path: Path) -> None:
    database = Database.open(str(tmp_path / "club.sqlite"))
    with database.engine.connect() as connection:
        asked = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    database.close()

    assert asked == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 30000}


def test_foreign_keys_are_enforced(url: str) -> None:
    store = Store.open(url)
    with pytest.raises(sa.exc.IntegrityError), store.database.writing() as session:
        session.connection().execute(
            sa.text("INSERT INTO token (token, seat_id, phase_id) VALUES ('abc', 99, 99)"),
        )
    store.close()


def write_twice(store: Store) -> None:
    with store.database.writing() as session:
        for _ in range(2):
            session.connection().execute(sa.text("INSERT INTO key (name, value) VALUES ('a', '')"))


def test_a_transaction_that_fails_leaves_nothing_behind(url: str) -> None:
    store = Store.open(url)
    with pytest.raises(sa.exc.IntegrityError):
        write_twice(store)
    with store.database.reading() as session:
        assert session.connection().execute(sa.text("SELECT count(*) FROM key")).scalar_one() == 0
    store.close()


def test_a_reader_is_not_kept_waiting_by_a_writer(url: str) -> None:
    store = Store.open(url)
    with store.database.writing() as session:
        session.connection().execute(sa.text("INSERT INTO key (name, value) VALUES ('a', '')"))
        assert store.campaigns.all() == []
    store.close()


def test_only_one_daemon_at_a_time(url: str) -> None:
    first, second = Store.open(url), Store.open(url)
    with first.alone(), pytest.raises(AlreadyRunning, match="already runs on"), second.alone():
        raise AssertionError("two daemons at once")
    with second.alone():
        pass
    first.close()
    second.close()


def test_the_lock_falls_with_the_process(url: str) -> None:
    script = (
        "import os, sys\nfrom pbem.store.store import Store\nwith Store.open(sys.argv[1]).alone():\n    os._exit(137)\n"
    )
    died = subprocess.run([sys.executable, "-W", "ignore", "-c", script, url], check=False, timeout=60)
    assert died.returncode == 137

    store = Store.open(url)
    with store.alone():
        pass
    store.close()


def test_a_password_is_not_in_the_complaint_about_a_second_daemon() -> None:
    address = sa.make_url("postgresql+psycopg://me:secret@db.example/pbem")

    assert "secret" not in address.render_as_string(hide_password=True)
