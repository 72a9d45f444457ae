"""FA-MOV: plotting a squadron's path and the manoeuvre check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from games.fleet_action.data import TABLES, Manoeuvre
from games.fleet_action.rules.plotting import BAR, HEXES, SLIPS, TURNS, Class, Plot, Token, chart_hexes
from games.fleet_action.state import PULSES, Ship, Squadron
from games.fleet_action.table import Table

Row = Literal["ca", "ht", "cc", "tn", "acc", "dec"]
ROWS: tuple[Row, ...] = ("ca", "ht", "cc", "tn", "acc", "dec")
CHANGES: tuple[Row, ...] = ("acc", "dec")
WRONG_TOTAL = "FA-E-7"
COMBINABLE = ("maintain", "turn", "hard_turn")
CLASS_NAMES = {
    "maintain": "maintain course",
    "turn": "turn",
    "hard_turn": "hard turn",
    "course_correct": "course correction",
    "come_about": "come about",
}
# FA-MOV-18: wider rows cover narrower manoeuvres; the first is the row that names the manoeuvre.
_ROWS: dict[Class, tuple[Row, ...]] = {
    "turn": ("tn", "ht", "ca"),
    "hard_turn": ("ht", "ca"),
    "course_correct": ("cc", "ht"),
    "come_about": ("ca",),
}
# FA-MOV-19: manoeuvres of fewer turns, the widest first.
_NARROWER: dict[Class, tuple[Class, ...]] = {
    "come_about": ("hard_turn", "turn"),
    "hard_turn": ("turn",),
    "course_correct": ("turn",),
    "turn": (),
}


# --- limits ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Limits:
    """FA-MOV-4: what a squadron may do, the least of its ships; and the first ship that holds it back."""

    rows: Manoeuvre
    acceleration: tuple[int, int, int]
    """The largest that takes effect in pulse 1, 2, 3 (FA-MOV-5)."""
    deceleration: tuple[int, int, int]
    limiting: Mapping[str, str]
    """Row to the first ship in roster order with the least value; of speed changes, row and pulse."""
    combine: tuple[str, ...]
    """Classes that may be combined with a speed change (FA-MOV-12)."""
    not_combining: Mapping[str, str]
    """Class to the first ship that may not combine it."""


def row_of(table: Table, ship: Ship, row: Row) -> int:
    """The current value of a row: damaged, and halved while a large ship is held (FA-SPC-8)."""
    value: int = getattr(ship.man_left, row)
    held = table.ships.get(ship.holding) if ship.holding else None
    if held is not None and table.card(held).category in ("capital", "enormous"):
        return -(-value // 2)
    return value


def late_limit(table: Table, ship: Ship, row: Row, pulse: int) -> int:
    """FA-MOV-5: the largest speed change of a ship that takes effect in this pulse."""
    gravitic = table.card(ship).gravitic
    lost = TABLES.late_change_gravitic if gravitic else TABLES.late_change
    return max(0, row_of(table, ship, row) - lost * (pulse - 1))


_SMALLER = {"enormous": "capital", "capital": "heavy", "heavy": "medium", "medium": "medium"}


def combinations(table: Table, ship: Ship) -> tuple[str, ...]:
    """FA-MOV-12: the classes this ship may combine with a speed change."""
    card = table.card(ship)
    if card.accel_with is not None:
        return card.accel_with
    category = _SMALLER[card.category] if card.gravitic else card.category
    return TABLES.accel_with[category]


def limits(table: Table, squadron: Squadron) -> Limits:
    """FA-MOV-4: the least of every row over the ships of the squadron."""
    ships = table.members(squadron)
    slowest = {row: min(ships, key=lambda ship: row_of(table, ship, row)) for row in ROWS}
    latest = {
        (row, pulse): min(ships, key=lambda ship: late_limit(table, ship, row, pulse))
        for row in CHANGES
        for pulse in PULSES
    }
    late = {place: late_limit(table, ship, *place) for place, ship in latest.items()}
    refusing = {
        word: next((ship for ship in ships if word not in combinations(table, ship)), None) for word in COMBINABLE
    }
    return Limits(
        rows=Manoeuvre(**{row: row_of(table, ship, row) for row, ship in slowest.items()}),
        acceleration=(late["acc", 1], late["acc", 2], late["acc", 3]),
        deceleration=(late["dec", 1], late["dec", 2], late["dec", 3]),
        limiting={
            **{row: ship.name for row, ship in slowest.items()},
            **{f"{row}{pulse}": ship.name for (row, pulse), ship in latest.items()},
        },
        combine=tuple(word for word, ship in refusing.items() if ship is None),
        not_combining={
            word: f"{ship.name} ({table.card(ship).category})" for word, ship in refusing.items() if ship is not None
        },
    )


def row_limit(of: Limits, manoeuvre: Class) -> int:
    """FA-MOV-9, 18, 19: the highest speed of a manoeuvre."""
    limit: int = max(getattr(of.rows, row) for row in _ROWS[manoeuvre])
    return limit


def governing_row(of: Limits, manoeuvre: Class) -> Row:
    """FA-MOV-19: the row that decides, the manoeuvre's own where rows are equal."""
    return max(_ROWS[manoeuvre], key=lambda row: getattr(of.rows, row))


