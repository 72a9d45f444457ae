"""From a letter's text to a sheet (rule book, sections 6 and 7)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from games.encounters.orders.headers import (
    EMPIRE,
    Place,
    explicit_headings,
    new_names,
    place_of,
    split_explicit,
    with_empire,
)  # fmt: skip
from games.encounters.orders.squadrons import SquadronReader
from games.encounters.orders.strategic import StrategicReader
from games.encounters.orders.words import Speaker, wrong_place
from games.encounters.plans import BattleOrder, MissionLine, Move, StepsLine
from games.encounters.rules.board import Board
from games.encounters.rules.engagement import concerned_powers
from games.encounters.rules.ground import concerned_on_the_ground
from games.encounters.rules.turn import after_upkeep
from games.encounters.state import State
from pbem.kit.sheet import BadOrder, Dialect, Line, Sheet, read_sheet, read_verb

SYNTAX, UNKNOWN, WRONG_TURN = "EN-VAL-1", "EN-VAL-2", "EN-VAL-4"
STRATEGIC_VERBS = (
    "stance", "build", "cancel", "repair", "intel", "invest", "research", "design", "move", "transfer", "load",
    "unload", "scrap", "rename",
)  # fmt: skip
BATTLE_VERBS = (
    "fight", "decline", "flagship", "squadron", "reserve", "station", "exclude", "include", "mission", "round",
    "guard", "lower", "direct", "absorb", "rounds", "retreat", "pursue", "invade", "assault", "orbital", "bombard",
    "engage", "screen", "disrupt", "disengage",
)  # fmt: skip


def read_orders(state: State, side: str, text: str) -> Sheet[Any]:
    """Parse and validate one letter for the open phase; never raises."""
    if state.phase == "strategic":
        return read_strategic(state, side, text)
    return read_battles(state, side, text, state.phase)


def units_of(state: State, side: str) -> tuple[str, ...]:
    """The names that may open a block: battles of the phase, fleets, then units."""
    board = after_upkeep(state) if state.phase == "strategic" else Board(state)
    fleets = [name for owner, name in sorted(board.fleets) if owner == side]
    battles = [] if state.phase == "strategic" else [place.header for place in places_of(board, side, state.phase)]
    return (*battles, *fleets, *(unit.name for unit in board.of(side)))


def dialect_for(state: State, board: Board, side: str, names: Sequence[str]) -> Dialect:
    strangers = sorted(board.powers[side].known)
    return Dialect(
        tuple(dict.fromkeys(names)), fleet=EMPIRE, bad_syntax=SYNTAX, unknown_unit=UNKNOWN, wrong_turn=WRONG_TURN,
        turn=state.turn, strangers=strangers,
    )  # fmt: skip


def read_strategic(state: State, side: str, text: str) -> Sheet[Any]:
    board = after_upkeep(state)
    reader = StrategicReader(board, side)
    fleets = [name for owner, name in sorted(board.fleets) if owner == side]
    names = (*fleets, *(unit.name for unit in board.of(side)), *new_names(text))
    dialect = dialect_for(state, board, side, names)
    sheet = read_sheet(
        with_empire(text), dialect, lambda line: by_verb(reader, line, reader.verbs, BATTLE_VERBS, "battle")
    )
    moved = frozenset(order.fleet for order in sheet.orders if isinstance(order, Move))
    return replace(sheet.with_problems(reader.notes), defaults=reader.silence(moved))


def by_verb(reader: Speaker, line: Line, verbs: Any, elsewhere: Sequence[str], phase: str) -> Sequence[Any]:
    """EN-VAL-4 for an order of another phase, EN-VAL-1 for no order at all."""
    word = line.text.split()[0].casefold()
    if word in elsewhere and word not in verbs:
        raise wrong_place(f"'{word}' is no order of this phase", f"it belongs to the {phase} letter")
    noted = len(reader.notes)
    try:
        made: Sequence[Any] = read_verb(line, verbs, SYNTAX)
    except BadOrder:
        del reader.notes[noted:]
        raise
    return made


# --- battle and ground -----------------------------------------------------------------------------------------------


def places_of(board: Board, side: str, phase: str) -> list[Place]:
    """The battles or ground battles that concern a side in this phase."""
    concerned: Callable[[Board, str], list[str]] = concerned_powers if phase == "battle" else concerned_on_the_ground
    where: Any = "battle" if phase == "battle" else "ground"
    return [Place(where, name) for name in sorted(board.systems) if side in concerned(board, name)]


def read_battles(state: State, side: str, text: str, phase: str) -> Sheet[Any]:
    board = Board(state)
    places = places_of(board, side, phase)
    return read_for(state, board, side, text, phase, places)


def read_for(state: State, board: Board, side: str, text: str, phase: str, places: Sequence[Place]) -> Sheet[Any]:
    """Read a letter as lines of these battles."""
    systems = sorted(board.systems)
    where: Any = "battle" if phase == "battle" else "ground"
    mine = {unit.name: Place(where, unit.location) for unit in board.of(side)}
    sole = places[0] if len(places) == 1 else None
    fleets = [name for owner, name in sorted(board.fleets) if owner == side]
    headings = explicit_headings(with_empire(text), systems, mine, fleets, sole)
    headers = [f"{word} {name}" for name in systems for word in ("Battle", "Ground")]
    dialect = dialect_for(state, board, side, (*headers, *mine, *fleets, *headings.names))
    reader = SquadronReader(board, side, phase, places)
    reader.unformed = frozenset(headings.unformed)
    sheet = read_sheet(
        headings.text, dialect, lambda line: by_verb(reader, line, reader.verbs, STRATEGIC_VERBS, "strategic")
    )
    sheet = sheet.with_problems((*reader.notes, *reader.closing_problems()))
    return replace(sheet, defaults=silence(board, side, places, sheet))


def silence(board: Board, side: str, places: Sequence[Place], sheet: Sheet[Any]) -> tuple[str, ...]:
    """What will be done where nothing was ordered."""
    given = {(order.where, order.system) for order in sheet.orders if isinstance(order, BattleOrder)}
    engage = board.powers[side].doctrine.get("engage", "owner")
    said = []
    for place in places:
        if (place.where, place.system) in given:
            continue
        if place.where == "battle":
            said.append(
                f"{place.system}: the doctrine decides (engage {engage}); squadrons are arranged automatically."
            )
        else:
            said.append(f"{place.system}: no attack; as owner you force an orbital battle if you can.")
    return tuple(said)


def kept_text(sheet: Sheet[Any], systems: Sequence[str]) -> str:
    """The accepted battle lines of a sheet, each with a header that says which battle it means."""
    lines = []
    for entry in sheet.accepted:
        if not isinstance(entry.order, BattleOrder):
            continue
        place = Place(entry.order.where, entry.order.system)
        name = split_explicit(entry.unit, systems)[0]
        value = entry.order.value
        subject = isinstance(value, MissionLine | StepsLine)
        lines.append(f"{name} ({place.header}): {entry.text}" if subject else f"{place.header}: {entry.text}")
    return "\n".join(lines)


def kept_orders(state: State, side: str) -> tuple[BattleOrder, ...]:
    """6.3, 6.7: what this turn's battle letter says that is still possible."""
    board, text = Board(state), state.kept[side]
    systems = sorted(board.systems)
    headers = [line.partition(":")[0] for line in text.splitlines()]
    named = {place_of(header, systems) or split_explicit(header, systems)[1] for header in headers}
    here = {Place("battle", unit.location) for unit in board.of(side)}
    places = sorted(here | {place for place in named if place}, key=lambda place: (place.system, place.where))
    sheet = read_for(state, board, side, text, "battle", places)
    return tuple(order for order in sheet.orders if isinstance(order, BattleOrder))


__all__ = ["kept_orders", "kept_text", "read_orders", "units_of"]
