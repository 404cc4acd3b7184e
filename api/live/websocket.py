"""The gateway: what a client may say on a socket, and how it is answered. The one door to sockets."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from fastapi import WebSocket
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from starlette.websockets import WebSocketDisconnect

from api.live import messages
from api.live.hub import Hub, UnknownMatch
from api.live.lobby import LOBBY
from api.live.messages import EVERYONE
from api.live.send_queue import Behind, Close, Outbox
from api.live.tail import Since
from api.net.http_protocol import Http
from api.net.websocket_protocol import EXTENSION, Connection
from indexer.gamekit.game import Game
from indexer.gamekit.names import BadName, parse

log = logging.getLogger("chainboard.api")

MAX_MESSAGE = 64 * 1024
MAX_WATCHES = 64
LAST_WORDS_SECONDS = 20
"""How long the end of a socket may wait for a client that reads nothing."""

UVICORN: dict[str, Any] = {
    "http": Http,
    "ws": Connection,
    "ws_max_size": MAX_MESSAGE,
    "ws_per_message_deflate": False,
    "proxy_headers": False,
}
"""The settings of uvicorn that the sockets count on. Forwarded addresses are nobody's word: a proxy must be named."""


class Said(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)


class Had(Said):
    seq: int = Field(ge=0, lt=2**32)
    hash: str = Field(pattern="^0x[0-9a-f]{64}$")


class Watch(Said):
    t: Literal["watch"]
    match: str
    since: Had | None = None


class Unwatch(Said):
    t: Literal["unwatch"]
    match: str


class Ping(Said):
    t: Literal["ping"]


SAID: TypeAdapter[Watch | Unwatch | Ping] = TypeAdapter(Annotated[Watch | Unwatch | Ping, Field(discriminator="t")])


class Refusal(Exception):
    """What the client said can't be done: told as `error`, the socket stays open."""

    def __init__(self, code: str, detail: str, match: str | None = None) -> None:
        super().__init__(detail)
        self.code, self.detail, self.match = code, detail, match


class Gateway:
    """Serves sockets over one hub."""

    def __init__(self, hub: Hub, games: Mapping[str, Game]) -> None:
        self._hub, self._games = hub, games

    async def serve(self, websocket: WebSocket) -> None:
        """One socket from its handshake to its end."""
        await websocket.accept()
        connection: Connection = websocket.scope["extensions"][EXTENSION]
        outbox = Outbox(connection)
        connection.on_ready = outbox.flush
        await self._hub.join(outbox)
        reader = asyncio.create_task(self._read(websocket, outbox))
        ender = asyncio.create_task(self._end(websocket, connection, outbox))
        try:
            await asyncio.wait({reader, ender}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._hub.leave(outbox)
            for task in (reader, ender):
                task.cancel()
            ends = await asyncio.gather(reader, ender, return_exceptions=True)
        for end in ends:
            if isinstance(end, Exception) and not isinstance(end, WebSocketDisconnect):
                raise end

    async def _read(self, websocket: WebSocket, outbox: Outbox) -> None:
        while True:
            message = await websocket.receive()
            if message["type"] == "websocket.disconnect":
                return
            await self._hear(message.get("text"), outbox)
            await outbox.emptied()
            if outbox.gone:  # what else it said before is nobody's any more
                return

    async def _hear(self, text: str | None, outbox: Outbox) -> None:
        try:
            if text is None:
                raise Refusal("not-text", "Messages are JSON in text frames; this one was binary.")
            if len(text.encode()) > MAX_MESSAGE:
                outbox.close(1009, f"A message may have at most {MAX_MESSAGE} bytes.")
                return
            await self._obey(_understood(text), outbox)
        except Refusal as refusal:
            outbox.answer(EVERYONE, messages.error(refusal.code, refusal.detail, refusal.match))
        except Exception as error:
            log.error("a socket could not be served: %r", error, exc_info=log.isEnabledFor(logging.DEBUG))
            outbox.close(1011, "The server failed; its log says more.")

    async def _obey(self, said: Watch | Unwatch | Ping, outbox: Outbox) -> None:
        if isinstance(said, Ping):
            outbox.answer(EVERYONE, messages.pong())
        elif isinstance(said, Unwatch):
            self._hub.unwatch(outbox, said.match)
        else:
            await self._watch(said, outbox)

    async def _watch(self, said: Watch, outbox: Outbox) -> None:
        watched = self._hub.watched(outbox)
        if said.match not in watched and len(watched) >= MAX_WATCHES:
            detail = f"A socket may watch at most {MAX_WATCHES} matches; unwatch one first."
            raise Refusal("too-many-watches", detail, said.match)
        if said.match == LOBBY:
            await self._hub.watch_lobby(outbox)
            return
        try:
            game, match = parse(self._games, said.match)
            since = Since(said.since.seq, said.since.hash) if said.since else None
            await self._hub.watch(outbox, game, match, since)
        except BadName as error:
            raise Refusal("unknown-match", str(error), said.match) from None
        except UnknownMatch:
            raise Refusal("unknown-match", f"There is no match {said.match} (yet).", said.match) from None

    async def _end(self, websocket: WebSocket, connection: Connection, outbox: Outbox) -> None:
        await outbox.ending()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LAST_WORDS_SECONDS):
                how = await outbox.ended()
                if how is None:
                    return
                if isinstance(how, Behind):
                    how = self._folded(connection, how)
                await websocket.close(how.code, how.reason)

    def _folded(self, connection: Connection, behind: Behind) -> Close:
        """The boards in place of the backlog."""
        self._hub.fell_behind()
        connection.write(b"".join(self._hub.resets(behind.topics, "lag")))
        return Close(1013, "Too slow: your backlog was folded into whole boards. Connect again.")


def _understood(text: str) -> Watch | Unwatch | Ping:
    try:
        return SAID.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    if first["type"] == "json_invalid":
        raise Refusal("malformed-json", f"The message is not JSON: {first['msg']}.")
    if not first["loc"] or first["loc"][0] not in ("watch", "unwatch", "ping"):
        raise Refusal("unknown-type", 'A message is an object whose "t" is watch, unwatch or ping.')
    where = ".".join(map(str, first["loc"][1:]))
    raise Refusal("bad-message", f"{where}: {first['msg']}.")
