"""Adds a table for the nicknames that accounts have signed. Adds a table for words that the
operator forbids in nicknames."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    op.create_table(
        "nickname",
        sa.Column("account", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=True),
        sa.Column("skeleton", sa.String(), nullable=True),
        sa.Column("issued", sa.BigInteger(), nullable=False),
        sa.Column("signature", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("account"),
        sa.UniqueConstraint("skeleton"),
    )
    op.create_table(
        "nickname_block",
        sa.Column("skeleton", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("skeleton"),
    )
