"""On PostgreSQL, drops the primary key of `mention`. Also drops the foreign keys there, because the
server would check them row by row."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    connection = op.get_bind()
    if connection.dialect.name != "postgresql":
        return
    tables = sa.inspect(connection)
    for table in tables.get_table_names():
        for key in tables.get_foreign_keys(table):
            op.drop_constraint(str(key["name"]), table, type_="foreignkey")
    op.drop_constraint(str(tables.get_pk_constraint("mention")["name"]), "mention", type_="primary")
    op.create_index("mention_by_block", "mention", ["height"])
