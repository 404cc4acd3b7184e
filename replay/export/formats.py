"""Exports a replay, or a frame of it, to a file; its suffix says as what."""

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

ENDINGS = (".json", ".html", ".svg", ".png", ".gif", ".webp")


@contextmanager
def atomic_file(path: Path, force: bool) -> Iterator[BinaryIO]:
    """A file to write to, which appears under its name when the `with` ends well, else not at all. Raises
    ReplayError."""
    if path.exists() and not force:
        raise ReplayError(f"{path} is there already: --force writes over it")
    new = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        with new.open("wb") as file:
            yield file
        new.replace(path)
    except OSError as error:
        raise ReplayError(f"{path} can't be written: {error.strerror or error}") from error
    finally:
        new.unlink(missing_ok=True)


class Exporter:
    """Drawings of one replay, in one theme and language."""

    def __init__(self, timeline: Timeline, theme: str, language: str = LANGUAGES[0]) -> None:
        self._timeline = timeline
        self._slug, self._language = timeline.replay["game"]["slug"], language
        self._styles = StyleSheets(self._slug, theme)

    def svg(self, frames: Iterable[Frame]) -> list[str]:
        """A drawing for each frame."""
        with NodeRenderer(self._slug, self._language) as renderer:
            inputs = map(self._timeline.still_input, frames)
            return [self._styles.inlined(renderer.svg(one), one["board"].get("status", "")) for one in inputs]

    def still(self, ending: str, at: Frame) -> bytes:
        """One frame as `.svg` or `.png`."""
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
        """All frames as `.gif` or `.webp`, `speed` a second. `report` gets what is left out, `track` the progress."""
        some = sample(frames)
        if len(some) < len(frames):
            report(
                f"{len(frames):,} steps are more than an animation holds: {len(some)} of them are shown, evenly chosen"
            )
        animation(self.svg(some), 1 / speed, ending[1:].upper(), file, track)
