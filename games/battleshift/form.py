"""The order form: current values as comments, blocks ready to be filled in."""

from __future__ import annotations

from collections.abc import Iterable

from games.battleshift.rules.moving import at, inches
from games.battleshift.state import Squadron, Taskforce
from games.battleshift.status import members, own_squadrons, own_taskforces
from games.battleshift.view import View


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
        if isinstance(squadron, Squadron):
            yield f"#   {squadron.name}: {len(squadron.ships)} {squadron.ship_class}, {squadron.taskforce or 'loose'}"


def _turn_form(view: View) -> Iterable[str]:
    yield f"turn {view.turn}"
    own = own_taskforces(view)
    here = [tf for tf in own if tf.location == "table"]
    yield f"# sequence {', '.join(tf.name for tf in here)}"
    yield "# initiative first"
    for tf in own:
        if tf.location == "table":
            yield from _tf_block(view, tf)
        else:
            due = f", due turn {tf.returns.turn} in {tf.returns.sector}" if tf.returns else ""
            yield f"# {tf.name}: in {tf.location}{due}"
    for squadron in own_squadrons(view):
        if not squadron.taskforce:
            yield f"{squadron.name}:"
            yield f"  # {_line(view, squadron)}, detached"
    for flight in view.flights:
        if flight.side == view.side:
            yield f"{flight.name}:"
            yield f"  # {flight.wings} wings at {at(flight.spot)}; strike nearest"
    yield "END"


def _tf_block(view: View, tf: Taskforce) -> Iterable[str]:
    yield f"{tf.name}:"
    yield from (f"  # {_line(view, squadron)}" for squadron in members(view, tf))
    yield from (f"  # standing: {order}" for order in tf.standing)
    yield "  # move toward nearest"


def _line(view: View, squadron: Squadron) -> str:
    leader, reach = view.leader(squadron), view.figures[squadron.key].reach
    assert reach is not None, "a side knows what its own can do"
    place = at(leader.spot) if leader else squadron.where
    limits = f"course {_range(squadron.facing, reach.half)}, facing then +-{reach.turn}"
    marks = f", {squadron.suppression} markers" if squadron.suppression else ""
    wings = f", {squadron.wings_aboard} wings" if squadron.wings_aboard else ""
    text = f"{squadron.name}: {squadron.active} {squadron.ship_class} at {place} facing {squadron.facing:03d}, "
    text += f"speed {inches(reach.speed)}, {limits}, damage {squadron.damage}/{squadron.total}"
    return text + marks + wings


def _range(facing: int, half: int) -> str:
    if half >= 180:
        return "any"
    return f"{(facing - half) % 360:03d}-{(facing + half) % 360:03d}"
