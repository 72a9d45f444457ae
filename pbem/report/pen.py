"""What every letter writer needs: the templates, the map drawer and the club's name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from pbem.kit.scene import Diagram, Scene
from pbem.report.blocks import Picture
from pbem.report.content import MapSize
from pbem.report.drawer import Drawer
from pbem.report.environment import environment
from pbem.report.look import ThemeName
from pbem.report.sheets import SheetWriter
from pbem.report.svgmap import MapWriter


class Pen:
    """Open one for the life of a program; it keeps the caches and, if asked, a pool of processes."""

    def __init__(
        self,
        club: str = "pbem",
        overrides: Path | None = None,
        cache: Path | None = None,
        workers: int = 0,
        theme: ThemeName = "light",
    ) -> None:
        """``overrides``: the club's own templates; ``cache``: where rasterised backgrounds are kept;

        ``workers``: processes that draw, 0 draws in this one.
        """
        self.club = club
        self.theme: ThemeName = theme
        self.words = environment(overrides)
        self._maps = MapWriter(self.words.markup)
        self._sheets = SheetWriter(self.words.markup)
        self._drawer = Drawer(cache, workers)

    def draw(self, scene: Scene, size: MapSize = "large", theme: ThemeName | None = None) -> Picture:
        """The scene as a map; equal scenes give the same picture, drawn once."""
        return self._drawer.draw(self._maps.write(scene, size, theme or self.theme))

    def begin(self, scene: Scene, size: MapSize = "large", theme: ThemeName | None = None) -> None:
        """Let the pool start on a map that will be asked for; saves the wait where many players get one each."""
        if self._drawer.has_pool:
            self._drawer.begin(self._maps.write(scene, size, theme or self.theme))

    def draw_sheets(self, diagrams: Sequence[Diagram], theme: ThemeName | None = None) -> tuple[Picture, ...]:
        """Sheets, several on a picture; a pool draws the pictures side by side."""
        drawings = self._sheets.write(diagrams, theme or self.theme)
        for drawing in drawings:
            self._drawer.begin(drawing)
        return tuple(self._drawer.draw(drawing) for drawing in drawings)

    def close(self) -> None:
        self._drawer.close()

    def __enter__(self) -> Pen:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
