"""The state of a replay's playback, and how keys and time change it. This module uses neither a
terminal nor a clock."""

from __future__ import annotations

from dataclasses import dataclass

SLOWEST, FASTEST = 0.1, 50.0
"""The minimum and the maximum speed, in frames per second."""
FASTER = 1.5


@dataclass(slots=True)
class Playback:
    """The state of the playback. `at` is the current frame, a number from 0 to `count` - 1. `since`
    is the time at which the playback reached this frame, in seconds on the caller's clock."""

    count: int
    at: int = 0
    speed: float = 1.0
    playing: bool = True
    since: float = 0.0
    is_over: bool = False

    def tick(self, now: float) -> None:
        """If the next frame is due, go to it. Stop at the last frame."""
        if self.playing and now - self.since >= 1 / self.speed:
            self._move_to(self.at + 1, now)
            self.playing = self.at < self.count - 1

    def press(self, key: str, now: float) -> None:
        """Handle a key that the user has pressed. Keys without a function have no effect."""
        if key == "space":
            if not self.playing and self.at == self.count - 1:
                self._move_to(0, now)
            self.playing, self.since = not self.playing, now
        elif key in ("+", "="):
            self.speed = min(FASTEST, self.speed * FASTER)
        elif key == "-":
            self.speed = max(SLOWEST, self.speed / FASTER)
        elif key == "q":
            self.is_over = True
        elif (to := {"right": self.at + 1, "left": self.at - 1, "home": 0, "end": self.count - 1}.get(key)) is not None:
            self.playing = False
            self._move_to(to, now)

    def _move_to(self, at: int, now: float) -> None:
        self.at, self.since = max(0, min(self.count - 1, at)), now
