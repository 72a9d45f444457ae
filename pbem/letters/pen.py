"""What every letter writer needs: the club's name, the templates, and a map maker."""

from __future__ import annotations

from pathlib import Path

from pbem.letters.environment import environment
from pbem.maps.look import ThemeName
from pbem.maps.maker import MapMaker


class Pen(MapMaker):
    """A map maker that has words as well; open one for the life of a program."""

    def __init__(
        self,
        club: str = "pbem",
        overrides: Path | None = None,
        cache: Path | None = None,
        workers: int = 0,
        theme: ThemeName = "light",
    ) -> None:
        """``overrides``: the club's own templates; the rest is the map maker's."""
        self.club = club
        self.words = environment(overrides)
        super().__init__(self.words.markup, cache, workers, theme)
