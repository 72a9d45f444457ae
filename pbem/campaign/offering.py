"""What a seat's units can still be ordered on top of its sheet in force; of the choices shown, each was read back."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pbem.campaign.reading import owner, read_alone
from pbem.campaign.standing import Standing
from pbem.kit.choices import Choice, Offer, added, fillings, thinned
from pbem.kit.proof import breaches_of
from pbem.kit.sheet import Sheet
from pbem.letters.options import GroupShown
from pbem.store.rows import SeatRow

log = logging.getLogger("pbem.campaign")

MOST_ROWS = 30
"""Choices of a group that a letter shows."""
MOST_READINGS = 300
"""How often a sheet is read for the sake of one unit's list; what was not read back is not shown."""
FILLINGS_READ = 3
"""Of a blank: its edges, and something between them."""


def own_units(at: Standing, seat: SeatRow) -> tuple[str, ...]:
    """The side's own block and the units, as far as the seat commands them."""
    names = dict.fromkeys((at.game.fleet, *at.game.units(at.state, seat.side)))
    return tuple(unit for unit in names if (commander := owner(at, seat.side, unit)) and commander.id == seat.id)


@dataclass
class Offering:
    """A seat's choices; its sheet is read once for all of them."""

    at: Standing
    seat: SeatRow

    def __post_init__(self) -> None:
        self.text = self.at.sheets.get(self.seat.id, "")
        self.sheet: Sheet[Any] = read_alone(self.at, self.seat, self.text)
        self.view: Any = self.at.game.view(self.at.state, self.seat.side)
        self.readings_left = MOST_READINGS

    def of(self, unit: str) -> Offer:
        assert self.at.game.choices is not None
        return self.at.game.choices(self.view, self.sheet, unit)

    def lines_of(self, unit: str) -> str:
        """The unit's orders as they stand in the sheet."""
        lines = [line for block in self.sheet.blocks if block.unit == unit for line in block.lines]
        return "\n".join([f"{unit}:", *(f"  {line}" for line in lines)]) if lines else ""

    def shown(self, offer: Offer, groups: Sequence[str]) -> tuple[GroupShown, ...]:
        """The groups as a letter shows them: what needs no other change first, and no more than fits."""
        return tuple(self._group(offer, group) for group in groups)

    def _group(self, offer: Offer, group: str) -> GroupShown:
        choices = sorted(offer.of(group), key=lambda choice: choice.faint)
        held: list[Choice] = []
        looked_at = 0
        for choice in choices:
            if len(held) == MOST_ROWS or self.readings_left < FILLINGS_READ:
                break
            looked_at += 1
            if self._holds(offer.unit, choice):
                held.append(choice)
        closed = tuple(one for one in offer.closed if one.group == group)
        return GroupShown(group, tuple(held), len(choices) - looked_at, closed)

    def _holds(self, unit: str, choice: Choice) -> bool:
        """Whether it can be sent; the law says that it can, so that one which cannot is a fault of the game."""
        game = self.at.game
        for filling in thinned(list(fillings(choice.fill)), FILLINGS_READ):
            self.readings_left -= 1
            after = game.read_orders(self.at.state, self.seat.side, added(self.text, unit, choice, filling))
            if any(breaches_of(self.sheet, after, unit, choice, filling)):
                # No word of it: logs are read by people who may be playing.
                log.warning("%s %s: a choice of the group '%s' cannot be sent", game.slug, game.version, choice.group)
                return False
        return True
