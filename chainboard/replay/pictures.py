"""Drawings as pictures: one as PNG, many as an animation."""

from __future__ import annotations

import io
import re
import tempfile
from collections.abc import Iterator, Sequence
from functools import cache
from typing import BinaryIO, TypeVar

import resvg_py
from PIL import Image, ImageFont

T = TypeVar("T")

SHARP = 2
"""Pixels a CSS pixel has in a single picture; in an animation one."""
MOST_FRAMES = 300
LAST_SECONDS = 3.0
"""How long the last frame stays, at least, before it begins anew."""
COLOURS = 128
TEXT = re.compile(r"(?<=>)[^<]+")
SIZE = re.compile(r'<svg [^>]*?width="(\d+)" height="(\d+)"')
NO_LETTER = "\U0010fffd"


def png(svg: str) -> bytes:
    """A drawing as PNG."""
    return _raster(svg, SHARP)


def animation(svgs: Sequence[str], seconds: float, kind: str, file: BinaryIO) -> None:
    """Writes drawings as an endless animation, `seconds` each. `kind`: GIF or WEBP."""
    frames = _frames(svgs, kind)
    first = next(frames)
    times = [round(1000 * seconds)] * (len(svgs) - 1) + [round(1000 * max(seconds, LAST_SECONDS))]
    first.save(file, kind, save_all=True, append_images=frames, duration=times, loop=0, lossless=True)


def chosen(steps: Sequence[T], most: int = MOST_FRAMES) -> list[T]:
    """At most so many of them, evenly, with the first and the last."""
    if len(steps) <= most:
        return list(steps)
    return [steps[round(at * (len(steps) - 1) / (most - 1))] for at in range(most)]


def _frames(svgs: Sequence[str], kind: str) -> Iterator[Image.Image]:
    """Of one size, though a board may grow, and players join."""
    sizes = [tuple(map(int, found.groups())) for svg in svgs if (found := SIZE.search(svg))]
    whole = max(width for width, _ in sizes), max(height for _, height in sizes)
    for svg in svgs:
        drawn = Image.open(io.BytesIO(_raster(svg, 1))).convert("RGB")
        frame = Image.new("RGB", whole, drawn.getpixel((0, 0)))
        frame.paste(drawn)
        yield frame.quantize(COLOURS, dither=Image.Dither.NONE) if kind == "GIF" else frame


def _raster(svg: str, zoom: int) -> bytes:
    """The letters are those of the font that Pillow has in itself: a machine may have no font, and looking through those
    of a machine takes longer than drawing. They are looked at when a text has letters that it lacks."""
    known = all(_writes(letter) for text in TEXT.findall(svg) for letter in text)
    return resvg_py.svg_to_bytes(
        svg_string=svg,
        zoom=zoom,
        font_files=[_font_file().name],
        sans_serif_family=_font().getname()[0],
        skip_system_fonts=known,
    )


@cache
def _font() -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(12)
    assert isinstance(font, ImageFont.FreeTypeFont)
    return font


@cache
def _font_file() -> tempfile._TemporaryFileWrapper[bytes]:
    """Gone when this process ends."""
    file = tempfile.NamedTemporaryFile(prefix="chainboard-", suffix=".otf")
    file.write(_font().font_bytes)
    file.flush()
    return file


@cache
def _writes(letter: str) -> bool:
    """Whether the font has this letter."""
    return letter.isspace() or bytes(_font().getmask(letter)) != bytes(_font().getmask(NO_LETTER))
