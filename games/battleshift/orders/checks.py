"""Checks that need more than one line: movement, facing, formation, command (BS-V-9 to BS-V-21)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from games.battleshift.data import LIMITS, half_arc
from games.battleshift.orders.book import OrderBook
from games.battleshift.orders.grammar import IGNORED, Names
from games.battleshift.orders.words import Detach, Face, Form, Move, Order, Sequence
from games.battleshift.rules.facings import legal_facing
from games.battleshift.rules.moving import STAY, Illegal, Plan, Step, check_facing, inches, ordered_facing, reach_of
from games.battleshift.rules.planning import Activation, checked_form, legal_step, limited_step, lines_for, plan_moves
from games.battleshift.rules.units import Squadron, Taskforce
from pbem.kit.plane import Spot, difference, whole_distance, within
from pbem.kit.sheet import Accepted, Problem, Sheet

Entry = Accepted[Order]
NUMBERS_ONLY = ("bearing", "port", "starboard", "course")
RELATIVE = ("toward", "away")


class Checker:
    """Goes through accepted orders, drops what cannot stand and notes why."""

    def __init__(self, names: Names, sheet: Sheet[Order], standing: Mapping[str, list[Order]]) -> None:
        self.names, self.battle, self.side = names, names.battle, names.side
        self.entries = list(sheet.accepted)
        self.standing = standing
        self.problems: list[Problem] = []

    def refuse(self, entry: Entry, rule: str, reason: str, hint: str = "", instead: str = IGNORED) -> None:
        """An error: the line does not stand."""
        self.problems.append(Problem(entry.line, entry.text, rule, reason, hint, instead, entry.order.unit))
        if entry in self.entries:
            self.entries.remove(entry)

    def warn(self, entry: Entry, rule: str, reason: str, hint: str = "", instead: str = "") -> None:
        """A warning: the line stands, perhaps changed."""
        self.problems.append(Problem(entry.line, entry.text, rule, reason, hint, instead, entry.order.unit))

    def book(self, without: str = "") -> OrderBook:
        orders = [entry.order for entry in self.entries if entry.order.slot != without]
        standing = {u: [o for o in given if o.slot != without] for u, given in self.standing.items()}
        return OrderBook(orders, standing)

    def each(self, slot: str) -> Iterator[Entry]:
        """Accepted lines of a slot that still count: the last for each unit."""
        for entry in list(self.entries):
            if entry.order.slot == slot and entry in self.entries:
                yield entry

    def last(self, unit: str, slot: str) -> Entry | None:
        found = [entry for entry in self.entries if entry.order.unit == unit and entry.order.slot == slot]
        return found[-1] if found else None

    def squadron_for(self, unit: str) -> Squadron | None:
        """The squadron whose limits count: a taskforce's is its flagship's."""
        tf = self.battle.taskforce(self.side, unit)
        return tf.flagship.squadron if tf is not None else self.battle.squadron(self.side, unit)


def cross_checks(names: Names, sheet: Sheet[Order], standing: Mapping[str, list[Order]]) -> Sheet[Order]:
    """Section 7: all checks beyond the single line."""
    # Imported here because both halves of section 7 share the Checker.
    from games.battleshift.orders.unit_checks import check_units

    checker = Checker(names, sheet, standing)
    check_sequence(checker)
    check_moves(checker)
    checker.battle.books[checker.side] = checker.book()
    check_faces(checker)
    check_forms(checker)
    check_units(checker)
    checker.battle.books[checker.side] = checker.book()
    check_taskforces(checker)
    return replace(sheet, accepted=tuple(checker.entries)).with_problems(checker.problems)


def check_sequence(checker: Checker) -> None:
    """BS-V-9: taskforces left out or repeated."""
    for entry in checker.each("sequence"):
        order = entry.order.detail
        assert isinstance(order, Sequence)
        battle = checker.battle
        own = [tf.name for tf in battle.taskforces if tf.side == checker.side and tf.on_table]
        own += [body.name for body in battle.bodies if body.side == checker.side and body.is_defended]
        whole = list(dict.fromkeys([*(name for name in order.units if name in own), *own]))
        if list(order.units) != whole:
            reason = "taskforces are missing, absent or repeated"
            checker.warn(entry, "BS-V-9", reason, "", f"the list used: {', '.join(whole)}")


def check_moves(checker: Checker) -> None:
    """BS-V-10 to BS-V-14."""
    for entry in checker.each("move"):
        move, squadron = entry.order.detail, checker.squadron_for(entry.order.unit)
        if not isinstance(move, Move) or move.kind == "hold" or squadron is None or not squadron.active:
            continue
        form = checker.book().find(squadron.lines, "form", Form)
        reach = reach_of(checker.battle, squadron, form.formation if form else None)
        try:
            legal_step(checker.battle, squadron, reach, move)
        except Illegal as why:
            instead = "it holds and turns toward the nearest enemy, unless another move applies"
            checker.refuse(entry, why.rule, why.reason, why.hint, instead)


def _step_of(checker: Checker, squadron: Squadron, move: Move | None) -> Step:
    if move is None or not squadron.active:
        return STAY
    try:
        return legal_step(checker.battle, squadron, reach_of(checker.battle, squadron), move)
    except Illegal:
        return STAY


def check_faces(checker: Checker) -> None:
    """BS-V-15, BS-V-16."""
    for entry in checker.each("face"):
        face, squadron = entry.order.detail, checker.squadron_for(entry.order.unit)
        if not isinstance(face, Face) or face.kind == "toward" or squadron is None or squadron.leader is None:
            continue
        tf = checker.battle.taskforce(checker.side, entry.order.unit)
        lines = lines_for(checker.battle, squadron)
        move = checker.book().own(tf.name, "move", Move) if tf is not None else lines.move
        if move is not None and move.kind in RELATIVE:
            continue
        step = (
            _member_step(checker, squadron, lines.own_move, move) if tf is None else _step_of(checker, squadron, move)
        )
        reach = reach_of(checker.battle, squadron)
        course = squadron.facing if step.course is None else step.course
        facing = ordered_facing(checker.battle, squadron, squadron.leader, face, step, reach)
        try:
            check_facing(reach, course, facing, squadron.name)
        except Illegal as why:
            checker.refuse(entry, why.rule, why.reason, why.hint, f"facing ends {course:03d}")
            continue
        if tf is None:
            _check_arc(checker, entry, squadron, course, facing)


def _member_step(checker: Checker, squadron: Squadron, own: bool, move: Move | None) -> Step:
    """A squadron under its taskforce's move takes the flagship's displacement."""
    tf = squadron.taskforce
    if own or tf is None or move is None:
        return _step_of(checker, squadron, move)
    step = _step_of(checker, tf.flagship.squadron, move)
    return limited_step(checker.battle, squadron, step, reach_of(checker.battle, squadron))


def _check_arc(checker: Checker, entry: Entry, squadron: Squadron, course: int, facing: int) -> None:
    """BS-V-16: the flagship's facing must stay in the squadron's arc, where it is known by numbers."""
    tf = squadron.taskforce
    if tf is None or tf.flagship.squadron is squadron:
        return
    flag = _known_facing(checker, tf)
    half = half_arc(squadron.size)
    if flag is None or difference(flag, facing) <= half:
        return
    nearest = legal_facing(course, reach_of(checker.battle, squadron).turn, flag, half, facing)
    reason = f"the flagship faces {flag:03d}, half arc {half}, {facing:03d} is {difference(flag, facing)} off"
    hint = f"nearest legal facing {nearest:03d}" if nearest is not None else "none is legal"
    checker.refuse(entry, "BS-V-16", reason, hint, "the taskforce's facing, or the course")


def _known_facing(checker: Checker, tf: Taskforce) -> int | None:
    squadron = tf.flagship.squadron
    lines = lines_for(checker.battle, squadron)
    if lines.is_silent or squadron.leader is None:
        return None
    if (lines.move and lines.move.kind in RELATIVE) or (lines.face and lines.face.kind == "toward"):
        return None
    step = _step_of(checker, squadron, lines.move)
    course = squadron.facing if step.course is None else step.course
    if lines.face is None:
        return course
    reach = reach_of(checker.battle, squadron)
    return ordered_facing(checker.battle, squadron, squadron.leader, lines.face, step, reach)


# --- formations ------------------------------------------------------------------------------------------------------


def planned(checker: Checker, squadron: Squadron, without: str = "") -> dict[Squadron, Plan]:
    """The plans of a squadron's activation as things stand; leaves the table untouched."""
    battle = checker.battle
    battle.books[checker.side] = checker.book(without)
    tf = squadron.taskforce
    members = list(tf.living) if tf is not None else [squadron]
    act = Activation(battle, checker.side, squadron.name, members, tf)
    plan_moves(act)
    battle.books[checker.side] = checker.book()
    return act.plans


