"""The result of one of the follower's syncs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SyncResult:
    """The numbers of appended blocks, appended events and dropped blocks, and whether more work is
    left.

    `more`: true if there is work for the next sync now. `maintenance`: true if a checkpoint is
    missing, which is not urgent.
    `failed`: true if the node or the store failed. `Follower.health` has the reason."""

    appended: int = 0
    events: int = 0
    dropped: int = 0
    more: bool = False
    maintenance: bool = False
    failed: bool = False
