"""Kill points: phases counted in memory that outlives the process, one of which ends it by SIGKILL."""

from __future__ import annotations

import mmap
import os
import signal
import struct
from pathlib import Path

NAMES = ("fetch", "decode", "commit", "inside", "ring", "idle")
"""`inside`: in the transaction of the commit, when all but its end is done."""
_SLOT = struct.Struct("<q")
_SIZE = 4096
_PHASE, _COUNTDOWN = len(NAMES), len(NAMES) + 1


class KillPoints:
    """A page of memory shared between our process, its successors, and who watches them."""

    def __init__(self, file: Path) -> None:
        if not file.exists():
            file.write_bytes(bytes(_SIZE))
        with file.open("r+b") as opened:
            self._memory = mmap.mmap(opened.fileno(), _SIZE)

    def close(self) -> None:
        self._memory.close()

    def _get(self, slot: int) -> int:
        return int(_SLOT.unpack_from(self._memory, slot * _SLOT.size)[0])

    def _set(self, slot: int, value: int) -> None:
        _SLOT.pack_into(self._memory, slot * _SLOT.size, value)

    def count(self, name: str) -> int:
        """How often this phase was entered, by all processes so far."""
        return self._get(NAMES.index(name))

    def kill_at(self, name: str, entry: int) -> None:
        """The process ends itself at this entry of the phase from now on: 1 is the next one."""
        self._set(_PHASE, NAMES.index(name))
        self._set(_COUNTDOWN, entry)

    def disarm(self) -> None:
        """Cancels the kill."""
        self._set(_COUNTDOWN, 0)

    def enter(self, name: str) -> None:
        """Called by our process. Does not return when it is to end here."""
        if name not in NAMES:
            return
        index = NAMES.index(name)
        self._set(index, self._get(index) + 1)
        left = self._get(_COUNTDOWN)
        if left > 0 and self._get(_PHASE) == index:
            self._set(_COUNTDOWN, left - 1)
            if left == 1:
                os.kill(os.getpid(), signal.SIGKILL)
