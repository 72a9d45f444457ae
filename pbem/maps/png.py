"""SVG to pixels by resvg with our own font, and pixels to a PNG small enough for any mailbox."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path

import resvg_py
from PIL import Image, ImageColor

FONTS = Path(__file__).parent / "fonts"
FONT_FAMILY = "DejaVu Sans"
MOST_BYTES = 250_000
LEAST_WIDTH = 900
SHRINK = 0.85
COMPRESSION = 7
"""Level 9 takes several times as long for 3 percent."""


@cache
def font_files() -> list[str]:
    """The bundled fonts, bold first; without them resvg would leave out all text and say nothing."""
    fonts = [FONTS / "DejaVuSans-Bold.ttf", FONTS / "DejaVuSans.ttf"]
    for path in fonts:
        if not path.is_file():
            raise FileNotFoundError(f"the bundled font {path.name} is missing from {FONTS}")
    return [str(path) for path in fonts]


def rasterise(svg: str) -> bytes:
    """The SVG as PNG; the same on every machine, since only our own fonts are used."""
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg,
            skip_system_fonts=True,
            font_files=font_files(),
            font_family=FONT_FAMILY,
            sans_serif_family=FONT_FAMILY,
        )
    )


def pixels(svg: str) -> Image.Image:
    """The SVG as an image with transparency."""
    image = Image.open(io.BytesIO(rasterise(svg)))
    image.load()
    return image if image.mode == "RGBA" else image.convert("RGBA")


def packed(image: Image.Image, palette: Sequence[str]) -> bytes:
    """A PNG in the given colours; those of a theme keep white white, where a guessed palette would tint it."""
    few = image.convert("RGB").quantize(palette=_palette(tuple(palette)), dither=Image.Dither.NONE)
    out = io.BytesIO()
    few.save(out, "PNG", compress_level=COMPRESSION)
    return out.getvalue()


def fitted(image: Image.Image, palette: Sequence[str], most: int = MOST_BYTES) -> bytes:
    """The same, made smaller in steps where a crowded map would not fit a mailbox."""
    png = packed(image, palette)
    while len(png) > most and image.width > LEAST_WIDTH:
        size = (round(image.width * SHRINK), round(image.height * SHRINK))
        image = image.resize(size, Image.Resampling.LANCZOS)
        png = packed(image, palette)
    return png


def png_size(png: bytes) -> tuple[int, int]:
    """Width and height, as the file's header has them."""
    return int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")


@lru_cache(maxsize=32)
def _palette(colours: tuple[str, ...]) -> Image.Image:
    made = Image.new("P", (1, 1))
    made.putpalette([part for colour in colours[:256] for part in ImageColor.getrgb(colour)[:3]])
    return made
