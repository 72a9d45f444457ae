"""What a taskforce or squadron can be told of its way: move, face, form (BS-MOV, BS-FRM)."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from games.battleshift.data import LIMITS
from games.battleshift.orders.courses import STEP, Courses, floored
from games.battleshift.orders.desk import Desk, inches_away, point_of
from games.battleshift.orders.records import Move
from games.battleshift.rules.moving import STAY, Illegal, Step, inches, named_spot, reach_of, wanted_step
from games.battleshift.rules.planning import legal_step
from games.battleshift.rules.units import Squadron
from pbem.kit.choices import Dial, Number
from pbem.kit.plane import INCH, Spot, whole_distance
from pbem.kit.scene import Trail

FARTHEST_STOP = 36
"""Inches from somebody at which a move toward it may be told to stop."""
SHARES = (4, 3, 2, 1)
"""Quarters of the full way, where a formation asks for more than a short one."""
KINDS = ("line", "column", "vee", "cluster")
SPACINGS = (100, LIMITS.spacing_most)
SPECIAL = ("cone", "ring", "tfcone")
RIGHT_ANGLE = 90


def offer_moves(desk: Desk) -> None:
    lead = desk.lead
    if lead is None or _is_closed(desk, lead):
        return
    gone = desk.lines_of("move")
    courses = Courses(desk.trial, desk.unit, lead, gone)
    if courses.is_forming:
        _formed_moves(desk, courses)
    else:
        _dial(desk, courses)
    _loose_dials(desk, lead, courses)
    _toward(desk, courses)
    desk.add("move", "hold", "hold", note="keeps its place and its facing")
    _explain(desk, lead, courses)


def _is_closed(desk: Desk, lead: Squadron) -> bool:
    """BS-MOV-11, BS-DIS-4, BS-STN-7: who cannot move at all."""
    why, rule = "", ""
    if lead.cls.is_station:
        why, rule = "a station never moves", "BS-MOV-11"
    elif lead.now.docked:
        why, rule = f"it is docked at {lead.now.docked}: undock first", "BS-STN-7"
    elif not lead.active:
        why, rule = "none of its ships is active, and disabled ships do not move", "BS-DIS-4"
    if why:
        for group in ("move", "face", "form"):
            desk.close(group, why, rule)
    return bool(why)


# --- moves -----------------------------------------------------------------------------------------------------------


def _anchor(lead: Squadron) -> Spot:
    assert lead.leader is not None
    return lead.leader.spot


def _dial(desk: Desk, courses: Courses, drops: Collection[int] = (), label: str = "on a course") -> None:
    dial = courses.dial()
    if not dial:
        return
    best = max(dial.values())
    note = f'up to {best:.2f}" of {inches(courses.reach.speed)}, courses {spoken_arc(dial)}'
    fill = Dial(point_of(_anchor(courses.squadron)), dial, STEP / INCH)
    desk.add("move", label, "move {}", note=note, fill=fill, drops=drops, faint=bool(drops), is_proven=True)


def spoken_arc(bearings: Iterable[int]) -> str:
    """`270-090`: the widest run of bearings, clockwise; `any` where nearly all are there."""
    there = sorted(bearings)
    if not there:
        return "none"
    gaps = [((after - before) % 360 or 360, after) for before, after in zip(there, [*there[1:], there[0]], strict=True)]
    gap, first = max(gaps)
    if gap <= RIGHT_ANGLE // 2:
        return "any"
    return f"{first:03d}-{there[there.index(first) - 1]:03d}"


def _formed_moves(desk: Desk, courses: Courses) -> None:
    """With a formation in force only some ways let every ship reach its slot."""
    half = courses.reach.half
    every = RIGHT_ANGLE // 2 if half > RIGHT_ANGLE else max(1, half // 3)
    turns = [sign * turn for turn in range(0, min(half, 179) + 1, every) for sign in ((1, -1) if turn else (1,))]
    for turn in turns:
        course = (courses.squadron.now.facing + turn) % 360
        for share in SHARES:
            far = floored(courses.by_rule(course) * share // SHARES[0])
            if far and courses.stands(course, far):
                _plain(desk, courses, course, far)


def _plain(desk: Desk, courses: Courses, course: int, far: int) -> None:
    end = courses.end(course, far)
    trail = _trail(desk, courses.squadron, end)
    line = f"move {course:03d} {inches(far)}"
    desk.add("move", f'{course:03d}, {inches(far)}"', line, spot=end, marks=(trail,), is_proven=True)


def _trail(desk: Desk, lead: Squadron, end: tuple[int, int]) -> Trail:
    return Trail((point_of(_anchor(lead)), point_of(end)), desk.side, "plotted", (1,))


def _loose_dials(desk: Desk, lead: Squadron, courses: Courses) -> None:
    """The same without lines of its own that stand in the way: its facing, its formation, its place in a taskforce."""
    own = desk.lines_of("move", "face", "form")
    if len(own) > len(desk.lines_of("move")):
        freed = Courses(desk.trial, desk.unit, lead, own)
        if not freed.is_forming and freed.dial() != courses.dial():
            _dial(desk, freed, own, "on a course, without its other lines of the way")
    tf = desk.squadron.taskforce if desk.squadron is not None else None
    if tf is None or lead.flagship is not None or courses.is_forming or desk.texts_of("detach"):
        return
    alone = Courses(desk.trial, desk.unit, lead, own, detached=True)
    dial = alone.dial()
    if dial and dial != courses.dial():
        fill = Dial(point_of(_anchor(lead)), dial, STEP / INCH)
        note = f'up to {max(dial.values()):.2f}", courses {spoken_arc(dial)}; it leaves {tf.name}'
        gone = {*own, *desk.lines_of("detach")}
        desk.add("move", "away on its own", "detach", "move {}", note=note, fill=fill, drops=gone, faint=True)


def _toward(desk: Desk, courses: Courses) -> None:
    """BS-MOV-10: to somebody, or away from it; never illegal, but mates may be unable to follow."""
    foes = desk.foes()
    tfs = list(dict.fromkeys(name for mark in foes if (name := _known_taskforce(desk, mark.target))))[:4]
    for who in ("nearest", *tfs, *(mark.name for mark in foes[:4])):
        _one_toward(desk, courses, who)
    flights = [mark.name for mark in desk.foreign_flights()[:2]]
    bodies = [body.name for body in desk.table.bodies if body.name and body.quadrants][:2]
    friends = [name for name in desk.nearest_own(_others(desk)) if name not in desk.names.foes][:2]
    for who in (*flights, *bodies, *friends):
        _one_toward(desk, courses, who)
    for who in ("nearest", *tfs[:2]):
        _relative(desk, courses, f"away from {who}", Move("away", who=who))


def _known_taskforce(desk: Desk, target: object) -> str:
    """The name of the enemy's taskforce, if the side knows it."""
    tf = target.taskforce if isinstance(target, Squadron) else None
    return tf.name if tf is not None and desk.names.foes.get(tf.name) == "taskforce" else ""


