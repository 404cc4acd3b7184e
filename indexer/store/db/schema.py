"""The database's tables. The chain, its contracts, blocks and events come from the chain itself.

Nicknames are not on the chain, so they can't be rebuilt. Messages between processes are temporary.
All other tables are computed from events and can be rebuilt. No foreign keys are enforced, because
`Store` deletes the rows that belong to a block."""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, BigInteger, Column, ForeignKeyConstraint, Index, text
from sqlmodel import Field, SQLModel

from indexer.store.db.packed_types import AddressColumn, HashColumn, NameColumn, NumberColumn

WITHOUT_ROWID = {"sqlite_with_rowid": False}
"""With this option, SQLite stores a table's rows in the order of its key, without a separate index.
Don't use it for long rows: https://www.sqlite.org/withoutrowid.html"""
OPEN, INVITED = text("status = 'open'"), text("opponent IS NOT NULL")
CURRENT, SUPERSEDED = text("until_height IS NULL"), text("until_height IS NOT NULL")
"""Conditions of indexes that contain only some rows of a table."""


class ChainRow(SQLModel, table=True):
    """The chain to which the database belongs. The table has only one row."""

    __tablename__ = "chain"
    chain_id: int = Field(primary_key=True, sa_type=BigInteger)
    genesis: str


class ConfirmedRow(SQLModel, table=True):
    """The last height at which our event counts equalled the contracts'. There is at most one
    row."""

    __tablename__ = "confirmed"
    height: int = Field(primary_key=True, sa_type=BigInteger, sa_column_kwargs={"autoincrement": False})


class SparseRow(SQLModel, table=True):
    """The sparse height: up to it, blocks without events may be missing, because the node had
    reported them as final. There is at most one row."""

    __tablename__ = "sparse"
    height: int = Field(primary_key=True, sa_type=BigInteger, sa_column_kwargs={"autoincrement": False})


class DeploymentRow(SQLModel, table=True):
    """A contract whose events are indexed. A game has several rows if its contract was replaced."""

    __tablename__ = "deployment"
    address: str = Field(primary_key=True)
    game: str
    contract: str
    abi: list[dict[str, Any]] = Field(sa_column=Column(JSON, nullable=False))
    height: int = Field(sa_type=BigInteger)
    block_hash: str
    code_hash: str
    first_match: int = Field(sa_type=BigInteger)
    end_match: int | None = Field(default=None, sa_type=BigInteger)


class BlockRow(SQLModel, table=True):
    """A block. The lowest is the first contract's block, and the highest is the tip. Every block
    above the sparse height is stored. Below, only blocks with events and the last block of each
    fetched span are stored."""

    __tablename__ = "block"
    __table_args__ = WITHOUT_ROWID
    height: int = Field(primary_key=True, sa_type=BigInteger, sa_column_kwargs={"autoincrement": False})
    hash: str = Field(unique=True, sa_type=HashColumn)
    parent: str = Field(sa_type=HashColumn)
    time: int = Field(sa_type=BigInteger)


class EventRow(SQLModel, table=True):
    """A decoded event. The row is deleted together with its block."""

    __tablename__ = "event"
    __table_args__ = (
        ForeignKeyConstraint(["height"], ["block.height"], ondelete="CASCADE"),
        Index("event_of_match", "game", "match", "seq", unique=True),
        Index("event_by_name", "game", "name", "height", "log_index"),
        WITHOUT_ROWID,
    )
    height: int = Field(primary_key=True, sa_type=NumberColumn, sa_column_kwargs={"autoincrement": False})
    log_index: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    game: str = Field(sa_type=NameColumn)
    match: int = Field(sa_type=NumberColumn)
    seq: int = Field(sa_type=NumberColumn)
    name: str = Field(sa_type=NameColumn)
    args: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    tx: str = Field(sa_type=HashColumn)


