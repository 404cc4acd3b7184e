"""Adds an index on each player's results in the chain's order, for the rating history."""

from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.create_index("result_in_order", "result", ["address", "game", "height", "log_index"], unique=False)
