"""The legend: only what the picture shows, flowing in rows under it; the scale; the small map of the whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pbem.kit.scene import HexField, HexGrid, InchTable, Point, Scene, StarField, Unit
from pbem.maps.frame import ROOT3, Box, Frame, bounds
from pbem.maps.labels import text_width
from pbem.maps.look import TERRAIN
from pbem.maps.marks import MarkLayer
from pbem.maps.pieces import PieceLayer

GLYPH_WORDS = {
    "capital": "capital ship",
    "heavy": "heavy ship",
    "medium": "medium ship",
    "light": "light ship",
    "flight": "fighters",
    "base": "base",
    "galley": "galley",
    "two-hex galley": "galley, two hexes",
    "squadron": "squadron",
    "fleet": "fleet",
    "army": "army",
    "missile": "missiles",
    "pod": "pod",
    "marker": "marker",
}
BLAST_WORDS = {
    "explosion": "explosion",
    "loss": "lost here",
    "mine": "mine",
    "dogfight": "dogfight",
    "fire": "on fire",
    "vortex": "vortex",
    "battle": "battle",
    "jump": "jump",
}
LANE_WORDS = {"lane major": "major lane", "lane minor": "minor lane", "lane plain": "lane"}


@dataclass(frozen=True)
class Entry:
    """A symbol and its words."""

    symbol: str
    """Which drawing of ``map/legend.svg.j2``."""
    text: str
    index: int = 0
    """Of the side, where the symbol belongs to one."""
    kind: str = ""
    x: float = 0.0
    y: float = 0.0


@dataclass(frozen=True)
class Scale:
    x: float
    y: float
    length: float
    text: str


@dataclass(frozen=True)
class Legend:
    entries: tuple[Entry, ...]
    scale: Scale | None
    top: float
    height: int
    size: float

    def moved(self, down: float) -> Legend:
        entries = tuple(replace(entry, y=round(entry.y + down, 1)) for entry in self.entries)
        scale = replace(self.scale, y=round(self.scale.y + down, 1)) if self.scale else None
        return replace(self, entries=entries, scale=scale, top=self.top + down)


@dataclass(frozen=True)
class Overview:
    """The whole ground in small, with the window and the units."""

    box: Box
    window: Box
    dots: tuple[tuple[Point, int], ...]


def legend(scene: Scene, frame: Frame, pieces: PieceLayer, marks: MarkLayer, kinds: Sequence[str]) -> Legend:
    """Set the entries in rows of the picture's width."""
    size = round(17.5 * frame.type, 1)
    entries = _entries(scene, pieces, marks, kinds)
    row, symbol, gap = 30 * frame.type, 50 * frame.type, 16 * frame.type
    scale = _scale(scene, frame)
    x, y = 14 * frame.type, frame.height + 22 * frame.type
    if scale:
        scale = Scale(round(x, 1), round(y, 1), scale.length, scale.text)
        x += scale.length + text_width(scale.text, size) + 12 * frame.type + gap
    placed = []
    for entry in entries:
        width = symbol + text_width(entry.text, size) + gap
        if x + width > frame.width - 6 and x > 15 * frame.type:
            x, y = 14 * frame.type, y + row
        placed.append(Entry(entry.symbol, entry.text, entry.index, entry.kind, round(x + symbol / 2, 1), round(y, 1)))
        x += width
    height = round(y + 22 * frame.type - frame.height)
    return Legend(tuple(placed), scale, frame.height, height, size)


def _entries(scene: Scene, pieces: PieceLayer, marks: MarkLayer, kinds: Sequence[str]) -> list[Entry]:
    entries = [Entry("side", side.name, side.index) for side in scene.sides]
    units = [item for item in scene.items if isinstance(item, Unit)]
    glyphs = list(dict.fromkeys(unit.glyph for unit in units))
    if len(glyphs) > 1:
        entries += [Entry("glyph", GLYPH_WORDS[glyph], kind=glyph.replace(" ", "-")) for glyph in glyphs]
    if any(unit.count is not None for unit in units):
        entries.append(Entry("count", "number in it"))
    if any(unit.flag for unit in units):
        entries.append(Entry("flag", "flagship"))
    if any(unit.age is not None for unit in units):
        entries.append(Entry("faded", "last seen there"))
    if any(piece.broken for piece in pieces.pieces):
        entries.append(Entry("broken", "badly hurt"))
    entries += _mark_entries(marks)
    # On a map of hexes a line is what the game's own notes say it is.
    starry = isinstance(scene.ground, StarField)
    entries += [_terrain_entry(kind) for kind in kinds if starry or not kind.startswith("lane")]
    entries += [Entry("word", f"{word}: {meaning}") for word, meaning in scene.notes]
    if pieces.left_out:
        entries.append(Entry("word", f"{pieces.left_out} names left out for want of room; the tables have all"))
    return entries


