"""Setting up a host: init and doctor against a real mail server, with plain words where it fails."""

from __future__ import annotations

import json
import socket
import stat
from pathlib import Path

from pbem.postoffice.servers import RunningOffice
from tests.cli.conftest import Run


def _answers(post: RunningOffice, **changes: object) -> list[str]:
    answers = {
        "--address": "orders@club.example",
        "--imap-host": "127.0.0.1",
        "--smtp-host": "127.0.0.1",
        "--user": "orders",
        "--password": "secret",
        "--imap-port": post.imap_port,
        "--smtp-port": post.smtp_port,
        "--imap-encryption": "none",
        "--smtp-encryption": "none",
        **changes,
    }
    return [str(word) for pair in answers.items() for word in pair]


def test_init_writes_settings_that_work_and_that_only_the_host_can_read(
    run: Run, post: RunningOffice, tmp_path: Path
) -> None:
    result = run("init", *_answers(post))

    assert result.exit_code == 0, result.stdout
    assert "ok   mail in (IMAP): works" in result.stdout
    assert "ok   mail out (SMTP): works" in result.stdout
    assert stat.S_IMODE((tmp_path / "pbem.toml").stat().st_mode) == 0o600
    assert run("doctor").exit_code == 0


def test_init_asks_for_what_it_was_not_told(run: Run, post: RunningOffice) -> None:
    words = [w for w in _answers(post) if w not in ("--user", "orders", "--password", "secret")]

    result = run("init", *words, input="orders\nsecret\n")

    assert result.exit_code == 0, result.stdout


def test_init_says_what_is_wrong_with_the_account(run: Run, post: RunningOffice) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        nobody = free.getsockname()[1]

    result = run("init", *_answers(post, **{"--password": "wrong", "--smtp-port": nobody}))

    assert result.exit_code == 1
    assert "refuses the login of 'orders'" in result.stdout
    assert f"nothing answers at 127.0.0.1 port {nobody}" in result.stdout


def test_init_never_writes_over_a_file(run: Run, club: Path, post: RunningOffice) -> None:
    result = run("init", *_answers(post))

    assert result.exit_code == 2
    assert "already there" in str(result.exception)


def test_init_refuses_an_address_that_is_none(run: Run, post: RunningOffice, tmp_path: Path) -> None:
    result = run("init", *_answers(post, **{"--address": "orders"}))

    assert result.exit_code == 2
    assert "is not a mail address" in str(result.exception)
    assert not (tmp_path / "pbem.toml").exists()


def test_doctor_checks_everything(run: Run, club: Path) -> None:
    findings = json.loads(run("doctor", "--json").stdout)

    assert all(finding["fine"] for finding in findings), findings
    assert {"mail in (IMAP)", "mail out (SMTP)", "database", "maps"} <= {finding["what"] for finding in findings}


def test_without_settings_the_next_step_is_named(run: Run) -> None:
    result = run("doctor")

    assert result.exit_code == 2
    assert "pbem init" in str(result.exception)
