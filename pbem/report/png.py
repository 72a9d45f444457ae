"""SVG to pixels by resvg with our own font, and the player's layer laid over a background made once."""

from __future__ import annotations

import io
from functools import cache
from pathlib import Path

import resvg_py
from PIL import Image

FONTS = Path(__file__).parent / "fonts"
FONT_FAMILY = "DejaVu Sans"


@cache
def font_files() -> list[str]:
    """The bundled fonts; without them resvg would leave out all text and say nothing."""
    found = sorted(str(path) for path in FONTS.glob("*.ttf"))
    if len(found) < 2:
        raise FileNotFoundError(f"the bundled fonts are missing from {FONTS}")
    return found


def rasterise(svg: str) -> bytes:
    """The SVG as PNG; the same bytes on every machine, since only our own fonts are used."""
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
    with Image.open(io.BytesIO(rasterise(svg))) as image:
        return image.convert("RGBA")


def packed(image: Image.Image, colours: int = 64) -> bytes:
    """A PNG of few colours, small enough for any mailbox."""
    few = image.convert("RGB").quantize(colours, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    out = io.BytesIO()
    few.save(out, "PNG", optimize=False, compress_level=9)
    return out.getvalue()
