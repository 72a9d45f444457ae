"""Moves of a whole activation: taskforce lines with squadron exceptions (BS-MOV-8, -9, -13, -14, BS-TF-4)."""

from __future__ import annotations

from dataclasses import dataclass, field

from games.battleshift.orders.words import Act, Face, Form, Move
from games.battleshift.rules.formations import is_together, least_ships, slots
from games.battleshift.rules.moving import (
    STAY,
    Illegal,
    Plan,
    Reach,
    Step,
    check_facing,
    check_step,
    check_way,
    clip,
    inches,
    is_clear,
    longest,
    named_spot,
    ordered_facing,
    reach_of,
    refused_away,
    straight,
    wanted_step,
)
from games.battleshift.rules.plotting import check_form, make_plan, tick_count
from games.battleshift.rules.table import Battle, in_contact, ships_within
from games.battleshift.rules.units import Body, Flight, Ship, Squadron, Taskforce
from games.battleshift.state import Formation
from pbem.kit.plane import Spot, bearing_of


@dataclass
class Missile:
    """2.6: a strike in flight within one activation."""

    name: str
    side: str
    launcher: Squadron | None
    key: str
    target: object
    missiles: int
    spot: Spot
    objective: str = ""
    origin: Body | None = None
    """The body it was launched from."""


@dataclass
class Activation:
    """One activation: who acts, and what has been planned and launched in it."""

    battle: Battle
    side: str
    name: str
    squadrons: list[Squadron]
    """In listing order."""
    taskforce: Taskforce | None = None
    body: Body | None = None
    flights: list[Flight] = field(default_factory=list)
    strikes: list[Missile] = field(default_factory=list)
    plans: dict[Squadron, Plan] = field(default_factory=dict)
    prizes: list[Squadron] = field(default_factory=list)
    beams: set[Squadron] = field(default_factory=set)

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


def lines_for(battle: Battle, squadron: Squadron) -> Lines:
    book, units = battle.book(squadron), squadron.lines
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
    battle = act.battle
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
        _take_in_tow(battle, act.plans[squadron])


def _plan_lead(act: Activation, squadron: Squadron, tf: Taskforce) -> Lead:
    """BS-MOV-8: everything of a taskforce line is reckoned once, from the flagship."""
    battle = act.battle
    lines = lines_for(battle, squadron)
    plan = plan_alone(battle, squadron, lines)
    act.plans[squadron] = plan
    lead = Lead(plan.step, None, plan.facing)
    lead.turned = not plan.step.moves and lines.face is None and plan.facing != squadron.facing
    book = battle.book(tf)
    if lines.own_move:
        move = book.own(tf.name, "move", Move)
        lead.step = _try_step(battle, squadron, move) if move else STAY
    face = book.own(tf.name, "face", Face)
    if face is not None:
        lead.facing = plan.facing if not lines.own_face else _lead_facing(battle, squadron, face, lead.step)
    return lead


def _try_step(battle: Battle, squadron: Squadron, move: Move) -> Step:
    anchor, reach = squadron.leader, reach_of(battle, squadron)
    assert anchor is not None
    step = wanted_step(battle, squadron, anchor, reach, move)
    try:
        check_step(squadron, reach, step, move, squadron.name)
        check_way(battle, squadron.active, [(step.dx, step.dy)] * len(squadron.active), step)
    except Illegal:
        return STAY
    return step


def _lead_facing(battle: Battle, squadron: Squadron, face: Face, step: Step) -> int:
    anchor, reach = squadron.leader, reach_of(battle, squadron)
    assert anchor is not None
    course = squadron.facing if step.course is None else step.course
    return clip(ordered_facing(battle, squadron, anchor, face, step, reach), course, reach.turn)


def plan_alone(battle: Battle, squadron: Squadron, lines: Lines) -> Plan:
    """A squadron (or the flagship's) that reckons its lines from its own leader; what became illegal lapses."""
    anchor = squadron.leader
    if anchor is None or squadron.cls.is_station or not squadron.active:
        return make_plan(squadron, STAY, squadron.facing, None)
    formation = lines.form.formation if lines.form else None
    reach = reach_of(battle, squadron, formation)
    step, lapsed = STAY, False
    if lines.move is not None:
        try:
            step = legal_step(battle, squadron, reach, lines.move)
        except Illegal as why:
            battle.warn(squadron.side, squadron.name, why.rule, f"{why.reason}; it holds")
            lapsed = True
    facing = _own_facing(battle, squadron, lines, step, reach, lapsed)
    return _form_or_not(battle, squadron, step, facing, formation, reach)


