"""The tail reads the store's new blocks and creates the messages for watched matches. It compares
heights and hashes to notice reorgs."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter
from typing import Annotated

from pydantic import Field

from api.live import messages
from api.live.messages import EVERYONE, Message, ResetReason
from api.shapes import blocks
from api.shapes.fields import HASH
from indexer.gamekit.game import Game, diff, fold
from indexer.model import Block, Chain, Event, Json, match_name
from indexer.store.snapshot import Snapshot

CHUNK = 500
REMEMBERED_BLOCKS = 4096
MAX_MISSING = 1000
"""The maximum number of events for which a client gets deltas. While the hub computes them, it
publishes no blocks, so a client that lacks more events gets the whole board."""


@dataclass(frozen=True, slots=True)
class WatchedMatch:
    """A watched match after the last block that the tail has read. `seq` is the number of the
    match's last event. It is 0 before the first event, or if a reorg has removed all events."""

    game: Game
    match: int
    seq: int
    block_ref: blocks.BlockShape
    board: Json
    opener: str = ""

    @property
    def name(self) -> str:
        return match_name(self.game.slug, self.match)

    def reset(self, why: ResetReason, common: int | None = None) -> bytes:
        return messages.reset(self.name, self.seq, self.block_ref, self.board, why, common)


@dataclass(frozen=True, slots=True)
class Since:
    """The last event that a client has: its `seq` and its block's hash."""

    seq: Annotated[int, Field(ge=0, lt=2**32)]
    hash: Annotated[str, Field(pattern=HASH)]


class UnknownMatch(Exception):
    """The match does not exist, even after a short wait for our node."""


