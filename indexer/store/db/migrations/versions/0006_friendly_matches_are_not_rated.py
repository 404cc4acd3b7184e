"""Results once more: a match of two without a clock is friendly, and leaves the ratings as they are"""

from alembic import op

from indexer.store import results

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    results.derive(op.get_bind())
