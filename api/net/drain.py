"""Draining. A server that will stop soon rejects new websockets, so that a proxy sends them to
another server."""

from __future__ import annotations

import asyncio

from starlette.types import ASGIApp, Receive, Scope, Send

from api.net.deny import deny
from api.problems import Problem


def draining_problem() -> Problem:
    return Problem(503, "not-ready.draining", headers={"retry-after": "1"})


class Drain:
    """Middleware that rejects new websockets once `draining` is set. It still lets requests
    through, because the proxy might not have noticed the draining yet."""

    def __init__(self, app: ASGIApp, draining: asyncio.Event) -> None:
        self._app, self._draining = app, draining

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket" and self._draining.is_set():
            await deny(draining_problem().response(), scope, receive, send)
        else:
            await self._app(scope, receive, send)
