"""Measures the memory of a process."""

from __future__ import annotations

import os
from pathlib import Path


def resident_bytes(pid: int | str = "self") -> int:
    return int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
