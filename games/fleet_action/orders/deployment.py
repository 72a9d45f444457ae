"""Orders of the deployment and adjustment phases: building, places, jump plans (FA-BLD, FA-DEP, FA-JMP)."""

from __future__ import annotations

import re
from collections.abc import Callable

from games.fleet_action.data import TABLES
from games.fleet_action.orders.desk import IGNORED, Desk
from games.fleet_action.orders.readers import Reader, Verb, reads
from games.fleet_action.orders.records import (
    AbilityOrder,
    AdjustOrder,
    AnchorOrder,
    ArriveOrder,
    BuyOrder,
    DeployOrder,
    EnterGateOrder,
    FleetSpeedOrder,
    FormationOrder,
    Order,
    PatrolOrder,
    ReserveOrder,
    VortexHeadingOrder,
    VortexOrder,
)
from games.fleet_action.orders.words import Words
from games.fleet_action.rules import geometry
from pbem.kit import hexgrid
from pbem.kit.hexgrid import Hex, distance
from pbem.kit.sheet import BadOrder, clean, nearest

NO_WAY_IN = "FA-E-33"
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9' .-]{0,39}")


# --- building --------------------------------------------------------------------------------------------------------


def buying_lines(text: str) -> list[tuple[str, str]]:
    """Unit and line of everything that builds, read before the names in it are known."""
    unit, lines = "", []
    for raw in text.splitlines():
        line = clean(raw)
        header = re.fullmatch(r"([^:]{1,80}):(.*)", line)
        if header:
            unit, line = header[1].strip(), header[2].strip()
        if re.match(r"(buy|ability|reserve)\s", line, re.IGNORECASE):
            lines.append((unit, line))
    return lines


def read_buy(words: Words) -> Order:
    """FA-BLD: ``buy omega as Omega-1``, ``buy aurora as Fury-1 on Omega-1``."""
    cards = words.desk.table.cards
    key = words.key("a class", [*cards.classes, *cards.fighters])
    words.need("as")
    name, _, on = words.rest.partition(" on ")
    words.rest = ""
    if not _NAME.fullmatch(name.strip()):
        raise words.syntax(f"'{name.strip()}' is no name")
    if key in cards.fighters and not on:
        raise words.syntax("a flight needs the ship it is housed on")
    return BuyOrder(words.line.unit, key, name.strip(), on.strip())


def read_ability(words: Words) -> Order:
    rest, given = words.rest, words.word("an ability")
    key = given.casefold()
    if key not in TABLES.ability:
        close = nearest(key, TABLES.ability)
        words.propose(rest, given, close)
        names = ", ".join(TABLES.ability)
        raise words.syntax(f"no ability '{key}'; known are {names}" + (f" ({close}?)" if close else ""))
    return AbilityOrder(words.line.unit, key)


def read_reserve(words: Words) -> Order:
    words.need("turn")
    return ReserveOrder(words.line.unit, words.number("a turn", 99))


# --- places ----------------------------------------------------------------------------------------------------------


def read_deploy(words: Words) -> Order:
    """FA-DEP: ``deploy 1020 heading 2``, with a speed for patrols and reinforcements."""
    at = words.hex()
    words.need("heading")
    return DeployOrder(words.line.unit, at, words.heading(), _speed(words) if words.take("speed") else None)


def written_deploy(order: DeployOrder) -> str:
    """A place as it is ordered."""
    speed = "" if order.speed is None else f" speed {order.speed}"
    return f"deploy {hexgrid.name(order.hex)} heading {order.heading}{speed}"


def _speed(words: Words) -> int:
    return words.number("a speed", 99)


def read_formation(words: Words) -> Order:
    """Section 6.3: a template, or offsets by ship."""
    template = words.take(*TABLES.formation)
    if template:
        return FormationOrder(words.line.unit, template)
    words.propose_nearest(list(TABLES.formation))
    offsets: dict[str, Hex] = {}
    while not offsets or words.comma():
        ship = words.member()
        offsets[ship] = words.offset()
    words.end()
    command_ship = words.desk.table.squadrons[words.line.unit].command_ship
    if command_ship in offsets:
        raise words.syntax(f"{command_ship} is the command ship; the others stand around it")
    return FormationOrder(words.line.unit, "", offsets)


# --- jump plans ------------------------------------------------------------------------------------------------------


