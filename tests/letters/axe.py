"""axe-core, the accessibility checker, fetched once with npm into the user's cache; never part of this repository."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from platformdirs import user_cache_path

VERSION = "4.10.3"
PATIENCE = 90
"""Seconds to wait for npm."""


def axe_script() -> Path | None:
    """The script to load into a page; None where npm is absent or cannot fetch it."""
    kept = user_cache_path("pbem-tests") / f"axe-core-{VERSION}.min.js"
    if kept.is_file():
        return kept
    npm = shutil.which("npm")
    return _fetched(npm, kept) if npm else None


def _fetched(npm: str, kept: Path) -> Path | None:
    options = ["--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--fetch-retries=0", "--fetch-timeout=20000"]
    with tempfile.TemporaryDirectory() as folder:
        command = [npm, "install", *options, "--prefix", folder, f"axe-core@{VERSION}"]
        try:
            subprocess.run(command, check=True, timeout=PATIENCE, capture_output=True)
        except (subprocess.SubprocessError, OSError):
            return None
        script = Path(folder) / "node_modules" / "axe-core" / "axe.min.js"
        kept.parent.mkdir(parents=True, exist_ok=True)
        # Moved into place at once, as several test processes may fetch it together.
        aside = kept.with_suffix(f".{Path(folder).name}")
        shutil.copyfile(script, aside)
        aside.replace(kept)
    return kept
