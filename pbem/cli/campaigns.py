"""Commands for moderators: campaigns, seats and turns."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

import games
from pbem.campaign.calendar import BadCalendar
from pbem.cli.speaking import Mistake, plain_mistakes, say, say_json, say_table
from pbem.config import load_settings
from pbem.hosting import open_house
from pbem.kit.scenario import Scenario, load_scenario, scenario_of
from pbem.office import CampaignInfo, NotPossible, Office

campaign_app = typer.Typer(help="Open and run campaigns.", no_args_is_help=True)
seat_app = typer.Typer(help="Give players and bots a place in a campaign.", no_args_is_help=True)
turn_app = typer.Typer(help="Look at turns, resolve them, remind players, prove results.", no_args_is_help=True)

letter_app = typer.Typer(help="Letters that were set aside, and mail that could not be sent.", no_args_is_help=True)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for a script.")]
Slug = Annotated[str, typer.Argument(metavar="CAMPAIGN")]
Reason = Annotated[str, typer.Option(help="Told to the players.")]


def add_to(app: typer.Typer) -> None:
    app.add_typer(campaign_app, name="campaign")
    app.add_typer(seat_app, name="seat")
    app.add_typer(turn_app, name="turn")
    app.add_typer(letter_app, name="letter")


@contextmanager
def the_office() -> Iterator[Office]:
    """The office of the settings in this folder; what it cannot do is said in plain words."""
    with plain_mistakes():
        settings = load_settings()
        with open_house(settings) as house:
            try:
                yield Office(house)
            except (NotPossible, BadCalendar) as error:
                raise Mistake(str(error)) from error


def _now() -> datetime:
    return datetime.now(UTC)


# --- campaigns -------------------------------------------------------------------------------------------------------


@campaign_app.command("new")
def new(
    slug: Annotated[str, typer.Argument(metavar="NAME", help="Short name: small letters, digits, hyphens.")],
    game: Annotated[str, typer.Option(help="See: pbem games")],
    scenario: Annotated[str, typer.Option(help="Key of a scenario, or a scenario file of your own.")],
    title: Annotated[str, typer.Option(help="What players read; default: the scenario's title.")] = "",
    every: Annotated[
        str, typer.Option(help="Deadlines: 'every fri 20:00 Europe/Berlin', '3d after opening'.")
    ] = "none",
    grace: Annotated[int, typer.Option(help="Minutes a late letter is still taken.")] = 0,
    delay: Annotated[int, typer.Option(help="Minutes to change one's mind after the last sheet is in.")] = 0,
    *,
    early: Annotated[bool, typer.Option("--early/--no-early", help="Resolve when all orders are in.")] = True,
    hide_awaited: Annotated[bool, typer.Option("--hide-awaited", help="Do not tell whose orders are missing.")] = False,
    moderator: Annotated[str, typer.Option(help="Mail address of the moderator.")] = "",
) -> None:
    """Open a campaign; it waits for seats and for its start."""
    with the_office() as office:
        info = office.open_campaign(
            slug,
            _scenario(game, scenario),
            _now(),
            title=title,
            calendar=every,
            grace_minutes=grace,
            delay_minutes=delay,
            early=early,
            hide_awaited=hide_awaited,
            moderator=moderator,
        )
        say(f"{info.title} ({info.game}) is open as '{slug}'.")
        for side, name in office.sides(slug).items():
            say(f"  Give {name} a player:  pbem seat add {slug} {side} player@club.example")
        say(f"  Then:  pbem campaign start {slug}")


def _scenario(game: str, wanted: str) -> Scenario:
    if wanted.endswith(".toml"):
        return load_scenario(Path(wanted))
    games.game(game)
    return scenario_of(game, wanted)


@campaign_app.command("list")
def list_campaigns(*, as_json: AsJson = False) -> None:
    """List all campaigns."""
    with the_office() as office:
        campaigns = office.campaigns()
    if as_json:
        say_json([_plain(info) for info in campaigns])
        return
    rows = [[i.slug, i.title, i.game, i.status, i.turn or "", i.phase or "", _when(i.deadline)] for i in campaigns]
    say_table(["Campaign", "Title", "Game", "Status", "Turn", "Phase", "Deadline"], rows)


@campaign_app.command("show")
def show(slug: Slug, *, as_json: AsJson = False) -> None:
    """Show where a campaign stands."""
    with the_office() as office:
        _say_campaign(office.show(slug), as_json=as_json)


@campaign_app.command("start")
def start(slug: Slug) -> None:
    """Open the first phase and write the opening letters; the daemon sends them."""
    with the_office() as office:
        info = office.start(slug, _now())
        say(f"{info.title} has started: turn {info.turn}, {info.phase}. The opening letters go out with: pbem run")


@campaign_app.command("pause")
def pause(slug: Slug, reason: Reason = "") -> None:
    """Stop the clock; orders are still taken."""
    with the_office() as office:
        office.pause(slug, reason, _now())
        say(f"{slug} is paused; go on with: pbem campaign resume {slug}")


@campaign_app.command("allow")
def allow(slug: Slug, words: Annotated[list[str], typer.Argument(help="Names that give nothing away.")]) -> None:
    """Let letters hold names that were taken for leaks."""
    with the_office() as office:
        say(f"{slug} allows {', '.join(office.allow_words(slug, words))}; go on with: pbem campaign resume {slug}")


@campaign_app.command("resume")
def resume(slug: Slug, reason: Reason = "") -> None:
    """Go on after a pause; a deadline that is too near is set anew."""
    with the_office() as office:
        info = office.resume(slug, reason, _now())
        say(f"{slug} goes on; deadline {_when(info.deadline)}.")


def _say_campaign(info: CampaignInfo, *, as_json: bool) -> None:
    if as_json:
        say_json(_plain(info))
        return
    say(f"{info.title} ({info.game}, {info.scenario}): {info.status}{f', {info.reason}' if info.reason else ''}")
    if info.turn is not None:
        say(f"Turn {info.turn}, {info.phase}; deadline {_when(info.deadline)}; resolved at {_when(info.due)}")
    rows = [
        [s.id, s.name, s.side, "bot" if s.bot else s.address, _sheet(needed=s.needed, ordered=s.ordered)]
        for s in info.seats
    ]
    say_table(["Seat", "Player", "Side", "Address", "Orders"], rows)


def _sheet(*, needed: bool, ordered: bool) -> str:
    if not needed:
        return "not asked"
    return "in" if ordered else "awaited"


def _plain(info: CampaignInfo) -> dict[str, object]:
    moments = ("opened_at", "deadline", "due")
    plain = {name: getattr(info, name) for name in info.__dataclass_fields__ if name not in moments}
    return {**plain, **{name: _iso(getattr(info, name)) for name in moments}}


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else moment.astimezone(UTC).isoformat()


def _when(moment: datetime | None) -> str:
    return "none" if moment is None else moment.astimezone(UTC).strftime("%a %d %b %Y %H:%M UTC")


# --- seats -----------------------------------------------------------------------------------------------------------


@seat_app.command("add")
def add_seat(
    slug: Slug,
    side: Annotated[str, typer.Argument(help="Which side; by id or name.")],
    address: Annotated[str, typer.Argument(help="The player's mail address; not for a bot.")] = "",
    name: Annotated[str, typer.Option(help="The player's name; default: the side's name.")] = "",
    units: Annotated[str, typer.Option(help="Units this seat commands, with commas; default: the whole side.")] = "",
    zone: Annotated[str, typer.Option(help="The player's time zone, such as Europe/London.")] = "UTC",
    *,
    bot: Annotated[bool, typer.Option("--bot", help="The computer plays this seat.")] = False,
) -> None:
    """Give a player, or a bot, a place."""
    with the_office() as office:
        chosen = [unit.strip() for unit in units.split(",") if unit.strip()]
        seat = office.add_seat(slug, name or side, side, address, units=chosen, zone=zone, bot=bot)
        say(f"{seat.name} plays {seat.side}{' (bot)' if bot else f' as {seat.address}'}.")


@seat_app.command("list")
def list_seats(slug: Slug, *, as_json: AsJson = False) -> None:
    """List the seats of a campaign."""
    with the_office() as office:
        info = office.show(slug)
    if as_json:
        say_json(info.seats)
    else:
        rows = [[s.id, s.name, s.side, "bot" if s.bot else s.address, ", ".join(s.units) or "all"] for s in info.seats]
        say_table(["Seat", "Player", "Side", "Address", "Units"], rows)


# --- turns -----------------------------------------------------------------------------------------------------------


@turn_app.command("show")
def show_turn(slug: Slug, *, as_json: AsJson = False) -> None:
    """Show the open phase and the turns resolved so far."""
    with the_office() as office:
        info, past = office.show(slug), office.turns(slug)
    if as_json:
        resolved = [
            {"number": t.number, "turn": t.turn, "phase": t.phase, "resolved_at": _iso(t.resolved_at)} for t in past
        ]
        say_json({"open": _plain(info), "resolved": resolved})
        return
    _say_campaign(info, as_json=False)
    rows = [[t.turn, t.phase, _when(t.resolved_at), len(t.events), ", ".join(t.absent)] for t in past]
    say_table(["Turn", "Phase", "Resolved", "Events", "Without orders"], rows)


@turn_app.command("resolve")
def resolve(slug: Slug) -> None:
    """Resolve the open phase now, with the orders that are in."""
    with the_office() as office:
        info = office.resolve_now(slug, _now())
        say(f"Resolved. Now: {info.status}" + (f", turn {info.turn}, {info.phase}" if info.turn is not None else ""))


@turn_app.command("remind")
def remind(slug: Slug) -> None:
    """Write to all whose orders are missing."""
    with the_office() as office:
        say(f"{office.remind(slug, _now())} reminders written.")


@turn_app.command("move")
def move_deadline(
    slug: Slug,
    deadline: Annotated[str, typer.Argument(help="In UTC, such as 2027-01-31T20:00; or none.")],
    reason: Reason = "",
) -> None:
    """Move the deadline of the open phase and tell everybody."""
    with the_office() as office:
        info = office.move_deadline(slug, _moment(deadline), reason, _now())
        say(f"The deadline is now {_when(info.deadline)}.")


def _moment(text: str) -> datetime | None:
    if text == "none":
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise Mistake(f"'{text}' is no moment; write it as 2027-01-31T20:00, in UTC") from error
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)


@turn_app.command("verify")
def verify(slug: Slug, turn: Annotated[int, typer.Argument(help="Which turn; 0: all.")] = 0) -> None:
    """Resolve turns of the archive again and compare every byte; exit status 1 if one differs."""
    with the_office() as office:
        numbers = [turn] if turn else sorted({past.turn for past in office.turns(slug)})
        results = {number: office.replay(slug, number) for number in numbers}
    for number, same in results.items():
        say(f"turn {number}: {'proved' if same else 'DIFFERS'}")
    if not all(results.values()):
        raise typer.Exit(1)


# --- letters ---------------------------------------------------------------------------------------------------------


@letter_app.command("list")
def list_letters(*, as_json: AsJson = False) -> None:
    """List letters set aside after a fault, and mails that were refused for good."""
    with the_office() as office:
        aside, failed = office.letters_set_aside(), office.failed_mails()
    if as_json:
        letters = [{"id": a.id, "sender": a.sender, "reason": a.reason, "attempts": a.attempts} for a in aside]
        mails = [{"id": f.id, "recipient": f.recipient, "subject": f.subject, "why": f.why} for f in failed]
        say_json({"set_aside": letters, "refused": mails})
        return
    say_table(["Letter", "Sender", "Arrived", "Why"], [[a.id, a.sender, _when(a.arrived_at), a.reason] for a in aside])
    say_table(["Mail", "Recipient", "Subject", "Why"], [[f.id, f.recipient, f.subject, f.why] for f in failed])


@letter_app.command("requeue")
def requeue(letter: Annotated[int, typer.Argument(help="Its number.")]) -> None:
    """Take up again a letter that was set aside."""
    with the_office() as office:
        again = office.requeue(letter, _now())
        say(f"Letter {again.id}: {again.status}{f', {again.verdict}' if again.verdict else ''}.")
