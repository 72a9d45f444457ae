"""Fixtures of the post office, and what is left out where a program of the system is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.postoffice.servers import PostOffice, RunningOffice, run_in_thread
from tests.post.servers import Certificate, new_certificate


def _version(program: str) -> str:
    path = shutil.which(program)
    return subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout if path else ""


collect_ignore: list[str] = []
if shutil.which("openssl") is None:
    collect_ignore += ["test_encryption.py", "test_dovecot.py", "test_postfix.py"]
if not _version("dovecot").startswith("2.3."):
    # Its settings have other names in other versions.
    collect_ignore.append("test_dovecot.py")
if shutil.which("postfix") is None or os.geteuid() != 0:
    # Postfix drops root's rights by itself, and starts with nothing less.
    collect_ignore.append("test_postfix.py")


@pytest.fixture
def office(tmp_path: Path) -> Iterator[RunningOffice]:
    """The built-in post office with the robot's account."""
    with run_in_thread(PostOffice(tmp_path / "post", "club.example")) as running:
        running.add_account("robot", "secret")
        yield running


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    return new_certificate(tmp_path_factory.mktemp("certificate"))
