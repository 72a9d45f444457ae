"""Movement: speeds, paths, turns to declare, pivots, slides, rolls and alternate paths (BR-MOV-1 to 26)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from games.broadsides.orders import records as r
from games.broadsides.orders.offers.desk import Desk, way, written_hex
from games.broadsides.orders.offers.helm import Helm
from games.broadsides.rules.burn import MOST_PIVOT, Burn, burn
from games.broadsides.rules.craft import (
    Course,
    Fault,
    Plot,
    SlideOrder,
    is_step,
    steps_in,
    straight,
    turn_sign,
    with_slides_last,
    write_slide,
    write_tokens,
)
from games.broadsides.rules.movement import attempt
from games.broadsides.state import Flight, Ship, Side2
from pbem.kit.choices import Number
from pbem.kit.hexgrid import distance
from pbem.kit.scene import Trail, hex_points

SIDES: tuple[tuple[Side2, str, int], ...] = (("port", "P", -1), ("starboard", "S", 1))
ALTERNATES = 4
FARTHEST_ALT, USUAL_ALT = 30, 5


# --- the groups ------------------------------------------------------------------------------------------------------


def offer_movement(desk: Desk) -> Helm:
    """Everything a craft that moves by itself can plot."""
    helm = Helm(desk)
    _speeds(helm)
    _paths(helm)
    _declarations(helm)
    _fine(helm)
    if isinstance(desk.unit, Ship):
        _pivots(helm)
        _slides(helm)
        _rolls(desk)
    _alternates(helm)
    return helm


def _speeds(helm: Helm) -> None:
    craft = helm.craft
    for change, course in helm.speeds.items():
        kept = change == helm.plot.change
        plot = replace(helm.plot, change=change, tokens=helm.plot.tokens if kept else None)
        step = f" ({change:+})" if change else ""
        note = f"{course.acceleration} of {craft.thrust} thrust, turn delay {helm.turn_delay(course)}"
        if course.facing != craft.facing and not craft.turning:
            note += f", ends facing {way(course.facing)}"
        helm.offer("speed", f"speed {course.speed}{step}", course, plot, ("speed",), note)
    for fault in speed_limits(helm):
        helm.desk.close("speed", fault.reason, fault.rule)


def speed_limits(helm: Helm) -> list[Fault]:
    """Why it can go neither faster nor slower than what is offered."""
    faults = []
    for change in (max(helm.speeds, default=0) + 1, min(helm.speeds, default=0) - 1):
        tried = attempt(helm.craft, replace(helm.plot, change=change, tokens=None), helm.ground)
        if isinstance(tried, Fault) and helm.craft.speed + change >= 0:
            faults.append(tried)
    return faults


def _paths(helm: Helm) -> None:
    now = helm.plot.change
    for found in helm.ways:
        course = found.course
        facing = "" if course.facing == course.heading else f" facing {way(course.facing)}"
        speed = "" if found.plot.change == now else f", speed {course.speed}"
        label = f"{written_hex(found.end)} heading {way(course.heading)}{facing}{speed}"
        helm.offer("path", label, course, found.plot, ("path",), helm.thrust_left(course))
    if (fault := no_turn(helm)) is not None:
        helm.desk.close("path", fault.reason, fault.rule)


def no_turn(helm: Helm) -> Fault | None:
    """Why no turn can be made this turn at the speed of the plot; None: one can."""
    if helm.turning_ways() or helm.craft.turning:
        return None
    tokens = (*straight(helm.course.speed, None), "P")
    plain = replace(helm.plot, tokens=tokens, slide=SlideOrder(None, 0) if helm.craft.slide else None)
    tried = attempt(helm.craft, plain, helm.ground)
    return tried if isinstance(tried, Fault) and tried.verb == "path" else None


def _declarations(helm: Helm) -> None:
    if helm.course.turning and helm.craft.turning:
        turning = helm.course.turning
        why = f"a turn to {turning.dir} is in progress, {turning.left} hexes are still to serve"
        helm.desk.close("declare", why, "BR-MOV-7")
        return
    tries = list(declared(helm))
    for side, hexes, course in tries:
        if isinstance(course, Course) and course.turning:
            left = f"{course.turning.left} hex{'es' * (course.turning.left != 1)}"
            label = f"declare a turn to {side} after hex {hexes}"
            note = f"{left} left to serve next turn, {helm.thrust_left(course)}"
            helm.offer("declare", label, course, course.plot, ("path",), note)
    faults = [tried for _, _, tried in tries if isinstance(tried, Fault)]
    if faults and not any(choice.group == "declare" for choice in helm.desk.choices):
        helm.desk.close("declare", faults[0].reason, faults[0].rule)


def declared(helm: Helm) -> Iterator[tuple[Side2, int, Course | Fault]]:
    """BR-MOV-8: turns declared after the last turn of the plot and made next turn: side, hex, and what comes of it."""
    tokens = path_of(helm)
    first = max((at + 1 for at, token in enumerate(tokens) if not is_step(token)), default=0)
    for side, letter, _ in SIDES:
        served: set[int] = set()
        for at in range(first, len(tokens) + 1):
            plot = replace(helm.plot, tokens=(*tokens[:at], f"D{letter}", *tokens[at:]))
            tried = attempt(helm.craft, plot, helm.ground)
            if isinstance(tried, Fault):
                yield side, steps_in(tokens[:at]), tried
            elif tried.turning is not None and tried.turning.left not in served:
                served.add(tried.turning.left)
                yield side, steps_in(tokens[:at]), tried


def path_of(helm: Helm) -> tuple[str, ...]:
    """The plot's path token by token, declarations of turns not yet made left out."""
    tokens = helm.plot.tokens
    if tokens is None:
        burned = burn(helm.craft, helm.plot)
        tokens = straight(helm.course.speed, burned.slide if isinstance(burned, Burn) else None)
    made = {turn_sign(token) for token in tokens if token[0] in "PS"}
    return tuple(token for token in tokens if token not in ("DP", "DS") or turn_sign(token) in made)


