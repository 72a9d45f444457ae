"""A new game to start from: the skeleton, a whole small game, under another name."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import games
import pbem
from pbem.kit.package import SHARED_TEMPLATES

PLACEHOLDER = "skirmish"
PREFIX = "SK"
"""Of the rule ids in the skeleton's rule book."""
NAME = re.compile(r"[a-z][a-z0-9_]{1,23}")
TAKEN_BY_THE_SKELETON = frozenset({"tests"})
CACHES = frozenset({"__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache"})


class BadName(ValueError):
    """No game can be called that; says why, and what would do."""


def new_game(name: str, folder: Path) -> tuple[Path, ...]:
    """Write the skeleton under this name into a folder that is not there yet; the files written."""
    check_name(name)
    if folder.exists():
        raise FileExistsError(17, "is already there", str(folder))
    written = []
    for source in skeleton_files():
        target = folder / renamed(source.relative_to(skeleton()).as_posix(), name)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(renamed(source.read_text(encoding="utf-8"), name), encoding="utf-8")
        written.append(target)
    return tuple(written)


def check_name(name: str) -> None:
    """A game is a Python package and a folder of templates, so its name must be free for both."""
    if not NAME.fullmatch(name):
        like = re.sub(r"\W+", "_", name.strip().lower(), flags=re.ASCII).strip("_")
        hint = f"; would '{like}' do?" if NAME.fullmatch(like) else ""
        form = "2 to 24 small letters, digits and underscores, a letter first"
        raise BadName(f"'{name}' cannot be the name of a game: it must be {form}{hint}")
    if keyword.iskeyword(name) or keyword.issoftkeyword(name):
        raise BadName(f"'{name}' is a word of Python itself; choose another name")
    if name in games.slugs():
        raise BadName(f"there is already a game called '{name}'; installed are {', '.join(games.slugs())}")
    if name in SHARED_TEMPLATES | TAKEN_BY_THE_SKELETON:
        raise BadName(f"'{name}' is the name of a folder that pbem uses itself; choose another name")
    if find_spec(name) is not None:
        raise BadName(f"there is already a Python package called '{name}'; choose another name")


def skeleton() -> Path:
    """The templates stand inside the installed package, or at the top of the checkout."""
    package = Path(pbem.__file__).parent
    installed = package / "templates"
    return (installed if installed.is_dir() else package.parent / "templates") / "game"


def skeleton_files() -> Iterator[Path]:
    """What a new game is made of; not what tools have left behind."""
    for path in sorted(skeleton().rglob("*")):
        if path.is_file() and not CACHES & set(path.relative_to(skeleton()).parts):
            yield path


def renamed(text: str, name: str) -> str:
    """A text of the skeleton as one of the new game's: its name, its title, its rule ids."""
    prefix = prefix_of(name)
    text = re.sub(rf"\b{PLACEHOLDER}\b", name, text)
    text = re.sub(rf"\b{PLACEHOLDER.capitalize()}\b", title_of(name), text)
    text = re.sub(rf"\b{PREFIX}-(?=[A-Z]+-\d)", f"{prefix}-", text)
    return re.sub(rf"\btest_{PREFIX.lower()}_", f"test_{prefix.lower()}_", text)


def title_of(name: str) -> str:
    """``star_raiders`` is Star Raiders."""
    return " ".join(word.capitalize() for word in name.split("_") if word)


def prefix_of(name: str) -> str:
    """Two capitals for the rule ids: the first letters of two words, or of the one word there is."""
    words = [letters for word in name.split("_") if (letters := re.sub(r"\d", "", word))]
    letters = words[0][0] + words[1][0] if len(words) > 1 else words[0][:2]
    return (letters * 2)[:2].upper()
