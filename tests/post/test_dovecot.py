"""The mailbox against a real Dovecot, started for the test on loopback from a folder of its own."""

from __future__ import annotations

import base64
import grp
import hashlib
import hmac
import json
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import imapclient
import pytest

from pbem.post.mailbox import Arrived, ImapAccount, Mailbox
from tests.post.clients import done, letter, taking, watching
from tests.post.servers import NOW, PATIENCE, Certificate, free_port, subject_of, wire_to, without

pytestmark = pytest.mark.server

KEY = b"k" * 32


@dataclass(frozen=True)
class Dovecot:
    folder: Path
    port: int
    tls_port: int
    certificate: Certificate

    def account(self, **more: object) -> ImapAccount:
        return ImapAccount("127.0.0.1", self.port, "robot", "none", "secret", **more)  # type: ignore[arg-type]

    @contextmanager
    def client(self, folder: str = "INBOX") -> Iterator[imapclient.IMAPClient]:
        with imapclient.IMAPClient("127.0.0.1", self.port, ssl=False, timeout=PATIENCE) as client:
            client.login("robot", "secret")
            client.select_folder(folder)
            yield client

    def put(self, *numbers: int) -> None:
        with self.client() as client:
            for number in numbers:
                client.append("INBOX", letter(number))

    def subjects(self, folder: str) -> list[str]:
        with self.client(folder) as client:
            found = client.fetch(client.search("ALL"), ["BODY.PEEK[]"])
            return [subject_of(found[uid][b"BODY[]"]) for uid in sorted(found)]


def _settings(dovecot: Dovecot, prefix: str) -> str:
    me = pwd.getpwuid(os.geteuid()).pw_name
    root = os.geteuid() == 0
    owner = pwd.getpwnam("nobody" if root else me)
    group = grp.getgrgid(owner.pw_gid)
    # Without root's rights all of it runs as the one who tests.
    rights = (
        ""
        if root
        else f"default_internal_user = {me}\ndefault_internal_group = {group.gr_name}\ndefault_login_user = {me}\n"
    )
    at = dovecot.folder
    return f"""
base_dir = {at}/run
state_dir = {at}/state
log_path = {at}/log
protocols = imap
listen = 127.0.0.1
{rights}
ssl = yes
ssl_cert = <{dovecot.certificate.cert}
ssl_key = <{dovecot.certificate.key}
disable_plaintext_auth = no
auth_mechanisms = plain xoauth2 oauthbearer
auth_failure_delay = 0
first_valid_uid = 1
mail_location = maildir:{at}/mail/%u
namespace inbox {{
  inbox = yes
  prefix = {prefix}
  separator = .
}}
passdb {{
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = {at}/oauth2.conf
}}
passdb {{
  driver = static
  mechanisms = plain
  args = password=secret
}}
userdb {{
  driver = static
  args = uid={owner.pw_uid} gid={owner.pw_gid} home={at}/mail/%u
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {dovecot.port}
  }}
  inet_listener imaps {{
    port = {dovecot.tls_port}
    ssl = yes
  }}
}}
service anvil {{
  chroot =
}}
"""


