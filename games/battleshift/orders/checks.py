"""Section 7: checks that need more than one line; here whose lines count, moves, facings, formations and command."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from games.battleshift.data import LIMITS, half_arc
from games.battleshift.orders import records as o
from games.battleshift.orders import shift_checks, unit_checks
from games.battleshift.orders.judge import Checker, Entry
from games.battleshift.orders.records import ACCUMULATING, Detach, Face, Form, Move, Player, Sequence
from games.battleshift.rules import planning
from games.battleshift.rules.advance import legal_facing
from games.battleshift.rules.moving import Illegal, Plan, Step, check_facing, inches, ordered_facing, reach_of, straight
from games.battleshift.rules.units import Squadron, Taskforce, in_command
from games.battleshift.state import Formation
from games.battleshift.table import Table
from pbem.kit.plane import INCH, Spot, difference, whole_distance, within

RELATIVE = ("toward", "away")


def check(checker: Checker) -> None:
    """All checks beyond the single line; what is refused no longer counts for those that follow."""
    check_players(checker)
    check_sequence(checker)
    check_moves(checker)
    checker.table.books[checker.side] = checker.book()
    check_faces(checker)
    check_forms(checker)
    for entry in checker.entries:
        check_unit = CHECKS.get(type(entry.order.detail))
        if check_unit is not None:
            check_unit(checker, entry, entry.order.detail)
    unit_checks.check_super(checker)
    unit_checks.check_wings(checker)
    check_repeats(checker)
    checker.table.books[checker.side] = checker.book()
    check_taskforces(checker)


def check_repeats(checker: Checker) -> None:
    """BS-V-6: of two lines of one verb for one unit the later counts."""
    last: dict[tuple[object, ...], Entry] = {}
    for entry in checker.entries:
        order = entry.order
        key = (order.unit, order.slot, order.standing)
        if order.slot in ACCUMULATING:
            continue
        if key in last:
            reason = f"line {entry.line} says the same verb again; line {last[key].line} no longer counts"
            checker.warn(last[key], "BS-V-6", reason, "", f"line {entry.line} is used")
        last[key] = entry


def check_players(checker: Checker) -> None:
    """BS-V-3, BS-V-65: where players share a side, each commands its own taskforces and the admiral the fleet."""
    writers = [entry.order.detail.name for entry in checker.entries if isinstance(entry.order.detail, Player)]
    admiral = next(record.admiral for record in checker.table.state.sides if record.id == checker.side)
    if not writers or not admiral:
        return
    for entry in checker.entries:
        order = entry.order
        chief = commander(checker.table, checker.side, order.unit) if order.unit else admiral
        if order.slot == "player" or not chief or chief.casefold() == writers[0].casefold():
            continue
        if order.unit:
            checker.refuse(entry, "BS-V-3", f"{order.unit} is commanded by {chief}")
        else:
            checker.refuse(entry, "BS-V-65", f"only the admiral, {admiral}, orders '{order.slot}'")


def commander(table: Table, side: str, unit: str) -> str:
    """Section 6.1: a detached squadron stays with the player who commanded it."""
    flight = table.flight(side, unit)
    squadron = table.squadron(side, unit) or (flight.home if flight is not None else None)
    tf = table.taskforce(side, unit) or (squadron.taskforce if squadron is not None else None)
    body = table.body(unit)
    commanded = tf or squadron or body
    return commanded.now.player if commanded is not None else ""


def check_sequence(checker: Checker) -> None:
    """BS-V-9: taskforces left out or repeated."""
    for entry in checker.each("sequence"):
        order = entry.order.detail
        assert isinstance(order, Sequence)
        table = checker.table
        own = [tf.name for tf in table.forces.values() if tf.side == checker.side and tf.on_table]
        own += [body.name for body in table.bodies if body.side == checker.side and body.is_defended]
        whole = list(dict.fromkeys([*(name for name in order.units if name in own), *own]))
        if list(order.units) != whole:
            reason = "taskforces are missing, absent or repeated"
            names = ", ".join(whole)
            mark = "standing " if entry.order.standing else ""
            fix = f"{mark}sequence {names}" if whole else ""
            checker.warn(entry, "BS-V-9", reason, "", f"the list used: {names}", fix)


def check_moves(checker: Checker) -> None:
    """BS-V-10 to BS-V-14."""
    for entry in checker.each("move"):
        move, squadron = entry.order.detail, checker.squadron_for(entry.order.unit)
        if not isinstance(move, Move) or move.kind == "hold" or squadron is None or not squadron.active:
            continue
        form = checker.book().find(squadron.lines, "form", Form)
        reach = reach_of(checker.table, squadron, form.formation if form else None)
        try:
            planning.legal_step(checker.table, squadron, reach, move)
        except Illegal as why:
            instead = "it holds and turns toward the nearest enemy, unless another move applies"
            checker.refuse(entry, why.rule, why.reason, why.hint, instead)


def check_faces(checker: Checker) -> None:
    """BS-V-15, BS-V-16."""
    for entry in checker.each("face"):
        face, squadron = entry.order.detail, checker.squadron_for(entry.order.unit)
        if not isinstance(face, Face) or face.kind == "toward" or squadron is None or squadron.leader is None:
            continue
        tf = checker.table.taskforce(checker.side, entry.order.unit)
        lines = planning.lines_for(checker.table, squadron)
        move = checker.book().own(tf.name, "move", Move) if tf is not None else lines.move
        if move is not None and move.kind in RELATIVE:
            continue
        step = (
            _member_step(checker, squadron, move, own=lines.own_move)
            if tf is None
            else planning.step_or_stay(checker.table, squadron, move)
        )
        reach = reach_of(checker.table, squadron)
        course = step.course_from(squadron.now.facing)
        facing = ordered_facing(checker.table, squadron, squadron.leader, face, step, reach)
        try:
            check_facing(reach, course, facing, squadron.name)
        except Illegal as why:
            fix = f"standing {why.fix}" if entry.order.standing else why.fix
            checker.refuse(entry, why.rule, why.reason, why.hint, f"facing ends {course:03d}", fix)
            continue
        if tf is None:
            _check_arc(checker, entry, squadron, course, facing)


def _member_step(checker: Checker, squadron: Squadron, move: Move | None, *, own: bool) -> Step:
    """A squadron under its taskforce's move takes the flagship's displacement."""
    tf = squadron.taskforce
    if own or tf is None or move is None:
        return planning.step_or_stay(checker.table, squadron, move)
    step = planning.step_or_stay(checker.table, tf.flagship.squadron, move)
    return planning.limited_step(checker.table, squadron, step, reach_of(checker.table, squadron))


def _check_arc(checker: Checker, entry: Entry, squadron: Squadron, course: int, facing: int) -> None:
    """BS-V-16: the flagship's facing must stay in the squadron's arc, where it is known by numbers."""
    tf = squadron.taskforce
    if tf is None or tf.flagship.squadron is squadron:
        return
    flag = _known_facing(checker, tf)
    half = half_arc(squadron.size)
    if flag is None or difference(flag, facing) <= half:
        return
    nearest = legal_facing(course, reach_of(checker.table, squadron).turn, flag, half, facing)
    reason = f"the flagship faces {flag:03d}, half arc {half}, {facing:03d} is {difference(flag, facing)} off"
    hint = f"nearest legal facing {nearest:03d}" if nearest is not None else "none is legal"
    mark = "standing " if entry.order.standing else ""
    fix = f"{mark}face {nearest:03d}" if nearest is not None else ""
    checker.refuse(entry, "BS-V-16", reason, hint, "the taskforce's facing, or the course", fix)


def _known_facing(checker: Checker, tf: Taskforce) -> int | None:
    squadron = tf.flagship.squadron
    lines = planning.lines_for(checker.table, squadron)
    if lines.is_silent or squadron.leader is None:
        return None
    if (lines.move and lines.move.kind in RELATIVE) or (lines.face and lines.face.kind == "toward"):
        return None
    step = planning.step_or_stay(checker.table, squadron, lines.move)
    course = step.course_from(squadron.now.facing)
    if lines.face is None:
        return course
    reach = reach_of(checker.table, squadron)
    return ordered_facing(checker.table, squadron, squadron.leader, lines.face, step, reach)


# --- formations ------------------------------------------------------------------------------------------------------


def planned(checker: Checker, squadron: Squadron, without: str = "") -> dict[Squadron, Plan]:
    """The plans of a squadron's activation as things stand; leaves the table untouched."""
    table = checker.table
    table.books[checker.side] = checker.book(without)
    tf = squadron.taskforce
    members = list(tf.living) if tf is not None else [squadron]
    act = planning.Activation(table, tf or squadron, members)
    planning.plan_moves(act)
    table.books[checker.side] = checker.book()
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
        tf = checker.table.taskforce(checker.side, entry.order.unit)
        plans = planned(checker, flag, without="form")
        for squadron in tf.living if tf is not None else [flag]:
            plan = plans.get(squadron)
            if plan is None or not squadron.active or squadron.cls.is_station:
                continue
            reach = reach_of(checker.table, squadron, order.formation)
            try:
                planning.checked_form(checker.table, squadron, plan.step, plan.facing, order.formation, reach)
            except Illegal as why:
                hint = why.hint or _form_hint(checker, squadron, plan, order.formation)
                if squadron is flag:
                    checker.refuse(entry, why.rule, why.reason, hint, "the formation is kept")
                    break
                checker.warn(entry, why.rule, why.reason, hint, f"{squadron.name} keeps its formation")


