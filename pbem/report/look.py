"""Colours, patterns and shapes of maps and charts; the same side looks the same in every letter of a campaign."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

ThemeName = Literal["light", "dark"]


@dataclass(frozen=True)
class SideLook:
    """A side is told by colour, pattern and base shape; any one of them is enough."""

    light: str
    dark: str
    pattern: Literal["solid", "hollow", "stripes", "dots", "grid", "half"]
    base: Literal["circle", "square", "diamond", "hexagon", "triangle", "octagon"]


# After Okabe and Ito, told apart in all common forms of colour blindness; darker on paper, lighter on a dark ground.
SIDES = (
    SideLook("#00558c", "#56b4e9", "solid", "circle"),
    SideLook("#b34700", "#ff9a4d", "hollow", "square"),
    SideLook("#00694d", "#3ddbad", "stripes", "diamond"),
    SideLook("#8f3f6f", "#e8a3ca", "dots", "hexagon"),
    SideLook("#7a5c00", "#f0c93a", "grid", "octagon"),
    SideLook("#444444", "#d0d0d0", "half", "triangle"),
)


def side_look(index: int) -> SideLook:
    return SIDES[index % len(SIDES)]


@dataclass(frozen=True)
class Theme:
    """The colours of a map that do not belong to a side."""

    name: ThemeName
    paper: str
    space: str
    sea: str
    table: str
    grid: str
    name_ink: str
    ink: str
    quiet: str
    halo: str
    fire: str
    loss: str
    gold: str

    def side(self, index: int) -> str:
        look = side_look(index)
        return look.light if self.name == "light" else look.dark


LIGHT = Theme(
    "light",
    paper="#ffffff",
    space="#f4f6fa",
    sea="#e6f1f8",
    table="#f6f5f0",
    grid="#c3ccd8",
    name_ink="#7d8896",
    ink="#1a1f26",
    quiet="#55606e",
    halo="#ffffff",
    fire="#b3261e",
    loss="#8c1d18",
    gold="#8a6100",
)
DARK = Theme(
    "dark",
    paper="#12161c",
    space="#161c26",
    sea="#12263a",
    table="#1b2126",
    grid="#334052",
    name_ink="#8592a5",
    ink="#eef2f7",
    quiet="#a9b4c2",
    halo="#12161c",
    fire="#ff8a80",
    loss="#ff6f61",
    gold="#ffd166",
)


def theme(name: ThemeName) -> Theme:
    return DARK if name == "dark" else LIGHT
