"""Who may write to the desk: tokens, senders, authentication and loops, decided from a `Letter` alone.

A token proves the seat; the address a letter claims to come from only confirms it. What a stranger sends is never
answered, so that nobody can make the robot write to somebody else.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import authres

from pbem.post.headers import LONGEST_VALUE
from pbem.post.letter import Letter

TOKEN_LENGTH = 12
_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's: no i, l, o, u; what a player misreads is read back as what was meant."""
_MISREAD = str.maketrans({"i": "1", "l": "1", "o": "0"})
_WORD = re.compile(r"(?<![0-9A-Za-z])[0-9A-Za-z]{12}(?![0-9A-Za-z])")
_MOST_TOKENS = 8
_LEAST_DIGITS = 2

Authenticity = Literal["pass", "fail", "unknown"]


@dataclass(frozen=True)
class SeatRef:
    """What the gate must know about a seat."""

    seat_id: int
    campaign_id: int
    addresses: tuple[str, ...]
    """Registered addresses, lower-case; answers go to the first."""
    phase_id: int | None = None
    """The phase the token was made for; None: found by the sender alone."""
    token: str = ""
    """As stored; compared in constant time."""


@dataclass(frozen=True)
class Policy:
    """How strict the club is."""

    trusted_authserv: str | None = None
    """The authserv-id our own mail server writes into Authentication-Results; None: it writes none."""
    other_addresses: Literal["refuse", "accept"] = "refuse"
    """What to do with a good token from an unregistered address: the seat's owner is told either way."""


@dataclass(frozen=True)
class Admitted:
    """The letter may be read as the words of one of these seats."""

    seats: tuple[SeatRef, ...]
    """One seat where a token named it; all of the sender's where none did."""
    token: str
    """``""``: admitted by the sender's authenticated address."""
    verified: bool
    """The sender's own domain vouched for the address."""


@dataclass(frozen=True)
class TurnedAway:
    """The letter is not read."""

    reason: str
    answer: bool
    """A refusal may be sent, and only to `seat`'s registered address."""
    seat: SeatRef | None = None
    hint: str = ""


# --- tokens ----------------------------------------------------------------------------------------------------------


def new_token(secret: bytes, seat_id: int, phase_id: int) -> str:
    """Twelve letters and digits (60 bits) that only the holder of the secret can make; the same for the same phase."""
    for attempt in range(1000):
        digest = hmac.digest(secret, b"token|%d|%d|%d" % (seat_id, phase_id, attempt), hashlib.sha256)
        token = "".join(_ALPHABET[byte & 31] for byte in digest[:TOKEN_LENGTH])
        if _looks_like_token(token):
            return token
    raise AssertionError("a thousand digests without two digits and two letters")


def read_token(text: str) -> str:
    """A token as stored, from what a player typed."""
    return text.strip().lower().translate(_MISREAD)


def same_token(token: str, other: str) -> bool:
    """Compared in constant time, so that answers do not tell how much of a guess was right."""
    return hmac.compare_digest(read_token(token).encode(), read_token(other).encode())


def tokens_in(letter: Letter, address: str) -> tuple[str, ...]:
    """What may be a token, in this order: plus-addresses of ours, the subject, the sender's own words."""
    box, _, domain = address.lower().partition("@")
    tags = [local.partition("+")[2] for local in _locals_at(letter.recipients, domain) if local.startswith(f"{box}+")]
    words = [word for text in (*tags, letter.subject, letter.own_text) for word in _words_of(text)]
    return tuple(dict.fromkeys(words))[:_MOST_TOKENS]


def _locals_at(addresses: Sequence[str], domain: str) -> list[str]:
    return [local for local, _, where in (address.partition("@") for address in addresses) if where == domain]


def _words_of(text: str) -> list[str]:
    words = [read_token(word) for word in _WORD.findall(text)]
    return [word for word in words if _looks_like_token(word)]


def _looks_like_token(word: str) -> bool:
    digits = sum(c.isdigit() for c in word)
    return _LEAST_DIGITS <= digits <= TOKEN_LENGTH - 2 and all(c in _ALPHABET for c in word)


# --- authentication --------------------------------------------------------------------------------------------------


