"""README and CONTRIBUTING taken apart: blocks, commands and words in code."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
DOCUMENTS = ("README.md", "CONTRIBUTING.md")

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`([^`\n]+)`")


@dataclass(frozen=True)
class Block:
    """A fenced block."""

    document: str
    language: str
    text: str

    @property
    def head(self) -> str:
        """Its first line, by which a test names it."""
        return self.text.splitlines()[0].strip()

    def lines(self) -> Iterator[str]:
        """Its lines without comments."""
        for line in self.text.splitlines():
            if words := re.sub(r"(^|\s)#.*", "", line).strip():
                yield words


@dataclass(frozen=True)
class Command:
    document: str
    line: str

    @property
    def program(self) -> str:
        return self.words[0]

    @property
    def words(self) -> list[str]:
        return shlex.split(self.line)

    def __str__(self) -> str:
        return f"{self.document}: {self.line}"


def text_of(document: str) -> str:
    return (ROOT / document).read_text(encoding="utf-8")


def blocks(document: str) -> list[Block]:
    return [Block(document, *found) for found in _FENCE.findall(text_of(document))]


def codes(text: str) -> list[str]:
    """What stands in code within sentences and tables."""
    return _CODE.findall(_FENCE.sub("", text))


def section(document: str, start: str, end: str) -> str:
    """From a phrase to the next phrase behind it."""
    text = text_of(document)
    assert start in text, f"{document}: no '{start}'"
    return text.partition(start)[2].partition(end)[0]
