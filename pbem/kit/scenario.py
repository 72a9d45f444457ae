"""Scenario and situation files: a contest, or one question about the rules, written down as TOML."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pbem.kit.codec import BadData, build
from pbem.kit.package import home_of


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
    formerly: tuple[str, ...] = ()
    """Keys it had before; they still open it."""


class Scenarios(dict[str, Scenario]):
    """The scenarios of a game by key, in order of their file names; a former key opens what it opened."""

    def __missing__(self, key: str) -> Scenario:
        for scenario in self.values():
            if key in scenario.formerly:
                return scenario
        raise KeyError(key)


class UnknownScenario(LookupError):
    """A game has no scenario of that key."""


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
    formerly = build(tuple[str, ...], table.pop("formerly", ()), f"{source}: formerly")
    return Scenario(head["game"], key, head["title"] or key, table, trial, formerly)


def load_scenario(path: Path) -> Scenario:
    """Read a scenario or situation file from disk."""
    return parse_scenario(path.read_text(encoding="utf-8"), path.name)


def scenarios_of(slug: str) -> Scenarios:
    """All scenarios a game brings along."""
    home = home_of(slug)
    read = (load_scenario(file) for file in (home.files("scenarios", ".toml") if home else ()))
    return Scenarios((scenario.key, scenario) for scenario in read)


def scenario_of(slug: str, key: str) -> Scenario:
    """The scenario of this key, present or former."""
    scenarios = scenarios_of(slug)
    try:
        return scenarios[key]
    except KeyError:
        raise UnknownScenario(f"{slug} has no scenario '{key}'; it has {', '.join(scenarios) or 'none'}") from None
