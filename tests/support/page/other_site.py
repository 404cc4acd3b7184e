"""A website on this machine whose origin differs from the page's. Browsers resolve every name that
ends in .localhost to this machine."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any


@contextmanager
def other_site(host: str, body: str = "") -> Iterator[str]:
    """Run a site that answers every request with a page with this body. Yield the site's URL."""

    class OtherPage(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(f"<!doctype html><title>Another site</title>{body}".encode())

        def log_message(self, *_arguments: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), OtherPage)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://{host}:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()
