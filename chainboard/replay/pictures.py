"""Drawings as pictures: one as PNG, many as an animation."""

from __future__ import annotations

import io
import re
import tempfile
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, BinaryIO, TypeVar
from unicodedata import combining, normalize

import resvg_py
from PIL import Image, ImageFont
from rich.progress import track

from chainboard.index import console

T = TypeVar("T")

SHARP = 2
"""Pixels a CSS pixel has in a single picture; in an animation one."""
MOST_FRAMES = 300
LAST_SECONDS = 3.0
"""How long the last frame stays, at least, before it begins anew."""
COLOURS = 128
SIZE = re.compile(r'<svg [^>]*?width="(\d+)" height="(\d+)"')
LETTER = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">'
    '<text y="9" font-family="system-ui, sans-serif">M</text></svg>'
)


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
    for svg in track(svgs, "Drawing", console=console, transient=True, disable=not console.is_terminal):
        drawn = Image.open(io.BytesIO(_raster(svg, 1))).convert("RGB")
        frame = Image.new("RGB", whole, drawn.getpixel((0, 0)))
        frame.paste(drawn)
        yield frame.quantize(COLOURS, dither=Image.Dither.NONE) if kind == "GIF" else frame


def _raster(svg: str, zoom: int) -> bytes:
    letters = _letters()
    return resvg_py.svg_to_bytes(svg_string=_bare(svg) if letters else svg, zoom=zoom, **letters)


def _bare(text: str) -> str:
    """Without accents, which the plain font lacks."""
    return "".join(letter for letter in normalize("NFD", text) if not combining(letter))


@cache
def _letters() -> dict[str, Any]:
    """Which font writes: the machine's own; where it has none, the plain one that Pillow has in itself."""
    if system_writes():
        return {}
    font = ImageFont.load_default()
    assert isinstance(font, ImageFont.FreeTypeFont)
    return {
        "font_files": [_file(font.font_bytes).name],
        "sans_serif_family": font.getname()[0],
        "skip_system_fonts": True,
    }


def system_writes() -> bool:
    """Whether this machine has a font for plain letters."""
    drawn = Image.open(io.BytesIO(resvg_py.svg_to_bytes(svg_string=LETTER))).convert("RGBA")
    return drawn.getchannel("A").getextrema() != (0, 0)


@cache
def _file(content: bytes) -> tempfile._TemporaryFileWrapper[bytes]:
    """A file for who reads files alone; gone when this process ends."""
    file = tempfile.NamedTemporaryFile(prefix="chainboard-", suffix=".otf")  # noqa: SIM115
    file.write(content)
    file.flush()
    return file