class MentionRow(SQLModel, table=True):
    """An address in an event's arguments. To make searches fast, the row repeats the event's game
    and name."""

    __tablename__ = "mention"
    __table_args__ = (
        ForeignKeyConstraint(["height", "log_index"], ["event.height", "event.log_index"], ondelete="CASCADE"),
        Index("mention_of_address", "address", "game", "name", "height", "log_index"),
        Index("mention_by_block", "height", postgresql_using="brin").ddl_if(dialect="postgresql"),
        WITHOUT_ROWID,
    )
    height: int = Field(primary_key=True, sa_type=NumberColumn, sa_column_kwargs={"autoincrement": False})
    log_index: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    address: str = Field(primary_key=True, sa_type=AddressColumn)
    game: str = Field(sa_type=NameColumn)
    name: str = Field(sa_type=NameColumn)


class MatchRow(SQLModel, table=True):
    """A match after its last event. If that event's block is deleted, the row is computed again.
    `opener`: the player who opened the match. `opponent`: the invited player, if there is one."""

    __tablename__ = "match"
    __table_args__ = (
        ForeignKeyConstraint(["height"], ["block.height"], ondelete="CASCADE"),
        Index("match_by_age", "created_height", "created_index"),
        Index("match_by_block", "height"),
        Index("match_by_status", "game", "status", "created_height", "created_index", "opener"),
        Index("match_by_move", "game", "status", "height", "created_height", "created_index"),
        Index("match_by_opener", "game", "status", "opener", sqlite_where=OPEN, postgresql_where=OPEN),
        Index(
            "match_by_opponent",
            "opponent",
            "game",
            "status",
            "created_height",
            "created_index",
            sqlite_where=INVITED,
            postgresql_where=INVITED,
        ),
    )
    game: str = Field(primary_key=True)
    match: int = Field(primary_key=True, sa_type=BigInteger, sa_column_kwargs={"autoincrement": False})
    seq: int = Field(sa_type=BigInteger)
    status: str
    ply: int = Field(sa_type=BigInteger)
    players: list[str] = Field(sa_column=Column(JSON, nullable=False))
    height: int = Field(sa_type=BigInteger)
    created_height: int = Field(sa_type=BigInteger)
    created_index: int
    waits_for: int | None = Field(default=None, sa_type=BigInteger)
    board: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    opener: str | None = None
    opponent: str | None = None


class SeatRow(SQLModel, table=True):
    """A player's seat in a match. Some columns of the match are repeated here for lists."""

    __tablename__ = "seat"
    __table_args__ = (
        ForeignKeyConstraint(["game", "match"], ["match.game", "match.match"], ondelete="CASCADE"),
        Index("seat_of_match", "game", "match"),
        Index("seat_of_player", "address", "game", "status", "created_height", "created_index"),
        WITHOUT_ROWID,
    )
    address: str = Field(primary_key=True)
    game: str = Field(primary_key=True)
    match: int = Field(primary_key=True, sa_type=BigInteger, sa_column_kwargs={"autoincrement": False})
    status: str
    created_height: int = Field(sa_type=BigInteger)
    created_index: int


class CheckpointRow(SQLModel, table=True):
    """A long match's board after an event. To get a later board, only the events after it must be
    folded. The row is deleted with the event's block. Any row may be missing."""

    __tablename__ = "checkpoint"
    __table_args__ = (
        ForeignKeyConstraint(["height"], ["block.height"], ondelete="CASCADE"),
        Index("checkpoint_by_block", "height"),
    )
    game: str = Field(primary_key=True)
    match: int = Field(primary_key=True, sa_type=BigInteger, sa_column_kwargs={"autoincrement": False})
    seq: int = Field(primary_key=True, sa_type=BigInteger, sa_column_kwargs={"autoincrement": False})
    height: int = Field(sa_type=BigInteger)
    board: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))


