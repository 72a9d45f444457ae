"""Letters as mail programs write them, and as attackers do; each fixture is a whole mail in tests/post/mails."""

from __future__ import annotations

import email.policy
import sys
from email.headerregistry import Address
from email.message import EmailMessage
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.post import headers, letter, parts
from pbem.post.letter import Letter, Unreadable, read_letter

LETTERS = Path(__file__).parent / "mails"
ORDERS = "Alpha:\nspeed 8\nFrom Sol move 3\nBravo: turn left\nFleet: fire at 0412"
REPLIES = (
    "gmail-top", "gmail-wrapped", "gmail-german", "gmail-interleaved", "gmail-interleaved-html-only",
    "gmail-html-only", "outlook-desktop", "outlook-html-only", "outlook-web", "outlook-web-html-only",
    "outlook-german", "outlook-original-message", "apple-mail", "apple-mail-html-only", "iphone", "iphone-german",
    "thunderbird", "thunderbird-german", "flowed-long-lines", "android", "yahoo-html-only", "proton", "mutt",
    "several-text-parts", "no-boundary", "bogus-charset",
)  # fmt: skip


def read(name: str) -> Letter:
    found = read_letter((LETTERS / f"{name}.eml").read_bytes())
    assert isinstance(found, Letter)
    return found


def orders_in(found: Letter) -> str:
    return "\n".join(line for line in found.own_text.split("\n") if line.strip())


@pytest.mark.parametrize("name", REPLIES)
@pytest.mark.parametrize("line_end", [b"\n", b"\r\n"], ids=["LF", "CRLF"])
def test_own_text_of_a_reply_is_its_orders_alone(name: str, line_end: bytes) -> None:
    raw = (LETTERS / f"{name}.eml").read_bytes().replace(b"\r\n", b"\n").replace(b"\n", line_end)

    found = read_letter(raw)

    assert isinstance(found, Letter)
    assert orders_in(found) == ORDERS
    assert found.automatic is None


def test_the_whole_of_a_letter() -> None:
    found = read("gmail-german")

    assert found == Letter(
        message_id="<gmail-german@mail.example>",
        sender="juergen@mail.example",
        sender_name="Jürgen Müller",
        recipients=("robot+7k3qm9xwptrd@club.example",),
        subject="AW: [border-incident] Zug 4 – Befehle",
        date="Mon, 16 Nov 2026 19:20:11 +0100",
        in_reply_to="<turn-4@club.example>",
        references=("<turn-3@club.example>", "<turn-4@club.example>"),
        own_text=ORDERS,
        automatic=None,
        authentication=(),
        size=(LETTERS / "gmail-german.eml").stat().st_size,
    )


def test_orders_that_look_like_mail_headers_are_kept() -> None:
    """`From Sol move 3`, `From:`, `To:` and dashes are orders here; only a line of `--` ends them."""
    found = read("order-lines-like-headers")

    assert found.own_text.split("\n") == [
        "FROM SOL MOVE 3", "From: Sol", "to: Vega", "Alpha:", "speed 8", "-----", "Sent: probe 2", "On: shields",
        "Bravo: turn left", "Wrote: nothing",
    ]  # fmt: skip


def test_attachments_and_forwarded_mails_are_named_but_never_opened() -> None:
    assert read("several-text-parts").unread == ("plot.png", "orders.txt", "pläne.zip", "message/rfc822")


def test_damaged_base64_gives_no_orders_rather_than_half_of_them() -> None:
    found = read("damaged-base64")

    assert (found.own_text, found.unread) == ("", ("damaged text",))


def test_utf_7_is_not_decoded() -> None:
    assert read("utf-7").own_text.startswith("+ADw-script+AD4-")


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("vacation", "Auto-Submitted: auto-replied (vacation)"),
        ("mailing-list", "it carries list-id"),
        ("bounce-failed", "Auto-Submitted: auto-replied"),
        ("read-receipt", "a report (multipart/report)"),
        ("abuse-report", "a report (multipart/report)"),
    ],
)
def test_machines_are_told_from_players(name: str, why: str) -> None:
    assert read(name).automatic == why


