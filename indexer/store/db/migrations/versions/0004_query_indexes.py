"""Adds tables for checkpoints and results. Adds indexes that queries about addresses and players
can use."""

import sqlalchemy as sa
from alembic import op

from indexer.store import results

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.drop_index("event_by_name", table_name="event")
    op.create_index("event_by_name", "event", ["game", "name", "height", "log_index"], unique=False)
    op.drop_index("match_by_status", table_name="match")
    op.create_index("match_by_status", "match", ["game", "status", "created_height", "created_index"], unique=False)
    _mentions()
    _seats()
    _checkpoints()
    _results()
    results.derive(op.get_bind())  # the follower adds the checkpoints later


def _mentions() -> None:
    op.drop_index("mention_of_address", table_name="mention")
    op.rename_table("mention", "old_mention")
    op.create_table(
        "mention",
        sa.Column("height", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("log_index", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["height", "log_index"], ["event.height", "event.log_index"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("height", "log_index", "address"),
        sqlite_with_rowid=False,
    )
    op.execute(
        "INSERT INTO mention (height, log_index, address, game, name) "
        "SELECT old.height, old.log_index, old.address, event.game, event.name FROM old_mention AS old "
        "JOIN event ON event.height = old.height AND event.log_index = old.log_index ORDER BY 1, 2, 3"
    )
    op.drop_table("old_mention")
    op.create_index("mention_of_address", "mention", ["address", "game", "name", "height", "log_index"], unique=False)


def _seats() -> None:
    op.drop_index("seat_of_match", table_name="seat")
    op.rename_table("seat", "old_seat")
    op.create_table(
        "seat",
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("match", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("created_height", sa.BigInteger(), nullable=False),
        sa.Column("created_index", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["game", "match"], ["match.game", "match.match"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("address", "game", "match"),
        sqlite_with_rowid=False,
    )
    op.execute(
        'INSERT INTO seat (address, game, "match", status, created_height, created_index) '
        'SELECT old.address, old.game, old."match", one.status, one.created_height, one.created_index '
        'FROM old_seat AS old JOIN "match" AS one ON one.game = old.game AND one."match" = old."match" ORDER BY 1, 2, 3'
    )
    op.drop_table("old_seat")
    op.create_index("seat_of_match", "seat", ["game", "match"], unique=False)
    columns = ["address", "game", "status", "created_height", "created_index"]
    op.create_index("seat_of_player", "seat", columns, unique=False)


def _checkpoints() -> None:
    op.create_table(
        "checkpoint",
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("match", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("seq", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("height", sa.BigInteger(), nullable=False),
        sa.Column("board", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["height"], ["block.height"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game", "match", "seq"),
    )
    op.create_index("checkpoint_by_block", "checkpoint", ["height"], unique=False)


def _results() -> None:
    op.create_table(
        "result",
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("match", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("rating", sa.BigInteger(), nullable=False),
        sa.Column("played", sa.Integer(), nullable=False),
        sa.Column("won", sa.Integer(), nullable=False),
        sa.Column("lost", sa.Integer(), nullable=False),
        sa.Column("drawn", sa.Integer(), nullable=False),
        sa.Column("height", sa.BigInteger(), nullable=False),
        sa.Column("log_index", sa.Integer(), nullable=False),
        sa.Column("until_height", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["height"], ["block.height"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game", "match", "address"),
        sqlite_with_rowid=False,
    )
    op.create_index("result_by_block", "result", ["height"], unique=False)
    best_first = sa.text("rating DESC")
    op.create_index("result_by_rating", "result", ["game", "until_height", best_first, "address"], unique=False)
    op.create_index("result_of_player", "result", ["address", "game", "until_height"], unique=False)
