"""The code that only PostgreSQL needs: URLs, connections, transactions, and advice about errors.
The driver is psycopg 3."""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib.metadata import version
from select import POLLIN, poll
from typing import Any

import orjson
from sqlalchemy import URL, Connection, Engine, event, inspect, text
from sqlalchemy.exc import InvalidatePoolError

NAMES = {"postgresql", "postgres"}
DRIVER = "postgresql+psycopg"
MISSING_DRIVER = "PostgreSQL needs a driver: `pip install 'chainboard[postgresql]'`"
MIN_SERVER_VERSION = 14
"""The oldest major version that PostgreSQL's developers still fix:
https://www.postgresql.org/support/versioning/"""
CONNECT_DEFAULTS = {
    "connect_timeout": 10,
    "application_name": "chainboard",
    "keepalives_idle": 2,
    "keepalives_interval": 1,
    "keepalives_count": 2,
    "tcp_user_timeout": 3000,
}
"""Connection arguments, unless the URL sets them. With these values, a lost server is noticed
within seconds: https://www.postgresql.org/docs/current/libpq-connect.html"""
POOL = {"pool_size": 8, "max_overflow": 12, "pool_timeout": 5}
"""The number of connections that a process keeps open, the number of additional connections that it
can open, and the number of seconds that a thread waits for a connection.

By default, a server accepts 100 connections from all processes together."""

LOCK_MILLISECONDS = 5000
"""The number of milliseconds that a statement waits for a table that another session has locked,
for example with `VACUUM FULL`."""

NOTHING_LOST = "nothing was lost, and Chainboard retries"
WRONG_VERSION = "the tables belong to another version: run the same version everywhere, and upgrade the writer first"
POOLER_HINT = "the pooler is in transaction mode: set --database to the server's own address, or use session mode"
REMEDIES = {
    "08": f"the connection was cut: {NOTHING_LOST}",
    "22003": "a block, match or event has a number above 2,147,483,647, the largest that a server's tables store",
    "25006": "it is read-only, like a standby: give --database the address of the primary server",
    "26000": POOLER_HINT,
    "28": "check the user and the password in --database",
    "3D000": "create it with `createdb`, or choose a different --database",
    "40": f"another program changed the same rows: {NOTHING_LOST}",
    "42501": "grant access to the user in --database, or use the owner as the user in --database",
    "42703": WRONG_VERSION,
    "42P01": WRONG_VERSION,
    "42P05": POOLER_HINT,
    "53100": "free space on the server's disk; nothing was lost",
    "53200": "give the server more memory; nothing was lost",
    "53300": "raise the server's max_connections, or start fewer gateways",
    "55P03": "another program has locked it: stop that program, or wait",
    "57014": "the statement took longer than the server allows: raise its statement_timeout",
    "57P": f"the server ended the connection: {NOTHING_LOST}",
    "58": "check the server's disk",
    "XX001": "the server's files are damaged: restore a backup, or let Chainboard fill an empty database",
    "XX002": "an index on the server is damaged: REINDEX the database",
}
"""Advice for each error. The key is the error's code (SQLSTATE) or the first characters of the
code:
https://www.postgresql.org/docs/current/errcodes-appendix.html"""
CONNECTION_REMEDIES = {
    r"password|no pg_hba\.conf entry|role .* does not exist": REMEDIES["28"],
    r"database .* does not exist": REMEDIES["3D000"],
    r"too many clients|too many connections|connection slots": REMEDIES["53300"],
    r"starting up|shutting down|recovery": f"the server is not ready: {NOTHING_LOST}",
    r"closed the connection unexpectedly|connection is (lost|closed)|terminat": REMEDIES["08"],
    r"": "check that the server runs and that its address in --database is right",
}
"""Advice about a failed connection. The error has no code, so each key is a pattern that the
message from libpq must match."""


OTHER_COLLATIONS = text("""
    SELECT attrelid::regclass::text AS "table", quote_ident(attname) AS "column"
    FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND NOT attisdropped
    AND attcollation NOT IN (0, '"C"'::regcollation)
""")


class UnsuitableServer(Exception):
    """The server can't store the index. The message explains why."""


def driver_url(url: URL) -> URL:
    """Return a PostgreSQL URL with the driver psycopg. Return any other URL unchanged."""
    return url.set(drivername=DRIVER) if url.get_backend_name() in NAMES else url


def connect_arguments(url: URL) -> dict[str, Any]:
    """Return the default connection arguments, without those that the URL sets itself."""
    return {name: value for name, value in CONNECT_DEFAULTS.items() if name not in url.query}


def prepare(engine: Engine) -> None:
    """Make each transaction read a consistent snapshot, and only read, unless the engine's option
    `writing` is set: https://www.postgresql.org/docs/current/transaction-iso.html"""
    event.listen(engine, "connect", _check_server)
    event.listen(engine, "checkout", _check_connection)
    event.listen(engine, "begin", _begin)


def _check_connection(connection: Any, _record: Any, _proxy: Any) -> None:
    """If the server has closed this connection, make the pool replace all connections.

    An idle connection has data to read only if the server has closed it. Therefore, no query is
    needed."""
    socket = poll()
    socket.register(connection.fileno(), POLLIN)
    if socket.poll(0):
        raise InvalidatePoolError()


