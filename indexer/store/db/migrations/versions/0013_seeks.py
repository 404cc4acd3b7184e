"""Adds a table for players who are waiting for an opponent. All gateways share it."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.create_table(
        "seek",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        prefixes=["UNLOGGED"] if op.get_bind().dialect.name == "postgresql" else [],  # a crash may empty the table
    )
