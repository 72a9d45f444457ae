"""BS-BLD, BS-FLT: the ship builder and the fleet builder at home, before a letter is written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from games.battleshift.data import ShipClass, units
from games.battleshift.rules.building import BadDesign, check_design, check_squadron, data_sheet, read_design
from pbem.kit.codec import BadData
from pbem.kit.game import Tool
from pbem.kit.sheet import clean, match_name, nearest

_SQUADRON = re.compile(r"squadron\s+(.+?)\s*=\s*(\d{1,3})\s+(.+)", re.IGNORECASE)


def design(text: str) -> str:
    """One design a line, as in the setup orders: ``design Lancer = size 3, heavy 2, light 1, fast cost``."""
    return _joined(line for number, words in _lines(text) for line in _sheet(_read(number, words)))


def fleet(text: str) -> str:
    """Designs and squadrons as in the setup orders; each squadron's points and the total."""
    classes: dict[str, ShipClass] = dict(units().classes)
    lines: list[str] = []
    total = 0
    for number, words in _lines(text):
        raised = _SQUADRON.fullmatch(words)
        if raised is None:
            built = _read(number, words)
            classes[built.name] = built
            lines += _sheet(built)
            continue
        made, count = _class_named(number, raised[3], classes), int(raised[2])
        total += made.cost * count
        fault = check_squadron(count, made)
        lines.append(f"{raised[1]}: {count} {made.name}, {made.cost * count} points")
        lines += [f"  {fault.rule}: {fault.reason}; {fault.hint}"] if fault else []
    return _joined([*lines, f"total: {total} points"])


def _joined(lines: Iterator[str] | list[str]) -> str:
    return "\n".join(lines) + "\n"


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, raw in enumerate(text.splitlines(), 1):
        if words := clean(raw):
            yield number, words


def _read(number: int, words: str) -> ShipClass:
    bare = re.sub(r"^design\s+", "", words, flags=re.IGNORECASE)
    try:
        return read_design(bare)
    except BadDesign as error:
        raise BadData(f"line {number}", str(error)) from error


def _class_named(number: int, text: str, classes: Mapping[str, ShipClass]) -> ShipClass:
    name = match_name(text, classes)
    if name is None:
        close = nearest(text, classes)
        hint = f"; did you mean '{close}'?" if close else ""
        raise BadData(f"line {number}", f"no ship class called '{text}'{hint}")
    return classes[name]


def _sheet(built: ShipClass) -> list[str]:
    """The derived values of a design, and what is wrong with it."""
    sheet = data_sheet(built)
    values = ", ".join(f"{name} {value}" for name, value in sheet.items() if name not in ("name", "used", "space"))
    faults = [
        f"  {fault.rule}: {fault.reason}{f'; {fault.hint}' if fault.hint else ''}" for fault in check_design(built)
    ]
    return [f"{sheet['name']}: {values}; space {sheet['used']} of {sheet['space']}", *(faults or ["  legal"])]


TOOLS = {
    "design": Tool("check ship designs and work out their values and cost", design),
    "fleet": Tool("work out the points of a fleet of designs and squadrons", fleet),
}
