"""The PostgreSQL role that runs users' queries. It owns nothing and can read only the tables that
the views need.

https://www.postgresql.org/docs/current/sql-createrole.html"""

from __future__ import annotations

from contextlib import suppress

from sqlalchemy import Engine
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError

from indexer.store.db.engine import open_engine
from indexer.store.db.postgresql import NAMES

READER = "reader_of_chainboard"
TABLES = ("block", "deployment", "event", "match", "result", "seat")
MISSING_ROLE = (
    f"the user in --database can't use the role {READER}, so the query runs with all of that user's read rights. "
    f"To create the role, run CREATE ROLE {READER} as a superuser, and then GRANT {READER} TO WRITER WITH ADMIN "
    "OPTION. Replace WRITER by the database user of `chainboard index`"
)
_NAMES = ", ".join(f"('{table}')" for table in TABLES)
_USABLE_ROLE = f"""
SELECT 1 FROM pg_roles r WHERE r.rolname = '{READER}' AND pg_has_role(r.oid, '{{}}')
AND has_schema_privilege(r.oid, current_schema(), 'USAGE')
AND NOT EXISTS (
    SELECT 1 FROM (VALUES {_NAMES}) t (name) WHERE NOT has_table_privilege(r.oid, to_regclass(t.name), 'SELECT'))
AND NOT (r.rolsuper OR r.rolcreaterole OR r.rolcreatedb OR r.rolreplication OR r.rolbypassrls)
AND NOT EXISTS (SELECT 1 FROM pg_auth_members m WHERE m.member = r.oid)
AND NOT EXISTS (SELECT 1 FROM pg_shdepend d WHERE d.refobjid = r.oid AND d.deptype = 'o')
"""
SEPARATE_SET_RIGHT = 160_000
"""From this server version on, a member of a role can lack the right to use SET ROLE."""


def usable_role_query(server_version: int) -> str:
    """Return a query that checks two conditions: this user can use the role, and the role has
    exactly the necessary rights. The query returns one row if both are met, and none otherwise."""
    return _USABLE_ROLE.format("SET" if server_version >= SEPARATE_SET_RIGHT else "MEMBER")


def grant_reader(url: str) -> None:
    """Create the role on a server and grant its rights, as far as the user's own rights allow. The
    writer calls this after it has upgraded the tables. If the role can't be used, queries warn
    about it.

    Raises StoreError."""
    if make_url(url).get_backend_name() in NAMES:
        engine = open_engine(url)
        with suppress(DBAPIError):
            _grant(engine)
        engine.dispose()


def _grant(engine: Engine) -> None:
    with engine.connect() as connection:
        version = connection.connection.driver_connection.info.server_version  # type: ignore[union-attr]
        if connection.exec_driver_sql(usable_role_query(version)).first():
            return
        schema = str(connection.exec_driver_sql("SELECT quote_ident(current_schema())").scalar())
    for statement in (
        f"CREATE ROLE {READER}",
        f"GRANT {READER} TO CURRENT_USER",
        f"GRANT USAGE ON SCHEMA {schema} TO {READER}",
        *(f'GRANT SELECT ON {schema}."{table}" TO {READER}' for table in TABLES),
    ):
        with suppress(DBAPIError), engine.execution_options(writing=True).begin() as connection:
            connection.exec_driver_sql(statement)
