"""Keeps the derived rows up to date. These rows are computed from events: matches, seats,
checkpoints and results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from sqlalchemy import Connection, select

from indexer.gamekit.game import Game
from indexer.gamekit.lifecycle import NOBODY
from indexer.model import Block, Event, MatchKey
from indexer.store import checkpoints, match_state, results
from indexer.store.db import bulk_insert
from indexer.store.db.bulk_insert import Row, execute_many
from indexer.store.db.schema import MATCH
from indexer.store.match_state import FoldResult, MatchState, StateCache, fold_events, initial_state
from indexer.store.results import FinishedMatch
from indexer.store.snapshot import Snapshot

BATCH = 500
"""The number of matches in one query."""
STATE_COLUMNS = (
    *(MATCH.c.match, MATCH.c.seq, MATCH.c.board, MATCH.c.players),
    *(MATCH.c.created_height, MATCH.c.created_index, MATCH.c.opener),
)


class Projections:
    """Updates the derived rows after new events and after reorgs.

    If a method raises SeqGap or BadEvent, the caller must roll back the transaction."""

    def __init__(self, games: Mapping[str, Game]) -> None:
        self._games = games
        self._states = StateCache()
        self._long_matches: list[MatchKey] | None = None

    @property
    def is_complete(self) -> bool:
        """True if no checkpoint is missing, so that `maintain` has nothing to do."""
        return self._long_matches == []

    def begin(self, tip: Block | None) -> None:
        """Begin a change. `tip`: the block at which the rows are up to date, or None if unknown."""
        self._states.begin(tip)

    def commit(self, tip: Block) -> None:
        """End a change. `tip`: the block at which the rows are up to date now."""
        self._states.commit(tip)

    def apply(self, connection: Connection, events: Sequence[Event]) -> None:
        """Fold new events into their matches, and write the rows that change."""
        by_match: dict[MatchKey, list[Event]] = {}
        for event in events:
            by_match.setdefault((event.game, event.match), []).append(event)
        known = {key: self._states.get(key) for key in by_match}  # first, because new states can evict old ones
        known |= self._load_states(connection, [key for key, state in known.items() if state is None])
        changes: list[tuple[MatchState, FoldResult]] = []
        for key, new in by_match.items():
            old = known[key] or initial_state(self._games, new[0])
            after = fold_events(self._games, old, new)
            self._states[key] = after.state
            changes.append((old, after))
        _write(connection, changes)
        execute_many(
            connection, bulk_insert.INSERT_CHECKPOINT, [row for _, after in changes for row in after.checkpoints]
        )
        results.insert(
            connection, [self._finished_match(after) for _, after in changes if after.finished_by is not None]
        )

    def _finished_match(self, after: FoldResult) -> FinishedMatch:
        event, board, players = after.finished_by, after.state.board, after.state.players
        assert event is not None
        winner = event.args["winner"]
        friendly = results.is_friendly(board.get("clock"), players) or not self._games[event.game].rated(board)
        won_by = None if winner == NOBODY else winner
        return FinishedMatch(event.height, event.log_index, event.game, event.match, players, won_by, friendly)

    def rewind(self, connection: Connection, height: int, changed_matches: Sequence[MatchKey]) -> None:
        """Restore the rows to their state before the block at `height`. This block and all blocks
        above it must already be deleted.

        `changed_matches`: the matches that had events in the deleted blocks."""
        self._states.begin(None)
        results.restore_current(connection, height, list(self._games))
        for key in changed_matches:
            self._refold(connection, key)

    def _refold(self, connection: Connection, key: MatchKey) -> None:
        """Compute a match's row again after it was deleted. Folding starts at the last checkpoint
        before the match's last event. The match's results need no change, because they were deleted
        with their blocks."""
        snapshot = Snapshot(connection, self._games)
        first, last = snapshot.event_at(*key, 1), snapshot.last_event(*key)
        if first is None or last is None:
            return
        empty = initial_state(self._games, first)
        state = _state_at(connection, key, last.seq - 1, empty)
        checkpoints.delete_after(connection, key, state.seq)
        for events in _in_batches(snapshot, key, state.seq):
            after = fold_events(self._games, state, events)
            state = after.state
            execute_many(connection, bulk_insert.INSERT_CHECKPOINT, after.checkpoints)
        _write(connection, [(empty, after)])

    def maintain(self, connection: Connection) -> bool:
        """Add one missing checkpoint. Return True if others might be missing."""
        if self._long_matches is None:
            self._long_matches = checkpoints.long_matches(connection)
        if self._long_matches:
            key = self._long_matches.pop()  # removed first, so that a failure isn't repeated at once
            if self._add_checkpoint(connection, key):
                self._long_matches.append(key)
        return not self.is_complete

    def _add_checkpoint(self, connection: Connection, key: MatchKey) -> bool:
        snapshot = Snapshot(connection, self._games)
        first, last = snapshot.event_at(*key, 1), snapshot.last_event(*key)
        seq = checkpoints.first_missing(connection, key, last.seq) if last else None
        if first is None or seq is None:
            return False
        state = _state_at(connection, key, seq, initial_state(self._games, first))
        after = fold_events(
            self._games, state, snapshot.events(*key, after=state.seq, limit=match_state.CHECKPOINT_EVERY)
        )
        execute_many(connection, bulk_insert.INSERT_CHECKPOINT, after.checkpoints)
        return True

    def _load_states(self, connection: Connection, keys: Sequence[MatchKey]) -> dict[MatchKey, MatchState]:
        """Return the states of these matches. Leave out matches that aren't stored."""
        found: dict[MatchKey, MatchState] = {}
        for game in {game for game, _ in keys}:
            numbers = [match for one, match in keys if one == game]
            for start in range(0, len(numbers), BATCH):
                some = MATCH.c.match.in_(numbers[start : start + BATCH])
                for row in connection.execute(select(*STATE_COLUMNS).where(MATCH.c.game == game, some)):
                    state = MatchState(row.seq, row.board, tuple(row.players), *row[-3:])
                    found[game, row.match] = state
        return found


