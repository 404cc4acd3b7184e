"""Kill points: phases of the tested process's work. In each phase, the process can be made to kill
itself.

The kit sets them in shared memory, which still exists after the process has been killed.
"""

from __future__ import annotations

import mmap
import os
import signal
import struct
from pathlib import Path

OPPONENTS_NAMES = ("think", "sign", "send", "sent")
"""The phases of the computer players' process. They begin just before it thinks, before it signs,
before it sends a stored transaction, and before it records that the node has the transaction."""
NAMES = ("fetch", "decode", "commit", "inside", "notify", *OPPONENTS_NAMES)
"""The names of all phases. `inside` begins within a database transaction, after the events are
stored and before the transaction is committed."""
_SLOT = struct.Struct("<q")
_SIZE = 4096
_PHASE, _COUNTDOWN = 0, 1


class KillPoints:
    """A page of memory that the kit shares with each run of the tested process."""

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
        """Make the process kill itself when it enters the phase `name` for the `entry`-th time from
        now on."""
        self._set(_PHASE, NAMES.index(name))
        self._set(_COUNTDOWN, entry)

    def disarm(self) -> None:
        """Cancel the planned kill."""
        self._set(_COUNTDOWN, 0)

    def enter(self, name: str) -> None:
        """Enter a phase. The tested process calls this method at the start of each phase. If the
        kill was planned for this entry, the process is killed here."""
        left = self._get(_COUNTDOWN)
        if left > 0 and self._get(_PHASE) == NAMES.index(name):
            self._set(_COUNTDOWN, left - 1)
            if left == 1:
                os.kill(os.getpid(), signal.SIGKILL)
