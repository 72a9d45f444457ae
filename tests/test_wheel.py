"""What ``pip install`` gives works outside the checkout: templates, games and their data ship in the wheel."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.postoffice import LIBRARIES
from pbem.postoffice.servers import PostOffice, run_in_thread
from tests.installing import ROOT, SETTINGS, Installed, built_wheel, clean, new_environment, run_in

PATIENCE = 60

pytestmark = pytest.mark.server


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_wheel(ROOT, tmp_path_factory.mktemp("dist"))


@pytest.fixture
def install(wheel: Path, tmp_path: Path) -> Callable[[str], Installed]:
    """Installs the wheel with an extra, or with none, into an environment of its own."""
    return lambda extra: new_environment(tmp_path, f"pbem{extra} @ {wheel.as_uri()}")


def test_the_wheel_runs_the_demo_from_another_folder(install: Callable[[str], Installed]) -> None:
    club = install("[postoffice]")

    assert "all proved" in club.says("demo", "--turns", "1")
    assert "border-incident" in club.says("games")


def test_a_host_with_a_mail_account_installs_no_mail_server(install: Callable[[str], Installed]) -> None:
    """Everything but the demo works without the extra; the demo says what to install."""
    club = install("")
    search = f"from importlib.util import find_spec; print([name for name in {LIBRARIES} if find_spec(name)])"
    here = run_in(club.folder, club.bin / "python", "-c", search)
    assert here.stdout == "[]\n"

    assert "demo" in club.says("--help")
    assert "border-incident" in club.says("games")
    assert "Events" in club.says("try", "fleet_action/border-incident")
    demo = club.run("demo")
    assert demo.returncode == 2
    assert (
        demo.stderr
        == 'pbem: the demo needs the built-in mail servers; install them with: pip install "pbem[postoffice]"\n'
    )

    with run_in_thread(PostOffice(club.folder / "post", "club.example")) as post:
        post.add_account("robot", "secret")
        settings = SETTINGS.format(imap=post.imap_port, smtp=post.smtp_port)
        (club.folder / "pbem.toml").write_text(settings)
        assert "BAD" not in club.says("doctor")
        assert stopped_after_its_start(club) == 0


def stopped_after_its_start(club: Installed) -> int:
    """Run the daemon until it says that it has started, and ask it to end."""
    words = [str(club.bin / "pbem"), "run"]
    with subprocess.Popen(words, cwd=club.folder, env=clean(), stderr=subprocess.PIPE, text=True) as daemon:
        assert daemon.stderr is not None
        try:
            assert any("pbem.daemon: started" in line for line in daemon.stderr), "it ended before it had started"
            daemon.send_signal(signal.SIGTERM)
            daemon.communicate(timeout=PATIENCE)
        finally:
            daemon.kill()
    return daemon.returncode
