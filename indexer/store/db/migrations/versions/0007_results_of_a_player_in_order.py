"""The results of a player in the chain's order: a rating's history is asked for in pages"""

from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.create_index("result_in_order", "result", ["address", "game", "height", "log_index"], unique=False)
