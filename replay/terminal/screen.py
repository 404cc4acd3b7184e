"""A replay in the terminal: played, where there is one to play in; else told as plain text."""

from __future__ import annotations

import sys
import time
from bisect import bisect_left

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from replay.render.node_renderer import Stills
from replay.sanitize import plain
from replay.terminal.board_text import boards
from replay.terminal.frame import TONES, heading, scene, words
from replay.terminal.keys import pressed, single_keys
from replay.terminal.palette import Colours
from replay.terminal.playback import Player
from replay.timeline import Positions, Step

HELP = "space pause · ← → step · Home End · + - speed · q quit"
FRAME_LINES = 4
"""Heading, progress, keys, and one that stays free for the cursor."""
WAIT_SECONDS = 0.25
"""How long a key is waited for at most: a window may have become larger meanwhile."""
ALL_LINES = 10_000


class Show:
    """One replay on one console. `by_event`: a step for each event rather than for each transaction."""

    def __init__(self, positions: Positions, theme: str, by_event: bool, console: Console | None = None) -> None:
        self._positions, self._steps = positions, positions.steps(by_event)
        self.console = console or Console(highlight=False)
        self._colours = Colours(positions.replay["game"]["slug"], theme)
        self._colour = self.console.color_system is not None and not self.console.no_color
        self._drawn: tuple[int, tuple[int, int]] | None = None
        self._body: RenderableType = ""

    def print(self, at: int | None = None) -> None:
        """The position after event `at` (None: the last), and the moves up to it."""
        seq = at or self._positions.last
        with Stills(self._positions.replay["game"]["slug"]) as stills:
            steps = self._until(seq)
            still = stills.still(self._positions.moment(steps[-1]))
            room = (self.console.width, ALL_LINES)
            lines = boards(still["picture"], self._colours, room, self._colour)
            said = words({**still, "sentences": []}, self._colours, ALL_LINES, 1)
            self.console.print(Group(heading(still, self._positions.events[seq - 1]), *lines, *said))
            for step in steps:
                self._tell(stills, step)

    def _tell(self, stills: Stills, step: Step) -> None:
        event = self._positions.events[step.last - 1]
        for one in stills.still(self._positions.moment(step))["sentences"]:
            text = Text(f"{one['seq']:>6}  block {event['block']:<8} ").append(
                plain(one["text"]), TONES.get(one["tone"], "")
            )
            self.console.print(text)

    def _until(self, seq: int) -> list[Step]:
        """The steps up to an event, the last one cut there."""
        at = bisect_left(self._steps, seq, key=lambda step: step.last)
        return [*self._steps[:at], Step(self._steps[at].first, seq)]

    def _cut(self, seq: int) -> int:
        """Makes an event the end of a step; which one that is."""
        before = self._until(seq)
        after = self._steps[len(before) :]
        rest = self._steps[len(before) - 1].last
        self._steps = [*before, *([Step(seq + 1, rest)] if seq < rest else []), *after]
        return len(before) - 1

    def play(self, at: int | None, speed: float) -> None:
        """From the beginning, until a key ends it; with `at` it stands at that event, and waits."""
        first = 0 if at is None else self._cut(at)
        player = Player(len(self._steps), first, speed, at is None, time.monotonic())
        with (
            Stills(self._positions.replay["game"]["slug"]) as stills,
            single_keys(),
            Live(console=self.console, screen=True, auto_refresh=False) as live,
        ):
            while not player.over:
                live.update(self.frame(stills, player), refresh=True)
                wait = player.since + 1 / player.speed - time.monotonic() if player.playing else WAIT_SECONDS
                for key in pressed(max(0.0, min(wait, WAIT_SECONDS))):
                    player.press(key, time.monotonic())
                player.tick(time.monotonic())

    def frame(self, stills: Stills, player: Player) -> RenderableType:
        """All lines of the screen. The board is drawn anew only when it is another one, or the window is."""
        size = (self.console.width, self.console.height - FRAME_LINES)
        if self._drawn != (player.at, size):
            step = self._steps[player.at]
            still = stills.still(self._positions.moment(step))
            body = scene(still, self._colours, size, self._colour)
            self._body = Group(heading(still, self._positions.events[step.last - 1]), body)
            self._drawn = (player.at, size)
        return Group(self._body, self._progress(player), Text(HELP, "dim", no_wrap=True, overflow="ellipsis"))

    def _progress(self, player: Player) -> Text:
        state = f"{'▶' if player.playing else '❚❚'} {player.at + 1}/{player.count} · {player.speed:.3g}/s"
        room = max(4, self.console.width - len(state) - 3)
        done = room if player.count == 1 else round(room * player.at / (player.count - 1))
        return Text(no_wrap=True).append("━" * done, "bold").append("─" * (room - done), "dim").append(f"  {state}")


def is_terminal() -> bool:
    """Whether somebody sits there: keys can be read, and a screen be drawn."""
    return sys.stdin.isatty() and sys.stdout.isatty()
