"""The verbs: who may be given which order, what stands, and which switch it needs (sections 6.1 and 6.3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import get_args

from games.battleshift.data import Switches
from games.battleshift.orders import readers as r
from games.battleshift.orders import records as o
from games.battleshift.orders.records import Detail, Order
from games.battleshift.orders.words import IGNORED, Misnamed, Names, guessed
from games.battleshift.state import Mode
from pbem.kit.sheet import BadOrder, Line, read_verb

MOVERS = ("taskforce", "squadron")
SHOOTERS = ("taskforce", "squadron", "station", "planet")
SQUADRONS = ("squadron", "station")
FLIGHTS = ("flight",)
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
    "sequence": (Verb(r.units_of("sequence", o.Sequence, "taskforce", "planet"), "sequence", FLEET, stands=True),),
    "detached": (Verb(r.units_of("detached", o.DetachedOrder), "detached", FLEET, stands=True),),
    "initiative": (Verb(r.one_of("initiative", o.Initiative, "first", "second"), "initiative", FLEET, stands=True),),
    "concede": (Verb(r.bare("concede", o.Concede()), "concede", FLEET),),
    "player": (Verb(r.read_player, "player", FLEET),),
    "mode": (Verb(r.one_of("mode", o.Mode, *get_args(Mode)), "mode", ("taskforce",), stands=True),),
    "move": (Verb(r.read_move, "move", MOVERS, stands=True),),
    "hold": (
        Verb(r.bare("hold", o.Move("hold")), "move", (*MOVERS, "station"), stands=True),
        Verb(r.bare("hold", o.Fly()), "fly", FLIGHTS, stands=True),
    ),
    "face": (Verb(r.read_face, "face", MOVERS, stands=True),),
    "form": (Verb(r.read_form, "form", MOVERS, stands=True),),
    "fire": (Verb(r.read_fire, "fire", SHOOTERS, stands=True),),
    "missiles": (Verb(r.read_missiles, "missiles", SHOOTERS, stands=True),),
    "intercept": (Verb(r.read_intercept, "intercept", ("taskforce", *SQUADRONS, "flight"), stands=True),),
    "lightguns": (
        Verb(r.one_of("lightguns", o.LightGuns, "auto", "battery", "interceptor"), "lightguns", MOVERS, stands=True),
    ),
    "launch": (Verb(r.read_launch, "launch", (*SQUADRONS, "planet")),),
    "recover": (Verb(r.unit_of(o.Recover, "flight"), "recover", SQUADRONS),),
    "strike": (Verb(r.read_strike, "fly", FLIGHTS, stands=True),),
    "fly": (Verb(r.read_fly, "fly", FLIGHTS, stands=True),),
    "engage": (Verb(r.read_engage, "fly", FLIGHTS, stands=True),),
    "if intercepted": (
        Verb(r.one_of("if intercepted", o.IfIntercepted, "dogfight", "evade"), "if intercepted", FLIGHTS, stands=True),
    ),
    "guard": (Verb(r.unit_of(o.Guard), "intercept", FLIGHTS, stands=True),),
    "lose": (Verb(r.read_lose, "lose", ("taskforce", *SQUADRONS), stands=True),),
    "detach": (Verb(r.bare("detach", o.Detach()), "detach", SQUADRONS),),
    "add": (Verb(r.unit_of(o.Add, *SQUADRONS), "add", ("taskforce",)),),
    "flagship": (Verb(r.read_flagship, "flagship", ("taskforce",)),),
    "shift": (Verb(r.read_shift, "shift", MOVERS),),
    "arrive": (Verb(r.read_arrive, "arrive", ("squadron",)),),
    "escape": (Verb(r.read_escape, "escape", MOVERS, stands=True),),
    "board": (Verb(r.act_reader("board"), "board", ("squadron",), switch="may_board"),),
    "assault": (Verb(r.act_reader("assault"), "assault", SQUADRONS, switch="assault"),),
    "engulf": (Verb(r.act_reader("engulf"), "engulf", ("squadron",), switch="engulf"),),
    "release": (Verb(r.act_reader("release"), "release", ("squadron",), switch="engulf"),),
    "tow": (Verb(r.act_reader("tow"), "tow", ("squadron",), switch="may_board"),),
    "dock": (Verb(r.unit_of(o.Dock, "station"), "dock", ("squadron",), switch="docking"),),
    "undock": (Verb(r.bare("dock", o.Undock()), "dock", ("squadron",), switch="docking"),),
    "land": (Verb(r.read_land, "land", ("squadron",)),),
    "transfer": (Verb(r.read_transfer, "transfer", ("planet",)),),
    "clear": (
        Verb(r.bare("clear", o.Clear()), "clear", ("fleet", "taskforce", *SQUADRONS, "flight", "planet"), stands=True),
    ),
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
        """One line, mostly one order; a refusal names the line that was meant, where that is plain."""
        try:
            return self._read(line)
        except BadOrder as bad:
            bad.fix = bad.fix or guessed(line.text, bad, VERBS)
            raise

    def _read(self, line: Line) -> tuple[Order, ...]:
        text, standing = line.text, False
        if text.casefold().startswith("standing "):
            text, standing = text[len("standing ") :].strip(), True
        verb, rest = read_verb(Line(line.number, line.unit, text), _SPLIT, "BS-V-1")
        unit = "" if line.unit == "Fleet" or verb in SIDE_VERBS else line.unit
        chosen = self._allowed(verb, unit, standing=standing)
        detail = chosen.read(self.names, rest)
        self._check_switch(verb, chosen.switch, detail)
        slot = f"fire {detail.weapon}" if isinstance(detail, o.Fire) else chosen.slot
        return (Order(unit, slot, detail, standing, text),)

    def _allowed(self, verb: str, unit: str, *, standing: bool) -> Verb:
        """BS-V-4, BS-V-63: what the verb means for the unit."""
        kind = self.names.own.get(unit, "fleet") if unit else "fleet"
        allowed = [meaning for meaning in VERBS[verb] if kind in meaning.kinds]
        if not allowed:
            kinds = sorted({name for meaning in VERBS[verb] for name in meaning.kinds})
            who = f"a {kind}" if unit else "the fleet"
            raise BadOrder("BS-V-4", f"'{verb}' is not for {who}", f"it is for: {', '.join(kinds)}", IGNORED)
        if standing and not allowed[0].stands:
            hint = f"these can: {', '.join(STANDING)}"
            raise Misnamed("BS-V-63", f"'{verb}' cannot stand", "standing ", "", hint)
        if verb == "clear" and not standing:
            reason = "'clear' is written behind 'standing'"
            raise BadOrder("BS-V-1", reason, "standing clear", IGNORED, "standing clear")
        self._check_presence(unit, kind, verb)
        return allowed[0]

    def _check_presence(self, unit: str, kind: str, verb: str) -> None:
        """BS-V-5: off the table only an arrival can be ordered."""
        if not unit or verb in OFF_TABLE or self.names.table.state.stage == "setup":
            return
        where = whereabouts(self.names, unit, kind)
        if where:
            raise BadOrder("BS-V-5", f"{unit} is not on the table: {where}", "", IGNORED)

    def _check_switch(self, verb: str, switch: str, detail: Detail) -> None:
        """BS-V-7: an option that is off."""
        for needed in (switch, *_needed(detail)):
            if needed and not getattr(self.switches, needed):
                name = "boarding" if needed == "may_board" else needed
                raise BadOrder(
                    "BS-V-7", f"the switch '{name}' is off in this scenario", "", IGNORED, _plain(detail, needed)
                )
        if verb in ("shift", "escape") and self.switches.shift == "none":
            raise BadOrder("BS-V-7", "the switch 'shift' is none in this scenario", "", IGNORED)
        grounded = self.switches.planets or self.switches.moonbases or self.names.bodies
        if verb in ("land", "transfer") and not grounded:
            raise BadOrder("BS-V-7", "the switch 'planets' is off in this scenario", "", IGNORED)


def _plain(detail: Detail, switch: str) -> str:
    """The line without the option that is off; empty: nothing is left of it."""
    if isinstance(detail, o.Form):
        return "form cluster"
    if not isinstance(detail, o.Fire) or switch not in ("disable_fire", "focused_fire"):
        return ""
    aims = ", ".join(o.Target(item.name, quadrant=item.quadrant).spoken() for item in detail.targets)
    least = f" min {detail.least}" if detail.least > 1 else ""
    weapon = "heavyion" if detail.weapon == "heavy_ion" else detail.weapon
    return f"fire {weapon} at {aims}{least}"


def _needed(detail: Detail) -> list[str]:
    if isinstance(detail, o.Form) and detail.formation.kind in ("cone", "tfcone", "ring"):
        return ["formations"]
    if not isinstance(detail, o.Fire):
        return []
    needed = {"super": ["super_heavy"], "ion": ["ion"], "heavy_ion": ["ion"]}.get(detail.weapon, [])
    if detail.disable:
        needed = [*needed, "disable_fire"]
    if any(target.number for target in detail.targets):
        needed = [*needed, "focused_fire"]
    return needed


def split_at(verb: str) -> Callable[[Line, str], tuple[str, str]]:
    """For the kit's reader of verbs: which verb it is, and the words behind it."""
    return lambda _line, rest: (verb, rest)


_SPLIT = {verb: split_at(verb) for verb in VERBS}


def whereabouts(names: Names, unit: str, kind: str) -> str:
    """Why a unit cannot act; empty: it is on the table."""
    table, side = names.table, names.side
    if kind == "taskforce":
        tf = table.taskforce(side, unit)
        if tf is not None and tf.now.location != "table":
            due = f", due turn {tf.now.returns.turn} in {tf.now.returns.sector}" if tf.now.returns else ""
            return f"in {tf.now.location}{due}"
        return ""
    if kind not in SQUADRONS:
        return ""
    squadron = table.squadron(side, unit)
    if squadron is None or squadron.present or squadron.now.docked:
        return ""
    if any(ship.now.status == "hyperspace" for ship in squadron.ships):
        back = squadron.now.returns or (squadron.taskforce.now.returns if squadron.taskforce else None)
        return "in hyperspace" + (f", due turn {back.turn} in {back.sector}" if back else "")
    return "destroyed or gone"
