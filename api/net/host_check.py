"""Checks each request's Host, Origin and Fetch Metadata, and adds security headers to each
response."""

from __future__ import annotations

import logging
from collections.abc import Iterable

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.net.client_address import client_key, parsed
from api.net.deny import deny
from api.net.origin import DEFAULT_PORTS, HOST, Origin, parse_origin
from api.net.security_headers import FRAMES, security_headers
from api.problems import Problem, failure

log = logging.getLogger("chainboard.api")

LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
ALL_INTERFACES = frozenset({"0.0.0.0", "::", "[::]"})
EXTENSIONS = frozenset({"chrome-extension", "moz-extension", "safari-web-extension"})
EXTENSION_PATH = "/api/rpc"
WEBSOCKET_PATH = "/ws"
MONITORING_PATHS = frozenset({"/api/ready", "/api/metrics"})
"""The paths that load balancers and Prometheus request from each gateway by its IP address."""
FOREIGN_SITES = frozenset({"cross-site", "same-site"})
"""The values of Sec-Fetch-Site for requests from pages of other origins
(https://www.w3.org/TR/fetch-metadata/). They include "same-site", because a page at a different
port of 127.0.0.1 is on the same site."""


class HostCheck:
    """The outermost middleware. It doesn't trust local requests, because any web page can send
    requests to 127.0.0.1. If `public` is set, no other origin is accepted, but programs on this
    machine may still use a loopback Host."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str] = (), public: Origin | None = None) -> None:
        self._app, self._public = app, public
        allowed = {host.lower() for host in hosts}
        self._any_name = "*" in allowed
        # an attack by DNS rebinding needs a host name, so IP addresses are safe
        self._any_ip = bool(allowed & ALL_INTERFACES)
        self._names = LOOPBACK | allowed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        origin = headers.get("origin")
        extension = scope["path"] == EXTENSION_PATH and (origin or "").partition("://")[0] in EXTENSIONS
        host = headers.get("host", "").lower()
        guarded = _with_headers(send, self._sockets(host), scope["path"], origin if extension else None)
        problem = self._problem(scope, host, None if extension else origin)
        if problem is None and not extension and _is_cross_site_load(headers, scope["path"]):
            problem = Problem(403, "foreign-origin.load")
        if problem is None and scope["type"] == "websocket" and scope["path"] != WEBSOCKET_PATH:
            problem = Problem(404, "not-found.websocket", {"path": scope["path"], "socket": WEBSOCKET_PATH})
        if problem is not None:
            await deny(problem.response(), scope, receive, guarded)
        elif extension and scope.get("method") == "OPTIONS":
            await Response(status_code=204)(scope, receive, guarded)
        else:
            await self._run_app(scope, receive, guarded)

    async def _run_app(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = False

        async def send_and_note(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self._app(scope, receive, send_and_note)
        except ClientDisconnect:
            pass  # the client is gone, so nobody can receive a response
        except Exception as error:
            log.error("%s failed: %r", scope["path"], error, exc_info=log.isEnabledFor(logging.DEBUG))
            if not started:
                await deny(failure(scope["path"]).response(), scope, receive, send)

    def _problem(self, scope: Scope, host: str, origin: str | None) -> Problem | None:
        found = HOST.fullmatch(host)
        if found is None or not self._is_known_host(scope, found["name"], found["port"]):
            return Problem(403, "unknown-host", {"host": host[:100]})
        if origin is not None and not self._is_same_origin(origin, found["name"], found["port"]):
            return Problem(403, "foreign-origin", {"origin": origin[:100]})
        return None

    def _is_known_host(self, scope: Scope, name: str, port: str | None) -> bool:
        is_address = parsed(name.strip("[]")) is not None
        if self._public is None:
            return self._any_name or name in self._names or (self._any_ip and is_address)
        if name in LOOPBACK and _is_loopback(scope):
            return True
        return self._is_public(name, port) or (scope["path"] in MONITORING_PATHS and is_address)

    def _is_public(self, name: str, port: str | None) -> bool:
        public = self._public
        return public is not None and (name, int(port or DEFAULT_PORTS[public.scheme])) == public[1:]

    def _is_same_origin(self, origin: str, name: str, port: str | None) -> bool:
        """Return True if a page from this origin was served under this Host header."""
        found = parse_origin(origin)
        if found is None or self._is_public(name, port):
            return found is not None and found == self._public
        return found[1:] == (name, int(port or DEFAULT_PORTS[found.scheme]))

    def _sockets(self, host: str) -> str:
        """Return the websocket URLs that the page's Content-Security-Policy must list. In some
        browsers, 'self' does not include them."""
        if self._public is not None:
            return self._public.socket
        return f"ws://{host} wss://{host}" if HOST.fullmatch(host) else ""


def _is_loopback(scope: Scope) -> bool:
    """Return True if the request comes directly from a program on this machine. A request through a
    named proxy has the address of the proxy's client instead."""
    client = scope.get("client")
    address = parsed(client_key(client[0])) if client else None
    return address is not None and address.is_loopback


def _is_cross_site_load(headers: Headers, path: str) -> bool:
    """Return True if a page on another site loads this path as a part of the page, such as an
    image. Such a request can lack the Origin header. Links to this site and frames with matches are
    allowed. Programs are allowed too, because they don't send Fetch Metadata."""
    linked = headers.get("sec-fetch-mode") == "navigate" and (
        headers.get("sec-fetch-dest") == "document" or path.startswith(FRAMES)
    )
    return headers.get("sec-fetch-site") in FOREIGN_SITES and not linked


def _with_headers(send: Send, sockets: str, path: str, extension: str | None) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] in ("http.response.start", "websocket.http.response.start"):
            headers = MutableHeaders(raw=message.setdefault("headers", []))
            # A 304 response replaces the headers of a file in the browser's cache. That file can be
            # a page, so the response needs a page's headers.
            is_page = headers.get("content-type", "").startswith("text/html") or message.get("status") == 304
            for name, value in security_headers(sockets, path, is_page=is_page).items():
                headers[name] = value
            headers.setdefault("cache-control", "no-cache")
            if extension is not None:
                headers["access-control-allow-origin"] = extension
                headers["access-control-allow-methods"] = "POST"
                headers["access-control-allow-headers"] = "content-type"
                headers["vary"] = "origin"
        await send(message)

    return send_with_headers
