"""Checks Host, Origin and Fetch Metadata of each request, and adds the security headers to each response."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.net.client_address import parsed
from api.net.deny import deny
from api.net.security_headers import FRAMES, security_headers
from api.problems import Problem, failure

log = logging.getLogger("chainboard.api")

LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
EVERYWHERE = frozenset({"0.0.0.0", "::", "[::]"})
EXTENSIONS = frozenset({"chrome-extension", "moz-extension", "safari-web-extension"})
OPEN_TO_EXTENSIONS = "/api/rpc"
SOCKET = "/ws"
HOST = re.compile(r"(?P<name>[a-z0-9._-]+|\[[0-9a-f:.]+\])(:(?P<port>[0-9]{1,5}))?")
DEFAULT_PORTS = {"http": 80, "https": 443}
FOREIGN_SITES = frozenset({"cross-site", "same-site"})
"""Values of Sec-Fetch-Site (https://www.w3.org/TR/fetch-metadata/). Another port of 127.0.0.1 is the same site."""


class HostCheck:
    """Middleware around everything. Any web page can reach 127.0.0.1, so a local request proves nothing."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str] = ()) -> None:
        self._app = app
        allowed = {host.lower() for host in hosts}
        self._any_name = "*" in allowed
        self._any_ip = bool(allowed & EVERYWHERE)  # a rebound DNS name is never an address
        self._names = LOOPBACK | allowed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        origin = headers.get("origin")
        extension = scope["path"] == OPEN_TO_EXTENSIONS and (origin or "").partition("://")[0] in EXTENSIONS
        guarded = _with_headers(send, headers.get("host", ""), scope["path"], origin if extension else None)
        problem = self._problem(headers.get("host", "").lower(), None if extension else origin)
        if problem is None and not extension and _loads(headers, scope["path"]):
            problem = Problem(403, "foreign-origin.load")
        if problem is None and scope["type"] == "websocket" and scope["path"] != SOCKET:
            problem = Problem(404, "not-found.websocket", {"path": scope["path"], "socket": SOCKET})
        if problem is not None:
            await deny(problem.response(), scope, receive, guarded)
        elif extension and scope.get("method") == "OPTIONS":
            await Response(status_code=204)(scope, receive, guarded)
        else:
            await self._run(scope, receive, guarded)

    async def _run(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = False

        async def noting(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self._app(scope, receive, noting)
        except ClientDisconnect:
            pass  # the client disconnected: there is nobody to answer
        except Exception as error:
            log.error("%s failed: %r", scope["path"], error, exc_info=log.isEnabledFor(logging.DEBUG))
            if not started:
                await deny(failure(scope["path"]).response(), scope, receive, send)

    def _problem(self, host: str, origin: str | None) -> Problem | None:
        found = HOST.fullmatch(host)
        if found is None or not self._known(found["name"]):
            return Problem(403, "unknown-host", {"host": host[:100]})
        if origin is not None and not _same(origin, found["name"], found["port"]):
            return Problem(403, "foreign-origin", {"origin": origin[:100]})
        return None

    def _known(self, name: str) -> bool:
        return self._any_name or name in self._names or (self._any_ip and parsed(name.strip("[]")) is not None)


def _loads(headers: Headers, path: str) -> bool:
    """Whether a page of another site fetches this for itself, which it can without an Origin; links and frames of
    matches are navigations. Programs send none of these headers."""
    linked = headers.get("sec-fetch-mode") == "navigate" and (
        headers.get("sec-fetch-dest") == "document" or path.startswith(FRAMES)
    )
    return headers.get("sec-fetch-site") in FOREIGN_SITES and not linked


def _same(origin: str, name: str, port: str | None) -> bool:
    """Whether a page of this origin was served under this Host."""
    try:
        parts = urlsplit(origin.lower())
        default = DEFAULT_PORTS[parts.scheme]
        host = HOST.fullmatch(parts.netloc)
    except (ValueError, KeyError):
        return False
    return host is not None and (host["name"], int(host["port"] or default)) == (name, int(port or default))


def _with_headers(send: Send, host: str, path: str, extension: str | None) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] in ("http.response.start", "websocket.http.response.start"):
            headers = MutableHeaders(raw=message.setdefault("headers", []))
            for name, value in security_headers(host if HOST.fullmatch(host.lower()) else None, path).items():
                headers[name] = value
            headers.setdefault("cache-control", "no-cache")
            if extension is not None:
                headers["access-control-allow-origin"] = extension
                headers["access-control-allow-methods"] = "POST"
                headers["access-control-allow-headers"] = "content-type"
                headers["vary"] = "origin"
        await send(message)

    return sending
