"""A real nginx with TLS: Debian's, which make installs before the tests, with the configuration in deploy/."""

from __future__ import annotations

import re
import socket
import ssl
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from time import monotonic, sleep

from chainboard.chain.child_process import end_child, start_child
from chaos.process.ports import reserved_port
from tests.support.services.missing import skip_or_fail

CONFIGURATION = Path(__file__).parents[3] / "deploy" / "nginx" / "chainboard.conf"
PROGRAM = "/usr/sbin/nginx"
NAME = "play.example.org"
MISSING = "nginx is not on this machine (`make test` as root installs it): gateways are not tested behind it."
START_SECONDS = 20.0
MAIN = """
daemon off;
master_process off;
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
    include {folder}/chainboard.conf;
}}
"""
"""One process: workers would outlive a master that is killed with us."""
CERTIFICATE = (
    *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"),
    *("-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}"),
)


class Nginx:
    """One that runs. Clients connect to `address`, and name it by `url`; `trust` has its certificate alone."""

    def __init__(self, folder: Path, port: int, http_port: int) -> None:
        self.url, self.address = f"https://{NAME}:{port}", ("127.0.0.1", port)
        self.http_address = ("127.0.0.1", http_port)
        self.trust = ssl.create_default_context(cafile=str(folder / "chainboard.pem"))
        self._errors = folder / "error.log"

    @property
    def errors(self) -> str:
        """Its log."""
        return self._errors.read_text()


@contextmanager
def nginx(port: int, gateways: Sequence[int]) -> Iterator[Nginx]:
    """Before gateways at these ports; where there is no nginx the test is skipped, or fails when CI asks. `port` is the
    one that browsers name: gateways are told of it before."""
    if not Path(PROGRAM).exists() or which("openssl") is None:
        skip_or_fail(MISSING)
    with TemporaryDirectory(prefix="nginx-") as name, ExitStack() as stack:
        folder, ports = Path(name), [stack.enter_context(reserved_port()) for _ in range(3)]
        files = ["-keyout", folder / "chainboard.key", "-out", folder / "chainboard.pem"]
        subprocess.run([*CERTIFICATE, *files], check=True, capture_output=True)
        (folder / "nginx.conf").write_text(MAIN.format(folder=folder))
        (folder / "chainboard.conf").write_text(_configuration(folder, port, gateways, ports))
        command = [PROGRAM, "-p", name, "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")]
        checked = subprocess.run([*command, "-t"], capture_output=True, text=True, check=False)
        assert checked.returncode == 0, checked.stderr
        assert "warn" not in checked.stderr
        process = start_child(command)
        try:
            it = Nginx(folder, port, ports[0])
            _wait(it)
            yield it
        finally:
            end_child(process)


def _configuration(folder: Path, port: int, gateways: Sequence[int], ports: Sequence[int]) -> str:
    """The one in deploy/ with other addresses, and nothing else."""
    http, http6, port6 = ports
    text = CONFIGURATION.read_text()
    for listen, own in ((r"443", port), (r"80", http), (r"\[::\]:443", port6), (r"\[::\]:80", http6)):
        text = re.sub(rf"listen {listen}\b", f"listen 127.0.0.1:{own}", text)
    for number, own in enumerate(gateways, 8001):
        text = text.replace(f"server 127.0.0.1:{number} ", f"server 127.0.0.1:{own} ")
    return text.replace("/etc/nginx/", f"{folder}/")


def _wait(it: Nginx) -> None:
    deadline = monotonic() + START_SECONDS
    while True:
        try:
            return socket.create_connection(it.address, timeout=1).close()
        except OSError:
            assert monotonic() < deadline, it.errors
            sleep(0.02)
