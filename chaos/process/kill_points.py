"""Kill points: phases in which the tested process kills itself with SIGKILL.

They are set in shared memory that outlives the process.
"""

from __future__ import annotations

import mmap
import os
import signal
import struct
from pathlib import Path

OPPONENTS_NAMES = ("think", "sign", "send", "sent")
"""The phases of the opponents' process. They begin before it thinks, signs, sends a stored
transaction, and records that the node has the transaction."""
NAMES = ("fetch", "decode", "commit", "inside", "notify", *OPPONENTS_NAMES)
"""The names of all phases. `inside` begins within the database transaction, after the events are
stored and before it commits."""
_SLOT = struct.Struct("<q")
_SIZE = 4096
_PHASE, _COUNTDOWN = 0, 1


class KillPoints:
    """A page of memory that the tested process, its successors and the kit share."""

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
        """Make the process kill itself when it enters the phase for the `entry`-th time from now
        on."""
        self._set(_PHASE, NAMES.index(name))
        self._set(_COUNTDOWN, entry)

    def disarm(self) -> None:
        """Cancel the kill."""
        self._set(_COUNTDOWN, 0)

    def enter(self, name: str) -> None:
        """Enter a phase. The tested process calls this, and it is killed here if this is the chosen
        entry."""
        left = self._get(_COUNTDOWN)
        if left > 0 and self._get(_PHASE) == NAMES.index(name):
            self._set(_COUNTDOWN, left - 1)
            if left == 1:
                os.kill(os.getpid(), signal.SIGKILL)
