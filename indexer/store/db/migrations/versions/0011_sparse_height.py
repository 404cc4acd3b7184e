"""Adds a table for the sparse height: up to this height, blocks without events may be missing,
because they were final when they were indexed."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.create_table(
        "sparse",
        sa.Column("height", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("height"),
    )