def check_forms(checker: Checker) -> None:
    """BS-V-17, -18, -21, -64: a taskforce's `form` must suit its flagship's squadron; others may drop out."""
    for entry in checker.each("form"):
        order = entry.order.detail
        flag = checker.squadron_for(entry.order.unit)
        if not isinstance(order, Form) or flag is None or not flag.active:
            continue
        if order.formation.kind == "tfcone":
            _check_tfcone(checker, entry, flag)
            continue
        tf = checker.battle.taskforce(checker.side, entry.order.unit)
        plans = planned(checker, flag, without="form")
        for squadron in tf.living if tf is not None else [flag]:
            plan = plans.get(squadron)
            if plan is None or not squadron.active or squadron.cls.is_station:
                continue
            reach = reach_of(checker.battle, squadron, order.formation)
            try:
                checked_form(checker.battle, squadron, plan.step, plan.facing, order.formation, reach)
            except Illegal as why:
                if squadron is flag:
                    checker.refuse(entry, why.rule, why.reason, why.hint, "the formation is kept")
                    break
                checker.warn(entry, why.rule, why.reason, why.hint, f"{squadron.name} keeps its formation")


def _check_tfcone(checker: Checker, entry: Entry, flag: Squadron) -> None:
    tf = flag.taskforce
    ships = sum(len(squadron.active) for squadron in tf.living) if tf is not None else len(flag.active)
    if tf is None or ships < LIMITS.cone_ships:
        reason = f"a taskforce cone needs a taskforce of {LIMITS.cone_ships} ships, there are {ships}"
        checker.refuse(entry, "BS-V-21", reason, "form cluster", "the formation is kept")


