"""Scenes to SVG."""

from __future__ import annotations

from jinja2 import Environment

from pbem.kit.scene import Scene, Unit
from pbem.report.content import MapSize
from pbem.report.drawer import MapDrawing
from pbem.report.look import ThemeName, theme


class MapWriter:
    """Writes scenes through ``templates/map``."""

    def __init__(self, markup: Environment) -> None:
        self._markup = markup

    def write(self, scene: Scene, size: MapSize, colours: ThemeName) -> MapDrawing:
        units = [item for item in scene.items if isinstance(item, Unit)]
        left = min((unit.at.x for unit in units), default=0.0) - 3
        top = min((unit.at.y for unit in units), default=0.0) - 3
        scale = 24
        template = self._markup.get_template("map/plain.svg.j2")
        svg = template.render(scene=scene, units=units, left=left, top=top, scale=scale, look=theme(colours))
        return MapDrawing(svg, svg, svg, 900, 600, scene.alt)
