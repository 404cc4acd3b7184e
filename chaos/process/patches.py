"""What is changed in our process before it runs: its phases are counted, and a defence may be switched off."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from chaos.process.ablations import DEFENCES
from chaos.process.kill_points import KillPoints
from indexer.follow import phases
from indexer.store.store import Store


def prepare(file: Path, without: Sequence[str]) -> None:
    """Patches this process; only for one that is about to run a command."""
    for defence in without:
        DEFENCES[defence]()
    _count(KillPoints(file))


def _count(counter: KillPoints) -> None:
    enter: Callable[..., None] = phases.Phases.enter

    def counted(self: phases.Phases, phase: phases.Phase) -> None:
        counter.enter(phase)
        enter(self, phase)

    store: Callable[..., None] = Store._store_events

    def stored(self: Store, connection: Any, events: Any) -> None:
        store(self, connection, events)
        counter.enter("inside")

    phases.Phases.enter = counted  # type: ignore[method-assign]
    Store._store_events = stored  # type: ignore[method-assign]