def legal_step(battle: Battle, squadron: Squadron, reach: Reach, move: Move) -> Step:
    """The way a move order asks for; raises Illegal."""
    anchor = squadron.leader
    assert anchor is not None
    step = wanted_step(battle, squadron, anchor, reach, move)
    check_step(squadron, reach, step, move, squadron.name)
    check_way(battle, squadron.active, [(step.dx, step.dy)] * len(squadron.active), step)
    return step


def _own_facing(battle: Battle, squadron: Squadron, lines: Lines, step: Step, reach: Reach, lapsed: bool) -> int:
    anchor = squadron.leader
    assert anchor is not None
    course = squadron.facing if step.course is None else step.course
    if lines.face is not None:
        facing = ordered_facing(battle, squadron, anchor, lines.face, step, reach)
        try:
            check_facing(reach, course, facing, squadron.name)
        except Illegal as why:
            battle.warn(squadron.side, squadron.name, why.rule, why.reason)
            return course
        return facing
    if lines.is_silent or lapsed:
        return facing_nearest(battle, squadron, anchor, reach)
    turned = refused_away(battle, squadron, anchor, reach, lines.move)
    if turned is not None:
        return clip(turned, squadron.facing, reach.turn)
    return course


def facing_nearest(battle: Battle, squadron: Squadron, anchor: Ship, reach: Reach) -> int:
    """BS-MOV-13: a silent unit turns its bows to the nearest enemy as far as it may."""
    spot = named_spot(battle, squadron.side, anchor.spot, "nearest")
    if spot is None:
        return squadron.facing
    return clip(bearing_of(spot.x - anchor.x, spot.y - anchor.y), squadron.facing, reach.turn)


def _plan_member(act: Activation, squadron: Squadron, lead: Lead | None) -> None:
    """A squadron under a lead follows it as far as it can; without one it plans alone."""
    battle = act.battle
    lines = lines_for(battle, squadron)
    if lead is None or squadron.leader is None or squadron.cls.is_station or not squadron.active:
        act.plans[squadron] = plan_alone(battle, squadron, lines)
        return
    formation = lines.form.formation if lines.form else None
    reach = reach_of(battle, squadron, formation)
    step = follow(battle, squadron, lines, lead, reach)
    facing = _following_facing(battle, squadron, lines, lead, step, reach)
    act.plans[squadron] = _form_or_not(battle, squadron, step, facing, formation, reach)


def follow(battle: Battle, squadron: Squadron, lines: Lines, lead: Lead, reach: Reach) -> Step:
    """BS-MOV-8: its own move if it has one it can make, otherwise the flagship's displacement, limited if need be."""
    if lines.own_move and lines.move is not None:
        try:
            return legal_step(battle, squadron, reach, lines.move)
        except Illegal as why:
            battle.warn(squadron.side, squadron.name, why.rule, f"{why.reason}; it follows its taskforce")
            lines.move, lines.own_move = battle.book(squadron).own(squadron.lines_from, "move", Move), False
    step = limited_step(battle, squadron, lead.step, reach)
    if step != lead.step:
        facts = {"squadron": squadron.name, "ordered": spoken_step(lead.step), "used": spoken_step(step)}
        battle.tell_owner(squadron.side, "limited", "BS-MOV-8", facts)
    return step


def limited_step(battle: Battle, squadron: Squadron, step: Step, reach: Reach) -> Step:
    """BS-MOV-8: the flagship's way with course and distance cut to what the squadron can do."""
    if step.course is None:
        return STAY
    fits = step.dx**2 + step.dy**2 <= reach.speed**2 or step.distance <= reach.speed
    course = clip(step.course, squadron.facing, reach.half)
    if fits and course == step.course and is_clear(battle, squadron.spots, (step.dx, step.dy)):
        return step
    return straight(course, longest(battle, squadron.spots, course, min(step.distance, reach.speed)))


def spoken_step(step: Step) -> str:
    return "hold" if step.course is None else f'course {step.course:03d}, {inches(step.distance)}"'


def _following_facing(battle: Battle, squadron: Squadron, lines: Lines, lead: Lead, step: Step, reach: Reach) -> int:
    course = squadron.facing if step.course is None else step.course
    if lines.own_face and lines.face is not None:
        return _own_facing(battle, squadron, lines, step, reach, lapsed=False)
    wanted = lead.facing
    if lines.face is None:
        passed_on = lines.is_silent or (lead.turned and not lines.own_move)
        wanted = lead.final if passed_on else None
    if wanted is None:
        return course
    facing = clip(wanted, course, reach.turn)
    if facing != wanted and lines.face is not None:
        facts = {"squadron": squadron.name, "ordered": f"facing {wanted:03d}", "used": f"facing {facing:03d}"}
        battle.tell_owner(squadron.side, "limited", "BS-MOV-8", facts)
    return facing


