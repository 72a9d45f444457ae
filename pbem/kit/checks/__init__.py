"""What every game must keep, as plain functions that the tests of any game can call.

A game's whole test of the contract::

    @pytest.mark.parametrize("check", every_check(GAME))
    def test_the_contract(check: Check) -> None:
        check()
"""

from __future__ import annotations

from pbem.kit.checks.every import LAWS, Check, every_check
from pbem.kit.checks.sample import Sample, sample_of

__all__ = ["LAWS", "Check", "Sample", "every_check", "sample_of"]
