"""A whole campaign on the built-in mail servers: real SMTP, real IMAP, two bots, and something worth seeing."""

from __future__ import annotations

import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path

from pbem.config import Club, Imap, Settings, Smtp
from pbem.demo.correspondent import Correspondent
from pbem.demo.gallery import keep_letters, write_gallery
from pbem.hosting import background_daemon
from pbem.kit.dice import KeyedDice
from pbem.kit.scenario import scenarios_of
from pbem.office import Office
from pbem.postoffice.servers import PostOffice, RunningOffice, run_in_thread

DOMAIN = "club.example"
PASSWORD = "demo"  # noqa: S105  on loopback, in a folder of the user's own
GAME = "fleet_action"
SCENARIO = "border-incident"
CAMPAIGN = "border-incident"
SIDES = {"earth": "Earth", "narn": "Narn"}
PATIENCE = 60.0
"""Seconds to wait for any one thing before giving up."""
HAND_SMTP, HAND_IMAP = 2525, 2143
"""Ports for playing by hand, so that a mail program keeps its settings."""

Say = Callable[[str], None]


class DemoFailed(RuntimeError):
    """Something that should have happened did not."""


def run_demo(folder: Path, turns: int, say: Say = print) -> None:
    """Open a campaign, let two bots play some turns over mail, keep what they were sent, and say where to look."""
    _clear(folder)
    began = time.monotonic()
    with _club(folder, say) as (post, office):
        players = {side: _correspondent(post, side) for side in SIDES}
        _open_campaign(office, {side: player.address for side, player in players.items()}, say)
        _play(office, players, turns, say)
        kept = {SIDES[side]: keep_letters(folder / "letters" / side, p.letters()) for side, p in players.items()}
        proved = all(office.replay(CAMPAIGN, past.turn) for past in office.turns(CAMPAIGN))
        scores = office.show(CAMPAIGN)
    page = write_gallery(folder / "index.html", scores.title, kept)
    say(
        f"\nDone in {time.monotonic() - began:.0f} seconds. The bots sent their secret orders by SMTP, the daemon read"
        f"\nthem by IMAP, answered each with a receipt, and resolved every turn once both were in."
        f"\nEvery turn was resolved again from its archived orders and dice: {'all proved' if proved else 'DIFFERENT'}."
        f"\n\nWhere to look:"
        f"\n  {page}   all letters with their maps, in a browser"
        f"\n  {folder / 'letters'}   the same as files: letter.txt, letter.html, map.png, report.json"
        f"\n  {folder / 'mail'}   the players' mailboxes (Maildir)"
        f"\n\nGo on by hand from your own mail program, against a bot:"
        f"\n  {_command()} demo --play"
    )


def _command() -> str:
    """How the reader calls us: by name where that works, by path in a checkout."""
    return "pbem" if shutil.which("pbem") else sys.argv[0]


def play_by_hand(folder: Path, say: Say = print, stop: threading.Event | None = None) -> None:
    """Earth is yours, a bot plays the Narn; runs until it is stopped."""
    _clear(folder)
    with _club(folder, say, HAND_SMTP, HAND_IMAP) as (_, office):
        _open_campaign(office, {"earth": f"earth@{DOMAIN}", "narn": ""}, say)
        say(
            f"\nYou command Earth. Set up an account in your mail program:"
            f"\n  address earth@{DOMAIN}, user earth, password {PASSWORD}, no encryption"
            f"\n  IMAP 127.0.0.1 port {HAND_IMAP}, SMTP 127.0.0.1 port {HAND_SMTP}"
            f"\nRead the opening letter and reply with your orders. Ctrl-C ends it; mail is kept in {folder / 'mail'}."
        )
        try:
            (stop or threading.Event()).wait()
        except KeyboardInterrupt:
            say("\nClosing.")


# --- the club --------------------------------------------------------------------------------------------------------


def _clear(folder: Path) -> None:
    """Begin anew, but never in a folder that holds something else."""
    if folder.exists() and any(folder.iterdir()) and not (folder / "pbem.sqlite").exists():
        raise FileExistsError(17, "holds other things; name an empty folder with --folder", str(folder))
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)


