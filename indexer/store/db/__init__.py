"""The SQL layer below the store: engine, schema, migrations, bulk inserts and the writer's lock."""
