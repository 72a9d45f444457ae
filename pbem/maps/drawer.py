"""Draws maps and diagrams, in this process or in a pool; of maps the background is drawn once and kept."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import threading
from collections import OrderedDict
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from PIL import Image

from pbem.maps.frame import Box
from pbem.maps.png import fitted, font_files, pixels, png_size

KEPT_PICTURES = 64
KEPT_BACKGROUNDS = 8
KEPT_FILES = 200


@dataclass(frozen=True)
class Picture:
    """A drawing as vector and as pixels."""

    svg: str
    png: bytes
    width: int
    """Pixels of the PNG; it is shown at half of that, so that it stays crisp on fine screens and in print."""
    height: int
    alt: str = ""


@dataclass(frozen=True)
class MapDrawing:
    """A map as one SVG, and as the layers its pixels are composed of."""

    svg: str
    background: str
    """Ground, terrain, grid and names: the same for all players and turns."""
    furniture: str
    """Title and legend, one under the other in a strip."""
    foreground: str
    """What moves; cut to ``box``."""
    box: Box
    width: int
    height: int
    map_height: int
    title_height: int
    palette: tuple[str, ...]
    alt: str

    @property
    def key(self) -> str:
        return hashlib.sha256(self.svg.encode()).hexdigest()


@dataclass(frozen=True)
class DiagramDrawing:
    """A picture of one layer, drawn as it stands."""

    svg: str
    palette: tuple[str, ...]
    alt: str

    @property
    def key(self) -> str:
        return hashlib.sha256(self.svg.encode()).hexdigest()


Drawing = MapDrawing | DiagramDrawing


def compose_pixels(drawing: Drawing, cache: Path | None) -> bytes:
    """A small PNG; runs in any process."""
    if isinstance(drawing, DiagramDrawing):
        return fitted(pixels(drawing.svg), drawing.palette)
    return _compose_layers(drawing, cache)


def _compose_layers(drawing: MapDrawing, cache: Path | None) -> bytes:
    """The layers of a map laid over each other."""
    canvas = Image.new("RGB", (drawing.width, drawing.height), drawing.palette[0])
    canvas.paste(_background(drawing.background, cache), (0, 0))
    strips = _strip(drawing.furniture)
    title = strips.crop((0, 0, drawing.width, drawing.title_height))
    legend = strips.crop((0, drawing.title_height, drawing.width, strips.height))
    canvas.paste(title, (0, 0), title)
    canvas.paste(legend, (0, drawing.map_height))
    if drawing.box.width and drawing.box.height:
        front = pixels(drawing.foreground)
        canvas.paste(front, (int(drawing.box.left), int(drawing.box.top)), front)
    return fitted(canvas, drawing.palette)


@lru_cache(maxsize=KEPT_BACKGROUNDS)
def _background(svg: str, cache: Path | None) -> Image.Image:
    """From memory, else from the cache's folder, else rasterised and kept in both."""
    if cache is None:
        return pixels(svg).convert("RGB")
    kept = cache / f"{_background_key(svg)}.png"
    if kept.exists():
        with Image.open(kept) as image:
            return image.convert("RGB")
    made = pixels(svg).convert("RGB")
    cache.mkdir(parents=True, exist_ok=True)
    # Written aside and renamed, as several processes may draw the same background at once.
    aside = kept.with_suffix(f".{os.getpid()}.{threading.get_ident()}")
    made.save(aside, "PNG", compress_level=1)
    aside.replace(kept)
    _sweep(cache)
    return made


def _sweep(cache: Path) -> None:
    """Old backgrounds make way; one that is missed is drawn again."""
    for path in sorted(cache.glob("*.png"), key=_age)[:-KEPT_FILES]:
        path.unlink(missing_ok=True)


def _age(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        # Another process swept it meanwhile.
        return 0.0


def _background_key(svg: str) -> str:
    """The picture follows from the SVG and the fonts."""
    digest = hashlib.sha256(svg.encode())
    for path in font_files():
        digest.update(str(Path(path).stat().st_size).encode())
    return digest.hexdigest()[:40]


@lru_cache(maxsize=KEPT_BACKGROUNDS)
def _strip(svg: str) -> Image.Image:
    return pixels(svg)


class Drawer:
    """Keeps the last pictures, since players who share a view share the picture."""

    def __init__(self, cache: Path | None = None, workers: int = 0) -> None:
        self._cache = cache
        self._workers = workers
        self._pool: ProcessPoolExecutor | None = None
        self._pictures: OrderedDict[str, Future[bytes]] = OrderedDict()
        self._lock = threading.Lock()

    def draw(self, drawing: Drawing) -> Picture:
        try:
            png = self._started(drawing).result()
        except BrokenProcessPool:
            # A drawing process was killed, for want of memory perhaps; the letter must go out all the same.
            self.close()
            png = compose_pixels(drawing, self._cache)
        width, height = png_size(png)
        return Picture(drawing.svg, png, width, height, drawing.alt)

    @property
    def has_pool(self) -> bool:
        return self._workers > 0

    def begin(self, drawing: Drawing) -> None:
        """Start a picture that will be asked for soon; without a pool there is nothing to gain."""
        if self.has_pool:
            self._started(drawing)

    def _started(self, drawing: Drawing) -> Future[bytes]:
        with self._lock:
            drawn = self._pictures.get(drawing.key)
            if drawn is None or (drawn.done() and drawn.exception() is not None):
                drawn = self._submit(drawing)
                self._pictures[drawing.key] = drawn
            self._pictures.move_to_end(drawing.key)
            while len(self._pictures) > KEPT_PICTURES:
                self._pictures.popitem(last=False)
        return drawn

    def _submit(self, drawing: Drawing) -> Future[bytes]:
        if self._workers:
            return self._processes().submit(compose_pixels, drawing, self._cache)
        made: Future[bytes] = Future()
        made.set_result(compose_pixels(drawing, self._cache))
        return made

    def _processes(self) -> ProcessPoolExecutor:
        """Started at the first picture; spawned, as a forked child of a program with threads may hang."""
        if self._pool is None:
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self._workers, mp_context=context)
        return self._pool

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None
