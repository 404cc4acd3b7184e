"""Adds indexes that contain only the current result of each player.

The old indexes contained all results. On PostgreSQL, they didn't help with the condition
`until_height IS NULL`, so a leaderboard sorted all results. Older results are never looked up by
rating."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"

CURRENT, SUPERSEDED = sa.text("until_height IS NULL"), sa.text("until_height IS NOT NULL")


def upgrade() -> None:
    op.drop_index("result_by_rating", "result")
    op.drop_index("result_of_player", "result")
    best_first = sa.text("rating DESC")
    op.create_index(
        "result_by_rating", "result", ["game", best_first, "address"], sqlite_where=CURRENT, postgresql_where=CURRENT
    )
    op.create_index("result_of_player", "result", ["address", "game"], sqlite_where=CURRENT, postgresql_where=CURRENT)
    op.create_index(
        "result_superseded", "result", ["game", "until_height"], sqlite_where=SUPERSEDED, postgresql_where=SUPERSEDED
    )
