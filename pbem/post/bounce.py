"""Mail of ours that came back: a return address for each mail (VERP) and what the report on it says (RFC 3464).

The return address carries a seal, so that nobody can talk a seat into silence with made-up bounces.
"""

from __future__ import annotations

import email
import email.policy
import hashlib
import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from flufl.bounce import all_failures

from pbem.post import headers, letter

_SEAL_LENGTH = 16
_MARK = "b"
LARGEST_REPORT = 64 * 1024


@dataclass(frozen=True)
class BounceRef:
    """Which of our mails a return address stands for."""

    seat_id: int
    outgoing_id: int


@dataclass(frozen=True)
class Bounced:
    """A mail of ours did not arrive."""

    ref: BounceRef
    kind: Literal["temporary", "permanent"]
    addresses: tuple[str, ...]


def bounce_address(us: str, secret: bytes, seat_id: int, outgoing_id: int) -> str:
    """The envelope sender of one mail: ``robot+b.SEAT.MAIL.SEAL@club.example``."""
    box, _, domain = us.partition("@")
    return f"{box}+{_MARK}.{seat_id}.{outgoing_id}.{_seal(secret, seat_id, outgoing_id)}@{domain}"


def read_bounce_address(address: str, us: str, secret: bytes) -> BounceRef | None:
    """The mail a return address stands for; None: it is no return address of ours, or its seal is false."""
    box, _, domain = us.lower().partition("@")
    local, _, where = address.lower().partition("@")
    fields = local.removeprefix(f"{box}+").split(".")
    if where != domain or not local.startswith(f"{box}+") or len(fields) != 4 or fields[0] != _MARK:
        return None
    if not all(number.isascii() and number.isdigit() and len(number) <= 18 for number in fields[1:3]):
        return None
    ref = BounceRef(int(fields[1]), int(fields[2]))
    seal = _seal(secret, ref.seat_id, ref.outgoing_id)
    return ref if hmac.compare_digest(seal.encode(), fields[3].encode()) else None


def _seal(secret: bytes, seat_id: int, outgoing_id: int) -> str:
    return hmac.digest(secret, b"bounce|%d|%d" % (seat_id, outgoing_id), hashlib.sha256).hex()[:_SEAL_LENGTH]


def read_bounce(raw: bytes, us: str, secret: bytes) -> Bounced | None:
    """What a report on one of our mails says; None: it is none, or it tells of no failure.

    Only a mail to a sealed return address is looked at, and only its beginning: below stands our own mail again.
    """
    ref = bounced_ref(raw, us, secret)
    if ref is None:
        return None
    temporary, permanent = _failures(raw[:LARGEST_REPORT])
    if permanent:
        return Bounced(ref, "permanent", _sorted(permanent))
    return Bounced(ref, "temporary", _sorted(temporary)) if temporary else None


def _failures(raw: bytes) -> tuple[Iterable[bytes], Iterable[bytes]]:
    try:
        temporary, permanent = all_failures(email.message_from_bytes(raw, policy=email.policy.compat32))
    except Exception:
        # Some thirty detectors of the library meet whatever a stranger sends, and let its mistakes out as they come:
        # a report that none of them can read tells of no failure.
        return (), ()
    return temporary, permanent


def bounced_ref(raw: bytes, us: str, secret: bytes) -> BounceRef | None:
    """The mail of ours that a mail's recipients name, whatever else is in it."""
    block, _ = headers.split_block(raw[: letter.LARGEST])
    fields = headers.read_fields(block[: letter.LARGEST_HEADER], letter.MOST_HEADERS)
    for value in headers.values(fields, "delivered-to", "x-original-to", "envelope-to", "to"):
        for address in headers.read_addresses(value):
            if ref := read_bounce_address(address.address, us, secret):
                return ref
    return None


def _sorted(addresses: Iterable[bytes]) -> tuple[str, ...]:
    return tuple(sorted(headers.readable(address).lower() for address in addresses))
