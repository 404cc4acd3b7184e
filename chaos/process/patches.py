"""Patches the tested process: adds kill points to its phases, and disables defences."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from chainboard import opponents
from chaos.process.ablations import DEFENCES
from chaos.process.kill_points import KillPoints
from indexer.decode.decoder import Decoder
from indexer.follow.follower import Follower
from indexer.store.store import Store

PHASES: tuple[tuple[type, str, str], ...] = (
    (Follower, "sync", "fetch"),
    (Decoder, "events", "decode"),
    (Follower, "_commit", "commit"),
    (Follower, "_rewind", "commit"),
)
"""The methods at whose start a phase begins, each as (class, method, phase)."""


def prepare(file: Path, without: Sequence[str]) -> None:
    """Patch the current process before it runs a command. `without` contains the names of the
    defences to disable."""
    for defence in without:
        DEFENCES[defence]()
    _enter_at(KillPoints(file))
    program = (sys.executable, "-m", "chaos.process.opponents", str(file.parent), ",".join(without))
    opponents.PROGRAM = program


def enter_phases(points: KillPoints, phases: Sequence[tuple[type, str, str]]) -> None:
    """Patch each of these methods so that it enters its phase whenever it is called."""
    for owner, name, phase in phases:
        setattr(owner, name, _entered(partial(points.enter, phase), getattr(owner, name)))


def _enter_at(points: KillPoints) -> None:
    enter_phases(points, PHASES)
    store, run = Store._store_events, Follower.run

    def stored(self: Store, connection: Any, events: Any) -> None:
        store(self, connection, events)
        points.enter("inside")

    def notifying(self: Follower, heads: Any, notify: Callable[[], None]) -> Any:
        return run(self, heads, _entered(partial(points.enter, "notify"), notify))

    Store._store_events = stored  # type: ignore[method-assign]
    Follower.run = notifying  # type: ignore[method-assign]


def _entered(enter: Callable[[], None], work: Callable[..., Any]) -> Callable[..., Any]:
    def entered(*arguments: Any) -> Any:
        enter()
        return work(*arguments)

    return entered
