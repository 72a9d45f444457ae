"""pbem as others have it: a wheel in an environment of its own, and a folder far from the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent

SETTINGS = """
[club]
name = "Club"
address = "robot@club.example"
[imap]
host = "127.0.0.1"
port = {imap}
encryption = "none"
user = "robot"
password = "secret"
[smtp]
host = "127.0.0.1"
port = {smtp}
encryption = "none"
user = "robot"
password = "secret"
"""


@dataclass(frozen=True)
class Installed:
    """An environment with pbem in it, and a folder far from the checkout."""

    bin: Path
    folder: Path

    def run(self, *words: str | Path) -> subprocess.CompletedProcess[str]:
        return run_in(self.folder, self.bin / "pbem", *words)

    def says(self, *words: str | Path) -> str:
        return said(self.run(*words))

    def install(self, *wanted: str | Path) -> None:
        uv = (sys.executable, "-m", "uv", "pip", "install", "--python", self.bin / "python")
        said(run_in(self.folder, *uv, *wanted, "-c", ROOT / "requirements-dev.lock"))


def new_environment(folder: Path, *wanted: str | Path) -> Installed:
    """An empty environment with these packages, as of the lock file."""
    said(run_in(folder, sys.executable, "-m", "venv", folder / "venv"))
    installed = Installed(folder / "venv" / "bin", folder)
    installed.install(*wanted)
    return installed


def built_wheel(source: Path, folder: Path) -> Path:
    """The wheel of a project, in a folder that holds no other."""
    said(run_in(folder, sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, source))
    return next(folder.glob("*.whl"))


def run_in(folder: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, cwd=folder, env=clean(), capture_output=True, text=True, check=False)


def said(finished: subprocess.CompletedProcess[str]) -> str:
    assert finished.returncode == 0, finished.stdout + finished.stderr
    return finished.stdout


def clean() -> dict[str, str]:
    return {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "VIRTUAL_ENV"))}
