"""Kill points: phases of our process, one of which ends it by SIGKILL; armed in memory that outlives it."""

from __future__ import annotations

import mmap
import os
import signal
import struct
from pathlib import Path

OPPONENTS_NAMES = ("think", "sign", "send", "sent")
"""Of the opponents' process: before it thinks, signs, sends what it has kept, and keeps that the node has it."""
NAMES = ("fetch", "decode", "commit", "inside", "ring", *OPPONENTS_NAMES)
"""`inside`: in the transaction of the commit, when all but its end is done."""
_SLOT = struct.Struct("<q")
_SIZE = 4096
_PHASE, _COUNTDOWN = 0, 1


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

    def kill_at(self, name: str, entry: int) -> None:
        """The process ends itself at this entry of the phase from now on: 1 is the next one."""
        self._set(_PHASE, NAMES.index(name))
        self._set(_COUNTDOWN, entry)

    def disarm(self) -> None:
        """Cancels the kill."""
        self._set(_COUNTDOWN, 0)

    def enter(self, name: str) -> None:
        """Called by our process. Does not return when it is to end here."""
        left = self._get(_COUNTDOWN)
        if left > 0 and self._get(_PHASE) == NAMES.index(name):
            self._set(_COUNTDOWN, left - 1)
            if left == 1:
                os.kill(os.getpid(), signal.SIGKILL)
