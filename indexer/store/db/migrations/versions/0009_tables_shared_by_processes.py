"""Adds tables that processes share: announcements, requests to the writer, and viewers."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.create_table(
        "announcement",
        sa.Column("topic", sa.String(), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("announced_at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("topic"),
    )
    # a crash can delete the rows of these tables, which is harmless, so the tables are UNLOGGED:
    # https://www.postgresql.org/docs/current/sql-createtable.html
    prefixes = ["UNLOGGED"] if op.get_bind().dialect.name == "postgresql" else []
    op.create_table(
        "request",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("answer", sa.JSON(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        prefixes=prefixes,
    )
    op.create_table(
        "gateway",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("presence", sa.JSON(), nullable=False),
        sa.Column("heartbeat_at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        prefixes=prefixes,
    )
