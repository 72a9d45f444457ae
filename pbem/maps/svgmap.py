"""Scenes to SVG through ``templates/map``: one drawing for hexes, the inch table and the star map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from jinja2 import Environment

from pbem.kit.scene import Disc, Lane, Patch, Scene, Star
from pbem.maps.drawer import MapDrawing
from pbem.maps.frame import Box, Frame, MapSize, frame
from pbem.maps.grids import rectangle
from pbem.maps.ground import Background, TerrainLayer, background
from pbem.maps.labels import Placed, Placer
from pbem.maps.legend import Legend, Overview, legend, overview
from pbem.maps.look import TERRAIN, Theme, ThemeName, map_palette, side_look, theme
from pbem.maps.marks import MarkLayer
from pbem.maps.pieces import PieceLayer


@dataclass(frozen=True)
class Layers:
    """All that the player's own layer shows."""

    own: TerrainLayer
    marks: MarkLayer
    pieces: PieceLayer
    small: Overview | None

    @property
    def labels(self) -> tuple[Placed, ...]:
        return (*self.own.labels, *self.pieces.labels, *self.marks.labels)

    def extent(self, within: Box) -> Box:
        """The part of the picture that has to be drawn anew for each player."""
        boxes = [*self.own.extent, *self.marks.extent, *self.pieces.extent]
        boxes += [label.box.grown(3) for label in self.labels]
        if self.small:
            boxes.append(self.small.box.grown(2))
        about = Box.covering(boxes)
        return about.within(within).on_pixels() if about else Box(0, 0, 0, 0)


class MapWriter:
    """Writes scenes; the unchanging half of a picture is written once."""

    def __init__(self, markup: Environment) -> None:
        self._markup = markup
        # Bound to this writer, since a club may have its own templates.
        self._ground = lru_cache(maxsize=16)(self._write_ground)

    def write(self, scene: Scene, size: MapSize, colours: ThemeName) -> MapDrawing:
        """The whole picture, and the layers it is made of."""
        look, laid = theme(colours), frame(scene, size)
        ground, ground_svg = self._ground(Scene("", scene.ground, scene.sides, scene.terrain), laid, look)
        layers = _lay(scene, laid, look, ground)
        kinds = tuple(dict.fromkeys((*ground.kinds, *layers.own.kinds)))
        key = legend(scene, laid, layers.pieces, layers.marks, kinds)
        common = {
            "frame": laid,
            "theme": look,
            "sides": scene.sides,
            "looks": _Looks(),
            "patterns": _patterns(kinds, look),
        }
        front = self._write_front(common, layers)
        edge = laid.area.grown(12 * laid.type)
        whole = Box(0, 0, laid.width, laid.height + key.height)
        cut = self._render("clipped", {"box": edge, "body": front})
        full = (ground_svg, cut, self._write_furniture(scene, common, key))
        strip = key.moved(laid.title_height - laid.height)
        box = layers.extent(edge)
        return MapDrawing(
            svg=self._wrap(whole, scene.alt, full),
            background=self._wrap(Box(0, 0, laid.width, laid.height), "", (ground_svg,)),
            furniture=self._wrap(
                Box(0, 0, laid.width, laid.title_height + key.height),
                "",
                (self._write_furniture(scene, common, strip),),
            ),
            foreground=self._wrap(box, "", (front,)),
            box=box,
            width=laid.width,
            height=laid.height + key.height,
            map_height=laid.height,
            title_height=laid.title_height,
            palette=map_palette(look, ground.ground, [side.index for side in scene.sides], kinds),
            alt=scene.alt,
        )

    def _write_ground(self, scene: Scene, laid: Frame, look: Theme) -> tuple[Background, str]:
        ground = background(scene, laid, look, scene.terrain)
        content = {"ground": ground, "frame": laid, "theme": look, "sides": scene.sides, "looks": _Looks()}
        return ground, self._render("background", {**content, "patterns": _patterns(ground.kinds, look)})

    def _write_front(self, common: Mapping[str, Any], layers: Layers) -> str:
        labels = (*layers.pieces.labels, *layers.marks.labels)
        content = {
            "own": layers.own,
            "marks": layers.marks,
            "pieces": layers.pieces,
            "reach": layers.pieces.radius,
            "labels": labels,
            "plates": "".join(rectangle(plate) for label in labels for plate in label.plates),
            "own_plates": "".join(rectangle(plate) for label in layers.own.labels for plate in label.plates),
            "leaders": "".join(label.leader_path for label in labels),
            "small": layers.small,
        }
        return self._render("foreground", {**common, **content})

    def _write_furniture(self, scene: Scene, common: Mapping[str, Any], key: Legend) -> str:
        content = {"title": scene.title, "wind": scene.wind, "key": key, "terrain_looks": TERRAIN}
        return self._render("furniture", {**common, **content})

    def _wrap(self, box: Box, alt: str, parts: Sequence[str]) -> str:
        return self._render("picture", {"box": box, "alt": alt, "parts": parts})

    def _render(self, template: str, content: Mapping[str, Any]) -> str:
        return self._markup.get_template(f"map/{template}.svg.j2").render(content)


class _Looks:
    """Looks of the sides by index, for as many sides as there are."""

    def __getitem__(self, index: int) -> object:
        return side_look(index)


def _lay(scene: Scene, laid: Frame, look: Theme, ground: Background) -> Layers:
    placer = Placer(laid.area)
    for box in ground.obstacles:
        placer.take(box, 1.2)
    small = overview(scene, laid)
    if small:
        placer.take(small.box, 5.0)
    own = TerrainLayer(laid, look, scene.sides, placer)
    for item in scene.items:
        if isinstance(item, Patch | Disc | Star | Lane):
            own.add(item)
    pieces = PieceLayer(scene, laid, look, placer)
    marks = MarkLayer(scene, laid, look, placer, pieces.radius)
    # All that stands somewhere comes before all names, which go where room is left.
    marks.lay()
    pieces.lay()
    own.name_things()
    pieces.name()
    marks.name()
    return Layers(own, marks, pieces, small)


def _patterns(kinds: Sequence[str], look: Theme) -> list[tuple[str, str]]:
    """The terrain patterns in use, each once, with their ink."""
    inks = {TERRAIN[kind].pattern: TERRAIN[kind].colours(look.name)[1] for kind in kinds if kind in TERRAIN}
    return [(name, stroke) for name, stroke in inks.items() if name]