# --- the check -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SpeedChange:
    """FA-MOV-3: a change asked for, and the pulse it takes effect in."""

    delta: int
    pulse: int = 1


@dataclass(frozen=True)
class Fault:
    """Why a speed change or path cannot stand."""

    code: str
    reason: str
    hint: str = ""


def speeds(present: int, change: SpeedChange) -> tuple[int, int, int]:
    """FA-MOV-3: the old speed before the pulse of the change, the new one from it on."""
    a, b, c = (present + (change.delta if pulse >= change.pulse else 0) for pulse in PULSES)
    return a, b, c


def largest_change(present: int, change: SpeedChange, of: Limits) -> int:
    """FA-MOV-5, FA-MOV-15 step 2: the largest change of this kind in this pulse; slowing is negative."""
    if change.delta > 0:
        return of.acceleration[change.pulse - 1]
    return -min(of.deceleration[change.pulse - 1], present)


def check_speed(present: int, change: SpeedChange, of: Limits) -> Fault | None:
    """FA-MOV-15 step 2: the size of a speed change."""
    if change.delta == 0:
        return None
    speeding = change.delta > 0
    row, each = ("acc", of.acceleration) if speeding else ("dec", of.deceleration)
    limit = each[change.pulse - 1]
    largest = abs(largest_change(present, change, of))
    if abs(change.delta) <= largest:
        return None
    ship = of.limiting[f"{row}{change.pulse}"]
    kind = "acceleration" if speeding else "deceleration"
    reason = f"{kind} of {abs(change.delta)} asked, the limit is {limit} ({ship})"
    if change.pulse > 1:
        reason += f"; {each[0]} in pulse 1, less when it takes effect in pulse {change.pulse}"
    if not speeding and abs(change.delta) > present:
        reason += f"; the speed is {present} and cannot fall below 0"
    sign = "+" if speeding else "-"
    hint = f"largest legal: speed {sign}{largest}" + (f" pulse {change.pulse}" if change.pulse > 1 else "")
    return Fault("FA-E-4" if speeding else "FA-E-5", reason, hint if largest else "no change is possible")


def straight(present: int, change: SpeedChange) -> Plot:
    """FA-MOV-14: straight ahead at the accepted speed."""
    each = speeds(present, change)
    a, b, c = (("F",) * count for count in chart_hexes(each))
    return Plot((a, b, c), each, "maintain", change.delta)


