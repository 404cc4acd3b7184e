"""Alembic runs this file to upgrade the tables. It uses the connection that `migrate` opened."""

from alembic import context
from sqlmodel import SQLModel

import indexer.store.db.schema  # noqa: F401 - fills the metadata for autogenerate

context.configure(connection=context.config.attributes["connection"], target_metadata=SQLModel.metadata)
with context.begin_transaction():
    context.run_migrations()
