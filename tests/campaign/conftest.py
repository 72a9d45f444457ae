"""A host for each test, on SQLite and where it matters on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.office_bench import Bench, bench_on, postgres_database


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    """A host on an SQLite file."""
    with bench_on(f"sqlite:///{tmp_path / 'pbem.sqlite'}") as bench:
        yield bench


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of each kind."""
    return postgres_database() if request.param == "postgresql" else f"sqlite:///{tmp_path / 'pbem.sqlite'}"


@pytest.fixture
def either(url: str) -> Iterator[Bench]:
    """A host on each kind of database."""
    with bench_on(url) as bench:
        yield bench
