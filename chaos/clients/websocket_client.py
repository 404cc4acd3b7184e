"""A websocket client. It checks that the server's messages follow the rules. After reconnecting, it
uses `since` to ask only for the events that it missed."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterable
from dataclasses import dataclass, field

import orjson
from aiohttp import ClientError, ClientSession, ClientWebSocketResponse, WSMsgType

from indexer.gamekit.game import apply_patch
from indexer.model import Json

RECONNECT_SECONDS = 0.05
REWATCH_SECONDS = 0.3
"""The number of seconds after which a client asks again for a match that the server didn't find."""


@dataclass(slots=True)
class ClientMatch:
    """A match as a client knows it from the server's messages.

    `events` contains the (seq, block hash) of the last reset and of each event since then. It is
    empty before the first reset, and again after the server has reported that the match doesn't
    exist."""

    board: Json = field(default_factory=dict)
    events: list[tuple[int, str]] = field(default_factory=list)
    resets: list[str] = field(default_factory=list)

    @property
    def seq(self) -> int:
        return self.events[-1][0] if self.events else 0


class WatchingClient:
    """A client that watches matches until it is stopped.

    `violations` contains one sentence per rule that a message from the server has broken."""

    def __init__(self, session: ClientSession, url: str, matches: Iterable[str], name: str) -> None:
        self._session, self._url, self.name = session, url, name
        self.matches = {match: ClientMatch() for match in matches}
        self.violations: list[str] = []
        self.connected = False
        self.connections = 0
        self._job: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._job = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Disconnect the client. After the next `start`, it requests the events that it missed."""
        job, self._job = self._job, None
        if job is not None:
            job.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await job
        self.connected = False

    @property
    def is_started(self) -> bool:
        return self._job is not None

    async def _run(self) -> None:
        while True:
            with contextlib.suppress(ClientError, OSError, TimeoutError):
                async with self._session.ws_connect(self._url, max_msg_size=0) as socket:
                    self.connections += 1
                    self.connected = True
                    await self._listen(socket)
            self.connected = False
            await asyncio.sleep(RECONNECT_SECONDS)

    async def _listen(self, socket: ClientWebSocketResponse) -> None:
        for match in self.matches:
            await self._watch(socket, match)
        delayed_watches: set[asyncio.Task[None]] = set()
        try:
            async for message in socket:
                if message.type is WSMsgType.TEXT and (unknown := self._handle(orjson.loads(message.data))):
                    delayed_watches.add(asyncio.create_task(self._watch_later(socket, unknown)))
        finally:
            for job in delayed_watches:
                job.cancel()
            await asyncio.gather(*delayed_watches, return_exceptions=True)

    async def _watch(self, socket: ClientWebSocketResponse, match: str) -> None:
        client_match = self.matches[match]
        since = {"since": {"seq": client_match.seq, "hash": client_match.events[-1][1]}} if client_match.seq else {}
        await socket.send_str(orjson.dumps({"t": "watch", "match": match, **since}).decode())

    async def _watch_later(self, socket: ClientWebSocketResponse, match: str) -> None:
        await asyncio.sleep(REWATCH_SECONDS)
        with contextlib.suppress(ConnectionError, ClientError):
            await self._watch(socket, match)

    def _handle(self, message: Json) -> str | None:
        """Apply a message from the server. If the server reports that a match doesn't exist, return
        the match's name."""
        match = str(message.get("match"))
        if message["t"] == "reset" and match in self.matches:
            self._reset(self.matches[match], message)
        elif message["t"] == "deltas" and match in self.matches:
            self._apply(match, message)
        elif message["t"] == "error":
            if message["code"] == "unknown-match" and match in self.matches:
                self.matches[match] = ClientMatch(resets=self.matches[match].resets)
                return match
            self._add_violation(f"the server sent an error: {message}")
        return None

    def _reset(self, client_match: ClientMatch, message: Json) -> None:
        client_match.board = message["board"]
        client_match.events = [(message["seq"], message["block"]["hash"])]
        client_match.resets.append(message["why"])

    def _apply(self, match: str, message: Json) -> None:
        client_match = self.matches[match]
        for item in message["items"]:
            if not client_match.events:
                self._add_violation(f"{match}: deltas arrived before a reset")
                return
            if item["seq"] != client_match.seq + 1:
                self._add_violation(f"{match}: event {item['seq']} came after event {client_match.seq}")
            client_match.events.append((item["seq"], message["block"]["hash"]))
            client_match.board = apply_patch(client_match.board, item["patch"])

    def _add_violation(self, sentence: str) -> None:
        self.violations.append(f"{self.name}: {sentence}")
