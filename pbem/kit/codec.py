"""Values to JSON and back; TOML to records, with unknown keys refused and every error naming its place."""

from __future__ import annotations

import dataclasses
import difflib
import json
import tomllib
import types
import typing
from collections.abc import Mapping, Sequence, Set
from enum import Enum
from fractions import Fraction
from functools import cache
from importlib import resources
from typing import Any, TypeVar, cast

T = TypeVar("T")


class BadData(ValueError):
    """A file or a stored value is not what it should be; says where and why."""

    def __init__(self, where: str, why: str) -> None:
        super().__init__(f"{where}: {why}")
        self.where = where
        self.why = why


# --- fields that came later ------------------------------------------------------------------------------------------


LATER = {"later": True}
"""Metadata of a field that records of earlier versions lack: it is not written while it has its default, so that those
records keep their bytes, and with them the digests of their turns."""


def _written(field: dataclasses.Field[Any], value: Any) -> bool:
    return "later" not in field.metadata or getattr(value, field.name) != field.default


# --- to JSON ---------------------------------------------------------------------------------------------------------


def plain(value: Any) -> Any:
    """The value as JSON knows it: records become objects, sets become sorted lists."""
    if value is None or (isinstance(value, bool | int | float | str) and not isinstance(value, Enum)):
        return value
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            field.name: plain(getattr(value, field.name))
            for field in dataclasses.fields(value)
            if _written(field, value)
        }
    if isinstance(value, Mapping):
        return {_key(key): plain(item) for key, item in value.items()}
    if isinstance(value, Set):
        return sorted((plain(item) for item in value), key=lambda item: json.dumps(item, sort_keys=True))
    if isinstance(value, Sequence):
        return [plain(item) for item in value]
    raise TypeError(f"{type(value).__name__} has no JSON form")


def _key(key: Any) -> str:
    key = key.value if isinstance(key, Enum) else key
    if isinstance(key, str):
        return key
    if isinstance(key, int):
        return str(key)
    raise TypeError(f"a mapping key must be a text or a number, not {type(key).__name__}")


