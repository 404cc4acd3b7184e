"""The SQL code below the store: connections, tables, migrations, inserts and the writer's lock."""
