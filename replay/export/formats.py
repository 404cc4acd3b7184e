"""Exports a replay, or one of its frames, to a file. The suffix of the file's name selects the
format."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from api.static.texts import LANGUAGES
from replay.errors import ReplayError
from replay.export.raster import Track, animation, png, sample
from replay.render.css import StyleSheets
from replay.render.node_renderer import NodeRenderer
from replay.timeline import Frame, Timeline

SUFFIXES = (".json", ".html", ".svg", ".png", ".gif", ".webp")


@contextmanager
def atomic_file(path: Path, force: bool) -> Iterator[BinaryIO]:
    """Yield a file to write to. It gets the name `path` only if the `with` block succeeds. Raises
    ReplayError if the file can't be written, or if it already exists and `force` is False."""
    if path.exists() and not force:
        raise ReplayError(f"{path} already exists: use --force to overwrite it")
    new = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        with new.open("wb") as file:
            yield file
        new.replace(path)
    except OSError as error:
        raise ReplayError(f"can't write {path}: {error.strerror or error}") from error
    finally:
        new.unlink(missing_ok=True)


class Exporter:
    """Draws the frames of one replay, in one theme and one language."""

    def __init__(self, timeline: Timeline, theme: str, language: str = LANGUAGES[0]) -> None:
        self._timeline = timeline
        self._slug, self._language = timeline.replay["game"]["slug"], language
        self._styles = StyleSheets(self._slug, theme)

    def svg(self, frames: Iterable[Frame]) -> list[str]:
        """Return an SVG drawing of each frame."""
        with NodeRenderer(self._slug, self._language) as renderer:
            inputs = map(self._timeline.still_input, frames)
            return [self._styles.inlined(renderer.svg(one), one["board"].get("status", "")) for one in inputs]

    def still(self, ending: str, at: Frame) -> bytes:
        """Return the contents of a `.svg` or `.png` file that shows one frame."""
        (drawing,) = self.svg([at])
        return drawing.encode() if ending == ".svg" else png(drawing)

    def animation(
        self,
        ending: str,
        frames: list[Frame],
        speed: float,
        file: BinaryIO,
        report: Callable[[str], None],
        track: Track,
    ) -> None:
        """Write the frames to a `.gif` or `.webp` file, which shows `speed` frames per second. If
        there are too many frames, leave some out and call `report` with a message about it. `track`
        shows the progress."""
        some = sample(frames)
        if len(some) < len(frames):
            report(
                f"the animation can't hold all {len(frames):,} steps, so it shows {len(some)} of them, evenly spaced"
            )
        animation(self.svg(some), 1 / speed, ending[1:].upper(), file, track)
