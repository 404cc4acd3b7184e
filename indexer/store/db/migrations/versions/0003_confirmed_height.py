"""Adds a table for the height up to which our counts of events equal the contracts' counts. When
the indexer starts, it checks the matches with later events."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "confirmed",
        sa.Column("height", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("height"),
    )
