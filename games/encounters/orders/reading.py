"""From a letter's text to a sheet (rule book, sections 6 and 7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from games.encounters.orders import headers
from games.encounters.orders.checks import check
from games.encounters.orders.fixes import BattleMender, Reading, StrategicMender, headers_put_right, with_fixes
from games.encounters.orders.headers import EMPIRE, Place
from games.encounters.orders.records import BattleOrder, MissionLine, Move, Order, StepsLine
from games.encounters.orders.squadrons import SquadronReader
from games.encounters.orders.strategic import StrategicReader
from games.encounters.orders.words import Orders, Reader, owners_met, wrong_place
from games.encounters.phase import places_of
from games.encounters.rules.turn import after_upkeep
from games.encounters.state import State
from games.encounters.table import Table
from pbem.kit.judging import Judge
from pbem.kit.sheet import BadOrder, Dialect, Line, Sheet, read_sheet, read_verb

SYNTAX, UNKNOWN, NOT_YOURS, WRONG_TURN = "EN-VAL-1", "EN-VAL-2", "EN-VAL-3", "EN-VAL-4"
STRATEGIC_VERBS = (
    "stance", "build", "cancel", "repair", "intel", "invest", "research", "design", "move", "transfer", "load",
    "unload", "scrap", "rename",
)  # fmt: skip
BATTLE_VERBS = (
    "fight", "decline", "flagship", "squadron", "reserve", "station", "exclude", "include", "mission", "round",
    "guard", "lower", "direct", "absorb", "rounds", "retreat", "pursue", "invade", "assault", "orbital", "bombard",
    "engage", "screen", "disrupt", "disengage",
)  # fmt: skip


def read_orders(state: State, side: str, text: str) -> Sheet[Order]:
    """Parse and validate one letter for the open phase; never raises."""
    if state.phase == "strategic":
        fresh = after_upkeep(state)
        return with_fixes(text, lambda letter: read_strategic(fresh.copy(), side, letter))
    table = Table(state)
    places = places_of(table, side)
    return with_fixes(text, lambda letter: read_battles(table, side, letter, state.phase, places))


def dialect_for(table: Table, side: str, names: Sequence[str]) -> Dialect:
    met = owners_met(table, side)
    return Dialect(
        tuple(dict.fromkeys(names)), fleet=EMPIRE, bad_syntax=SYNTAX, unknown_unit=UNKNOWN, wrong_turn=WRONG_TURN,
        turn=table.turn, strangers={name: met.get(name, "") for name in sorted(table.powers[side].known)},
        not_yours=NOT_YOURS,
    )  # fmt: skip


def read_strategic(table: Table, side: str, text: str) -> Reading:
    judge: Judge[Order] = Judge()
    proposals: dict[int, list[str]] = {}
    reader = StrategicReader(table, side, judge)
    names = (*table.fleet_names(side), *reader.unit_names(), *headers.new_names(text))

    def read_line(line: Line) -> Orders:
        try:
            return by_verb(line, reader.verbs, BATTLE_VERBS, "battle")
        except BadOrder as error:
            proposals[line.number] = StrategicMender(line, error, reader).proposals()
            raise

    sheet = read_sheet(headers.with_empire(text), dialect_for(table, side, names), judge.reading(read_line))
    proposals |= headers_put_right(sheet, UNKNOWN, (EMPIRE, *names))
    judge.take(sheet)
    moved = frozenset(order.fleet for order in sheet.orders if isinstance(order, Move))
    return Reading(replace(judge.settle(sheet), defaults=reader.silence(moved)), proposals)


def by_verb(line: Line, verbs: Mapping[str, Reader], elsewhere: Sequence[str], phase: str) -> Orders:
    """EN-VAL-4 for an order of another phase, EN-VAL-1 for no order at all."""
    word = line.text.split()[0].casefold()
    if word in elsewhere and word not in verbs:
        raise wrong_place(f"'{word}' is no order of this phase", f"it belongs to the {phase} letter")
    return read_verb(line, verbs, SYNTAX)


# --- battle and ground -----------------------------------------------------------------------------------------------


def read_battles(table: Table, side: str, text: str, phase: str, places: Sequence[Place]) -> Reading:
    """Read a letter as lines of these battles."""
    judge: Judge[Order] = Judge()
    proposals: dict[int, list[str]] = {}
    reader = SquadronReader(table, side, judge, phase, places)
    systems, fleets = sorted(table.systems), table.fleet_names(side)
    mine = {unit.name: reader.natural_place(unit) for unit in table.of(side)}
    headings = headers.explicit_headings(headers.with_empire(text), systems, mine, fleets, places)
    battles = [f"{word} {name}" for name in systems for word in ("Battle", "Ground")]
    dialect = dialect_for(table, side, (*battles, *mine, *fleets, *headings.names))
    reader.unformed = frozenset(headings.unformed)

    def read_line(line: Line) -> Orders:
        try:
            return by_verb(line, reader.verbs, STRATEGIC_VERBS, "strategic")
        except BadOrder as error:
            proposals[line.number] = BattleMender(line, error, reader).proposals()
            raise

    sheet = read_sheet(headings.text, dialect, judge.reading(read_line))
    proposals |= headers_put_right(sheet, UNKNOWN, dialect.units)
    judge.take(sheet)
    check(reader)
    sheet = judge.settle(sheet)
    return Reading(replace(sheet, defaults=silence(table, side, places, sheet)), proposals)


def silence(table: Table, side: str, places: Sequence[Place], sheet: Sheet[Order]) -> tuple[str, ...]:
    """What will be done where nothing was ordered."""
    given = {(order.where, order.system) for order in sheet.orders if isinstance(order, BattleOrder)}
    engage = table.powers[side].doctrine.get("engage", "owner")
    defaults = {
        "battle": f"the doctrine decides (engage {engage}); squadrons are arranged automatically.",
        "ground": "no attack; as owner you force an orbital battle if you can.",
    }
    silent = [place for place in places if (place.where, place.system) not in given]
    return tuple(f"{place.system}: {defaults[place.where]}" for place in silent)


def kept_text(sheet: Sheet[Order], systems: Sequence[str]) -> str:
    """The accepted battle lines of a sheet, each with a header that says which battle it means."""
    lines = []
    for entry in sheet.accepted:
        if isinstance(entry.order, BattleOrder):
            header = Place(entry.order.where, entry.order.system).header
            if isinstance(entry.order.value, MissionLine | StepsLine):
                header = f"{headers.split_explicit(entry.unit, systems)[0]} ({header})"
            lines.append(f"{header}: {entry.text}")
    return "\n".join(lines)


def kept_orders(state: State, side: str) -> tuple[BattleOrder, ...]:
    """6.3, 6.7: what this turn's battle letter says that is still possible."""
    table, text = Table(state), state.kept[side]
    systems = sorted(table.systems)
    opened = [line.partition(":")[0] for line in text.splitlines()]
    named = {headers.place_of(header, systems) or headers.split_explicit(header, systems)[1] for header in opened}
    here = {Place("battle", unit.location) for unit in table.of(side)}
    places = sorted(here | {place for place in named if place}, key=lambda place: (place.system, place.where))
    sheet = read_battles(table, side, text, "battle", places).sheet
    return tuple(order for order in sheet.orders if isinstance(order, BattleOrder))
