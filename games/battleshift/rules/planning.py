"""Moves of a whole activation: taskforce lines with squadron exceptions (BS-MOV-8, -9, -13, -14, BS-TF-4)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from games.battleshift.orders.records import Face, Form, Move
from games.battleshift.rules import moving
from games.battleshift.rules.formations import check_form, is_together, least_ships, make_plan, slots, tick_count
from games.battleshift.rules.moving import STAY, Illegal, Plan, Reach, Step, inches
from games.battleshift.rules.sight import Aimed
from games.battleshift.rules.towing import take_in_tow
from games.battleshift.rules.units import Body, Flight, Ship, Squadron, Taskforce
from games.battleshift.state import Formation, Strike
from games.battleshift.table import Table
from pbem.kit.plane import Spot, bearing_of


@dataclass
class Missile:
    """2.6: a strike in flight within one activation."""

    now: Strike
    key: str
    aimed: Aimed
    fired_by: Squadron | None = None
    objective: str = ""
    origin: Body | None = None
    """The body it was launched from."""

    @property
    def name(self) -> str:
        return self.now.name

    @property
    def side(self) -> str:
        return self.now.side

    @property
    def spot(self) -> Spot:
        return self.now.spot

    @property
    def missiles(self) -> int:
        return self.now.missiles

    def lose(self, missiles: int) -> None:
        self.now = replace(self.now, missiles=max(0, self.now.missiles - missiles))


@dataclass
class Activation:
    """One activation: who acts, and what has been planned and launched in it."""

    table: Table
    unit: Taskforce | Squadron | Flight | Body
    squadrons: list[Squadron]
    """In listing order."""
    flights: list[Flight] = field(default_factory=list)
    strikes: list[Missile] = field(default_factory=list)
    plans: dict[Squadron, Plan] = field(default_factory=dict)
    prizes: list[Squadron] = field(default_factory=list)
    beams: set[Squadron] = field(default_factory=set)
    """Squadrons whose heavy batteries fire as a cone."""
    busy: set[Squadron] = field(default_factory=set)
    """Carriers that launched or recovered."""
    recovered: dict[Squadron, int] = field(default_factory=dict)
    """Wings that came aboard, and cannot be launched again at once."""

    @property
    def side(self) -> str:
        return self.unit.side

    @property
    def taskforce(self) -> Taskforce | None:
        return self.unit if isinstance(self.unit, Taskforce) else None

    @property
    def body(self) -> Body | None:
        return self.unit if isinstance(self.unit, Body) else None

    @property
    def in_tf(self) -> bool:
        return self.taskforce is not None and self.taskforce.exists


@dataclass
class Lines:
    """The movement lines that apply to one squadron; None: none was given."""

    move: Move | None
    face: Face | None
    form: Form | None
    own_move: bool
    own_face: bool

    @property
    def is_silent(self) -> bool:
        return self.move is None and self.face is None


def lines_for(table: Table, squadron: Squadron) -> Lines:
    book, units = table.book(squadron), squadron.lines
    return Lines(
        book.find(units, "move", Move),
        book.find(units, "face", Face),
        book.find(units, "form", Form),
        book.level_of(units, "move") % len(units) == 0 if book.level_of(units, "move") >= 0 else False,
        book.level_of(units, "face") % len(units) == 0 if book.level_of(units, "face") >= 0 else False,
    )


@dataclass
class Lead:
    """What the flagship passes on to the squadrons of its taskforce."""

    step: Step = STAY
    facing: int | None = None
    """The facing of the taskforce's `face` line; None: each squadron faces its own course."""
    final: int = 0
    """The flagship's own final facing."""
    turned: bool = False
    """It stays in place and turns of itself, its move being none that can be made."""