def authenticated(letter: Letter, trusted_authserv: str | None) -> Authenticity:
    """RFC 8601: what our own server found out about the sender's domain.

    Only the topmost header counts, and only if it carries our id: everything below it came with the mail, and its
    sender may have written it.
    """
    if trusted_authserv is None or not letter.authentication:
        return "unknown"
    try:
        header = authres.AuthenticationResultsHeader.parse_value(letter.authentication[0][:LONGEST_VALUE])
    except (authres.AuthResError, RecursionError, ValueError):
        return "unknown"
    if (header.authserv_id or "").lower() != trusted_authserv.lower():
        return "unknown"
    authenticity = _authenticity(header.results, letter.sender.partition("@")[2])
    return "unknown" if authenticity == "pass" and letter.partly_signed else authenticity


def _authenticity(results: Sequence[authres.AuthenticationResult], domain: str) -> Authenticity:
    """DMARC decides where it is given; else a DKIM signature of the sender's very domain; SPF alone proves nothing."""
    for result in results:
        if result.method == "dmarc":
            return "pass" if result.result == "pass" else "fail" if result.result == "fail" else "unknown"
    for result in results:
        if result.method == "dkim" and result.result == "pass" and _signed_by(result) == domain:
            return "pass"
    return "unknown"


def _signed_by(result: authres.AuthenticationResult) -> str:
    return next((str(p.value).lower() for p in result.properties if (p.type, p.name) == ("header", "d")), "")


# --- the gate --------------------------------------------------------------------------------------------------------


def why_loop(letter: Letter, us: str) -> str | None:
    """RFC 3834: a reason to stay silent, whoever it seems to be from; None: there is none."""
    if letter.automatic:
        return f"sent by a machine: {letter.automatic}"
    if us.lower() in letter.loop_marks:
        return "it passed through us before"
    if is_ours(letter.sender, us):
        return "it comes from ourselves"
    return None


def is_ours(address: str, us: str) -> bool:
    """Our own address, with or without a plus-tag."""
    box, _, domain = us.lower().partition("@")
    local, _, where = address.lower().partition("@")
    return where == domain and local.partition("+")[0] == box


def admit(
    letter: Letter,
    us: str,
    seat_of_token: Callable[[str], SeatRef | None],
    seats_of_sender: Callable[[str], Sequence[SeatRef]],
    policy: Policy | None = None,
) -> Admitted | TurnedAway:
    """Whose words these are, or why nobody's."""
    policy = policy or Policy()
    if looping := why_loop(letter, us):
        return TurnedAway(looping, answer=False)
    authenticity = authenticated(letter, policy.trusted_authserv)
    sender_seats = tuple(seats_of_sender(letter.sender))
    for token in tokens_in(letter, us):
        seat = seat_of_token(token)
        if seat is not None and same_token(seat.token or token, token):
            return _by_token(letter, seat, token, authenticity, sender_seats, policy)
    return _by_sender(letter, sender_seats, authenticity)


def _by_token(
    letter: Letter,
    seat: SeatRef,
    token: str,
    authenticity: Authenticity,
    sender_seats: tuple[SeatRef, ...],
    policy: Policy,
) -> Admitted | TurnedAway:
    if authenticity == "fail":
        reason = f"our mail server found that {letter.sender} did not send it (DMARC)"
        return TurnedAway(reason, answer=True, seat=seat, hint="send it through your provider's own server")
    if letter.sender in seat.addresses:
        return Admitted((seat,), token, verified=authenticity == "pass")
    if any(other.campaign_id == seat.campaign_id for other in sender_seats):
        reason = f"the token belongs to another seat of the campaign than {letter.sender}"
        return TurnedAway(reason, answer=True, seat=seat, hint="use the token of your own letter")
    if policy.other_addresses == "accept":
        return Admitted((seat,), token, verified=False)
    reason = f"it carries your token but came from {letter.sender}, which is not registered for your seat"
    return TurnedAway(reason, answer=True, seat=seat, hint=f"write from {seat.addresses[0]}" if seat.addresses else "")


def _by_sender(letter: Letter, sender_seats: tuple[SeatRef, ...], authenticity: Authenticity) -> Admitted | TurnedAway:
    if not sender_seats:
        return TurnedAway(f"nobody here is known as {letter.sender}", answer=False)
    if authenticity == "pass":
        return Admitted(sender_seats, "", verified=True)
    if authenticity == "fail":
        return TurnedAway(f"our mail server found that {letter.sender} did not send it (DMARC)", answer=False)
    reason = "it carries no token that is known here"
    return TurnedAway(reason, answer=True, seat=sender_seats[0], hint="reply to the last letter you had from us")