def _write(connection: Connection, changes: Sequence[tuple[MatchState, FoldResult]]) -> None:
    """Insert or update the rows of changed matches, and the rows of their seats."""
    execute_many(connection, bulk_insert.INSERT_MATCH, [after.row for old, after in changes if not old.seq])
    execute_many(
        connection, bulk_insert.UPDATE_MATCH, [(*after.row[2:], *after.row[:2]) for old, after in changes if old.seq]
    )
    left, taken, kept = list[Row](), list[Row](), list[Row]()
    for old, after in changes:
        key, new, status = after.row[:2], after.state, after.state.board["status"]
        if new.players != old.players:  # a player can leave before the match starts
            columns = (*key, status, new.created_height, new.created_index)
            left += [(player, *key) for player in old.players if player not in new.players]
            taken += [(player, *columns) for player in new.players if player not in old.players]
        if status != old.board["status"]:
            kept += [(status, player, *key) for player in old.players]
    execute_many(connection, bulk_insert.DELETE_SEAT, left)
    execute_many(connection, bulk_insert.INSERT_SEAT, taken)
    execute_many(connection, bulk_insert.UPDATE_SEAT, kept)


def _state_at(connection: Connection, key: MatchKey, upto: int, empty: MatchState) -> MatchState:
    """Return the state at the match's last checkpoint up to the event `upto`, or `empty` if there
    is none.

    The state has no players, so that `_write` inserts all seats again."""
    seq, board = checkpoints.latest(connection, key, upto) or (0, empty.board)
    return replace(empty, seq=seq, board=board)


def _in_batches(snapshot: Snapshot, key: MatchKey, seq: int) -> Iterator[list[Event]]:
    """Yield a match's events after the event `seq`, in batches, so that not all are in memory."""
    while events := snapshot.events(*key, after=seq, limit=match_state.CHECKPOINT_EVERY):
        yield events
        seq = events[-1].seq
