"""A cluster of gateways on one database, and a proxy that records the requests that they send to
the node."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from tests.support.http import local
from tests.support.players import play, wait_until_indexed
from tests.support.server import Server, started


@dataclass(frozen=True, slots=True)
class Cluster:
    """A cluster of gateways on one database. It consists of the `up` process that writes, the URLs
    of the database and the node, and a folder for test files."""

    writer: Server
    database: str
    node: str
    folder: Path

    @contextmanager
    def gateway(self, *arguments: str, node: str | None = None) -> Iterator[Server]:
        """Run a gateway on the cluster's database. The gateway gets a data folder that doesn't
        exist, so it must read everything from the database."""
        options = ["--database", self.database, "--data", str(self.folder / "none"), "--port", "0"]
        with started("serve", *options, "--rpc", node or self.node, *arguments) as server:
            yield server


def open_match(cluster: Cluster, player: int) -> int:
    """Open a match of Touché Coulé with a development account. Return the match's number."""
    play(cluster.writer, cluster.node, player, "create", 20, 20, False)
    wait_until_indexed(cluster.writer, cluster.node)
    number: int = cluster.writer.get("/api/matches?game=touche-coule&limit=1")["matches"][0]["id"]
    return number


@contextmanager
def counted_node(node: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the URL of a proxy in front of the node, and a list of the requests that the proxy has
    received. The list contains the bodies of POST requests and the paths of GET requests."""
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
