"""All order words, and the way from a line to its order."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from games.fleet_action.orders import check_building, deployment, fire, fleet, flights, plot, ships
from games.fleet_action.orders.desk import IGNORED, SYNTAX, UNKNOWN, WRONG_KIND, Desk
from games.fleet_action.orders.readers import Verb
from games.fleet_action.orders.records import Order
from games.fleet_action.orders.words import Words
from pbem.kit.sheet import BadOrder, Line, read_verb

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
    word, rest = read_verb(line, _FINDERS, SYNTAX)
    verb = VERBS[word]
    _check_stage(desk, word)
    _check_kind(desk, line.unit, word)
    if verb.kinds == ("fleet",):
        line = replace(line, unit=FLEET)
    words = Words(desk, line, rest, verb.usage)
    order = verb.read(words)
    words.end()
    return order


def _check_stage(desk: Desk, word: str) -> None:
    stage, stages = desk.table.state.stage, VERBS[word].stages
    if stage not in stages:
        when = " or ".join(stages)
        raise BadOrder(SYNTAX, f"'{word}' is an order of the {when} phase; this is the {stage} phase", "", IGNORED)


def _check_kind(desk: Desk, unit: str, word: str) -> None:
    """FA-E-3: the order goes to a unit of the right kind; what only a side can order is accepted under any header."""
    kind, kinds = desk.kind_of(unit), VERBS[word].kinds
    if kind == "squadron" and unit not in desk.table.squadrons and word not in check_building.READERS:
        raise BadOrder("FA-E-38", f"the roster with {unit} is refused", "correct the roster first", IGNORED)
    if kinds == ("fleet",) or kind in kinds:
        return
    wanted = " or ".join(kinds)
    if kind == "fleet":
        reason = f"'{word}' is an order to a {wanted}, and no block of one is open"
        raise BadOrder(UNKNOWN, reason, f"open one: Name: {word} ...", IGNORED)
    reason = f"'{word}' is an order to a {wanted}; {unit} is a {kind}"
    raise BadOrder(WRONG_KIND, reason, f"give it in the block of a {wanted}", IGNORED)
