"""Adds the height up to which blocks without events may be missing (history below `finalized`)."""

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