def plan_moves(act: Activation) -> None:
    """BS-MOV-12 (b): the flagship's squadron first, then listing order, prizes after their captor."""
    table = act.table
    tf = act.taskforce if act.in_tf else None
    lead: Lead | None = None
    order = list(act.squadrons)
    if tf is not None and tf.flagship.squadron in order:
        first = tf.flagship.squadron
        order.remove(first)
        lead = _plan_lead(act, first, tf)
    for squadron in order:
        if squadron in act.plans:
            continue
        member = lead is not None and squadron.taskforce is tf
        _plan_member(act, squadron, lead if member else None)
    for prize in act.prizes:
        if prize.active:
            _plan_member(act, prize, None)
    for squadron in list(act.plans):
        take_in_tow(table, act.plans[squadron])


def _plan_lead(act: Activation, squadron: Squadron, tf: Taskforce) -> Lead:
    """BS-MOV-8: everything of a taskforce line is reckoned once, from the flagship."""
    table = act.table
    lines = lines_for(table, squadron)
    plan = plan_alone(table, squadron, lines)
    act.plans[squadron] = plan
    lead = Lead(plan.step, None, plan.facing)
    lead.turned = not plan.step.moves and lines.face is None and plan.facing != squadron.now.facing
    book = table.book(tf)
    if lines.own_move:
        move = book.own(tf.name, "move", Move)
        lead.step = step_or_stay(table, squadron, move)
    face = book.own(tf.name, "face", Face)
    if face is not None:
        lead.facing = plan.facing if not lines.own_face else _lead_facing(table, squadron, face, lead.step)
    return lead


def step_or_stay(table: Table, squadron: Squadron, move: Move | None) -> Step:
    """The way a move order asks for; what is illegal is not made."""
    if move is None or not squadron.active:
        return STAY
    try:
        return legal_step(table, squadron, moving.reach_of(table, squadron), move)
    except Illegal:
        return STAY


def _lead_facing(table: Table, squadron: Squadron, face: Face, step: Step) -> int:
    anchor, reach = squadron.leader, moving.reach_of(table, squadron)
    assert anchor is not None
    course = step.course_from(squadron.now.facing)
    return moving.clip(moving.ordered_facing(table, squadron, anchor, face, step, reach), course, reach.turn)


def plan_alone(table: Table, squadron: Squadron, lines: Lines) -> Plan:
    """A squadron (or the flagship's) that reckons its lines from its own leader; what became illegal lapses."""
    anchor = squadron.leader
    if anchor is None or squadron.cls.is_station or not squadron.active:
        return make_plan(squadron, STAY, squadron.now.facing, None)
    formation = lines.form.formation if lines.form else None
    reach = moving.reach_of(table, squadron, formation)
    step, lapsed = STAY, False
    if lines.move is not None:
        try:
            step = legal_step(table, squadron, reach, lines.move)
        except Illegal as why:
            table.warn(squadron, why.rule, f"{why.reason}; it holds")
            lapsed = True
    facing = _own_facing(table, squadron, lines, step, reach, lapsed=lapsed)
    return _form_or_not(table, squadron, step, facing, formation, reach)


def legal_step(table: Table, squadron: Squadron, reach: Reach, move: Move) -> Step:
    """The way a move order asks for; raises Illegal."""
    anchor = squadron.leader
    assert anchor is not None
    step = moving.wanted_step(table, squadron, anchor, reach, move)
    moving.check_step(squadron, reach, step, move, squadron.name)
    moving.check_way(table, squadron.active, [(step.dx, step.dy)] * len(squadron.active), step)
    return step


def _own_facing(
    table: Table, squadron: Squadron, lines: Lines, step: Step, reach: Reach, *, lapsed: bool = False
) -> int:
    anchor = squadron.leader
    assert anchor is not None
    course = step.course_from(squadron.now.facing)
    if lines.face is not None:
        facing = moving.ordered_facing(table, squadron, anchor, lines.face, step, reach)
        try:
            moving.check_facing(reach, course, facing, squadron.name)
        except Illegal as why:
            table.warn(squadron, why.rule, why.reason)
            return course
        return facing
    if lines.is_silent or lapsed:
        return facing_nearest(table, squadron, anchor, reach)
    turned = moving.refused_away(table, squadron, anchor, reach, lines.move)
    if turned is not None:
        return moving.clip(turned, squadron.now.facing, reach.turn)
    return course


