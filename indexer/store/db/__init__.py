"""SQL below the store: engine, schema, migrations, bulk inserts, the writer's lock."""