def _check_server(connection: Any, _record: Any) -> None:
    major = connection.info.server_version // 10_000
    if major < MIN_SERVER_VERSION:
        raise UnsuitableServer(
            f"the server runs PostgreSQL {major}, but {MIN_SERVER_VERSION} or newer is needed: upgrade it, "
            "or choose a different --database"
        )
    connection.execute(f"SET lock_timeout = {LOCK_MILLISECONDS}")
    connection.execute("SET jit = off")  # compiling a short query takes longer than running it
    connection.commit()


def _begin(connection: Connection) -> None:
    """Tell the driver how to begin the transaction. This saves a separate query."""
    from psycopg import IsolationLevel

    driver: Any = connection.connection.driver_connection
    read_only = None if connection.get_execution_options().get("writing", False) else True  # None: the server's default
    if driver.read_only is not read_only:
        driver.read_only = read_only
        driver.isolation_level = IsolationLevel.REPEATABLE_READ if read_only else IsolationLevel.READ_COMMITTED


def first_line(error: object) -> str:
    """Return the first line of an error's message. The other lines are details and hints."""
    lines = [line.strip(" -") for line in str(error).splitlines() if line.strip()]
    return lines[0].rstrip(".:") if lines else type(error).__name__


def remedy(error: Any) -> str | None:
    """Return what to do about the driver's error, or None if unknown."""
    from psycopg import OperationalError

    if state := error.sqlstate:
        return next((text for code, text in REMEDIES.items() if state.startswith(code)), None)
    is_connection_error = isinstance(error, OperationalError)
    return (
        next(text for pattern, text in CONNECTION_REMEDIES.items() if re.search(pattern, str(error)))
        if is_connection_error
        else None
    )


def check_encoding(connection: Connection) -> None:
    """Raise UnsuitableServer if the database's encoding isn't UTF-8. Other encodings can't
    store all names."""
    if connection.dialect.name == "postgresql":
        encoding = connection.exec_driver_sql("SHOW server_encoding").scalar()
        if encoding != "UTF8":
            raise UnsuitableServer(f"its encoding is {encoding}: create it with `createdb --encoding UTF8`")


def finish_upgrade(connection: Connection, oldest_reader: str) -> None:
    """Make text columns sort byte by byte, as on SQLite, and write the version of the tables into a
    comment on a table.

    Programs of other versions read this comment."""
    if connection.dialect.name != "postgresql":
        return
    for row in connection.execute(OTHER_COLLATIONS).all():
        connection.exec_driver_sql(f'ALTER TABLE {row.table} ALTER {row.column} TYPE varchar COLLATE "C"')
    comment = orjson.dumps({"program": version("chainboard"), "oldestReader": oldest_reader}).decode()
    connection.exec_driver_sql(f"COMMENT ON TABLE alembic_version IS '{comment}'")


def table_version(connection: Connection, revision: str) -> tuple[str, str]:
    """Return the program to install, such as "Chainboard 0.7.0 or newer", and the oldest revision
    (version of the tables) that a reader must support.

    A program can read the tables if it supports this revision or a newer one."""
    comment = connection.exec_driver_sql("SELECT obj_description('alembic_version'::regclass)").scalar()
    try:
        version = orjson.loads(str(comment))
        return f"Chainboard {version['program']} or newer", version["oldestReader"]
    except (orjson.JSONDecodeError, KeyError, TypeError):  # for example, a copy of the database has no comments
        return "the newest version of Chainboard", revision


def archive_tables(connection: Connection, name: str) -> str:
    """Copy all tables to a new schema. Return "the schema" and its name.

    To open the copy as a database, add `?options=-csearch_path%3DSCHEMA` to the URL."""
    schema = f"aside-{name}"
    connection.exec_driver_sql(f'CREATE SCHEMA "{schema}"')
    for table in inspect(connection).get_table_names():
        connection.exec_driver_sql(f'CREATE TABLE "{schema}"."{table}" (LIKE "{table}" INCLUDING ALL)')
        connection.exec_driver_sql(f'INSERT INTO "{schema}"."{table}" SELECT * FROM "{table}"')
    comment = connection.exec_driver_sql("SELECT obj_description('alembic_version'::regclass)").scalar()
    connection.exec_driver_sql(f"COMMENT ON TABLE \"{schema}\".alembic_version IS '{comment}'")
    return f"the schema {schema}"


def copy_rows(connection: Connection, table: str, columns: Iterable[str], rows: Iterable[tuple[Any, ...]]) -> None:
    """Insert rows with PostgreSQL's COPY. Raises the driver's own errors."""
    names = ", ".join(f'"{name}"' for name in columns)
    with (
        connection.connection.cursor() as cursor,  # type: ignore[attr-defined]
        cursor.copy(f'COPY "{table}" ({names}) FROM STDIN') as copy,
    ):
        for row in rows:
            copy.write_row(row)


def json_as_text(connection: Any, _record: Any) -> None:
    """Make the connection return JSON as the text that is stored, instead of parsing it."""
    from psycopg.types.string import TextLoader

    connection.adapters.register_loader("json", TextLoader)
