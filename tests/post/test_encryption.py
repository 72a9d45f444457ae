"""TLS and STARTTLS at both doors of the built-in post office and of a server of others."""

from __future__ import annotations

import smtplib
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.post.mailbox import ImapAccount, Mailbox
from pbem.post.outbox import Delivered, SmtpAccount, deliver_due
from pbem.postoffice.servers import PostOffice, RunningOffice, run_in_thread
from tests.post.clients import taking
from tests.post.servers import Certificate, MemoryQueue, clock, scripted_server, subject_of

ROBOT = "robot@club.example"


@pytest.fixture
def closed_office(tmp_path: Path, certificate: Certificate) -> Iterator[RunningOffice]:
    with run_in_thread(PostOffice(tmp_path, "club.example", tls=certificate.for_server())) as office:
        office.add_account("robot", "secret")
        yield office


async def test_starttls_from_the_outbox_to_the_mailbox(closed_office: RunningOffice, certificate: Certificate) -> None:
    out = SmtpAccount(
        "127.0.0.1", closed_office.smtp_port, "starttls", "robot", "secret", tls_context=certificate.for_client()
    )
    box = ImapAccount(
        "127.0.0.1", closed_office.imap_port, "robot", "starttls", "secret", tls_context=certificate.for_client()
    )
    assert await deliver_due(MemoryQueue.of(ROBOT, ROBOT), out, clock, workers=1) == Delivered(sent=2)
    taken: list[str] = []
    Mailbox(box).take_waiting(taking(lambda a: taken.append(subject_of(a.raw))))

    assert taken == ["1", "2"]


def test_an_office_with_a_certificate_hears_no_password_without_it(closed_office: RunningOffice) -> None:
    with (
        smtplib.SMTP("127.0.0.1", closed_office.smtp_port) as client,
        pytest.raises(smtplib.SMTPNotSupportedError, match="AUTH"),
    ):
        client.login("robot", "secret")


@pytest.mark.parametrize("encryption", ["tls", "starttls"])
async def test_a_server_is_believed_only_with_its_certificate(encryption: str, certificate: Certificate) -> None:
    doors = {"implicit_tls" if encryption == "tls" else "tls": certificate.for_server()}
    async with scripted_server(**doors) as server:  # type: ignore[arg-type]
        trusting = SmtpAccount("127.0.0.1", server.port, encryption, tls_context=certificate.for_client())  # type: ignore[arg-type]
        doubting = SmtpAccount("127.0.0.1", server.port, encryption)  # type: ignore[arg-type]
        sent = await deliver_due(MemoryQueue.of(ROBOT), trusting, clock)
        refused = await deliver_due(MemoryQueue.of(ROBOT), doubting, clock, workers=1)

    assert sent == Delivered(sent=1)
    assert (refused.sent, refused.later) == (0, 1)
    assert "CERTIFICATE_VERIFY_FAILED" in refused.trouble


async def test_starttls_that_the_server_does_not_offer_sends_nothing() -> None:
    """Somebody on the way may have left the offer out."""
    async with scripted_server() as server:
        delivered = await deliver_due(MemoryQueue.of(ROBOT), SmtpAccount("127.0.0.1", server.port, "starttls"), clock)

    assert (delivered.sent, delivered.later, server.taken) == (0, 1, [])
