"""Mails of ours that came back: sealed return addresses, and the reports of RFC 3464."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.post.bounce import Bounced, BounceRef, bounce_address, read_bounce, read_bounce_address

US = "robot@club.example"
SECRET = b"s" * 32
RETURN = bounce_address(US, SECRET, 17, 204)
LETTERS = Path(__file__).parent / "mails"


def report(name: str, to: str = RETURN) -> bytes:
    raw = (LETTERS / f"{name}.eml").read_bytes()
    return raw.replace(b"robot+b.17.204.0123456789abcdef@club.example", to.encode())


@given(st.integers(0, 10**9), st.integers(0, 10**12))
def test_a_return_address_names_seat_and_mail(seat: int, mail: int) -> None:
    address = bounce_address(US, SECRET, seat, mail)

    assert read_bounce_address(address.upper(), US, SECRET) == BounceRef(seat, mail)
    assert len(address.partition("@")[0]) <= 64


@pytest.mark.parametrize(
    "address",
    [
        RETURN.replace(".204.", ".205."),
        RETURN.replace("robot+", "other+"),
        RETURN.replace("club.example", "evil.example"),
        "robot+b.17.204.@club.example",
        "robot+b.17.²04.0123456789abcdef@club.example",
        "robot@club.example",
        "",
    ],
)
def test_a_made_up_return_address_is_none_of_ours(address: str) -> None:
    assert read_bounce_address(address, US, SECRET) is None


@pytest.mark.parametrize(("name", "kind"), [("bounce-failed", "permanent"), ("bounce-delayed", "temporary")])
def test_rfc_3464_failed_and_delayed_are_told_apart(name: str, kind: Literal["permanent", "temporary"]) -> None:
    found = read_bounce(report(name), US, SECRET)

    assert found == Bounced(BounceRef(17, 204), kind, ("ann@mail.example",))


@pytest.mark.parametrize("name", ["bounce-delivered", "read-receipt"])
def test_good_news_is_no_bounce(name: str) -> None:
    assert read_bounce(report(name), US, SECRET) is None


def test_a_forged_bounce_silences_nobody() -> None:
    assert read_bounce((LETTERS / "bounce-failed.eml").read_bytes(), US, SECRET) is None


def test_a_report_nested_beyond_measure_tells_of_nothing() -> None:
    raw = f"To: {RETURN}\r\n".encode() + b"Content-Type: message/rfc822\r\n\r\n" * 5000

    assert read_bounce(raw, US, SECRET) is None


@settings(max_examples=40, deadline=None)
@given(st.binary(max_size=300))
def test_no_report_makes_the_reader_raise(body: bytes) -> None:
    read_bounce(b"To: " + RETURN.encode() + b"\nContent-Type: multipart/report; boundary=b\n\n--b\n" + body, US, SECRET)
