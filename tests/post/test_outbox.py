"""Mail that goes out, against a real SMTP server that answers as the script says."""

from __future__ import annotations

import base64
from dataclasses import replace
from datetime import timedelta

import pytest

from pbem.post import outbox
from pbem.post.outbox import Delivered, SmtpAccount, deliver_due, pause
from tests.post.servers import NOW, MemoryQueue, clock, free_port, mail_to, scripted_server

ANN, BOB, CAT = "ann@mail.example", "bob@mail.example", "cat@mail.example"


def account(port: int, **more: object) -> SmtpAccount:
    return SmtpAccount("127.0.0.1", port, "none", local_name="club.example", **more)  # type: ignore[arg-type]


async def test_every_due_mail_is_sent_once_to_one_recipient_with_its_own_bytes() -> None:
    queue = MemoryQueue.of(ANN, BOB, CAT)
    async with scripted_server() as server:
        delivered = await deliver_due(queue, account(server.port), clock)

    assert delivered == Delivered(sent=3)
    assert sorted(queue.sent_ids) == [1, 2, 3]
    assert sorted(server.taken) == [
        ("robot+b.1.1.seal@club.example", [ANN], mail_to(ANN, 1)),
        ("robot+b.1.1.seal@club.example", [BOB], mail_to(BOB, 2)),
        ("robot+b.1.1.seal@club.example", [CAT], mail_to(CAT, 3)),
    ]


@pytest.mark.parametrize(("mails", "workers", "connections"), [(20, 1, 1), (20, 4, 4), (2, 1, 1), (101, 1, 2)])
async def test_connections_are_reused_and_renewed_after_a_hundred_mails(
    mails: int, workers: int, connections: int
) -> None:
    queue = MemoryQueue.of(*[ANN] * mails)
    async with scripted_server() as server:
        await deliver_due(queue, account(server.port), clock, workers)

    assert (len(server.taken), server.connections) == (mails, connections)


async def test_nothing_due_opens_no_connection() -> None:
    async with scripted_server() as server:
        assert await deliver_due(MemoryQueue(), account(server.port), clock) == Delivered()

    assert server.connections == 0


async def test_a_temporary_refusal_is_tried_later_and_a_permanent_one_is_held() -> None:
    queue = MemoryQueue.of(ANN, BOB, CAT)
    script = {ANN: ["451 4.7.1 greylisted"], BOB: ["550 5.1.1 no such mailbox"]}
    async with scripted_server(script) as server:
        delivered = await deliver_due(queue, account(server.port), clock, workers=1)

    assert delivered == Delivered(sent=1, later=1, failed=1)
    assert queue.later_ones == {1: (NOW + pause(1, 1), "451 4.7.1 greylisted")}
    assert queue.failures == {2: "550 5.1.1 no such mailbox"}
    assert server.connections == 1


async def test_a_server_that_asks_us_to_go_gets_the_next_mail_on_a_new_connection() -> None:
    queue = MemoryQueue.of(ANN, BOB)
    async with scripted_server({ANN: ["421 4.3.2 closing"]}) as server:
        delivered = await deliver_due(queue, account(server.port), clock, workers=1)

    assert delivered == Delivered(sent=1, later=1)
    assert server.connections == 2


async def test_rfc_1047_a_mail_cut_off_after_the_final_dot_is_sent_again_with_the_same_bytes() -> None:
    queue = MemoryQueue.of(ANN)
    async with scripted_server({ANN: ["cut"]}) as server:
        first = await deliver_due(queue, account(server.port), clock)
        second = await deliver_due(queue, account(server.port), lambda: NOW + timedelta(hours=1))

    assert (first, second) == (Delivered(later=1), Delivered(sent=1))
    assert [raw for _, _, raw in server.taken] == [mail_to(ANN, 1)] * 2


async def test_a_server_that_is_down_ends_the_round_and_costs_one_attempt_of_one_mail() -> None:
    queue = MemoryQueue.of(ANN, BOB, CAT)
    delivered = await deliver_due(queue, account(free_port()), clock, workers=1)

    assert (delivered.sent, delivered.later, delivered.failed) == (0, 1, 0)
    assert delivered.trouble.startswith("127.0.0.1:")
    assert [mail.attempts for mail in queue.waiting.values()] == [1, 0, 0]


