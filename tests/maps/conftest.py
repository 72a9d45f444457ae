"""What the tests of maps share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pbem.letters.pen import Pen
from tests.letters import seats


@pytest.fixture(scope="session")
def pen() -> Iterator[Pen]:
    with seats.pen() as made:
        yield made
