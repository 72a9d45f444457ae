"""The outbox against a real Postfix, started for the test on loopback from a folder of its own."""

from __future__ import annotations

import grp
import pwd
import re
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from pbem.post.outbox import Delivered, SmtpAccount, deliver_due
from tests.post.servers import PATIENCE, Certificate, MemoryQueue, clock, free_port, mail_to

pytestmark = pytest.mark.server

ANN, GREY, NOBODY = "ann@mail.example", "grey@mail.example", "nobody@mail.example"
SERVICES = """
127.0.0.1:{port}      inet  n - n - - smtpd
127.0.0.1:{tls_port}  inet  n - n - - smtpd -o smtpd_tls_wrappermode=yes
pickup    unix  n - n 60 1 pickup
cleanup   unix  n - n - 0 cleanup
qmgr      unix  n - n 300 1 qmgr
tlsmgr    unix  - - n 1000? 1 tlsmgr
rewrite   unix  - - n - - trivial-rewrite
bounce    unix  - - n - 0 bounce
defer     unix  - - n - 0 bounce
trace     unix  - - n - 0 bounce
verify    unix  - - n - 1 verify
flush     unix  n - n 1000? 0 flush
proxymap  unix  - - n - - proxymap
proxywrite unix - - n - 1 proxymap
smtp      unix  - - n - - smtp
relay     unix  - - n - - smtp
showq     unix  n - n - - showq
error     unix  - - n - - error
retry     unix  - - n - - error
discard   unix  - - n - - discard
local     unix  - n n - - local
virtual   unix  - n n - - virtual
lmtp      unix  - - n - - lmtp
anvil     unix  - - n - 1 anvil
scache    unix  - - n - 1 scache
postlog   unix-dgram n - n - 1 postlogd
"""


@dataclass(frozen=True)
class Postfix:
    folder: Path
    port: int
    tls_port: int
    certificate: Certificate

    def account(self, **more: object) -> SmtpAccount:
        return SmtpAccount("127.0.0.1", self.port, "none", local_name="club.example", **more)  # type: ignore[arg-type]

    def mails(self, box: str = "ann") -> list[bytes]:
        return [path.read_bytes() for path in sorted((self.folder / "boxes" / box / "new").glob("*"))]

    def connections(self) -> int:
        return len(re.findall(r": connect from ", (self.folder / "log").read_text()))


def eventually(true: Callable[[], bool]) -> bool:
    """Postfix delivers in its own time."""
    pause = threading.Event()
    return any(true() or pause.wait(0.05) for _ in range(PATIENCE * 20))


def _settings(postfix: Postfix) -> str:
    at = postfix.folder
    return f"""
compatibility_level = 3.6
queue_directory = {at}/queue
data_directory = {at}/data
mail_owner = postfix
setgid_group = postdrop
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mx.mail.example
mynetworks =
mydestination =
alias_maps =
alias_database =
local_recipient_maps =
virtual_mailbox_domains = mail.example
virtual_mailbox_maps = inline:{{ {{{ANN} = ann/}}, {{{GREY} = grey/}} }}
virtual_mailbox_base = {at}/boxes
virtual_minimum_uid = 1
virtual_uid_maps = static:{pwd.getpwnam("nobody").pw_uid}
virtual_gid_maps = static:{grp.getgrgid(pwd.getpwnam("nobody").pw_gid).gr_gid}
smtpd_relay_restrictions = reject_unauth_destination
smtpd_recipient_restrictions = check_recipient_access inline:{{ {{{GREY} = 451 4.7.1 greylisted}} }}
smtpd_tls_cert_file = {postfix.certificate.cert}
smtpd_tls_key_file = {postfix.certificate.key}
smtpd_tls_security_level = may
smtpd_peername_lookup = no
smtp_dns_support_level = disabled
maillog_file = {at}/log
maillog_file_prefixes = {at}
"""


