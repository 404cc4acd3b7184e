"""Gateways over one database, and a proxy that counts what they ask the node."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from tests.support.http import local
from tests.support.server import Server, started


@dataclass(frozen=True, slots=True)
class Cluster:
    """The writer with its page, its database's URL, its node's, and a folder for what tests make."""

    writer: Server
    database: str
    node: str
    folder: Path

    @contextmanager
    def gateway(self, *arguments: str, node: str | None = None) -> Iterator[Server]:
        """A gateway whose data folder is not even there."""
        options = ["--database", self.database, "--data", str(self.folder / "none"), "--port", "0"]
        with started("serve", *options, "--rpc", node or self.node, *arguments) as server:
            yield server


@contextmanager
def counted_node(node: str) -> Iterator[tuple[str, list[str]]]:
    """The URL of a proxy in front of a node, and the requests that came to it: the bodies, or the path of a GET."""
    received: list[str] = []

    class Proxy(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            received.append(body)
            answer = local.post(node, content=body, headers={"Content-Type": "application/json"}).content
            self.send_response(200)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def do_GET(self) -> None:
            received.append(self.path)
            self.send_error(404)

        def log_message(self, format: str, *arguments: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Proxy) as server:
        server.daemon_threads = True
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}", received
        server.shutdown()
