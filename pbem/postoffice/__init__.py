"""The built-in mail servers, for the demo, the tests and a small club; their libraries are the extra ``postoffice``."""

from __future__ import annotations

from importlib.util import find_spec

LIBRARIES = ("aiosmtpd", "proxyprotocol", "pymap", "pysasl")
"""What the servers are built on; who has a real mail account needs none of it."""


def missing() -> tuple[str, ...]:
    """The libraries that are not installed here."""
    return tuple(name for name in LIBRARIES if find_spec(name) is None)
