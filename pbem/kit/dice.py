"""Dice that are found by label: keyed for play, loaded for worked examples."""

from __future__ import annotations

import hashlib
import hmac
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Roll:
    """One die that fell."""

    label: str
    """What it was for: ``pulse 1/Alpha/G'Quan-2/heavy laser/to hit/3``; unique in its phase."""
    sides: int
    face: int


class Dice(Protocol):
    """Where a rule gets its dice; every implementation keeps the rolls in the order they were drawn."""

    rolls: list[Roll]

    def roll(self, sides: int, *label: object) -> Roll:
        """Draw the die of this label; the parts of the label are joined with ``/``."""
        ...


class DuplicateLabel(AssertionError):
    """A rule asked twice for the same die: its label does not say enough."""


class OutOfDice(LookupError):
    """The loaded dice are used up; the message says which roll was next."""


class WrongDie(ValueError):
    """A loaded face does not exist on the die that was asked for."""


class _Recorded(ABC):
    """What all dice share: labels are unique, rolls are kept."""

    def __init__(self) -> None:
        self.rolls: list[Roll] = []
        self._labels: set[str] = set()

    def roll(self, sides: int, *label: object) -> Roll:
        name = "/".join(str(part) for part in label)
        if name in self._labels:
            raise DuplicateLabel(f"the roll '{name}' was already made in this phase")
        drawn = Roll(name, sides, self._face(sides, name))
        self._labels.add(name)
        self.rolls.append(drawn)
        return drawn

    @abstractmethod
    def _face(self, sides: int, label: str) -> int: ...


class KeyedDice(_Recorded):
    """Dice of live play: a face follows from the key and the label alone, so the order of drawing never matters."""

    def __init__(self, key: bytes) -> None:
        super().__init__()
        self._key = key

    def _face(self, sides: int, label: str) -> int:
        return keyed_face(self._key, sides, label)


class LoadedDice(_Recorded):
    """Dice whose faces are written out, for worked examples and for a moderator who rolls real ones."""

    def __init__(self, *faces: int) -> None:
        super().__init__()
        self._faces = list(faces)
        self._next = 0

    def _face(self, sides: int, label: str) -> int:
        if self._next >= len(self._faces):
            given = f"all {len(self._faces)} dice are used"
            raise OutOfDice(f"{given}; the next roll is a d{sides} for '{label}'")
        face = self._faces[self._next]
        if not 1 <= face <= sides:
            raise WrongDie(f"die {self._next + 1} shows {face}, but '{label}' is a d{sides}")
        self._next += 1
        return face

    @property
    def left(self) -> tuple[int, ...]:
        """The faces nobody asked for."""
        return tuple(self._faces[self._next :])


def keyed_face(key: bytes, sides: int, label: str) -> int:
    """The face of one labelled die; unbiased: draws past the last whole multiple of the faces are thrown away."""
    limit = 2**64 - 2**64 % sides
    attempt = 0
    while True:
        digest = hmac.digest(key, f"{label}\x00d{sides}\x00{attempt}".encode(), hashlib.sha256)
        drawn = int.from_bytes(digest[:8], "big")
        if drawn < limit:
            return drawn % sides + 1
        attempt += 1


def commitment(secret: bytes) -> str:
    """What goes out with the letter that opens a phase: nobody can change the secret afterwards."""
    return hashlib.sha256(secret).hexdigest()


def phase_key(secret: bytes, sheets: Iterable[tuple[str, str]]) -> bytes:
    """The dice key of a phase: neither the server nor the players can choose it alone.

    ``sheets`` are the sides with the text of their sheets in force.
    """
    digest = hashlib.sha256()
    for side, text in sorted(sheets):
        for part in (side, text):
            encoded = part.encode()
            digest.update(len(encoded).to_bytes(8, "big") + encoded)
    return hmac.digest(secret, digest.digest(), hashlib.sha256)
