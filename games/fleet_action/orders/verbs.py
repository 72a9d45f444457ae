"""All order words, and the way from a line to its order."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from games.fleet_action.orders import check_building, deployment, fire, fleet, flights, plot, ships
from games.fleet_action.orders.desk import IGNORED, SYNTAX, UNKNOWN, WRONG_KIND, Desk
from games.fleet_action.orders.readers import Verb
from games.fleet_action.orders.records import Order
from games.fleet_action.orders.words import Words
from pbem.kit.sheet import BadOrder, Line, nearest, read_verb

MOST_WORDS = 2
"""Words of the longest order word."""
VERBS: dict[str, Verb] = {
    **plot.VERBS,
    **fire.VERBS,
    **ships.VERBS,
    **flights.VERBS,
    **fleet.VERBS,
    **deployment.VERBS,
}
FLEET = "Fleet"
STANDING = re.compile(r"standing\s+(.*)", re.IGNORECASE)

Found = tuple[str, str]
"""The word of a verb, and the words behind it."""


def _found(word: str, _line: Line, rest: str) -> Found:
    return word, rest


_FINDERS: dict[str, Callable[[Line, str], Found]] = {word: partial(_found, word) for word in VERBS}


def word_of(text: str) -> str:
    """The order word of a line, ``standing`` left out; raises BadOrder where there is none."""
    standing = STANDING.fullmatch(text)
    word, _ = read_verb(Line(0, "", standing[1] if standing else text), _FINDERS, SYNTAX)
    return word


def verb_of(text: str) -> Verb:
    """The verb of a line that was read."""
    return VERBS[word_of(text)]


def is_single(text: str) -> bool:
    """FA-E-30: of such an order only the last counts."""
    return verb_of(text).single


def read_order(desk: Desk, line: Line) -> Order:
    """The order a line gives; nothing of the line may be left over."""
    word, rest = _verb_and_rest(desk, line)
    verb = VERBS[word]
    _check_stage(desk, word)
    _check_kind(desk, line, word)
    if verb.kinds == ("fleet",):
        line = replace(line, unit=FLEET)
    words = Words(desk, line, rest, verb.usage)
    order = verb.read(words)
    words.end()
    return order


def _verb_and_rest(desk: Desk, line: Line) -> Found:
    try:
        return read_verb(line, _FINDERS, SYNTAX)
    except BadOrder:
        desk.propose(line.number, *_verbs_meant(desk, line))
        raise


def _verbs_meant(desk: Desk, line: Line) -> Iterator[str]:
    """The line with an order word of this phase, and of a unit of this kind, that is like its first words."""
    kind, stage = desk.kind_of(line.unit), desk.table.state.stage
    fit = [word for word, verb in VERBS.items() if stage in verb.stages and {kind, "fleet"} & {*verb.kinds}]
    words = line.text.split()
    for length in range(min(MOST_WORDS, len(words)), 0, -1):
        if close := nearest(" ".join(words[:length]), fit):
            yield " ".join([close, *words[length:]])


def _check_stage(desk: Desk, word: str) -> None:
    stage, stages = desk.table.state.stage, VERBS[word].stages
    if stage not in stages:
        when = " or ".join(stages)
        raise BadOrder(SYNTAX, f"'{word}' is an order of the {when} phase; this is the {stage} phase", "", IGNORED)


def _check_kind(desk: Desk, line: Line, word: str) -> None:
    """FA-E-3: the order goes to a unit of the right kind; what only a side can order is accepted under any header."""
    unit = line.unit
    kind, kinds = desk.kind_of(unit), VERBS[word].kinds
    if kind == "squadron" and unit not in desk.table.squadrons and word not in check_building.READERS:
        raise BadOrder("FA-E-38", f"the roster with {unit} is refused", "correct the roster first", IGNORED)
    if kinds == ("fleet",) or kind in kinds:
        return
    wanted = " or ".join(kinds)
    meant = [name for name in _meant(desk, unit, kind) if desk.kind_of(name) in kinds]
    desk.propose(line.number, *(f"{name}: {line.text}\n{unit}:" for name in meant[:1]))
    if kind == "fleet":
        reason = f"'{word}' is an order to a {wanted}, and no block of one is open"
        raise BadOrder(UNKNOWN, reason, f"open one: Name: {word} ...", IGNORED)
    reason = f"'{word}' is an order to a {wanted}; {unit} is a {kind}"
    raise BadOrder(WRONG_KIND, reason, f"give it in the block of a {wanted}", IGNORED)


def _meant(desk: Desk, unit: str, kind: str) -> list[str]:
    """FA-E-3: units that belong to the one whose block it is; for the side, those it has but one of."""
    table = desk.table
    if kind == "ship":
        flights = [flight.name for flight in desk.own_flights() if flight.home == unit]
        return [table.ships[unit].squadron, *(flights if len(flights) == 1 else ())]
    if kind == "squadron" and unit in table.squadrons:
        return [table.squadrons[unit].command_ship]
    if kind == "flight":
        home = table.ships.get(table.flights[unit].home)
        return [home.squadron, home.name] if home is not None else []
    kinds = (desk.own_squadrons(), desk.own_ships(), desk.own_flights())
    return [found[0].name for found in kinds if len(found) == 1]
