"""Options and fixtures that every test folder shares."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

import games
from pbem.kit.package import published

# A loaded machine is slow, not wrong. On the build server the same examples come every time, so that a change is judged
# by what it changed; at home they differ from run to run, and what they find becomes a test of its own.
settings.register_profile("home", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "home")

GOLDEN = Path(__file__).parent / "golden"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="write the golden stories anew; review them in the diff"
    )


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compare a text with a golden file, or write it with ``--update-golden``."""

    def compare(name: str, text: str) -> None:
        path = GOLDEN / name
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.is_file(), f"no golden file {name}; write it with --update-golden and review it"
        assert text == path.read_text(encoding="utf-8")

    return compare


# --- games of others --------------------------------------------------------------------------------------------------

Publish = Callable[..., Path]


def forget() -> None:
    """As a program that has just started."""
    games.game.cache_clear()
    published.cache_clear()


@pytest.fixture
def publish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Publish]:
    """Installs a package that publishes a game, and gives its folder."""
    site = tmp_path / "site"
    site.mkdir()
    monkeypatch.syspath_prepend(str(site))
    made: list[str] = []

    def installed(package: str, code: str, slug: str, entry: str = "") -> Path:
        folder = site / package
        folder.mkdir()
        (folder / "__init__.py").write_text(code)
        facts = site / f"{package}-1.0.dist-info"
        facts.mkdir()
        (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        (facts / "entry_points.txt").write_text(f"[pbem.games]\n{slug} = {entry or f'{package}:GAME'}\n")
        made.append(package)
        forget()
        return folder

    yield installed
    forget()
    for module in [name for name in sys.modules if name.split(".")[0] in made]:
        del sys.modules[module]
