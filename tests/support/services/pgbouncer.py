"""Runs a real PgBouncer in front of a real PostgreSQL server. Tests that need it run only if
Debian's package is installed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from chainboard.chain.child_process import end_child, start_child
from chaos.process.ports import reserved_port
from tests.support.services.missing import skip_or_fail
from tests.support.services.postgres import PASSWORD, UNPRIVILEGED, USER, PostgresServer, await_server

MISSING = "PgBouncer is not on this machine (`make test-all` as root installs it): poolers are not tested."
PROGRAM = "/usr/sbin/pgbouncer"
CONFIGURATION = """
[databases]
* = host=127.0.0.1 port={server}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = {users}
pool_mode = {mode}
"""


@contextmanager
def pgbouncer(server: PostgresServer, url: str, mode: str) -> Iterator[str]:
    """Run PgBouncer in this pool mode. Yield a URL that leads to the same database through
    PgBouncer."""
    if not Path(PROGRAM).exists():
        skip_or_fail(MISSING)
    with TemporaryDirectory(prefix="pgbouncer-") as name, reserved_port() as port:
        folder, pooled = Path(name), url.replace(f":{server.port}/", f":{port}/")
        users, configuration = folder / "users.txt", folder / "pgbouncer.ini"
        users.write_text(f'"{USER}" "{PASSWORD}"\n')
        configuration.write_text(CONFIGURATION.format(server=server.port, port=port, users=users, mode=mode))
        prefix = UNPRIVILEGED if os.geteuid() == 0 else []
        if prefix:
            shutil.chown(folder, "nobody", "nogroup")
        process = start_child([*prefix, PROGRAM, "--quiet", str(configuration)])
        try:
            await_server(pooled)
            yield pooled
        finally:
            end_child(process)
