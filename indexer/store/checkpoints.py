"""Checkpoints: boards of long matches, each stored after a fixed number of events.

Folding starts from the nearest checkpoint. If a checkpoint is missing, reads are slower until the
writer makes it again."""

from __future__ import annotations

from sqlalchemy import ColumnElement, Connection, delete, select

from indexer.model import Json, MatchKey
from indexer.store import match_state
from indexer.store.db.schema import CHECKPOINT, MATCH


def latest(connection: Connection, key: MatchKey, upto: int) -> tuple[int, Json] | None:
    """Return the `seq` and the board of the match's last checkpoint up to the event `upto`, or
    None."""
    query = select(CHECKPOINT.c.seq, CHECKPOINT.c.board).where(*_of_match(key), CHECKPOINT.c.seq <= upto)
    row = connection.execute(query.order_by(CHECKPOINT.c.seq.desc()).limit(1)).first()
    return (row.seq, row.board) if row else None


def delete_after(connection: Connection, key: MatchKey, seq: int) -> None:
    connection.execute(delete(CHECKPOINT).where(*_of_match(key), CHECKPOINT.c.seq > seq))


def long_matches(connection: Connection) -> list[MatchKey]:
    """Return the matches that are long enough to have checkpoints. This scans all matches."""
    query = select(MATCH.c.game, MATCH.c.match).where(MATCH.c.seq >= match_state.CHECKPOINT_EVERY)
    return [(row.game, row.match) for row in connection.execute(query)]


def first_missing(connection: Connection, key: MatchKey, seq: int) -> int | None:
    """Return the first `seq` at which a checkpoint is missing in a match with `seq` events, or
    None."""
    existing = set(connection.execute(select(CHECKPOINT.c.seq).where(*_of_match(key))).scalars())
    return next(
        (at for at in range(match_state.CHECKPOINT_EVERY, seq + 1, match_state.CHECKPOINT_EVERY) if at not in existing),
        None,
    )


def _of_match(key: MatchKey) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return CHECKPOINT.c.game == key[0], CHECKPOINT.c.match == key[1]
