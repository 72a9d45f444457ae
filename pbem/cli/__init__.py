"""The ``pbem`` command: one function a command, thin."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from pbem import __version__
from pbem.cli import authors, campaigns, host, workbench
from pbem.cli.speaking import Mistake, say_mistake

app = typer.Typer(
    name="pbem",
    help="A play-by-e-mail turn processor for fleet wargames.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

host.add_to(app)
campaigns.add_to(app)
workbench.add_to(app)
authors.add_to(app)


def _print_version(*, wanted: bool) -> None:
    if wanted:
        typer.echo(f"pbem {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """A play-by-e-mail turn processor for fleet wargames."""


def main() -> None:
    """Run the command; a mistake of the user is said in plain words, with exit status 2."""
    try:
        app()
    except Mistake as mistake:
        say_mistake(mistake)
        sys.exit(2)
    except BrokenPipeError:
        # The reader of our output went away; that is not an error worth a word.
        sys.exit(0)
