"""Adds the opener and the invited opponent to each match. Adds an index that sorts
matches by their last move, for the lobby's lists."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

PLACE = ["created_height", "created_index"]


def upgrade() -> None:
    for name in ("opener", "opponent"):
        op.add_column("match", sa.Column(name, sa.String(), nullable=True))
    _fill()
    op.drop_index("match_by_status", table_name="match")
    op.create_index("match_by_status", "match", ["game", "status", *PLACE, "opener"], unique=False)
    op.create_index("match_by_move", "match", ["game", "status", "height", *PLACE], unique=False)
    _partial("match_by_opener", ["game", "status", "opener"], sa.text("status = 'open'"))
    _partial("match_by_opponent", ["opponent", "game", "status", *PLACE], sa.text("opponent IS NOT NULL"))


def _partial(name: str, columns: list[str], where: sa.TextClause) -> None:
    op.create_index(name, "match", columns, unique=False, sqlite_where=where, postgresql_where=where)


def _fill() -> None:
    """Fill the new columns: the opener from the match's first event, and the opponent from its
    board."""
    place: list[sa.ColumnClause[int]] = [sa.column(name) for name in PLACE]
    match = sa.table("match", *place, sa.column("opener"), sa.column("opponent"), sa.column("board", sa.JSON()))
    event = sa.table("event", sa.column("height"), sa.column("log_index"), sa.column("args", sa.JSON()))
    first = (event.c.height == match.c.created_height) & (event.c.log_index == match.c.created_index)
    creator = sa.select(event.c.args["creator"].as_string()).where(first).scalar_subquery()
    opponent = match.c.board["opponent"].as_string()
    op.execute(sa.update(match).values(opener=sa.func.coalesce(creator, ""), opponent=opponent))