class Tail:
    """A reader that follows the store block by block. Each call reads one snapshot of the store.
    The reader is not thread-safe."""

    def __init__(self, games: Mapping[str, Game]) -> None:
        self._games = games
        self._blocks: deque[Block] = deque(maxlen=REMEMBERED_BLOCKS)
        self._is_invalid = False
        self.started = False
        self.chain: Chain | None = None
        self.watched: dict[str, WatchedMatch] = {}
        self.touched: set[tuple[str, int]] = set()
        """The matches with events in the blocks that the last `advance` has read."""
        self.reorged = False
        """True if the last `advance` found that a reorg had removed blocks."""

    @property
    def tip(self) -> Block | None:
        """The last block that was read."""
        return self._blocks[-1] if self._blocks else None

    @property
    def _height(self) -> int:
        return self._blocks[-1].height if self._blocks else -1

    def opener_of(self, name: str) -> str:
        """Return the account that opened a match, or "" if the match is not watched."""
        found = self.watched.get(name)
        return found.opener if found else ""

    def accounts_of(self, name: str) -> frozenset[str]:
        """Return the opener and the players of a watched match, in lower case."""
        found = self.watched.get(name)
        return frozenset(one.lower() for one in (found.opener, *found.board["players"])) if found else frozenset()

    def invalidate(self) -> None:
        """Make the next `advance` send whole boards. Call this if an `advance` failed halfway,
        because watchers might have missed events."""
        self._is_invalid = True

    def advance(self, snapshot: Snapshot, topics: Collection[str]) -> list[Message]:
        """Read all blocks up to the snapshot's newest block. Return the messages for watchers, in
        order."""
        self.touched, self.reorged = set(), False
        for name in [name for name in self.watched if name not in topics]:
            del self.watched[name]
        if not self.started:
            self._start(snapshot)
            return self._head()
        stale = list(self.watched.values()) if self._is_invalid else []
        found, self._is_invalid = [self._reload(snapshot, one, "gap") for one in stale], False
        before = self.tip
        new_blocks = snapshot.blocks_after(self._height - 1, CHUNK)
        if new_blocks[:1] != ([before] if before else []):
            found += self._reorg(snapshot)
            new_blocks = snapshot.blocks_after(self._height, CHUNK)
        elif before is not None:
            new_blocks = new_blocks[1:]
        while new_blocks:
            found += self._append(snapshot, new_blocks)
            new_blocks = snapshot.blocks_after(self._height, CHUNK) if len(new_blocks) >= CHUNK - 1 else []
        return found + (self._head() if self.tip != before else [])

    def load_match(self, snapshot: Snapshot, game: Game, match: int) -> WatchedMatch | None:
        """Start tracking a match at the last block that was read. Return None if the match does not
        exist. Call this right after `advance`."""
        found = self._load(snapshot, game, match)
        if found is not None:
            self.watched[found.name] = found
        return found

    def deltas_since(self, snapshot: Snapshot, watched: WatchedMatch, since: Since) -> list[bytes] | None:
        """Return the `deltas` messages that a client lacks, or None if the client needs the whole
        board instead."""
        slug, match = watched.game.slug, watched.match
        known = snapshot.event_at(slug, match, since.seq)
        if known is None or known.hash != since.hash or watched.seq - since.seq > MAX_MISSING:
            return None
        at = snapshot.board(slug, match, since.seq)
        assert at is not None
        start = WatchedMatch(watched.game, match, since.seq, blocks.block(known), at[0])
        _end, frames = _apply_events(start, snapshot.events(slug, match, after=since.seq))
        return frames

    def _start(self, snapshot: Snapshot) -> None:
        self.chain, tip = snapshot.chain(), snapshot.tip()
        if tip is not None:
            self._blocks.extend(snapshot.blocks_after(tip.height - CHUNK, CHUNK))
        self.started = True

    def _head(self) -> list[Message]:
        return [Message(EVERYONE, messages.head(self.tip))] if self.tip else []

    def _append(self, snapshot: Snapshot, new_blocks: list[Block]) -> Iterable[Message]:
        events = snapshot.events_between(new_blocks[0].height, new_blocks[-1].height)
        self.touched |= {(event.game, event.match) for event in events}
        self._blocks.extend(new_blocks)
        new_events: dict[str, list[Event]] = {}
        for event in events:
            watched = self.watched.get(match_name(event.game, event.match))
            if watched is not None and event.seq > watched.seq:
                new_events.setdefault(watched.name, []).append(event)
        return [
            message for name, new in new_events.items() for message in self._deltas(snapshot, self.watched[name], new)
        ]

    def _deltas(self, snapshot: Snapshot, watched: WatchedMatch, events: list[Event]) -> Iterable[Message]:
        if events[0].seq != watched.seq + 1:
            return [self._reload(snapshot, watched, "gap")]
        self.watched[watched.name], frames = _apply_events(watched, events)
        return [Message(watched.name, frame) for frame in frames]

    def _reorg(self, snapshot: Snapshot) -> Iterable[Message]:
        self.reorged = True
        passed = list(self._blocks)
        common = bisect_left(passed, True, key=lambda block: snapshot.block_at(block.height) != block)
        chain = snapshot.chain()
        why: ResetReason = "reorg" if chain == self.chain else "chain"
        self.chain = chain
        self._blocks = deque(passed[:common], maxlen=REMEMBERED_BLOCKS)
        stale = [one for one in self.watched.values() if one.block_ref["height"] > self._height]
        return [self._reload(snapshot, one, why) for one in stale]

    def _reload(self, snapshot: Snapshot, watched: WatchedMatch, why: ResetReason) -> Message:
        """Set a watched match to the snapshot's board, and return a message with that board. The
        board already contains the newest events, so the tail later skips them when it reads their
        blocks."""
        slug, match, name = watched.game.slug, watched.match, watched.name
        common = None
        if why == "reorg":
            shared = snapshot.last_event(slug, match, upto_height=self._height)
            common = shared.seq if shared else 0
        found = self._load(snapshot, watched.game, match)
        if found is None:
            found = WatchedMatch(watched.game, match, 0, blocks.tip_ref(snapshot.tip()), watched.game.start)
        self.watched[name] = found
        return Message(name, found.reset(why, common))

    def _load(self, snapshot: Snapshot, game: Game, match: int) -> WatchedMatch | None:
        found = snapshot.summary(game.slug, match)
        if found is None:
            return None
        return WatchedMatch(game, match, found.seq, blocks.block(found), found.board, found.opener)


def _apply_events(start: WatchedMatch, events: Iterable[Event]) -> tuple[WatchedMatch, list[bytes]]:
    """Apply events to a match. Return the match after the events, and one `deltas` message per
    block. Each event's patch is computed only once for all watchers."""
    board, seq, block_ref = start.board, start.seq, start.block_ref
    frames: list[bytes] = []
    for _height, block in groupby(events, attrgetter("height")):
        items: list[Json] = []
        for event in block:
            before, board = board, fold(start.game, board, (event,))
            items.append(messages.item(event, diff(before, board)))
        seq, block_ref = event.seq, blocks.block(event)
        frames.append(messages.deltas(start.name, block_ref, items))
    return replace(start, seq=seq, block_ref=block_ref, board=board), frames
