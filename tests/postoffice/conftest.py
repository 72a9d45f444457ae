"""A post office for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.postoffice.servers import PostOffice, RunningOffice, run_in_thread


@pytest.fixture
def office(tmp_path: Path) -> Iterator[RunningOffice]:
    """The built-in post office with the robot's account."""
    with run_in_thread(PostOffice(tmp_path / "post", "club.example")) as running:
        running.add_account("robot", "secret")
        yield running
