"""Chainboard's defences against faults, each with a patch that disables it. If a defence is
disabled, scenarios must fail. This shows that the scenarios test the defence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pkgutil import resolve_name
from typing import Any

Off = Callable[[], None]
"""A function that disables a defence by patching modules of the current process. It imports these
modules only when it is called."""


def _replace(owner: str, name: str, by: Any) -> None:
    """Replace an attribute of `owner`, which is written as `module` or `module:Class`.

    Raises AttributeError if the attribute doesn't exist, because that shows that the defence was
    moved or renamed."""
    found = resolve_name(owner)
    getattr(found, name)
    setattr(found, name, by)


async def _nothing(*_all: Any) -> None: ...


async def _only_newest(self: Any, first: int, head: Any) -> Any:  # noqa: ARG001
    return await self._fetcher.block(head)


def _cursor() -> None:
    """Disable the common transaction: commit new blocks first, and store their events in a second
    transaction."""
    from indexer.store.snapshot import Snapshot
    from indexer.store.store import Store, _set_confirmed

    def append(self: Store, blocks: Any, events: Any, before_commit: Callable[[], None] | None = None) -> None:
        with self.transaction() as connection:
            self._projections.begin(Snapshot(connection, self._games).tip())
            self._store_blocks(connection, blocks)
        with self.transaction() as connection:
            self._store_events(connection, events)
            if before_commit is not None:
                before_commit()
                _set_confirmed(connection, blocks[-1].height)
        self._projections.commit(blocks[-1])

    _replace("indexer.store.store:Store", "append", append)


def _patience() -> None:
    """Disable the patience: without waiting, trust a node whose chain is shorter than the index."""
    from indexer.follow.follower import Follower

    shorter: Callable[..., Any] = Follower._handle_shorter_chain

    async def believing(self: Follower, head: Any, tip: Any) -> Any:
        self._node.is_ours = True
        return await shorter(self, head, tip)

    _replace("indexer.follow.follower:Follower", "_handle_shorter_chain", believing)


def _retry() -> None:
    """Disable retries: stop following the chain at the node's first error."""
    from indexer.follow.follower import Follower

    _replace("indexer.follow.follower:Follower", "try_sync", Follower.sync)


def _since_hash() -> None:
    """Disable a check: when a client reconnects, don't compare the block hash of the client's last
    event with the hash in the database."""
    from api.live.tail import Since, Tail

    missing: Callable[..., Any] = Tail.deltas_since

    def trusting(self: Tail, snapshot: Any, watched: Any, since: Since) -> Any:
        known = snapshot.event_at(watched.game.slug, watched.match, since.seq)
        return missing(self, snapshot, watched, Since(since.seq, known.hash) if known else since)

    _replace("api.live.tail:Tail", "deltas_since", trusting)


def _logs_by_hash() -> None:
    """Disable requests by hash: request the head's logs by height, and assume that they belong to
    the head."""
    from indexer.fetch.fetcher import BlockFetcher, logs_by_height

    async def by_number(self: BlockFetcher, header: Any) -> Any:
        block = header.block
        logs = await self._node.logs_between(block.height, block.height, self._addresses)
        altered = [{**log, "blockHash": block.hash} for log in logs]
        return await self.check_logs([header], logs_by_height([header], altered))

    _replace("indexer.fetch.fetcher:BlockFetcher", "block", by_number)


FOLLOWER = "indexer.follow.follower"
DEFENCES: Mapping[str, Off] = {
    # don't check a new block's parent
    "parent-walk": partial(_replace, FOLLOWER, "is_parent", lambda *_blocks: True),
    # accept gaps in a match's sequence numbers
    "seq": partial(_replace, "indexer.store.match_state", "check_seq", lambda *_numbers: None),
    # don't compare logs with the header's bloom
    "bloom": partial(_replace, "indexer.fetch.bloom", "consistent_with", lambda *_all: True),
    # don't ask the contracts for their event counts
    "seq-of": partial(_replace, "indexer.follow.seq_check:SeqCheck", "check", _nothing),
    "logs-by-hash": _logs_by_hash,
    "cursor-in-transaction": _cursor,
    # request the head only after a websocket notification
    "head-poll": partial(_replace, FOLLOWER, "POLL_SECONDS", 3600.0),
    # fetch only the newest block, and skip the missed blocks
    "backfill": partial(_replace, f"{FOLLOWER}:Follower", "_fetch_next", _only_newest),
    # accept every chain, even if it isn't the known chain
    "identity": partial(_replace, "indexer.node.identity:ChainIdentity", "check", _nothing),
    "patience": _patience,
    "retry": _retry,
    # accept the answers of a batch in any order
    "answer-ids": partial(_replace, "indexer.node.transport", "_match_answers", lambda answers, _request_ids: answers),
    # continue at the next height, without noticing that blocks were replaced
    "tail-hash": partial(_replace, "api.live.tail:Tail", "_reorg", lambda *_snapshot: []),
    "since-hash": _since_hash,
    # opponents play only the matches that they see start, and don't search for older ones
    "opponents-search": partial(_replace, "bots.service.service:OpponentsRunner", "_find_matches", _nothing),
}

WITH_OPPONENTS = ("opponents-search",)
"""The defences that only scenarios with computer players test. If one is disabled, other scenarios
still pass."""
