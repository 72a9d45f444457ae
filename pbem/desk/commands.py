"""Commands in a letter: the words at the top of its own text, or in its subject."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from pbem.kit.sheet import clean
from pbem.post.letter import Letter


class Word(StrEnum):
    """What a player may ask for, in the order the help lists it."""

    HELP = "help"
    STATUS = "status"
    ORDERS = "orders"
    OPTIONS = "options"
    PREVIEW = "preview"
    REPORT = "report"
    RULES = "rules"
    WHY = "why"
    ARCS = "arcs"
    WITHDRAW = "withdraw"
    NO_ORDERS = "no orders"
    SET = "set"


@dataclass(frozen=True)
class Command:
    word: Word
    rest: str = ""
    """What stands behind the word: a turn, a chapter, a unit and a group of its choices, a setting."""

    @property
    def line(self) -> str:
        """As a player would write it."""
        return f"{self.word} {self.rest}".strip()


@dataclass(frozen=True)
class Request:
    """A letter taken apart: what it asks for, and the orders it brings."""

    commands: tuple[Command, ...]
    orders: str
    """The text as it came, with the command lines blanked, so that line numbers stay those of the letter."""

    def asks(self, word: Word) -> bool:
        return any(command.word is word for command in self.commands)


_FORMS: tuple[tuple[Word, re.Pattern[str]], ...] = (
    (Word.HELP, re.compile(r"help()")),
    (Word.STATUS, re.compile(r"status()")),
    (Word.ORDERS, re.compile(r"(?:show )?(?:my )?orders()")),
    (Word.OPTIONS, re.compile(r"options(?: (?:of |for )?(.{1,80}))?")),
    (Word.PREVIEW, re.compile(r"preview()")),
    (Word.REPORT, re.compile(r"report(?: (?:turn )?(\d{1,5}))?")),
    (Word.RULES, re.compile(r"rules(?: (.{1,60}))?")),
    (Word.WHY, re.compile(r"why(?: (.{1,60}))?")),
    (Word.ARCS, re.compile(r"arcs(?: (?:of )?(.{1,60}))?")),
    (Word.WITHDRAW, re.compile(r"withdraw(?: (?:my )?orders)?()")),
    (Word.NO_ORDERS, re.compile(r"no orders()")),
    (Word.SET, re.compile(r"set (.{1,80})")),
)

_REPLY_MARKS = re.compile(r"^(?:(?:re|aw|sv|fw|fwd|wg|antw)\s*:\s*|\[[^\]]{0,60}\]\s*)+", re.IGNORECASE)
_TOKEN_MARK = re.compile(r"\s*\[[^\]]{0,60}\]\s*$")


def read_command(line: str) -> Command | None:
    """The command a line is, if it is nothing else."""
    text = clean(line).rstrip(" .!?")
    for word, form in _FORMS:
        match = form.fullmatch(text) or form.fullmatch(text.casefold())
        if match:
            # Names keep their capitals; the word itself may be written in any.
            return Command(word, text[len(text) - len(match[1] or "") :] if match[1] else "")
    return None


def read_request(letter: Letter) -> Request:
    """Commands are the first lines of the text that are nothing else; what follows them is orders."""
    lines = letter.own_text.splitlines()
    commands: list[Command] = []
    for number, line in enumerate(lines):
        if not clean(line):
            continue
        command = read_command(line)
        if command is None:
            break
        commands.append(command)
        lines[number] = ""
    orders = "\n".join(lines)
    if has_orders(orders) and any(command.word is Word.WITHDRAW for command in commands):
        # Taking back the old orders and giving new ones is starting over; the first line is free for saying so.
        commands = [command for command in commands if command.word is not Word.WITHDRAW]
        orders = "\n".join(("start over", *lines[1:])) if not lines[0] else f"start over\n{orders}"
    request = Request(tuple(commands), orders)
    return _with_subject(_without_heading(request), letter)


def _without_heading(request: Request) -> Request:
    """A letter that says `orders` and then gives some means a heading, not a question."""
    if not has_orders(request.orders) or not request.asks(Word.ORDERS):
        return request
    kept = tuple(command for command in request.commands if command.word is not Word.ORDERS)
    return Request(kept, request.orders)


def _with_subject(request: Request, letter: Letter) -> Request:
    """The subject counts where the text asks nothing: alone, or as `preview` above orders."""
    if request.commands:
        return request
    command = read_command(_TOKEN_MARK.sub("", _REPLY_MARKS.sub("", letter.subject)))
    if command is None or (has_words(request.orders) and command.word is not Word.PREVIEW):
        return request
    return Request((command,), request.orders)


def has_words(text: str) -> bool:
    """Whether anything of the sender's own is left, be it a comment or a form without orders."""
    return any(line.strip() and not line.strip().startswith(">") for line in text.splitlines())


def has_orders(text: str) -> bool:
    """Whether anything is left to be read as orders."""
    return any(clean(line) and not clean(line).startswith(">") for line in text.splitlines())
