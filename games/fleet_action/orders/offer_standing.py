"""FA-DOC-7: which lines of the sheet may stay in force, and what can be taken back."""

from __future__ import annotations

from collections.abc import Iterator

from games.fleet_action.orders.counter import Counter
from pbem.kit.choices import Choice


def offers(counter: Counter) -> Iterator[Choice]:
    """A doctrine line of this sheet with ``standing`` before it; ``cancel standing`` where there are such lines."""
    for number, text in counter.doctrine().items():
        yield from counter.offer(
            "standing", f"in later turns too: {text}", f"standing {text}", chapters=(), drops={number}
        )
    lines = [
        line.text for line in counter.table.state.standing if (line.side, line.unit) == (counter.side, counter.unit)
    ]
    if lines:
        note = "; ".join(lines)
        yield from counter.offer("standing", "no standing orders any more", "cancel standing", note=note, chapters=())
