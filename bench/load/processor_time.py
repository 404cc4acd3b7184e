"""Measures the processor time of processes. Unlike wall-clock time, processor time hardly depends
on the machine's load."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

PARENT, CUTIME, CSTIME = 1, 13, 14
"""The positions of fields in /proc/PID/stat, counted from the field after the process's name. See
https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html"""
NANO = 1e-9
TICKS = os.sysconf("SC_CLK_TCK")
ENDED = (FileNotFoundError, ProcessLookupError)


def processor_seconds(pid: int) -> float:
    """Return the processor time of a process's running threads, in seconds.

    The time comes from the file schedstat, which has nanoseconds. The file stat has only hundredths
    of a second: https://docs.kernel.org/scheduler/sched-stats.html"""
    found = 0
    for thread in Path(f"/proc/{pid}/task").iterdir():
        with suppress(*ENDED):
            found += int((thread / "schedstat").read_text("ascii").split()[0])
    return NANO * found


def family_seconds(pid: int) -> float:
    """Return the processor time of a process and its children, in seconds. Children that have
    already ended count, too."""
    mine = _stat(Path(f"/proc/{pid}/stat"))
    found = processor_seconds(pid) + (int(mine[CUTIME]) + int(mine[CSTIME])) / TICKS
    for child in children(pid):
        with suppress(*ENDED):
            found += processor_seconds(child)
    return found


def children(pid: int) -> Iterator[int]:
    """Yield the live child processes of a process."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(*ENDED):
            if int(_stat(stat)[PARENT]) == pid:
                yield int(stat.parent.name)


def _stat(file: Path) -> list[str]:
    return file.read_text("utf-8").rpartition(") ")[2].split()
