"""Sparse history: up to a height, blocks without events may be missing, and what shows that no match is."""

from __future__ import annotations

from sqlalchemy import Connection, delete, func, insert, select, update

from indexer.model import Block
from indexer.store.db.schema import BLOCK, MATCH, SPARSE


def sparse_height(connection: Connection) -> int:
    """The height up to which blocks without events may be missing; -1: none is missing."""
    found = connection.execute(select(func.max(SPARSE.c.height))).scalar()
    return -1 if found is None else int(found)


def set_sparse_height(connection: Connection, height: int) -> None:
    """Sets the height up to which blocks without events may be missing."""
    connection.execute(delete(SPARSE))
    connection.execute(insert(SPARSE), [{"height": height}])


def rewind(connection: Connection, height: int) -> None:
    """Takes into account that the blocks from this height on are deleted: who follows on stores each."""
    connection.execute(update(SPARSE).where(SPARSE.c.height >= height).values(height=height - 1))


def block_up_to(connection: Connection, height: int) -> Block | None:
    """The highest stored block at this height or below; None where none is stored."""
    query = select(BLOCK).where(BLOCK.c.height <= height).order_by(BLOCK.c.height.desc()).limit(1)
    row = connection.execute(query).first()
    return Block(**row._mapping) if row else None


def matches_between(connection: Connection, game: str, first: int, end: int) -> set[int]:
    """The numbers of the stored matches of a game with `first` <= number < `end`."""
    query = select(MATCH.c.match).where(MATCH.c.game == game, MATCH.c.match >= first, MATCH.c.match < end)
    return set(connection.execute(query).scalars())