@contextmanager
def running_postfix(certificate: Certificate) -> Iterator[Postfix]:
    with tempfile.TemporaryDirectory(prefix="postfix-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        folder.chmod(0o755)
        postfix = Postfix(folder, free_port(), free_port(), certificate)
        for sub in ("etc", "queue", "data", "boxes"):
            (folder / sub).mkdir()
        shutil.chown(folder / "data", "postfix")
        shutil.chown(folder / "boxes", "nobody")
        (folder / "etc/main.cf").write_text(_settings(postfix))
        (folder / "etc/master.cf").write_text(SERVICES.format(port=postfix.port, tls_port=postfix.tls_port))
        program = shutil.which("postfix")
        assert program is not None
        command = [program, "-c", str(folder / "etc")]
        with (folder / "start").open("w") as said:
            # It returns once the master process listens.
            started = subprocess.run([*command, "start"], stdout=said, stderr=said, timeout=PATIENCE, check=False)
        assert started.returncode == 0, (folder / "start").read_text() + (folder / "log").read_text()
        try:
            yield postfix
        finally:
            subprocess.run([*command, "stop"], timeout=PATIENCE, check=True, capture_output=True)


@pytest.fixture(scope="module")
def server(certificate: Certificate) -> Iterator[Postfix]:
    with running_postfix(certificate) as postfix:
        yield postfix


@pytest.fixture
def postfix(server: Postfix) -> Iterator[Postfix]:
    """With nothing left in its boxes by the test before."""
    yield server
    for path in (server.folder / "boxes").glob("*/new/*"):
        path.unlink()


async def test_reports_reach_their_box_with_their_bytes_and_return_address(postfix: Postfix) -> None:
    before = postfix.connections()
    queue = MemoryQueue.of(*[ANN] * 20)
    delivered = await deliver_due(queue, postfix.account(), clock, workers=2)

    assert delivered == Delivered(sent=20)
    assert eventually(lambda: len(postfix.mails()) == 20)
    own = [raw.partition(b"From: robot@club.example")[2].replace(b"\n", b"\r\n") for raw in postfix.mails()]
    expected = [mail_to(ANN, number).partition(b"From: robot@club.example")[2] for number in range(1, 21)]
    assert sorted(own) == sorted(expected)
    assert all(b"Return-Path: <robot+b.1.1.seal@club.example>\n" in raw for raw in postfix.mails())
    assert postfix.connections() - before == 2


async def test_an_unknown_mailbox_is_held_and_greylisting_waited_for(postfix: Postfix) -> None:
    queue = MemoryQueue.of(NOBODY, GREY, ANN, "eve@elsewhere.example")
    delivered = await deliver_due(queue, postfix.account(), clock, workers=1)

    assert delivered == Delivered(sent=1, later=1, failed=2)
    assert queue.failures[1].startswith("550 5.1.1 ")
    assert queue.failures[4].startswith("554 5.7.1 ")
    assert "451 4.7.1" in queue.later_ones[2][1]
    assert eventually(lambda: len(postfix.mails()) == 1)


@pytest.mark.parametrize("encryption", ["tls", "starttls"])
async def test_encrypted_with_a_certificate_we_trust_and_not_otherwise(postfix: Postfix, encryption: str) -> None:
    port = postfix.tls_port if encryption == "tls" else postfix.port
    trusting = SmtpAccount("127.0.0.1", port, encryption, tls_context=postfix.certificate.for_client())  # type: ignore[arg-type]
    doubting = SmtpAccount("127.0.0.1", port, encryption)  # type: ignore[arg-type]

    assert await deliver_due(MemoryQueue.of(ANN, ANN), trusting, clock, workers=1) == Delivered(sent=2)
    refused = await deliver_due(MemoryQueue.of(ANN), doubting, clock, workers=1)

    assert (refused.sent, refused.later) == (0, 1)
    assert "CERTIFICATE_VERIFY_FAILED" in refused.trouble
    assert eventually(lambda: len(postfix.mails()) == 2)
