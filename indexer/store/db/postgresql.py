"""PostgreSQL through psycopg 3: URL, transactions, and what to do about each error of the server."""

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
OLDEST_SERVER = 14
"""The oldest major version that its makers mend: https://www.postgresql.org/support/versioning/"""
CONNECT = {
    "connect_timeout": 10,
    "application_name": "chainboard",
    "keepalives_idle": 2,
    "keepalives_interval": 1,
    "keepalives_count": 2,
    "tcp_user_timeout": 3000,
}
"""A server that is gone is noticed in some seconds: https://www.postgresql.org/docs/current/libpq-connect.html"""
POOL = {"pool_size": 8, "max_overflow": 12, "pool_timeout": 5}
"""Connections of one process, and the seconds that a thread waits for one: a server takes 100 from all of them."""

LOCK_MILLISECONDS = 5000
"""How long a statement waits for a table that somebody else locks, as `VACUUM FULL` does."""

NOTHING_LOST = "nothing was lost, and it is tried again"
OTHER_VERSION = "the tables are of another version: run the same version everywhere, the one that writes first"
POOLER = "a pooler in transaction mode is in between: give --database the server's own address, or pool by session"
REMEDIES = {
    "08": f"the connection was cut: {NOTHING_LOST}",
    "22003": "a block, match or event has a larger number than the tables of a server hold, 2,147,483,647",
    "25006": "it may only be read, as a standby's: give --database the address of the primary server",
    "26000": POOLER,
    "28": "see that the user and the password in --database are right",
    "3D000": "create it with `createdb`, or choose another --database",
    "40": f"another program changed the same rows: {NOTHING_LOST}",
    "42501": "grant the user in --database the right to it, or name its owner there",
    "42703": OTHER_VERSION,
    "42P01": OTHER_VERSION,
    "42P05": POOLER,
    "53100": "free some room on the server's disk; nothing was lost",
    "53200": "give the server more memory; nothing was lost",
    "53300": "raise the server's max_connections, or start fewer gateways",
    "55P03": "another program holds it: end that one, or wait",
    "57014": "the server's time for a statement is over: raise its statement_timeout",
    "57P": f"the server ended the connection: {NOTHING_LOST}",
    "58": "see that the server's disk is in order",
    "XX001": "the server's files are damaged: restore a backup, or let an empty database be filled from the chain",
    "XX002": "an index of the server is damaged: REINDEX the database",
}
"""What to do, by SQLSTATE or the class that it begins with:
https://www.postgresql.org/docs/current/errcodes-appendix.html"""
REFUSED = {
    r"password|no pg_hba\.conf entry|role .* does not exist": REMEDIES["28"],
    r"database .* does not exist": REMEDIES["3D000"],
    r"too many clients|too many connections|connection slots": REMEDIES["53300"],
    r"starting up|shutting down|recovery": f"the server is not ready: {NOTHING_LOST}",
    r"closed the connection unexpectedly|connection is (lost|closed)|terminat": REMEDIES["08"],
    r"": "see that the server runs, and that its address in --database is right",
}
"""What to do, by what libpq says of a connection: it gives no SQLSTATE then."""


OTHER_COLLATIONS = text("""
    SELECT attrelid::regclass::text AS "table", quote_ident(attname) AS "column"
    FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND NOT attisdropped
    AND attcollation NOT IN (0, '"C"'::regcollation)
""")


class UnsuitableServer(Exception):
    """The server can't hold the index; the message says why."""


def driver_url(url: URL) -> URL:
    """The same database by our driver. URLs that are not PostgreSQL's stay as they are."""
    return url.set(drivername=DRIVER) if url.get_backend_name() in NAMES else url


def connect_arguments(url: URL) -> dict[str, Any]:
    """What the URL does not say itself."""
    return {name: value for name, value in CONNECT.items() if name not in url.query}


def prepare(engine: Engine) -> None:
    """A read is one moment, and changes nothing: https://www.postgresql.org/docs/current/transaction-iso.html"""
    event.listen(engine, "connect", _check_server)
    event.listen(engine, "checkout", _check_connection)
    event.listen(engine, "begin", _begin)


def _check_connection(connection: Any, _record: Any, _proxy: Any) -> None:
    """Has all connections made anew when the server has ended this one: only then is there something to read from one
    that waits for nothing. It costs no question to the server."""
    socket = poll()
    socket.register(connection.fileno(), POLLIN)
    if socket.poll(0):
        raise InvalidatePoolError()


