"""The map maker: scenes and diagrams to pictures, equal ones drawn once."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from jinja2 import Environment

from pbem.kit.scene import Diagram, Scene
from pbem.maps.diagrams import DiagramWriter
from pbem.maps.drawer import Drawer, Picture
from pbem.maps.frame import MapSize
from pbem.maps.look import ThemeName
from pbem.maps.svgmap import MapWriter


class MapMaker:
    """Open one for the life of a program; it keeps the caches and, if asked, a pool of processes."""

    def __init__(
        self, markup: Environment, cache: Path | None = None, workers: int = 0, theme: ThemeName = "light"
    ) -> None:
        """``markup``: the templates, escaping; ``cache``: where rasterised backgrounds are kept;

        ``workers``: processes that draw, 0 draws in this one.
        """
        self.theme: ThemeName = theme
        self._maps = MapWriter(markup)
        self._diagrams = DiagramWriter(markup)
        self._drawer = Drawer(cache, workers)

    def draw(self, scene: Scene, size: MapSize = "large", theme: ThemeName | None = None) -> Picture:
        """The scene as a map; equal scenes give the same picture, drawn once."""
        return self._drawer.draw(self._maps.write(scene, size, theme or self.theme))

    def begin(self, scene: Scene, size: MapSize = "large", theme: ThemeName | None = None) -> None:
        """Let the pool start on a map that will be asked for; saves the wait where many players get one each."""
        if self._drawer.has_pool:
            self._drawer.begin(self._maps.write(scene, size, theme or self.theme))

    def draw_diagrams(self, diagrams: Sequence[Diagram], theme: ThemeName | None = None) -> tuple[Picture, ...]:
        """Diagrams, several on a picture; a pool draws the pictures side by side."""
        drawings = self._diagrams.write(diagrams, theme or self.theme)
        for drawing in drawings:
            self._drawer.begin(drawing)
        return tuple(self._drawer.draw(drawing) for drawing in drawings)

    def close(self) -> None:
        self._drawer.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
