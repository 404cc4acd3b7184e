"""Computes all results again. Matches for two players without a clock no longer change ratings."""

from alembic import op

from indexer.store import results

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    results.derive(op.get_bind())
