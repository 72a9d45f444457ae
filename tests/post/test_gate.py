"""Who is admitted, who is answered, and who is met with silence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.post.gate import (
    Admitted,
    Policy,
    SeatRef,
    TurnedAway,
    admit,
    authenticated,
    is_ours,
    new_token,
    read_token,
    same_token,
    tokens_in,
)
from pbem.post.letter import Letter, read_letter

US = "robot@club.example"
SECRET = b"s" * 32
ANN_TOKEN = new_token(SECRET, 1, 7)
BOB_TOKEN = new_token(SECRET, 2, 7)
ANN = SeatRef(1, 100, ("ann@mail.example", "ann@work.example"), 7, ANN_TOKEN)
BOB = SeatRef(2, 100, ("bob@mail.example",), 7, BOB_TOKEN)
STRICT = Policy(trusted_authserv="mx.club.example")
LETTERS = Path(__file__).parent / "mails"


def seat_of_token(token: str) -> SeatRef | None:
    return {ANN_TOKEN: ANN, BOB_TOKEN: BOB}.get(token)


def seats_of_sender(address: str) -> Sequence[SeatRef]:
    return [replace(seat, phase_id=None, token="") for seat in (ANN, BOB) if address in seat.addresses]


def letter(sender: str = "ann@mail.example", to: str = US, *fields: str, subject: str = "Re: Turn 4") -> Letter:
    lines = [*fields, f"From: {sender}", f"To: {to}", f"Subject: {subject}", "Message-ID: <1@mail.example>"]
    found = read_letter(("\n".join(lines) + "\n\nspeed 8\n").encode())
    assert isinstance(found, Letter)
    return found


def at_gate(mail: Letter, policy: Policy | None = None) -> Admitted | TurnedAway:
    return admit(mail, US, seat_of_token, seats_of_sender, policy)


def plus(token: str) -> str:
    return f"robot+{token}@club.example"


# --- tokens ----------------------------------------------------------------------------------------------------------


@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_a_token_reads_back_in_any_case_and_despite_likely_misreadings(seat: int, phase: int) -> None:
    token = new_token(SECRET, seat, phase)

    assert len(token) == 12
    assert not set(token) & set("ilou")
    assert same_token(token.upper().replace("0", "O").replace("1", "l"), token)


def test_a_token_is_bound_to_seat_phase_and_secret() -> None:
    tokens = {new_token(secret, seat, phase) for secret in (b"a", b"b") for seat in (1, 2) for phase in (1, 2)}

    assert len(tokens) == 8


def test_tokens_are_looked_for_in_plus_address_subject_and_own_words_in_this_order() -> None:
    one, two, three = (new_token(SECRET, seat, 9) for seat in (1, 2, 3))
    mail = replace(letter(to=plus(one), subject=f"[{two.upper()}] orders"), own_text=f"orders {three}\nspeed 8")

    assert tokens_in(mail, US) == (one, two, three)


def test_words_and_addresses_of_others_are_no_tokens() -> None:
    mail = letter(
        to=f"other+{ANN_TOKEN}@club.example, robot+{ANN_TOKEN}@elsewhere.example", subject="MANOEUVRABLE 123456789012"
    )

    assert tokens_in(mail, US) == ()


def test_a_flood_of_token_like_words_costs_eight_look_ups() -> None:
    words = " ".join(new_token(SECRET, seat, 1) for seat in range(500))
    asked: list[str] = []

    admit(replace(letter(), own_text=words), US, lambda token: asked.append(token), seats_of_sender)

    assert len(asked) == 8


def test_read_token_folds_what_a_player_typed() -> None:
    assert read_token("  O1lI7K ") == "01117k"


# --- the gate --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sender", ["ann@mail.example", "Ann <ANN@Work.Example>"])
def test_a_players_token_from_a_registered_address_is_admitted(sender: str) -> None:
    assert at_gate(letter(sender, plus(ANN_TOKEN))) == Admitted((ANN,), ANN_TOKEN, verified=False)


def test_the_token_of_another_player_is_refused_and_its_owner_told() -> None:
    turned = at_gate(letter("bob@mail.example", plus(ANN_TOKEN)))

    assert isinstance(turned, TurnedAway)
    assert (turned.answer, turned.seat) == (True, ANN)
    assert turned.reason == "the token belongs to another seat of the campaign than bob@mail.example"


def test_a_good_token_from_an_unknown_address_is_refused_unless_the_club_says_otherwise() -> None:
    mail = letter("ann@holiday.example", plus(ANN_TOKEN))

    turned = at_gate(mail)

    assert isinstance(turned, TurnedAway)
    assert (turned.answer, turned.seat, turned.hint) == (True, ANN, "write from ann@mail.example")
    assert at_gate(mail, Policy(other_addresses="accept")) == Admitted((ANN,), ANN_TOKEN, verified=False)


def test_a_stranger_gets_no_answer() -> None:
    assert at_gate(letter("eve@other.example")) == TurnedAway("nobody here is known as eve@other.example", answer=False)


def test_a_player_without_a_token_is_told_how_to_reply() -> None:
    turned = at_gate(letter())

    assert isinstance(turned, TurnedAway)
    assert (turned.answer, turned.hint) == (True, "reply to the last letter you had from us")
    assert turned.seat is not None
    assert turned.seat.seat_id == 1


def test_a_display_name_that_looks_like_a_players_address_is_a_strangers() -> None:
    turned = at_gate(letter('"ann@mail.example" <eve@other.example>'))

    assert turned == TurnedAway("nobody here is known as eve@other.example", answer=False)


@pytest.mark.parametrize(
    ("field", "reason"),
    [
        ("Auto-Submitted: auto-replied", "sent by a machine: Auto-Submitted: auto-replied"),
        ("Return-Path: <>", "sent by a machine: empty return path"),
        ("List-Id: <x.example>", "sent by a machine: it carries list-id"),
        ("X-Loop: Robot@club.example", "it passed through us before"),
    ],
)
def test_rfc_3834_machines_are_never_answered_even_with_a_good_token(field: str, reason: str) -> None:
    assert at_gate(letter("ann@mail.example", plus(ANN_TOKEN), field)) == TurnedAway(reason, answer=False)


@pytest.mark.parametrize("sender", [US, "robot+x@club.example", "ROBOT@CLUB.example"])
def test_our_own_mail_coming_back_is_never_answered(sender: str) -> None:
    assert at_gate(letter(sender, plus(ANN_TOKEN))) == TurnedAway("it comes from ourselves", answer=False)


def test_two_robots_that_answer_each_other_exchange_one_mail_each_way() -> None:
    """Their answer to ours is automatic, and ours to theirs never leaves."""
    theirs = letter("ann@mail.example", plus(ANN_TOKEN))
    assert isinstance(at_gate(theirs), Admitted)

    again = letter("ann@mail.example", plus(ANN_TOKEN), "Auto-Submitted: auto-replied")
    assert at_gate(again) == TurnedAway("sent by a machine: Auto-Submitted: auto-replied", answer=False)


def test_is_ours_needs_the_whole_domain() -> None:
    assert not is_ours("robot@evil.club.example", US)
    assert not is_ours("robot2@club.example", US)


# --- authentication --------------------------------------------------------------------------------------------------


def with_results(*values: str, more: str = "X: y") -> Letter:
    return letter("ann@mail.example", US, *(f"Authentication-Results: {value}" for value in values), more)


@pytest.mark.parametrize(
    ("values", "verdict"),
    [
        (["mx.club.example; dmarc=pass header.from=mail.example"], "pass"),
        (["mx.club.example; spf=fail smtp.mailfrom=x; dmarc=fail header.from=mail.example"], "fail"),
        (["mx.club.example; dkim=pass header.d=mail.example"], "pass"),
        (["mx.club.example; dkim=pass header.d=other.example"], "unknown"),
        (["mx.club.example; spf=pass smtp.mailfrom=ann@mail.example"], "unknown"),
        (["mx.club.example; dmarc=none"], "unknown"),
        (["evil.example; dmarc=pass", "mx.club.example; dmarc=pass"], "unknown"),
        (["mx.club.example.evil.example; dmarc=pass"], "unknown"),
        (["mx.club.example (unclosed; dmarc=pass"], "unknown"),
        (["(" * 3000], "unknown"),
        ([], "unknown"),
    ],
)
def test_rfc_8601_only_the_topmost_result_of_our_own_server_counts(values: list[str], verdict: str) -> None:
    assert authenticated(with_results(*values), "mx.club.example") == verdict
    assert authenticated(with_results(*values), None) == "unknown"


def test_a_signature_over_part_of_the_text_vouches_for_nothing() -> None:
    mail = with_results(
        "mx.club.example; dkim=pass header.d=mail.example", more="DKIM-Signature: v=1; d=mail.example; l=20; b=x"
    )

    assert authenticated(mail, "mx.club.example") == "unknown"


def test_a_forged_pass_below_our_own_fail_is_ignored() -> None:
    forged = read_letter((LETTERS / "forged-authentication.eml").read_bytes())
    assert isinstance(forged, Letter)

    assert authenticated(forged, "mx.club.example") == "fail"
    assert isinstance(at_gate(forged, STRICT), TurnedAway)


def test_an_authenticated_player_needs_no_token_and_a_forged_one_cannot_use_theirs() -> None:
    good = with_results("mx.club.example; dmarc=pass header.from=mail.example")
    admitted = at_gate(good, STRICT)
    assert isinstance(admitted, Admitted)
    assert ([seat.seat_id for seat in admitted.seats], admitted.verified) == ([1], True)

    bad = letter("ann@mail.example", plus(ANN_TOKEN), "Authentication-Results: mx.club.example; dmarc=fail")
    turned = at_gate(bad, STRICT)
    assert isinstance(turned, TurnedAway)
    assert "did not send it" in turned.reason
