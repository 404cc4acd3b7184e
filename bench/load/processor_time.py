"""The processor time of processes: unlike the time on the clock it hardly depends on how busy the machine is."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

PARENT, CUTIME, CSTIME = 1, 13, 14
"""Fields of /proc/PID/stat behind the name: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html"""
NANO = 1e-9
TICKS = os.sysconf("SC_CLK_TCK")
ENDED = (FileNotFoundError, ProcessLookupError)


def processor_seconds(pid: int) -> float:
    """Of a process, in all threads that it has. In stat the same is in hundredths of a second, in schedstat in
    nanoseconds: https://docs.kernel.org/scheduler/sched-stats.html"""
    found = 0
    for thread in Path(f"/proc/{pid}/task").iterdir():
        with suppress(*ENDED):
            found += int((thread / "schedstat").read_text("ascii").split()[0])
    return NANO * found


def family_seconds(pid: int) -> float:
    """Of a process with its children, those included that have ended."""
    mine = _stat(Path(f"/proc/{pid}/stat"))
    found = processor_seconds(pid) + (int(mine[CUTIME]) + int(mine[CSTIME])) / TICKS
    for child in children(pid):
        with suppress(*ENDED):
            found += processor_seconds(child)
    return found


def children(pid: int) -> Iterator[int]:
    """The processes that a process has started, and that have not ended."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(*ENDED):
            if int(_stat(stat)[PARENT]) == pid:
                yield int(stat.parent.name)


def _stat(file: Path) -> list[str]:
    return file.read_text("utf-8").rpartition(") ")[2].split()
