"""Answers to commands: help, status, orders, reports again, the rules, the why of a turn, preferences."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from importlib.resources.abc import Traversable

from games import AnyGame
from pbem.desk.case import Case
from pbem.desk.commands import Command, Word
from pbem.desk.reading import read_standing
from pbem.desk.settings import FORMS, BadSetting, read_setting
from pbem.kit.sheet import match_name, nearest
from pbem.report.blocks import Block, Heading, Items, Out, Pre
from pbem.report.content import Attachment, Mail, Preferences
from pbem.report.game_parts import help_blocks, status_blocks
from pbem.report.notices import answer, fields_of_fire
from pbem.report.receipt import receipt
from pbem.report.why import why
from pbem.store.letters import PreferenceChange
from pbem.store.rows import CampaignStatus, OutgoingRow
from pbem.turns.playing import events_of
from pbem.turns.reports import report_key
from pbem.turns.standing import Standing, digest

Blocks = Sequence[Block | str]


@dataclass(frozen=True)
class Answers:
    """All answers to a letter's commands; short ones share one mail."""

    mails: tuple[Mail, ...]
    preferences: tuple[PreferenceChange, ...] = ()
    again: tuple[OutgoingRow, ...] = ()
    """Mails to be sent once more."""


@dataclass(frozen=True)
class Said:
    """A short answer."""

    title: str
    blocks: Blocks
    change: PreferenceChange | None = None
    enclosed: tuple[Attachment, ...] = ()


def answer_all(case: Case, commands: Sequence[Command]) -> Answers:
    """Answer every command, each once."""
    made = [_ANSWERS[command.word](case, command.rest) for command in dict.fromkeys(commands)]
    said = [one for one in made if isinstance(one, Said)]
    mails = [one for one in made if isinstance(one, Mail)]
    changes = tuple(one.change for one in said if one.change is not None)
    if said:
        mails.insert(0, _together(case, said, changes))
    return Answers(tuple(mails), changes, tuple(one for one in made if isinstance(one, OutgoingRow)))


def _together(case: Case, said: Sequence[Said], changes: Sequence[PreferenceChange]) -> Mail:
    title = said[0].title if len(said) == 1 else "Your questions"
    blocks: list[Block | str] = []
    for one in said:
        blocks.extend(([Heading(one.title)] if len(said) > 1 else []) + list(one.blocks))
    mail = answer_mail(case, title, blocks, case.at, changes)
    return replace(mail, attachments=(*mail.attachments, *(file for one in said for file in one.enclosed)))


def answer_mail(case: Case, title: str, blocks: Blocks, at: Standing, changes: Sequence[PreferenceChange] = ()) -> Mail:
    """The mail that answers a command, already in the form the player has just asked for."""
    context = case.context(at)
    wanted = context.preferences
    for change in changes:
        wanted = _changed(wanted, change)
    return answer(replace(context, preferences=wanted), case.received, title, blocks, case.house.pen)


def _changed(preferences: Preferences, change: PreferenceChange) -> Preferences:
    zone = preferences.zone if change.zone is None else change.zone
    text_only = preferences.text_only if change.text_only is None else change.text_only
    return replace(preferences, zone=zone, text_only=text_only)


# --- one function a command ------------------------------------------------------------------------------------------


def _help(case: Case, _rest: str) -> Said:
    words = _part(case, "commands")
    game = help_blocks(case.house.pen, case.at.game.slug)
    return Said("Help", [*words, Heading(f"{case.at.game.title} on one page"), *game])


def awaited_blocks(case: Case, at: Standing) -> tuple[Block, ...]:
    """Whose orders are missing, unless the campaign hides that."""
    return _part(case, "awaited", case.context(at))


def _part(case: Case, name: str, *values: object) -> tuple[Block, ...]:
    """A part that all letters share, from the templates."""
    out = Out()
    macro = case.house.pen.words.macro("mail/parts.j2", name)
    return out.read(str(macro(out, *values))) if macro else ()


def _status(case: Case, _rest: str) -> Said:
    at = case.at
    blocks: list[Block | str] = [_where(case)]
    if case.campaign.status != CampaignStatus.OVER and case.seat.side in at.phase.sides:
        blocks.append("Your orders are in." if case.seat.id in at.sheets else "Your orders are not in yet.")
        blocks.extend(awaited_blocks(case, at))
    return Said("Status", [*blocks, *status_blocks(case.house.pen, at.game.slug, case.view)])


def _where(case: Case) -> str:
    campaign, phase = case.campaign, case.at.phase
    if campaign.status == CampaignStatus.OVER:
        return f"{campaign.title} is over. {campaign.reason}".strip()
    if campaign.status == CampaignStatus.PAUSED:
        return f"{campaign.title} rests in turn {phase.turn} ({phase.name}). {campaign.reason}".strip()
    return f"{campaign.title} is in turn {phase.turn} ({phase.name})."


def _orders(case: Case, _rest: str) -> Said | Mail:
    if case.seat.id not in case.at.sheets:
        return Said("Your orders", ["You have sent no orders for this turn yet."])
    reading = read_standing(case.at, case.seat)
    pen, context = case.house.pen, case.context()
    return receipt(context, case.at.game, case.view, reading.sheet, case.received, digest(reading.text), True, pen)


