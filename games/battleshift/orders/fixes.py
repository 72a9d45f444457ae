"""For a line that does not stand as written: the nearest line that would, proven on the letter itself (section 7)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from games.battleshift.data import BATTERIES, LIMITS
from games.battleshift.orders import records as o
from games.battleshift.orders.courses import STEP, Courses, floored
from games.battleshift.orders.records import Order
from games.battleshift.orders.trial import Trial
from games.battleshift.rules.fighters import fixed_target, leg_end
from games.battleshift.rules.moving import inches, wanted_step
from games.battleshift.rules.planets import ADJACENT
from games.battleshift.rules.sight import spot_of
from games.battleshift.rules.space import all_sectors, read_sector
from games.battleshift.rules.units import Squadron
from pbem.kit.plane import INCH, Spot, bearing_of, ceiling_root, displacement, squared, whole_distance
from pbem.kit.sheet import BadOrder, Problem

MOST_PROOFS = 40
"""Problems of one letter that are looked into."""
MOST_TRIED = 30
"""Lines tried for one problem, the nearest first."""


def mended(trial: Trial, problems: Iterable[Problem]) -> list[Problem]:
    """The problems with a line for each that may stand in its place, where one is found."""
    looked, found = 0, []
    for problem in problems:
        if looked < MOST_PROOFS and problem.line:
            looked += 1
            problem = replace(problem, fix=_fix(trial, problem))
        found.append(problem)
    return found


def _fix(trial: Trial, problem: Problem) -> str:
    tried = set()
    for text in _candidates(trial, problem):
        if text in tried or text == problem.text:
            continue
        tried.add(text)
        if stands_instead(trial, problem, text):
            return text
        if len(tried) == MOST_TRIED:
            break
    return ""


def stands_instead(trial: Trial, problem: Problem, text: str) -> bool:
    """Whether the line draws no word in the place of the other."""
    try:
        order = trial.read("" if problem.unit == "Fleet" else problem.unit, text)
    except BadOrder:
        return False
    return trial.stands((order,), (problem.line,))


def _candidates(trial: Trial, problem: Problem) -> Iterator[str]:
    """What whoever refused it names; what the chapter knows; and the same for what is wrong with the former."""
    if problem.fix:
        yield problem.fix
        yield from _further(trial, problem)
    try:
        order = trial.read("" if problem.unit == "Fleet" else problem.unit, problem.text)
    except BadOrder:
        return
    ways = WAYS.get(problem.rule)
    if ways is not None:
        mark = "standing " if order.standing else ""
        yield from (mark + text for text in ways(trial, problem, order))


def _further(trial: Trial, problem: Problem) -> Iterator[str]:
    """A line whose words are mended may still go too far."""
    try:
        order = trial.read("" if problem.unit == "Fleet" else problem.unit, problem.fix)
    except BadOrder as still:
        if still.fix:
            yield still.fix
        return
    for drawn in trial.draws((order,), (problem.line,))[:1]:
        if drawn.rule != problem.rule:
            yield from _candidates(trial, replace(problem, text=problem.fix, rule=drawn.rule, fix=drawn.fix))


# --- moves and facings -----------------------------------------------------------------------------------------------


def _lead(trial: Trial, unit: str) -> Squadron | None:
    tf = trial.table.taskforce(trial.side, unit)
    return tf.flagship.squadron if tf is not None else trial.table.squadron(trial.side, unit)


def _courses(trial: Trial, problem: Problem, order: Order) -> Courses | None:
    lead = _lead(trial, order.unit)
    if lead is None or lead.leader is None or not lead.active:
        return None
    return Courses(trial, order.unit, lead, (problem.line,))


def other_moves(trial: Trial, problem: Problem, order: Order) -> Iterator[str]:
    """BS-V-10..14, -19, -20: the nearest course on which it can move, by bearing and distance, rounded down."""
    if isinstance(order.detail, o.Face):
        yield from other_faces(trial, problem, order)
    courses, move = _courses(trial, problem, order), order.detail
    if courses is None or not isinstance(move, o.Move):
        return
    assert courses.squadron.leader is not None
    step = wanted_step(trial.table, courses.squadron, courses.squadron.leader, courses.reach, move)
    if not step.moves:
        return
    course = step.course or 0
    if move.kind in ("toward", "away") and (far := min(floored(step.distance), courses.most(course))):
        words = "toward" if move.kind == "toward" else "away from"
        yield f"move {words} {move.who} {inches(far)}"
    found = courses.nearest(course, step.distance)
    if found is not None:
        yield f"move {found[0]:03d} {inches(found[1])}"
    yield "hold"


def other_faces(_trial: Trial, _problem: Problem, order: Order) -> Iterator[str]:
    """BS-V-15, BS-V-16, BS-V-20: along the course, where the nearest facing would not do either."""
    if isinstance(order.detail, o.Face):
        yield "face course"


def other_forms(_trial: Trial, _problem: Problem, order: Order) -> Iterator[str]:
    """BS-V-17, -18, -21, -64: the same formation closer or wider, then the others."""
    form = order.detail
    if not isinstance(form, o.Form):
        return
    kinds = ("line", "column", "vee", "cluster")
    own = form.formation.kind
    for kind in sorted(kinds, key=lambda kind: kind != own):
        for spacing in sorted({form.formation.spacing, INCH, LIMITS.spacing_most, INCH // 2}):
            yield f"form {kind} {inches(spacing)}"


# --- weapons and flights ---------------------------------------------------------------------------------------------


def other_weapons(trial: Trial, problem: Problem, order: Order) -> Iterator[str]:
    """BS-V-22: another battery that is carried, at the same targets."""
    tf, squadron = trial.table.taskforce(trial.side, order.unit), trial.table.squadron(trial.side, order.unit)
    squadrons = tf.living if tf is not None else [squadron] if squadron is not None else []
    aim = re.search(r"\bat\s+.+", problem.text, re.IGNORECASE)
    if aim is None:
        return
    for weapon in (*BATTERIES, "missile"):
        if any(one.weapons(weapon) for one in squadrons):
            word = {"heavy_ion": "fire heavyion", "missile": "missiles"}.get(weapon, f"fire {weapon}")
            yield f"{word} {aim[0]}"


def other_transfers(trial: Trial, _problem: Problem, order: Order) -> Iterator[str]:
    """BS-V-46: as many units as there are, to where they were sent or beside it."""
    move, body = order.detail, trial.table.body(order.unit)
    if not isinstance(move, o.TransferGround) or body is None or move.start not in body.quadrants:
        return
    start = body.quadrants[move.start]
    units = start.now.assault if start.side == trial.side else start.now.invaders
    for end in (move.end, *ADJACENT[move.start]):
        yield f"transfer {min(units, move.units)} {move.start} to {end}"


def shorter_flights(trial: Trial, _problem: Problem, order: Order) -> Iterator[str]:
    """BS-V-29: the legs as far as they go, by bearing and distance; BS-V-30: the way there as far as it goes."""
    fly, flight = order.detail, trial.table.flight(trial.side, order.unit)
    here = flight.spot if flight is not None else _launched_at(trial, order.unit)
    if not isinstance(fly, o.Fly) or here is None:
        return
    legs, left = [], LIMITS.flight_move
    goals = [leg_end(here, leg) for leg in fly.before[:1]]
    if len(fly.before) > 1:
        goals.append(leg_end(goals[0], fly.before[1]))
    target = fixed_target(trial.table, flight, fly.strike) if flight is not None and fly.strike is not None else None
    if target is not None and len(goals) < LIMITS.flight_legs:
        goals.append(spot_of(target))
    for goal in goals:
        far = _leg(here, goal, left)
        if far is None:
            break
        bearing, distance = far
        legs.append(f"{bearing:03d} {inches(distance)}")
        dx, dy = displacement(distance, bearing)
        end = Spot(here.x + dx, here.y + dy)
        left -= ceiling_root(squared(here, end))
        here = end
    for count in range(len(legs), 0, -1):
        yield f"fly {' then '.join(legs[:count])}"


def _leg(here: Spot, goal: Spot, left: int) -> tuple[int, int] | None:
    """Bearing and distance toward a place, so that its rounded end is not too far."""
    bearing = bearing_of(goal.x - here.x, goal.y - here.y)
    for far in range(floored(min(left, whole_distance(here, goal))), 0, -STEP):
        dx, dy = displacement(far, bearing)
        if ceiling_root(dx * dx + dy * dy) <= left:
            return bearing, far
    return None


def _launched_at(trial: Trial, name: str) -> Spot | None:
    for entry in trial.entries:
        launch, carrier = entry.order.detail, trial.table.squadron(trial.side, entry.order.unit)
        if isinstance(launch, o.Launch) and launch.name == name and carrier is not None and carrier.leader is not None:
            return carrier.leader.spot
    return None


# --- command and shifts ----------------------------------------------------------------------------------------------


def other_flagships(trial: Trial, _problem: Problem, order: Order) -> Iterator[str]:
    """BS-V-33: squadrons of the taskforce, the largest first."""
    tf = trial.table.taskforce(trial.side, order.unit)
    for squadron in sorted(tf.living if tf is not None else (), key=lambda squadron: -squadron.size):
        yield f"flagship {squadron.name}"


def other_returns(trial: Trial, _problem: Problem, order: Order) -> Iterator[str]:
    """BS-V-36, -38, -41: the earliest turn, then without a place, then the nearest sectors."""
    shift = order.detail
    if not isinstance(shift, o.Shift) or shift.back is None:
        return
    back, state = shift.back, trial.table.state
    turn, facing = max(back.turn, trial.table.turn + 2), f"{back.facing:03d}"
    if back.x is not None and back.y is not None:
        yield f"shift out return turn {turn} sector {back.sector} facing {facing} at {inches(back.x)},{inches(back.y)}"
    asked = read_sector(back.sector, state.width_ft, state.height_ft)
    assert asked is not None
    centre = asked.centre
    for sector in sorted(all_sectors(trial.table), key=lambda one: (squared(one.centre, centre), one.row, one.column)):
        yield f"shift out return turn {turn} sector {sector.name} facing {facing}"


def other_arrivals(trial: Trial, _problem: Problem, order: Order) -> Iterator[str]:
    """BS-V-41: the centre of the sector, then places around it."""
    squadron = trial.table.squadron(trial.side, order.unit)
    tf = squadron.taskforce if squadron is not None else None
    if squadron is None or not isinstance(order.detail, o.Arrive):
        return
    back = squadron.now.returns or (tf.now.returns if tf is not None else None)
    sector = read_sector(back.sector, trial.table.state.width_ft, trial.table.state.height_ft) if back else None
    if sector is None:
        return
    left, top, right, bottom = sector.bounds
    places = [Spot(x, y) for x in range(left, right + 1, INCH) for y in range(top, bottom + 1, INCH)]
    asked = order.detail.spot
    for spot in sorted(places, key=lambda place: squared(place, asked))[: MOST_TRIED - 1]:
        yield f"arrive at {inches(spot.x)},{inches(spot.y)}"
    yield f"arrive at {inches(sector.centre.x)},{inches(sector.centre.y)}"


Ways = Callable[[Trial, Problem, Order], Iterator[str]]
WAYS: dict[str, Ways] = {
    **dict.fromkeys(("BS-V-10", "BS-V-11", "BS-V-12", "BS-V-13", "BS-V-14", "BS-V-19", "BS-V-20"), other_moves),
    **dict.fromkeys(("BS-V-15", "BS-V-16"), other_faces),
    **dict.fromkeys(("BS-V-17", "BS-V-18", "BS-V-21", "BS-V-64"), other_forms),
    **dict.fromkeys(("BS-V-29", "BS-V-30"), shorter_flights),
    **dict.fromkeys(("BS-V-36", "BS-V-38"), other_returns),
    "BS-V-22": other_weapons,
    "BS-V-33": other_flagships,
    "BS-V-46": other_transfers,
    "BS-V-41": lambda trial, problem, order: (
        other_arrivals(trial, problem, order)
        if isinstance(order.detail, o.Arrive)
        else other_returns(trial, problem, order)
    ),
}
"""Where a nearest line is looked for, by the validation case."""
