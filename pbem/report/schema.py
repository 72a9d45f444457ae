"""The published form of ``report.json``: a JSON schema per game, derived from the types of its view."""

from __future__ import annotations

SCHEMA_VERSION = 1


def schema_id(game: str) -> str:
    """Names a schema for good; a change of form is a new version."""
    return f"urn:pbem:report:{game}:{SCHEMA_VERSION}"