def _form_or_not(
    battle: Battle, squadron: Squadron, step: Step, facing: int, formation: Formation | None, reach: Reach
) -> Plan:
    """BS-MOV-14, BS-SQN-5: a formation that cannot be taken up is dropped; broken coherency is mended on the move."""
    if formation is not None and formation.kind != "tfcone":
        try:
            return checked_form(battle, squadron, step, facing, formation, reach)
        except Illegal as why:
            battle.warn(squadron.side, squadron.name, why.rule, f"{why.reason}; the formation is dropped")
    elif formation is None and step.moves and not is_together(squadron.spots):
        try:
            return checked_form(battle, squadron, step, facing, squadron.formation, reach)
        except Illegal as why:
            battle.warn(squadron.side, squadron.name, "BS-SQN-5", f"{why.reason}; the squadron stays scattered")
    return make_plan(squadron, step, facing, formation if formation and formation.kind == "tfcone" else None)


def checked_form(
    battle: Battle, squadron: Squadron, step: Step, facing: int, formation: Formation, reach: Reach
) -> Plan:
    """A plan with a `form`; raises Illegal when a ship cannot reach its slot or there are too few."""
    ships = len(squadron.active)
    if ships < least_ships(formation.kind):
        reason = f"{formation.kind} needs {least_ships(formation.kind)} ships, {squadron.name} has {ships}"
        raise Illegal("BS-V-21", reason, "line, column, vee or cluster")
    if formation.kind == "custom" and len(formation.pairs) < ships - 1:
        reason = f"{squadron.name} needs {ships - 1} pairs, {len(formation.pairs)} were given"
        raise Illegal("BS-V-64", reason, f"give {ships - 1} pairs")
    plan = make_plan(squadron, step, facing, formation)
    check_form(battle, squadron, plan, reach, search=step)
    check_way(battle, plan.ships, plan.moves, step)
    return plan


def form_tfcone(act: Activation) -> None:
    """BS-FRM-10: one cone of all squadrons in command, slots in listing order, the flagship first."""
    battle, tf = act.battle, act.taskforce
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
            battle.warn(squadron.side, squadron.name, "BS-V-21", "the taskforce cone cannot be formed; it is dropped")


def _take_cone(act: Activation, tf: Taskforce, members: list[Squadron], ships: list[Ship]) -> bool:
    lead = act.plans[tf.flagship.squadron]
    end = Spot(tf.flagship.x + lead.step.dx, tf.flagship.y + lead.step.dy)
    order = [tf.flagship, *(ship for ship in ships if ship is not tf.flagship)]
    places = dict(zip(order, slots(Formation("tfcone"), len(order), lead.facing, end), strict=True))
    trial = {}
    for squadron in members:
        plan = act.plans[squadron]
        trial[squadron] = [(places[ship].x - ship.x, places[ship].y - ship.y) for ship in plan.ships]
        reach = reach_of(act.battle, squadron)
        old, plan.moves = plan.moves, trial[squadron]
        try:
            check_form(act.battle, squadron, plan, reach)
            check_way(act.battle, plan.ships, plan.moves, plan.step)
        except Illegal:
            return False
        finally:
            plan.moves = old
    for squadron, moves in trial.items():
        act.plans[squadron].moves = moves
        act.plans[squadron].ticks = tick_count(act.plans[squadron].step, moves)
    return True


def _take_in_tow(battle: Battle, plan: Plan) -> None:
    """BS-BRD-3, BS-TRC-1: a ship of equal or larger size in contact carries a disabled ship or prize along."""
    squadron = plan.squadron
    for order in battle.book(squadron).all(squadron.name, "tow", Act):
        ship = towable(battle, squadron.side, order)
        tugs = [n for n, tug in enumerate(plan.ships) if ship is not None and can_tow(tug, ship)]
        if ship is None or not tugs:
            battle.warn(
                squadron.side, squadron.name, "BS-V-43", f"no tug is in contact with {order.unit}.{order.number}"
            )
            continue
        plan.towed.append((ship, ship.spot, plan.moves[tugs[0]]))


def can_tow(tug: Ship, ship: Ship) -> bool:
    near = in_contact(tug, ship) or (
        tug.squadron.weapons("tractor") > 0 and ship.side != tug.side and ships_within(tug, ship, 300)
    )
    return near and tug.cls.size >= ship.cls.size and not ship.cls.is_station


def towable(battle: Battle, side: str, order: Act) -> Ship | None:
    """A disabled ship of either side, or a prize of one's own."""
    for owner in (battle.enemy(side), side):
        squadron = battle.squadron(owner, order.unit)
        if squadron is None:
            continue
        for ship in squadron.present:
            named = ship.number == order.number or (order.number == 0 and len(squadron.ships) == 1)
            if named and (ship.status == "disabled" or squadron.is_prize):
                return ship
    return None
