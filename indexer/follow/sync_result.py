"""The result of one of the follower's syncs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SyncResult:
    """The numbers of appended blocks and events, the number of dropped blocks, and what is left.

    `more`: true if the next sync has work now. `maintenance`: true if a checkpoint is missing,
    which is not urgent.
    `failed`: true if the node or the store failed. `Follower.health` has the reason."""

    appended: int = 0
    events: int = 0
    dropped: int = 0
    more: bool = False
    maintenance: bool = False
    failed: bool = False
