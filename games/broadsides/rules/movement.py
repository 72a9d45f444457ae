"""Chapter 4.3, the manoeuvre check: a plot is flown exactly when the rules allow it, else corrected fault by fault."""

from __future__ import annotations

from dataclasses import dataclass, replace

from games.broadsides.rules.burn import Burn, burn
from games.broadsides.rules.craft import (
    LOST_SIDE_DELAY,
    TURNS,
    Course,
    Craft,
    Fault,
    Ground,
    Plot,
    is_step,
    side_of,
    steps_in,
    straight,
    turn_sign,
    with_slides_last,
    without,
    without_turn,
    write_tokens,
)
from games.broadsides.rules.measure import measure
from games.broadsides.state import Slide, Turning
from pbem.kit.hexgrid import Hex, neighbour, turned
from pbem.kit.records import shared

MOST_CORRECTIONS = 200


def check(craft: Craft, plot: Plot, ground: Ground) -> tuple[Course, tuple[Fault, ...]]:
    """Fly the plot; each fault is corrected as section 7 says, and the corrected plot tried again."""
    faults: list[Fault] = []
    for _ in range(MOST_CORRECTIONS):
        tried = attempt(craft, plot, ground)
        if isinstance(tried, Course):
            return tried, tuple(faults)
        if not _is_consequence(tried, faults):
            faults.append(tried)
        plot = tried.plot
    raise AssertionError(f"the plot of {craft.name} cannot be corrected: {plot}")


def _is_consequence(fault: Fault, earlier: list[Fault]) -> bool:
    """A path that only fails to fit a corrected speed or slide is mended without a further complaint."""
    mended = any(before.verb in ("speed", "slide", "pivot") for before in earlier)
    return mended and fault.rule in ("BR-VAL-9", "BR-VAL-10")


def attempt(craft: Craft, plot: Plot, ground: Ground) -> Course | Fault:
    """The course of a legal plot, or its first fault."""
    burned = burn(craft, plot)
    if isinstance(burned, Fault):
        return burned
    fault = measure(plot, burned)
    if fault:
        return fault
    return _Walk(craft, plot, burned, ground).course()


@dataclass
class _Turn:
    """A turn in progress: where its delay is served, and the last legal turn point."""

    sign: int
    ready: int
    latest: int


