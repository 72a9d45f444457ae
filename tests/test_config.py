"""Settings: precise words for every mistake, the environment before the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.config import BadSettings, load_settings

GOOD = """
[club]
address = "orders@club.example"
[imap]
host = "imap.club.example"
user = "orders"
[smtp]
host = "smtp.club.example"
"""


@pytest.fixture
def settings_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "pbem.toml"
    path.write_text(GOOD)
    monkeypatch.setenv("PBEM_CONFIG", str(path))
    return path


def test_what_is_not_set_has_a_sensible_default(settings_file: Path) -> None:
    settings = load_settings()

    assert settings.database == "sqlite:///pbem.sqlite"
    assert (settings.imap.port, settings.imap.encryption, settings.imap.folder) == (993, "tls", "INBOX")


def test_the_environment_goes_before_the_file(settings_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that passwords need not stand in a file."""
    monkeypatch.setenv("PBEM_IMAP__PASSWORD", "s3cret")
    monkeypatch.setenv("PBEM_DATABASE", "postgresql+psycopg://pbem@localhost/pbem")

    settings = load_settings()

    assert settings.imap.password.get_secret_value() == "s3cret"
    assert settings.imap.host == "imap.club.example"
    assert settings.database.startswith("postgresql")


def test_a_password_is_never_printed(settings_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_SMTP__PASSWORD", "s3cret")

    assert "s3cret" not in repr(load_settings())


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("address", "adress"), "club.adress"),
        (("orders@club.example", "orders"), "club.address"),
        (('host = "imap.club.example"', 'host = "x"\nport = "many"'), "imap.port"),
        (('user = "orders"', 'encryption = "some"'), "imap.encryption"),
        (("[smtp]", "[smpt]"), "smpt"),
        (("[club]", "[club"), "pbem.toml"),
    ],
)
def test_a_mistake_names_the_key(settings_file: Path, change: tuple[str, str], words: str) -> None:
    settings_file.write_text(GOOD.replace(*change))

    with pytest.raises(BadSettings, match=words):
        load_settings()


def test_without_a_file_the_next_step_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_CONFIG", str(tmp_path / "nothing.toml"))

    with pytest.raises(BadSettings, match="pbem init"):
        load_settings()


def test_the_example_in_deploy_is_valid(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_CONFIG", str(Path(__file__).parent.parent / "deploy" / "pbem.example.toml"))

    assert load_settings().club.name == "Fleet Club"
