"""Chapter 4.3, thrust: speed changes, the pivots they need, and slides (BR-MOV-4, 5, 9, 11-13)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from games.broadsides.rules.craft import Craft, Fault, Plot, SlideOrder, turn_sign
from games.broadsides.state import Slide
from pbem.kit.hexgrid import turned

MOST_PIVOT = 3
BACKWARD = 3


@dataclass(frozen=True)
class Burn:
    """What the engines do before the first hex."""

    speed: int
    heading: int
    acceleration: int
    """A: thrust for speed and slide changes."""
    speed_thrust: int
    slide: Slide | None
    pivot: int
    pivot_hex: int
    """The hex from which the pivot's facing holds."""


def burn(craft: Craft, plot: Plot) -> Burn | Fault:
    """Speed, slide and pivot of a plot, or its first fault."""
    burned = _unlimited(craft, plot)
    if isinstance(burned, Burn) and burned.acceleration > _available(craft, burned.pivot):
        return _over_budget(craft, plot, burned.acceleration, _available(craft, burned.pivot))
    return burned


def _unlimited(craft: Craft, plot: Plot) -> Burn | Fault:
    """The burn of a plot, whatever thrust it needs."""
    fault = _pivot_fault(craft, plot) or _speed_fault(craft, plot)
    if fault:
        return fault
    pivot = plot.pivot or _braking_pivot(craft, plot)
    v = craft.speed + plot.change
    slide = _slide(craft, plot, v)
    if isinstance(slide, Fault):
        return slide
    speed_thrust = abs(plot.change) * craft.accel_cost
    a = speed_thrust + _slide_steps(craft, slide, v) * craft.accel_cost
    heading = craft.heading
    if craft.speed == 0 and plot.change > 0 and not craft.flight:
        heading = turned(craft.facing, pivot)
    return Burn(v, heading, a, speed_thrust, slide, pivot, _pivot_hex(craft, pivot, v))


