"""Programs, sections and the fire line, the longest order of all."""

from __future__ import annotations

import re

from games.broadsides.data import ShipClass
from games.broadsides.orders import records as r
from games.broadsides.orders.names import Names
from games.broadsides.rules.doctrine import Aim, FireLine
from games.broadsides.state import Program
from pbem.kit.sheet import BadOrder, Line

_PROGRAM = re.compile(
    r"(nearest|biggest|best-chance|closing)(?: over (\d+))?( unless slow)?(?: (fighter|any))?", re.IGNORECASE
)
_OPTION = re.compile(r"(.*) (piercing|called \w+|split \d+|shift (?:port|starboard))", re.IGNORECASE)


def read_program(text: str) -> Program | None:
    """``best-chance over 10 fighter``; None if it is no program."""
    found = _PROGRAM.fullmatch(" ".join(text.split()))
    if not found:
        return None
    kind = found[1].casefold()
    if (found[2] and kind != "best-chance") or (found[3] and kind != "closing"):
        return None
    among = (found[4] or "ship").casefold()
    return Program(kind, int(found[2]) if found[2] else None, bool(found[3]), among)  # type: ignore[arg-type]


def write_program(program: Program) -> str:
    words: list[str] = [program.kind]
    if program.over is not None:
        words.append(f"over {program.over}")
    if program.unless_slow:
        words.append("unless slow")
    if program.among != "ship":
        words.append(program.among)
    return " ".join(words)


def read_section(text: str, sheet: ShipClass, rule: str) -> str:
    section = text.strip().casefold()
    if section not in sheet.sides:
        sides = ", ".join(sheet.sides) or "no sides"
        raise BadOrder(rule, f"{sheet.name} has no side '{section}'", f"it has {sides}", "the line is left out")
    return section


def read_system(text: str, sheet: ShipClass) -> str:
    """``thruster fore`` is thruster-fore; what stands once in a main section may be named alone, as ``sensors``."""
    words = text.casefold().split()
    plain = sheet.systems.get(words[0])
    return words[0] if plain and plain.section in (*words[1:], "main") else "-".join(words)


class FireReader:
    """``fire MOUNTS [antifighter] at TARGET {option} [else PROGRAM]``."""

    def __init__(self, names: Names) -> None:
        self.names = names

    def __call__(self, line: Line, rest: str) -> r.Order:
        form = "fire HL1,HL2 at Tiger, fire MP* at nearest or fire all at best-chance over 10"
        self.names.ship(line)
        found = re.fullmatch(r"(.+?)( antifighter)? at (.+)", rest, re.IGNORECASE)
        if not found:
            raise BadOrder("BR-VAL-2", f"'{rest}' cannot be read", f"write {form}", "the line is left out")
        mounts = self.names.mounts(line, found[1])
        aim_text, otherwise = self._fallback(found[3], line)
        aim_text, options = _split_options(aim_text)
        aim = self._aim(aim_text, line)
        made = FireLine(mounts, aim, antifighter=bool(found[2]), otherwise=otherwise)
        return r.FireAt(line.unit, self._with_options(made, options, line))

    def _fallback(self, text: str, line: Line) -> tuple[str, Program | None]:
        found = re.fullmatch(r"(.+) else (.+)", text, re.IGNORECASE)
        if not found:
            return text, None
        program = read_program(found[2])
        if program is None:
            hint = "else nearest, biggest, best-chance, best-chance over 10 or closing"
            self.names.note(line, "BR-VAL-2", f"'{found[2]}' is no program", hint, "the default program is used")
        return found[1], program

    def _aim(self, text: str, line: Line) -> Aim:
        program = read_program(text)
        if program is not None:
            return Aim(program=program)
        try:
            return Aim(unit=self.names.enemy(text, line))
        except BadOrder as error:
            self.names.note(line, error.rule, error.reason, error.hint, "the default program is used")
            return Aim(program=self.names.default_program(line))

    def _with_options(self, made: FireLine, options: list[str], line: Line) -> FireLine:
        values: dict[str, object] = {
            "mounts": made.mounts,
            "aim": made.aim,
            "antifighter": made.antifighter,
            "otherwise": made.otherwise,
        }
        for option in options:
            word, _, value = option.casefold().partition(" ")
            why = self._refused(word, value, made, line)
            if why:
                self.names.note(line, "BR-VAL-19", why, "leave the option out", "it is fired without the option")
            else:
                values[word] = {"split": int(value) if value.isdigit() else 1, "piercing": True}.get(word, value)
        return FireLine(**values)  # type: ignore[arg-type]

    def _refused(self, word: str, value: str, made: FireLine, line: Line) -> str:
        """BR-VAL-19: why an option does not fit these mounts or this target."""
        weapons = self.names.weapons(line, made.mounts)
        if word == "piercing" and not any(one.pierce for one in weapons):
            return "piercing needs a weapon with a piercing strength"
        if word == "split" and not any("light_pulse" in one.flags for one in weapons):
            return f"split {value} is for light pulse weapons"
        if word == "shift" and not any(one.special == "grav_shifter" for one in weapons):
            return f"shift {value} is for gravitic shifters"
        target = self.names.state.ships.get(made.aim.unit)
        if word == "called" and target is not None and value not in self.names.sheet(target).sides:
            return f"{target.name} has no side '{value}'"
        return ""


def _split_options(text: str) -> tuple[str, list[str]]:
    options: list[str] = []
    while found := _OPTION.fullmatch(text):
        text = found[1]
        options.insert(0, found[2])
    return text, options
