"""The result of one sync of the follower."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SyncResult:
    """The numbers of blocks and events that a sync appended, and of blocks that it deleted
    (`dropped`).

    - `more`: the next sync has work to do now
    - `maintenance`: a checkpoint is missing, which is not urgent
    - `failed`: the node or the store failed, and `Follower.health` states the reason
    """

    appended: int = 0
    events: int = 0
    dropped: int = 0
    more: bool = False
    maintenance: bool = False
    failed: bool = False
