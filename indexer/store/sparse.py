"""The sparse height. Up to this height, the store skips blocks without events, but it contains all
matches."""

from __future__ import annotations

from sqlalchemy import Connection, delete, func, insert, select, update

from indexer.model import Block
from indexer.store.db.schema import BLOCK, MATCH, SPARSE


def sparse_height(connection: Connection) -> int:
    """Return the sparse height, or -1 if no block is skipped."""
    found = connection.execute(select(func.max(SPARSE.c.height))).scalar()
    return -1 if found is None else int(found)


def set_sparse_height(connection: Connection, height: int) -> None:
    """Set the sparse height: up to it, blocks without events may be missing."""
    connection.execute(delete(SPARSE))
    connection.execute(insert(SPARSE), [{"height": height}])


def rewind(connection: Connection, height: int) -> None:
    """Lower the sparse height below `height`, because all blocks from there up were deleted. They
    will be stored again without gaps."""
    connection.execute(update(SPARSE).where(SPARSE.c.height >= height).values(height=height - 1))


def block_up_to(connection: Connection, height: int) -> Block | None:
    """Return the highest stored block up to this height, or None."""
    query = select(BLOCK).where(BLOCK.c.height <= height).order_by(BLOCK.c.height.desc()).limit(1)
    row = connection.execute(query).first()
    return Block(**row._mapping) if row else None


def matches_between(connection: Connection, game: str, first: int, end: int) -> set[int]:
    """Return the numbers of a game's stored matches from `first` to `end` - 1."""
    query = select(MATCH.c.match).where(MATCH.c.game == game, MATCH.c.match >= first, MATCH.c.match < end)
    return set(connection.execute(query).scalars())