@contextmanager
def running_dovecot(certificate: Certificate, prefix: str = "") -> Iterator[Dovecot]:
    # pytest's own folders are closed to the users Dovecot runs as.
    with tempfile.TemporaryDirectory(prefix="dovecot-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        folder.chmod(0o755)
        dovecot = Dovecot(folder, free_port(), free_port(), certificate)
        for sub in ("mail", "state", "keys/default/HS256"):
            (folder / sub).mkdir(parents=True)
        (folder / "mail").chmod(0o777)
        (folder / "keys/default/HS256/default").write_bytes(base64.b64encode(KEY))
        (folder / "oauth2.conf").write_text(
            f"introspection_mode = local\nlocal_validation_key_dict = fs:posix:prefix={folder}/keys/\n"
            "username_attribute = sub\n"
        )
        (folder / "dovecot.conf").write_text(_settings(dovecot, prefix))
        program = shutil.which("dovecot")
        assert program is not None
        command = [program, "-c", str(folder / "dovecot.conf")]
        with (folder / "start").open("w+") as said:
            # It returns once it listens.
            started = subprocess.run(command, stdout=said, stderr=said, timeout=PATIENCE, check=False)
        assert started.returncode == 0, (folder / "start").read_text()
        try:
            yield dovecot
        finally:
            subprocess.run([*command, "stop"], timeout=PATIENCE, check=True)


@pytest.fixture(scope="module")
def server(certificate: Certificate) -> Iterator[Dovecot]:
    with running_dovecot(certificate) as dovecot:
        yield dovecot


@pytest.fixture
def dovecot(server: Dovecot) -> Iterator[Dovecot]:
    """With nothing left in it by the test before."""
    yield server
    for box in (server.folder / "mail").iterdir():
        shutil.rmtree(box)


def test_letters_that_wait_and_letters_that_come_during_idle(dovecot: Dovecot) -> None:
    dovecot.put(1, 2)
    with watching(dovecot.account(), lambda a: "Refused" if subject_of(a.raw) == "2" else "Done") as watcher:
        assert watcher.subjects(2) == ["1", "2"]
        dovecot.put(3)
        assert watcher.subjects(1) == ["3"]

    assert (dovecot.subjects("Done"), dovecot.subjects("Refused"), dovecot.subjects("INBOX")) == (["1", "3"], ["2"], [])


def test_a_hundred_letters_that_come_while_they_are_taken(dovecot: Dovecot) -> None:
    with watching(dovecot.account()) as watcher:
        dovecot.put(*range(100))
        assert watcher.subjects(100) == [str(number) for number in range(100)]

    assert watcher.arrived.empty()
    assert len(dovecot.subjects("Done")) == 100


def test_bytes_dates_and_sizes(dovecot: Dovecot) -> None:
    with dovecot.client() as client:
        client.append("INBOX", letter(1), msg_time=NOW + timedelta(minutes=1))
        client.append("INBOX", letter(2) + b"x\r\n" * 2000, msg_time=NOW)
        validity = client.folder_status("INBOX", ["UIDVALIDITY"])[b"UIDVALIDITY"]
    taken: list[Arrived] = []
    Mailbox(dovecot.account(largest=3000)).take_waiting(taking(taken.append))

    big, small = taken
    assert small == Arrived(letter(1), validity, 1, NOW + timedelta(minutes=1), too_big=False, size=len(letter(1)))
    assert (big.raw, big.too_big, big.received_at) == (letter(2).partition(b"\r\n\r\n")[0] + b"\r\n\r\n", True, NOW)


@pytest.mark.parametrize("missing", [(b"MOVE",), (b"MOVE", b"UIDPLUS")], ids=["no MOVE", "no MOVE, no UIDPLUS"])
def test_without_move_letters_are_copied_marked_and_expunged(dovecot: Dovecot, missing: tuple[bytes, ...]) -> None:
    dovecot.put(1, 2)
    with wire_to(dovecot.port, without(*missing)) as wire:
        account = ImapAccount("127.0.0.1", wire.port, "robot", "none", "secret")
        assert Mailbox(account).take_waiting(done) == 2

    assert (dovecot.subjects("Done"), dovecot.subjects("INBOX")) == (["1", "2"], [])


def test_a_cut_connection_costs_a_pause_and_no_letter(dovecot: Dovecot) -> None:
    with wire_to(dovecot.port) as wire:
        account = ImapAccount("127.0.0.1", wire.port, "robot", "none", "secret")
        with watching(account) as watcher:
            dovecot.put(1)
            assert watcher.subjects(1) == ["1"]
            wire.cut()
            assert watcher.trouble.get(timeout=PATIENCE).failures == 1
            dovecot.put(2)
            assert watcher.subjects(1) == ["2"]

    assert dovecot.subjects("INBOX") == []


def test_folders_below_a_prefix_that_the_server_wants(certificate: Certificate) -> None:
    with running_dovecot(certificate, "INBOX.") as dovecot:
        dovecot.put(1)
        assert Mailbox(dovecot.account()).take_waiting(done) == 1
        assert dovecot.subjects("INBOX.Done") == ["1"]


@pytest.mark.parametrize("encryption", ["tls", "starttls"])
def test_encrypted_with_a_certificate_we_trust_and_not_otherwise(dovecot: Dovecot, encryption: str) -> None:
    port = dovecot.tls_port if encryption == "tls" else dovecot.port

    def account(*, trusting: bool) -> ImapAccount:
        context = dovecot.certificate.for_client() if trusting else None
        return ImapAccount("127.0.0.1", port, "robot", encryption, "secret", tls_context=context)  # type: ignore[arg-type]

    dovecot.put(1)
    with watching(account(trusting=True)) as watcher:
        assert watcher.subjects(1) == ["1"]
        dovecot.put(2)
        assert watcher.subjects(1) == ["2"]
    with watching(account(trusting=False)) as watcher:
        assert "CERTIFICATE_VERIFY_FAILED" in watcher.trouble.get(timeout=PATIENCE).reason


def token() -> str:
    """An access token of RFC 9068 that Dovecot checks by itself."""

    def part(data: dict[str, object]) -> bytes:
        return base64.urlsafe_b64encode(json.dumps(data).encode()).rstrip(b"=")

    # Good from 2001 to 2096, as Dovecot compares with its own clock.
    claims: dict[str, object] = {"sub": "robot", "iat": 1_000_000_000, "exp": 4_000_000_000}
    signed = part({"alg": "HS256", "typ": "JWT"}) + b"." + part(claims)
    seal = base64.urlsafe_b64encode(hmac.digest(KEY, signed, hashlib.sha256)).rstrip(b"=")
    return (signed + b"." + seal).decode()


@pytest.mark.parametrize("hidden", [(), (b"AUTH=XOAUTH2",)], ids=["XOAUTH2", "OAUTHBEARER"])
def test_oauth_2_with_a_fresh_token_for_every_connect(dovecot: Dovecot, hidden: tuple[bytes, ...]) -> None:
    asked: list[str] = []

    def fresh() -> str:
        asked.append(token())
        return asked[-1]

    dovecot.put(1)
    with wire_to(dovecot.port, without(*hidden)) as wire:
        box = Mailbox(ImapAccount("127.0.0.1", wire.port, "robot", "none", access_token=fresh))
        assert [box.take_waiting(done) for _ in range(2)] == [1, 0]
    assert len(asked) == 2


def test_a_stale_token_is_trouble_with_the_server(dovecot: Dovecot) -> None:
    stale: Callable[[], str] = lambda: token()[:-4] + "AAAA"  # noqa: E731  one wrong seal, named
    with watching(ImapAccount("127.0.0.1", dovecot.port, "robot", "none", access_token=stale)) as watcher:
        assert watcher.trouble.get(timeout=PATIENCE).failures == 1
