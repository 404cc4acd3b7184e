"""Limits the number of connections per network address and in total."""

from __future__ import annotations

import ipaddress
import logging
from collections import Counter
from collections.abc import Iterable
from time import monotonic

from starlette.types import ASGIApp, Receive, Scope, Send

from api.net.client_address import client_key, parsed
from api.net.deny import deny
from api.problems import Problem

log = logging.getLogger("chainboard.api")

MAX_PER_ADDRESS = 100
LOG_INTERVAL_SECONDS = 60


class ConnectionLimits:
    """Counts open connections. `per_address` limits the connections from one address, and `total`
    limits all connections. `per_address` does not apply to `proxies` (addresses or networks),
    because each proxy has many clients. It applies to loopback addresses only if `loopback` is
    set."""

    def __init__(
        self,
        per_address: int = MAX_PER_ADDRESS,
        total: int | None = None,
        loopback: bool = True,
        proxies: Iterable[str] = (),
    ) -> None:
        self._per_address, self._total, self._loopback = per_address, total, loopback
        self._proxies = [ipaddress.ip_network(proxy, strict=False) for proxy in proxies]
        self._open: Counter[str] = Counter()
        self._logged_at = 0.0

    def enter(self, host: str) -> bool:
        """Return True if another connection from this address is allowed. If so, count it until
        `leave` is called."""
        address = client_key(host)
        if self._total is not None and self._open.total() >= self._total:
            self.log_full()
            return False
        if self._open[address] >= self._per_address and not self._is_exempt(host):
            return False
        self._open[address] += 1
        return True

    def leave(self, host: str) -> None:
        self._open -= Counter((client_key(host),))  # a Counter's `-=` deletes keys that reach zero

    def log_full(self) -> None:
        """Log that the limit has been reached, at most once per minute. A line for each rejected
        connection would fill the disk."""
        if not self._logged_at or self._logged_at + LOG_INTERVAL_SECONDS < monotonic():
            self._logged_at = monotonic()
            log.warning("this process has reached its connection limit, so it rejects new connections")

    def _is_exempt(self, host: str) -> bool:
        address = parsed(host)
        if address is None:
            return False
        return (address.is_loopback and not self._loopback) or any(address in network for network in self._proxies)

    def problem(self) -> Problem:
        headers = {"retry-after": "1", "connection": "close"}
        return Problem(429, "too-many-connections", {"n": self._per_address}, headers)


class ForwardedLimits:
    """Middleware that limits the requests and websockets that arrive through a proxy. It counts
    them by the client's address, which the proxy forwards."""

    def __init__(self, app: ASGIApp, connections: ConnectionLimits) -> None:
        self._app, self._connections = app, connections

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = scope.get("client")
        if client is None:
            await self._app(scope, receive, send)
        elif not self._connections.enter(client[0]):
            await deny(self._connections.problem().response(), scope, receive, send)
        else:
            try:
                await self._app(scope, receive, send)
            finally:
                self._connections.leave(client[0])
