"""Colours, patterns and shapes of maps and charts; the same side looks the same in every letter of a campaign."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

ThemeName = Literal["light", "dark"]


@dataclass(frozen=True)
class SideLook:
    """A side is told by colour, pattern and base shape; any one of them is enough."""

    light: str
    dark: str
    pattern: Literal["solid", "hollow", "stripes", "dots", "grid", "half", "bands", "checks"]
    base: Literal["circle", "square", "diamond", "hexagon", "octagon", "triangle", "pentagon", "shield"]


# After Okabe and Ito, told apart in all common forms of colour blindness; darker on paper, lighter on a dark ground.
SIDES = (
    SideLook("#00558c", "#56b4e9", "solid", "circle"),
    SideLook("#b34700", "#ff9a4d", "hollow", "square"),
    SideLook("#00694d", "#3ddbad", "stripes", "diamond"),
    SideLook("#8f3f6f", "#e8a3ca", "dots", "hexagon"),
    SideLook("#7a5c00", "#f0c93a", "grid", "octagon"),
    SideLook("#444444", "#d0d0d0", "half", "triangle"),
    SideLook("#4b3fa6", "#b3a8ff", "bands", "pentagon"),
    SideLook("#9c1f3f", "#ff8fa8", "checks", "shield"),
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
    grid_strong: str
    name_ink: str
    ink: str
    quiet: str
    halo: str
    fire: str
    loss: str
    gold: str
    flame: str
    """Filled flames and flashes; gold is their ink."""

    def side(self, index: int) -> str:
        look = side_look(index)
        return look.light if self.name == "light" else look.dark

    def fill(self, index: int, scale: str) -> str:
        """How a side's base is filled; ``scale`` picks the pattern drawn for pieces (``tk``) or for pixels (``px``)."""
        look = side_look(index)
        if look.pattern in ("solid", "hollow"):
            return self.side(index) if look.pattern == "solid" else self.paper
        return f"url(#{scale}-{index})"


LIGHT = Theme(
    "light",
    paper="#ffffff",
    space="#f4f6fa",
    sea="#e6f1f8",
    table="#f6f5f0",
    grid="#c3ccd8",
    grid_strong="#9aa7b8",
    name_ink="#7d8896",
    ink="#1a1f26",
    quiet="#55606e",
    halo="#ffffff",
    fire="#b3261e",
    loss="#8c1d18",
    gold="#8a6100",
    flame="#f0a92e",
)
DARK = Theme(
    "dark",
    paper="#12161c",
    space="#161c26",
    sea="#12263a",
    table="#1b2126",
    grid="#334052",
    grid_strong="#5a6a80",
    name_ink="#8592a5",
    ink="#eef2f7",
    quiet="#a9b4c2",
    halo="#12161c",
    fire="#ff8a80",
    loss="#ff6f61",
    gold="#ffd166",
    flame="#f0a92e",
)


def theme(name: ThemeName) -> Theme:
    return DARK if name == "dark" else LIGHT


@dataclass(frozen=True)
class TerrainLook:
    """A kind of terrain: two colours a theme, a pattern as well, and its name in the legend."""

    light: tuple[str, str]
    """Fill and outline."""
    dark: tuple[str, str]
    opacity: float
    pattern: str
    """Id of a pattern in ``map/symbols.svg.j2``; empty: none."""
    title: str
    dash: str = ""

    def colours(self, name: ThemeName) -> tuple[str, str]:
        return self.light if name == "light" else self.dark