class ResultRow(SQLModel, table=True):
    """The result of a finished match for one player: the outcome (`won`, `lost` or `drawn`). Also
    the player's rating (in hundredths) and the numbers of matches played, won, lost and drawn, all
    after this match.

    `height` and `log_index`: the position of `MatchEnded`. The row is deleted with that block.
    `until_height`: the block of the player's next result in this game, or null. The leaderboard at
    block h consists of the rows with height <= h and (until_height is null or > h)."""

    __tablename__ = "result"
    __table_args__ = (
        ForeignKeyConstraint(["height"], ["block.height"], ondelete="CASCADE"),
        Index("result_by_block", "height"),
        Index(
            "result_by_rating",
            "game",
            text("rating DESC"),
            "address",
            sqlite_where=CURRENT,
            postgresql_where=CURRENT,
        ),
        Index("result_of_player", "address", "game", sqlite_where=CURRENT, postgresql_where=CURRENT),
        Index("result_superseded", "game", "until_height", sqlite_where=SUPERSEDED, postgresql_where=SUPERSEDED),
        Index("result_in_order", "address", "game", "height", "log_index"),
        WITHOUT_ROWID,
    )
    game: str = Field(primary_key=True)
    match: int = Field(primary_key=True, sa_type=BigInteger, sa_column_kwargs={"autoincrement": False})
    address: str = Field(primary_key=True)
    outcome: str
    rating: int = Field(sa_type=BigInteger)
    played: int
    won: int
    lost: int
    drawn: int
    height: int = Field(sa_type=BigInteger)
    log_index: int
    until_height: int | None = Field(default=None, sa_type=BigInteger)


class AnnouncementRow(SQLModel, table=True):
    """The writer's last announcement on a topic, as JSON, for all gateways. `announced_at`: when it
    was made, in seconds, by the database server's clock."""

    __tablename__ = "announcement"
    topic: str = Field(primary_key=True)
    content: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    announced_at: float


class RequestRow(SQLModel, table=True):
    """A request from a gateway to the writer's process. It is deleted after the answer was read."""

    __tablename__ = "request"
    id: str = Field(primary_key=True)
    kind: str
    content: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    state: str
    created_at: float
    answer: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))


class GatewayRow(SQLModel, table=True):
    """The viewers at one gateway, and the emotes that they sent in the last seconds. Rows without a
    recent heartbeat are ignored. `version` grows with each change."""

    __tablename__ = "gateway"
    id: str = Field(primary_key=True)
    version: int = Field(sa_type=BigInteger)
    presence: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    heartbeat_at: float


class SeekRow(SQLModel, table=True):
    """A player who waits for an opponent, as JSON (see api/live/seeks.py). Not used on SQLite."""

    __tablename__ = "seek"
    id: str = Field(primary_key=True)
    content: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))


class NicknameRow(SQLModel, table=True):
    """An account's nickname. `issued`: the time of the signature, in seconds since 1970.
    `skeleton`: a text that is the same for all names that look alike. The row stays
    when the player or the operator removes the name, so that nobody can use an older signature
    again. If the operator removed the name, `signature` is None."""

    __tablename__ = "nickname"
    account: str = Field(primary_key=True)
    name: str | None = None
    skeleton: str | None = Field(default=None, unique=True)
    issued: int = Field(sa_type=BigInteger)
    signature: str | None = None


class NicknameBlockRow(SQLModel, table=True):
    """A word that nicknames must not contain. `skeleton` is the same for words that look alike."""

    __tablename__ = "nickname_block"
    skeleton: str = Field(primary_key=True)
    text: str


def table(model: type[SQLModel]) -> Any:
    """Return a model's table. Queries use it, because the ORM is several times slower."""
    return model.__table__  # type: ignore[attr-defined]


CHAIN, DEPLOYMENT, BLOCK = table(ChainRow), table(DeploymentRow), table(BlockRow)
CONFIRMED, SPARSE = table(ConfirmedRow), table(SparseRow)
EVENT, MENTION, MATCH, SEAT = table(EventRow), table(MentionRow), table(MatchRow), table(SeatRow)
CHECKPOINT, RESULT = table(CheckpointRow), table(ResultRow)
ANNOUNCEMENT, REQUEST = table(AnnouncementRow), table(RequestRow)
GATEWAY, SEEK = table(GatewayRow), table(SeekRow)
NICKNAME, NICKNAME_BLOCK = table(NicknameRow), table(NicknameBlockRow)
