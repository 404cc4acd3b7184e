"""Faults on a websocket between the tested process and its node."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

from aiohttp import ClientWebSocketResponse, WSMsgType, web

from chaos.faults.counts import FaultCounts
from chaos.faults.fault import Fault
from chaos.faults.http_faults import abort

SWAP_SECONDS = 0.3
"""The number of seconds for which a head is held back, so that the next head can overtake it."""


class FaultySocket:
    """A websocket connection with faults. `take` returns the fault for the next head, or None.
    `delivered` is called with every text that the tested process receives."""

    def __init__(
        self,
        socket: web.WebSocketResponse,
        request: web.BaseRequest,
        take: Callable[[], Fault | None],
        delivered: Callable[[str], None],
        counts: FaultCounts,
    ) -> None:
        self._socket, self._request = socket, request
        self._take, self._delivered, self._counts = take, delivered, counts
        self._is_half_open = False
        self._swallowed = 0
        self._held_back: list[str] = []
        self._jobs: set[asyncio.Task[None]] = set()

    def make_half_open(self) -> None:
        """Make the connection half-open: it stays open and accepts messages, but delivers none."""
        self._is_half_open = True

    def abort(self) -> None:
        abort(self._request)

    async def relay(self, node: ClientWebSocketResponse) -> None:
        """Relay messages in both directions until one side closes."""
        up, down = asyncio.create_task(self._relay_to_node(node)), asyncio.create_task(self._relay_to_client(node))
        try:
            await asyncio.wait({up, down}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for job in (up, down, *self._jobs):
                job.cancel()
            await asyncio.gather(up, down, *self._jobs, return_exceptions=True)

    async def _relay_to_node(self, node: ClientWebSocketResponse) -> None:
        async for message in self._socket:
            if self._is_half_open:
                self._count_swallowed()
            elif message.type is WSMsgType.TEXT:
                await node.send_str(message.data)
            elif message.type is WSMsgType.PING:
                await self._socket.pong(message.data)

    async def _relay_to_client(self, node: ClientWebSocketResponse) -> None:
        async for message in node:
            if self._is_half_open:
                self._count_swallowed()
            elif message.type is WSMsgType.TEXT:
                await self._deliver(message.data)
        if self._is_half_open:  # the tested process must not notice that the node has closed the connection
            await asyncio.Event().wait()

    def _count_swallowed(self) -> None:
        self._swallowed += 1
        if self._swallowed == 1:
            self._counts.observe("half-open-websocket")

    async def _deliver(self, text: str) -> None:
        fault = self._take() if '"eth_subscription"' in text else None
        if fault is None:
            await self._send(text)
        else:
            self._counts.inject(fault.kind)
            await self._apply_fault(fault, text)
            self._counts.observe(fault.kind)

    async def _apply_fault(self, fault: Fault, text: str) -> None:
        if fault.kind == "delay":
            self._send_later(fault.random.uniform(0.05, SWAP_SECONDS), text)
        elif fault.kind == "reorder":
            self._held_back.append(text)
            self._send_later(SWAP_SECONDS, None)
        elif fault.kind == "duplicate":
            await self._send(text)
            await self._send(text)
        elif fault.kind == "truncate":
            await self._socket.send_str(text[: fault.random.randrange(1, len(text))])

    def _send_later(self, seconds: float, text: str | None) -> None:
        async def wait() -> None:
            await asyncio.sleep(seconds)
            with contextlib.suppress(ConnectionError):
                await (self._send(text) if text is not None else self._send_held_back())

        job = asyncio.create_task(wait())
        self._jobs.add(job)
        job.add_done_callback(self._jobs.discard)

    async def _send(self, text: str) -> None:
        if not self._is_half_open:
            await self._socket.send_str(text)
            self._delivered(text)
            await self._send_held_back()

    async def _send_held_back(self) -> None:
        while self._held_back:
            text = self._held_back.pop()
            await self._socket.send_str(text)
            self._delivered(text)