def _form_hint(checker: Checker, squadron: Squadron, plan: Plan, formation: Formation) -> str:
    """BS-V-17: the nearest leader distance on the course, in steps of 0.25", at which all ships reach their slots."""
    if checker.is_brief:
        return ""
    table, reach = checker.table, reach_of(checker.table, squadron, formation)
    course, legal = plan.step.course_from(squadron.now.facing), []
    for far in range(0, reach.speed + 1, INCH // 4):
        try:
            planning.checked_form(table, squadron, straight(course, far), plan.facing, formation, reach)
        except Illegal:
            continue
        legal.append(far)
    if not legal:
        return "no distance on that course allows it"
    nearest = min(legal, key=lambda far: abs(far - plan.step.distance))
    word = "least" if nearest > plan.step.distance else "greatest"
    return f"{word} distance on course {course:03d}: {inches(nearest)}"


def _check_tfcone(checker: Checker, entry: Entry, flag: Squadron) -> None:
    tf = flag.taskforce
    ships = sum(len(squadron.active) for squadron in tf.living) if tf is not None else len(flag.active)
    if tf is None or ships < LIMITS.cone_ships:
        reason = f"a taskforce cone needs a taskforce of {LIMITS.cone_ships} ships, there are {ships}"
        checker.refuse(entry, "BS-V-21", reason, "line, column, vee or cluster", "the formation is kept")


# --- taskforces ------------------------------------------------------------------------------------------------------


def check_taskforces(checker: Checker) -> None:
    """BS-V-19, BS-V-20: what a taskforce's lines will mean for each of its squadrons."""
    table = checker.table
    ordered = {entry.order.unit for entry in checker.entries if entry.order.slot in ("move", "face")}
    for tf in table.forces.values():
        units = (tf.name, *tf.now.squadrons)
        if tf.side != checker.side or ordered.isdisjoint(units) or not tf.on_table:
            continue
        before = len(table.events)
        plans = planned(checker, tf.flagship.squadron)
        _warn_limited(checker, tf, before)
        _warn_command(checker, tf, plans)


def _warn_limited(checker: Checker, tf: Taskforce, before: int) -> None:
    for event in checker.table.events[before:]:
        entry = checker.ordered(tf.name, "move") or checker.ordered(tf.name, "face")
        if event.kind == "limited" and entry is not None:
            facts = event.facts
            reason = f"{facts['squadron']} cannot follow {facts['ordered']}"
            checker.warn(entry, "BS-V-20", reason, "", f"{facts['squadron']} uses {facts['used']}")


def _warn_command(checker: Checker, tf: Taskforce, plans: Mapping[Squadron, Plan]) -> None:
    flag = plans.get(tf.flagship.squadron)
    if flag is None or tf.flagship not in flag.ships:
        return
    centre = flag.spots_at(flag.ticks)[flag.ships.index(tf.flagship)]
    for squadron, ends in led_mates(checker, tf, plans):
        # What is out of command already will be left behind whatever its taskforce does.
        leads = (tf.name, tf.flagship.squadron.name) if in_command(squadron) else ()
        given = [entry for unit in (squadron.name, *leads) if (entry := checker.ordered(unit, "move"))]
        if given and not is_commanded(tf, centre, squadron, ends):
            _warn_far(checker, given[0], squadron, ends, centre)


def led_mates(checker: Checker, tf: Taskforce, plans: Mapping[Squadron, Plan]) -> Iterator[tuple[Squadron, list[Spot]]]:
    """The squadrons that mean to stay with the flagship, and where they will end."""
    for squadron, plan in plans.items():
        leaves = checker.book().own(squadron.name, "detach", Detach) is not None
        if squadron is not tf.flagship.squadron and plan.ships and not leaves:
            yield squadron, plan.spots_at(plan.ticks)


def is_commanded(tf: Taskforce, centre: Spot, squadron: Squadron, ends: list[Spot]) -> bool:
    """BS-TF-3: whether a squadron that ends here is within 8.00" of a flagship that ends there."""
    reach = LIMITS.command + squadron.cls.radius + tf.flagship.cls.radius
    return any(within(spot, centre, reach) for spot in ends)


def _warn_far(checker: Checker, entry: Entry, squadron: Squadron, ends: list[Spot], centre: Spot) -> None:
    far = min(whole_distance(spot, centre) for spot in ends)
    reason = f'{squadron.name} will be {inches(far)}" from the flagship, limit 8.00'
    short = inches(far - LIMITS.command)
    checker.note(entry, "BS-V-19", reason, f'come {short}" closer', f"{squadron.name} will be detached")


CHECKS: dict[type, Callable[[Checker, Entry, Any], None]] = {
    o.Fire: unit_checks.check_fire,
    o.Missiles: unit_checks.check_missiles,
    o.Fly: unit_checks.check_fly,
    o.Detach: unit_checks.check_detach,
    o.FlagshipTo: unit_checks.check_flagship,
    o.Add: unit_checks.check_add,
    o.Shift: shift_checks.check_shift,
    o.Arrive: shift_checks.check_arrive,
    o.Act: unit_checks.check_act,
    o.Land: unit_checks.check_land,
    o.TransferGround: unit_checks.check_transfer,
}