def _others(desk: Desk) -> list[str]:
    own = [tf.name for tf in desk.table.forces.values() if tf.side == desk.side and tf.on_table]
    mine = desk.squadron.now.taskforce if desk.squadron is not None else ""
    return [name for name in own if name not in (desk.unit, mine)]


def _one_toward(desk: Desk, courses: Courses, who: str) -> None:
    step = _relative(desk, courses, f"toward {who}", Move("toward", who=who))
    spot = named_spot(desk.table, desk.side, _anchor(courses.squadron), who)
    if not step.moves or courses.is_forming or spot is None:
        return
    far, most = whole_distance(_anchor(courses.squadron), spot), courses.most(step.course or 0)
    least = 0 if step.distance <= most else -(-max(0, far - most) // INCH)
    if least <= FARTHEST_STOP:
        fill = Number(least, FARTHEST_STOP, max(least, 12))
        label, line = f"toward {who}, stopping short", f"move toward {who} to {{}}"
        note = f'course {step.course:03d}; inches from it, now {inches(far)}"'
        desk.add("move", label, line, note=note, fill=fill, is_proven=True)


def _relative(desk: Desk, courses: Courses, words: str, move: Move) -> Step:
    """At full speed, or as far as nobody is left behind."""
    lead = courses.squadron
    assert lead.leader is not None
    step = wanted_step(desk.table, lead, lead.leader, courses.reach, move)
    if not step.moves:
        return STAY
    course = step.course or 0
    end = courses.end(course, step.distance)
    note, trail = f'course {course:03d}, {inches(step.distance)}" now', _trail(desk, lead, end)
    if desk.add("move", words, f"move {words}", note=note, spot=end, marks=(trail,)):
        return step
    far = min(floored(step.distance), courses.most(course)) if not courses.is_forming else 0
    if far:
        why = "its squadrons cannot follow" if desk.taskforce is not None else "it would be out of command"
        note, end = f"course {course:03d}; farther {why}", courses.end(course, far)
        label, line = f'{words}, {inches(far)}"', f"move {words} {inches(far)}"
        desk.add("move", label, line, note=note, spot=end, marks=(_trail(desk, lead, end),))
    return step


def _explain(desk: Desk, lead: Squadron, courses: Courses) -> None:
    """What it cannot do, and by which rule."""
    reach, facing = courses.reach, lead.now.facing
    if reach.half < 180:
        low, high = (facing - reach.half) % 360, (facing + reach.half) % 360
        desk.close("move", f"no course but {low:03d}-{high:03d}: {reach.half} either way of {facing:03d}", "BS-MOV-1")
    slow = [s for s in courses.followers if reach_of(desk.table, s).speed < reach.speed]
    for squadron in slow:
        most = inches(reach_of(desk.table, squadron).speed)
        desk.close("move", f'{squadron.name} moves at most {most}": no farther together', "BS-V-20")
    narrow = [s for s in courses.followers if s is not lead and s.now.facing != facing and courses.is_narrowed_by(s)]
    for squadron in narrow:
        desk.close("move", f"{squadron.name} faces {squadron.now.facing:03d} and cannot follow every course", "BS-V-20")
    if not any(choice.group == "move" and choice.lines[0].startswith("move") for choice in desk.choices):
        try:
            legal_step(desk.table, lead, reach, Move("ahead", distance=STEP))
        except Illegal as why:
            desk.close("move", why.reason, why.rule)


# --- facings and formations ------------------------------------------------------------------------------------------


def offer_facings(desk: Desk) -> None:
    lead = desk.lead
    if lead is None or lead.cls.is_station or lead.now.docked or not lead.active:
        return
    gone = desk.lines_of("face")
    courses = Courses(desk.trial, desk.unit, lead, gone)
    facings = courses.facings(gone)
    if facings:
        note = f"facings {spoken_arc(facings)}, after the move"
        fill = Dial(point_of(_anchor(lead)), dict.fromkeys(facings, 0.0), 0)
        desk.add("face", "to a bearing", "face {}", note=note, fill=fill, is_proven=True)
    for mark in [None, *desk.foes()[:4]]:
        who = mark.name if mark is not None else "nearest"
        note = f"{inches_away(mark)} away now" if mark is not None else "as far as it may turn, after the move"
        desk.add("face", f"toward {who}", f"face toward {who}", note=note, spot=mark.spot if mark else None)
    desk.add("face", "along its course", "face course")
    if courses.reach.turn < 180:
        why = f"it turns at most {courses.reach.turn} either way of its course"
        desk.close("face", why, "BS-MOV-3")


def offer_formations(desk: Desk) -> None:
    lead = desk.lead
    if lead is None or lead.cls.is_station or lead.now.docked or not lead.active:
        return
    ships = max((len(squadron.active) for squadron in desk.squadrons), default=0)
    special = SPECIAL if desk.table.switches.formations else ()
    kinds = [*((kind, spacing) for kind in KINDS for spacing in SPACINGS), *((kind, 0) for kind in special)]
    refused: tuple[str, str] | None = None
    for kind, spacing in kinds if ships > 1 else ():
        line = f"form {kind} {spoken_spacing(spacing)}".strip()
        why = desk.trial.draws((desk.trial.read(desk.unit, line),), desk.lines_of("form"))
        if why:
            refused = refused or (f"{line}: {why[0].reason}", why[0].rule)
            continue
        note = f'{inches(spacing)}" apart' if spacing else ""
        desk.add("form", line.removeprefix("form "), line, note=note, is_proven=True)
    if refused:
        desk.close("form", *refused)
    if ships <= 1:
        desk.close("form", "one ship has no formation", "BS-FRM-1")


def spoken_spacing(spacing: int) -> str:
    whole, part = divmod(spacing, INCH)
    return "" if not spacing else f"{whole}.{part:02d}".rstrip("0").rstrip(".")
