"""Orders to ships and their squadrons beside fire: ELINT, tractor, command, withdrawal (FA-ELI, FA-SPC, FA-CMD)."""

from __future__ import annotations

from games.fleet_action.orders.desk import UNKNOWN
from games.fleet_action.orders.readers import Verb, reads
from games.fleet_action.orders.records import (
    UNSTATED,
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
from games.fleet_action.orders.words import Words


def read_elint(words: Words) -> Order:
    """FA-ELI-2..7, 10: one action of the ship."""
    unit = words.line.unit
    action = words.need("offensive", "defensive", "jam-command", "jam-elint", "jam-fc")
    if action in ("offensive", "defensive"):
        return ElintOrder(unit, action, (), _levels(words, 1))  # type: ignore[arg-type]
    target = words.enemy_ship()
    if action == "jam-fc":
        return ElintOrder(unit, "jam-fc", (target, words.enemy_ship()) if words.rest else (target,), 1)
    if action == "jam-command":
        return ElintOrder(unit, "jam-command", (target,), _levels(words, UNSTATED))
    levels = _levels(words, 1)
    vs = words.need("command", "offensive", "fc") if words.take("vs") else ""
    return ElintOrder(unit, "jam-elint", (target,), levels, vs)  # type: ignore[arg-type]


def _levels(words: Words, default: int) -> int:
    levels = words.optional_number()
    return default if levels is None else levels


def read_tractor(words: Words) -> Order:
    """FA-SPC-6: ``tractor Thentus-2 power fusion-cannon``."""
    desk = words.desk
    ships = [ship for ship in (*desk.enemy_ships(), *desk.own_ships()) if ship.name != words.line.unit]
    target = words.unit([*ships, *desk.own_flights(), *desk.enemy_flights()], UNKNOWN, "a ship or flight in play")
    return TractorOrder(words.line.unit, target, words.word("a weapon").casefold() if words.take("power") else "")


_SHIP, _SQUADRON = ("ship",), ("squadron",)
_DETACH = reads(DetachOrder, lambda words: words.member("FA-E-28"))
_COMMANDER = reads(CommanderOrder, lambda words: words.member("FA-E-37"))
VERBS = {
    "elint": Verb(_SHIP, read_elint, "elint offensive 2 or elint jam-fc A B", standing=True),
    "tractor": Verb(_SHIP, read_tractor, "tractor Thentus-2 power fusion-cannon", single=True),
    "release": Verb(_SHIP, reads(ReleaseOrder), "release", single=True),
    "accept": Verb(("ship", "flight"), reads(AcceptOrder), "accept", single=True),
    "resist": Verb(_SHIP, reads(ResistOrder, Words.yes), "resist no", single=True),
    "detach": Verb(_SQUADRON, _DETACH, "detach Hyperion-3"),
    "commander": Verb(_SQUADRON, _COMMANDER, "commander Omega-2", single=True),
    "strays": Verb(_SQUADRON, reads(StraysOrder, Words.members), "strays Olympus-1", single=True),
    "absorb": Verb(_SQUADRON, reads(AbsorbOrder, Words.own_ships), "absorb Thentus-3, Thentus-4"),
    "stubborn": Verb(_SQUADRON, reads(StubbornOrder, Words.yes), "stubborn no", standing=True, single=True),
    "withdraw": Verb(_SQUADRON, reads(WithdrawOrder), "withdraw", single=True),
    "jump": Verb(_SHIP, reads(JumpOrder), "jump", single=True),
}
