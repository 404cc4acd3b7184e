"""An HTTP proxy that connects every tunnel to the same port on this machine. Programs behind the
proxy can use a site's public address, although no name server knows the address."""

from __future__ import annotations

import select
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.support.http import http_server

PART = 65_536


@contextmanager
def connect_proxy(port: int) -> Iterator[str]:
    class Tunnel(BaseHTTPRequestHandler):
        def do_CONNECT(self) -> None:
            with socket.create_connection(("127.0.0.1", port)) as there:
                self.send_response(200)
                self.end_headers()
                others = {self.connection: there, there: self.connection}
                while True:
                    for one in select.select([*others], [], [])[0]:
                        part = one.recv(PART)
                        if not part:
                            return
                        others[one].sendall(part)

        def log_message(self, *_: Any) -> None:
            """Log no requests."""

    with http_server(Tunnel) as url:
        yield url