def _pivot_hex(craft: Craft, pivot: int, v: int) -> int:
    """BR-MOV-11: a third of the turn for 60 degrees, half for more; none for gravitic ships."""
    if craft.gravitic or not pivot:
        return 0
    return -(-v // 3) if abs(pivot) == 1 else -(-v // 2)


def _available(craft: Craft, pivot: int) -> int:
    """BR-MOV-11: what a pivot leaves of the thrust for acceleration."""
    if not pivot or craft.gravitic:
        return craft.thrust
    return 2 * craft.thrust // 3 if abs(pivot) == 1 else craft.thrust // 2


# --- pivot and facing ------------------------------------------------------------------------------------------------


def _pivot_fault(craft: Craft, plot: Plot) -> Fault | None:
    kept = replace(plot, pivot=0)
    if abs(plot.pivot) > MOST_PIVOT:
        reason = f"a pivot of {abs(plot.pivot)} hexsides; at most {MOST_PIVOT} are possible"
        return Fault("BR-VAL-11", "pivot", reason, f"pivot port {MOST_PIVOT}", "the pivot is left out", kept)
    if plot.pivot and craft.turning and not craft.gravitic:
        reason = f"no pivot while a turn to {craft.turning.dir} is in progress ({craft.turning.left} hexes to serve)"
        return Fault("BR-VAL-11", "pivot", reason, "pivot when the turn is made", "the pivot is left out", kept)
    return None


def _facings_at_hand(craft: Craft, plot: Plot) -> list[int]:
    """The facings with which the engines may burn: before and after the pivot and the first snap pivots."""
    facings = [craft.facing, turned(craft.facing, plot.pivot)]
    if craft.agile:
        facing = craft.facing
        for token in plot.tokens or ():
            if token not in ("RP", "RS"):
                break
            facing = turned(facing, turn_sign(token))
            facings.append(facing)
    return facings


def _braking_pivot(craft: Craft, plot: Plot) -> int:
    """BR-MOV-12: braking without a pivot order turns the ship's stern to its way."""
    if plot.change >= 0 or craft.gravitic or craft.flight or plot.pivot:
        return 0
    backward = turned(craft.heading, BACKWARD)
    if backward in _facings_at_hand(craft, plot):
        return 0
    angle = (backward - craft.facing) % 6
    return angle if angle <= MOST_PIVOT else angle - 6


def _speed_fault(craft: Craft, plot: Plot) -> Fault | None:
    """BR-MOV-4, 9, 12: no speed below 0, none during a turn, none with the wrong facing."""
    if not plot.change:
        return None
    kept = replace(plot, change=0)
    if craft.turning and not craft.gravitic:
        reason = (
            f"speed {plot.change:+} while a turn to {craft.turning.dir} is in progress: "
            f"{craft.turning.left} hexes are still to serve"
        )
        return Fault("BR-VAL-7", "speed", reason, f"speed {craft.speed}", f"the speed stays {craft.speed}", kept)
    if craft.speed + plot.change < 0:
        reason = f"speed {plot.change:+} from {craft.speed} would fall below 0; the largest change is {-craft.speed}"
        stopped = replace(plot, change=-craft.speed)
        return Fault("BR-VAL-3", "speed", reason, f"speed -{craft.speed}", "speed 0", stopped)
    if craft.gravitic or craft.flight:
        return None
    return _facing_fault(craft, plot, kept)


def _facing_fault(craft: Craft, plot: Plot, kept: Plot) -> Fault | None:
    if plot.change > 0 and craft.speed == 0:
        return None
    if plot.change < 0 and not plot.pivot:
        return None
    needed = craft.heading if plot.change > 0 else turned(craft.heading, BACKWARD)
    if needed in _facings_at_hand(craft, plot):
        return None
    way = (needed - craft.facing) % 6
    pivot = f"pivot starboard {way}" if way <= MOST_PIVOT else f"pivot port {6 - way}"
    word = "accelerate" if plot.change > 0 else "brake"
    reason = f"cannot {word} with facing {craft.facing} and heading {craft.heading}: facing {needed} is needed"
    return Fault("BR-VAL-8", "speed", reason, pivot, f"the speed stays {craft.speed}", kept)


# --- slides ----------------------------------------------------------------------------------------------------------


def _carried_slide(craft: Craft, v: int) -> Slide | None:
    """BR-MOV-13: what lower speed forces away of a slide is free."""
    if craft.slide is None or v // 2 == 0:
        return None
    return Slide(craft.slide.side, min(craft.slide.n, v // 2))


def _slide(craft: Craft, plot: Plot, v: int) -> Slide | Fault | None:
    """BR-MOV-13: the slide in force after this turn's order."""
    order = plot.slide
    if order is None:
        return _carried_slide(craft, v)
    if order.side is None or order.n == 0:
        return None
    if order.n > v // 2:
        kept = SlideOrder(order.side, v // 2)
        reason = f"a slide of {order.n} at speed {v}; at most {v // 2} hexes may be slid"
        hint = f"slide {order.side} {v // 2}"
        return Fault("BR-VAL-10", "slide", reason, hint, f"{hint}, its steps last", replace(plot, slide=kept))
    return Slide(order.side, order.n)


def _slide_steps(craft: Craft, slide: Slide | None, v: int) -> int:
    """Steps started and stopped."""
    old = _carried_slide(craft, v)
    if old is None or slide is None or old.side == slide.side:
        return abs((slide.n if slide else 0) - (old.n if old else 0))
    return old.n + slide.n


# --- the budget ------------------------------------------------------------------------------------------------------


def _over_budget(craft: Craft, plot: Plot, needed: int, available: int) -> Fault:
    """BR-VAL-3: corrected to the largest legal change; a slide gives way only when no speed change is left."""
    mended = _largest_change(craft, plot)
    share = "" if available == craft.thrust else f" (of {craft.thrust}, the rest is lost to the pivot)"
    reason = f"the change needs {needed} thrust, available are {available}{share}"
    if mended.slide != plot.slide:
        n = mended.slide.n if mended.slide else 0
        return Fault("BR-VAL-3", "slide", f"{reason}; the largest slide is {n}", f"slide of {n}", f"slide {n}", mended)
    allowed = f"speed {mended.change:+}" if mended.change else "no speed change"
    verb = "speed" if plot.change else "slide"
    return Fault("BR-VAL-3", verb, f"{reason}; the largest legal change is {mended.change:+}", allowed, allowed, mended)


def _largest_change(craft: Craft, plot: Plot) -> Plot:
    sign = 1 if plot.change > 0 else -1
    for size in range(abs(plot.change) - 1, -1, -1):
        smaller = replace(plot, change=sign * size)
        if _is_affordable(craft, smaller):
            return smaller
    still = replace(plot, change=0)
    n = still.slide.n if still.slide else 0
    while n > 0 and still.slide:
        n -= 1
        smaller = replace(still, slide=SlideOrder(still.slide.side, n))
        if _is_affordable(craft, smaller):
            return smaller
    return replace(still, slide=None)


def _is_affordable(craft: Craft, plot: Plot) -> bool:
    burned = _unlimited(craft, plot)
    return isinstance(burned, Burn) and burned.acceleration <= _available(craft, burned.pivot)