def divide(steps: Sequence[Token], needed: Sequence[int]) -> tuple[tuple[Token, ...], ...]:
    """FA-MOV-7: without bars a turn belongs to the pulse of the next hex, or of the last."""
    segments: list[list[Token]] = [[], [], []]
    hexes = sum(1 for step in steps if step in HEXES)
    flown = 0
    for step in steps:
        reached = min(flown + 1, hexes) if step not in HEXES else flown + 1
        pulse = _pulse_of(reached, needed) if hexes else 0
        segments[pulse].append(step)
        flown += step in HEXES
    return tuple(tuple(segment) for segment in segments)


def _pulse_of(hex_number: int, needed: Sequence[int]) -> int:
    total = 0
    for pulse, count in enumerate(needed):
        total += count
        if hex_number <= total:
            return pulse
    return len(needed) - 1


def classify(steps: Sequence[Token]) -> Class | Fault:
    """FA-MOV-9, FA-MOV-15 step 5: the manoeuvre the tokens fly, or what is wrong with their shape."""
    turns = [step for step in steps if step in TURNS]
    slips = [step for step in steps if step in SLIPS]
    if len(slips) > 1 or (slips and turns):
        tokens = " and ".join(slips[:2] if len(slips) > 1 else [slips[0], turns[0]])
        what = "two slips" if len(slips) > 1 else "a slip with a turn"
        return Fault("FA-E-11", f"{what}: {tokens}", "one slip, and no turn with it")
    if len(turns) > 3 or (len(turns) == 3 and len(set(turns)) > 1):
        return Fault("FA-E-10", f"the turns are {' '.join(turns)}; at most 3 one way", "at most 3 one way")
    if len(turns) == 2 and len(set(turns)) == 2:
        first, second = (n for n, step in enumerate(steps) if step in TURNS)
        if not any(step in HEXES for step in steps[first:second]):
            tokens = f"{steps[first]} and {steps[second]}"
            return Fault("FA-E-12", f"{tokens} stand with no hex between them", f"{steps[first]} F {steps[second]}")
        return "course_correct"
    classes: tuple[Class, ...] = ("maintain", "turn", "hard_turn", "come_about")
    return classes[len(turns)]


def check_path(
    steps: Sequence[Token], present: int, change: SpeedChange, of: Limits, *, pivot_at_zero: bool = True
) -> Plot | Fault:
    """FA-MOV-15 steps 4 to 7, for a speed change that stands."""
    each = speeds(present, change)
    needed = chart_hexes(each)
    counted = _count_hexes(steps, needed)
    if isinstance(counted, Fault):
        if counted.code != WRONG_TOTAL:
            return counted
        return replace(counted, hint=_fitting_speed(steps, present, change, of, pivot_at_zero=pivot_at_zero))
    manoeuvre = classify(steps)
    if isinstance(manoeuvre, Fault):
        return manoeuvre
    plot = Plot((counted[0], counted[1], counted[2]), each, manoeuvre, change.delta)
    return _too_fast(plot, of, pivot_at_zero=pivot_at_zero) or _not_combinable(plot, of) or plot


def _count_hexes(steps: Sequence[Token], needed: tuple[int, int, int]) -> tuple[tuple[Token, ...], ...] | Fault:
    """FA-MOV-6, 8: exactly as many hexes as the speed gives, in each segment where bars are drawn."""
    bars = sum(1 for step in steps if step == BAR)
    if bars not in (0, 2):
        return Fault("FA-E-8", f"{bars} bar(s) in the path; either none or exactly two", "F.. | F.. | F..")
    if bars == 0:
        given = sum(1 for step in steps if step in HEXES)
        if given == sum(needed):
            return divide(steps, needed)
        return Fault(WRONG_TOTAL, _wrong_total(needed, given))
    segments = _split(steps)
    for pulse, (segment, count) in enumerate(zip(segments, needed, strict=True), 1):
        given = sum(1 for step in segment if step in HEXES)
        if given != count:
            reason = f"pulse {pulse} needs {count} hexes, {given} given"
            return Fault("FA-E-8", reason, f"{needed[0]} | {needed[1]} | {needed[2]} hexes")
    return segments