@contextmanager
def _club(folder: Path, say: Say, smtp_port: int = 0, imap_port: int = 0) -> Iterator[tuple[RunningOffice, Office]]:
    """The post office and the daemon, both at work until the end of the block."""
    with ExitStack() as stack:
        server = PostOffice(folder / "mail", DOMAIN, smtp_port=smtp_port, imap_port=imap_port)
        post = stack.enter_context(run_in_thread(server))
        for account in ("orders", "moderator", *SIDES):
            post.add_account(account, PASSWORD)
        say(f"The post office is open: SMTP on 127.0.0.1:{post.smtp_port}, IMAP on 127.0.0.1:{post.imap_port}.")
        house = stack.enter_context(background_daemon(_settings(folder, post)))
        say("The daemon is listening for letters.")
        yield post, Office(house)


def _settings(folder: Path, post: RunningOffice) -> Settings:
    login = {"host": "127.0.0.1", "encryption": "none", "user": "orders", "password": PASSWORD}
    return Settings(
        club=Club(name="Demo Club", address=f"orders@{DOMAIN}", moderator=f"moderator@{DOMAIN}"),
        imap=Imap.model_validate({**login, "port": post.imap_port}),
        smtp=Smtp.model_validate({**login, "port": post.smtp_port}),
        database=f"sqlite:///{(folder / 'pbem.sqlite').resolve()}",
        cache=folder / "cache",
        render_processes=1,
    )


def _correspondent(post: RunningOffice, side: str) -> Correspondent:
    return Correspondent(f"{side}@{DOMAIN}", side, PASSWORD, post.imap_port, post.smtp_port)


def _open_campaign(office: Office, addresses: dict[str, str], say: Say) -> None:
    now = datetime.now(UTC)
    scenario = scenarios_of(GAME)[SCENARIO]
    office.open_campaign(CAMPAIGN, scenario, now, calendar="3d after opening", moderator=f"moderator@{DOMAIN}")
    for side, address in addresses.items():
        office.add_seat(CAMPAIGN, SIDES[side], side, address, zone="Europe/Berlin", bot=not address)
    office.start(CAMPAIGN, now)
    say(f"The campaign '{scenario.title}' has started; every player gets an opening letter.")


# --- playing ---------------------------------------------------------------------------------------------------------


def _play(office: Office, players: dict[str, Correspondent], turns: int, say: Say) -> None:
    """Each bot answers the letter that asks for its orders; the turn is resolved when both have."""
    for _ in range(turns):
        info = office.show(CAMPAIGN)
        if info.turn is None:
            break
        say(f"\nTurn {info.turn}")
        resolved = len(office.turns(CAMPAIGN)) + 1
        for side, player in players.items():
            asked = _in_time(player.next_letter, f"a letter to {SIDES[side]}")
            sent = time.monotonic()
            player.reply(asked, _orders(office, side))
            _in_time(player.answer, f"a receipt for {SIDES[side]}")
            say(f"  {SIDES[side]}: orders sent by SMTP, receipt here after {time.monotonic() - sent:.1f} s")
        _await_turns(office, resolved)
        events = office.turns(CAMPAIGN)[-1].events
        say(f"  resolved: {len(events)} events; reports and maps are in the mail")
    _wait_until(lambda: all(mail.status == "sent" for mail in office.outgoing(CAMPAIGN)), "the last reports")


def _orders(office: Office, side: str) -> str:
    """What the bot orders, from what its side knows and nothing else."""
    game = office.house.games(GAME)
    view = game.view(office.state(CAMPAIGN), side)
    return game.bot(view, KeyedDice(office.house.fresh(32))) + "END\n"


def _in_time(wait: Callable[[float], EmailMessage | None], what: str) -> EmailMessage:
    waited = wait(PATIENCE)
    if waited is None:
        raise DemoFailed(f"{what} did not come within {PATIENCE:.0f} seconds")
    return waited


def _await_turns(office: Office, count: int) -> None:
    def resolved_or_stuck() -> bool:
        return len(office.turns(CAMPAIGN)) >= count or office.show(CAMPAIGN).status == "paused"

    _wait_until(resolved_or_stuck, "the turn to be resolved")
    info = office.show(CAMPAIGN)
    if info.status == "paused":
        raise DemoFailed(f"the campaign is paused: {info.reason}")


def _wait_until(done: Callable[[], bool], what: str) -> None:
    until = time.monotonic() + PATIENCE
    while not done():
        if time.monotonic() > until:
            raise DemoFailed(f"waited {PATIENCE:.0f} seconds in vain for {what}")
        time.sleep(0.1)
