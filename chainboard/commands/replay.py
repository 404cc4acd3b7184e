"""`chainboard replay`: plays back, prints or exports a match. The match comes from the index or
from a replay file."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from rich.progress import track

from chainboard.commands.replay_source import chunks, load
from chainboard.console import console
from chainboard.errors import UserError
from chainboard.settings import Settings
from indexer.model import MatchKey
from replay.export.formats import Exporter, atomic_file
from replay.file import game_of
from replay.terminal.screen import Screen, is_terminal
from replay.timeline import Frame, Timeline


@dataclass(frozen=True, slots=True)
class ReplayOptions:
    """The options of `chainboard replay`. `at` is the number of an event, and `speed` is in frames
    per second. `theme` is light, dark, or None for the default. `language` is one of the page's
    languages."""

    at: int | None = None
    speed: float = 1.0
    by_event: bool = False
    theme: str | None = None
    export: Path | None = None
    force: bool = False
    language: str = "en"


def run(settings: Settings, source: MatchKey | Path, options: ReplayOptions) -> None:
    """Play back, print or export a match. Raises UserError or ReplayError."""
    if options.export is not None:
        _export(settings, source, options, options.export)
        return
    timeline = _timeline(settings, source, options)
    show = Screen(timeline, options.theme or "dark", options.by_event, language=options.language)
    if is_terminal():
        show.play(options.at, options.speed)
    else:
        show.print(options.at)


def _timeline(settings: Settings, source: MatchKey | Path, options: ReplayOptions) -> Timeline:
    found = load(settings, source)
    game_of(found)
    timeline = Timeline(found)
    if options.at is not None and not 1 <= options.at <= timeline.last:
        raise UserError(f"{found['match']} has no event {options.at}: its events are 1 to {timeline.last}")
    return timeline


def _export(settings: Settings, source: MatchKey | Path, options: ReplayOptions, path: Path) -> None:
    ending = path.suffix.lower()
    with atomic_file(path, options.force) as file:
        if ending == ".json":
            file.writelines(chunks(settings, source))
        else:
            _draw(_timeline(settings, source, options), options, ending, file)
    print(f"Wrote {path}")


def _draw(timeline: Timeline, options: ReplayOptions, ending: str, file: BinaryIO) -> None:
    if ending == ".html":
        from replay.export.html import html_of

        file.write(html_of(timeline.replay, options.language).encode())
        return
    exports = Exporter(timeline, options.theme or "light", options.language)
    if ending in (".svg", ".png"):
        at = options.at or timeline.last
        first = next(frame.first for frame in timeline.frames(options.by_event) if at <= frame.last)
        file.write(exports.still(ending, Frame(first, at)))
    else:
        frames = [frame for frame in timeline.frames(options.by_event) if frame.first <= (options.at or timeline.last)]
        exports.animation(
            ending, frames, options.speed, file, lambda message: print(message, file=sys.stderr), _with_progress_bar
        )


def _with_progress_bar(drawings: Sequence[str]) -> Iterable[str]:
    """Yield the drawings unchanged. If the output is a terminal, show a progress bar in the
    meantime."""
    return track(drawings, "Drawing", console=console, transient=True, disable=not console.is_terminal)