def _split(steps: Sequence[Token]) -> tuple[tuple[Token, ...], ...]:
    segments: list[list[Token]] = [[]]
    for step in steps:
        if step == BAR:
            segments.append([])
        else:
            segments[-1].append(step)
    return tuple(tuple(segment) for segment in segments)


def _wrong_total(needed: tuple[int, int, int], given: int) -> str:
    each = "+".join(str(count) for count in needed)
    return f"{given} hexes given, {sum(needed)} needed ({each})"


def _fitting_speed(
    steps: Sequence[Token], present: int, change: SpeedChange, of: Limits, *, pivot_at_zero: bool
) -> str:
    """FA-E-7: the new speed, changed in the same pulse, with which the path would stand."""
    given = sum(1 for step in steps if step in HEXES)
    for new in range(given * 3 + 4):
        tried = SpeedChange(new - present, change.pulse)
        if sum(chart_hexes(speeds(present, tried))) != given or check_speed(present, tried, of) is not None:
            continue
        if isinstance(check_path(steps, present, tried, of, pivot_at_zero=pivot_at_zero), Plot):
            late = f" pulse {change.pulse}" if change.pulse > 1 and tried.delta else ""
            return f"the path fits with speed {new}{late}"
    return "no legal speed fits this path"


def _too_fast(plot: Plot, of: Limits, *, pivot_at_zero: bool) -> Fault | None:
    """FA-MOV-10, 17; step 6: the first turn token flown faster than the row allows."""
    if plot.manoeuvre == "maintain":
        return None
    limit = row_limit(of, plot.manoeuvre)
    ship = of.limiting[governing_row(of, plot.manoeuvre)]
    name = CLASS_NAMES[plot.manoeuvre]
    for pulse, (segment, speed) in enumerate(zip(plot.segments, plot.speeds, strict=True), 1):
        if not any(step in TURNS for step in segment):
            continue
        if speed == 0 and not pivot_at_zero:
            return Fault("FA-E-9", f"{name} at speed 0 in pulse {pulse}; a turn needs speed 1", "a turn needs speed 1")
        if speed > limit:
            reason = f"{name} at speed {speed} in pulse {pulse}; {ship} allows {limit}"
            return Fault("FA-E-9", reason, _alternative(plot, speed, limit, of))
    return None


def _alternative(plot: Plot, speed: int, limit: int, of: Limits) -> str:
    """FA-MOV-19: the widest manoeuvre of fewer turns that this speed allows, else the highest speed to turn so at."""
    manoeuvre = plot.manoeuvre
    for narrower in _NARROWER[manoeuvre]:
        if row_limit(of, narrower) >= speed:
            return f"{CLASS_NAMES[narrower]} ({row_limit(of, narrower)})"
    present = plot.speeds[-1] - plot.delta
    for slower in range(limit, -1, -1):
        change = SpeedChange(slower - present)
        if check_speed(present, change, of) is None and _not_combinable(replace(plot, delta=change.delta), of) is None:
            return f"speed {slower}"
    later = check_speed(present, SpeedChange(limit - present), of) is None
    after = f"; speed {limit} makes it possible next turn" if later else ""
    return f"no {CLASS_NAMES[manoeuvre]} is possible this turn{after}"


def _not_combinable(plot: Plot, of: Limits) -> Fault | None:
    """FA-MOV-12; step 7: a speed change goes only with some manoeuvres."""
    if plot.delta == 0:
        return None
    if plot.manoeuvre == "come_about":
        return Fault("FA-E-14", "a come about never goes with a speed change", "drop the speed change or the turns")
    wanted = "hard_turn" if plot.manoeuvre == "course_correct" else plot.manoeuvre
    ship = of.not_combining.get(wanted)
    if not ship:
        return None
    legal = ", ".join(CLASS_NAMES[word] for word in of.combine)
    reason = f"{ship} may not combine a {CLASS_NAMES[plot.manoeuvre]} with a speed change"
    return Fault("FA-E-13", reason, f"legal with a speed change: {legal}")
