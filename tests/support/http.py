"""An HTTP client that all tests share. The client connects only to servers and nodes on this
machine.

httpx's own functions would load all certificate authorities for each request, which takes longer
than the response. The client keeps no connections open, because tests stop and restart servers."""

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
    """Run a server with this handler in the test's own process. Yield its URL."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
