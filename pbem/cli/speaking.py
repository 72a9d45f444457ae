"""How the command line speaks: text for people, JSON for scripts, mistakes in plain words."""

from __future__ import annotations

import json
import logging
import sys
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import typer
from jinja2 import TemplateNotFound, TemplateSyntaxError
from rich.console import Console
from rich.table import Table

from games import UnknownGame
from pbem.config import BadSettings
from pbem.kit.codec import BadData, plain
from pbem.kit.dice import OutOfDice, WrongDie
from pbem.kit.scenario import UnknownScenario


class Mistake(Exception):
    """The user asked for something that cannot be; the text says why and what would work."""


@contextmanager
def plain_mistakes() -> Iterator[None]:
    """Turn the errors that a user can cause into mistakes."""
    try:
        yield
    except (BadData, BadSettings, OutOfDice, WrongDie, UnknownGame, UnknownScenario) as error:
        raise Mistake(str(error)) from error
    except TemplateNotFound as error:
        where = "a game brings its own in the folder 'templates' of its package"
        raise Mistake(f"there is no template {error.name}; {where}") from error
    except TemplateSyntaxError as error:
        where = f"{error.filename or error.name} is wrong in line {error.lineno}"
        raise Mistake(f"the template {where}: {error.message}") from error
    except FileNotFoundError as error:
        raise Mistake(f"there is no file {error.filename}") from error
    except (IsADirectoryError, PermissionError) as error:
        raise Mistake(f"cannot read {error.filename}: {error.strerror}") from error


def say_mistake(mistake: Mistake) -> None:
    for line in str(mistake).splitlines():
        typer.echo(f"pbem: {line}", err=True)


def start_logging(level: int) -> None:
    """Our own words on standard error; libraries only where something is wrong."""
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    logging.getLogger("pbem").setLevel(level)
    # The bell looks for due work every few seconds; that one look was still going on is no news.
    logging.getLogger("apscheduler").setLevel(logging.ERROR)
    # aiosmtpd writes its own deprecations here.
    logging.getLogger("mail.log").setLevel(logging.ERROR)
    warnings.filterwarnings("ignore", module="aiosmtpd")


def say(text: str = "") -> None:
    typer.echo(text)


def say_json(value: Any) -> None:
    json.dump(plain(value), sys.stdout, ensure_ascii=False, indent=2)
    sys.stdout.write("\n")


def say_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A table that also reads well in a pipe, where no colours or frames are wanted."""
    table = Table(*columns, box=None, pad_edge=False, header_style="bold")
    for row in rows:
        table.add_row(*(str(cell) for cell in row))
    Console(highlight=False, width=None if sys.stdout.isatty() else 160).print(table)
