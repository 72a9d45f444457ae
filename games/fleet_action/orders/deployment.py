"""Orders of the deployment and adjustment phases: building, places, jump plans (FA-BLD, FA-DEP, FA-JMP)."""

from __future__ import annotations

import re

from games.fleet_action import geometry
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
from games.fleet_action.orders.words import IGNORED, Verb, Words
from games.fleet_action.tables import TABLES
from pbem.kit.hexgrid import Hex, distance
from pbem.kit.sheet import BadOrder, clean, nearest

NO_WAY_IN = "FA-E-33"
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9' .-]{0,39}")


# --- building --------------------------------------------------------------------------------------------------------


def buying_lines(text: str) -> list[tuple[str, str]]:
    """Unit and line of everything that builds, read before the names in it are known."""
    unit, found = "", []
    for raw in text.splitlines():
        line = clean(raw)
        header = re.fullmatch(r"([^:]{1,80}):(.*)", line)
        if header:
            unit, line = header[1].strip(), header[2].strip()
        if re.match(r"(buy|ability|reserve)\s", line, re.IGNORECASE):
            found.append((unit, line))
    return found


def read_buy(words: Words) -> Order:
    """FA-BLD: ``buy omega as Omega-1``, ``buy aurora as Fury-1 on Omega-1``."""
    cards = words.desk.table.cards
    key = words.word("a class").casefold()
    if key not in cards.classes and key not in cards.fighters:
        close = nearest(key, [*cards.classes, *cards.fighters])
        raise words.syntax(f"no class '{key}'" + (f"; did you mean '{close}'?" if close else ""))
    words.need("as")
    name, _, on = words.rest.partition(" on ")
    if not _NAME.fullmatch(name.strip()):
        raise words.syntax(f"'{name.strip()}' is no name")
    if key in cards.fighters and not on:
        raise words.syntax("a flight needs the ship it is housed on")
    return BuyOrder(words.line.unit, key, name.strip(), on.strip())


def read_ability(words: Words) -> Order:
    key = words.word("an ability").casefold()
    if key not in TABLES.ability:
        close = nearest(key, TABLES.ability)
        raise words.syntax(
            f"no ability '{key}'; known are {', '.join(TABLES.ability)}" + (f" ({close}?)" if close else "")
        )
    words.end()
    return AbilityOrder(words.line.unit, key)


def read_reserve(words: Words) -> Order:
    words.need("turn")
    turn = words.number("a turn", 99)
    words.end()
    return ReserveOrder(words.line.unit, turn)


# --- places ----------------------------------------------------------------------------------------------------------


def read_deploy(words: Words) -> Order:
    """FA-DEP: ``deploy 1020 heading 2``, with a speed for patrols and reinforcements."""
    at = words.hex()
    words.need("heading")
    heading = words.heading()
    speed = words.number("a speed", 99) if words.take("speed") else None
    words.end()
    return DeployOrder(words.line.unit, at, heading, speed)


def read_formation(words: Words) -> Order:
    """Section 6.3: a template, or offsets by ship."""
    template = words.take(*TABLES.formation)
    if template:
        words.end()
        return FormationOrder(words.line.unit, template)
    offsets: dict[str, Hex] = {}
    while True:
        ship = words.member("FA-E-2")
        offsets[ship] = words.offset()
        if not words.rest.startswith(","):
            break
        words.rest = words.rest[1:].lstrip()
    words.end()
    squadron = words.desk.table.squadrons[words.line.unit]
    if squadron.command_ship in offsets:
        raise words.syntax(f"{squadron.command_ship} is the command ship; the others stand around it")
    return FormationOrder(words.line.unit, "", offsets)


def read_fleet_speed(words: Words) -> Order:
    speed = words.number("a speed", 99)
    words.end()
    return FleetSpeedOrder(words.line.unit, speed)


def read_patrol(words: Words) -> Order:
    squadrons = words.own_squadrons()
    words.end()
    return PatrolOrder(words.line.unit, squadrons)


def read_adjust(words: Words) -> Order:
    at = words.hex()
    words.end()
    return AdjustOrder(words.line.unit, at)


# --- jump plans ------------------------------------------------------------------------------------------------------


def read_vortex_heading(words: Words) -> Order:
    heading = words.heading()
    words.end()
    return VortexHeadingOrder(words.line.unit, heading)


def read_vortex(words: Words) -> Order:
    """FA-JMP-1: ``vortex Sharlin-1 at 4030``, ``vortex Tigara-1 offset FS4 F2``."""
    ship = words.own_ship()
    card = words.desk.table.card(words.desk.table.ships[ship])
    if not card.jump:
        raise BadOrder(NO_WAY_IN, f"{ship} ({card.name}) has no jump engine", "name a ship with one", IGNORED)
    if words.need("at", "offset") == "at":
        at = words.hex()
        words.end()
        return VortexOrder(words.line.unit, ship, hex=at)
    text = words.rest
    offset = _within(words, words.offset(), text)
    words.end()
    return VortexOrder(words.line.unit, ship, offset=offset)


def _within(words: Words, offset: Hex, text: str) -> Hex:
    """FA-E-33: an offset beyond 10 is cut to 10 along its last term."""
    limit = TABLES.vortex_offset
    far = distance(geometry.HERE, offset)
    if far <= limit:
        return offset
    found = re.findall(r"(FS|FP|AS|AP|F|A)(\d{1,2})", text, re.IGNORECASE)
    arc, count = found[-1]
    for less in range(int(count) + 1):
        terms = [f"{a}{n}" for a, n in found[:-1]] + [f"{arc}{int(count) - less}"]
        cut = geometry.read_offset(" ".join(terms))
        if cut is not None and distance(geometry.HERE, cut) <= limit:
            break
    else:
        raise BadOrder(NO_WAY_IN, f"the offset is {far} hexes, the limit is {limit}", "a shorter offset", IGNORED)
    assert cut is not None
    reason = f"the offset is {far} hexes, the limit is {limit}"
    words.desk.remark(
        words.line, NO_WAY_IN, reason, geometry.written_offset(cut), "it is cut to 10 along its last term"
    )
    return cut


def _needs_gate(words: Words) -> None:
    if words.desk.table.state.gate is None:
        raise BadOrder(NO_WAY_IN, "there is no jump gate in this scenario", "open vortices instead", IGNORED)


def read_anchor(words: Words) -> Order:
    words.end()
    _needs_gate(words)
    return AnchorOrder(words.line.unit)


def read_enter_gate(words: Words) -> Order:
    words.end()
    _needs_gate(words)
    return EnterGateOrder(words.line.unit)


def read_arrive(words: Words) -> Order:
    turn = words.number("a turn", 99)
    words.end()
    return ArriveOrder(words.line.unit, max(1, turn))


_SQUADRON, _FLEET, _D1 = ("squadron",), ("fleet",), ("deployment",)
VERBS = {
    "buy": Verb(_SQUADRON, read_buy, "buy omega as Omega-1, or buy aurora as Fury-1 on Omega-1", stages=_D1),
    "ability": Verb(_SQUADRON, read_ability, "ability stubborn", stages=_D1),
    "reserve": Verb(_SQUADRON, read_reserve, "reserve turn 5", stages=_D1, single=True),
    "deploy": Verb(_SQUADRON, read_deploy, "deploy 1020 heading 2", stages=("deployment", "turn"), single=True),
    "formation": Verb(_SQUADRON, read_formation, "formation wedge", stages=("deployment", "turn"), single=True),
    "fleet speed": Verb(_FLEET, read_fleet_speed, "fleet speed 6", stages=_D1, single=True),
    "patrol": Verb(_FLEET, read_patrol, "patrol Delta", stages=_D1),
    "anchor gate": Verb(_FLEET, read_anchor, "anchor gate", stages=_D1, single=True),
    "vortex heading": Verb(_FLEET, read_vortex_heading, "vortex heading 4", stages=_D1, single=True),
    "vortex": Verb(_FLEET, read_vortex, "vortex Sharlin-1 at 4030", stages=_D1),
    "arrive turn": Verb(_SQUADRON, read_arrive, "arrive turn 3", stages=_D1, single=True),
    "enter gate": Verb(_SQUADRON, read_enter_gate, "enter gate", stages=_D1, single=True),
    "adjust": Verb(_SQUADRON, read_adjust, "adjust 1224", stages=("adjustment",), single=True),
}
