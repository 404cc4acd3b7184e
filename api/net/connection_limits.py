"""How many connections a client may have: those of one network address, and all together."""

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
REMIND_SECONDS = 60


class ConnectionLimits:
    """Counts open connections. `per_address` bounds those of one client, except loopback's unless `loopback`, and never
    those of `proxies` (addresses or networks), which stand for many. `total` bounds them all."""

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
        """True when one more connection of this address is allowed; then it is counted until it leaves."""
        address = client_key(host)
        if self._total is not None and self._open.total() >= self._total:
            self.log_full()
            return False
        if self._open[address] >= self._per_address and not self._exempt(host):
            return False
        self._open[address] += 1
        return True

    def leave(self, host: str) -> None:
        self._open -= Counter((client_key(host),))  # without it, once it has none

    def log_full(self) -> None:
        """Logs that the limit is reached, once a minute: a line for each rejected connection would fill the disk."""
        if not self._logged_at or self._logged_at + REMIND_SECONDS < monotonic():
            self._logged_at = monotonic()
            log.warning("all connections that this process may have are in use; further ones are turned away")

    def _exempt(self, host: str) -> bool:
        address = parsed(host)
        if address is None:
            return False
        return (address.is_loopback and not self._loopback) or any(address in network for network in self._proxies)

    def problem(self) -> Problem:
        headers = {"retry-after": "1", "connection": "close"}
        return Problem(429, "too-many-connections", {"n": self._per_address}, headers)


class ForwardedLimits:
    """Middleware behind a proxy: limits requests and sockets by the forwarded address."""

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
