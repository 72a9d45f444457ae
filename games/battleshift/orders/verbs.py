"""The verbs: who may be given which order, what stands, and which switch it needs (sections 6.1 and 6.3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from games.battleshift.orders import flight_readers as f
from games.battleshift.orders import readers as r
from games.battleshift.orders.grammar import IGNORED, Names
from games.battleshift.orders.words import Detail, Fire, Form, Order
from games.battleshift.state import Switches
from pbem.kit.sheet import BadOrder, Line, read_verb

MOVERS = ("taskforce", "squadron")
SHOOTERS = ("taskforce", "squadron", "station", "planet")
SQUADRONS = ("squadron", "station")
FLEET = ("fleet",)


@dataclass(frozen=True)
class Verb:
    """A verb for some kinds of units."""

    read: r.Reader
    slot: str
    kinds: tuple[str, ...]
    stands: bool = False
    switch: str = ""


VERBS: dict[str, tuple[Verb, ...]] = {
    "sequence": (Verb(r.read_sequence, "sequence", FLEET, True),),
    "detached": (Verb(r.read_detached, "detached", FLEET, True),),
    "initiative": (Verb(r.read_initiative, "initiative", FLEET, True),),
    "concede": (Verb(r.read_concede, "concede", FLEET),),
    "player": (Verb(r.read_player, "player", FLEET),),
    "mode": (Verb(r.read_mode, "mode", ("taskforce",), True),),
    "move": (Verb(r.read_move, "move", MOVERS, True),),
    "hold": (
        Verb(r.read_hold, "move", (*MOVERS, "station"), True),
        Verb(f.read_flight_hold, "fly", ("flight",), True),
    ),
    "face": (Verb(r.read_face, "face", MOVERS, True),),
    "form": (Verb(r.read_form, "form", MOVERS, True),),
    "fire": (Verb(r.read_fire, "fire", SHOOTERS, True),),
    "missiles": (Verb(r.read_missiles, "missiles", SHOOTERS, True),),
    "intercept": (Verb(r.read_intercept, "intercept", ("taskforce", "squadron", "station", "flight"), True),),
    "lightguns": (Verb(r.read_lightguns, "lightguns", ("taskforce", "squadron"), True),),
    "launch": (Verb(f.read_launch, "launch", (*SQUADRONS, "planet")),),
    "recover": (Verb(f.read_recover, "recover", SQUADRONS),),
    "strike": (Verb(f.read_strike, "fly", ("flight",), True),),
    "fly": (Verb(f.read_fly, "fly", ("flight",), True),),
    "engage": (Verb(f.read_engage, "fly", ("flight",), True),),
    "if intercepted": (Verb(f.read_if_intercepted, "if intercepted", ("flight",), True),),
    "guard": (Verb(f.read_guard, "intercept", ("flight",), True),),
    "lose": (Verb(r.read_lose, "lose", ("taskforce", *SQUADRONS), True),),
    "detach": (Verb(r.read_detach, "detach", SQUADRONS),),
    "add": (Verb(r.read_add, "add", ("taskforce",)),),
    "flagship": (Verb(r.read_flagship, "flagship", ("taskforce",)),),
    "shift": (Verb(r.read_shift, "shift", MOVERS),),
    "arrive": (Verb(r.read_arrive, "arrive", ("squadron",)),),
    "escape": (Verb(r.read_escape, "escape", MOVERS, True),),
    "board": (Verb(r.act_reader("board"), "board", ("squadron",), switch="may_board"),),
    "assault": (Verb(r.act_reader("assault"), "assault", SQUADRONS, switch="assault"),),
    "engulf": (Verb(r.act_reader("engulf"), "engulf", ("squadron",), switch="engulf"),),
    "release": (Verb(r.act_reader("release"), "release", ("squadron",), switch="engulf"),),
    "tow": (Verb(r.act_reader("tow"), "tow", ("squadron",), switch="may_board"),),
    "dock": (Verb(r.read_dock, "dock", ("squadron",), switch="docking"),),
    "undock": (Verb(r.read_undock, "dock", ("squadron",), switch="docking"),),
    "land": (Verb(r.read_land, "land", ("squadron",)),),
    "transfer": (Verb(r.read_transfer, "transfer", ("planet",)),),
    "clear": (Verb(r.read_clear, "clear", ("fleet", "taskforce", *SQUADRONS, "flight", "planet"), True),),
}
STANDING = tuple(verb for verb, kinds in VERBS.items() if kinds[0].stands and verb != "clear")
SIDE_VERBS = ("sequence", "detached", "initiative", "concede", "player")
OFF_TABLE = ("arrive", "clear")
"""What may be ordered for a unit that is not on the table."""


class LineReader:
    """Makes orders of lines for one side."""

    def __init__(self, names: Names, switches: Switches) -> None:
        self.names, self.switches = names, switches

    def read(self, line: Line) -> tuple[Order, ...]:
        """One line, mostly one order."""
        text, standing = line.text, False
        if text.casefold().startswith("standing "):
            text, standing = text[len("standing ") :].strip(), True
        inner = Line(line.number, line.unit, text)
        table = {verb: _bound(verb) for verb in VERBS}
        verb, rest = read_verb(inner, table, "BS-V-1")
        return (self._order(line, verb, rest, standing, text),)

    def _order(self, line: Line, verb: str, rest: str, standing: bool, text: str) -> Order:
        unit = "" if line.unit == "Fleet" or verb in SIDE_VERBS else line.unit
        kind = self.names.own.get(unit, "fleet") if unit else "fleet"
        allowed = [one for one in VERBS[verb] if kind in one.kinds]
        if not allowed:
            kinds = sorted({name for one in VERBS[verb] for name in one.kinds})
            who = f"a {kind}" if unit else "the fleet"
            raise BadOrder("BS-V-4", f"'{verb}' is not for {who}", f"it is for: {', '.join(kinds)}", IGNORED)
        chosen = allowed[0]
        if standing and not chosen.stands:
            raise BadOrder("BS-V-63", f"'{verb}' cannot stand", f"these can: {', '.join(STANDING)}", IGNORED)
        if verb == "clear" and not standing:
            raise BadOrder("BS-V-1", "'clear' is written behind 'standing'", "standing clear", IGNORED)
        self._check_presence(unit, kind, verb)
        detail = chosen.read(self.names, rest)
        self._check_switch(verb, chosen.switch, detail)
        return Order(unit, _slot(chosen.slot, detail), detail, standing, text)

    def _check_presence(self, unit: str, kind: str, verb: str) -> None:
        """BS-V-5: off the table only an arrival can be ordered."""
        if not unit or verb in OFF_TABLE or self.names.battle.state.stage == "setup":
            return
        where = whereabouts(self.names, unit, kind)
        if where:
            raise BadOrder("BS-V-5", f"{unit} is not on the table: {where}", "", IGNORED)

    def _check_switch(self, verb: str, switch: str, detail: Detail) -> None:
        """BS-V-7: an option that is off."""
        for needed in (switch, *_needed(detail)):
            if needed and not getattr(self.switches, needed):
                name = "boarding" if needed == "may_board" else needed
                raise BadOrder("BS-V-7", f"the switch '{name}' is off in this scenario", "", IGNORED)
        if verb in ("shift", "escape") and self.switches.shift == "none":
            raise BadOrder("BS-V-7", "the switch 'shift' is none in this scenario", "", IGNORED)
        grounded = self.switches.planets or self.switches.moonbases or self.names.bodies
        if verb in ("land", "transfer") and not grounded:
            raise BadOrder("BS-V-7", "the switch 'planets' is off in this scenario", "", IGNORED)


def _needed(detail: Detail) -> list[str]:
    if isinstance(detail, Form) and detail.formation.kind in ("cone", "tfcone", "ring"):
        return ["formations"]
    if not isinstance(detail, Fire):
        return []
    needed = {"super": ["super_heavy"], "ion": ["ion"], "heavy_ion": ["ion"]}.get(detail.weapon, [])
    if detail.disable:
        needed = [*needed, "disable_fire"]
    if any(target.number for target in detail.targets):
        needed = [*needed, "focused_fire"]
    return needed


def _slot(slot: str, detail: Detail) -> str:
    return f"fire {detail.weapon}" if isinstance(detail, Fire) else slot


def _bound(verb: str) -> Callable[[Line, str], tuple[str, str]]:
    return lambda _line, rest: (verb, rest)


def whereabouts(names: Names, unit: str, kind: str) -> str:
    """Why a unit cannot act; empty: it is on the table."""
    battle, side = names.battle, names.side
    if kind == "taskforce":
        tf = battle.taskforce(side, unit)
        if tf is not None and tf.location != "table":
            due = f", due turn {tf.returns.turn} in {tf.returns.sector}" if tf.returns else ""
            return f"in {tf.location}{due}"
        return ""
    if kind not in SQUADRONS:
        return ""
    squadron = battle.squadron(side, unit)
    if squadron is None or squadron.present or squadron.docked:
        return ""
    if any(ship.status == "hyperspace" for ship in squadron.ships):
        back = squadron.returns or (squadron.taskforce.returns if squadron.taskforce else None)
        return "in hyperspace" + (f", due turn {back.turn} in {back.sector}" if back else "")
    return "destroyed or gone"
