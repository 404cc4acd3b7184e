"""Yields the states of matches after each block. Boards are folded from events."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from indexer.gamekit.game import Game, fold
from indexer.lru import LruDict
from indexer.model import Block, Event, Json, MatchKey
from indexer.store.snapshot import Snapshot
from indexer.verify.raw_tables import RawSnapshot

LATEST_BLOCKS = 64
"""The number of newest blocks that are checked even if they contain no events."""
BLOCKS_PER_BATCH, MATCHES_PER_BATCH = 100, 200
MAX_BOARDS = 1_000
"""The maximum number of matches whose boards are cached, so that folding can continue from these
boards."""


@dataclass(frozen=True, slots=True)
class MatchAt:
    """The state of a match after a given block."""

    game: str
    match: int
    seq: int
    board: Json
    block: Block


class MatchHistory:
    """The matches in a database. `recent`: a function `height -> block`. It returns one of the
    chain's newest blocks, even if the database doesn't have it."""

    def __init__(
        self, snapshot: Snapshot, rows: RawSnapshot, games: Mapping[str, Game], recent: Callable[[int], Block | None]
    ) -> None:
        self._snapshot, self.rows, self._recent, self._games = snapshot, rows, recent, games
        self._boards = LruDict[MatchKey, tuple[int, Json]](MAX_BOARDS)

    def between(self, first: int, top: Block) -> Iterator[MatchAt]:
        """Yield the states of matches that must be compared, for blocks from `first` to `top`.

        - After each block with events: the matches with events in this block.
        - After each of the newest 64 blocks, if it has no events: the match with the last event.
        - After the block `top`: all other matches.
        """
        last = self._last_below(first)
        for start in range(first, top.height + 1, BLOCKS_PER_BATCH):
            end = min(start + BLOCKS_PER_BATCH - 1, top.height)
            events_by_block = self._events_by_block(start, end)
            for height, block in self._blocks(start, end):
                for key, events in events_by_block.get(height, {}).items():
                    last = MatchAt(*key, events[-1].seq, self._board_after(key, events), block)
                    yield last
                if (
                    height not in events_by_block
                    and last is not None
                    and top.height - LATEST_BLOCKS < height < top.height
                ):
                    yield replace(last, block=block)
        if first <= top.height:
            yield from self._rest_at(top)

    def _last_below(self, height: int) -> MatchAt | None:
        last = self.rows.last_event_below(height)
        found = self._snapshot.board(*last) if last else None
        if last is None or found is None:
            return None
        board, event = found
        return MatchAt(*last, board, Block(event.height, event.hash, "", event.time))

    def _events_by_block(self, first: int, last: int) -> dict[int, dict[MatchKey, list[Event]]]:
        """Return, for each height from `first` to `last`, each match's events in that block."""
        found: dict[int, dict[MatchKey, list[Event]]] = {}
        for event in self._snapshot.events_between(first, last):
            found.setdefault(event.height, {}).setdefault((event.game, event.match), []).append(event)
        return found

    def _blocks(self, first: int, last: int) -> Iterator[tuple[int, Block]]:
        """Yield the blocks that are stored or recent. A database that was built for a single match
        lacks some blocks."""
        stored = {block.height: block for block in self._snapshot.blocks_after(first - 1, last - first + 1)}
        for height in range(first, last + 1):
            if (block := stored.get(height) or self._recent(height)) is not None:
                yield height, block

    def _rest_at(self, top: Block) -> Iterator[MatchAt]:
        before = None
        while some := self._snapshot.summaries(limit=MATCHES_PER_BATCH, before=before):
            before = some[-1].position
            yield from (
                MatchAt(one.game, one.match, one.seq, one.board, top) for one in some if one.height < top.height
            )

    def _board_after(self, key: MatchKey, events: Sequence[Event]) -> Json:
        """Return a match's board after these events, which must be consecutive. If the board before
        them is cached, fold only these events."""
        rules, before = self._games[key[0]], events[0].seq - 1
        known, board = self._boards.get(key, (0, rules.start))
        if known != before:
            board = fold(rules, rules.start, self._snapshot.events(*key, limit=before))
        board = fold(rules, board, events)
        self._boards[key] = (events[-1].seq, board)
        return board