@pytest.mark.parametrize(
    ("field", "why"),
    [
        ("Auto-Submitted: auto-generated", "Auto-Submitted: auto-generated"),
        ("Auto-Submitted: no", None),
        ("Return-Path: <>", "empty return path"),
        ("Return-Path: <ann@mail.example>", None),
        ("Precedence: junk", "Precedence: junk"),
        ("Precedence: first-class", None),
        ("X-Autoreply: yes", "it carries x-autoreply"),
        ("\n".join(f"Received: from hop{n}" for n in range(31)), "passed more than 30 servers"),
    ],
)
def test_rfc_3834_signs_of_a_machine(field: str, why: str | None) -> None:
    found = read_letter(f"{field}\nFrom: ann@mail.example\n\nspeed 8\n".encode())

    assert isinstance(found, Letter)
    assert found.automatic == why


@pytest.mark.parametrize("name", ["two-from", "two-from-addresses"])
def test_a_letter_from_two_senders_is_nobodys(name: str) -> None:
    found = read_letter((LETTERS / f"{name}.eml").read_bytes())

    assert isinstance(found, Unreadable)
    assert found.reason.endswith("2 addresses; exactly one is needed")


@pytest.mark.parametrize(
    ("name", "shown"),
    [("display-name-trick", "ann@mail.example"), ("escaped-quote-trick", 'Ann" <ann@mail.example>')],
)
def test_the_address_counts_and_not_the_name_before_it(name: str, shown: str) -> None:
    found = read(name)

    assert (found.sender, found.sender_name) == ("eve@other.example", shown)


def test_a_line_end_hidden_in_an_encoded_subject_becomes_a_blank() -> None:
    assert read("injected-subject").subject == "Turn 4 Bcc: all@mail.example"


@pytest.mark.parametrize(
    ("field", "ids"),
    [
        ("<a@b> <c@d>", ("<a@b>", "<c@d>")),
        ("<a@b><c@d>", ("<a@b>", "<c@d>")),
        ("message of Monday <a@b>", ("<a@b>",)),
        ("<a b@c> <é@x> <> <[a@b", ()),
        (" ".join(f"<{n}@x>" for n in range(30)), tuple(f"<{n}@x>" for n in range(10, 30))),
        ("<" * 4000, ()),
    ],
)
def test_only_proper_message_ids_are_kept_as_answers_will_carry_them(field: str, ids: tuple[str, ...]) -> None:
    found = read_letter(f"From: ann@mail.example\nReferences: {field}\n\nspeed 8".encode())

    assert isinstance(found, Letter)
    assert found.references == ids


# --- caps and hostile input ------------------------------------------------------------------------------------------


def mail(body: bytes, *fields: bytes) -> bytes:
    return b"\r\n".join((b"From: ann@mail.example", *fields, b"", body))


def nested_multiparts(depth: int) -> bytes:
    raw = b"Content-Type: text/plain\r\n\r\nspeed 8\r\n"
    for level in range(depth):
        mark = b"b%d" % level
        raw = b"Content-Type: multipart/mixed; boundary=%b\r\n\r\n--%b\r\n%b\r\n--%b--\r\n" % (mark, mark, raw, mark)
    return b"From: ann@mail.example\r\n" + raw


HOSTILE = {
    "a MB too much": b"x" * (letter.LARGEST + 1),
    "a header of 70 KB": b"From: ann@mail.example\nX: " + b"x" * 70_000 + b"\n\nspeed 8",
    "500 headers": b"From: ann@mail.example\n" + b"X: y\n" * 500 + b"\nspeed 8",
    "multiparts nested 1,000 deep": nested_multiparts(1000),
    "50,000 empty parts": mail(b"--b\r\n\r\n" * 50_000, b"Content-Type: multipart/mixed; boundary=b"),
    "nothing": b"",
    "garbage From": b"From: <><<>>,,;:\n\nspeed 8",
    "comments nested 2,000 deep in From": b"From: " + b"(" * 2000 + b"\n\nspeed 8",
}


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_what_cannot_be_a_letter_is_unreadable_with_its_reason(name: str) -> None:
    found = read_letter(HOSTILE[name])

    assert isinstance(found, Unreadable)
    assert found.reason
    assert found.size == len(HOSTILE[name])


ODD = {
    "charset rot13": mail(b"speed 8", b"Content-Type: text/plain; charset=rot13"),
    "charset zlib": mail(b"speed 8", b"Content-Type: text/plain; charset=zlib_codec"),
    "charset idna": mail(b"speed 8", b"Content-Type: text/plain; charset=idna"),
    "charset unknown-8bit": mail(b"speed 8", b"Content-Type: text/plain; charset=unknown-8bit"),
    "NUL in the charset": mail(b"speed 8", b"Content-Type: text/plain; charset=utf\x008"),
    "open bracket in the Message-ID": mail(b"speed 8", b"Message-ID: <[a@b"),
    "unclosed quote in Content-Type": mail(b"speed 8", b'Content-Type: text/plain; charset="utf-8'),
    "10,000 half encoded words": mail(b"speed 8", b"Subject: " + b"=?a?q?" * 9_000),
    "an unclosed part": mail(b"--b\r\n\r\nspeed 8", b"Content-Type: multipart/mixed; boundary=b"),
    "parts nested 9 deep": nested_multiparts(9),
}


