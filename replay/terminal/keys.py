"""Reads keys in a terminal when the user presses them, without waiting for Enter."""

from __future__ import annotations

import os
import re
import select
import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager

NAMES = {
    " ": "space",
    "\x1b[C": "right", "\x1bOC": "right", "l": "right",
    "\x1b[D": "left", "\x1bOD": "left", "h": "left",
    "\x1b[H": "home", "\x1bOH": "home", "\x1b[1~": "home", "\x1b[7~": "home", "g": "home",
    "\x1b[F": "end", "\x1bOF": "end", "\x1b[4~": "end", "\x1b[8~": "end", "G": "end",
    "Q": "q", "\x1b": "q", "\x04": "q",
}  # fmt: skip
"""For each text that a terminal sends for a key, the key's name. A key that isn't listed has the
character itself as its name."""
KEY = re.compile(r"\x1b(?:\[[0-9;]*[A-Za-z~]|O[A-Z])?|[^\x1b]", re.DOTALL)


def key_names(read: str) -> list[str]:
    """Return the names of the keys in a text that the terminal has sent."""
    return [NAMES.get(one, one) for one in KEY.findall(read)]


@contextmanager
def single_keys() -> Iterator[None]:
    """During the `with` block, keep the terminal in cbreak mode and don't echo keys."""
    before = termios.tcgetattr(sys.stdin)
    try:
        tty.setcbreak(sys.stdin)
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


def read_keys(seconds: float) -> list[str]:
    """Wait at most `seconds` for the user to press keys, and return the keys' names. At the end of
    the input, return the name `q`."""
    ready, _, _ = select.select([sys.stdin], [], [], seconds)
    if not ready:
        return []
    read = os.read(sys.stdin.fileno(), 64)
    return key_names(read.decode("utf-8", "replace")) if read else ["q"]