def _check_server(connection: Any, _record: Any) -> None:
    major = connection.info.server_version // 10_000
    if major < OLDEST_SERVER:
        raise UnsuitableServer(
            f"the server is PostgreSQL {major}, and {OLDEST_SERVER} is needed: upgrade it, or choose another --database"
        )
    connection.execute(f"SET lock_timeout = {LOCK_MILLISECONDS}")
    connection.execute("SET jit = off")  # compiling a question takes longer than answering it
    connection.commit()


def _begin(connection: Connection) -> None:
    """The driver begins the transaction with these, so that no statement goes to the server for them."""
    from psycopg import IsolationLevel

    driver: Any = connection.connection.driver_connection
    read_only = None if connection.get_execution_options().get("writing", False) else True  # None: as the server is
    if driver.read_only is not read_only:
        driver.read_only = read_only
        driver.isolation_level = IsolationLevel.REPEATABLE_READ if read_only else IsolationLevel.READ_COMMITTED


def one_line(error: object) -> str:
    """What the server said first, without its hints."""
    lines = [line.strip(" -") for line in str(error).splitlines() if line.strip()]
    return lines[0].rstrip(".:") if lines else type(error).__name__


def remedy(error: Any) -> str | None:
    """What to do about the driver's error."""
    from psycopg import OperationalError

    if state := error.sqlstate:
        return next((text for code, text in REMEDIES.items() if state.startswith(code)), None)
    refused = isinstance(error, OperationalError)
    return next(text for pattern, text in REFUSED.items() if re.search(pattern, str(error))) if refused else None


def check_encoding(connection: Connection) -> None:
    """Raises UnsuitableServer where names can't be kept."""
    if connection.dialect.name == "postgresql":
        encoding = connection.exec_driver_sql("SHOW server_encoding").scalar()
        if encoding != "UTF8":
            raise UnsuitableServer(f"its encoding is {encoding}: create it with `createdb --encoding UTF8`")


def finish_upgrade(connection: Connection, oldest_reader: str) -> None:
    """Texts are compared byte by byte, as on SQLite, however the database was created; and who comes later, or before,
    is told who made the tables."""
    if connection.dialect.name != "postgresql":
        return
    for row in connection.execute(OTHER_COLLATIONS).all():
        connection.exec_driver_sql(f'ALTER TABLE {row.table} ALTER {row.column} TYPE varchar COLLATE "C"')
    comment = orjson.dumps({"program": version("chainboard"), "oldestReader": oldest_reader}).decode()
    connection.exec_driver_sql(f"COMMENT ON TABLE alembic_version IS '{comment}'")


def made_by(connection: Connection, revision: str) -> tuple[str, str]:
    """The version of the program that upgraded the tables to this revision, and the oldest revision whose program can
    read them."""
    comment = connection.exec_driver_sql("SELECT obj_description('alembic_version'::regclass)").scalar()
    try:
        made = orjson.loads(str(comment))
        return made["program"], made["oldestReader"]
    except (orjson.JSONDecodeError, KeyError, TypeError):  # as in a copy without comments
        return "in its newest version", revision


def archive_tables(connection: Connection, name: str) -> str:
    """Copies all tables into a schema of their own, which is returned. They are opened as a database with
    `?options=-csearch_path%3DSCHEMA`."""
    schema = f"aside-{name}"
    connection.exec_driver_sql(f'CREATE SCHEMA "{schema}"')
    for table in inspect(connection).get_table_names():
        connection.exec_driver_sql(f'CREATE TABLE "{schema}"."{table}" (LIKE "{table}" INCLUDING ALL)')
        connection.exec_driver_sql(f'INSERT INTO "{schema}"."{table}" SELECT * FROM "{table}"')
    comment = connection.exec_driver_sql("SELECT obj_description('alembic_version'::regclass)").scalar()
    connection.exec_driver_sql(f"COMMENT ON TABLE \"{schema}\".alembic_version IS '{comment}'")
    return f"the schema {schema}"


def copy_rows(connection: Connection, table: str, columns: Iterable[str], rows: Iterable[tuple[Any, ...]]) -> None:
    """Inserts rows by COPY. Raises the driver's own errors."""
    names = ", ".join(f'"{name}"' for name in columns)
    with (
        connection.connection.cursor() as cursor,  # type: ignore[attr-defined]
        cursor.copy(f'COPY "{table}" ({names}) FROM STDIN') as copy,
    ):
        for row in rows:
            copy.write_row(row)


def json_as_text(connection: Any, _record: Any) -> None:
    """For a connection that reads what is stored letter by letter."""
    from psycopg.types.string import TextLoader

    connection.adapters.register_loader("json", TextLoader)