def facing_nearest(table: Table, squadron: Squadron, anchor: Ship, reach: Reach) -> int:
    """BS-MOV-13: a silent unit turns its bows to the nearest enemy as far as it may."""
    spot = moving.named_spot(table, squadron.side, anchor.spot, "nearest")
    if spot is None:
        return squadron.now.facing
    return moving.clip(bearing_of(spot.x - anchor.now.x, spot.y - anchor.now.y), squadron.now.facing, reach.turn)


def _plan_member(act: Activation, squadron: Squadron, lead: Lead | None) -> None:
    """A squadron under a lead follows it as far as it can; without one it plans alone."""
    table = act.table
    lines = lines_for(table, squadron)
    if lead is None or squadron.leader is None or squadron.cls.is_station or not squadron.active:
        act.plans[squadron] = plan_alone(table, squadron, lines)
        return
    formation = lines.form.formation if lines.form else None
    reach = moving.reach_of(table, squadron, formation)
    step = follow(table, squadron, lines, lead, reach)
    facing = _following_facing(table, squadron, lines, lead, step, reach)
    act.plans[squadron] = _form_or_not(table, squadron, step, facing, formation, reach)


def follow(table: Table, squadron: Squadron, lines: Lines, lead: Lead, reach: Reach) -> Step:
    """BS-MOV-8: its own move if it has one it can make, otherwise the flagship's displacement, limited if need be."""
    if lines.own_move and lines.move is not None:
        try:
            return legal_step(table, squadron, reach, lines.move)
        except Illegal as why:
            table.warn(squadron, why.rule, f"{why.reason}; it follows its taskforce")
            lines.move, lines.own_move = table.book(squadron).own(squadron.lines_from, "move", Move), False
    step = limited_step(table, squadron, lead.step, reach)
    if step != lead.step:
        facts = {"squadron": squadron.name, "ordered": spoken_step(lead.step), "used": spoken_step(step)}
        table.tell("limited", "BS-MOV-8", squadron.side, facts)
    return step


def limited_step(table: Table, squadron: Squadron, step: Step, reach: Reach) -> Step:
    """BS-MOV-8: the flagship's way with course and distance cut to what the squadron can do."""
    if step.course is None:
        return STAY
    fits = step.dx**2 + step.dy**2 <= reach.speed**2 or step.distance <= reach.speed
    course = moving.clip(step.course, squadron.now.facing, reach.half)
    if fits and course == step.course and moving.is_clear(table, squadron.spots, (step.dx, step.dy)):
        return step
    return moving.straight(course, moving.longest(table, squadron.spots, course, min(step.distance, reach.speed)))


def spoken_step(step: Step) -> str:
    return "hold" if step.course is None else f'course {step.course:03d}, {inches(step.distance)}"'


def _following_facing(table: Table, squadron: Squadron, lines: Lines, lead: Lead, step: Step, reach: Reach) -> int:
    course = step.course_from(squadron.now.facing)
    if lines.own_face and lines.face is not None:
        return _own_facing(table, squadron, lines, step, reach)
    wanted = lead.facing
    if lines.face is None:
        passed_on = lines.is_silent or (lead.turned and not lines.own_move)
        wanted = lead.final if passed_on else None
    if wanted is None:
        return course
    facing = moving.clip(wanted, course, reach.turn)
    if facing != wanted and lines.face is not None:
        facts = {"squadron": squadron.name, "ordered": f"facing {wanted:03d}", "used": f"facing {facing:03d}"}
        table.tell("limited", "BS-MOV-8", squadron.side, facts)
    return facing