class _Walk:
    """Follows the tokens hex by hex."""

    def __init__(self, craft: Craft, plot: Plot, burned: Burn, ground: Ground) -> None:
        self.craft, self.plot, self.ground = craft, plot, ground
        self.v, self.a = burned.speed, burned.acceleration
        self.slide, self.pivot = burned.slide, burned.pivot
        self.pivot_hex = burned.pivot_hex
        self.heading, self.facing = burned.heading, craft.facing
        self.d0 = craft.base_delay(self.v)
        self.spent = self.a
        self.delays = 0
        self.turned_toward = 0
        self.launch_turn = craft.launching
        self.hexes: list[Hex] = [craft.position]
        self.directions: list[int] = []
        self.facings: list[int] = []
        self.snapped = -1
        self.free_from = 0
        """The first hex of the path from which a turn may be declared."""
        self.turn: _Turn | None = None
        self.pivoted = self.pivot == 0
        if craft.turning:
            late = burned.speed_thrust if craft.gravitic else 0
            self._begin(-1 if craft.turning.dir == "port" else 1, craft.turning.left + late)
            # BR-MOV-15: a snap pivot during a turn holds until the turn point, in the next game turn too.
            self.facing = craft.facing if craft.agile else self.facing

    @property
    def at(self) -> int:
        """Hexes moved so far."""
        return len(self.directions)

    def delay(self, index: int) -> int:
        """BR-MOV-6: D = D0 + A + 2 for each lost side; halved in air."""
        if self.launch_turn:
            return 0
        full = self.d0 + self.a + LOST_SIDE_DELAY * self.craft.lost_sides
        return -(-full // 2) if self.ground.air.get(self.hexes[index], 0) else full

    def parts(self) -> str:
        lost = LOST_SIDE_DELAY * self.craft.lost_sides
        extra = f" + {self.a} acceleration" * bool(self.a) + f" + {lost} lost sides" * bool(lost)
        return f"{self.d0} base{extra}" + ", halved in air" * bool(self.ground.air.get(self.hexes[-1], 0))

    # --- the way through the tokens

    def course(self) -> Course | Fault:
        eager = self.plot.tokens is None
        tokens = straight(self.v, self.slide) if self.plot.tokens is None else self.plot.tokens
        for index, token in enumerate(tokens):
            self._pivot_if_due()
            fault = self._take(index, token, tokens, eager=eager)
            if fault:
                return fault
        self._pivot_if_due()
        if self.turn and self.at >= (self.turn.ready if eager else self.turn.latest) and self.turn.ready <= self.v:
            self._complete(plus=False)
        return self._finish()

    def _take(self, index: int, token: str, tokens: tuple[str, ...], *, eager: bool) -> Fault | None:
        if is_step(token):
            return self._due_turn(index, tokens, eager=eager) or self._step(token, drifting=eager)
        if token in TURNS:
            return self._turn_point(index, token, tokens)
        if token in ("DP", "DS"):
            return self._declare(index, token, tokens)
        return self._snap(index, token, tokens)

    def _step(self, token: str, *, drifting: bool) -> Fault | None:
        way = {"F": 0, "LP": -1, "LS": 1}[token]
        direction = turned(self.heading, way)
        entered = neighbour(self.hexes[-1], direction)
        why = "" if drifting else self.ground.forbidden(entered, self.craft.rating)
        self.hexes.append(entered)
        self.directions.append(direction)
        self.facings.append(self.facing)
        if why and self.ground.on_map(entered):
            reason = f"hex {self.at} of the path, {_written(entered)}, is {why}"
            hint = "plot around it"
            instead = "straight flight at the same speed"
            return Fault("BR-VAL-14", "path", reason, hint, instead, replace(self.plot, tokens=None))
        return None

    def _pivot_if_due(self) -> None:
        """BR-MOV-11: the new facing holds from its hex on."""
        if not self.pivoted and self.at >= self.pivot_hex:
            self.facing = turned(self.facing, self.pivot)
            self.pivoted = True

    # --- turns

    def _begin(self, sign: int, delay: int) -> None:
        ready = self.at + delay
        self.turn = _Turn(sign, ready, ready + max(0, self.v - ready) // 2)
        if not self.craft.gravitic and not self.craft.flight:
            self.facing = turned(self.heading, 2 * sign)

    def _complete(self, *, plus: bool) -> None:
        """BR-MOV-7, BR-MOV-10: the heading changes by 60 degrees, and the facing with it."""
        assert self.turn is not None
        sign = self.turn.sign
        self.heading = turned(self.heading, sign)
        extra = sign if plus else 0
        self.facing = turned(self.facing, sign + extra) if self.craft.gravitic else turned(self.heading, extra)
        self.turn, self.free_from = None, self.at

    def _due_turn(self, index: int, tokens: tuple[str, ...], *, eager: bool) -> Fault | None:
        """BR-MOV-8: at the last legal hex a declared turn is made, ordered or not."""
        turn = self.turn
        if turn is None or self.at < (turn.ready if eager else turn.latest):
            return None
        late = next((n for n in range(index, len(tokens)) if tokens[n] in TURNS), None)
        if eager or late is None or turn_sign(tokens[late]) != turn.sign:
            self._complete(plus=False)
            return None
        moved = (*tokens[:index], tokens[late], *tokens[index:late], *tokens[late + 1 :])
        asked = steps_in(tokens[:late])
        reason = (
            f"the turn point to {side_of(turn.sign)} stands at hex {asked}; the delay is served at hex {turn.ready}, "
            f"and half of the {self.v - turn.ready} hexes then left makes hex {turn.latest} the latest"
        )
        instead = f"it turns at hex {turn.latest}: {write_tokens(moved)}"
        return Fault("BR-VAL-6", "path", reason, write_tokens(moved), instead, replace(self.plot, tokens=moved))

    def _complete_last_chance(self) -> None:
        """BR-MOV-7: the next turn may be declared where the last one is made; here it can wait no longer."""
        if self.turn is not None and self.turn.ready <= self.v and self.at >= self.turn.latest:
            self._complete(plus=False)

    def _turn_point(self, index: int, token: str, tokens: tuple[str, ...]) -> Fault | None:
        if self.craft.flight and token.endswith("+"):
            plain = (*tokens[:index], token[0], *tokens[index + 1 :])
            return self._drop("BR-VAL-12", f"a flight cannot finish a turn pivoted ({token})", plain)
        if self.turn is not None and turn_sign(token) != self.turn.sign:
            self._complete_last_chance()
        if self.turn is None:
            return self._implicit(index, token, tokens)
        if turn_sign(token) != self.turn.sign:
            return self._second(index, token, tokens)
        if self.at < self.turn.ready:
            return self._too_early(index, tokens, self.at, self.turn.ready)
        self._complete(plus=token.endswith("+"))
        return None

    def _implicit(self, index: int, token: str, tokens: tuple[str, ...]) -> Fault | None:
        """BR-MOV-8: declared at the latest hex from which its delay is served here."""
        if self.v == 0:
            return self._drop("BR-VAL-5", "at speed 0 there are no turns, only pivots", without(tokens, index))
        declared = next(
            (j for j in range(self.at, self.free_from - 1, -1) if self.at - j >= self.delay(j)),
            None,
        )
        if declared is None:
            first = min(j + self.delay(j) for j in range(self.free_from, self.at + 1))
            return self._too_early(index, tokens, self.at - self.free_from, first)
        if self.pivot and declared < self.pivot_hex:
            return self._pivot_in_the_way(declared)
        fault = self._pay(index, token, tokens, declared)
        if fault:
            return fault
        sign = turn_sign(token)
        self._turned_facing(declared, sign)
        self.turn = _Turn(sign, self.at, self.at)
        self._complete(plus=token.endswith("+"))
        return None

    def _turned_facing(self, declared: int, sign: int) -> None:
        """BR-MOV-10: between declaration and turn point the bow points past the new heading."""
        if self.craft.gravitic or self.craft.flight:
            return
        for step in range(max(declared, self.snapped), self.at):
            self.facings[step] = turned(self.heading, 2 * sign)

    def _declare(self, index: int, token: str, tokens: tuple[str, ...]) -> Fault | None:
        self._complete_last_chance()
        if self.turn is not None:
            return self._second(index, token, tokens)
        if self.v == 0:
            return self._drop("BR-VAL-5", "at speed 0 there are no turns, only pivots", without(tokens, index))
        if self.pivot and self.at < self.pivot_hex:
            return self._pivot_in_the_way(self.at)
        delay = self.delay(self.at)
        fault = self._pay(index, token, tokens, self.at)
        if fault:
            return fault
        self._begin(turn_sign(token), delay)
        return None

    def _pay(self, index: int, token: str, tokens: tuple[str, ...], declared: int) -> Fault | None:
        """BR-MOV-6, 14, 19: a turn costs D0, less toward a slide, more away from it."""
        cost = 0 if self.launch_turn else self.turn_cost(turn_sign(token))
        if self.spent + cost > self.craft.thrust:
            kept = without(tokens, index)
            if token in ("DP", "DS"):
                kept = without_turn(kept, index, turn_sign(token))
            reason = (
                f"the turn to {side_of(turn_sign(token))} at hex {self.at} {_written(self.hexes[-1])} "
                f"costs {cost} thrust; "
                f"with the {self.spent} spent before that is {self.spent + cost}, available are {self.craft.thrust}"
            )
            return self._drop("BR-VAL-4", reason, kept)
        self.spent += cost
        self.delays += self.delay(declared)
        if self.slide and (self.slide.side == "port") == (turn_sign(token) < 0):
            self.turned_toward += 1
        self.launch_turn = False
        return None

    def turn_cost(self, sign: int) -> int:
        if not self.slide:
            return self.d0
        toward = (self.slide.side == "port") == (sign < 0)
        return max(0, self.d0 - self.craft.accel_cost) if toward else self.d0 + self.craft.accel_cost

    # --- snap pivots

    def _snap(self, index: int, token: str, tokens: tuple[str, ...]) -> Fault | None:
        """BR-MOV-15: one thrust for 60 degrees."""
        if not self.craft.agile or self.craft.flight:
            reason = f"{token} is a snap pivot; only agile ships make them"
            return self._drop("BR-VAL-12", reason, tuple(kept for kept in tokens if kept not in ("RP", "RS")))
        if self.spent + 1 > self.craft.thrust:
            reason = (
                f"the snap pivot at hex {self.at} {_written(self.hexes[-1])} costs 1 thrust; "
                f"with the {self.spent} spent before that is {self.spent + 1}, available are {self.craft.thrust}"
            )
            return self._drop("BR-VAL-4", reason, without(tokens, index))
        self.spent += 1
        self.facing = turned(self.facing, turn_sign(token))
        self.snapped = self.at
        return None

    # --- faults

    def _drop(self, rule: str, reason: str, kept: tuple[str, ...]) -> Fault:
        """The token alone is taken out of the path."""
        text = write_tokens(kept)
        return Fault(rule, "path", reason, text, f"it is left out: {text}", replace(self.plot, tokens=kept))

    def _second(self, index: int, token: str, tokens: tuple[str, ...]) -> Fault:
        assert self.turn is not None
        to_go = max(0, self.turn.ready - self.at)
        reason = (
            f"{token} at hex {self.at}: a turn to {side_of(self.turn.sign)} is in progress with {to_go} hexes "
            "to serve, it can be neither abandoned nor doubled"
        )
        return self._drop("BR-VAL-13", reason, without(tokens, index))

    def _pivot_in_the_way(self, declared: int) -> Fault:
        reason = (
            f"the turn is declared at hex {declared}, but the pivot of {60 * abs(self.pivot)} degrees "
            f"lasts until hex {self.pivot_hex}"
        )
        hint = f"declare the turn at hex {self.pivot_hex} or later"
        plot = replace(self.plot, pivot=0)
        if not self.plot.pivot:
            # The pivot was the rotation of a braking ship: without it the speed cannot change.
            return Fault("BR-VAL-11", "speed", reason, hint, "the speed is kept", replace(plot, change=0))
        return Fault("BR-VAL-11", "pivot", reason, hint, "the pivot is left out", plot)

    def _too_early(self, index: int, tokens: tuple[str, ...], served: int, first: int) -> Fault:
        token = tokens[index]
        needed = served + first - self.at
        reason = (
            f"the turn to {side_of(turn_sign(token))} at hex {self.at} {_written(self.hexes[-1])} needs {needed} hexes "
            f"({self.parts()}), {served} are served; the first legal hex is {first}"
        )
        kept = (*tokens[:index], *("F",) * (self.v - self.at))
        kept = with_slides_last(kept, self.slide)
        plot = replace(self.plot, tokens=kept)
        hint = self._later(index, tokens, first)
        return Fault("BR-VAL-5", "path", reason, hint, f"straight on from there: {write_tokens(kept)}", plot)

    def _later(self, index: int, tokens: tuple[str, ...], first: int) -> str:
        """The nearest legal plot with the same turn: later in this path, or declared now and carried over."""
        letter = tokens[index]
        if first <= self.v:
            wait = first - self.at
            later = (*tokens[:index], *("F",) * wait, letter, *("F",) * (self.v - first))
        elif self.turn is not None:
            return f"leave the turn point out; {first - self.v} hexes remain for the next turn"
        else:
            later = (*tokens[:index], "D" + letter[0], *("F",) * (self.v - self.at))
        later = with_slides_last(later, self.slide)
        if isinstance(attempt(self.craft, replace(self.plot, tokens=later), self.ground), Fault):
            return "fly straight on"
        carried = "" if first <= self.v else "; it is carried over to the next turn"
        return write_tokens(later) + carried

    # --- the end

    def _finish(self) -> Course:
        left = self.slide
        if left and self.turned_toward:
            left = Slide(left.side, left.n - self.turned_toward) if left.n > self.turned_toward else None
        turning = None
        if self.turn is not None:
            turning = Turning(side_of(self.turn.sign), max(0, self.turn.ready - self.v))
        end = replace(
            self.craft,
            position=self.hexes[-1],
            heading=self.heading,
            facing=self.heading if self.craft.flight else self.facing,
            speed=self.v,
            slide=left,
            turning=turning,
        )
        return Course(
            **shared(Craft, end),
            plot=self.plot,
            hexes=tuple(self.hexes),
            directions=tuple(self.directions),
            facings=tuple(self.facings),
            acceleration=self.a,
            spent=self.spent,
            delays=self.delays,
        )


def _written(at: Hex) -> str:
    return f"({at.q},{at.r})"