def _mark_entries(marks: MarkLayer) -> list[Entry]:
    entries = []
    if any(not way.plotted for way in marks.ways):
        dotted = any(way.dots for way in marks.ways if not way.plotted)
        entries.append(Entry("flown", "course flown, a dot each stage" if dotted else "course flown"))
    if any(way.plotted for way in marks.ways):
        entries.append(Entry("plotted", "course plotted"))
    if marks.ghosts:
        more = any(ghost.text.endswith("+") for ghost in marks.ghosts)
        entries.append(Entry("ghost", "a choice, by its number" + ("; +: and others" if more else "")))
    if any(beam.hit for beam in marks.beams):
        entries.append(Entry("hit", "shot, hit"))
    if any(not beam.hit for beam in marks.beams):
        entries.append(Entry("miss", "shot, missed"))
    kinds = dict.fromkeys(blast.kind for blast in marks.blasts)
    entries += [Entry("blast", BLAST_WORDS[kind], kind=kind) for kind in kinds]
    if marks.wedges:
        entries.append(Entry("wedge", "field of fire"))
    if marks.circles:
        entries.append(Entry("ring", "range"))
    return entries


def _terrain_entry(kind: str) -> Entry:
    if kind in LANE_WORDS:
        return Entry("lane", LANE_WORDS[kind], kind=kind.split()[1])
    if kind in ("system", "capital system"):
        return Entry("system", kind, kind=kind)
    return Entry("terrain", TERRAIN[kind].title, kind=kind)


def _scale(scene: Scene, frame: Frame) -> Scale | None:
    if isinstance(scene.ground, HexGrid | HexField):
        return Scale(0, 0, round(5 * ROOT3 * frame.scale, 1), "5 hexes")
    if isinstance(scene.ground, InchTable):
        return Scale(0, 0, round(12 * frame.scale, 1), "12 inches")
    units = _round_length(frame.window.width / 6)
    return Scale(0, 0, round(units * frame.scale, 1), f"{units:g}")


def _round_length(about: float) -> float:
    """1, 2 or 5 of a power of ten, near the wanted length."""
    power = 1.0
    while power * 10 <= about:
        power *= 10
    while power > about:
        power /= 10
    return max(step * power for step in (1, 2, 5) if step * power <= about)


def overview(scene: Scene, frame: Frame) -> Overview | None:
    """Drawn in the corner that has the fewest units, when the picture shows a part only."""
    if frame.whole:
        return None
    ground = bounds(scene.ground)
    width = frame.area.width * 0.16
    scale = width / ground.width
    height = ground.height * scale
    if height > frame.area.height * 0.22:
        height = frame.area.height * 0.22
        scale = height / ground.height
        width = ground.width * scale
    units = [item for item in scene.items if isinstance(item, Unit)]
    box = min(_corners(frame.area, width, height), key=lambda corner: _crowd(corner, units, frame))

    def small(point: Point) -> Point:
        x = box.left + (point.x - ground.left) * scale
        return Point(round(x, 1), round(box.top + (point.y - ground.top) * scale, 1))

    index = {side.id: side.index for side in scene.sides}
    corner = small(Point(frame.window.left, frame.window.top))
    window = Box(corner.x, corner.y, round(frame.window.width * scale, 1), round(frame.window.height * scale, 1))
    dots = tuple((small(unit.at), index.get(unit.side, len(index))) for unit in units)
    return Overview(box, window, dots)


def _corners(area: Box, width: float, height: float) -> list[Box]:
    right, bottom = area.right - width - 6, area.bottom - height - 6
    places = [(right, area.top + 6), (right, bottom), (area.left + 6, bottom), (area.left + 6, area.top + 6)]
    return [Box(round(left, 1), round(top, 1), round(width, 1), round(height, 1)) for left, top in places]


def _crowd(corner: Box, units: Sequence[Unit], frame: Frame) -> int:
    near = corner.grown(0.08 * frame.area.width)
    return sum(near.contains(frame.at(unit.at)) for unit in units)
