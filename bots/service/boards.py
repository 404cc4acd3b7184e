"""Receives the watched boards, the lobby and new heads from a gateway's websocket. If the
connection is lost, reconnects."""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import orjson
from websockets.asyncio.client import ClientConnection, connect

from indexer.gamekit.game import apply_patch, board_hash
from indexer.model import Json

log = logging.getLogger("chainboard.bots")

LOBBY = "lobby"
WATCHES = 60
"""The maximum number of boards that are watched over one websocket. A gateway allows 64."""
PAUSE_SECONDS = (0.2, 0.5, 1.0, 2.0, 5.0)
MAX_MESSAGE = 16 * 2**20
GENESIS = re.compile("0x[0-9a-f]{64}")


@dataclass(slots=True)
class BoardEntry:
    """A watched board. `seq` is the number of its last event, or 0 if the board hasn't arrived yet.

    `missing` is True if the match doesn't exist. `changed` is set at the next change, so get
    `changed` before you read the board. `changed_at` is the event loop's time at the last change.
    `players_here` is the number of the match's players who are watching, or None if the gateway
    hasn't reported this number."""

    name: str
    seq: int = 0
    board: Json = field(default_factory=dict)
    missing: bool = False
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    changed_at: float = 0.0
    players_here: int | None = None

    async def wait_until_loaded(self) -> None:
        """Wait until the board has arrived or the gateway reports that there is no such match."""
        while not self.seq and not self.missing:
            await self.changed.wait()

    @property
    def hash(self) -> str:
        return board_hash(self.board)

    def pause_left(self, seconds: float) -> float | None:
        """Return the rest of a pause of `seconds` that began at the board's last change. Return
        None if no player of the match is watching."""
        if self.players_here == 0:
            return None
        return max(0.0, self.changed_at + seconds - asyncio.get_running_loop().time())


class BoardFeed:
    """The boards from one gateway. `height` is the height of the gateway's newest block. `on_chain`
    is called with `<chain id>:<genesis>` whenever the gateway greets a new connection. `on_head` is
    called at each new block, and `on_lobby` when the lobby has changed."""

    def __init__(
        self, url: str, on_chain: Callable[[str], None], on_head: Callable[[], None], on_lobby: Callable[[], None]
    ) -> None:
        self.url, self._on_chain, self._on_head, self._on_lobby = url, on_chain, on_head, on_lobby
        self.height = 0
        self.entries: dict[str, BoardEntry] = {}
        self._sockets: list[_Socket] = []

    async def run(self) -> None:
        """Receive the watched boards and the lobby until cancelled."""
        async with asyncio.TaskGroup() as self._group:
            self.watch(LOBBY)

    def watch(self, name: str) -> BoardEntry:
        """Return a match's board. If the match isn't watched yet, start to watch it."""
        if name not in self.entries:
            self.entries[name] = BoardEntry(name, changed_at=asyncio.get_running_loop().time())
            socket = next((one for one in self._sockets if len(one.names) < WATCHES), None)
            if socket is None:
                socket = _Socket(self, is_first=not self._sockets)
                self._sockets.append(socket)
                self._group.create_task(socket.run())
            socket.watch(name)
        return self.entries[name]

    def unwatch(self, name: str) -> None:
        if self.entries.pop(name, None) is not None:
            for socket in self._sockets:
                socket.unwatch(name)

    @property
    def lobby(self) -> Json:
        """A map from the name of each match in the lobby to the match's summary."""
        found: Json = self.entries[LOBBY].board.get("matches", {}) if LOBBY in self.entries else {}
        return found

    def receive(self, message: Json, is_first: bool) -> None:
        """Handle a message from the gateway. `is_first` is True if it comes from the first of the
        websockets. Greetings and heads from the other websockets are ignored."""
        kind = message.get("t")
        if kind == "hello" and is_first:
            self.height = int(message["head"]["height"]) if message["head"] else 0
            if GENESIS.fullmatch(message["genesis"] or ""):
                self._on_chain(f"{int(message['chainId'])}:{message['genesis']}")
        elif kind == "head" and is_first:
            self.height = int(message["height"])
            self._on_head()
        elif entry := self.entries.get(message.get("match", "")):
            self._change(entry, message)

    def _change(self, entry: BoardEntry, message: Json) -> None:
        if message["t"] == "reset":
            entry.seq, entry.board, entry.missing = message["seq"], message["board"], False
        elif message["t"] == "deltas":
            for item in message["items"]:
                entry.seq, entry.board = item["seq"], apply_patch(entry.board, item["patch"])
        elif message["t"] == "error":
            entry.missing = True
        if message["t"] == "presence":
            entry.players_here = message.get("playersHere")
        else:
            age = max(0.0, time.time() - message["block"]["time"]) if message["t"] == "reset" else 0.0
            entry.changed_at = asyncio.get_running_loop().time() - age
        changed, entry.changed = entry.changed, asyncio.Event()
        changed.set()
        if entry.name == LOBBY:
            self._on_lobby()


class _Socket:
    """A websocket connection, with the names of the boards that it watches."""

    def __init__(self, feed: BoardFeed, is_first: bool) -> None:
        self._feed, self._is_first = feed, is_first
        self.names: set[str] = set()
        self._connection: ClientConnection | None = None
        self._outbox: asyncio.Queue[Json] = asyncio.Queue()

    def watch(self, name: str) -> None:
        self.names.add(name)
        self._outbox.put_nowait({"t": "watch", "match": name})

    def unwatch(self, name: str) -> None:
        if name in self.names:
            self.names.discard(name)
            self._outbox.put_nowait({"t": "unwatch", "match": name})

    async def run(self) -> None:
        attempt = 0
        while True:
            try:
                async with connect(self._feed.url, max_size=MAX_MESSAGE, proxy=None) as connection:
                    attempt = 0
                    await self._serve(connection)
            except Exception as error:  # a faulty gateway must not stop the loop
                log.debug("the websocket to the gateway closed: %r", error)
            await asyncio.sleep(PAUSE_SECONDS[min(attempt, len(PAUSE_SECONDS) - 1)])
            attempt += 1

    async def _serve(self, connection: ClientConnection) -> None:
        """Watch all names again after connecting. The gateway first sends each whole board, so
        nothing that changed since the last connection is missed."""
        self._outbox = asyncio.Queue()
        for name in self.names:
            self._outbox.put_nowait({"t": "watch", "match": name})
        sending = asyncio.create_task(self._send(connection))
        try:
            async for text in connection:
                message: Any = orjson.loads(text)
                self._feed.receive(message, self._is_first)
        finally:
            sending.cancel()

    async def _send(self, connection: ClientConnection) -> None:
        while True:
            await connection.send(orjson.dumps(await self._outbox.get()).decode())
