"""Scenes to SVG through ``templates/map``: one drawing for hexes, the inch table and the star map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from jinja2 import Environment

from pbem.kit.scene import Disc, Lane, Patch, Scene, Star
from pbem.report.content import MapSize
from pbem.report.drawer import MapDrawing
from pbem.report.frame import Frame, frame
from pbem.report.ground import Background, TerrainLayer, background
from pbem.report.labels import Placer
from pbem.report.legend import Legend, legend, overview
from pbem.report.look import TERRAIN, Theme, ThemeName, side_look, theme
from pbem.report.marks import MarkLayer
from pbem.report.tokens import TokenLayer


@dataclass(frozen=True)
class Layers:
    """All that the player's own layer shows."""

    own: TerrainLayer
    marks: MarkLayer
    tokens: TokenLayer


class MapWriter:
    """Writes scenes; the unchanging half of a picture is written once."""

    def __init__(self, markup: Environment) -> None:
        self._markup = markup
        # Bound to this writer, since a club may have its own templates.
        self._ground = lru_cache(maxsize=16)(self._write_ground)

    def write(self, scene: Scene, size: MapSize, colours: ThemeName) -> MapDrawing:
        """The whole picture, and the two layers it is made of."""
        look, laid = theme(colours), frame(scene, size)
        bare = Scene("", scene.ground, scene.sides, scene.terrain)
        ground, ground_svg = self._ground(bare, laid, look)
        layers = _lay(scene, laid, look, ground)
        kinds = tuple(dict.fromkeys((*ground.kinds, *layers.own.kinds)))
        key = legend(scene, laid, layers.tokens, layers.marks, kinds)
        front_svg = self._write_front(scene, laid, look, layers, key, kinds)
        height = laid.height + key.height
        return MapDrawing(
            svg=self._wrap(laid.width, height, scene.alt, (ground_svg, front_svg)),
            background=self._wrap(laid.width, laid.height, "", (ground_svg,)),
            foreground=self._wrap(laid.width, height, "", (front_svg,)),
            width=laid.width,
            height=height,
            alt=scene.alt,
        )

    def _write_ground(self, scene: Scene, laid: Frame, look: Theme) -> tuple[Background, str]:
        ground = background(scene, laid, look, scene.terrain)
        written = self._markup.get_template("map/background.svg.j2").render(
            ground=ground,
            frame=laid,
            theme=look,
            sides=scene.sides,
            looks=_Looks(),
            patterns=_patterns(ground.kinds, look),
        )
        return ground, written

    def _write_front(
        self, scene: Scene, laid: Frame, look: Theme, layers: Layers, key: Legend, kinds: Sequence[str]
    ) -> str:
        return self._markup.get_template("map/foreground.svg.j2").render(
            title=scene.title,
            wind=scene.wind,
            frame=laid,
            theme=look,
            sides=scene.sides,
            looks=_Looks(),
            terrain_looks=TERRAIN,
            patterns=_patterns(kinds, look),
            own=layers.own,
            marks=layers.marks,
            tokens=layers.tokens,
            reach=layers.tokens.radius,
            labels=(*layers.own.labels, *layers.tokens.labels, *layers.marks.labels),
            small=overview(scene, laid),
            key=key,
            clipped=_needs_clip(laid, layers),
        )

    def _wrap(self, width: int, height: int, alt: str, parts: Sequence[str]) -> str:
        return self._markup.get_template("map/picture.svg.j2").render(width=width, height=height, alt=alt, parts=parts)


class _Looks:
    """Looks of the sides by index, for as many sides as there are."""

    def __getitem__(self, index: int) -> object:
        return side_look(index)


def _lay(scene: Scene, laid: Frame, look: Theme, ground: Background) -> Layers:
    placer = Placer(laid.area)
    for box in ground.obstacles:
        placer.take(box, 1.2)
    own = TerrainLayer(laid, look, scene.sides)
    for item in scene.items:
        if isinstance(item, Patch | Disc | Star | Lane):
            own.add(item)
    own.name_things()
    for box in own.obstacles:
        placer.take(box, 1.2)
    small = overview(scene, laid)
    if small:
        placer.take(small.box, 5.0)
    tokens = TokenLayer(scene, laid, look, placer)
    marks = MarkLayer(scene, laid, look, placer, tokens.radius)
    marks.lay()
    tokens.lay()
    marks.name()
    return Layers(own, marks, tokens)


def _patterns(kinds: Sequence[str], look: Theme) -> list[tuple[str, str]]:
    """The terrain patterns in use, each once, with their ink."""
    found = {TERRAIN[kind].pattern: TERRAIN[kind].colours(look.name)[1] for kind in kinds if kind in TERRAIN}
    return [(name, stroke) for name, stroke in found.items() if name]


def _needs_clip(laid: Frame, layers: Layers) -> bool:
    """Cutting costs time, so it is done only where something would run over the map's edge."""
    area = laid.area
    circles = [(circle.x, circle.y, circle.radius) for circle in layers.marks.circles]
    circles += [(blast.x, blast.y, blast.radius) for blast in layers.marks.blasts]
    over = any(
        x - r < area.left or x + r > area.right or y - r < area.top or y + r > area.bottom for x, y, r in circles
    )
    return over or bool(layers.marks.wedges) or not laid.whole or bool(layers.own.rounds)
