"""Where a game's files lie: with ours, or in the package of whoever published it under the entry point ``pbem.games``.

Nothing is imported to find them, so that a broken game of somebody else costs nobody but itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path

OURS = "games"
GROUP = "pbem.games"
SHARED_TEMPLATES = frozenset({"game", "mail", "map"})
"""Folders of templates that the letters of all games are made from; no game can bear such a name."""


@dataclass(frozen=True)
class Home:
    """The package of a game."""

    package: str
    """``games.galleys``, ``club_rafts``."""
    folder: Path

    @property
    def templates(self) -> Path:
        """What a game from outside brings along; the words of ours stand with the other templates."""
        return self.folder / "templates"

    def files(self, folder: str, ending: str) -> tuple[Path, ...]:
        """The files of this kind in one of its folders, by name; none where it has no such folder."""
        return tuple(sorted((self.folder / folder).glob(f"*{ending}")))


@cache
def published() -> dict[str, EntryPoint]:
    """The games of others by slug, as they were when the program started; a name of ours is not theirs to take."""
    found = sorted(entry_points(group=GROUP), key=lambda entry: entry.name)
    return {entry.name: entry for entry in found if entry.name not in SHARED_TEMPLATES and not is_ours(entry.name)}


def is_ours(slug: str) -> bool:
    """Whether a game of this slug ships with pbem."""
    return slug.isidentifier() and (_home(OURS).folder / slug / "__init__.py").is_file()


def home_of(slug: str) -> Home | None:
    """The package of an installed game; None: there is no such game, or it is a single module and has no files."""
    if is_ours(slug):
        return _home(f"{OURS}.{slug}")
    entry = published().get(slug)
    try:
        return _home(entry.module) if entry else None
    except ModuleNotFoundError:
        return None


def rule_book(slug: str) -> str | None:
    """The player's rule book; None: the game has none."""
    home = home_of(slug)
    book = home.folder / "rules.md" if home else None
    return book.read_text(encoding="utf-8") if book and book.is_file() else None


def _home(module: str) -> Home:
    """The package itself, or the one that the module stands in."""
    top, *parts = module.split(".")
    try:
        spec = find_spec(top)
    except ValueError:
        # A module that somebody put into ``sys.modules`` by hand says nothing of where it comes from.
        spec = None
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(f"there is no package '{top}'", name=top)
    package, folder = top, Path(next(iter(spec.submodule_search_locations)))
    for part in parts:
        if not (folder / part).is_dir():
            break
        package, folder = f"{package}.{part}", folder / part
    return Home(package, folder)
