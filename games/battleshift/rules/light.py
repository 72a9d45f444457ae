"""Light and ion fire in A3: the moment, the target, and who fires together (BS-WPN-2, -3, -6)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from games.battleshift.data import WEAPONS
from games.battleshift.orders.records import Fire, LightGuns
from games.battleshift.rules.fire import Shot, fire_group, grouped, line_for, may_fire, mode_of
from games.battleshift.rules.planning import Activation
from games.battleshift.rules.sight import Aimed, Pose, aim, distance_to, highest_number, is_eligible, is_gone
from games.battleshift.rules.targets import NEAREST, Choice, choose, choose_together
from games.battleshift.rules.units import Squadron, in_command
from games.battleshift.table import Table
from pbem.kit.plane import INCH, Spot


@dataclass
class LightPlan(Shot):
    """What a squadron means to fire at, and at which point."""

    point: int

    @property
    def key(self) -> tuple[object, ...]:
        return (id(self.choice.target), self.line.disable, id(self.choice.focus))


class LightFire:
    """The light (or ion) fire of one activation: points are 0 for start, 1..M for ticks, M+1 for the end."""

    def __init__(self, act: Activation, weapon: str, ticks: int) -> None:
        self.act, self.weapon, self.ticks = act, weapon, ticks
        self.table: Table = act.table
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
            for group in grouped(plans):
                self._schedule(group)
        else:
            for plan in plans:
                self._enter(plan.point, [plan])

    def is_armed(self, squadron: Squadron) -> bool:
        """BS-WPN-3: destroyers whose light guns are kept for interception do not fire them."""
        if not may_fire(squadron, self.weapon) or squadron not in self.act.plans:
            return False
        if self.weapon == "light" and squadron.now.flags.light_used:
            return False
        if self.weapon == "light" and squadron.size == 1:
            return guns_of(self.table, squadron).use != "interceptor"
        return True

    def pose(self, squadron: Squadron, point: int) -> Pose:
        """Where the squadron stands and faces at a fire point."""
        pose = self._poses.get((squadron, point))
        turned = pose is not None and point >= self.end and pose.facing != self.act.plans[squadron].facing
        if pose is None or turned or len(pose.spots) != len(squadron.active):
            pose = self._poses[squadron, point] = self._pose(squadron, point)
        return pose

    def _pose(self, squadron: Squadron, point: int) -> Pose:
        plan = self.act.plans[squadron]
        spots = plan.spots_at(min(point, self.ticks))
        alive = tuple(spot for ship, spot in zip(plan.ships, spots, strict=True) if ship.now.status == "active")
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
        line = line or line_for(self.table, squadron, self.weapon)
        if not line.targets:
            return None
        points = list(self.points(squadron, line, first))
        choice = choose(
            self.table,
            squadron.side,
            line.targets,
            line.least,
            lambda target: self._judge(squadron, line, points, target),
            self._pool(squadron, points),
        )
        return LightPlan(squadron, [self.weapon], choice, line, choice.detail) if choice else None

    def _pool(self, squadron: Squadron, points: Sequence[int]) -> list[Squadron]:
        if not points:
            return []
        spots = [spot for point in (points[0], points[-1]) for spot in self.pose(squadron, point).spots]
        if not spots:
            return []
        return self.table.near(self.table.enemy(squadron.side), spots, WEAPONS[self.weapon].range + squadron.cls.radius)

    def _judge(self, squadron: Squadron, line: Fire, points: Sequence[int], target: Aimed) -> Choice | None:
        """The highest number wins, the earliest of equals; an uncovered line cannot be bettered."""
        top = highest_number(squadron, self.weapon, target, disable=line.disable)
        best: tuple[int, int] | None = None
        for point in points:
            pose = self.pose(squadron, point)
            number = aim(self.table, squadron, pose, self.weapon, target, disable=line.disable)
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
        book = self.table.book(tf)
        members = [s for s in armed if in_command(s) and not book.has_own_fire(s.name, self.weapon)]
        line = book.fire((tf.name,), self.weapon) or Fire(self.weapon, NEAREST)
        if not members or not line.targets:
            return []
        points = {squadron: list(self.points(squadron, line, 0)) for squadron in members}
        pool = list(dict.fromkeys(near for s in members for near in self._pool(s, points[s])))

        def judge(squadron: Squadron, target: Aimed) -> Choice | None:
            return self._judge(squadron, line, points[squadron], target)

        able = choose_together(self.table, members, line, judge, self._flagship_end(), pool)
        return [LightPlan(s, [self.weapon], choice, line, choice.detail) for s, choice in able.items()]

    def _flagship_end(self) -> Spot:
        tf = self.act.taskforce
        assert tf is not None
        plan = self.act.plans.get(tf.flagship.squadron)
        if plan is None or tf.flagship not in plan.ships:
            return tf.flagship.spot
        return plan.spots_at(plan.ticks)[plan.ships.index(tf.flagship)]

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
        return is_eligible(self.table, plan.squadron, pose, self.weapon, plan.choice.target)

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
                plan.squadron.mark(light_used=True)
        together = ready if all(in_command(plan.squadron) for plan in ready) else [ready[0]]
        fire_group(self.table, together)
        for plan in ready[len(together) :]:
            self._fire_late(plan, point)

    def _fire_late(self, plan: LightPlan, point: int) -> None:
        """BS-TF-6: when the flagship is lost meanwhile the others fire alone."""
        if is_gone(plan.choice.target):
            plan.squadron.mark(light_used=False)
            again = self.plan_one(plan.squadron, point)
            if again is not None:
                self._enter(again.point, [again])
            return
        fire_group(self.table, [plan])

    def _is_ready(self, plan: LightPlan, point: int) -> bool:
        if is_gone(plan.choice.target) or not self.is_armed(plan.squadron):
            return False
        pose = self.pose(plan.squadron, point)
        return is_eligible(self.table, plan.squadron, pose, self.weapon, plan.choice.target)


def guns_of(table: Table, squadron: Squadron) -> LightGuns:
    """BS-WPN-3: how destroyers use their light guns."""
    return table.book(squadron).find(squadron.lines, "lightguns", LightGuns) or LightGuns()
