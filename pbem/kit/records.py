"""One record for each thing: made straight from a file, changed by what is said, cut to what a reader may know.

A record that not everybody may know whole is split by audience through inheritance: the base class holds what all may
know, the class itself adds the rest. A view holds the base record of what its reader sees from outside, so reading a
hidden part of it is a type error.
"""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar

from pbem.kit.codec import BadData, build, did_you_mean

T = TypeVar("T")


def shared(kind: type[T], record: T) -> dict[str, Any]:
    """What the record has by this base class of it, for making another record on the same base."""
    return {field.name: getattr(record, field.name) for field in dataclasses.fields(kind)}  # type: ignore[arg-type]


def part(kind: type[T], record: T) -> T:
    """The record as far as this base class of it tells: ``part(SeenShip, ship)`` has nothing that is hidden."""
    return kind(**shared(kind, record))


def amended(record: T, said: Mapping[str, Any], where: str) -> T:
    """The record with the fields that a file or a moderator sets; an unknown key or a wrong value names its place."""
    kinds: dict[str, Any] = _field_types(type(record))  # type: ignore[arg-type]
    for key in said:
        if key not in kinds:
            raise BadData(f"{where}.{key}", f"no such key{did_you_mean(key, list(kinds))}")
    values = {key: build(kinds[key], value, f"{where}.{key}") for key, value in said.items()}
    try:
        return dataclasses.replace(record, **values)  # type: ignore[type-var]
    except BadData:
        raise
    except ValueError as error:
        raise BadData(where, str(error)) from error


@cache
def _field_types(kind: type) -> dict[str, Any]:
    hints = typing.get_type_hints(kind)
    return {field.name: hints[field.name] for field in dataclasses.fields(kind) if field.init}
