"""Speed and memory, printed and never asserted: runs ``main`` of each module here, or of those that are named."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path


def run(names: list[str]) -> None:
    found = sorted(path.stem for path in Path(__file__).parent.glob("*.py") if not path.stem.startswith("_"))
    for name in names or found:
        sys.stdout.write(f"== {name}\n")
        sys.stdout.flush()
        import_module(f"tests.bench.{name}").main()


if __name__ == "__main__":
    run(sys.argv[1:])
