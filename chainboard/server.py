"""The web server of the gateway."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import os
import resource
import signal
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import uvicorn
from fastapi import FastAPI

from api.live.websocket import UVICORN
from api.net.client_address import with_mapped
from api.net.connection_limits import MAX_PER_ADDRESS, ConnectionLimits
from api.net.http_protocol import HttpProtocol
from chainboard.console import console
from chainboard.data_folder import write_json
from chainboard.errors import UserError
from chainboard.settings import DEFAULT_PORT, Settings

GRACE_SECONDS = 0.3
DRAIN_GRACE_SECONDS = 10.0
"""The number of seconds that running requests may still take after a drain."""
BACKLOG = 2048
OWN_FILES = 200
"""The number of file descriptors that clients can't use, because they are reserved for this
process."""


class UvicornServer(uvicorn.Server):
    """A uvicorn server that doesn't handle signals itself. When it starts to serve, it sets
    `ready`."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = asyncio.Event()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready.set()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await super().shutdown(sockets)
        if self.force_exit:  # uvicorn doesn't shut down the app after a forced exit; a second shutdown does nothing
            await self.lifespan.shutdown()


async def serve_app(
    settings: Settings,
    app: FastAPI,
    running_info: dict[str, Any] | None,
    opponents_ready: Callable[[], Awaitable[bool]] | None = None,
) -> None:
    """Serve until cancelled, or until drained after SIGTERM. When the server and the computer
    players are ready, print one line with the URL. Raises UserError if the port is in use.

    If `running_info` is given, it is stored in the data folder together with the page's URL, for
    programs that read this folder. `opponents_ready` waits for the computer players and returns
    True if they are ready."""
    with contextlib.closing(_listening_socket(settings)) as bound:
        server = UvicornServer(_config(settings, app, _connection_limits(settings)))
        host = f"[{settings.host}]" if ":" in settings.host else settings.host
        url = f"http://{host}:{bound.getsockname()[1]}/"
        serving = asyncio.create_task(server.serve(sockets=[bound]))
        try:
            await server.ready.wait()
            if running_info is not None:
                write_json(settings.running, {"page": url, "pid": os.getpid(), **running_info}, private=True)
            _drain_on_sigterm(settings, app, server, serving)
            _notify_systemd("READY=1")
            if opponents_ready is not None and not await opponents_ready():
                console.print("The computer players are not ready yet. They will join when they are ready")
            print(f"Chainboard is at {url}", flush=True)
            await asyncio.shield(serving)
        finally:
            if running_info is not None:
                settings.running.unlink(missing_ok=True)
            await _shut_down(server, serving, GRACE_SECONDS)


def _config(settings: Settings, app: FastAPI, limits: ConnectionLimits) -> uvicorn.Config:
    asyncio.get_running_loop().set_exception_handler(partial(_on_loop_error, limits))
    logging.getLogger("uvicorn.error").addFilter(_is_worth_logging)
    own: dict[str, Any] = {**UVICORN, "http": partial(HttpProtocol, limits=limits)}
    if settings.proxies:
        own |= {"proxy_headers": True, "forwarded_allow_ips": with_mapped(settings.proxies)}
    # uvicorn would otherwise log a line for each error response that a client gets
    return uvicorn.Config(app, log_level="error", access_log=False, server_header=False, **own)


def _connection_limits(settings: Settings) -> ConnectionLimits:
    """Return the limits for clients' connections. These limits leave enough file descriptors for
    the database, the saves of the chain and the node."""
    files = raise_file_limit()
    total = None if files is None else max(files // 2, files - OWN_FILES)
    per_address = settings.connections or MAX_PER_ADDRESS
    return ConnectionLimits(per_address, total, settings.connections is not None, settings.proxies)


def forwarded_limits(settings: Settings) -> ConnectionLimits | None:
    """Return the limits for the connections of clients behind proxies, or None without proxies."""
    found = ConnectionLimits(settings.connections or MAX_PER_ADDRESS, loopback=settings.connections is not None)
    return found if settings.proxies else None


def raise_file_limit() -> int | None:
    """Raise the limit on open files, because each socket counts as an open file. Return the new
    limit, or None if there is no limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):  # macOS reports a limit that it doesn't allow
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        soft = hard
    return None if soft == resource.RLIM_INFINITY else soft


def _on_loop_error(limits: ConnectionLimits, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Shorten asyncio's reports of connections that couldn't be accepted. By default, asyncio
    prints a traceback for each. Also drop its reports of retries after the server has ended."""
    error = context.get("exception")
    if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE):
        limits.log_full()
    elif "_start_serving" not in context.get("message", ""):
        loop.default_exception_handler(context)


def _is_worth_logging(record: logging.LogRecord) -> bool:
    """Return False for log records about requests that are cut off because the server stops."""
    return not (record.exc_info and record.exc_info[0] is asyncio.CancelledError)


def _drain_on_sigterm(settings: Settings, app: FastAPI, server: UvicornServer, serving: asyncio.Task[None]) -> None:
    """Drain on the first SIGTERM: load balancers notice, sockets move to other gateways, and
    requests finish. A second SIGTERM, or Ctrl-C, ends the server immediately. After the drain,
    further signals are ignored."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None
    draining: asyncio.Event = app.state.draining
    drains: set[asyncio.Task[None]] = set()

    async def drain() -> None:
        await asyncio.sleep(settings.drain)
        await _shut_down(server, serving, DRAIN_GRACE_SECONDS)

    def on_sigterm() -> None:
        if not draining.is_set():
            draining.set()
            _notify_systemd("STOPPING=1")
            drains.add(asyncio.create_task(drain()))
        elif not (serving.done() or task.cancelling()):
            task.cancel()

    loop.add_signal_handler(signal.SIGTERM, on_sigterm)


def _notify_systemd(state: str) -> None:
    """Notify systemd of a state if the unit has `Type=notify` (sd_notify(3)). A restart of several
    gateways can then wait for each of them."""
    address = os.environ.get("NOTIFY_SOCKET")
    if address:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line, contextlib.suppress(OSError):
            line.sendto(state.encode(), "\0" + address[1:] if address.startswith("@") else address)


async def _shut_down(server: UvicornServer, serving: asyncio.Task[None], grace: float) -> None:
    server.should_exit = True
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(asyncio.shield(serving), grace)
    server.force_exit = True
    await serving


def _listening_socket(settings: Settings) -> socket.socket:
    """Return a socket that listens at the configured port. Use any free port if the configured port
    is 0, or if no port is configured and the default port is in use."""
    ports = [settings.port] if settings.port is not None else [DEFAULT_PORT, 0]
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    for port in ports:
        try:
            bound = socket.create_server((settings.host, port), family=family, backlog=BACKLOG)
        except socket.gaierror as error:
            raise UserError(f"--host {settings.host!r} is not an address of this machine") from error
        except OSError as error:
            reason = error.strerror or str(error)
            continue
        # asyncio sets TCP_NODELAY only for sockets that name their protocol. Without this option,
        # each response would wait 40 ms.
        bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if port != ports[0]:
            console.print(f"Port {DEFAULT_PORT} is in use, so the page is at port {bound.getsockname()[1]}")
        return bound
    raise UserError(
        f"port {ports[0]} at {settings.host} is not available ({reason}): choose a different port with --port"
    )
