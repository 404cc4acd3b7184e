"""How far the contracts' own counts are confirmed, so that a start knows which matches to ask about"""

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
