"""What the tests of letters share; checks that need a browser are left out where there is none."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

from pbem.letters.pen import Pen
from tests.letters import seats

collect_ignore = [] if shutil.which("chromium") else ["test_browser.py"]


@pytest.fixture(scope="session")
def pen() -> Iterator[Pen]:
    with seats.pen() as made:
        yield made
