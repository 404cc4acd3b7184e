"""The SQL code on which the store is built: connections, tables, migrations, fast inserts, and the
lock that allows only one writer."""
