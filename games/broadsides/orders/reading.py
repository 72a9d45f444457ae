"""From an order line to a record: the forms of section 6, names and mounts checked line by line."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from games.broadsides.data import FOUR_SIDED, ShipClass
from games.broadsides.orders import records as r
from games.broadsides.orders.names import Names
from games.broadsides.orders.targets import read_program, read_section, read_system
from games.broadsides.rules.craft import SlideOrder, read_tokens
from games.broadsides.rules.doctrine import Alt, AttackAim, BallisticLine, BreakOff, SnapRoll
from games.broadsides.rules.mounts import SIZE_WORDS
from games.broadsides.state import Flight, Ship, Side2
from pbem.kit.hexgrid import Hex, parse
from pbem.kit.sheet import BadOrder, Line

SYNTAX = "BR-VAL-2"
DROPPED = "the line is left out"
MISSILE_KINDS = ("standard", "long", "heavy", "harm", "antifighter")
_NUMBER = re.compile(r"[+-]?\d{1,4}")


def bad_form(text: str, form: str) -> BadOrder:
    """BR-VAL-2: the expected form is always named."""
    return BadOrder(SYNTAX, f"'{text}' cannot be read", f"write {form}", DROPPED)


def number(text: str, form: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise bad_form(text, form)
    return int(text)


def read_hex(text: str, form: str) -> Hex:
    found = parse(text) if "," in text else None
    if found is None:
        raise bad_form(text, form)
    return found


class Reader:
    """Reads lines for one side; ``Names`` knows what the side may name."""

    def __init__(self, names: Names) -> None:
        self.names = names

    # --- movement

    def speed(self, line: Line, rest: str) -> r.Order:
        self.names.mover(line)
        n = number(rest.replace(" ", ""), "speed +2, speed -1 or speed 7")
        if rest[0] in "+-":
            return r.Speed(line.unit, change=n)
        return r.Speed(line.unit, to=n)

    def path(self, line: Line, rest: str) -> r.Order:
        self.names.mover(line)
        tokens = read_tokens(rest)
        if tokens is None:
            raise bad_form(rest, "path F3 P F3 with the tokens F, P, S, P+, S+, DP, DS, LP, LS, RP, RS")
        return r.Path(line.unit, tokens)

    def alt(self, line: Line, rest: str) -> r.Order:
        form = "alt within 5 of Tiger path F6"
        self.names.mover(line)
        found = re.fullmatch(r"(within|beyond) (-?\d+) of (.+?) path(.*)", rest, re.IGNORECASE)
        if not found:
            raise bad_form(rest, form)
        hexes = int(found[2])
        if hexes < 0:
            raise BadOrder("BR-VAL-29", f"the distance {hexes} is below 0", "alt within 0 or more", DROPPED)
        who = "nearest" if found[3].casefold() == "nearest" else self.names.anybody(found[3], line)
        tokens = read_tokens(found[4])
        if tokens is None:
            raise bad_form(found[4], form)
        return r.AltPath(line.unit, Alt(found[1].casefold() == "within", hexes, who, tokens))

    def chase(self, line: Line, rest: str) -> r.Order:
        self.names.flight(line, "chase")
        return r.Chase(line.unit, self.names.anybody(rest, line))

    def pivot(self, line: Line, rest: str) -> r.Order:
        self.names.mover(line, flights="BR-VAL-11")
        side, n = _side_and_number(rest, "pivot port 2")
        if not 1 <= n <= 3:
            raise BadOrder("BR-VAL-11", f"a pivot of {n} hexsides; 1 to 3 are possible", f"pivot {side} 3", DROPPED)
        return r.Pivot(line.unit, -n if side == "port" else n)

    def slide(self, line: Line, rest: str) -> r.Order:
        self.names.mover(line, flights="BR-VAL-10")
        if rest.casefold() == "stop":
            return r.SlideTo(line.unit, SlideOrder(None, 0))
        side, n = _side_and_number(rest, "slide port 1 or slide stop")
        if n < 0:
            raise bad_form(rest, "slide port 1 or slide stop")
        return r.SlideTo(line.unit, SlideOrder(side, n))

    def roll(self, line: Line, rest: str) -> r.Order:
        self.names.mover(line, flights="BR-VAL-12")
        if rest:
            raise bad_form(rest, "roll")
        return r.RollOver(line.unit)

    def snaproll(self, line: Line, rest: str) -> r.Order:
        ship = self.names.mover(line, flights="BR-VAL-12")
        if isinstance(ship, Ship) and not self.names.sheet(ship).agile:
            reason = f"{ship.name} ({ship.class_name}) is not agile; only agile ships make snap rolls"
            raise BadOrder("BR-VAL-12", reason, "roll", DROPPED)
        word = rest.casefold()
        if word == "yes":
            return r.SnapRollOver(line.unit, SnapRoll("yes"))
        if word == "away":
            return r.SnapRollOver(line.unit, SnapRoll("away"))
        found = re.fullmatch(r"if (.+) (port|starboard)", rest, re.IGNORECASE)
        if not found:
            raise bad_form(rest, "snaproll yes, snaproll away or snaproll if Tiger port")
        snap = SnapRoll("if", self.names.anybody(found[1], line), _side2(found[2]))
        return r.SnapRollOver(line.unit, snap)

    # --- power

    def divert(self, line: Line, rest: str) -> r.Order:
        found = re.fullmatch(r"(\w+) to (\w+)", rest, re.IGNORECASE)
        if not found:
            raise bad_form(rest, "divert HL2 to HL1")
        return r.Divert(line.unit, self.names.box(line, found[1]), self.names.box(line, found[2]))

    def battery(self, line: Line, rest: str) -> r.Order:
        found = re.fullmatch(r"(\w+) to (\w+) (\d+)", rest, re.IGNORECASE)
        if not found:
            raise bad_form(rest, "battery PB1 to HPL1 6")
        box, mount = self.names.box(line, found[1]), self.names.mount(line, found[2])
        return r.SpendBattery(line.unit, box, mount, int(found[3]))

    def power(self, line: Line, rest: str) -> r.Order:
        return r.PowerList(line.unit, self.names.mounts(line, rest))

    # --- fire

    def ballistic(self, line: Line, rest: str) -> r.Order:
        form = "ballistic MR1 heavy at Tiger or ballistic EM1 at 4,-7"
        found = re.fullmatch(r"(\w+)(?: (\w+))? at (.+)", rest, re.IGNORECASE)
        if not found:
            raise bad_form(rest, form)
        mount = self.names.mount(line, found[1])
        weapon = self.names.weapon(line, mount)
        if not weapon.ballistic:
            raise BadOrder("BR-VAL-17", f"{mount} ({weapon.name}) launches nothing", f"fire {mount} at ...", DROPPED)
        kind = self._missile(line, weapon.rack, (found[2] or "").casefold())
        aim = found[3].strip()
        if re.fullmatch(r"\(?-?\d+ ?, ?-?\d+\)?", aim):
            if not weapon.mine:
                raise BadOrder("BR-VAL-2", f"{mount} needs a unit as target, not the hex {aim}", form, DROPPED)
            return r.LaunchBallistic(line.unit, BallisticLine(mount, kind, hex=read_hex(aim, form)))
        return r.LaunchBallistic(line.unit, BallisticLine(mount, kind, self.names.enemy(aim, line)))

    def _missile(self, line: Line, rack: bool, kind: str) -> str:
        if kind and kind not in MISSILE_KINDS:
            raise bad_form(kind, f"one of {', '.join(MISSILE_KINDS)}")
        if not rack:
            return ""
        if kind == "antifighter":
            raise BadOrder(
                "BR-VAL-18", "anti-fighter missiles are fired, not launched", "fire MR1 antifighter at Red", DROPPED
            )
        if kind not in ("", "standard") and self.names.state.switches.missile_mix == "standard":
            reason = f"missile_mix is standard: no {kind} missiles"
            self.names.note(line, "BR-VAL-28", reason, "ballistic MR1 at Tiger", "a standard missile is launched")
            return "standard"
        return kind or "standard"

    def hold(self, line: Line, rest: str) -> r.Order:
        self.names.ship(line)
        if found := re.fullmatch(r"below (-?\d+)", rest, re.IGNORECASE):
            n = int(found[1])
            if n < 0:
                raise BadOrder("BR-VAL-29", f"hold below {n}: the number is below 0", "hold below 0 or more", DROPPED)
            return r.HoldBelow(line.unit, n)
        return r.Hold(line.unit, self.names.mounts(line, rest))

    def intercept(self, line: Line, rest: str) -> r.Order:
        unit = self.names.unit(line)
        if isinstance(unit, Flight):
            if rest:
                raise bad_form(rest, "intercept alone: a flight has no mounts")
            self.names.flight(line, "intercept")
            return r.FlightLetter(line.unit, "I")
        self.names.ship(line)
        if found := re.fullmatch(r"(max|min) (\d+)", rest, re.IGNORECASE):
            return r.InterceptLimit(line.unit, "max" if found[1].casefold() == "max" else "min", int(found[2]))
        if rest.casefold() == "none":
            return r.InterceptWith(line.unit, ())
        if not rest:
            raise bad_form(rest, "intercept INT1,INT2, intercept none, intercept max 3 or intercept min 10")
        return r.InterceptWith(line.unit, self.names.interceptors(line, rest))

    def clear(self, line: Line, rest: str) -> r.Order:
        self.names.switched(line, "asteroids")
        refs = self.names.mounts(line, rest)
        for ref in refs:
            if (
                ref not in SIZE_WORDS
                and ref != "all"
                and not ref.endswith("*")
                and self.names.weapon(line, ref).ballistic
            ):
                raise BadOrder("BR-VAL-26", f"{ref} is not a gun and cannot clear asteroids", "clear SPB1", DROPPED)
        return r.ClearWith(line.unit, refs)

    def take(self, line: Line, rest: str) -> r.Order:
        word = rest.casefold()
        if isinstance(self.names.unit(line), Flight):
            if word not in ("focus", "spread"):
                raise bad_form(rest, "take focus or take spread")
            return r.TakeFighter(line.unit, word == "spread")
        return r.Take(line.unit, self.names.boxes(line, rest))

    def firing(self, line: Line, rest: str) -> r.Order:
        names = [self.names.own_ship(part, line) for part in rest.split(",") if part.strip()]
        if not names:
            raise bad_form(rest, "firing Resolute, Lance")
        return r.Firing(line.unit, tuple(names))

    # --- flights, pods, jumps

    def attack(self, line: Line, rest: str) -> r.Order:
        self.names.flight(line, "attack")
        found = re.fullmatch(r"(.+?)(?: (side|weapon|system) (.+))?", rest, re.IGNORECASE)
        if not found:
            raise bad_form(rest, "attack Tiger side port")
        target = self.names.enemy(found[1], line)
        ship = self.names.state.ships.get(target)
        if ship is None:
            raise BadOrder("BR-VAL-22", f"{target} is a flight: attack is for ships", f"defend {target}", DROPPED)
        return r.FlightLetter(line.unit, "A", target, self._aim(self.names.sheet(ship), found[2], found[3] or ""))

    def _aim(self, sheet: ShipClass, kind: str | None, text: str) -> AttackAim:
        """BR-FTR-9: a side, a weapon or an external system."""
        if kind is None:
            return AttackAim()
        if kind.casefold() == "side":
            return AttackAim(side=read_section(text, sheet, "BR-VAL-22"))
        wanted = text.upper() if kind.casefold() == "weapon" else read_system(text, sheet)
        system = sheet.systems.get(wanted)
        if system is None or system.section == "primary":
            outside = [one.id for one in sheet.systems.values() if one.section != "primary"]
            raise BadOrder(
                "BR-VAL-22", f"{sheet.name} has no '{text}' outside", f"one of {', '.join(outside)}", DROPPED
            )
        return AttackAim(system=wanted)

    def defend(self, line: Line, rest: str) -> r.Order:
        self.names.flight(line, "defend")
        if not rest:
            return r.FlightLetter(line.unit, "D")
        target = self.names.enemy(rest, line)
        if target in self.names.state.ships:
            raise BadOrder("BR-VAL-22", f"{target} is a ship: defend is against flights", f"attack {target}", DROPPED)
        return r.FlightLetter(line.unit, "D", target)

    def breakoff(self, line: Line, rest: str) -> r.Order:
        self.names.flight(line, "breakoff")
        word = rest.casefold()
        if word == "never":
            return r.BreakOffWhen(line.unit, BreakOff())
        if word == "notarget":
            return r.BreakOffWhen(line.unit, BreakOff("notarget"))
        if found := re.fullmatch(r"fighters (\d+)", word):
            return r.BreakOffWhen(line.unit, BreakOff("fighters", int(found[1])))
        raise bad_form(rest, "breakoff never, breakoff notarget or breakoff fighters 6")

    def missiles(self, line: Line, rest: str) -> r.Order:
        self.names.flight(line, "missiles")
        if rest:
            raise bad_form(rest, "missiles")
        return r.UseMissiles(line.unit)

    def launch(self, line: Line, rest: str) -> r.Order:
        unit = self.names.unit(line)
        text = rest[5:] if rest.casefold().startswith("from ") else rest
        carrier = self.names.own_ship(text, line)
        if not isinstance(unit, Flight):
            raise bad_form(line.text, "launch from Resolute under the name of a flight")
        return r.FlightLetter(line.unit, "L", carrier)

    def land(self, line: Line, rest: str) -> r.Order:
        self.names.craft(line, "land")
        return r.Land(line.unit, self.names.own_ship(rest, line))

    def board(self, line: Line, rest: str) -> r.Order:
        self.names.switched(line, "boarding")
        self.names.ship(line)
        found = re.fullmatch(r"(.+) side (\w+)", rest, re.IGNORECASE)
        if not found:
            raise bad_form(rest, "board Tiger side aft")
        return r.Board(line.unit, self.names.enemy(found[1], line), found[2].casefold())

    def troops(self, line: Line, rest: str) -> r.Order:
        self.names.switched(line, "boarding")
        word = rest.casefold()
        if word not in ("press", "spread"):
            raise bad_form(rest, "troops press or troops spread")
        return r.Troops(line.unit, "press" if word == "press" else "spread")

    def jump_in(self, line: Line, rest: str) -> r.Order:
        self.names.switched(line, "hyperspace")
        found = re.fullmatch(r"(\(?-?\d+ ?, ?-?\d+\)?) facing (\d+)", rest, re.IGNORECASE)
        if not found:
            raise bad_form(rest, "jump-in 3,-8 facing 3")
        return r.JumpIn(line.unit, read_hex(found[1], "jump-in 3,-8 facing 3"), _direction(found[2], "facing"))

    def offset(self, line: Line, rest: str) -> r.Order:
        self.names.switched(line, "hyperspace")
        return r.Offset(line.unit, read_hex(rest, "offset 1,0"))

    def jump(self, line: Line, rest: str) -> r.Order:
        self.names.switched(line, "hyperspace")
        self.names.ship(line)
        if rest.casefold() == "out":
            return r.JumpOut(line.unit)
        if rest.casefold().startswith("with "):
            return r.JumpWith(line.unit, self.names.own_ship(rest[5:], line))
        raise bad_form(rest, "jump out or jump with Resolute")

    # --- setup

    def deploy(self, line: Line, rest: str) -> r.Order:
        form = "deploy 3,4 heading 0"
        self.names.ship(line)
        found = re.fullmatch(r"(\S+ ?,? ?\S*?) heading (\d+)(?: facing (\d+))?", rest, re.IGNORECASE)
        if not found:
            raise bad_form(rest, form)
        facing = None if found[3] is None else _direction(found[3], "facing")
        return r.Deploy(line.unit, read_hex(found[1], form), _direction(found[2], "heading"), facing)

    def load(self, line: Line, rest: str) -> r.Order:
        words = rest.split()
        if len(words) < 3 or len(words) % 2 == 0:
            raise bad_form(rest, "load MR1 standard 8 heavy 4")
        mount = self.names.mount(line, words[0])
        missiles: dict[str, int] = {}
        for kind, count in zip(words[1::2], words[2::2], strict=True):
            if kind.casefold() not in MISSILE_KINDS or not count.isdigit():
                raise bad_form(f"{kind} {count}", f"one of {', '.join(MISSILE_KINDS)} and a number")
            missiles[kind.casefold()] = missiles.get(kind.casefold(), 0) + int(count)
        return r.Load(line.unit, mount, missiles)

    def program(self, line: Line, rest: str) -> r.Order:
        self.names.ship(line)
        program = read_program(rest)
        if program is None:
            raise bad_form(rest, "program nearest, biggest, best-chance over 10, closing or closing unless slow")
        return r.SetProgram(line.unit, program)

    def upgrade(self, line: Line, rest: str) -> r.Order:
        self.names.ship(line)
        if rest.casefold() == "jammer":
            return r.Upgrade(line.unit, "jammer")
        found = re.fullmatch(r"sensors (\d+)", rest, re.IGNORECASE)
        if not found:
            raise bad_form(rest, "upgrade sensors 1 or upgrade jammer")
        return r.Upgrade(line.unit, "sensors", int(found[1]))


def _side2(text: str) -> Side2:
    return "port" if text.casefold() == "port" else "starboard"


def _side_and_number(text: str, form: str) -> tuple[Side2, int]:
    found = re.fullmatch(r"(port|starboard) (-?\d+)", text, re.IGNORECASE)
    if not found:
        raise bad_form(text, form)
    return _side2(found[1]), int(found[2])


def _direction(text: str, what: str) -> int:
    n = int(text)
    if n > 5:
        raise BadOrder("BR-VAL-29", f"{what} {n}; directions are 0 to 5", f"{what} {n % 6}", DROPPED)
    return n


Verb = Callable[[Line, str], r.Order]
SECTIONS = FOUR_SIDED


def verbs_of(reader: Reader, fire: Verb) -> Mapping[str, Verb]:
    """All order words."""
    named = (
        "speed path alt chase pivot slide roll snaproll divert battery power ballistic hold intercept clear take "
        "firing attack breakoff missiles defend launch land board troops offset jump deploy load program upgrade"
    )
    table: dict[str, Verb] = {verb: getattr(reader, verb) for verb in named.split()}
    table["jump-in"] = reader.jump_in
    table["fire"] = fire
    return table