def _form_or_not(
    table: Table, squadron: Squadron, step: Step, facing: int, formation: Formation | None, reach: Reach
) -> Plan:
    """BS-MOV-14, BS-SQN-5: a formation that cannot be taken up is dropped; broken coherency is mended on the move."""
    if formation is not None and formation.kind != "tfcone":
        try:
            return checked_form(table, squadron, step, facing, formation, reach)
        except Illegal as why:
            table.warn(squadron, why.rule, f"{why.reason}; the formation is dropped")
    elif formation is None and step.moves and not is_together(squadron.spots):
        try:
            return checked_form(table, squadron, step, facing, squadron.now.formation, reach)
        except Illegal as why:
            table.warn(squadron, "BS-SQN-5", f"{why.reason}; the squadron stays scattered")
    return make_plan(squadron, step, facing, formation if formation and formation.kind == "tfcone" else None)


def checked_form(table: Table, squadron: Squadron, step: Step, facing: int, formation: Formation, reach: Reach) -> Plan:
    """A plan with a `form`; raises Illegal when a ship cannot reach its slot or there are too few."""
    ships = len(squadron.active)
    if ships < least_ships(formation.kind):
        reason = f"{formation.kind} needs {least_ships(formation.kind)} ships, {squadron.name} has {ships}"
        raise Illegal("BS-V-21", reason, "line, column, vee or cluster")
    if formation.kind == "custom" and len(formation.pairs) < ships - 1:
        reason = f"{squadron.name} needs {ships - 1} pairs, {len(formation.pairs)} were given"
        raise Illegal("BS-V-64", reason, f"give {ships - 1} pairs")
    plan = make_plan(squadron, step, facing, formation)
    check_form(squadron, plan, reach)
    moving.check_way(table, plan.ships, plan.moves, step)
    return plan


def form_tfcone(act: Activation) -> None:
    """BS-FRM-10: one cone of all squadrons in command, slots in listing order, the flagship first."""
    table, tf = act.table, act.taskforce
    members = [s for s in act.squadrons if (p := act.plans.get(s)) and p.formation and p.formation.kind == "tfcone"]
    if not members:
        return
    flag = tf.flagship.squadron if tf is not None and act.in_tf else None
    ships = [ship for squadron in members for ship in squadron.active]
    facings = {act.plans[squadron].facing for squadron in members}
    ready = flag in members and len(facings) == 1 and len(ships) >= least_ships("tfcone")
    whole = tf is not None and all(s in members for s in tf.living)
    if tf is None or not (ready and whole) or not _take_cone(act, tf, members, ships):
        for squadron in members:
            act.plans[squadron].formation = None
            table.warn(squadron, "BS-V-21", "the taskforce cone cannot be formed; it is dropped")


def _take_cone(act: Activation, tf: Taskforce, members: list[Squadron], ships: list[Ship]) -> bool:
    lead = act.plans[tf.flagship.squadron]
    end = Spot(tf.flagship.now.x + lead.step.dx, tf.flagship.now.y + lead.step.dy)
    order = [tf.flagship, *(ship for ship in ships if ship is not tf.flagship)]
    places = dict(zip(order, slots(Formation("tfcone"), len(order), lead.facing, end), strict=True))
    trial = {}
    for squadron in members:
        plan = act.plans[squadron]
        trial[squadron] = [(places[ship].x - ship.now.x, places[ship].y - ship.now.y) for ship in plan.ships]
        reach = moving.reach_of(act.table, squadron)
        old, plan.moves = plan.moves, trial[squadron]
        try:
            check_form(squadron, plan, reach)
            moving.check_way(act.table, plan.ships, plan.moves, plan.step)
        except Illegal:
            return False
        finally:
            plan.moves = old
    for squadron, moves in trial.items():
        act.plans[squadron].moves = moves
        act.plans[squadron].ticks = tick_count(act.plans[squadron].step, moves)
    return True