def _fine(helm: Helm) -> None:
    """BR-MOV-10, 13, 15: the same way with another attitude, or with its slide steps first."""
    tokens = path_of(helm)
    variants: list[tuple[str, tuple[str, ...]]] = []
    for at, token in enumerate(tokens):
        if token in ("P", "S"):
            pivoted = (*tokens[:at], f"{token}+", *tokens[at + 1 :])
            variants.append((f"finish the turn at hex {steps_in(tokens[:at])} pivoted ({token}+)", pivoted))
    slides = tuple(token for token in tokens if token in ("LP", "LS"))
    if slides and not any(token[0] in "PSDR" for token in tokens):
        first = (*slides, *("F",) * (len(tokens) - len(slides)))
        variants.append(("slide steps first", first))
    if helm.craft.agile:
        variants += _snap_pivots(tokens)
    for label, variant in variants:
        course = helm.flown(replace(helm.plot, tokens=variant))
        if course is not None:
            note = f"ends facing {way(course.facing)}, {helm.thrust_left(course)}"
            helm.offer("fine", label, course, course.plot, ("path",), note)


def _snap_pivots(tokens: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    end = len(tokens)
    while end and tokens[end - 1] in ("RP", "RS"):
        end -= 1
    for side, letter, _ in SIDES:
        for count in range(1, MOST_PIVOT + 1):
            yield f"snap pivot {count} to {side} at the end", (*tokens[:end], *(f"R{letter}",) * count)


def _pivots(helm: Helm) -> None:
    # Three hexsides to port and to starboard are the same.
    turns = [(side, count, sign) for side, _, sign in SIDES for count in range(1, MOST_PIVOT + (sign > 0))]
    plots = [(f"pivot {side} {count}", replace(helm.plot, pivot=sign * count)) for side, count, sign in turns]
    _attitudes(helm, "pivot", plots)


def _slides(helm: Helm) -> None:
    v = helm.course.speed
    if v < 2:
        helm.desk.close("slide", f"at speed {v} at most {v // 2} hexes may be slid", "BR-MOV-13")
    orders = [SlideOrder(side, n) for side, _, _ in SIDES for n in range(1, v // 2 + 1)]
    if helm.craft.slide or helm.plot.slide:
        orders.append(SlideOrder(None, 0))
    _attitudes(helm, "slide", [(write_slide(order), _slid(helm, order)) for order in orders])


def _slid(helm: Helm, order: SlideOrder) -> Plot:
    """The plot with another slide, its path fitted to it."""
    plot = replace(helm.plot, slide=order)
    burned = burn(helm.craft, replace(plot, tokens=None))
    if plot.tokens is None or not isinstance(burned, Burn):
        return plot
    return replace(plot, tokens=with_slides_last(plot.tokens, burned.slide))


def _attitudes(helm: Helm, verb: str, plots: Sequence[tuple[str, Plot]]) -> None:
    """Each plot with the path it has, or else straight on; closed with the first fault if there is none."""
    fault: Fault | None = None
    offered = False
    for label, plot in plots:
        for words, tried_plot in ((label, plot), (f"{label}, straight on", replace(plot, tokens=None))):
            tried = attempt(helm.craft, tried_plot, helm.ground)
            if isinstance(tried, Course):
                note = f"ends facing {way(tried.facing)}, {helm.thrust_left(tried)}"
                helm.offer(verb, words, tried, tried_plot, (verb,), note)
                offered = True
                break
            fault = fault or tried
    if fault is not None and not offered:
        helm.desk.close(verb, fault.reason, fault.rule)


def _rolls(desk: Desk) -> None:
    note = "port and starboard change places for this turn's fire"
    desk.offer("roll", "roll", "roll", replaces=desk.lines_of(r.RollOver), note=note)
    ship = desk.unit
    assert isinstance(ship, Ship)
    if not desk.state.cards.classes[ship.class_name].agile:
        desk.close("snaproll", f"{ship.class_name} is not agile; only agile ships make snap rolls", "BR-MOV-18")
        return
    old = desk.lines_of(r.SnapRollOver)
    desk.offer("snaproll", "snap roll in any case", "snaproll yes", replaces=old)
    away = "after all movement, if the weaker side faces the nearest enemy"
    desk.offer("snaproll", "snap roll the weaker side away", "snaproll away", replaces=old, note=away)
    for enemy in desk.nearest(desk.enemies, ALTERNATES):
        for side, _, _ in SIDES:
            label, line = f"snap roll if {enemy.name} is to {side}", f"snaproll if {enemy.name} {side}"
            desk.offer("snaproll", label, line, replaces=old, at=enemy.position)


def _alternates(helm: Helm) -> None:
    """BR-MOV-20: another path at the same speed, for when somebody is near or far as the unit moves."""
    desk, main = helm.desk, helm.plot.tokens
    if not desk.lines_of(r.Path) or helm.chases or main is None:
        desk.close("alt", "an alternate path needs a main path", "BR-VAL-27")
        return
    others = [found for found in helm.ways if found.plot.change == helm.plot.change and found.plot.tokens != main]
    ships = desk.nearest((enemy for enemy in desk.enemies if isinstance(enemy, Ship)), 2)
    for who in ("nearest", *(ship.name for ship in ships)):
        for found in sorted(others, key=lambda one: (one.turns, one.first_turn))[:ALTERNATES]:
            course = found.course
            for word in ("within", "beyond"):
                desk.offer(
                    "alt",
                    f"{word} ... of {who}: {written_hex(found.end)} heading {way(course.heading)}",
                    f"alt {word} {{}} of {who} {write_tokens(found.plot.tokens or ())}",
                    replaces=desk.lines_of(r.AltPath),
                    note=f"in place of {write_tokens(main)}, {helm.thrust_left(course)}",
                    at=found.end,
                    heading=course.heading,
                    marks=(Trail(hex_points(course.hexes), helm.craft.side, "plotted"),),
                    fill=Number(0, FARTHEST_ALT, USUAL_ALT),
                )


def offer_chase(desk: Desk) -> None:
    """BR-MOV-23: the processor finds the way to a unit."""
    assert isinstance(desk.unit, Flight)
    for prey in [*desk.nearest(desk.enemies, 8), *desk.nearest(desk.friends, 4)]:
        desk.offer(
            "chase",
            f"chase {prey.name}",
            f"chase {prey.name}",
            replaces=desk.lines_of(r.Chase, r.Path, r.AltPath),
            note=f"{distance(desk.unit.position, prey.position)} hexes away now",
            at=prey.position,
        )
