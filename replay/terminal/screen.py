"""Plays back a replay in the terminal, or prints it as text if there is no terminal."""

from __future__ import annotations

import sys
import time
from bisect import bisect_left

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from api.static.texts import LANGUAGES, text
from indexer.sanitize import printable
from replay.render.node_renderer import NodeRenderer
from replay.terminal.board_text import draw_boards
from replay.terminal.frame import TONES, draw_frame, heading, side_text
from replay.terminal.keys import read_keys, single_keys
from replay.terminal.palette import Colours
from replay.terminal.playback import Playback
from replay.timeline import Frame, Timeline

FRAME_LINES = 4
"""The number of lines that the board can't use: the heading, the progress, the keys, and a free
line for the cursor."""
WAIT_SECONDS = 0.25
"""The maximum number of seconds to wait for a key. After that, the screen is drawn again, because
the window might have been resized."""
ALL_LINES = 10_000


class Screen:
    """Shows one replay on one console. With `by_event`, each event has its own frame. Otherwise,
    each frame shows all events of a transaction."""

    def __init__(
        self,
        timeline: Timeline,
        theme: str,
        by_event: bool,
        console: Console | None = None,
        language: str = LANGUAGES[0],
    ) -> None:
        self._language = language
        self._timeline, self._frames = timeline, timeline.frames(by_event)
        self.console = console or Console(highlight=False)
        self._colours = Colours(timeline.replay["game"]["slug"], theme)
        self._colour = self.console.color_system is not None and not self.console.no_color
        self._drawn: tuple[int, tuple[int, int]] | None = None
        self._body: RenderableType = ""

    def print(self, at: int | None = None) -> None:
        """Print the board after event `at`, and the moves up to this event. If `at` is None, print
        the last board and all moves."""
        seq = at or self._timeline.last
        with NodeRenderer(self._timeline.replay["game"]["slug"], self._language) as renderer:
            frames = self._frames_up_to(seq)
            still = renderer.still(self._timeline.still_input(frames[-1]))
            size = (self.console.width, ALL_LINES)
            lines = draw_boards(still["picture"], self._colours, size, self._colour)
            side_lines = side_text({**still, "sentences": []}, self._colours, ALL_LINES, 1, self._language)
            self.console.print(Group(heading(still, self._timeline.events[seq - 1]), *lines, *side_lines))
            for frame in frames:
                self._print_sentences(renderer, frame)

    def _print_sentences(self, renderer: NodeRenderer, frame: Frame) -> None:
        event = self._timeline.events[frame.last - 1]
        block = text(self._language, "terminal.block", height=event["block"])
        for one in renderer.still(self._timeline.still_input(frame))["sentences"]:
            line = Text(f"{one['seq']:>6}  {block:<14} ").append(printable(one["text"]), TONES.get(one["tone"], ""))
            self.console.print(line)

    def _frames_up_to(self, seq: int) -> list[Frame]:
        """Return the frames up to an event. The last of these frames ends with this event."""
        at = bisect_left(self._frames, seq, key=lambda frame: frame.last)
        return [*self._frames[:at], Frame(self._frames[at].first, seq)]

    def _split_frame(self, seq: int) -> int:
        """Return the index of the frame that ends with an event. If the event is in the middle of a
        frame, split this frame after the event."""
        before = self._frames_up_to(seq)
        after = self._frames[len(before) :]
        rest = self._frames[len(before) - 1].last
        self._frames = [*before, *([Frame(seq + 1, rest)] if seq < rest else []), *after]
        return len(before) - 1

    def play(self, at: int | None, speed: float) -> None:
        """Play back the replay until the user quits with a key. If `at` is given, begin at this
        event, and pause there. Otherwise, begin at the first frame."""
        first = 0 if at is None else self._split_frame(at)
        playback = Playback(len(self._frames), first, speed, at is None, time.monotonic())
        with (
            NodeRenderer(self._timeline.replay["game"]["slug"], self._language) as renderer,
            single_keys(),
            Live(console=self.console, screen=True, auto_refresh=False) as live,
        ):
            while not playback.is_over:
                live.update(self.render(renderer, playback), refresh=True)
                wait = playback.since + 1 / playback.speed - time.monotonic() if playback.playing else WAIT_SECONDS
                for key in read_keys(max(0.0, min(wait, WAIT_SECONDS))):
                    playback.press(key, time.monotonic())
                playback.tick(time.monotonic())

    def render(self, renderer: NodeRenderer, playback: Playback) -> RenderableType:
        """Return everything that the screen shows. The board is drawn again only if the frame or
        the window's size has changed."""
        size = (self.console.width, self.console.height - FRAME_LINES)
        if self._drawn != (playback.at, size):
            frame = self._frames[playback.at]
            still = renderer.still(self._timeline.still_input(frame))
            body = draw_frame(still, self._colours, size, self._language, self._colour)
            self._body = Group(heading(still, self._timeline.events[frame.last - 1]), body)
            self._drawn = (playback.at, size)
        keys = Text(text(self._language, "terminal.keys"), "dim", no_wrap=True, overflow="ellipsis")
        return Group(self._body, self._progress(playback), keys)

    def _progress(self, playback: Playback) -> Text:
        state = f"{'▶' if playback.playing else '❚❚'} {playback.at + 1}/{playback.count} · {playback.speed:.3g}/s"
        room = max(4, self.console.width - len(state) - 3)
        done = room if playback.count == 1 else round(room * playback.at / (playback.count - 1))
        return Text(no_wrap=True).append("━" * done, "bold").append("─" * (room - done), "dim").append(f"  {state}")


def is_terminal() -> bool:
    """Return True if this process can read keys from a terminal and draw on it."""
    return sys.stdin.isatty() and sys.stdout.isatty()
