"""Checkpoints: stored boards of long matches, one after every 250 events.

To get a later board, the events are folded from the last checkpoint on, instead of from the start.
If a checkpoint is missing, this takes longer. The writer adds missing checkpoints."""

from __future__ import annotations

from sqlalchemy import ColumnElement, Connection, delete, select

from indexer.model import Json, MatchKey
from indexer.store import match_state
from indexer.store.db.schema import CHECKPOINT, MATCH


def latest(connection: Connection, key: MatchKey, upto: int) -> tuple[int, Json] | None:
    """Return the match's last checkpoint up to the event `upto`: its `seq` (event number) and its
    board. Return None if there is none."""
    query = select(CHECKPOINT.c.seq, CHECKPOINT.c.board).where(*_of_match(key), CHECKPOINT.c.seq <= upto)
    row = connection.execute(query.order_by(CHECKPOINT.c.seq.desc()).limit(1)).first()
    return (row.seq, row.board) if row else None


def delete_after(connection: Connection, key: MatchKey, seq: int) -> None:
    connection.execute(delete(CHECKPOINT).where(*_of_match(key), CHECKPOINT.c.seq > seq))


def long_matches(connection: Connection) -> list[MatchKey]:
    """Return the matches that are long enough to have a checkpoint. This reads all matches."""
    query = select(MATCH.c.game, MATCH.c.match).where(MATCH.c.seq >= match_state.CHECKPOINT_EVERY)
    return [(row.game, row.match) for row in connection.execute(query)]


def first_missing(connection: Connection, key: MatchKey, seq: int) -> int | None:
    """Return the number of the first event at which the match lacks a checkpoint, or None. `seq`:
    the number of the match's last event."""
    existing = set(connection.execute(select(CHECKPOINT.c.seq).where(*_of_match(key))).scalars())
    return next(
        (at for at in range(match_state.CHECKPOINT_EVERY, seq + 1, match_state.CHECKPOINT_EVERY) if at not in existing),
        None,
    )


def _of_match(key: MatchKey) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return CHECKPOINT.c.game == key[0], CHECKPOINT.c.match == key[1]
