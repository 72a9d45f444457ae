"""Light and ion fire in A3: the moment, the target, and who fires together (BS-WPN-2, -3, -6)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from games.battleshift.data import WEAPONS
from games.battleshift.orders.words import Fire, LightGuns
from games.battleshift.rules.fire import Shot, fire_group, line_for, may_fire, mode_of
from games.battleshift.rules.planning import Activation
from games.battleshift.rules.sight import Aimed, Pose, aim, distance_to, highest_number, is_eligible, is_gone
from games.battleshift.rules.table import Battle, in_command
from games.battleshift.rules.targets import NEAREST, Choice, choose
from games.battleshift.rules.units import Squadron
from pbem.kit.plane import INCH, Spot

DIE = 6


@dataclass
class LightPlan:
    """What a squadron means to fire at, and when."""

    squadron: Squadron
    weapon: str
    line: Fire
    choice: Choice
    point: int
    partners: list[LightPlan] = field(default_factory=list)


class LightFire:
    """The light (or ion) fire of one activation: points are 0 for start, 1..M for ticks, M+1 for the end."""

    def __init__(self, act: Activation, weapon: str, ticks: int) -> None:
        self.act, self.weapon, self.ticks = act, weapon, ticks
        self.battle: Battle = act.battle
        self.end = ticks + 1
        self.due: dict[int, list[list[LightPlan]]] = {}
        self._poses: dict[tuple[Squadron, int], Pose] = {}

    # --- planning -----------------------------------------------------------------------------------------------------

    def plan(self) -> None:
        """BS-WPN-6: made at the start of A3, squadrons in listing order."""
        armed = [squadron for squadron in self.act.squadrons if self.is_armed(squadron)]
        together: list[LightPlan] = []
        if self.act.in_tf and mode_of(self.act) == "concentrate":
            together = self._concentrate(armed)
        rest = [squadron for squadron in armed if all(plan.squadron is not squadron for plan in together)]
        self._take_up(together + [plan for squadron in rest if (plan := self.plan_one(squadron, 0))])

    def _take_up(self, plans: Sequence[LightPlan]) -> None:
        """BS-ATK-11: who agrees fires together, except in staggered mode."""
        if self.act.in_tf and mode_of(self.act) != "staggered":
            for group in self._agreeing(plans):
                self._schedule(group)
        else:
            for plan in plans:
                self._enter(plan.point, [plan])

    def is_armed(self, squadron: Squadron) -> bool:
        """BS-WPN-3: destroyers whose light guns are kept for interception do not fire them."""
        if not may_fire(squadron, self.weapon) or squadron not in self.act.plans:
            return False
        if self.weapon == "light" and squadron.light_used:
            return False
        if self.weapon == "light" and squadron.size == 1:
            return guns_of(self.battle, squadron).use != "interceptor"
        return True

    def pose(self, squadron: Squadron, point: int) -> Pose:
        """Where the squadron stands and faces at a fire point."""
        found = self._poses.get((squadron, point))
        turned = found is not None and point >= self.end and found.facing != self.act.plans[squadron].facing
        if found is None or turned or len(found.spots) != len(squadron.active):
            found = self._poses[squadron, point] = self._pose(squadron, point)
        return found

    def _pose(self, squadron: Squadron, point: int) -> Pose:
        plan = self.act.plans[squadron]
        spots = plan.spots_at(min(point, self.ticks))
        alive = tuple(spot for ship, spot in zip(plan.ships, spots, strict=True) if ship.status == "active")
        facing = plan.facing if point >= self.end else plan.facing_at(point)
        return Pose(alive, facing)

    def points(self, squadron: Squadron, line: Fire, first: int) -> Iterable[int]:
        """The points at which the line allows fire, from the given one on."""
        own = self.act.plans[squadron].ticks
        if line.moment == "start":
            allowed: Iterable[int] = (0,)
        elif line.moment == "end":
            allowed = (self.end,)
        elif line.moment == "after":
            allowed = (min(own, -(-line.after // INCH)),)
        else:
            # A squadron that has finished its move stands still: later ticks bring nothing new before the end.
            allowed = (*range(own + 1), self.end) if first <= own else range(first, self.end + 1)
        return [point for point in allowed if point >= first]

    def plan_one(self, squadron: Squadron, first: int, line: Fire | None = None) -> LightPlan | None:
        """The best target of one squadron from a point on, each candidate at its best point."""
        line = line or line_for(self.battle, squadron, self.weapon)
        if not line.targets:
            return None
        points = list(self.points(squadron, line, first))
        found = choose(
            self.battle,
            squadron.side,
            line.targets,
            line.least,
            lambda target: self._judge(squadron, line, points, target),
            self._pool(squadron, points),
        )
        return LightPlan(squadron, self.weapon, line, found, found.detail) if found else None

    def _pool(self, squadron: Squadron, points: Sequence[int]) -> list[Squadron]:
        if not points:
            return []
        spots = [spot for point in (points[0], points[-1]) for spot in self.pose(squadron, point).spots]
        if not spots:
            return []
        return self.battle.near(
            self.battle.enemy(squadron.side), spots, WEAPONS[self.weapon].range + squadron.cls.radius
        )

    def _judge(self, squadron: Squadron, line: Fire, points: Sequence[int], target: Aimed) -> Choice | None:
        """The highest number wins, the earliest of equals; an uncovered line cannot be bettered."""
        top = highest_number(squadron, self.weapon, target, line.disable)
        best: tuple[int, int] | None = None
        for point in points:
            number = aim(self.battle, squadron, self.pose(squadron, point), self.weapon, target, line.disable)
            if number is not None and (best is None or number > best[0]):
                best = (number, point)
                if number == top:
                    break
        if best is None:
            return None
        far = distance_to(self.pose(squadron, best[1]).spots, target, squadron.cls.radius)
        dice = len(squadron.active) * squadron.weapons(self.weapon)
        return Choice(target, best[0], far, dice, self.weapon, detail=best[1])

    def _concentrate(self, armed: Sequence[Squadron]) -> list[LightPlan]:
        """BS-ATK-11: one target for all in command without a line of their own, measured from the flagship's end."""
        tf = self.act.taskforce
        assert tf is not None
        book = self.battle.book(tf)
        members = [s for s in armed if in_command(s) and not book.has_own_fire(s.name, self.weapon)]
        line = book.fire((tf.name,), self.weapon) or Fire(self.weapon, NEAREST)
        if not members or not line.targets:
            return []
        origin = self._flagship_end()
        points = {squadron: list(self.points(squadron, line, 0)) for squadron in members}

        def judge(target: Aimed) -> Choice | None:
            found = {s: self._judge(s, line, points[s], target) for s in members}
            able = {s: c for s, c in found.items() if c is not None and c.number >= line.least}
            if not able:
                return None
            hits = sum((Fraction(c.dice * c.number, DIE) for c in able.values()), Fraction(0))
            number = max(c.number for c in able.values())
            far = distance_to((origin,), target)
            return Choice(target, number, far, weapon=self.weapon, expected_hits=hits, detail=able)

        pool = list(dict.fromkeys(found for s in members for found in self._pool(s, points[s])))
        chosen = choose(self.battle, tf.side, line.targets, line.least, judge, pool)
        if chosen is None:
            return []
        able: dict[Squadron, Choice] = chosen.detail
        for choice in able.values():
            choice.focus, choice.objective = chosen.focus, chosen.objective
        return [LightPlan(s, self.weapon, line, choice, choice.detail) for s, choice in able.items()]

    def _flagship_end(self) -> Spot:
        tf = self.act.taskforce
        assert tf is not None
        plan = self.act.plans.get(tf.flagship.squadron)
        if plan is None or tf.flagship not in plan.ships:
            return tf.flagship.spot
        return plan.spots_at(plan.ticks)[plan.ships.index(tf.flagship)]

    def _agreeing(self, plans: Sequence[LightPlan]) -> list[list[LightPlan]]:
        """BS-ATK-11: squadrons in command with the same target, in listing order of the first."""
        groups: list[list[LightPlan]] = []
        for plan in plans:
            for group in groups:
                first = group[0]
                agrees = first.choice.target is plan.choice.target and first.line.disable == plan.line.disable
                agrees = agrees and first.choice.focus is plan.choice.focus
                if agrees and in_command(first.squadron) and in_command(plan.squadron):
                    group.append(plan)
                    break
            else:
                groups.append([plan])
        return groups

    def _schedule(self, group: list[LightPlan]) -> None:
        """BS-WPN-6: together at the first point at which all are eligible, otherwise each at its own."""
        latest = max(plan.point for plan in group)
        for point in range(latest, self.end + 1):
            if all(self._may_fire_at(plan, point) for plan in group):
                self._enter(point, group)
                return
        for plan in group:
            self._enter(plan.point, [plan])

    def _may_fire_at(self, plan: LightPlan, point: int) -> bool:
        if plan.line.moment != "best" and point != plan.point:
            return False
        pose = self.pose(plan.squadron, point)
        return is_eligible(self.battle, plan.squadron, pose, self.weapon, plan.choice.target)

    def _enter(self, point: int, group: list[LightPlan]) -> None:
        self.due.setdefault(point, []).append(group)

    # --- firing -------------------------------------------------------------------------------------------------------

    def fire_at(self, point: int) -> None:
        """All attacks due at a point, in listing order; who has lost its target plans again from here on."""
        while self.due.get(point):
            groups = self.due.pop(point)
            groups.sort(key=lambda group: min(self._listing(plan.squadron) for plan in group))
            for group in groups:
                self._fire(group, point)

    def _listing(self, squadron: Squadron) -> int:
        return self.act.squadrons.index(squadron)

    def _fire(self, group: list[LightPlan], point: int) -> None:
        listed = sorted(group, key=lambda plan: self._listing(plan.squadron))
        ready = [plan for plan in listed if self._is_ready(plan, point)]
        stranded = [p.squadron for p in group if p not in ready and self.is_armed(p.squadron)]
        self._take_up([again for squadron in stranded if (again := self.plan_one(squadron, point))])
        if not ready:
            return
        for plan in ready:
            if self.weapon == "light":
                plan.squadron.light_used = True
        together = ready if all(in_command(plan.squadron) for plan in ready) else [ready[0]]
        fire_group(self.battle, [Shot(p.squadron, [self.weapon], p.choice, p.line) for p in together])
        for plan in ready[len(together) :]:
            self._fire_late(plan, point)

    def _fire_late(self, plan: LightPlan, point: int) -> None:
        """BS-TF-6: when the flagship is lost meanwhile the others fire alone."""
        if is_gone(plan.choice.target):
            plan.squadron.light_used = False
            again = self.plan_one(plan.squadron, point)
            if again is not None:
                self._enter(again.point, [again])
            return
        fire_group(self.battle, [Shot(plan.squadron, [self.weapon], plan.choice, plan.line)])

    def _is_ready(self, plan: LightPlan, point: int) -> bool:
        if is_gone(plan.choice.target) or not self.is_armed(plan.squadron):
            return False
        pose = self.pose(plan.squadron, point)
        return is_eligible(self.battle, plan.squadron, pose, self.weapon, plan.choice.target)


def guns_of(battle: Battle, squadron: Squadron) -> LightGuns:
    """BS-WPN-3: how destroyers use their light guns."""
    return battle.book(squadron).find(squadron.lines, "lightguns", LightGuns) or LightGuns()
