"""Derives the results again. A match of two without a clock is now friendly and not rated."""

from alembic import op

from indexer.store import results

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    results.derive(op.get_bind())
