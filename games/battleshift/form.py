"""The order form: current values as comments, blocks ready to be filled in."""

from __future__ import annotations

from collections.abc import Iterable

from games.battleshift.rules.moving import inches
from games.battleshift.view import SquadronView, TaskforceView, View


def template(view: View) -> str:
    """Read back unchanged it has no problems; a taskforce needs two or three lines."""
    if view.stage == "setup":
        return "\n".join(_setup_form(view)) + "\n"
    return "\n".join(_turn_form(view)) + "\n"


def _setup_form(view: View) -> Iterable[str]:
    record = next((side for side in view.sides if side.id == view.side), view.sides[0])
    yield f"# {view.title}: setup. Silence takes the scenario's fleet."
    if record.points:
        yield f'# Points: {record.points}. Deploy within 12" of the {record.edge} edge.'
    yield "# design Lancer = size 3, heavy 2, light 1, interceptor 1, fast cost, weak shields"
    yield "# squadron Pike = 4 Lancer"
    yield "# taskforce Dagger = Pike flag Pike"
    yield "# deploy Dagger at 24,42 facing N"
    yield "# reserve Dagger turn 3 sector 5B facing W"
    for squadron in view.squadrons:
        if squadron.own:
            yield f"#   {squadron.name}: {squadron.started} {squadron.ship_class}, {squadron.taskforce or 'loose'}"


def _turn_form(view: View) -> Iterable[str]:
    yield f"turn {view.turn}"
    own = [tf for tf in view.taskforces if tf.own and tf.side == view.side]
    here = [tf for tf in own if tf.location == "table"]
    yield f"# sequence {', '.join(tf.name for tf in here)}"
    yield "# initiative first"
    for tf in own:
        if tf.location == "table":
            yield from _tf_block(view, tf)
        else:
            due = f", due turn {tf.returns.turn} in {tf.returns.sector}" if tf.returns else ""
            yield f"# {tf.name}: in {tf.location}{due}"
    for squadron in view.squadrons:
        if squadron.own and squadron.side == view.side and not squadron.where and not squadron.taskforce:
            yield f"{squadron.name}:"
            yield f"  # {_line(squadron)}, detached"
    for flight in view.flights:
        if flight.side == view.side:
            yield f"{flight.name}:"
            yield f"  # {flight.wings} wings at {inches(flight.x)},{inches(flight.y)}; strike nearest"
    yield "END"


def _tf_block(view: View, tf: TaskforceView) -> Iterable[str]:
    yield f"{tf.name}:"
    for squadron in view.squadrons:
        if squadron.own and squadron.side == tf.side and squadron.name in tf.squadrons and squadron.ships:
            yield f"  # {_line(squadron)}"
    for order in tf.standing:
        yield f"  # standing: {order}"
    yield "  # move toward nearest"


def _line(squadron: SquadronView) -> str:
    leader = squadron.leader
    place = f"{inches(leader.x)},{inches(leader.y)}" if leader else squadron.where
    arc = f"course {_range(squadron.facing, squadron.half_arc)}"
    turn = f"facing then +-{squadron.facing_change}"
    marks = f", {squadron.suppression} markers" if squadron.suppression else ""
    wings = f", {squadron.wings_aboard} wings" if squadron.wings_aboard else ""
    text = f"{squadron.name}: {squadron.active} {squadron.ship_class} at {place} facing {squadron.facing:03d}, "
    return (
        text
        + f"speed {inches(squadron.speed or 0)}, {arc}, {turn}, damage {squadron.damage}/{squadron.total}{marks}{wings}"
    )


def _range(facing: int, half: int | None) -> str:
    if half is None or half >= 180:
        return "any"
    return f"{(facing - half) % 360:03d}-{(facing + half) % 360:03d}"
