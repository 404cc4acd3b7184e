"""Runs a real nginx with TLS and the configuration in deploy/. `make` installs Debian's nginx
before the tests."""

from __future__ import annotations

import re
import socket
import ssl
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

from chainboard.chain.child_process import end_child, start_child
from chaos.process.ports import reserved_port
from tests.support.services.missing import skip_or_fail
from tests.support.waiting import PATIENCE_SECONDS, wait_for

CONFIGURATION = Path(__file__).parents[3] / "deploy" / "nginx" / "chainboard.conf"
PROGRAM = "/usr/sbin/nginx"
NAME = "play.example.org"
MISSING = "nginx is not on this machine (`make test-all` as root installs it): gateways are not tested behind it."
MAIN_CONFIGURATION = """
daemon off;
master_process {master};
pid {folder}/pid;
error_log {folder}/error.log;
events {{ }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/conf.d/*.conf;
}}
"""
"""nginx's main configuration. nginx runs as a single process, unless a test must reload the
configuration."""
KILL_WITH_PARENT = 'exec 3<&0; "$@" & cat <&3 >/dev/null; kill -9 0'
"""A shell script that runs a command. When our end of its input pipe closes, even because of a
SIGKILL, the script kills the command and all its child processes."""
CERTIFICATE = (
    *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"),
    *("-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}"),
)


class Nginx:
    """A running nginx. Clients connect to `address` and send requests for `url`. `trust` accepts
    only this server's certificate. `command` is the command that runs nginx. `configuration` is the
    file in deploy/, changed to use local addresses."""

    def __init__(self, folder: Path, port: int, http_port: int, configuration: str) -> None:
        self.url, self.address = f"https://{NAME}:{port}", ("127.0.0.1", port)
        self.http_address = ("127.0.0.1", http_port)
        self.folder, self.configuration = folder, configuration
        self.command = [PROGRAM, "-p", f"{folder}", "-c", f"{folder}/nginx.conf", "-e", f"{folder}/error.log"]
        self.certificate = folder / "chainboard.pem"
        self.trust = ssl.create_default_context(cafile=str(self.certificate))
        self._errors = folder / "error.log"

    @property
    def errors(self) -> str:
        """The contents of nginx's error log."""
        return self._errors.read_text()


@contextmanager
def nginx(port: int, gateways: Sequence[int], edit: Callable[[str], str] = str) -> Iterator[Nginx]:
    """Run nginx in front of the gateways on these ports. If nginx is missing, skip the test, or
    fail if CI=true.

    Browsers connect to `port`. The caller chooses this port, because the gateways need it when they
    start. `edit` can change the configuration."""
    with _prepared(port, gateways, "off") as it:
        (it.folder / "conf.d" / "chainboard.conf").write_text(edit(it.configuration))
        checked = subprocess.run([*it.command, "-t"], capture_output=True, text=True, check=False)
        assert checked.returncode == 0, checked.stderr
        assert "warn" not in checked.stderr
        process = start_child(it.command)
        try:
            wait_for(lambda: (_is_listening(it), it.errors), lambda now: now[0], "nginx")
            yield it
        finally:
            end_child(process)


@contextmanager
def idle_nginx(port: int, gateways: Sequence[int]) -> Iterator[Nginx]:
    """Run nginx with an empty `conf.d`, so that it serves nothing yet. A test can add a
    configuration and reload nginx."""
    with _prepared(port, gateways, "on") as it:
        process = subprocess.Popen(
            ["/bin/sh", "-c", KILL_WITH_PARENT, "leash", *it.command],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            wait_for((it.folder / "pid").exists, bool, "nginx")
            yield it
        finally:
            end_child(process)


@contextmanager
def _prepared(port: int, gateways: Sequence[int], master: str) -> Iterator[Nginx]:
    """Yield an nginx that hasn't been started yet. It has its own new folder and certificate."""
    if not Path(PROGRAM).exists() or which("openssl") is None:
        skip_or_fail(MISSING)
    with TemporaryDirectory(prefix="nginx-") as name, ExitStack() as stack:
        folder, ports = Path(name), [stack.enter_context(reserved_port()) for _ in range(3)]
        files = ["-keyout", folder / "chainboard.key", "-out", folder / "chainboard.pem"]
        subprocess.run([*CERTIFICATE, *files], check=True, capture_output=True)
        (folder / "nginx.conf").write_text(MAIN_CONFIGURATION.format(folder=folder, master=master))
        (folder / "conf.d").mkdir()
        yield Nginx(folder, port, ports[0], _configuration(folder, port, gateways, ports))


def _configuration(folder: Path, port: int, gateways: Sequence[int], ports: Sequence[int]) -> str:
    """Return the configuration in deploy/, in which local addresses replace the real ones."""
    http, http6, port6 = ports
    text = CONFIGURATION.read_text()
    for listen, own in ((r"443", port), (r"80", http), (r"\[::\]:443", port6), (r"\[::\]:80", http6)):
        text = re.sub(rf"listen {listen}\b", f"listen 127.0.0.1:{own}", text)
    for number, own in enumerate(gateways, 8001):
        text = text.replace(f"server 127.0.0.1:{number} ", f"server 127.0.0.1:{own} ")
    return text.replace("/etc/nginx/", f"{folder}/")


def _is_listening(it: Nginx) -> bool:
    try:
        socket.create_connection(it.address, timeout=PATIENCE_SECONDS).close()
    except OSError:
        return False
    return True