@pytest.mark.parametrize("name", sorted(ODD))
def test_what_breaks_other_readers_is_still_a_letter(name: str) -> None:
    """Each of these made the standard library's parser raise or hang."""
    found = read_letter(ODD[name])

    assert isinstance(found, Letter)
    assert found.own_text.strip() == "speed 8"


def test_forwarded_mails_nested_5000_deep_are_not_opened() -> None:
    found = read_letter(b"From: ann@mail.example\r\n" + b"Content-Type: message/rfc822\r\n\r\n" * 5000)

    assert isinstance(found, Letter)
    assert (found.own_text, found.unread) == ("", ("message/rfc822",))


FLOODS = (
    "On ",
    ">",
    "(",
    "<",
    "-",
    "_",
    ": ",
    "From: ",
    "Am 16.11.26 ",
    "wrote:",
    "a@b ",
    "=?",
    "\u202e",
    "\n> ",
    "\n-",
)


@pytest.mark.parametrize("piece", FLOODS)
@pytest.mark.parametrize("kind", ["plain", "html"])
def test_a_megabyte_of_one_thing_is_read_to_its_end(piece: str, kind: str) -> None:
    """Each of these, in a tenth of the size, kept a reply parser busy for up to 102 seconds."""
    flood = (piece * 900_000)[:900_000]
    found = read_letter(mail(f"speed 8\n{flood}".encode(), b"Content-Type: text/%b; charset=utf-8" % kind.encode()))

    assert isinstance(found, Letter | Unreadable)


def steps_to_read(raw: bytes) -> int:
    """How many functions are called, ours and the interpreter's."""
    steps = 0

    def count(*event: object) -> None:
        nonlocal steps
        steps += 1

    sys.setprofile(count)
    try:
        read_letter(raw)
    finally:
        sys.setprofile(None)
    return steps


@pytest.mark.parametrize(
    "piece", [*FLOODS, "On 1.1.26 x\n", "From: x\n", "____________\n", "> x\n", ">From x\n", "x \n"]
)
@pytest.mark.parametrize("kind", ["plain", "plain; format=flowed", "html"])
def test_twice_the_text_takes_twice_the_steps(piece: str, kind: str) -> None:
    def flood(size: int) -> bytes:
        text = (piece * size)[:size]
        return mail(text.encode(), b"Content-Type: text/%b; charset=utf-8" % kind.encode())

    once, twice = steps_to_read(flood(10_000)), steps_to_read(flood(20_000))

    assert twice <= 2.1 * once + 100


def test_html_nested_beyond_measure_is_left_unread() -> None:
    found = read_letter(mail(b"<div>" * 20_000 + b"speed 8", b"Content-Type: text/html"))

    assert isinstance(found, Letter)
    assert (found.own_text, found.unread) == ("", ("HTML that is too complicated",))


FIELD = st.sampled_from(
    ["From", "To", "Subject", "Message-ID", "Content-Type", "Content-Transfer-Encoding", "References", "X"]
)
VALUE = st.one_of(
    st.text(max_size=60),
    st.sampled_from(
        [
            "ann@mail.example", "multipart/mixed; boundary=b", "text/html", "text/plain; format=flowed",
            "base64", "quoted-printable", "=?utf-8?b?4oCT?=", "multipart/alternative; boundary=b", "<a@b> (c",
        ]
    ),
)  # fmt: skip
LINE = st.one_of(
    st.text(max_size=40),
    st.sampled_from(
        ["--b", "--b--", "> quoted", "-- ", "On 1 Jan 2026 x wrote:", "<blockquote>", "Content-Type: text/html"]
    ),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(FIELD, VALUE), max_size=8), st.lists(LINE, max_size=15), st.binary(max_size=60))
