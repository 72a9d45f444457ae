"""Scenario and situation files: a contest, or one question about the rules, written down as TOML."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from pbem.kit.codec import BadData, build


@dataclass(frozen=True)
class Trial:
    """The orders and dice a situation file brings along (table ``[try]``), so that one file is one whole question."""

    orders: Mapping[str, str] = field(default_factory=dict)
    """Side id to order text."""
    dice: tuple[int, ...] | None = None
    """Faces in the order the rule book draws them; None: none given."""


@dataclass(frozen=True)
class Scenario:
    """The opening of a game, or any later situation of it: a situation file is a scenario that sets more fields."""

    game: str
    """Slug of the game."""
    key: str
    title: str
    data: Mapping[str, Any]
    """All else the file says; the game decodes it and refuses unknown keys."""
    trial: Trial = Trial()


def parse_scenario(text: str, source: str) -> Scenario:
    """Read the text of a scenario file; ``source`` names it in errors."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadData(source, f"not valid TOML: {error}") from error
    head = {}
    for key in ("game", "key", "title"):
        value = table.pop(key, "" if key != "game" else None)
        if not isinstance(value, str):
            raise BadData(f"{source}: {key}", f'a text is needed, for example {key} = "fleet_action"')
        head[key] = value
    key = head["key"] or Path(source).stem
    trial = build(Trial, table.pop("try", {}), f"{source}: try")
    return Scenario(head["game"], key, head["title"] or key, table, trial)


def load_scenario(path: Path) -> Scenario:
    """Read a scenario or situation file from disk."""
    return parse_scenario(path.read_text(encoding="utf-8"), path.name)


def scenarios_of(slug: str) -> dict[str, Scenario]:
    """All scenarios a game ships, by key, in order of their file names."""
    folder = resources.files(package_of(slug)) / "scenarios"
    files = sorted((entry for entry in folder.iterdir() if entry.name.endswith(".toml")), key=lambda entry: entry.name)
    found = (parse_scenario(entry.read_text(encoding="utf-8"), entry.name) for entry in files)
    return {scenario.key: scenario for scenario in found}


def package_of(slug: str) -> str:
    """Where a game keeps its files: here, or in the package of whoever published it as an entry point."""
    for entry in entry_points(group="pbem.games", name=slug):
        return entry.module
    return f"games.{slug}"