# --- taskforces ------------------------------------------------------------------------------------------------------


def check_taskforces(checker: Checker) -> None:
    """BS-V-19, BS-V-20: what a taskforce's lines will mean for each of its squadrons."""
    battle = checker.battle
    for tf in battle.taskforces:
        if tf.side != checker.side or not tf.on_table:
            continue
        ordered = [
            n for n in (tf.name, *(s.name for s in tf.living)) if checker.last(n, "move") or checker.last(n, "face")
        ]
        if not ordered:
            continue
        before = len(battle.events)
        plans = planned(checker, tf.flagship.squadron)
        _warn_limited(checker, tf, before)
        _warn_command(checker, tf, plans)


def _warn_limited(checker: Checker, tf: Taskforce, before: int) -> None:
    for event in checker.battle.events[before:]:
        entry = checker.last(tf.name, "move") or checker.last(tf.name, "face")
        if event.kind == "limited" and entry is not None:
            facts = event.facts
            reason = f"{facts['squadron']} cannot follow {facts['ordered']}"
            checker.warn(entry, "BS-V-20", reason, "", f"{facts['squadron']} uses {facts['used']}")


def _warn_command(checker: Checker, tf: Taskforce, plans: Mapping[Squadron, Plan]) -> None:
    flag = plans.get(tf.flagship.squadron)
    if flag is None or tf.flagship not in flag.ships:
        return
    centre = flag.spots_at(flag.ticks)[flag.ships.index(tf.flagship)]
    for squadron, plan in plans.items():
        if squadron is tf.flagship.squadron or not plan.ships:
            continue
        if checker.book().own(squadron.name, "detach", Detach) is not None:
            continue
        ends = plan.spots_at(plan.ticks)
        reach = LIMITS.command + squadron.cls.radius + tf.flagship.cls.radius
        if any(within(spot, centre, reach) for spot in ends):
            continue
        entry = checker.last(squadron.name, "move") or checker.last(tf.name, "move")
        if entry is not None:
            _warn_far(checker, entry, squadron, ends, centre)


def _warn_far(checker: Checker, entry: Entry, squadron: Squadron, ends: list[Spot], centre: Spot) -> None:
    far = min(whole_distance(spot, centre) for spot in ends)
    reason = f'{squadron.name} will be {inches(far)}" from the flagship, limit 8.00'
    short = inches(far - LIMITS.command)
    checker.warn(entry, "BS-V-19", reason, f'come {short}" closer', f"{squadron.name} will be detached")
