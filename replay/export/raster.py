"""Converts one drawing to a PNG, or several drawings to an animation."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, TypeAlias, TypeVar

import resvg_py
from PIL import Image

T = TypeVar("T")
Track: TypeAlias = Callable[[Sequence[str]], Iterable[str]]
"""A function that takes drawings and returns them one by one. It can show the progress."""

SHARPNESS = 2
"""The number of pixels per CSS pixel in a single picture. In animations, it is 1."""
MAX_FRAMES = 300
LAST_SECONDS = 3.0
"""The minimum seconds for which the last frame is shown before the animation starts again."""
COLOURS = 128
SIZE = re.compile(r'<svg [^>]*?width="(\d+)" height="(\d+)"')
FAMILY = "DejaVu Sans"
FONT_FILES = [str(file) for file in sorted((Path(__file__).parent / "fonts").glob("*.ttf"))]
"""The fonts that are used in pictures. They have Latin, Greek, Cyrillic and Chinese characters.
`make fonts` generates them (docs/assets/fonts.py)."""


def png(svg: str) -> bytes:
    """Convert an SVG drawing to a PNG, and return the PNG."""
    return _raster(svg, SHARPNESS)


def animation(svgs: Sequence[str], seconds: float, kind: str, file: BinaryIO, track: Track) -> None:
    """Write the drawings as an endless animation. Each drawing is shown for `seconds`. `kind` is
    GIF or WEBP."""
    frames = _frames(svgs, kind, track)
    first = next(frames)
    times = [round(1000 * seconds)] * (len(svgs) - 1) + [round(1000 * max(seconds, LAST_SECONDS))]
    first.save(file, kind, save_all=True, append_images=frames, duration=times, loop=0, lossless=True)


def sample(items: Sequence[T], limit: int = MAX_FRAMES) -> list[T]:
    """Return at most `limit` of the items, evenly spaced, with the first and the last of them."""
    if len(items) <= limit:
        return list(items)
    return [items[round(at * (len(items) - 1) / (limit - 1))] for at in range(limit)]


def _frames(svgs: Sequence[str], kind: str, track: Track) -> Iterator[Image.Image]:
    """Yield the frames of an animation. Their drawings can have different sizes, because boards can
    grow and players can join. Therefore, each frame is padded to the size of the largest."""
    sizes = [tuple(map(int, found.groups())) for svg in svgs if (found := SIZE.search(svg))]
    size = max(width for width, _ in sizes), max(height for _, height in sizes)
    for svg in track(svgs):
        drawn = Image.open(io.BytesIO(_raster(svg, 1))).convert("RGB")
        frame = Image.new("RGB", size, drawn.getpixel((0, 0)))
        frame.paste(drawn)
        yield frame.quantize(COLOURS, dither=Image.Dither.NONE) if kind == "GIF" else frame


def _raster(svg: str, zoom: int) -> bytes:
    """Convert a drawing to pixels with our own fonts, so that it looks the same on every machine.
    The machine's fonts are used only for characters that our fonts don't have."""
    return resvg_py.svg_to_bytes(
        svg_string=svg, zoom=zoom, font_files=FONT_FILES, font_family=FAMILY, sans_serif_family=FAMILY
    )
