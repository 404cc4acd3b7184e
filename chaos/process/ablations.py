"""Defences of ours, by name, and how to switch each off: scenarios must fail without any one of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pkgutil import resolve_name
from typing import Any

Off = Callable[[], None]
"""Patches the modules of the process that it runs in, and imports them only then."""


def _replace(owner: str, name: str, by: Any) -> None:
    """Of a `module` or a `module:Class`. Raises AttributeError when there is no such thing any more: the defence has
    moved."""
    found = resolve_name(owner)
    getattr(found, name)
    setattr(found, name, by)


async def _nothing(*_all: Any) -> None: ...


async def _only_newest(self: Any, first: int, head: Any) -> Any:  # noqa: ARG001
    return await self._fetcher.block(head)


def _cursor() -> None:
    """The cursor is moved in a transaction of its own, before the events are stored."""
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
    """A node that is behind is believed."""
    from indexer.follow.follower import Follower

    shorter: Callable[..., Any] = Follower._node_is_shorter

    async def believing(self: Follower, head: Any, tip: Any) -> Any:
        self._node.is_ours = True
        return await shorter(self, head, tip)

    _replace("indexer.follow.follower:Follower", "_node_is_shorter", believing)


def _retry() -> None:
    """What the node refuses once ends the following."""
    from indexer.follow.follower import Follower

    _replace("indexer.follow.follower:Follower", "try_sync", Follower.sync)


def _since_hash() -> None:
    """The events of a reconnecting client are not checked by their block hash."""
    from api.live.tail import Since, Tail

    missing: Callable[..., Any] = Tail.deltas_since

    def trusting(self: Tail, snapshot: Any, watched: Any, since: Since) -> Any:
        known = snapshot.event_at(watched.game.slug, watched.match, since.seq)
        return missing(self, snapshot, watched, Since(since.seq, known.hash) if known else since)

    _replace("api.live.tail:Tail", "deltas_since", trusting)


def _logs_by_hash() -> None:
    """The head's logs are asked for by its height, and believed to be its own."""
    from indexer.fetch.fetcher import BlockFetcher, by_height

    async def by_number(self: BlockFetcher, header: Any) -> Any:
        block = header.block
        logs = await self._node.logs_between(block.height, block.height, self._addresses)
        altered = [{**log, "blockHash": block.hash} for log in logs]
        return await self.checked([header], by_height([header], altered))

    _replace("indexer.fetch.fetcher:BlockFetcher", "block", by_number)


FOLLOWER = "indexer.follow.follower"
DEFENCES: Mapping[str, Off] = {
    # a new block is put on the last one without a look at its parent
    "parent-walk": partial(_replace, FOLLOWER, "is_parent", lambda *_blocks: True),
    # a match's numbers may have holes
    "seq": partial(_replace, "indexer.store.match_state", "check_seq", lambda *_numbers: None),
    # any logs fit any header
    "bloom": partial(_replace, "indexer.fetch.bloom", "consistent_with", lambda *_all: True),
    # the contracts are not asked for their counts
    "seq-of": partial(_replace, "indexer.follow.seq_check:SeqCheck", "check", _nothing),
    "logs-by-hash": _logs_by_hash,
    "cursor-in-transaction": _cursor,
    # the head is not asked for unless the websocket rings
    "head-poll": partial(_replace, FOLLOWER, "POLL_SECONDS", 3600.0),
    # only the newest block is fetched, whatever was missed before it
    "backfill": partial(_replace, f"{FOLLOWER}:Follower", "_fetch_next", _only_newest),
    # any chain is taken for the one that is known
    "identity": partial(_replace, "indexer.node.identity:ChainIdentity", "check", _nothing),
    "patience": _patience,
    "retry": _retry,
    # answers are taken as they come
    "answer-ids": partial(_replace, "indexer.node.transport", "_matched", lambda answers, _request_ids: answers),
    # the stream goes on by height: it does not see that a block is another one now
    "tail-hash": partial(_replace, "api.live.tail:Tail", "_reorg", lambda *_snapshot: []),
    "since-hash": _since_hash,
    # opponents play the matches that they see begin, and look for no others
    "opponents-search": partial(_replace, "bots.service.service:OpponentsRunner", "_find_matches", _nothing),
}

WITH_OPPONENTS = ("opponents-search",)
"""Those that only a story with opponents misses."""
