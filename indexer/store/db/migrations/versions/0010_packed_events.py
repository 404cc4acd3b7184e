"""On PostgreSQL, stores hashes and addresses as bytes, names as codes, and numbers as integers."""

from alembic import op

from indexer.store.db.codes import CODE_SQL

revision = "0010"
down_revision = "0009"

BYTES = "bytea USING decode(substr({0}, 3), 'hex')"
CODE = f"integer USING {CODE_SQL}"
NUMBER = "integer"
COLUMNS = {
    "block": {"hash": BYTES, "parent": BYTES},
    "event": {"height": NUMBER, "match": NUMBER, "seq": NUMBER, "game": CODE, "name": CODE, "tx": BYTES},
    "mention": {"height": NUMBER, "address": BYTES, "game": CODE, "name": CODE},
}


def upgrade() -> None:
    connection = op.get_bind()
    if connection.dialect.name != "postgresql":
        return
    op.drop_index("mention_by_block", "mention")
    for table, columns in COLUMNS.items():
        changes = [f'ALTER "{name}" TYPE ' + kind.format(f'"{name}"') for name, kind in columns.items()]
        connection.exec_driver_sql(f'ALTER TABLE "{table}" ' + ", ".join(changes))
    op.create_index("mention_by_block", "mention", ["height"], postgresql_using="brin")
