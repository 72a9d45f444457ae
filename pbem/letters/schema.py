"""The published form of ``report.json``: a JSON schema per game, derived from the types of its view."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Mapping, Sequence, Set
from enum import Enum
from fractions import Fraction
from typing import Any

from jinja2 import TemplateError

from pbem.kit.dice import Roll
from pbem.kit.game import Game
from pbem.letters.environment import environment

SCHEMA_VERSION = 2
"""Grows when the form of a report changes so that old tools would misread it."""
DRAFT = "https://json-schema.org/draft/2020-12/schema"

Schema = dict[str, Any]


def schema_id(game: str) -> str:
    """Names a schema for good; a change of form is a new version."""
    return f"urn:pbem:report:{game}:{SCHEMA_VERSION}"


def report_schema(game: Game[Any, Any, Any]) -> Schema:
    """What every ``report.json`` of this game satisfies."""
    shapes = _Shapes()
    text, maybe_text = {"type": "string"}, {"type": ["string", "null"]}
    properties: Schema = {
        "schema": {"const": schema_id(game.slug)},
        "schema_version": {"const": SCHEMA_VERSION},
        "game": {"const": game.slug},
        "game_version": text,
        "campaign": text,
        "scenario": text,
        "seat": text,
        "side": text,
        "turn": {"type": "integer"},
        "phase": text,
        "deadline": {"type": ["string", "null"], "format": "date-time"},
        "commitment": {**text, "description": "SHA-256 of the secret behind the dice of the open phase"},
        "revealed": {**maybe_text, "description": "the secret behind the dice of the phase just resolved"},
        "events": {"type": "array", "items": _event(game.slug, shapes)},
        "gauges": shapes.of(Mapping[str, Mapping[str, float]]),
        "view": {**shapes.of(_view_type(game)), "description": "what the side knows now"},
    }
    return {
        "$schema": DRAFT,
        "$id": schema_id(game.slug),
        "title": f"{game.title}: a player's turn report",
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
        "$defs": shapes.named,
    }


def _view_type(game: Game[Any, Any, Any]) -> Any:
    try:
        return typing.get_type_hints(game.view).get("return", Any)
    except (NameError, TypeError):
        return Any


def _event(game: str, shapes: _Shapes) -> Schema:
    properties: Schema = {
        "kind": {"type": "string", "examples": event_kinds(game)},
        "rule": {"type": "string", "description": "id in the rule book"},
        "step": {"type": "string"},
        "facts": {"type": "object"},
        "rolls": {"type": "array", "items": shapes.of(Roll)},
    }
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def event_kinds(game: str) -> list[str]:
    """The kinds the game has words for."""
    try:
        module = environment().words.get_template(f"{game}/narrative.j2").module
    except TemplateError:
        return []
    names = [name for name in vars(module) if not name.startswith("_")]
    return sorted(name for name in names if name not in ("summary", "step_title") and callable(getattr(module, name)))


class _Shapes:
    """Schemas of types, as ``codec.plain`` writes their values; records are named once and referred to."""

    def __init__(self) -> None:
        self.named: Schema = {}

    def of(self, wanted: Any) -> Schema:
        origin, args = typing.get_origin(wanted), typing.get_args(wanted)
        if origin in (typing.Union, types.UnionType):
            return {"anyOf": [self.of(kind) for kind in args]}
        if origin is typing.Literal:
            return {"enum": list(args)}
        if origin is tuple and not (len(args) == 2 and args[1] is Ellipsis):
            return self._row(args)
        if origin in (tuple, list, set, frozenset, Sequence, Set):
            return {"type": "array", "items": self.of(args[0]) if args else {}}
        if origin in (dict, Mapping):
            return {"type": "object", "additionalProperties": self.of(args[1])}
        plain = origin if isinstance(origin, type) else wanted
        return self._plain(plain) if isinstance(plain, type) else {}

    def _plain(self, wanted: type) -> Schema:
        simple: dict[type, Schema] = {
            bool: {"type": "boolean"},
            int: {"type": "integer"},
            float: {"type": "number"},
            str: {"type": "string"},
            type(None): {"type": "null"},
            Fraction: {"type": "string", "pattern": r"^-?\d+/\d+$"},
        }
        if wanted in simple:
            return simple[wanted]
        if issubclass(wanted, Enum):
            return {"enum": [member.value for member in wanted]}
        if issubclass(wanted, tuple) and hasattr(wanted, "_fields"):
            return self._row(tuple(typing.get_type_hints(wanted)[name] for name in wanted._fields))
        return self._record(wanted) if dataclasses.is_dataclass(wanted) else {}

    def _row(self, kinds: Sequence[Any]) -> Schema:
        return {
            "type": "array",
            "prefixItems": [self.of(kind) for kind in kinds],
            "minItems": len(kinds),
            "maxItems": len(kinds),
        }

    def _record(self, wanted: Any) -> Schema:
        name = f"{wanted.__module__}.{wanted.__qualname__}"
        if name not in self.named:
            # Named before it is filled, as a record may hold others of its kind.
            self.named[name] = {}
            hints = typing.get_type_hints(wanted)
            fields = [field.name for field in dataclasses.fields(wanted)]
            self.named[name] = {
                "type": "object",
                "properties": {field: self.of(hints[field]) for field in fields},
                "required": fields,
                "additionalProperties": False,
            }
        return {"$ref": f"#/$defs/{name}"}
