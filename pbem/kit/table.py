"""The working table of one phase: records laid out by name, dice, events, and a new state at the end."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from pbem.kit.dice import Dice, LoadedDice, Roll
from pbem.kit.game import Event, Side

StateT = TypeVar("StateT")
RecordT = TypeVar("RecordT")


class WorkingTable(Generic[StateT]):
    """What every game's ``Table`` is built on; the state it began with never changes.

    A game names its shelves, the fields of the state whose records change, and declares each as a dict::

        class Table(WorkingTable[State]):
            shelves: ClassVar[Mapping[type, str]] = {Ship: "ships", Squadron: "squadrons"}
            ships: dict[str, Ship]
            squadrons: dict[str, Squadron]
    """

    shelves: ClassVar[Mapping[type, str]] = {}
    """The kind of a record to the field of the state it lies in: a tuple in roster order, or a mapping."""

    def __init__(self, state: StateT, dice: Dice | None = None) -> None:
        self.state = state
        # Without dice the table serves for measuring and checking; whoever rolls on it is told which roll it was.
        self.dice: Dice = dice if dice is not None else LoadedDice()
        self.events: list[Event] = []
        self.step = ""
        for shelf in self.shelves.values():
            setattr(self, shelf, self._laid_out(getattr(state, shelf)))

    # --- records -----------------------------------------------------------------------------------------------------

    def key(self, record: Any) -> Any:
        """What a record is found by on its shelf."""
        return record.name

    def put(self, record: Any) -> None:
        """Lay a new record on the table, or a changed one in place of the old."""
        self._shelf(type(record))[self.key(record)] = record

    def change(self, record: RecordT, **fields: Any) -> RecordT:
        """The record with other fields, put on the table in place of the old."""
        changed: RecordT = dataclasses.replace(record, **fields)  # type: ignore[type-var]
        self.put(changed)
        return changed

    def frozen(self, **fields: Any) -> StateT:
        """The state this table shows; ``fields`` set what lies on no shelf."""
        gathered = {shelf: self._gathered(shelf) for shelf in self.shelves.values()}
        state: StateT = dataclasses.replace(self.state, **{**gathered, **fields})  # type: ignore[type-var]
        return state

    def _laid_out(self, records: Any) -> dict[Any, Any]:
        return dict(records) if isinstance(records, Mapping) else {self.key(record): record for record in records}

    def _gathered(self, shelf: str) -> Any:
        laid = getattr(self, shelf)
        return dict(laid) if isinstance(getattr(self.state, shelf), Mapping) else tuple(laid.values())

    def _shelf(self, kind: type) -> dict[Any, Any]:
        shelf: dict[Any, Any] = getattr(self, self.shelves[kind])
        return shelf

    # --- dice --------------------------------------------------------------------------------------------------------

    @property
    def moment(self) -> str:
        """What stands before the label of every die."""
        return self.step

    def roll(self, sides: int, *label: object) -> Roll:
        """Draw a die; the moment stands before its label."""
        return self.dice.roll(sides, self.moment, *label)

    def tally(self, *label: object) -> Tally:
        """The dice of one action."""
        return Tally(self, label)

    # --- events ------------------------------------------------------------------------------------------------------

    def setting(self) -> Mapping[str, Any]:
        """Facts that every event carries: the turn, the pulse."""
        return {}

    def tell(
        self,
        kind: str,
        rule: str,
        seen_by: Iterable[Side] | Side,
        facts: Mapping[str, Any],
        rolls: Sequence[Roll] = (),
    ) -> None:
        """Something happened; one side's id as audience means that side alone."""
        audience = frozenset({seen_by}) if isinstance(seen_by, str) else frozenset(seen_by)
        self.events.append(Event(kind, rule, self.step, {**self.setting(), **facts}, audience, tuple(rolls)))


class Tally:
    """The dice of one action: numbers them within their purpose, and keeps those no event has taken yet."""

    def __init__(self, table: WorkingTable[Any], label: tuple[object, ...]) -> None:
        self._table = table
        self._label = label
        self._counts: dict[str, int] = {}
        self._loose: list[Roll] = []

    def roll(self, sides: int, purpose: str) -> int:
        self._counts[purpose] = self._counts.get(purpose, 0) + 1
        drawn = self._table.roll(sides, *self._label, purpose, self._counts[purpose])
        self._loose.append(drawn)
        return drawn.face

    def taken(self) -> tuple[Roll, ...]:
        """The dice since the last event, for the next one."""
        loose, self._loose = tuple(self._loose), []
        return loose
