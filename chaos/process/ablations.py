"""Defences of ours, by name, and how to switch each off: scenarios must fail without any one of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Off = Callable[[], None]
"""Patches the modules of the process that it runs in."""


def _replace(owner: Any, name: str, by: Any) -> None:
    """Raises AttributeError when there is no such thing any more: the defence has moved."""
    getattr(owner, name)
    setattr(owner, name, by)


def _parent_walk() -> None:
    """A new block is put on the last one without a look at its parent."""
    from indexer.follow import follower

    _replace(follower, "is_parent", lambda *_blocks: True)


def _seq() -> None:
    """A match's numbers may have holes."""
    from indexer.store import match_state

    _replace(match_state, "check_seq", lambda *_numbers: None)


def _bloom() -> None:
    """Any logs fit any header."""
    from indexer.fetch import bloom

    _replace(bloom, "consistent_with", lambda *_all: True)


def _seq_of() -> None:
    """The contracts are not asked for their counts."""
    from indexer.follow.seq_check import SeqCheck

    async def confirm(*_all: Any) -> None:
        return

    _replace(SeqCheck, "check", confirm)


def _cursor() -> None:
    """The cursor is moved in a transaction of its own, before the events are stored."""
    from indexer.store.snapshot import Snapshot
    from indexer.store.store import Store, _set_confirmed

    def append(self: Store, blocks: Any, events: Any, before_commit: Callable[[], None] | None = None) -> None:
        with self._write() as connection:
            self._projections.begin(Snapshot(connection, self._games).tip())
            self._store_blocks(connection, blocks)
        with self._write() as connection:
            self._store_events(connection, events)
            if before_commit is not None:
                before_commit()
                _set_confirmed(connection, blocks[-1].height)
        self._projections.commit(blocks[-1])

    _replace(Store, "append", append)


def _head_poll() -> None:
    """The head is not asked for unless the websocket rings."""
    from indexer.follow import follower

    _replace(follower, "POLL_SECONDS", 3600.0)


def _backfill() -> None:
    """Only the newest block is fetched, whatever was missed before it."""
    from indexer.follow.follower import Follower

    async def only_newest(self: Follower, first: int, head: Any) -> Any:  # noqa: ARG001
        return await self._fetcher.block(head)

    _replace(Follower, "_fetch_next", only_newest)


def _identity() -> None:
    """Any chain is taken for the one that is known."""
    from indexer.node.identity import ChainIdentity

    async def check(_self: ChainIdentity) -> None:
        return

    _replace(ChainIdentity, "check", check)


def _patience() -> None:
    """A node that is behind is believed."""
    from indexer.follow.follower import Follower

    shorter: Callable[..., Any] = Follower._node_is_shorter

    async def believing(self: Follower, head: Any, tip: Any) -> Any:
        self._node.is_ours = True
        return await shorter(self, head, tip)

    _replace(Follower, "_node_is_shorter", believing)


def _retry() -> None:
    """What the node refuses once ends the following."""
    from indexer.follow.follower import Follower

    _replace(Follower, "try_sync", Follower.sync)


def _answer_ids() -> None:
    """Answers are taken as they come."""
    from indexer.node import transport

    _replace(transport, "_matched", lambda answers, _request_ids: answers)


def _tail_hash() -> None:
    """The stream goes on by height: it does not see that a block is another one now."""
    from api.live.tail import Tail

    _replace(Tail, "_reorg", lambda *_snapshot: [])


def _since_hash() -> None:
    """The events of a reconnecting client are not checked by their block hash."""
    from api.live.tail import Since, Tail

    missing: Callable[..., Any] = Tail.deltas_since

    def trusting(self: Tail, snapshot: Any, watched: Any, since: Since) -> Any:
        known = snapshot.event_at(watched.game.slug, watched.match, since.seq)
        return missing(self, snapshot, watched, Since(since.seq, known.hash) if known else since)

    _replace(Tail, "deltas_since", trusting)


def _logs_by_hash() -> None:
    """The head's logs are asked for by its height, and believed to be its own."""
    from indexer.fetch.fetcher import BlockFetcher, _by_height

    async def by_height(self: BlockFetcher, header: Any) -> Any:
        block = header.block
        logs = await self._node.logs_between(block.height, block.height, self._addresses)
        altered = [{**log, "blockHash": block.hash} for log in logs]
        return await self._checked([header], _by_height([header], altered))

    _replace(BlockFetcher, "block", by_height)


def _opponents_search() -> None:
    """Opponents play the matches that they see begin, and look for no others."""
    from bots.service.service import OpponentsRunner

    async def find_matches(*_all: Any) -> None:
        return

    _replace(OpponentsRunner, "_find_matches", find_matches)


DEFENCES: Mapping[str, Off] = {
    "parent-walk": _parent_walk,
    "seq": _seq,
    "bloom": _bloom,
    "seq-of": _seq_of,
    "logs-by-hash": _logs_by_hash,
    "cursor-in-transaction": _cursor,
    "head-poll": _head_poll,
    "backfill": _backfill,
    "identity": _identity,
    "patience": _patience,
    "retry": _retry,
    "answer-ids": _answer_ids,
    "tail-hash": _tail_hash,
    "since-hash": _since_hash,
    "opponents-search": _opponents_search,
}

WITH_OPPONENTS = ("opponents-search",)
"""Those that only a story with opponents misses."""
