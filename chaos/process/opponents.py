"""The computer players' process. It is a real `chainboard bots`, to which kill points were added.
The tested process starts it.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

from bots.service.thinking import ThinkingPool
from chaos.process.ablations import DEFENCES
from chaos.process.kill_points import KillPoints
from chaos.process.patches import enter_phases
from transactions.sender import Sender

PHASES: tuple[tuple[type, str, str], ...] = (
    (ThinkingPool, "choose", "think"),
    (Sender, "_sign", "sign"),
    (Sender, "deliver", "send"),
    (Sender, "mark_sent", "sent"),
)


class BotsProcess:
    """The computer players' process whose files are in a folder. After a restart, this is the
    newest process."""

    def __init__(self, folder: Path) -> None:
        self._pid_file = folder / "opponents.pid"
        self.phases_file = folder / "opponents-phases"

    @property
    def pid(self) -> int | None:
        return int(self._pid_file.read_text("utf-8")) if self._pid_file.exists() else None

    @property
    def alive(self) -> bool:
        return self._signal(0)

    def kill(self) -> bool:
        """Kill the process with SIGKILL. Return False if it wasn't running."""
        return self._signal(signal.SIGKILL)

    def _signal(self, number: int) -> bool:
        with suppress(ProcessLookupError):
            if pid := self.pid:
                os.kill(pid, number)
                return True
        return False

    def begin(self) -> None:
        """Record the current process as the computer players' process, and set its kill points."""
        written = self._pid_file.with_suffix(".new")
        written.write_text(str(os.getpid()), "utf-8")
        written.replace(self._pid_file)
        enter_phases(KillPoints(self.phases_file), PHASES)


if __name__ == "__main__":  # the worker processes that choose moves import this file too
    from chainboard.__main__ import main

    _, folder, without, *arguments = sys.argv
    for defence in filter(None, without.split(",")):
        DEFENCES[defence]()
    BotsProcess(Path(folder)).begin()
    sys.argv = ["chainboard", *arguments]
    main()
