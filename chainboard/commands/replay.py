"""`chainboard replay`: one match, from the index or a file, played, printed or written."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import BinaryIO

from rich.progress import track

from chainboard.commands.replay_source import replay, text
from chainboard.console import console
from chainboard.errors import Trouble
from chainboard.settings import Settings
from indexer.model import Json, MatchKey
from replay.export.formats import Exports, whole, written
from replay.file import game_of
from replay.terminal.screen import Show, is_terminal
from replay.timeline import Positions, Step


@dataclass(frozen=True, slots=True)
class Wanted:
    """What of a replay is wanted. `at`: an event's number; `speed`: steps a second; `theme`: light, dark, or what suits
    (None)."""

    at: int | None = None
    speed: float = 1.0
    by_event: bool = False
    theme: str | None = None
    export: Path | None = None
    force: bool = False


def run(settings: Settings, source: MatchKey | Path, wanted: Wanted) -> None:
    """Raises Trouble or ReplayError."""
    if wanted.export is not None:
        _export(settings, source, wanted, wanted.export)
        return
    positions = _positions(settings, source, wanted)
    show = Show(positions, wanted.theme or "dark", wanted.by_event)
    if is_terminal():
        show.play(wanted.at, wanted.speed)
    else:
        show.print(wanted.at)


def _positions(settings: Settings, source: MatchKey | Path, wanted: Wanted) -> Positions:
    found = replay(settings, source)
    game_of(found)
    positions = Positions(found)
    if wanted.at is not None and not 1 <= wanted.at <= positions.last:
        raise Trouble(f"{found['match']} has the events 1 to {positions.last}, not {wanted.at}")
    return positions


def _export(settings: Settings, source: MatchKey | Path, wanted: Wanted, path: Path) -> None:
    ending = path.suffix.lower()
    with whole(path, wanted.force) as file:
        if ending == ".json":
            written(file, text(settings, source))
        else:
            _drawn(_positions(settings, source, wanted), wanted, ending, file)
    print(f"Written: {path}")


def _drawn(positions: Positions, wanted: Wanted, ending: str, file: BinaryIO) -> None:
    if ending == ".html":
        file.write(_html()(positions.replay).encode())
        return
    exports = Exports(positions, wanted.theme or "light")
    if ending in (".svg", ".png"):
        at = wanted.at or positions.last
        first = next(step.first for step in positions.steps(wanted.by_event) if at <= step.last)
        file.write(exports.position(ending, Step(first, at)))
    else:
        steps = [step for step in positions.steps(wanted.by_event) if step.first <= (wanted.at or positions.last)]
        exports.moving(ending, steps, wanted.speed, file, lambda said: print(said, file=sys.stderr), _with_bar)


def _with_bar(drawings: Sequence[str]) -> Iterable[str]:
    """The drawings, with a bar on a terminal that shows how many of them are done."""
    return track(drawings, "Drawing", console=console, transient=True, disable=not console.is_terminal)


def _html() -> Callable[[Json], str]:
    """What makes one HTML file of a replay; asked for only when there is one to make."""
    made: Callable[[Json], str] = import_module("replay.export.html").html_of
    return made