TERRAIN = {
    "land": TerrainLook(("#dccfae", "#8a7748"), ("#4d462f", "#a8986a"), 1.0, "tufts", "land"),
    "shallows": TerrainLook(("#bfe3e6", "#5f9ea6"), ("#1d4a55", "#5fa8b4"), 0.9, "waves", "shallows"),
    "asteroid": TerrainLook(("#b7ada3", "#6e655c"), ("#6b635b", "#b0a699"), 0.95, "rocks", "asteroid"),
    "asteroids": TerrainLook(("#ddd6ce", "#8b8177"), ("#3c3833", "#9c9184"), 0.8, "rocks", "asteroids"),
    "planet": TerrainLook(("#a9c4b4", "#4f7562"), ("#3f6b58", "#8cc0a6"), 1.0, "", "planet"),
    "moon": TerrainLook(("#cfd2d6", "#7d838b"), ("#5d636b", "#b4bac2"), 1.0, "", "moon"),
    "dust": TerrainLook(("#eadfc4", "#a58f55"), ("#3d3826", "#9c8d5c"), 0.75, "specks", "dust"),
    "nebula": TerrainLook(("#e3d3ec", "#8d69a5"), ("#3a2b48", "#a283bb"), 0.75, "swirls", "nebula"),
    "mines": TerrainLook(("#f3d9d6", "#a8433a"), ("#452522", "#e08a80"), 0.55, "crosses", "mines"),
    "rift": TerrainLook(("#c9c3e6", "#4b3f96"), ("#2b2657", "#9a8ff0"), 0.8, "cracks", "rift"),
    "singularity": TerrainLook(("#20242b", "#000000"), ("#000000", "#c0c8d4"), 1.0, "", "singularity"),
    "atmosphere": TerrainLook(("#cfe4f5", "#5a8fb8"), ("#203a52", "#6fa8d6"), 0.6, "", "atmosphere", "4 4"),
    "deployment": TerrainLook(("#e3e7ec", "#6b7684"), ("#2a323d", "#8f9bab"), 0.35, "hatch", "deployment area", "9 5"),
    "zone": TerrainLook(("#e3e7ec", "#6b7684"), ("#2a323d", "#8f9bab"), 0.35, "", "zone", "9 5"),
    "fog": TerrainLook(("#c9ced6", "#8b95a3"), ("#2d3540", "#5f6b7a"), 0.55, "hatch", "not seen now", "3 4"),
    "star": TerrainLook(("#ffe28a", "#b88a00"), ("#ffd95e", "#fff0b3"), 1.0, "", "star"),
    "gate": TerrainLook(("#ffffff", "#2f5d8a"), ("#1b2129", "#7fb2e5"), 0.6, "", "jump gate"),
}


# How much of an ink the edges of letters and lines carry; fewer steps look rough, more make larger files.
EDGE_STEPS = (1.0, 0.66, 0.33)


def map_palette(theme: Theme, ground: str, sides: Sequence[int], kinds: Sequence[str]) -> tuple[str, ...]:
    """The colours of a map: every ink and its softer edges on the ground, every terrain in use; paper first."""
    inks = [theme.grid_strong, theme.ink, theme.quiet, theme.fire, theme.loss, theme.gold]
    inks.append(theme.flame)
    inks += [theme.side(index) for index in sides]
    # The grid and its names are everywhere, so they get by with fewer steps than what stands on them.
    colours = [theme.paper, ground, theme.grid, theme.name_ink, mixed(theme.name_ink, ground, 0.5)]
    for ink in inks:
        colours += [mixed(ink, ground, share) for share in EDGE_STEPS]
    for kind in kinds:
        if kind not in TERRAIN:
            continue
        fill, stroke = TERRAIN[kind].colours(theme.name)
        laid = mixed(fill, ground, TERRAIN[kind].opacity)
        colours += [laid, mixed(stroke, laid, 0.5), stroke, mixed("#000000", laid, 0.16)]
    colours += [mixed(theme.side(index), ground, 0.1) for index in sides]
    return tuple(dict.fromkeys(colours))


def mixed(ink: str, ground: str, share: float) -> str:
    """So much of the ink on the ground."""
    parts = [(int(ink[n : n + 2], 16), int(ground[n : n + 2], 16)) for n in (1, 3, 5)]
    return "#" + "".join(f"{round(a * share + b * (1 - share)):02x}" for a, b in parts)