def _report(case: Case, rest: str) -> Said | OutgoingRow:
    """The report of a turn again, as it was; of several phases, the last one's."""
    sent = _sent_reports(case)
    if not sent:
        return Said("Reports", ["No turn has been resolved yet."])
    turn = int(rest) if rest else max(sent)
    if turn not in sent:
        known = ", ".join(str(number) for number in sorted(sent))
        return Said(f"Report of turn {turn}", [f"There is no report of turn {turn}; there are those of {known}."])
    return sent[turn]


def _sent_reports(case: Case) -> dict[int, OutgoingRow]:
    assert case.campaign.id is not None
    found: dict[int, OutgoingRow] = {}
    for phase in case.house.store.phases.all(case.campaign.id):
        row = case.house.store.outgoing.by_key(report_key(case.campaign, phase.number, case.seat))
        if row is not None:
            found[phase.turn] = row
    return found


def _rules(case: Case, rest: str) -> Said:
    """One chapter of the rule book, or its table of contents with the whole book enclosed."""
    book = rule_book(case.at.game)
    if book is None:
        return Said("Rules", ["This game comes without a rule book; write 'help' for its rules on one page."])
    chapters = _chapters(book)
    found = [title for title in chapters if rest and rest.casefold() in title.casefold()]
    if found:
        return Said(f"Rules: {rest}", [Pre(chapters[title]) for title in found])
    said: list[Block | str] = []
    if rest:
        close = nearest(rest, chapters)
        said.append(f"No chapter is called '{rest}'" + (f"; did you mean '{close}'?" if close else "."))
    said.extend(
        (
            "The rule book is enclosed. Write 'rules' and a chapter's name for that chapter alone:",
            Items(tuple(chapters)),
        )
    )
    return Said("Rules", said, enclosed=(Attachment("rules.md", "text/markdown", book.encode()),))


def _chapters(book: str) -> dict[str, str]:
    """Second-level headings to their text."""
    parts = re.split(r"(?m)^## +(.+)$", book)
    return {
        title.strip(): f"{title.strip()}\n{text.rstrip()}" for title, text in zip(parts[1::2], parts[2::2], strict=True)
    }


def rule_book(game: AnyGame) -> str | None:
    """`rules.md` in the package the game comes from."""
    package = game.setup.__module__
    while package:
        file = _file_in(package, "rules.md")
        if file is not None and file.is_file():
            return file.read_text(encoding="utf-8")
        package = package.rpartition(".")[0]
    return None


def _file_in(package: str, name: str) -> Traversable | None:
    try:
        return resources.files(package) / name
    except (TypeError, ModuleNotFoundError):
        # A module that is no package has no files.
        return None


def _why(case: Case, rest: str) -> Said | Mail:
    """The results of the last turn, each with its rule and dice."""
    assert case.campaign.id is not None
    archives = case.house.store.phases.archives(case.campaign.id)
    if not archives:
        return Said("Why", ["No turn has been resolved yet."])
    last = archives[-1][0].turn
    events = events_of([turn for phase, turn in archives if phase.turn == last])
    return why(case.context(), case.at.game, events, rest or None, case.house.pen)


def _arcs(case: Case, rest: str) -> Said | Mail:
    """The map with one unit's fields of fire."""
    game = case.at.game
    if game.arcs is None:
        return Said("Arcs", [f"{game.title} has no fields of fire to draw."])
    units = game.units(case.at.state, case.seat.side)
    unit = match_name(rest, units)
    if unit is None:
        close = nearest(rest, units)
        return Said("Arcs", [f"Which unit? Write for example: arcs {close or next(iter(units), 'Alpha')}"])
    drawn = game.arcs(case.view, unit)
    if not drawn:
        return Said("Arcs", [f"{unit} has no guns that bear."])
    return fields_of_fire(case.context(), case.received, game.scene(case.view, ()), unit, drawn, case.house.pen)


def _set(case: Case, rest: str) -> Said:
    assert case.seat.id is not None
    try:
        setting = read_setting(case.seat.id, rest)
    except BadSetting as error:
        return Said("Not set", [f"{error}.", "What can be set:", Items(FORMS)])
    return Said("Set", [setting.said], setting.change)


def _done_elsewhere(_case: Case, _rest: str) -> Said:
    """`withdraw` and the like beside what made them impossible."""
    return Said("Your orders", ["There is no open turn in which your orders could be changed."])


_ANSWERS: dict[Word, Callable[[Case, str], Said | Mail | OutgoingRow]] = {
    Word.HELP: _help,
    Word.STATUS: _status,
    Word.ORDERS: _orders,
    Word.PREVIEW: _done_elsewhere,
    Word.REPORT: _report,
    Word.RULES: _rules,
    Word.WHY: _why,
    Word.ARCS: _arcs,
    Word.WITHDRAW: _done_elsewhere,
    Word.NO_ORDERS: _done_elsewhere,
    Word.SET: _set,
}