async def test_a_wrong_password_is_no_fault_of_the_mail() -> None:
    queue = MemoryQueue.of(ANN)
    async with scripted_server() as server:
        delivered = await deliver_due(queue, account(server.port, user="robot", password="wrong"), clock)

    assert (delivered.later, delivered.failed) == (1, 0)
    assert "535" in delivered.trouble


async def test_xoauth2_asks_for_a_fresh_token_before_every_connect() -> None:
    tokens = iter(["first", "second"])

    async def token() -> str:
        return next(tokens)

    async with scripted_server() as server:
        for _ in range(2):
            await deliver_due(MemoryQueue.of(ANN), account(server.port, user=ANN, access_token=token), clock)

    said = [base64.b64decode(words).decode() for words in server.tokens]
    assert said == [f"user={ANN}\x01auth=Bearer {token}\x01\x01" for token in ("first", "second")]


async def test_rfc_7628_oauthbearer_where_only_that_is_offered() -> None:
    async def token() -> str:
        return "fresh"

    async with scripted_server(without=("XOAUTH2",)) as server:
        delivered = await deliver_due(MemoryQueue.of(ANN), account(server.port, user=ANN, access_token=token), clock)

    assert delivered == Delivered(sent=1)
    said = base64.b64decode(server.tokens[0]).decode()
    assert said == f"n,a={ANN},\x01host=127.0.0.1\x01port={server.port}\x01auth=Bearer fresh\x01\x01"


async def test_a_token_that_cannot_be_had_is_trouble_with_the_server() -> None:
    async def token() -> str:
        raise OSError("the provider is away")

    async with scripted_server() as server:
        delivered = await deliver_due(MemoryQueue.of(ANN), account(server.port, user=ANN, access_token=token), clock)

    assert (delivered.later, delivered.trouble) == (1, f"127.0.0.1:{server.port}: the provider is away")


@pytest.mark.parametrize(
    "address", ["ann@mail.example\r\nRCPT TO:<eve@other.example>", "ann@mail.example>\n", "a b@c", ""]
)
async def test_an_address_that_would_start_another_command_is_held(address: str) -> None:
    queue = MemoryQueue.of(ANN)
    queue.waiting[1] = replace(queue.waiting[1], recipient=address)
    async with scripted_server() as server:
        delivered = await deliver_due(queue, account(server.port), clock)

    assert (delivered.failed, [to for _, to, _ in server.taken]) == (1, [])


async def test_the_empty_return_path_and_text_beyond_ascii_are_announced() -> None:
    queue = MemoryQueue.of("jürgen@mail.example")
    queue.waiting[1] = replace(queue.waiting[1], envelope_sender="", raw="Subject: x\r\n\r\nGrüße\r\n".encode())
    async with scripted_server() as server:
        delivered = await deliver_due(queue, account(server.port), clock)

    assert delivered == Delivered(sent=1)
    assert server.taken == [("<>", ["jürgen@mail.example"], "Subject: x\r\n\r\nGrüße\r\n".encode())]
    assert [option for option in server.options[0] if not option.startswith("SIZE")] == ["BODY=8BITMIME", "SMTPUTF8"]


def test_pauses_double_to_an_hour_and_spread_by_the_number_of_the_mail() -> None:
    minutes = [pause(0, attempts) / timedelta(minutes=1) for attempts in range(1, 10)]

    for found, least in zip(minutes, [1, 2, 4, 8, 16, 32, 60, 60, 60], strict=True):
        assert least <= found <= least * 1.2
    assert pause(7, 3) == pause(7, 3)
    assert len({pause(number, 3) for number in range(50)}) > 30
    assert pause(1, 10**6) <= outbox.LONGEST_PAUSE * 1.2


async def test_a_mail_that_found_no_taker_for_five_days_is_held() -> None:
    queue = MemoryQueue.of(ANN)
    async with scripted_server({ANN: ["451 later"]}) as server:
        delivered = await deliver_due(queue, account(server.port), lambda: NOW + timedelta(days=5))

    assert delivered == Delivered(failed=1)
    assert queue.failures == {1: "given up after 5 days: 451 later"}


@pytest.mark.parametrize("host", ["mail.example", "192.0.2.1", "2001:db8::1"])
def test_rfc_8314_no_mail_crosses_a_network_in_the_clear(host: str) -> None:
    with pytest.raises(ValueError, match="for this machine alone"):
        SmtpAccount(host, 25, "none")


def test_a_password_is_never_shown() -> None:
    assert "hunter2" not in repr(SmtpAccount("mail.example", 465, user="u", password="hunter2"))
