"""Adds the height up to which the contracts have confirmed our counts. When the indexer starts, it
checks the later matches."""

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
