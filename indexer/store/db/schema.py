"""The tables. Blocks and events are facts, of the chain and the contracts that are named beside them; nicknames are on
no chain, and stay; what processes announce and request of each other is gone with them; all others are derived from
events and can be dropped. No foreign key is enforced: `Store` deletes what belongs to a block."""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, BigInteger, Column, ForeignKeyConstraint, Index, text
from sqlmodel import Field, SQLModel

from indexer.store.db.packed_types import AddressColumn, HashColumn, NameColumn, NumberColumn

SORTED = {"sqlite_with_rowid": False}
"""SQLite keeps such a table in the order of its key, instead of in the order of arrival with an index beside it. Not
for long rows: https://www.sqlite.org/withoutrowid.html"""
OPEN, INVITED = text("status = 'open'"), text("opponent IS NOT NULL")
CURRENT, SUPERSEDED = text("until_height IS NULL"), text("until_height IS NOT NULL")
"""Conditions of partial indexes."""


class ChainRow(SQLModel, table=True):
    """The one chain that this database is about."""

    __tablename__ = "chain"
    chain_id: int = Field(primary_key=True, sa_type=BigInteger)
    genesis: str


class ConfirmedRow(SQLModel, table=True):
    """The last block at which the contracts' `seqOf` confirmed each match's event count. At most one row."""

    __tablename__ = "confirmed"
    height: int = Field(primary_key=True, sa_type=BigInteger, sa_column_kwargs={"autoincrement": False})


class SparseRow(SQLModel, table=True):
    """The height up to which blocks without events may be missing: they were below the node's `finalized` when they
    were followed. Above it no block is missing. At most one row."""

    __tablename__ = "sparse"
    height: int = Field(primary_key=True, sa_type=BigInteger, sa_column_kwargs={"autoincrement": False})


class DeploymentRow(SQLModel, table=True):
    """A contract that is followed; one game has several when its contract changed."""

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
    """The blocks since the first deployment: above `sparse` each, so that each parent can be compared; up to it those
    with events, and the last of each span. The highest one is the cursor."""

    __tablename__ = "block"
    __table_args__ = SORTED
    height: int = Field(primary_key=True, sa_type=BigInteger, sa_column_kwargs={"autoincrement": False})
    hash: str = Field(unique=True, sa_type=HashColumn)
    parent: str = Field(sa_type=HashColumn)
    time: int = Field(sa_type=BigInteger)


class EventRow(SQLModel, table=True):
    """A decoded event. It goes when its block goes."""

    __tablename__ = "event"
    __table_args__ = (
        ForeignKeyConstraint(["height"], ["block.height"], ondelete="CASCADE"),
        Index("event_of_match", "game", "match", "seq", unique=True),
        Index("event_by_name", "game", "name", "height", "log_index"),
        SORTED,
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
    """An address that an event names, with the event's game and name: who asks for these finds the event without
    passing all others of the address."""

    __tablename__ = "mention"
    __table_args__ = (
        ForeignKeyConstraint(["height", "log_index"], ["event.height", "event.log_index"], ondelete="CASCADE"),
        Index("mention_of_address", "address", "game", "name", "height", "log_index"),
        Index("mention_by_block", "height", postgresql_using="brin").ddl_if(dialect="postgresql"),
        SORTED,
    )
    height: int = Field(primary_key=True, sa_type=NumberColumn, sa_column_kwargs={"autoincrement": False})
    log_index: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    address: str = Field(primary_key=True, sa_type=AddressColumn)
    game: str = Field(sa_type=NameColumn)
    name: str = Field(sa_type=NameColumn)


class MatchRow(SQLModel, table=True):
    """A match after its last event. It goes with the block of that event and is folded again. `opener`: who sent its
    first event; `opponent`: who was invited, if anybody was."""

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
    """A player of a match, with what the match's row says of it as far as matches are listed by it."""

    __tablename__ = "seat"
    __table_args__ = (
        ForeignKeyConstraint(["game", "match"], ["match.game", "match.match"], ondelete="CASCADE"),
        Index("seat_of_match", "game", "match"),
        Index("seat_of_player", "address", "game", "status", "created_height", "created_index"),
        SORTED,
    )
    address: str = Field(primary_key=True)
    game: str = Field(primary_key=True)
    match: int = Field(primary_key=True, sa_type=BigInteger, sa_column_kwargs={"autoincrement": False})
    status: str
    created_height: int = Field(sa_type=BigInteger)
    created_index: int


class CheckpointRow(SQLModel, table=True):
    """The board of a long match after an event, so that the boards behind it are not folded from the first one. It goes
    with the block of that event. Any of them may be missing."""

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
    """A finished match for one of its players: outcome (`won`, `lost` or `drawn`), and the player's rating in this
    game, in hundredths, and counts after it. `height` and `log_index` are those of its `MatchEnded`; the row goes with
    that block.

    `until_height`: block of the player's next result in this game, null for the newest. The leaderboard at block h is
    the rows with height <= h and (until_height is null or > h)."""

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
        SORTED,
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
    """What the writer tells all gateways, by topic; in JSON. `announced_at` is in seconds of the server's clock."""

    __tablename__ = "announcement"
    topic: str = Field(primary_key=True)
    content: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    announced_at: float


class RequestRow(SQLModel, table=True):
    """A request of a gateway that the writer's process executes; it goes when its answer has been read."""

    __tablename__ = "request"
    id: str = Field(primary_key=True)
    kind: str
    content: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    state: str
    created_at: float
    answer: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))


class GatewayRow(SQLModel, table=True):
    """Who looks on at one gateway, and its emotes of the last seconds. Without a heartbeat it does not count.
    `version` grows with each change."""

    __tablename__ = "gateway"
    id: str = Field(primary_key=True)
    version: int = Field(sa_type=BigInteger)
    presence: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    heartbeat_at: float


class SeekRow(SQLModel, table=True):
    """Somebody who waits for an opponent, as api/live/seeks.py has it; in JSON. On SQLite it stays empty."""

    __tablename__ = "seek"
    id: str = Field(primary_key=True)
    content: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))


class NicknameRow(SQLModel, table=True):
    """What an account wants to be called. `issued`: when it signed that, in seconds since 1970. A row without a name
    stays, so that nothing older counts again. `skeleton`: what look-alikes share. No signature: the operator removed
    it."""

    __tablename__ = "nickname"
    account: str = Field(primary_key=True)
    name: str | None = None
    skeleton: str | None = Field(default=None, unique=True)
    issued: int = Field(sa_type=BigInteger)
    signature: str | None = None


class NicknameBlockRow(SQLModel, table=True):
    """A word that the operator allows in no nickname, as `text` and as its plain skeleton."""

    __tablename__ = "nickname_block"
    skeleton: str = Field(primary_key=True)
    text: str


def table(model: type[SQLModel]) -> Any:
    """The Core table of a model: rows through the ORM are several times slower."""
    return model.__table__  # type: ignore[attr-defined]


CHAIN, DEPLOYMENT, BLOCK = table(ChainRow), table(DeploymentRow), table(BlockRow)
CONFIRMED, SPARSE = table(ConfirmedRow), table(SparseRow)
EVENT, MENTION, MATCH, SEAT = table(EventRow), table(MentionRow), table(MatchRow), table(SeatRow)
CHECKPOINT, RESULT = table(CheckpointRow), table(ResultRow)
ANNOUNCEMENT, REQUEST = table(AnnouncementRow), table(RequestRow)
GATEWAY, SEEK = table(GatewayRow), table(SeekRow)
NICKNAME, NICKNAME_BLOCK = table(NicknameRow), table(NicknameBlockRow)
