"""Measures how long a start takes, from the command until it prints the URL. The installation isn't
included."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from tests.support.server import up

TIMES = 5


def seconds(data: Path) -> tuple[float, float]:
    """Return the seconds from the command until it prints the URL, and from Ctrl-C until it
    ends."""
    begin = time.perf_counter()
    with up(data) as server:
        begun = time.perf_counter() - begin
        return begun, server.stop()


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        first, _ = seconds(Path(folder))
        again = [seconds(Path(folder)) for _ in range(TIMES)]
    print("Start and end of `chainboard up`")
    print(f"  first start, with deployment       {first:5.2f} s")
    print(f"  warm start, the slowest of {TIMES}       {max(one for one, _ in again):5.2f} s   (target: 5 s)")
    print(f"  end after Ctrl-C, the slowest of {TIMES} {max(end for _, end in again):5.2f} s   (target: 1 s)")