def test_no_mail_makes_the_reader_raise(fields: list[tuple[str, str]], lines: list[str], tail: bytes) -> None:
    block = "".join(f"{name}: {value}\n" for name, value in [("From", "ann@mail.example"), *fields])
    found = read_letter(block.encode("utf-8", "replace") + b"\n" + "\n".join(lines).encode("utf-8", "replace") + tail)

    assert isinstance(found, Letter | Unreadable)
    if isinstance(found, Letter):
        for value in (found.subject, found.sender_name, found.date, found.message_id, *found.references):
            assert value.isprintable() or not any(c in value for c in "\r\n\0")


WORDS = (
    st.text(alphabet="abcdefgh 0123456789:,'äßé日–=.", min_size=1, max_size=70)
    .map(str.strip)
    .filter(lambda line: line and not line.startswith("--"))
)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(WORDS, min_size=1, max_size=8),
    st.sampled_from(["quoted-printable", "base64", "8bit"]),
    st.sampled_from(["utf-8", "gb18030"]),
    st.text(alphabet='abc äß,<>"@()', max_size=30),
)
def test_what_the_standard_library_writes_is_read_back(lines: list[str], cte: str, charset: str, subject: str) -> None:
    message = EmailMessage(policy=email.policy.SMTP)
    message["From"] = Address("Jürgen, of the Blue", "juergen", "mail.example")
    message["To"] = "robot@club.example"
    message["Subject"] = subject
    message.set_content("\n".join(lines) + "\n", charset=charset, cte=cte)
    message.add_alternative("<p>other words</p>", subtype="html")
    message.add_attachment(b"\0" * 100, "image", "png", filename="map.png")

    found = read_letter(message.as_bytes())

    assert isinstance(found, Letter)
    assert found.own_text.split("\n") == lines
    assert (found.sender, found.sender_name) == ("juergen@mail.example", "Jürgen, of the Blue")
    assert found.subject == " ".join(subject.split())
    assert found.unread == ("map.png",)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(alphabet=st.characters(codec="ascii", exclude_characters="\r\n\0")), max_size=6))
def test_parts_are_split_at_their_boundary_lines_and_nowhere_else(texts: list[str]) -> None:
    pieces = [text.encode() for text in texts if not text.startswith("--b")]
    body = b"preamble\r\n" + b"".join(b"--b\r\n%b\r\n" % piece for piece in pieces) + b"--b--\r\nepilogue"

    assert parts.split_parts(body, b"b", 100) == pieces


# --- headers ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("ann@mail.example", [("", "ann@mail.example")]),
        ("Ann <Ann@Mail.Example>", [("Ann", "ann@mail.example")]),
        (
            '"Player, Ann" <ann@mail.example>, bob@x.example',
            [("Player, Ann", "ann@mail.example"), ("", "bob@x.example")],
        ),
        ("Ann (of the (Blue) Fleet) <ann@mail.example>", [("Ann", "ann@mail.example")]),
        ("=?utf-8?q?a=2C_b=3Cc=40d=3E?= <ann@mail.example>", [("a, b<c@d>", "ann@mail.example")]),
        ("<ann@mail.example> <eve@other.example>", []),
        ("ann@mail.example <", []),
        ("undisclosed-recipients:;", []),
        ("ann at mail.example", []),
        ("a@" + "x" * 300, []),
    ],
)
def test_addresses_are_read_as_rfc_5322_says(value: str, found: list[tuple[str, str]]) -> None:
    assert [(a.name, a.address) for a in headers.read_addresses(value)] == found


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("=?ISO-8859-1?Q?Andr=E9?=", "André"),
        ("=?utf-8?B?4oCT?= =?utf-8?Q?_x?=", "– x"),
        ("=?utf-7?q?+ADw-?=", "+ADw-"),
        ("=?utf-8?b?####?=", "=?utf-8?b?####?="),
        ("plain =? text", "plain =? text"),
        ("a\u202eb\u200bc", "abc"),
    ],
)
def test_encoded_words_are_decoded_as_rfc_2047_says(value: str, text: str) -> None:
    assert headers.decode_words(value) == text


@pytest.mark.parametrize(
    ("value", "name", "found"),
    [
        ('text/plain; charset="utf-8"', "charset", "utf-8"),
        ("text/plain; format=flowed; charset=x", "charset", "x"),
        ("a/b; filename*=utf-8''pl%C3%A4ne.txt", "filename", "pl%C3%A4ne.txt"),
        ('a/b; name="x\\"y"', "name", 'x"y'),
        ("a/b", "name", ""),
    ],
)
def test_parameters_of_a_header(value: str, name: str, found: str) -> None:
    assert headers.parameter(value, name) == found
