"""Rasterises drawings: one as PNG, several as an animation."""

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
"""Passes on drawings one by one, and may show the progress."""

SHARPNESS = 2
"""Pixels per CSS pixel in a single picture. In an animation, the ratio is 1."""
MAX_FRAMES = 300
LAST_SECONDS = 3.0
"""Minimum duration of the last frame before the loop restarts."""
COLOURS = 128
SIZE = re.compile(r'<svg [^>]*?width="(\d+)" height="(\d+)"')
FAMILY = "DejaVu Sans"
FONT_FILES = [str(file) for file in sorted((Path(__file__).parent / "fonts").glob("*.ttf"))]
"""Latin, Greek, Cyrillic and Chinese fonts. `make fonts` generates them (docs/assets/fonts.py)."""


def png(svg: str) -> bytes:
    """Return a drawing as PNG."""
    return _raster(svg, SHARPNESS)


def animation(svgs: Sequence[str], seconds: float, kind: str, file: BinaryIO, track: Track) -> None:
    """Write drawings as an endless animation, `seconds` each. `kind`: GIF or WEBP."""
    frames = _frames(svgs, kind, track)
    first = next(frames)
    times = [round(1000 * seconds)] * (len(svgs) - 1) + [round(1000 * max(seconds, LAST_SECONDS))]
    first.save(file, kind, save_all=True, append_images=frames, duration=times, loop=0, lossless=True)


def sample(items: Sequence[T], limit: int = MAX_FRAMES) -> list[T]:
    """Return at most `limit` items, evenly spaced, including the first and the last."""
    if len(items) <= limit:
        return list(items)
    return [items[round(at * (len(items) - 1) / (limit - 1))] for at in range(limit)]


def _frames(svgs: Sequence[str], kind: str, track: Track) -> Iterator[Image.Image]:
    """Yield the frames, padded to the same size: boards may grow, and players join."""
    sizes = [tuple(map(int, found.groups())) for svg in svgs if (found := SIZE.search(svg))]
    size = max(width for width, _ in sizes), max(height for _, height in sizes)
    for svg in track(svgs):
        drawn = Image.open(io.BytesIO(_raster(svg, 1))).convert("RGB")
        frame = Image.new("RGB", size, drawn.getpixel((0, 0)))
        frame.paste(drawn)
        yield frame.quantize(COLOURS, dither=Image.Dither.NONE) if kind == "GIF" else frame


def _raster(svg: str, zoom: int) -> bytes:
    """Rasterise with our own fonts, so that a picture is the same on every machine, even without
    fonts. Missing characters use the machine's fonts."""
    return resvg_py.svg_to_bytes(
        svg_string=svg, zoom=zoom, font_files=FONT_FILES, font_family=FAMILY, sans_serif_family=FAMILY
    )
