"""Commands run as a user would run them, each in a folder of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pbem.cli import app
from pbem.cli.speaking import Mistake
from pbem.postoffice.servers import PostOffice, RunningOffice, run_in_thread

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run ``pbem`` with these words; a mistake becomes exit status 2, as in ``main``."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PBEM_CONFIG", raising=False)
    runner = CliRunner()

    def command(*words: str, input: str | None = None) -> Result:
        result = runner.invoke(app, [str(word) for word in words], input=input)
        if isinstance(result.exception, Mistake):
            result.exit_code = 2
        elif result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return command


@pytest.fixture
def post(tmp_path: Path) -> Iterator[RunningOffice]:
    with run_in_thread(PostOffice(tmp_path / "mail", "club.example")) as office:
        office.add_account("orders", "secret")
        yield office


@pytest.fixture
def club(tmp_path: Path, post: RunningOffice) -> Path:
    """A folder with settings that work."""
    path = tmp_path / "pbem.toml"
    account = 'host = "127.0.0.1"\nencryption = "none"\nuser = "orders"\npassword = "secret"\n'
    path.write_text(
        f'[club]\nname = "Test Club"\naddress = "orders@club.example"\nmoderator = "mod@club.example"\n'
        f"[imap]\n{account}port = {post.imap_port}\n[smtp]\n{account}port = {post.smtp_port}\n"
    )
    return path
