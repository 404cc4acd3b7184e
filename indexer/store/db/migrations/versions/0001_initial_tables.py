"""Creates the first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "block",
        sa.Column("height", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("parent", sa.String(), nullable=False),
        sa.Column("time", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("height"),
        sa.UniqueConstraint("hash"),
    )
    op.create_table(
        "chain",
        sa.Column("chain_id", sa.BigInteger(), nullable=False),
        sa.Column("genesis", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("chain_id"),
    )
    op.create_table(
        "deployment",
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("contract", sa.String(), nullable=False),
        sa.Column("abi", sa.JSON(), nullable=False),
        sa.Column("height", sa.BigInteger(), nullable=False),
        sa.Column("block_hash", sa.String(), nullable=False),
        sa.Column("code_hash", sa.String(), nullable=False),
        sa.Column("first_match", sa.BigInteger(), nullable=False),
        sa.Column("end_match", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("address"),
    )
    op.create_table(
        "event",
        sa.Column("height", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("log_index", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("match", sa.BigInteger(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("args", sa.JSON(), nullable=False),
        sa.Column("tx", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["height"], ["block.height"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("height", "log_index"),
    )
    op.create_index("event_by_name", "event", ["name", "height", "log_index"], unique=False)
    op.create_index("event_of_match", "event", ["game", "match", "seq"], unique=True)
    op.create_table(
        "match",
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("match", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("ply", sa.BigInteger(), nullable=False),
        sa.Column("players", sa.JSON(), nullable=False),
        sa.Column("height", sa.BigInteger(), nullable=False),
        sa.Column("created_height", sa.BigInteger(), nullable=False),
        sa.Column("created_index", sa.Integer(), nullable=False),
        sa.Column("waits_for", sa.BigInteger(), nullable=True),
        sa.Column("board", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["height"], ["block.height"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game", "match"),
    )
    op.create_index("match_by_age", "match", ["created_height", "created_index"], unique=False)
    op.create_index("match_by_block", "match", ["height"], unique=False)
    op.create_index("match_by_status", "match", ["status", "created_height", "created_index"], unique=False)
    op.create_table(
        "mention",
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("height", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("log_index", sa.Integer(), autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(["height", "log_index"], ["event.height", "event.log_index"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("address", "height", "log_index"),
    )
    op.create_index("mention_of_event", "mention", ["height", "log_index"], unique=False)
    op.create_table(
        "seat",
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("match", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(["game", "match"], ["match.game", "match.match"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("address", "game", "match"),
    )
    op.create_index("seat_of_match", "seat", ["game", "match"], unique=False)


def downgrade() -> None:
    op.drop_index("seat_of_match", table_name="seat")
    op.drop_table("seat")
    op.drop_index("mention_of_event", table_name="mention")
    op.drop_table("mention")
    op.drop_index("match_by_status", table_name="match")
    op.drop_index("match_by_block", table_name="match")
    op.drop_index("match_by_age", table_name="match")
    op.drop_table("match")
    op.drop_index("event_of_match", table_name="event")
    op.drop_index("event_by_name", table_name="event")
    op.drop_table("event")
    op.drop_table("deployment")
    op.drop_table("chain")
    op.drop_table("block")
