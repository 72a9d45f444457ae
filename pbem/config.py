"""``pbem.toml`` and the environment to frozen settings; unknown keys are refused."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, SecretStr, ValidationError
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

DEFAULT_FILE = Path("pbem.toml")

Encryption = Literal["tls", "starttls", "none"]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


def _address(text: str) -> str:
    local, at, domain = text.partition("@")
    if not (local and at and domain) or any(c.isspace() for c in text) or "+" in local:
        raise ValueError(f"'{text}' is not a mail address such as orders@club.example")
    return text


Address = Annotated[str, AfterValidator(_address)]


class Club(_Part):
    """Who runs the games."""

    name: str = "pbem"
    """Stands in the subject and signature of every letter."""
    address: Address
    """The robot's address; replies come back to ``address+TOKEN``."""
    moderator: str = ""
    """Who is told when something goes wrong."""


class Account(_Part):
    """A server and how to log in."""

    host: str
    port: int
    encryption: Encryption = "tls"
    user: str = ""
    password: SecretStr = SecretStr("")
    token_command: str = ""
    """Instead of a password: a command that prints a fresh OAuth 2 access token."""


class Imap(Account):
    """Where letters come in."""

    port: int = 993
    folder: str = "INBOX"
    poll_minutes: int = 5
    """How long to wait for the server's word before looking anyway."""
    authserv_id: str = ""
    """Name our own mail server signs its Authentication-Results with; empty: they are not trusted."""


class Smtp(Account):
    """Where letters go out."""

    port: int = 465
    connections: int = 4


class Settings(BaseSettings):
    """All that a host sets."""

    model_config = SettingsConfigDict(extra="forbid", frozen=True, env_prefix="PBEM_", env_nested_delimiter="__")

    club: Club
    imap: Imap
    smtp: Smtp
    database: str = "sqlite:///pbem.sqlite"
    """SQLAlchemy URL; ``postgresql+psycopg://...`` for PostgreSQL."""
    templates: Path | None = None
    """A folder of the club's own templates; what stands there goes before ours."""
    cache: Path = Path("pbem-cache")
    """Map backgrounds are kept here; may be deleted at any time."""
    render_processes: int = 2

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003  pydantic-settings calls with these names
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003  the same
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The environment goes before the file, so that passwords need not stand in it."""
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls, toml_file=settings_file())


class BadSettings(ValueError):
    """The settings cannot be used; each line names the key and what is wrong with it."""


def settings_file() -> Path:
    """The file named by PBEM_CONFIG, or pbem.toml in this folder."""
    return Path(os.environ.get("PBEM_CONFIG", DEFAULT_FILE))


def load_settings() -> Settings:
    """Read the settings; say precisely what is wrong with them."""
    path = settings_file()
    if not path.is_file() and "PBEM_CLUB__ADDRESS" not in os.environ:
        raise BadSettings(f"there is no {path} here; write one with: pbem init")
    try:
        return Settings()  # type: ignore[call-arg]  # the fields come from the file and the environment
    except ValidationError as error:
        lines = [f"{path}: {'.'.join(str(p) for p in e['loc'])}: {e['msg']}" for e in error.errors()]
        raise BadSettings("\n".join(lines)) from error
    except ValueError as error:
        raise BadSettings(f"{path}: {error}") from error