def encode(value: Any) -> str:
    """Canonical JSON: the same value gives the same bytes on every machine."""
    return json.dumps(plain(value), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


# --- from JSON and TOML ----------------------------------------------------------------------------------------------


def decode(wanted: type[T], text: str) -> T:
    """The value of this type that ``encode`` wrote."""
    return cast(T, build(wanted, json.loads(text), wanted.__name__))


def load_toml(wanted: type[T], package: str, name: str) -> T:
    """Read a data file that ships with a game: ``load_toml(Units, "games.galleys", "units.toml")``."""
    text = (resources.files(package) / name).read_text(encoding="utf-8")
    return parse_toml(wanted, text, name)


def parse_toml(wanted: type[T], text: str, source: str) -> T:
    """Read TOML text into records; ``source`` names it in errors."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadData(source, f"not valid TOML: {error}") from error
    return cast(T, build(wanted, table, source))


def build(wanted: Any, given: Any, where: str) -> Any:
    """Make a value of the wanted type from plain data; refuse what does not fit."""
    origin = typing.get_origin(wanted)
    if wanted is Any:
        return given
    if wanted is object:
        return given
    if origin in (typing.Union, types.UnionType):
        return _build_union(typing.get_args(wanted), given, where)
    if origin is typing.Literal:
        return _one_of(typing.get_args(wanted), given, where)
    if origin in (tuple, list, frozenset, set) or origin in (Sequence, Set):
        return _build_series(origin, typing.get_args(wanted), given, where)
    if origin is dict or origin is Mapping:
        return _build_mapping(typing.get_args(wanted), given, where)
    if isinstance(origin, type) and dataclasses.is_dataclass(origin):
        return _build_record(origin, given, where)
    if isinstance(wanted, type):
        return _build_plain(wanted, given, where)
    raise TypeError(f"{where}: codec cannot build {wanted!r}")


def _build_plain(wanted: type, given: Any, where: str) -> Any:
    if dataclasses.is_dataclass(wanted):
        return _build_record(wanted, given, where)
    if issubclass(wanted, Enum):
        if isinstance(given, wanted):
            return given
        return wanted(_one_of([member.value for member in wanted], given, where))
    if wanted is Fraction and isinstance(given, int | str) and not isinstance(given, bool):
        return _fraction(given, where)
    if wanted is float and isinstance(given, int) and not isinstance(given, bool):
        return float(given)
    if issubclass(wanted, tuple) and hasattr(wanted, "_fields"):
        return _build_named_tuple(wanted, given, where)
    if wanted is type(None) and given is None:
        return None
    if type(given) is not wanted:
        raise BadData(where, f"{_spoken(wanted)} is needed, not {given!r}")
    return given


def _fraction(given: int | str, where: str) -> Fraction:
    try:
        return Fraction(given)
    except (ValueError, ZeroDivisionError) as error:
        raise BadData(where, f'a fraction such as "2/3" is needed, not {given!r}') from error


def _build_named_tuple(wanted: Any, given: Any, where: str) -> Any:
    fields = wanted._fields
    if not isinstance(given, list | tuple) or len(given) != len(fields):
        raise BadData(where, f"a list of {len(fields)} ({', '.join(fields)}) is needed, not {given!r}")
    kinds = _hints(wanted)
    return wanted(*(build(kinds[name], item, f"{where}.{name}") for name, item in zip(fields, given, strict=True)))


def _build_record(wanted: Any, given: Any, where: str) -> Any:
    if dataclasses.is_dataclass(given) and isinstance(given, wanted):
        return given
    if not isinstance(given, Mapping):
        raise BadData(where, f"a table is needed, not {given!r}")
    fields = {field.name: field for field in dataclasses.fields(wanted) if field.init}
    for key in given:
        if key not in fields:
            raise BadData(f"{where}.{key}", f"no such key{did_you_mean(key, list(fields))}")
    for name, field in fields.items():
        required = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        if required and name not in given:
            raise BadData(where, f"the key '{name}' is missing")
    kinds = _hints(wanted)
    values = {name: build(kinds[name], given[name], f"{where}.{name}") for name in fields if name in given}
    try:
        return wanted(**values)
    except BadData:
        raise
    except ValueError as error:
        raise BadData(where, str(error)) from error


@cache
def _hints(wanted: type) -> dict[str, Any]:
    return typing.get_type_hints(wanted)


def _build_series(origin: Any, args: tuple[Any, ...], given: Any, where: str) -> Any:
    if origin in (frozenset, Set, set) and isinstance(given, frozenset | set):
        given = sorted(given)
    if not isinstance(given, list | tuple):
        raise BadData(where, f"a list is needed, not {given!r}")
    if origin is tuple and not (len(args) == 2 and args[1] is Ellipsis):
        if len(given) != len(args):
            raise BadData(where, f"a list of {len(args)} is needed, not of {len(given)}")
        return tuple(build(kind, item, f"{where}[{n}]") for n, (kind, item) in enumerate(zip(args, given, strict=True)))
    items = (build(args[0], item, f"{where}[{n}]") for n, item in enumerate(given))
    if origin in (frozenset, Set, set):
        return frozenset(items)
    return list(items) if origin is list else tuple(items)


def _build_mapping(args: tuple[Any, ...], given: Any, where: str) -> dict[Any, Any]:
    if not isinstance(given, Mapping):
        raise BadData(where, f"a table is needed, not {given!r}")
    key_type, item_type = args
    return {_build_key(key_type, key, where): build(item_type, item, f"{where}.{key}") for key, item in given.items()}


def _build_key(wanted: Any, key: Any, where: str) -> Any:
    if wanted is int:
        try:
            return int(key)
        except ValueError as error:
            raise BadData(f"{where}.{key}", "a whole number is needed as key") from error
    return build(wanted, key, f"{where}.{key}")


def _build_union(kinds: tuple[Any, ...], given: Any, where: str) -> Any:
    """The first kind that fits; records are told apart by their keys, so the most telling error is kept."""
    if given is None and type(None) in kinds:
        return None
    kinds = tuple(kind for kind in kinds if kind is not type(None))
    errors: list[BadData] = []
    for kind in kinds:
        try:
            return build(kind, given, where)
        except BadData as error:
            errors.append(error)
    raise max(errors, key=lambda error: len(error.where))


def _one_of(allowed: Sequence[Any], given: Any, where: str) -> Any:
    for value in allowed:
        if value == given and type(value) is type(given):
            return value
    words = [str(value) for value in allowed]
    raise BadData(where, f"{given!r} is not one of {', '.join(words)}{did_you_mean(str(given), words)}")


def did_you_mean(word: str, words: Sequence[str]) -> str:
    """The end of a complaint about an unknown word: the nearest known one, or all of them."""
    close = difflib.get_close_matches(word, words, 1)
    return f"; did you mean '{close[0]}'?" if close else f"; known are {', '.join(sorted(words))}"


def _spoken(wanted: type) -> str:
    names = {int: "a whole number", float: "a number", str: "a text", bool: "true or false", type(None): "nothing"}
    return names.get(wanted, f"a {wanted.__name__}")


def same(value: T) -> T:
    """The value after a round trip through JSON; equal to it in a healthy game."""
    return decode(type(value), encode(value))
