"""Every law that pbem holds a game to."""

from __future__ import annotations

import pytest
from pbem.kit.checks import Check, every_check

from skirmish import GAME


@pytest.mark.parametrize("check", every_check(GAME))
def test_the_contract(check: Check) -> None:
    check()
