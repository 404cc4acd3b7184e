"""What is folded from the events into rows: matches with their seats, checkpoints and results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from sqlalchemy import Connection, select

from indexer.gamekit.game import Game
from indexer.gamekit.lifecycle import NOBODY
from indexer.model import Block, Event, MatchKey
from indexer.store import checkpoints, match_state, results
from indexer.store.db import bulk_insert
from indexer.store.db.bulk_insert import Row, put
from indexer.store.db.schema import MATCH
from indexer.store.match_state import Boards, Folded, State, before_first, folded
from indexer.store.results import Ending
from indexer.store.snapshot import View

AT_ONCE = 500
"""Matches that one query asks for."""
STATE = (
    *(MATCH.c.match, MATCH.c.seq, MATCH.c.board, MATCH.c.players),
    *(MATCH.c.created_height, MATCH.c.created_index, MATCH.c.opener),
)


class Derived:
    """Brings the derived rows after the events. What it raises when it can't leaves the transaction to be rolled back:
    SeqHole or BadEvent."""

    def __init__(self, games: Mapping[str, Game]) -> None:
        self._games = games
        self._boards = Boards()
        self._long: list[MatchKey] | None = None

    @property
    def whole(self) -> bool:
        """Whether `tend` has found nothing more to do."""
        return self._long == []

    def begin(self, tip: Block | None) -> None:
        """Rows are about to change that are as of this block (None: whatever they are)."""
        self._boards.begin(tip)

    def end(self, tip: Block) -> None:
        """The changes hold, and make the rows as of this block."""
        self._boards.end(tip)

    def advance(self, connection: Connection, events: Sequence[Event]) -> None:
        """Folds new events onto the matches before them."""
        by_match: dict[MatchKey, list[Event]] = {}
        for event in events:
            by_match.setdefault((event.game, event.match), []).append(event)
        known = {key: self._boards.get(key) for key in by_match}  # before any of them is forgotten for another
        known |= self._stored(connection, [key for key, state in known.items() if state is None])
        changes: list[tuple[State, Folded]] = []
        for key, new in by_match.items():
            old = known[key] or before_first(self._games, new[0])
            after = folded(self._games, old, new)
            self._boards.put(key, after.state)
            changes.append((old, after))
        _write(connection, changes)
        put(connection, bulk_insert.INSERT_CHECKPOINT, [row for _, after in changes for row in after.checkpoints])
        results.record(connection, [_ending(after) for _, after in changes if after.ending is not None])

    def retreat(self, connection: Connection, height: int, touched: Sequence[MatchKey]) -> None:
        """The blocks from this height on are gone: what they touched is as it was before them."""
        self._boards.begin(None)
        results.reopen(connection, height, list(self._games))
        for key in touched:
            self._refold(connection, key)

    def _refold(self, connection: Connection, key: MatchKey) -> None:
        """A match whose row is gone, from its last checkpoint below its last event. Its results are of their blocks:
        they are there, or gone with them."""
        view = View(connection, self._games)
        first, last = view.event_at(*key, 1), view.last_event(*key)
        if first is None or last is None:
            return
        nothing = before_first(self._games, first)
        base = checkpoints.last(connection, key, last.seq - 1)
        state = _at(nothing, *base) if base else nothing
        checkpoints.forget_after(connection, key, state.seq)
        for events in _in_steps(view, key, state.seq):
            after = folded(self._games, state, events)
            state = after.state
            put(connection, bulk_insert.INSERT_CHECKPOINT, after.checkpoints)
        _write(connection, [(nothing, after)])

    def tend(self, connection: Connection) -> bool:
        """Makes a missing checkpoint again. Returns whether another call may find more to do."""
        if self._long is None:
            self._long = checkpoints.long_matches(connection)
        if self._long:
            key = self._long.pop()  # one that fails is not tried again at once
            if self._mended(connection, key):
                self._long.append(key)
        return not self.whole

    def _mended(self, connection: Connection, key: MatchKey) -> bool:
        view = View(connection, self._games)
        first, last = view.event_at(*key, 1), view.last_event(*key)
        seq = checkpoints.first_missing(connection, key, last.seq) if last else None
        if first is None or seq is None:
            return False
        nothing = before_first(self._games, first)
        base = checkpoints.last(connection, key, seq)
        state = _at(nothing, *base) if base else nothing
        after = folded(self._games, state, view.events(*key, after=state.seq, limit=match_state.EVERY))
        put(connection, bulk_insert.INSERT_CHECKPOINT, after.checkpoints)
        return True

    def _stored(self, connection: Connection, keys: Sequence[MatchKey]) -> dict[MatchKey, State]:
        """The states of those of these matches that are there."""
        found: dict[MatchKey, State] = {}
        for game in {game for game, _ in keys}:
            numbers = [match for one, match in keys if one == game]
            for start in range(0, len(numbers), AT_ONCE):
                some = MATCH.c.match.in_(numbers[start : start + AT_ONCE])
                for row in connection.execute(select(*STATE).where(MATCH.c.game == game, some)):
                    state = State(row.seq, row.board, tuple(row.players), *row[-3:])
                    found[game, row.match] = state
        return found


def _write(connection: Connection, changes: Sequence[tuple[State, Folded]]) -> None:
    """The rows of matches that were, and are now: themselves and their seats."""
    put(connection, bulk_insert.INSERT_MATCH, [after.row for old, after in changes if not old.seq])
    put(connection, bulk_insert.UPDATE_MATCH, [(*after.row[2:], *after.row[:2]) for old, after in changes if old.seq])
    put(connection, bulk_insert.INSERT_SEAT, [row for change in changes for row in _new_seats(*change)])
    put(connection, bulk_insert.UPDATE_SEAT, [row for change in changes for row in _old_seats(*change)])


def _new_seats(old: State, after: Folded) -> list[Row]:
    new = after.state
    if new.players == old.players:
        return []
    place = (new.board["status"], new.created_height, new.created_index)
    return [(player, *after.row[:2], *place) for player in new.players if player not in old.players]


def _old_seats(old: State, after: Folded) -> list[Row]:
    """Of those who were there, when the match is another thing for them now."""
    status = after.state.board["status"]
    return [] if status == old.board["status"] else [(status, player, *after.row[:2]) for player in old.players]


def _ending(after: Folded) -> Ending:
    event = after.ending
    assert event is not None
    winner = event.args["winner"]
    return Ending(
        event.height,
        event.log_index,
        event.game,
        event.match,
        after.state.players,
        None if winner == NOBODY else winner,
        results.is_friendly(after.state.board.get("clock"), after.state.players),
    )


def _at(nothing: State, seq: int, board: dict[str, object]) -> State:
    """A match at a checkpoint, as if nobody had been seated yet: its rows are made anew."""
    return replace(nothing, seq=seq, board=board)


def _in_steps(view: View, key: MatchKey, seq: int) -> Iterator[list[Event]]:
    """A match's events after `seq`, so few at a time that the longest fits the memory."""
    while events := view.events(*key, after=seq, limit=match_state.EVERY):
        yield events
        seq = events[-1].seq
