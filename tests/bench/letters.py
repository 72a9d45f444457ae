"""What a player's map and letter cost: against a full render of the same picture, and against bare Jinja."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from pbem.kit.dice import LoadedDice
from pbem.kit.scene import Scene, Unit
from pbem.letters.pen import Pen
from pbem.letters.report import TurnGauges, turn_report
from pbem.maps.drawer import compose_pixels
from pbem.maps.png import packed, pixels
from pbem.maps.svgmap import MapWriter
from tests.letters import duel, seats
from tests.maps import scenes


def best(work: Callable[[], object], times: int = 5) -> float:
    """Seconds the processor worked in the quickest run; others share the machine."""
    spent = []
    for _ in range(times):
        start = time.process_time()
        work()
        spent.append(time.process_time() - start)
    return min(spent)


def map_cost(scene: Scene, times: int = 5) -> tuple[float, float, int]:
    """Seconds for a further player's map, seconds for a full render of the same picture, bytes of the PNG."""
    pen = seats.pen()
    writer = MapWriter(pen.words.markup)
    first = writer.write(scene, "large", "light")
    compose_pixels(first, None)

    def further() -> bytes:
        return compose_pixels(writer.write(scene, "large", "light"), None)

    def full() -> bytes:
        drawing = MapWriter(pen.words.markup).write(scene, "large", "light")
        return packed(pixels(drawing.svg), drawing.palette)

    return best(further, times), best(full, times), len(further())


def units_only(scene: Scene) -> Scene:
    return replace(scene, items=tuple(item for item in scene.items if isinstance(item, Unit)))


def letter_cost(pen: Pen) -> tuple[float, float]:
    """Seconds for a report's text and HTML without the map, and for Jinja alone to fill 200 lines of each."""
    game, state = duel.DUEL, duel.opening_state()
    orders = {
        side.id: game.read_orders(state, side.id, game.bot(game.view(state, side.id), LoadedDice()))
        for side in duel.SIDES
    }
    resolved = game.resolve(state, orders, LoadedDice(4))
    view = game.view(resolved.state, "earth")
    history = [TurnGauges(1, game.gauges(view))]
    seat = seats.seat(2, preferences=replace(seats.seat().preferences, map="none"))
    lines = [f"Alpha {n} fires at G'Quan" for n in range(200)]
    source = "{% for line in lines %}{{ loop.index }} {{ line }}\n{% endfor %}"
    text, html = pen.words.words.from_string(source), pen.words.markup.from_string(source)
    own = best(lambda: turn_report(seat, game, view, resolved.events, history, None, pen), 50)
    bare = best(lambda: (text.render(lines=lines), html.render(lines=lines)), 50)
    return own, bare


def main() -> None:
    for title, scene in (
        ("60x40 hexes, 60 units", units_only(scenes.space_60_by_40())),
        ("60x40 hexes, 60 units, ways, shots, arcs", scenes.space_60_by_40()),
    ):
        further, full, size = map_cost(scene)
        print(f"report: map of {title}: {further * 1000:.0f} ms, full render {full * 1000:.0f} ms,", end=" ")  # noqa: T201
        print(f"ratio {further / full:.2f}, PNG {size / 1024:.0f} KB")  # noqa: T201
    for name, make in scenes.ALL.items():
        pen = seats.pen()
        picture = pen.draw(make())
        print(f"report: PNG of {name}: {len(picture.png) / 1024:.0f} KB, {picture.width}x{picture.height}")  # noqa: T201
    own, bare = letter_cost(seats.pen())
    print(f"report: text and HTML of a report: {1 / own:.0f} a second, bare Jinja {1 / bare:.0f} a second")  # noqa: T201


if __name__ == "__main__":
    main()
