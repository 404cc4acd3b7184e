"""The follower's health: its state and its counters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from indexer.node.error_text import MAX_OWN_TEXT, MAX_PUBLISHED, public_text
from indexer.store.db.engine import StoreError
from indexer.store.store import WrongParent

HealthState: TypeAlias = Literal["ok", "catching-up", "degraded", "node-behind", "node-lost"]
STATES: tuple[HealthState, ...] = ("ok", "catching-up", "degraded", "node-behind", "node-lost")

BUSY = "the node asks for fewer requests"
"""The text in `Health.detail` while the node rejects requests because of its rate limit."""


@dataclass(slots=True)
class Counters:
    """Counts since the start of the process.

    - `blocks`, `events`: those that were stored
    - `dropped`: blocks that were deleted, for example after a reorg
    - `healed`: blocks whose missing logs were found in the receipts
    - `refused`: wrong answers from the node
    - `resets`: restarts of the chain
    """

    blocks: int = 0
    events: int = 0
    reorgs: int = 0
    dropped: int = 0
    healed: int = 0
    refused: int = 0
    resets: int = 0


@dataclass(frozen=True, slots=True)
class Health:
    """The follower's state. `node_head`: the height of the node's newest known block.

    `counters` is None in a process that only reads a SQLite file that another process writes."""

    state: HealthState = "catching-up"
    node_head: int | None = None
    detail: str = ""
    counters: Counters | None = None


def public_detail(why: object) -> str:
    """Return why a sync failed. The node's text is redacted, so that it can be published."""
    is_ours = isinstance(why, StoreError) and not isinstance(why, WrongParent)
    return public_text(str(why), MAX_OWN_TEXT if is_ours else MAX_PUBLISHED)
