"""Sparse history: up to a height, blocks without events can be missing. All matches are stored."""

from __future__ import annotations

from sqlalchemy import Connection, delete, func, insert, select, update

from indexer.model import Block
from indexer.store.db.schema import BLOCK, MATCH, SPARSE


def sparse_height(connection: Connection) -> int:
    """Return the height up to which blocks without events may be missing, or -1."""
    found = connection.execute(select(func.max(SPARSE.c.height))).scalar()
    return -1 if found is None else int(found)


def set_sparse_height(connection: Connection, height: int) -> None:
    """Set the height up to which blocks without events may be missing."""
    connection.execute(delete(SPARSE))
    connection.execute(insert(SPARSE), [{"height": height}])


def rewind(connection: Connection, height: int) -> None:
    """Lower the sparse height after blocks from `height` up were deleted. From `height` on, every
    block will be stored."""
    connection.execute(update(SPARSE).where(SPARSE.c.height >= height).values(height=height - 1))


def block_up_to(connection: Connection, height: int) -> Block | None:
    """Return the highest stored block at or below this height, or None."""
    query = select(BLOCK).where(BLOCK.c.height <= height).order_by(BLOCK.c.height.desc()).limit(1)
    row = connection.execute(query).first()
    return Block(**row._mapping) if row else None


def matches_between(connection: Connection, game: str, first: int, end: int) -> set[int]:
    """Return the numbers of a game's stored matches with `first` <= number < `end`."""
    query = select(MATCH.c.match).where(MATCH.c.game == game, MATCH.c.match >= first, MATCH.c.match < end)
    return set(connection.execute(query).scalars())
