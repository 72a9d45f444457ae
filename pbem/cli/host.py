"""Commands for hosts: set up, check, run, and the demo."""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import Annotated

import typer

from pbem import postoffice
from pbem.checkup import Finding, check_all, check_imap, check_smtp
from pbem.cli.speaking import Mistake, plain_mistakes, say, say_json, start_logging
from pbem.config import BadSettings, load_settings, settings_file

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for a script.")]


def add_to(app: typer.Typer) -> None:
    app.command("init")(init)
    app.command("run")(run)
    app.command("doctor")(doctor)
    app.command("demo")(demo)


# --- init ------------------------------------------------------------------------------------------------------------


def init(
    address: Annotated[str, typer.Option(prompt="The robot's mail address", help="Replies come to it.")],
    imap_host: Annotated[str, typer.Option(prompt="IMAP server", help="Where its mail is read.")],
    smtp_host: Annotated[str, typer.Option(prompt="SMTP server", help="Where its mail goes out.")],
    user: Annotated[str, typer.Option(prompt="User name for both", help="Often the address itself.")],
    password: Annotated[str, typer.Option(prompt="Password", hide_input=True, help="Or an app password.")] = "",
    club: Annotated[str, typer.Option(help="Stands in every letter.")] = "pbem",
    moderator: Annotated[str, typer.Option(help="Who is told when something goes wrong.")] = "",
    imap_port: Annotated[int, typer.Option()] = 993,
    smtp_port: Annotated[int, typer.Option()] = 465,
    imap_encryption: Annotated[str, typer.Option(help="tls, starttls or none.")] = "tls",
    smtp_encryption: Annotated[str, typer.Option(help="tls, starttls or none.")] = "tls",
    *,
    force: Annotated[bool, typer.Option("--force", help="Write over an existing file.")] = False,
) -> None:
    """Write pbem.toml and test the mail account."""
    path = settings_file()
    if path.exists() and not force:
        raise Mistake(f"{path} is already there; change it by hand, or write it anew with --force")
    account = f"user = {_quoted(user)}\npassword = {_quoted(password)}\n"
    text = (
        f'# See deploy/pbem.example.toml for every key.\ndatabase = "sqlite:///pbem.sqlite"\n\n'
        f"[club]\nname = {_quoted(club)}\naddress = {_quoted(address)}\nmoderator = {_quoted(moderator)}\n\n"
        f"[imap]\nhost = {_quoted(imap_host)}\nport = {imap_port}\nencryption = {_quoted(imap_encryption)}\n{account}\n"
        f"[smtp]\nhost = {_quoted(smtp_host)}\nport = {smtp_port}\nencryption = {_quoted(smtp_encryption)}\n{account}"
    )
    _write_secret(path, text)
    try:
        settings = load_settings()
    except BadSettings as error:
        path.unlink()
        raise Mistake(str(error)) from error
    say(f"{path} is written; only you can read it.")
    findings = [check_imap(settings.imap), check_smtp(settings.smtp)]
    _say_findings(findings)
    if all(finding.fine for finding in findings):
        say("Next: pbem campaign new, and pbem run.")
    else:
        say(f"Mend {path} and try again with: pbem doctor")
        raise typer.Exit(1)


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _write_secret(path: Path, text: str) -> None:
    """The file holds a password: nobody else may read it, from the first byte on."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)


# --- doctor ----------------------------------------------------------------------------------------------------------


def doctor(*, as_json: AsJson = False) -> None:
    """Check settings, mail, database, maps and games; exit status 1 if something is wrong."""
    with plain_mistakes():
        settings = load_settings()
    findings = list(check_all(settings))
    if as_json:
        say_json(findings)
    else:
        _say_findings(findings)
    if not all(finding.fine for finding in findings):
        raise typer.Exit(1)


def _say_findings(findings: list[Finding]) -> None:
    for finding in findings:
        say(f"{'ok  ' if finding.fine else 'BAD '} {finding.what}: {finding.words}")


# --- run -------------------------------------------------------------------------------------------------------------


def run() -> None:
    """Run the daemon: read letters, answer them, resolve turns, send reports. Stop it with Ctrl-C or SIGTERM."""
    from pbem.hosting import run_daemon

    start_logging(logging.INFO)
    with plain_mistakes():
        run_daemon(load_settings())


def demo(
    folder: Annotated[Path, typer.Option(help="Where mailboxes, letters and maps are kept.")] = Path("demo"),
    turns: Annotated[int, typer.Option(min=1, max=20, help="How many turns the bots play.")] = 4,
    *,
    play: Annotated[bool, typer.Option("--play", help="Keep running: play by hand against a bot.")] = False,
) -> None:
    """Watch a whole campaign on the built-in mail servers."""
    if postoffice.missing():
        raise Mistake('the demo needs the built-in mail servers; install them with: pip install "pbem[postoffice]"')
    from pbem.demo import play_by_hand, run_demo

    start_logging(logging.ERROR)
    with plain_mistakes():
        if play:
            play_by_hand(folder)
        else:
            run_demo(folder, turns)
