"""The result of one sync of the follower."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SyncResult:
    """Numbers of blocks and events appended, of blocks dropped, and the work that is left.

    `more`: the next sync has work now. `maintenance`: a checkpoint is missing, which is not urgent.
    `failed`: the node or the store failed, and `Follower.health` has the reason."""

    appended: int = 0
    events: int = 0
    dropped: int = 0
    more: bool = False
    maintenance: bool = False
    failed: bool = False
