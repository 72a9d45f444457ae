"""Is everything there? What `pbem init` and `pbem doctor` test, each finding in plain words."""

from __future__ import annotations

import smtplib
import socket
import ssl
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientError, LoginError

import games
from pbem.config import Account, Imap, Settings, Smtp
from pbem.kit.scene import HexGrid, Label, Point, Scene
from pbem.letters.pen import Pen
from pbem.store.store import Store

TIMEOUT = 20


@dataclass(frozen=True)
class Finding:
    """One thing that was tested."""

    what: str
    fine: bool
    words: str
    """What is wrong and what to do about it, or what was found."""


def check_all(settings: Settings) -> Iterator[Finding]:
    """Everything a running daemon needs."""
    yield check_imap(settings.imap)
    yield check_smtp(settings.smtp)
    yield check_database(settings)
    yield check_maps(settings)
    yield from check_games()


# --- mail ------------------------------------------------------------------------------------------------------------


def check_imap(imap: Imap) -> Finding:
    """Log in and look into the folder, as the daemon will."""
    return _tried("mail in (IMAP)", imap, lambda: _look_into(imap))


def _look_into(imap: Imap) -> str:
    encrypted = imap.encryption == "tls"
    with IMAPClient(imap.host, imap.port, ssl=encrypted, timeout=TIMEOUT) as client:
        if imap.encryption == "starttls":
            client.starttls()
        if not imap.token_command:
            client.login(imap.user, imap.password.get_secret_value())
            client.select_folder(imap.folder, readonly=True)
        able = {word.decode() for word in client.capabilities()}
    lacking = [word for word in ("IDLE", "MOVE") if word not in able]
    if lacking:
        return f"works; the server lacks {' and '.join(lacking)}, so pbem looks every {imap.poll_minutes} minutes"
    return "works; letters are read as they come"


def check_smtp(smtp: Smtp) -> Finding:
    """Connect and log in; nothing is sent."""
    return _tried("mail out (SMTP)", smtp, lambda: _knock(smtp))


def _knock(smtp: Smtp) -> str:
    kind = smtplib.SMTP_SSL if smtp.encryption == "tls" else smtplib.SMTP
    with kind(smtp.host, smtp.port, timeout=TIMEOUT) as client:
        if smtp.encryption == "starttls":
            client.starttls(context=ssl.create_default_context())
        client.ehlo()
        if smtp.user and not smtp.token_command:
            client.login(smtp.user, smtp.password.get_secret_value())
    return "works"


def _tried(what: str, account: Account, attempt: Callable[[], str]) -> Finding:
    try:
        return Finding(what, words=attempt(), fine=True)
    except (OSError, IMAPClientError, smtplib.SMTPException) as error:
        return Finding(what, words=explained(error, account), fine=False)


def explained(error: Exception, account: Account) -> str:
    """A failed connection in words a host can act on."""
    where = f"{account.host} port {account.port}"
    if isinstance(error, socket.gaierror):
        return f"there is no server called {account.host}; check the host name"
    if isinstance(error, ConnectionRefusedError):
        return f"nothing answers at {where}; check the port, and whether the server runs"
    if isinstance(error, TimeoutError):
        return f"{where} does not answer; a firewall may be in the way"
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"the certificate of {account.host} is not valid: {error.verify_message}"
    if isinstance(error, ssl.SSLError):
        return f'{where} does not speak TLS at once; try encryption = "starttls", or another port'
    if isinstance(error, LoginError | smtplib.SMTPAuthenticationError):
        refused = f"{account.host} refuses the login of '{account.user}'"
        return f"{refused}; check user and password (some providers want an app password)"
    if isinstance(error, smtplib.SMTPNotSupportedError):
        return f"{where} offers no login on this connection; check the encryption and the port"
    return f"{where}: {error}"


# --- the rest --------------------------------------------------------------------------------------------------------


def check_database(settings: Settings) -> Finding:
    """Open it, which also brings its tables up to date."""
    try:
        Store.open(settings.database).close()
    except Exception as error:
        # Every driver has errors of its own, and all of them are the answer.
        return Finding("database", words=f"{settings.database} cannot be opened: {error}", fine=False)
    return Finding("database", words="opens, and its tables are up to date", fine=True)


def check_maps(settings: Settings) -> Finding:
    """Draw a small map: the library and the font are there, and the cache folder can be written."""
    scene = Scene("Check", HexGrid(4, 4), (), items=(Label(Point(2, 2), "Check"),), alt="A test.")
    try:
        with Pen(settings.club.name, settings.templates, settings.cache) as pen:
            drawn = pen.draw(scene, "small")
    except Exception as error:
        # Whatever goes wrong here is the answer.
        return Finding("maps", words=f"cannot be drawn: {error}", fine=False)
    return Finding("maps", words="can be drawn", fine=bool(drawn.png))


def check_games() -> Iterator[Finding]:
    """Every installed game can be loaded."""
    for slug in games.slugs():
        try:
            rules = games.game(slug)
        except Exception as error:
            # A game of somebody else may fail in any way.
            yield Finding(f"game {slug}", words=f"cannot be loaded: {error}", fine=False)
        else:
            yield Finding(f"game {slug}", words=f"{rules.title}, rules version {rules.version}", fine=True)
