"""One HTTP client for all tests, of servers and nodes on this machine only: httpx's own functions read all certificate
authorities anew for each request, which takes longer than the answer. No connection is kept: servers come and go."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx

from tests.support.waiting import PATIENCE_SECONDS

local = httpx.Client(
    verify=False, trust_env=False, timeout=PATIENCE_SECONDS, limits=httpx.Limits(max_keepalive_connections=0)
)


@contextmanager
def http_server(handler: Callable[..., BaseHTTPRequestHandler]) -> Iterator[str]:
    """A server of this process that answers by the handler, by its URL."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
