"""A replay, or a position of it, written to a file; its ending says as what."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from replay.errors import ReplayError
from replay.export.raster import Track, animation, chosen, png
from replay.render.css import Styles
from replay.render.node_renderer import Stills
from replay.timeline import Positions, Step

ENDINGS = (".json", ".html", ".svg", ".png", ".gif", ".webp")


@contextmanager
def whole(path: Path, force: bool) -> Iterator[BinaryIO]:
    """A file to write to, which is at its place when the `with` ends well; nothing is there else. Raises
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


def written(file: BinaryIO, pieces: Iterable[bytes]) -> None:
    for piece in pieces:
        file.write(piece)


class Exports:
    """Pictures of one replay, in one theme."""

    def __init__(self, positions: Positions, theme: str) -> None:
        self._positions = positions
        self._slug = positions.replay["game"]["slug"]
        self._styles = Styles(self._slug, theme)

    def svg(self, steps: Iterable[Step]) -> list[str]:
        """A drawing for each step."""
        with Stills(self._slug) as stills:
            moments = map(self._positions.moment, steps)
            return [self._styles.dressed(stills.svg(one), one["board"].get("status", "")) for one in moments]

    def position(self, ending: str, at: Step) -> bytes:
        """One position as `.svg` or `.png`."""
        (drawing,) = self.svg([at])
        return drawing.encode() if ending == ".svg" else png(drawing)

    def moving(
        self, ending: str, steps: list[Step], speed: float, file: BinaryIO, say: Callable[[str], None], track: Track
    ) -> None:
        """All steps as `.gif` or `.webp`, `speed` a second. `say` is told what is left out, `track` what is done."""
        some = chosen(steps)
        if len(some) < len(steps):
            say(f"{len(steps):,} steps are more than an animation holds: {len(some)} of them are shown, evenly chosen")
        animation(self.svg(some), 1 / speed, ending[1:].upper(), file, track)