def read_vortex(words: Words) -> Order:
    """FA-JMP-1: ``vortex Sharlin-1 at 4030``, ``vortex Tigara-1 offset FS4 F2``."""
    rest, ship = words.rest, words.own_ship()
    card = words.desk.table.card(words.desk.table.ships[ship])
    if not card.jump:
        words.propose(rest, ship, *_mates_that_jump(words.desk, ship))
        raise BadOrder(NO_WAY_IN, f"{ship} ({card.name}) has no jump engine", "name a ship with one", IGNORED)
    if words.need("at", "offset") == "at":
        return VortexOrder(words.line.unit, ship, hex=words.hex())
    text = words.rest
    return VortexOrder(words.line.unit, ship, offset=_within(words, words.offset(), text))


def _mates_that_jump(desk: Desk, ship: str) -> list[str]:
    """FA-JMP-1: ships of its squadron that open vortices."""
    table = desk.table
    return [mate.name for mate in table.members(table.squadron(table.ships[ship])) if table.card(mate).jump]


def _within(words: Words, offset: Hex, text: str) -> Hex:
    """FA-E-33: an offset beyond 10 is cut to 10 along its last term."""
    limit = TABLES.vortex_offset
    far = distance(geometry.HERE, offset)
    if far <= limit:
        return offset
    terms = re.findall(r"(FS|FP|AS|AP|F|A)(\d{1,2})", text, re.IGNORECASE)
    arc, count = terms[-1]
    for less in range(int(count) + 1):
        shortened = [f"{a}{n}" for a, n in terms[:-1]] + [f"{arc}{int(count) - less}"]
        cut = geometry.read_offset(" ".join(shortened))
        if cut is not None and distance(geometry.HERE, cut) <= limit:
            break
    else:
        raise BadOrder(NO_WAY_IN, f"the offset is {far} hexes, the limit is {limit}", "a shorter offset", IGNORED)
    assert cut is not None
    reason, instead = f"the offset is {far} hexes, the limit is {limit}", "it is cut to 10 along its last term"
    words.propose(text, text, geometry.written_offset(cut))
    words.desk.warn(words.line, NO_WAY_IN, reason, geometry.written_offset(cut), instead)
    return cut


def _by_gate(kind: Callable[[str], Order]) -> Reader:
    """FA-E-33: an order that needs a jump gate."""

    def read(words: Words) -> Order:
        words.end()
        if words.desk.table.state.gate is None:
            raise BadOrder(NO_WAY_IN, "there is no jump gate in this scenario", "open vortices instead", IGNORED)
        return kind(words.line.unit)

    return read


def read_arrive(words: Words) -> Order:
    return ArriveOrder(words.line.unit, max(1, words.number("a turn", 99)))


_SQUADRON, _FLEET, _D1 = ("squadron",), ("fleet",), ("deployment",)
_HEADING = reads(VortexHeadingOrder, Words.heading)
VERBS = {
    "buy": Verb(_SQUADRON, read_buy, "buy omega as Omega-1, or buy aurora as Fury-1 on Omega-1", stages=_D1),
    "ability": Verb(_SQUADRON, read_ability, "ability stubborn", stages=_D1),
    "reserve": Verb(_SQUADRON, read_reserve, "reserve turn 5", stages=_D1, single=True),
    "deploy": Verb(_SQUADRON, read_deploy, "deploy 1020 heading 2", stages=("deployment", "turn"), single=True),
    "formation": Verb(_SQUADRON, read_formation, "formation wedge", stages=("deployment", "turn"), single=True),
    "fleet speed": Verb(_FLEET, reads(FleetSpeedOrder, _speed), "fleet speed 6", stages=_D1, single=True),
    "patrol": Verb(_FLEET, reads(PatrolOrder, Words.own_squadrons), "patrol Delta", stages=_D1),
    "anchor gate": Verb(_FLEET, _by_gate(AnchorOrder), "anchor gate", stages=_D1, single=True),
    "vortex heading": Verb(_FLEET, _HEADING, "vortex heading 4", stages=_D1, single=True),
    "vortex": Verb(_FLEET, read_vortex, "vortex Sharlin-1 at 4030", stages=_D1),
    "arrive turn": Verb(_SQUADRON, read_arrive, "arrive turn 3", stages=_D1, single=True),
    "enter gate": Verb(_SQUADRON, _by_gate(EnterGateOrder), "enter gate", stages=_D1, single=True),
    "adjust": Verb(_SQUADRON, reads(AdjustOrder, Words.hex), "adjust 1224", stages=("adjustment",), single=True),
}
