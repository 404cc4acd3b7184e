"""The web server around the gateway."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from fastapi import FastAPI

from api.gateway import UVICORN
from chainboard.data import write_json
from chainboard.index import console
from chainboard.settings import DEFAULT_PORT, Settings
from chainboard.trouble import Trouble

GRACE_SECONDS = 0.3
BACKLOG = 2048


class Server(uvicorn.Server):
    """Leaves the signals to us, and says when it is ready."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = asyncio.Event()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready.set()


async def serve_app(settings: Settings, app: FastAPI, also: dict[str, Any] | None) -> None:
    """Serves until cancelled; prints one line with the URL when a browser can come. Raises Trouble for a port in use.

    `also`, when given, is told to readers of the data folder beside the page's URL."""
    with contextlib.closing(_bound(settings)) as bound:
        config = uvicorn.Config(app, log_level="warning", access_log=False, server_header=False, **UVICORN)
        server = Server(config)
        host = f"[{settings.host}]" if ":" in settings.host else settings.host
        url = f"http://{host}:{bound.getsockname()[1]}/"
        serving = asyncio.create_task(server.serve(sockets=[bound]))
        try:
            await server.ready.wait()
            if also is not None:
                write_json(settings.running, {"page": url, "pid": os.getpid(), **also}, private=True)
            print(f"Chainboard is at {url}", flush=True)
            await asyncio.shield(serving)
        finally:
            if also is not None:
                settings.running.unlink(missing_ok=True)
            await _end(server, serving)


async def _end(server: Server, serving: asyncio.Task[None]) -> None:
    server.should_exit = True
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(asyncio.shield(serving), GRACE_SECONDS)
    server.force_exit = True
    await serving


def _bound(settings: Settings) -> socket.socket:
    """A listening socket at the wanted port; at a free one for port 0, and when none was named and the default is in
    use."""
    wanted = [settings.port] if settings.port is not None else [DEFAULT_PORT, 0]
    for port in wanted:
        try:
            bound = socket.create_server((settings.host, port), family=_family(settings.host), backlog=BACKLOG)
        except socket.gaierror as error:
            raise Trouble(f"--host {settings.host!r} is no address of this machine") from error
        except OSError as error:
            reason = error.strerror or str(error)
            continue
        # asyncio only does so itself where a socket names its protocol; else each answer waits 40 ms for more to come
        bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if port != wanted[0]:
            console.print(f"Port {DEFAULT_PORT} is in use; taking {bound.getsockname()[1]}")
        return bound
    raise Trouble(f"port {wanted[0]} at {settings.host} is not to be had ({reason}): choose another with --port")


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET
