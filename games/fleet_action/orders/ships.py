"""Orders to ships and their squadrons beside fire: ELINT, tractor, command, withdrawal (FA-ELI, FA-SPC, FA-CMD)."""

from __future__ import annotations

from games.fleet_action.orders.records import (
    AbsorbOrder,
    AcceptOrder,
    CommanderOrder,
    DetachOrder,
    ElintOrder,
    JumpOrder,
    Order,
    ReleaseOrder,
    ResistOrder,
    StraysOrder,
    StubbornOrder,
    TractorOrder,
    WithdrawOrder,
)
from games.fleet_action.orders.words import UNKNOWN, Verb, Words

UNSTATED = -1
"""FA-ELI-10: the number of levels was left out."""


def read_elint(words: Words) -> Order:
    """FA-ELI-2..7, 10: one action of the ship."""
    unit = words.line.unit
    action = words.need("offensive", "defensive", "jam-command", "jam-elint", "jam-fc")
    if action in ("offensive", "defensive"):
        levels = words.optional_number()
        words.end()
        return ElintOrder(unit, action, (), 1 if levels is None else levels)  # type: ignore[arg-type]
    targets = [words.enemy_ship()]
    if action == "jam-fc":
        if words.rest:
            targets.append(words.enemy_ship())
        words.end()
        return ElintOrder(unit, "jam-fc", tuple(targets), 1)
    levels = words.optional_number()
    if action == "jam-command":
        words.end()
        return ElintOrder(unit, "jam-command", tuple(targets), UNSTATED if levels is None else levels)
    vs = words.need("command", "offensive", "fc") if words.take("vs") else ""
    words.end()
    return ElintOrder(unit, "jam-elint", tuple(targets), 1 if levels is None else levels, vs)  # type: ignore[arg-type]


def read_tractor(words: Words) -> Order:
    """FA-SPC-6: ``tractor Thentus-2 power fusion-cannon``."""
    desk = words.desk
    known = [ship.name for ship in (*desk.enemy_ships(), *desk.own_ships()) if ship.name != words.line.unit]
    known += [flight.name for flight in desk.own_flights() + desk.enemy_flights()]
    target = words.name(known, UNKNOWN, "a ship or flight in play")
    power = words.word("a weapon").casefold() if words.take("power") else ""
    words.end()
    return TractorOrder(words.line.unit, target, power)


def read_detach(words: Words) -> Order:
    """FA-CMD-15: the ship becomes a stray."""
    ship = words.member("FA-E-28")
    words.end()
    return DetachOrder(words.line.unit, ship)


def read_commander(words: Words) -> Order:
    ship = words.member("FA-E-37")
    words.end()
    return CommanderOrder(words.line.unit, ship)


def read_strays(words: Words) -> Order:
    squadron = words.desk.table.squadrons[words.line.unit]
    known = [ship.name for ship in words.desk.table.members(squadron)]
    ships = words.names(known, UNKNOWN, f"a ship of {squadron.name}")
    words.end()
    return StraysOrder(words.line.unit, ships)


def read_absorb(words: Words) -> Order:
    """FA-ABL-4: own ships out of command are taken in."""
    ships = words.own_ships()
    words.end()
    return AbsorbOrder(words.line.unit, ships)


def read_stubborn(words: Words) -> Order:
    yes = words.yes()
    words.end()
    return StubbornOrder(words.line.unit, yes)


def read_resist(words: Words) -> Order:
    yes = words.yes()
    words.end()
    return ResistOrder(words.line.unit, yes)


def read_release(words: Words) -> Order:
    words.end()
    return ReleaseOrder(words.line.unit)


def read_accept(words: Words) -> Order:
    words.end()
    return AcceptOrder(words.line.unit)


def read_withdraw(words: Words) -> Order:
    words.end()
    return WithdrawOrder(words.line.unit)


def read_jump(words: Words) -> Order:
    words.end()
    return JumpOrder(words.line.unit)


VERBS = {
    "elint": Verb(("ship",), read_elint, "elint offensive 2 or elint jam-fc A B", standing=True),
    "tractor": Verb(("ship",), read_tractor, "tractor Thentus-2 power fusion-cannon", single=True),
    "release": Verb(("ship",), read_release, "release", single=True),
    "accept": Verb(("ship", "flight"), read_accept, "accept", single=True),
    "resist": Verb(("ship",), read_resist, "resist no", single=True),
    "detach": Verb(("squadron",), read_detach, "detach Hyperion-3"),
    "commander": Verb(("squadron",), read_commander, "commander Omega-2", single=True),
    "strays": Verb(("squadron",), read_strays, "strays Olympus-1", single=True),
    "absorb": Verb(("squadron",), read_absorb, "absorb Thentus-3, Thentus-4"),
    "stubborn": Verb(("squadron",), read_stubborn, "stubborn no", standing=True, single=True),
    "withdraw": Verb(("squadron",), read_withdraw, "withdraw", single=True),
    "jump": Verb(("ship",), read_jump, "jump", single=True),
}
