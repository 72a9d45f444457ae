"""The checks of section 7, ship by ship: what an order may ask, and what remains of it when it asks too much."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from games.galleys.data import TABLES
from games.galleys.orders.intent_checks import IntentChecks
from games.galleys.orders.path_checks import PathChecks
from games.galleys.orders.plans import (
    STANDS,
    Disengage,
    Else,
    Fire,
    FlameAt,
    Intent,
    Move,
    Order,
    Path,
    Plan,
    ShipOrders,
    Speed,
)
from games.galleys.rules.battle import Battle
from games.galleys.rules.missiles import has_flame, points_available
from games.galleys.rules.own_fire import shares
from games.galleys.rules.speed import cap_reason, capped, highest_rise, movement_points
from games.galleys.state import Level, Ship, State
from pbem.kit.dice import LoadedDice

DROPPED = "the line is dropped for this ship"


@dataclass(frozen=True)
class Entry:
    """An order with the line it stands on."""

    line: int
    order: Order


@dataclass(frozen=True)
class Draft:
    """What reaches one ship, before it is checked."""

    plan_from: str = ""
    speed: Entry | None = None
    way: Entry | None = None
    fallback: Entry | None = None
    intents: tuple[Entry, ...] = ()
    fire: Entry | None = None
    flame: Entry | None = None
    jettison: Entry | None = None
    disengage: Entry | None = None
    board: Entry | None = None

    def entries(self) -> list[Entry]:
        singles = (
            self.speed,
            self.way,
            self.fallback,
            self.fire,
            self.flame,
            self.jettison,
            self.disengage,
            self.board,
        )
        return [entry for entry in (*singles, *self.intents) if entry]


@dataclass(frozen=True)
class Complaint:
    """Something about one line for one ship."""

    line: int
    ship: str
    rule: str
    reason: str
    hint: str
    instead: str


@dataclass(frozen=True)
class Means:
    """What a ship has for its activation if nothing happens before it."""

    level: Level
    points: int
    """Movement points of the level, a jettison at Maximum included."""
    overhead: int
    """MP that jettison and an ordered disengage will take."""
    jettison: bool
    disengages: bool


class Checker:
    """Checks the drafts of one side and keeps what it found."""

    def __init__(
        self,
        state: State,
        side: str,
        activate: tuple[str, ...] | None,
        sequences: Mapping[str, tuple[str, ...]],
    ) -> None:
        self.state = state
        self.side = side
        # The table as it stands at the start of the turn; nothing is ever rolled on it.
        self.battle = Battle(state, {}, LoadedDice())
        self.activate = activate if activate is not None else state.fleet(side).activate_list
        self.sequences = sequences
        self.complaints: list[Complaint] = []
        self.meant_for: dict[int, set[str]] = {}
        self.refused: dict[int, set[str]] = {}
        self.cuts: dict[int, str] = {}
        self.paths = PathChecks(self)
        self.attacks = IntentChecks(self)

    # --- complaints --------------------------------------------------------------------------------------------------

    def refuse(self, entry: Entry, ship: Ship, rule: str, reason: str, hint: str = "", instead: str = DROPPED) -> None:
        """An error: the line is no order of this ship."""
        self.drop(entry, ship)
        self.complain(entry, ship, rule, reason, hint, instead)

    def drop(self, entry: Entry, ship: Ship) -> None:
        self.refused.setdefault(entry.line, set()).add(ship.name)

    def warn(self, entry: Entry, ship: Ship, rule: str, reason: str, hint: str = "", instead: str = STANDS) -> None:
        self.complain(entry, ship, rule, reason, hint, instead)

    def complain(self, entry: Entry, ship: Ship, rule: str, reason: str, hint: str, instead: str) -> None:
        self.complaints.append(Complaint(entry.line, ship.name, rule, reason, hint, instead))

    # --- routed squadrons --------------------------------------------------------------------------------------------

    def is_routed(self, ship: Ship) -> bool:
        return self.state.squadron(ship.squadron).routed

    def warn_routed(self, ship: Ship, entries: Sequence[Entry]) -> None:
        """GA-VAL-29."""
        for entry in entries:
            reason = f"{ship.squadron} is routed: withdraws, whatever is ordered"
            self.warn(entry, ship, "GA-VAL-29", reason, instead=f"{STANDS}, but is not carried out")

    # --- one ship ----------------------------------------------------------------------------------------------------

    def check(self, ship: Ship, draft: Draft) -> ShipOrders:
        """All checks of one ship; what remains is what it will try to do."""
        for entry in draft.entries():
            self.meant_for.setdefault(entry.line, set()).add(ship.name)
        level = self._level(ship, draft)
        jettison = self._jettison(ship, draft, level)
        disengage = self._disengage(ship, draft)
        means = self._means(ship, level, disengage, jettison=jettison)
        fire, flame = self._fire(ship, draft), self._flame(ship, draft, means)
        self._board(ship, draft)
        fire, flame = self._fire_or_flame(ship, draft, fire, flame)
        plan = self._plan(ship, draft, means) if draft.plan_from else None
        board = draft.board.order if draft.board else None
        return ShipOrders(plan, fire, flame, jettison, disengage, board)  # type: ignore[arg-type]

    def _level(self, ship: Ship, draft: Draft) -> Level:
        """GA-VAL-8, -9: the level that will be used; a refused speed leaves Cruise."""
        level = Level.CRUISE
        entry = draft.speed
        if entry and isinstance(entry.order, Speed):
            level = entry.order.level
            highest = highest_rise(ship.last_level)
            if level.rank > highest.rank:
                reason = f"last level {ship.last_level}, ordered {level}: a rise of more than two steps"
                self.refuse(entry, ship, "GA-VAL-8", reason, f"highest legal level: {highest}", "cruise is used")
                level = Level.CRUISE
            used = capped(ship, level)
            if used is not level and entry.line in self.meant_for and ship.name not in self.refused.get(entry.line, ()):
                reason = f"{cap_reason(ship)}: {level} is above the cap, {used} will be used"
                self.warn(entry, ship, "GA-VAL-9", reason, f"speed {used}", f"{STANDS} at {used}")
        return capped(ship, level)

    def _means(self, ship: Ship, level: Level, disengage: Disengage | None, *, jettison: bool) -> Means:
        lightened = replace(ship, jettisoned=ship.jettisoned or jettison)
        points = movement_points(lightened, self.state.class_of(ship), level, self.state.switches)
        overhead = TABLES.movement.jettison if jettison else 0
        held = bool(self.state.partners(ship.name))
        if held and disengage:
            overhead += min(TABLES.disengage.cost, points - overhead)
        doctrine = self.battle.doctrine(ship.name, "disengage")
        weaker = ship.marines <= sum(self.state.ship(name).marines for name in self.state.partners(ship.name))
        by_doctrine = doctrine == "always" or (doctrine == "unless stronger" and weaker)
        return Means(level, points, overhead, jettison, bool(disengage) or by_doctrine)

    def _jettison(self, ship: Ship, draft: Draft, level: Level) -> bool:
        """GA-VAL-25."""
        entry = draft.jettison
        if entry is None:
            return False
        points = movement_points(ship, self.state.class_of(ship), level, self.state.switches)
        conditions = (
            (not ship.towers, "it has no towers"),
            (ship.rammed, "it is rammed"),
            (ship.prize, "it is a prize"),
            (points < TABLES.movement.jettison, f"it has {points} MP, a jettison takes {TABLES.movement.jettison}"),
        )
        for true, reason in conditions:
            if true:
                self.refuse(entry, ship, "GA-VAL-25", reason)
                return False
        return True

    def _disengage(self, ship: Ship, draft: Draft) -> Disengage | None:
        """GA-VAL-26."""
        entry = draft.disengage
        if entry is None or not isinstance(entry.order, Disengage):
            return None
        order, partners = entry.order, self.state.partners(ship.name)
        links = ", ".join(partners) or "none"
        strangers = [name for name in order.names if name not in partners]
        if strangers:
            reason = f"no link with {', '.join(strangers)}; links that exist: {links}"
            named = tuple(name for name in order.names if name in partners)
            if named:
                self.complain(entry, ship, "GA-VAL-26", reason, "", "that name is dropped, the rest stands")
                return replace(order, names=named)
            self.refuse(entry, ship, "GA-VAL-26", reason)
            return None
        if not partners:
            self.warn(entry, ship, "GA-VAL-26", f"it is held by nobody; links that exist: {links}")
        return order

    def _board(self, ship: Ship, draft: Draft) -> None:
        """GA-VAL-27."""
        entry = draft.board
        if entry is None:
            return
        partners = self.state.partners(ship.name)
        name = getattr(entry.order, "name", "")
        if name not in partners:
            links = ", ".join(partners) or "none"
            reason = f"no link with {name} now; links that exist: {links}"
            self.warn(entry, ship, "GA-VAL-27", reason, "grapple first", f"{STANDS}; a grapple this turn may make one")

    # --- fire --------------------------------------------------------------------------------------------------------

    def _fire(self, ship: Ship, draft: Draft) -> Fire | None:
        """GA-VAL-22."""
        entry = draft.fire
        if entry is None or not isinstance(entry.order, Fire):
            return None
        order = entry.order
        if not order.shots:
            return order
        available = points_available(self.battle, ship)
        ordered = sum(shot.points or 0 for shot in order.shots)
        given = shares(order.shots, available)
        if not available:
            self.refuse(entry, ship, "GA-VAL-22", "it has no missile points: available 0", "fire none")
        elif ordered > available:
            hint = f"at most {available} in all"
            self.refuse(entry, ship, "GA-VAL-22", f"ordered {ordered} points, available {available}", hint)
        elif 0 in given:
            reason = f"{len(order.shots)} targets, available {available}: a share of 0"
            self.refuse(entry, ship, "GA-VAL-22", reason, f"at most {available} targets")
        else:
            return order
        return None

    def _flame(self, ship: Ship, draft: Draft, means: Means) -> FlameAt | None:
        """GA-VAL-24."""
        entry = draft.flame
        if entry is None or not isinstance(entry.order, FlameAt):
            return None
        conditions = (
            (not self.state.switches.flame_missiles, "the switch flame_missiles is off in this scenario"),
            (not ship.flame, "it has no flame missiles"),
            (not ship.towers, "it has no towers"),
            (means.jettison, "its towers are jettisoned in the same orders"),
            (not has_flame(self.battle, ship), "it cannot throw flame"),
        )
        for true, reason in conditions:
            if true:
                self.refuse(entry, ship, "GA-VAL-24", reason)
                return None
        return entry.order

    def _fire_or_flame(
        self, ship: Ship, draft: Draft, fire: Fire | None, flame: FlameAt | None
    ) -> tuple[Fire | None, FlameAt | None]:
        """GA-VAL-23: the later of the two is dropped."""
        if not (fire and flame and draft.fire and draft.flame):
            return fire, flame
        later = max(draft.fire, draft.flame, key=lambda entry: entry.line)
        self.refuse(later, ship, "GA-VAL-23", "both a fire and a flame order are given; the later is dropped")
        return (None, flame) if later is draft.fire else (fire, None)

    # --- the plan ----------------------------------------------------------------------------------------------------

    def _plan(self, ship: Ship, draft: Draft, means: Means) -> Plan:
        path, move = None, None
        if draft.way and isinstance(draft.way.order, Path):
            path = self.paths.checked(draft.way, ship, draft.way.order, means)
            if path is not None and draft.way.order.unit == ship.name and path != draft.way.order.tokens:
                self.cuts[draft.way.line] = path
        elif draft.way and isinstance(draft.way.order, Move):
            move = self._move(draft.way, ship, draft.way.order, means)
        fallback = self._fallback(draft.fallback, ship, means)
        plan = Plan(means.level, path, move, fallback)
        intents = [
            entry.order
            for entry in draft.intents
            if isinstance(entry.order, Intent) and self.attacks.stands(entry, ship, entry.order, draft, means)
        ]
        plan = replace(plan, intents=tuple(intents))
        self.paths.warn_ram(ship, draft, plan, means)
        return plan

    def _fallback(self, entry: Entry | None, ship: Ship, means: Means) -> Path | Move | None:
        if entry is None or not isinstance(entry.order, Else):
            return None
        what = entry.order.what
        if isinstance(what, Move):
            return self._move(entry, ship, what, means)
        tokens = self.paths.checked(entry, ship, what, means)
        return None if tokens is None else replace(what, tokens=tokens)

    def _move(self, entry: Entry, ship: Ship, move: Move, means: Means) -> Move | None:
        if move.verb == "hold":
            return move
        if move.verb == "follow" and move.target.name == ship.name:
            self.refuse(entry, ship, "GA-VAL-31", f"{ship.name} cannot follow itself", "follow another ship")
            return None
        return move if self.paths.may_move(entry, ship, means) else None
