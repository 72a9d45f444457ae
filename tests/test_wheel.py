"""What ``pip install`` gives works outside the checkout: templates, games and their data ship in the wheel."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.server
def test_the_wheel_runs_the_demo_from_another_folder(tmp_path: Path) -> None:
    def done(*words: str | Path) -> str:
        environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "VIRTUAL_ENV"))}
        finished = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert finished.returncode == 0, finished.stdout + finished.stderr
        return finished.stdout

    done(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", tmp_path / "dist", ROOT)
    wheel = next((tmp_path / "dist").glob("pbem-*.whl"))
    done(sys.executable, "-m", "venv", tmp_path / "venv")
    python = tmp_path / "venv" / "bin" / "python"
    done(sys.executable, "-m", "uv", "pip", "install", "--python", python, wheel, "-c", ROOT / "requirements.lock")

    pbem = tmp_path / "venv" / "bin" / "pbem"
    said = done(pbem, "demo", "--turns", "1")

    assert "all proved" in said
    assert "fa-tutorial" in done(pbem, "games")
