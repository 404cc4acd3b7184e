"""The result of one sync of the follower."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SyncResult:
    """The result of one sync. `more`: another one has work at once. `maintenance`: it has, but not urgently: a
    checkpoint is missing. `failed`: node or store failed; health says how."""

    appended: int = 0
    events: int = 0
    dropped: int = 0
    more: bool = False
    maintenance: bool = False
    failed: bool = False
