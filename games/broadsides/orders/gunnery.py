"""Fire lines: guns, launches, interception, and mounts that are not ready."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from games.broadsides.orders import records as r
from games.broadsides.orders.readiness import Readiness
from games.broadsides.orders.words import (
    DROPPED,
    MISSILE_KINDS,
    PROGRAM_KINDS,
    SYNTAX,
    Lines,
    bad_form,
    matched,
    put_right,
    read_hex,
    read_program,
    write_program,
)
from games.broadsides.rules.ballistics import LAUNCHED_KINDS, reach_of
from games.broadsides.rules.doctrine import Aim, BallisticLine, FireLine, UnitOrders
from games.broadsides.rules.mounts import SIZE_WORDS
from games.broadsides.state import Flight, Program, Ship, State
from pbem.kit.hexgrid import distance
from pbem.kit.hexgrid import line as way_to
from pbem.kit.judging import Judge
from pbem.kit.sheet import Accepted, BadOrder, Line, nearest

_OPTION = re.compile(r"(.*) (piercing|called \w+|split \d+|shift (?:port|starboard))", re.IGNORECASE)
_HEX = r"\(?-?\d+ ?, ?-?\d+\)?"


class FireLines(Lines):
    def fire(self, line: Line, rest: str) -> r.Order:
        """``fire MOUNTS [antifighter] at TARGET {option} [else PROGRAM]``."""
        form = "fire HL1,HL2 at Tiger, fire MP* at nearest or fire all at best-chance over 10"
        self.names.ship(line)
        found = matched(r"(.+?)( antifighter)? at (.+)", rest, form)
        mounts = self.names.mounts(line, found[1])
        aim_text, otherwise = self._fallback(found[3], line)
        aim_text, options = _split_options(aim_text)
        made = FireLine(mounts, self._aim(aim_text, line), antifighter=bool(found[2]), otherwise=otherwise)
        return r.FireAt(line.unit, self._with_options(made, options, line))

    def _fallback(self, text: str, line: Line) -> tuple[str, Program | None]:
        found = re.fullmatch(r"(.+) else (.+)", text, re.IGNORECASE)
        if not found:
            return text, None
        program = read_program(found[2])
        if program is None:
            hint = "else nearest, biggest, best-chance, best-chance over 10 or closing"
            reason, instead = f"'{found[2]}' is no program", "the default program is used"
            fix = put_right(line, f"else {found[2]}", f"else {nearest(found[2], PROGRAM_KINDS) or 'best-chance'}")
            self.names.judge.warn(line, "BR-VAL-2", reason, hint, instead, fix)
        return found[1], program

    def _aim(self, text: str, line: Line) -> Aim:
        program = read_program(text)
        if program is not None:
            return Aim(program=program)
        try:
            return Aim(unit=self.names.enemy(text, line))
        except BadOrder as error:
            usual = self.names.default_program(line)
            fix = error.fix or put_right(line, f"at {text}", f"at {write_program(usual)}")
            instead = "the default program is used"
            self.names.judge.warn(line, error.rule, error.reason, error.hint, instead, fix)
            return Aim(program=usual)

    def _with_options(self, made: FireLine, options: list[str], line: Line) -> FireLine:
        values: dict[str, object] = {}
        faults: list[str] = []
        for option in options:
            word, _, value = option.casefold().partition(" ")
            why = self._refused(word, value, made, line)
            if why:
                faults.append(why)
            else:
                values[word] = {"split": int(value) if value.isdigit() else 1, "piercing": True}.get(word, value)
        kept = replace(made, **values)  # type: ignore[arg-type]
        for why in faults:
            hint, instead = "leave the option out", "it is fired without the option"
            self.names.judge.warn(line, "BR-VAL-19", why, hint, instead, write_fire(kept))
        return kept

    def _refused(self, word: str, value: str, made: FireLine, line: Line) -> str:
        """BR-VAL-19: why an option does not fit these mounts or this target."""
        weapons = self.names.weapons(line, made.mounts)
        if word == "piercing" and not any(weapon.pierce for weapon in weapons):
            return "piercing needs a weapon with a piercing strength"
        if word == "split" and not any("light_pulse" in weapon.flags for weapon in weapons):
            return f"split {value} is for light pulse weapons"
        if word == "shift" and not any(weapon.special == "grav_shifter" for weapon in weapons):
            return f"shift {value} is for gravitic shifters"
        target = self.names.state.ships.get(made.aim.unit)
        if word == "called" and target is not None and value not in self.names.sheet(target).sides:
            return f"{target.name} has no side '{value}'"
        return ""

    def ballistic(self, line: Line, rest: str) -> r.Order:
        form = "ballistic MR1 heavy at Tiger or ballistic EM1 at 4,-7"
        found = matched(r"(\w+)(?: (\w+))? at (.+)", rest, form)
        mount = self.names.mount(line, found[1])
        weapon = self.names.weapon(line, mount)
        if not weapon.ballistic:
            fix = f"fire {mount} at {found[3].strip()}"
            raise BadOrder("BR-VAL-17", f"{mount} ({weapon.name}) launches nothing", fix, DROPPED, fix)
        aim = found[3].strip()
        missile = self._missile(line, mount, (found[2] or "").casefold(), aim)
        if not re.fullmatch(_HEX, aim):
            return r.LaunchBallistic(line.unit, BallisticLine(mount, missile, self.names.enemy(aim, line)))
        if not weapon.mine:
            raise BadOrder("BR-VAL-2", f"{mount} needs a unit as target, not the hex {aim}", form, DROPPED)
        return r.LaunchBallistic(line.unit, BallisticLine(mount, missile, hex=read_hex(aim, form)))

    def _missile(self, line: Line, mount: str, kind: str, aim: str) -> str:
        if kind and kind not in MISSILE_KINDS:
            close = nearest(kind, MISSILE_KINDS)
            fix = f"ballistic {mount} {close} at {aim}" if close else f"ballistic {mount} at {aim}"
            raise BadOrder(SYNTAX, f"'{kind}' cannot be read", f"one of {', '.join(MISSILE_KINDS)}", DROPPED, fix)
        if not self.names.weapon(line, mount).rack:
            return ""
        if kind == "antifighter":
            reason, fix = "anti-fighter missiles are fired, not launched", f"fire {mount} antifighter at {aim}"
            raise BadOrder("BR-VAL-18", reason, fix, DROPPED, fix)
        if kind not in ("", "standard") and self.names.state.switches.missile_mix == "standard":
            reason, instead = f"missile_mix is standard: no {kind} missiles", "a standard missile is launched"
            fix = f"ballistic {mount} at {aim}"
            self.names.judge.warn(line, "BR-VAL-28", reason, fix, instead, fix)
            return "standard"
        return kind or "standard"

    def hold(self, line: Line, rest: str) -> r.Order:
        self.names.ship(line)
        if found := re.fullmatch(r"below (-?\d+)", rest, re.IGNORECASE):
            n = int(found[1])
            if n < 0:
                reason, hint = f"hold below {n}: the number is below 0", "hold below 0 or more"
                raise BadOrder("BR-VAL-29", reason, hint, DROPPED, "hold below 0")
            return r.HoldBelow(line.unit, n)
        return r.Hold(line.unit, self.names.mounts(line, rest))

    def intercept(self, line: Line, rest: str) -> r.Order:
        if isinstance(self.names.unit(line), Flight):
            if rest:
                reason = f"'{rest}' cannot be read"
                raise BadOrder(SYNTAX, reason, "intercept alone: a flight has no mounts", DROPPED, "intercept")
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
        named = [ref for ref in refs if ref not in (*SIZE_WORDS, "all") and not ref.endswith("*")]
        launchers = [ref for ref in named if self.names.weapon(line, ref).ballistic]
        if launchers:
            guns = [one.id for one in self.names.sheet(self.names.ship(line)).mounts if self._is_gun(line, one.id)]
            kept = [ref for ref in refs if ref not in launchers] or guns[:1]
            fix = f"clear {', '.join(kept)}" if kept else ""
            reason = f"{launchers[0]} is not a gun and cannot clear asteroids"
            raise BadOrder("BR-VAL-26", reason, fix, DROPPED, fix)
        return r.ClearWith(line.unit, refs)

    def _is_gun(self, line: Line, mount: str) -> bool:
        ship = self.names.ship(line)
        standing = ship.blocks_left(self.names.sheet(ship).systems[mount]) > 0
        return standing and not self.names.weapon(line, mount).ballistic

    def take(self, line: Line, rest: str) -> r.Order:
        if not isinstance(self.names.unit(line), Flight):
            return r.Take(line.unit, self.names.boxes(line, rest))
        if rest.casefold() not in ("focus", "spread"):
            raise bad_form(rest, "take focus or take spread")
        return r.TakeFighter(line.unit, rest.casefold() == "spread")

    def firing(self, line: Line, rest: str) -> r.Order:
        names = [self.names.own_ship(part, line) for part in rest.split(",") if part.strip()]
        if not names:
            raise bad_form(rest, "firing Resolute, Lance")
        return r.Firing(line.unit, tuple(names))


def _split_options(text: str) -> tuple[str, list[str]]:
    options: list[str] = []
    while found := _OPTION.fullmatch(text):
        text = found[1]
        options.insert(0, found[2])
    return text, options


def write_fire(line: FireLine) -> str:
    """The line as a player writes it."""
    aim = line.aim.unit or write_program(line.aim.program or Program())
    words = [f"fire {','.join(line.mounts)}{' antifighter' * line.antifighter} at {aim}"]
    words += ["piercing"] * line.piercing
    words += [f"called {line.called}"] * bool(line.called)
    words += [f"split {line.split}"] * (line.split > 1)
    words += [f"shift {line.shift}"] * bool(line.shift)
    words += [f"else {write_program(line.otherwise)}"] if line.otherwise else []
    return " ".join(words)


# --- lines together --------------------------------------------------------------------------------------------------


def check_fire(state: State, judge: Judge[r.Order], ship: Ship, orders: UnitOrders) -> UnitOrders:
    checker = _Checker(state, judge, ship, orders)
    lines: list[FireLine | tuple[str, ...]] = []
    for entry in judge.given(r.Order, ship.name):
        order = entry.order
        if isinstance(order, r.LaunchBallistic):
            checker.launch(entry, order.line)
        elif isinstance(order, r.FireAt):
            lines.extend(checker.fire(entry, order.line))
        elif isinstance(order, r.Hold):
            lines.append(order.mounts)
        else:
            orders = _doctrine(order, orders)
    return replace(orders, lines=tuple(lines), ballistics=checker.launches())


def _doctrine(order: r.Order, orders: UnitOrders) -> UnitOrders:
    """The short lines; a later one of a kind replaces an earlier."""
    if isinstance(order, r.HoldBelow):
        return replace(orders, hold_below=order.n)
    if isinstance(order, r.InterceptWith):
        return replace(orders, intercept=_side_by_side(orders.intercept or (), order.mounts))
    if isinstance(order, r.InterceptLimit):
        return replace(orders, **{f"intercept_{order.kind}": order.n})  # type: ignore[arg-type]
    if isinstance(order, r.ClearWith):
        return replace(orders, clear=_side_by_side(orders.clear, order.mounts))
    if isinstance(order, r.Take):
        return replace(orders, take=order.mounts)
    return orders


def _side_by_side(earlier: tuple[str, ...], later: tuple[str, ...]) -> tuple[str, ...]:
    """Section 6: lists of mounts stand side by side; an empty one, ``intercept none``, replaces what was before."""
    return tuple(dict.fromkeys([*earlier, *later])) if later else ()


class _Checker:
    def __init__(self, state: State, judge: Judge[r.Order], ship: Ship, orders: UnitOrders) -> None:
        self._judge, self._ship = judge, ship
        self._readiness = Readiness(state, ship, orders)
        self._launched: dict[str, tuple[Accepted[r.Order], BallisticLine]] = {}

    # --- lines

    def fire(self, entry: Accepted[r.Order], line: FireLine) -> list[FireLine]:
        """The line without the mounts that cannot fire; none left: no line."""
        if line.antifighter:
            self._check_stock(entry, line)
        systems = self._readiness.sheet.systems
        checked = [(ref, self._readiness.why_not(ref) if ref in systems else "") for ref in line.mounts]
        kept = tuple(ref for ref, why in checked if not why)
        mounts = kept or self._like([ref for ref, _ in checked])
        fix = write_fire(replace(line, mounts=mounts)) if mounts else ""
        for ref, why in checked:
            if why:
                say = self._judge.warn if kept else self._judge.refuse
                say(entry, "BR-VAL-17", why, instead=f"{ref} is left out", fix=fix)
        return [replace(line, mounts=kept)] if kept else []

    def _like(self, refs: Sequence[str]) -> tuple[str, ...]:
        """As many ready mounts of the same types."""
        types = [self._readiness.sheet.systems[ref].type for ref in refs]
        return tuple(mount.id for mount in self._readiness.ready if mount.type in types)[: len(types)]

    def _check_stock(self, entry: Accepted[r.Order], line: FireLine) -> None:
        for ref in line.mounts:
            state = self._ship.weapon.get(ref)
            if state is not None and not state.ammunition.get("antifighter", 0):
                stock = ", ".join(f"{n} {kind}" for kind, n in sorted(state.ammunition.items())) or "nothing"
                reason = f"{ref} holds no antifighter missile but {stock}"
                self._judge.warn(entry, "BR-VAL-18", reason, instead="it holds fire")

    def launches(self) -> tuple[BallisticLine, ...]:
        return tuple(line for _, line in self._launched.values())

    def launch(self, entry: Accepted[r.Order], line: BallisticLine) -> None:
        """Section 6: a later launch of the same mount replaces the earlier one, even if it cannot stand itself."""
        earlier = self._launched.pop(line.mount, None)
        self._readiness.launched.pop(line.mount, None)
        rule, why, instead = "BR-VAL-17", self._readiness.why_not(line.mount), f"{line.mount} is left out"
        if not why:
            rule, why, instead = "BR-VAL-18", self._readiness.out_of_reach(line), DROPPED
        if not why:
            self._launched[line.mount] = (entry, line)
            self._readiness.launched[line.mount] = entry.text
            return
        self._judge.refuse(entry, rule, why, instead=instead, fix=self._other_launch(line))
        if earlier is not None:
            self._judge.drop(earlier[0])

    def _other_launch(self, line: BallisticLine) -> str:
        """The same target by another mount or another missile; a mine at the nearest hex within reach."""
        readiness, stock = self._readiness, self._ship.weapon[line.mount].ammunition
        like = [mount for mount in (line.mount, *self._like([line.mount])) if not readiness.why_not(mount)]
        kinds = dict.fromkeys([line.missile, *(kind for kind in LAUNCHED_KINDS if stock.get(kind, 0) > 0)])
        for mount in like:
            for kind in kinds if readiness.weapon(mount).rack else [""]:
                if not readiness.out_of_reach(replace(line, mount=mount, missile=kind)):
                    word = f"{kind} " if kind not in ("", "standard") else ""
                    aim = f"{line.hex.q},{line.hex.r}" if line.hex else line.target
                    return f"ballistic {mount} {word}at {aim}"
        if not like or line.hex is None:
            return ""
        reach = reach_of(readiness.weapon(like[0]), "")
        at = [step for step in way_to(self._ship.position, line.hex) if distance(self._ship.position, step) <= reach][
            -1
        ]
        return f"ballistic {like[0]} at {at.q},{at.r}"
