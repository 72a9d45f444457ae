"""Named points on the way of a letter and of a turn where a test may kill the process as `kill -9` would.

`PBEM_CRASH_AT=letter-filed` dies when that point is reached, `letter-filed:3` when it is reached the third time.
"""

from __future__ import annotations

import os
from collections import Counter

VARIABLE = "PBEM_CRASH_AT"
KILLED = 137

POINTS = (
    "letter-fetched",
    "letter-filed",
    "letter-judged",
    "letter-handled",
    "letter-moved",
    "turn-resolved",
    "turn-written",
    "turn-committed",
    "reminder-committed",
    "outgoing-claimed",
    "outgoing-accepted",
    "outgoing-marked",
)
"""In the order in which a letter, and then the turn it completes, passes them."""

_reached: Counter[str] = Counter()


def reach(point: str) -> None:
    """Say that this point is reached; die here if the environment asks for it."""
    wanted = os.environ.get(VARIABLE)
    if wanted is None:
        return
    name, _, times = wanted.partition(":")
    if name != point:
        return
    _reached[point] += 1
    if _reached[point] == int(times or "1"):
        os._exit(KILLED)
