"""Answers to commands: help, status, orders, options, reports again, the rules, the why of a turn, preferences."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from pbem.campaign.envelopes import report_key
from pbem.campaign.reading import read_standing
from pbem.campaign.record import events_of
from pbem.campaign.standing import Standing, digest
from pbem.desk.case import Case
from pbem.desk.commands import Command, Word
from pbem.desk.options import MOST_LISTS, options, too_many
from pbem.desk.saying import Blocks, Said, part
from pbem.desk.settings import FORMS, BadSetting, read_setting
from pbem.kit.package import rule_book
from pbem.kit.sheet import match_name, nearest
from pbem.letters.blocks import Heading, Items, Pre, TextBlock
from pbem.letters.content import Attachment, Mail, Preferences
from pbem.letters.game_parts import help_blocks, status_blocks
from pbem.letters.notices import answer, fields_of_fire
from pbem.letters.receipt import receipt
from pbem.letters.why import why
from pbem.store.letters import PreferenceChange
from pbem.store.rows import CampaignStatus, OutgoingRow

MOST_ANSWERS = 12
"""Commands of one letter that are answered; more would be no letter of a player."""
MOST_CHAPTERS = 2
"""Chapters of the rule book set out at once; where a word fits more, their names are told."""


@dataclass(frozen=True)
class Answers:
    """All answers to a letter's commands; short ones share one mail."""

    mails: tuple[Mail, ...]
    preferences: tuple[PreferenceChange, ...] = ()
    again: tuple[OutgoingRow, ...] = ()
    """Mails to be sent once more."""


def answer_all(case: Case, commands: Sequence[Command]) -> Answers:
    """Answer every command, each once."""
    asked = list(dict.fromkeys(commands))
    made = list(_bounded(case, asked[:MOST_ANSWERS]))
    if len(asked) > MOST_ANSWERS:
        made.append(_not_answered(asked[MOST_ANSWERS:]))
    said = [reply for reply in made if isinstance(reply, Said)]
    mails = [reply for reply in made if isinstance(reply, Mail)]
    changes = tuple(reply.change for reply in said if reply.change is not None)
    if said:
        mails.insert(0, _together(case, said, changes))
    return Answers(tuple(mails), changes, tuple(reply for reply in made if isinstance(reply, OutgoingRow)))


def _bounded(case: Case, commands: Iterable[Command]) -> Iterator[Said | Mail | OutgoingRow]:
    """What costs a mail and a map of its own is answered so often and no oftener."""
    lists = 0
    for command in commands:
        lists += command.word is Word.OPTIONS and bool(command.rest)
        too_often = command.word is Word.OPTIONS and command.rest and lists > MOST_LISTS
        yield too_many(command.rest) if too_often else _ANSWERS[command.word](case, command.rest)


def _not_answered(commands: Sequence[Command]) -> Said:
    """The first of those that are left over by name, so that the answer stays short whatever was sent."""
    said = f"One letter is answered with {MOST_ANSWERS} answers; {len(commands)} more were asked for. Ask in another:"
    return Said("Not answered", [said, Items(tuple(command.line for command in commands[:MOST_ANSWERS]))])


def _together(case: Case, said: Sequence[Said], changes: Sequence[PreferenceChange]) -> Mail:
    title = said[0].title if len(said) == 1 else "Your questions"
    blocks: list[TextBlock | str] = []
    for reply in said:
        blocks.extend(([Heading(reply.title)] if len(said) > 1 else []) + list(reply.blocks))
    mail = answer_mail(case, title, blocks, case.at, changes)
    enclosed = {file.name: file for reply in said for file in reply.enclosed}
    return replace(mail, attachments=(*mail.attachments, *enclosed.values()))


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
    words = part(case, "commands")
    game = help_blocks(case.house.pen, case.at.game.slug)
    return Said("Help", [*words, Heading(f"{case.at.game.title} on one page"), *game])


def awaited_blocks(case: Case, at: Standing) -> tuple[TextBlock, ...]:
    """Whose orders are missing, unless the campaign hides that."""
    return part(case, "awaited", case.context(at))


def _status(case: Case, _rest: str) -> Said:
    at = case.at
    blocks: list[TextBlock | str] = [_where(case)]
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
    mark = digest(reading.text)
    return receipt(context, case.at.game, case.view, reading.sheet, case.received, mark, pen, filed=True)


def _report(case: Case, rest: str) -> Said | OutgoingRow:
    """The report of a turn again, as it was; of several phases, the last one's."""
    sent = _sent_reports(case)
    if not sent:
        return Said("Reports", ["No turn has been resolved yet."])
    turn = int(rest) if rest else max(sent)
    if turn not in sent:
        turns = ", ".join(str(number) for number in sorted(sent))
        return Said(f"Report of turn {turn}", [f"There is no report of turn {turn}; there are those of {turns}."])
    return sent[turn]


def _sent_reports(case: Case) -> dict[int, OutgoingRow]:
    reports: dict[int, OutgoingRow] = {}
    for phase in case.house.store.phases.all(case.campaign.id):
        row = case.house.store.outgoing.by_key(report_key(case.campaign, phase.number, case.seat))
        if row is not None:
            reports[phase.turn] = row
    return reports


def _rules(case: Case, rest: str) -> Said:
    """One chapter of the rule book, or its table of contents with the whole book enclosed."""
    book = rule_book(case.at.game.slug)
    if book is None:
        return Said("Rules", ["This game comes without a rule book; write 'help' for its rules on one page."])
    chapters = _chapters(book)
    fitting = [title for title in chapters if rest and rest.casefold() in title.casefold()]
    if len(fitting) > MOST_CHAPTERS:
        said_which = f"'{rest}' stands in the names of {len(fitting)} chapters. Write 'rules' and one of them:"
        return Said(f"Rules: {rest}", [said_which, Items(tuple(fitting))])
    if fitting:
        return Said(f"Rules: {rest}", [Pre(chapters[title]) for title in fitting])
    said: list[TextBlock | str] = []
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


def _why(case: Case, rest: str) -> Said | Mail:
    """The results of the last turn, each with its rule and dice."""
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
    Word.OPTIONS: options,
    Word.PREVIEW: _done_elsewhere,
    Word.REPORT: _report,
    Word.RULES: _rules,
    Word.WHY: _why,
    Word.ARCS: _arcs,
    Word.WITHDRAW: _done_elsewhere,
    Word.NO_ORDERS: _done_elsewhere,
    Word.SET: _set,
}
