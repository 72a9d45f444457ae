"""How a unit can move and turn without a word said about it: every course with its farthest distance, every facing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property

from games.battleshift.orders.checks import is_commanded, led_mates, planned
from games.battleshift.orders.judge import Checker
from games.battleshift.orders.records import Detach, Face, Form, Land, Move, Order
from games.battleshift.orders.trial import Trial
from games.battleshift.rules.formations import is_together
from games.battleshift.rules.moving import Reach, inches, is_clear, longest, reach_of
from games.battleshift.rules.units import Squadron, in_command
from pbem.kit.plane import INCH, Spot, difference, displacement, passes_nearer

STEP = INCH // 4
"""Distances go by this."""
TURN = 5
"""Courses are tried by this where lines of the letter bind them."""
SWEEP = 15
"""Facings are tried by this; what is illegal is never a narrower arc."""
ABOUT_FACE = 180
ROUNDING = 2
"""So close to a rim a shorter way may touch it although the longer does not, as ends are rounded."""


def floored(far: int) -> int:
    return far - far % STEP


def _moved(spot: Spot, way: tuple[int, int]) -> Spot:
    return Spot(spot.x + way[0], spot.y + way[1])


class Courses:
    """The moves of one taskforce or squadron on top of a letter, some of whose lines will go."""

    def __init__(
        self, trial: Trial, unit: str, squadron: Squadron, gone: Collection[int], *, detached: bool = False
    ) -> None:
        self.trial, self.table, self.unit, self.squadron, self.gone = trial, trial.table, unit, squadron, gone
        self.leaving = (Order(unit, "detach", Detach(), text="detach"),) if detached else ()
        """BS-TF-8: it goes its own way."""
        kept = [entry.order for entry in trial.entries if entry.line not in gone]
        lying = [order for orders in trial.standing.values() for order in orders]
        around = trial.around(unit)
        self._others = [order for order in (*kept, *lying) if order.unit in around]
        self._known: dict[int, int] = {}

    # --- whom it concerns --------------------------------------------------------------------------------------------

    @cached_property
    def followers(self) -> list[Squadron]:
        """BS-MOV-8: squadrons of the taskforce that take the flagship's displacement."""
        tf = self.table.taskforce(self.trial.side, self.unit)
        own = {order.unit for order in self._others if isinstance(order.detail, Move)}
        return [s for s in tf.living if s.active and s.name not in own and not s.cls.is_station] if tf else []

    @cached_property
    def reach(self) -> Reach:
        form = next((order.detail for order in reversed(self._forms) if isinstance(order.detail, Form)), None)
        return reach_of(self.table, self.squadron, form.formation if form else None)

    @property
    def _forms(self) -> list[Order]:
        return [order for order in self._others if isinstance(order.detail, Form)]

    @property
    def is_forming(self) -> bool:
        """Ships on the way to their slots need a distance that is neither too long nor too short."""
        return bool(self._forms)

    @cached_property
    def is_bound(self) -> bool:
        """Lines of its own or of its mates may forbid what the rules of moving allow: every way must be tried."""
        scattered = [s for s in (self.squadron, *self.followers) if not is_together(s.spots)]
        ordered = [order for order in self._others if isinstance(order.detail, Face | Form | Land)]
        mates = [order for order in self._others if order.unit != self.unit and order.slot == "move"]
        leads = self.table.taskforce(self.trial.side, self.unit) is not None
        return bool(scattered or ordered or (mates and leads))

    @cached_property
    def _command(self) -> Callable[[tuple[int, int]], bool] | None:
        """BS-TF-3: whether a displacement keeps the squadron, or its mates, in command; None: it does not matter."""
        tf, flag = self.squadron.taskforce, self.squadron.flagship
        if self.leaving or tf is None or self.unit != self.squadron.name:
            return None
        checker = Checker(self.trial.names, [e for e in self.trial.entries if e.line not in self.gone])
        checker.standing = self.trial.standing
        plans = planned(checker, tf.flagship.squadron)
        if flag is not None:
            mates = [
                (mate, ends)
                for mate, ends in led_mates(checker, tf, plans)
                if in_command(mate) or checker.ordered(mate.name, "move")
            ]
            return lambda way: all(is_commanded(tf, _moved(flag.spot, way), mate, ends) for mate, ends in mates)
        plan = plans.get(tf.flagship.squadron)
        if plan is None or tf.flagship not in plan.ships:
            return None
        centre = plan.spots_at(plan.ticks)[plan.ships.index(tf.flagship)]
        return lambda way: is_commanded(tf, centre, self.squadron, [_moved(s, way) for s in self.squadron.spots])

    # --- distances ---------------------------------------------------------------------------------------------------

    def every(self) -> Iterable[int]:
        """The courses of its arc; of a bound unit every fifth or tenth."""
        facing, half = self.squadron.now.facing, self.reach.half
        every = 1 if not self.is_bound else TURN if half < ABOUT_FACE else 2 * TURN
        turns = range(-half, half + 1, every) if half < ABOUT_FACE else range(-half, half, every)
        return ((facing + turn) % 360 for turn in turns)

    def most(self, course: int) -> int:
        """The farthest distance in steps of 0.25" up to which every shorter one stands as well; 0: there is none."""
        if course not in self._known:
            self._known[course] = self._farthest(course)
        return self._known[course]

    def _farthest(self, course: int) -> int:
        far = floored(self.by_rule(course))
        if not far or not self.is_bound:
            return far
        if not self.stands(course, STEP):
            return 0
        low, high = 1, far // STEP
        if self.stands(course, far):
            return far
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self.stands(course, middle * STEP) else (low, middle - 1)
        return low * STEP

    def stands(self, course: int, distance: int) -> bool:
        text = f"move {course:03d} {inches(distance)}"
        order = Order(self.unit, "move", Move("bearing", course, distance), text=text)
        return self.trial.stands((*self.leaving, order), self.gone)

    def by_rule(self, course: int) -> int:
        """BS-MOV-1, -2, -7, -8: what the flagship's squadron and all its followers can do."""
        if any(difference(course, s.now.facing) > reach.half for s, reach in self._reaches.items()):
            return 0
        speed = min(reach.speed for reach in self._reaches.values())
        far = self._clear_of_rims(course, longest(self.table, self._spots, course, speed))
        return self._in_command(course, far)

    @cached_property
    def _reaches(self) -> dict[Squadron, Reach]:
        mates = {mate: reach_of(self.table, mate) for mate in self.followers if mate is not self.squadron}
        return {**mates, self.squadron: self.reach}

    @cached_property
    def _spots(self) -> list[Spot]:
        return [spot for squadron in self._reaches for spot in squadron.spots]

    def _in_command(self, course: int, far: int) -> int:
        """The farthest distance at which it, and at all shorter ones, is still led by its flagship."""
        if self._command is None:
            return far
        is_kept = self._command
        low, high = 0, far // STEP

        def is_led(steps: int) -> bool:
            return is_kept(displacement(steps * STEP, course))

        if not is_led(1):
            return 0
        if is_led(high):
            return far
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if is_led(middle) else (low, middle - 1)
        return low * STEP

    def _clear_of_rims(self, course: int, far: int) -> int:
        dx, dy = displacement(far, course)
        bodies = [body for body in self.table.bodies if body.kind in ("planet", "moon")]
        near = [
            (x, y)
            for x, y in self._spots
            if any(passes_nearer((x, y), (x + dx, y + dy), b.spot, b.radius + ROUNDING) for b in bodies)
        ]
        if not near:
            return far
        steps = range(STEP, far + 1, STEP)
        shut = next((step for step in steps if not is_clear(self.table, self._spots, displacement(step, course))), None)
        return far if shut is None else shut - STEP

    def end(self, course: int, far: int) -> Spot:
        """Where its leader would be."""
        assert self.squadron.leader is not None
        x, y = self.squadron.leader.spot
        dx, dy = displacement(far, course)
        return Spot(x + dx, y + dy)

    def is_narrowed_by(self, mate: Squadron) -> bool:
        """Whether a follower's arc cuts the courses of its own."""
        half = reach_of(self.table, mate).half
        return any(difference(course, mate.now.facing) > half for course in self.every())

    def dial(self) -> Mapping[int, float]:
        """Bearings and inches; courses on which it cannot move are left out."""
        return {course: far / INCH for course in sorted(self.every()) if (far := self.most(course))}

    def nearest(self, course: int, distance: int) -> tuple[int, int] | None:
        """The course nearest to a wanted one on which it can move, and how far up to the wanted distance."""
        for turn in range(0, ABOUT_FACE + 1, TURN if self.is_bound else 1):
            for sign in (1, -1):
                found = (course + sign * turn) % 360
                far = min(self.most(found), floored(max(distance, STEP)))
                if far:
                    return found, far
        return None

    # --- facings -----------------------------------------------------------------------------------------------------

    def facings(self, gone: Collection[int]) -> list[int]:
        """BS-MOV-3, BS-TF-4: every facing that stands after the moves of the letter."""
        mates = [o for o in self._others if isinstance(o.detail, Face | Form) and o.unit != self.unit]
        if not mates and not self.is_forming and all(reach.turn >= ABOUT_FACE for reach in self._reaches.values()):
            return list(range(360))
        tried = [facing for facing in range(0, 360, SWEEP) if self._faces(facing, gone)]
        if self.is_forming:
            return tried
        found = set(tried)
        for facing in tried:
            # Between two that stand all stand; beyond the last some more may.
            for sign in (1, -1):
                for turn in range(1, SWEEP):
                    beyond = (facing + sign * turn) % 360
                    if (facing + sign * SWEEP) % 360 not in found and not self._faces(beyond, gone):
                        break
                    found.add(beyond)
        return sorted(found)

    def _faces(self, facing: int, gone: Collection[int]) -> bool:
        order = Order(self.unit, "face", Face("bearing", facing), text=f"face {facing:03d}")
        return self.trial.stands((order,), gone)
