"""The websocket endpoint. It reads clients' messages and replies to them. Other modules don't
access the sockets."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias
from weakref import WeakValueDictionary

from eth_utils.address import to_checksum_address
from fastapi import WebSocket
from limits import RateLimitItemPerSecond
from pydantic import Field, TypeAdapter, ValidationError
from starlette.websockets import WebSocketDisconnect

from api.chain.shared_limits import RateLimits
from api.live import messages
from api.live.emotes import BURST, MAX_STATEMENT_SECONDS, REFILL_SECONDS, EmoteRequest
from api.live.hub import Hub
from api.live.messages import EVERYONE, LOBBY
from api.live.presence import Accounts
from api.live.seek_requests import (
    MAX_VALID_SECONDS,
    AcceptRequest,
    ClientMessage,
    OpenedRequest,
    SeekRequest,
    UnseekRequest,
)
from api.live.send_queue import Close, Overflow, SendQueue
from api.live.tail import Since, UnknownMatch
from api.net.client_address import client_key
from api.net.http_protocol import HttpProtocol
from api.net.websocket_protocol import EXTENSION, WebSocketConnection
from api.problems import Rejection
from api.shapes.fields import Address
from api.shapes.games import presets
from indexer.gamekit.game import Game
from indexer.gamekit.names import BadName, parse_match

log = logging.getLogger("chainboard.api")

MAX_MESSAGE = 64 * 1024
MAX_WATCHES = 64
MAX_ACCOUNTS = 8
"""The maximum number of accounts that a client may claim to use."""
SIGNATURE_RATE = RateLimitItemPerSecond(30, 10)
"""The maximum rate of signature checks per address, counted separately for searches and emotes.
Each check takes a few milliseconds."""
SIGNATURE_SECONDS = SIGNATURE_RATE.get_expiry()
PING_SECONDS = 1.5
"""The seconds between a client's answer and the next ping. A short interval detects lost clients
quickly."""
CLOSE_SECONDS = 20
"""If a client reads nothing, its socket is closed by force after this many seconds."""
DRAIN_SECONDS, DRAIN_STEPS = 1.0, 20
"""The seconds in which a draining server closes all sockets, and the number of steps in that
time."""

UVICORN: dict[str, Any] = {
    "http": HttpProtocol,
    "ws": WebSocketConnection,
    "ws_max_size": MAX_MESSAGE,
    "ws_per_message_deflate": False,
    "ws_ping_interval": PING_SECONDS,
    "proxy_headers": False,
}
"""uvicorn's settings for the gateway. uvicorn ignores forwarded addresses unless the operator names
the proxies."""


class WatchRequest(ClientMessage):
    t: Literal["watch"]
    match: str
    since: Since | None = None
    accounts: Annotated[list[Address], Field(alias="as", max_length=MAX_ACCOUNTS, default_factory=list)]

    @property
    def claims(self) -> Accounts:
        return frozenset(account.lower() for account in self.accounts)


class UnwatchRequest(ClientMessage):
    t: Literal["unwatch"]
    match: str


class PingRequest(ClientMessage):
    t: Literal["ping"]


PairingRequest: TypeAlias = SeekRequest | UnseekRequest | AcceptRequest | OpenedRequest
AnyRequest: TypeAlias = WatchRequest | UnwatchRequest | PingRequest | EmoteRequest | PairingRequest
CLIENT_MESSAGE: TypeAdapter[AnyRequest] = TypeAdapter(Annotated[AnyRequest, Field(discriminator="t")])


class MessageRejected(Rejection):
    """A client's message that the server rejects. The reply is `error`, and the socket stays
    open."""

    def __init__(self, key: str, arguments: Mapping[str, str | int] | None = None, match: str | None = None) -> None:
        super().__init__(key, arguments)
        self.match = match


class WebSocketGateway:
    """Serves sockets, all with the same hub, until the server is `draining`."""

    def __init__(self, hub: Hub, games: Mapping[str, Game], draining: asyncio.Event, limits: RateLimits) -> None:
        self._hub, self._games, self._draining = hub, games, draining
        self._limiter = limits.moving_window()
        self._queues: dict[SendQueue, str] = {}
        """The network address of each client, for the rate limits."""
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def close_when_draining(self) -> None:
        """Close all sockets when the server drains. Close them in steps, because each client
        immediately reconnects to another gateway."""
        await self._draining.wait()
        queues = list(self._queues)
        for first in range(DRAIN_STEPS):
            for queue in queues[first::DRAIN_STEPS]:
                queue.close(1012, "The server is restarting. Connect again.")
            await asyncio.sleep(DRAIN_SECONDS / DRAIN_STEPS)

    async def serve(self, websocket: WebSocket) -> None:
        """Serve a socket from its handshake until it is closed."""
        await websocket.accept()
        connection: WebSocketConnection = websocket.scope["extensions"][EXTENSION]
        address = client_key(websocket.client.host) if websocket.client else ""
        queue = SendQueue(connection, turn=self._turns.setdefault(address, asyncio.Lock()))
        connection.on_ready = queue.flush
        await self._hub.join(queue)
        self._queues[queue] = address
        connection.on_silence = lambda silent: self._hub.presence.set_silent(queue, silent)
        reader = asyncio.create_task(self._read(websocket, queue))
        ender = asyncio.create_task(self._end(websocket, connection, queue))
        try:
            await asyncio.wait({reader, ender}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            connection.on_silence = None
            del self._queues[queue]
            self._hub.leave(queue)
            self._hub.pairing.disconnect(queue)
            for task in (reader, ender):
                task.cancel()
            ends = await asyncio.gather(reader, ender, return_exceptions=True)
        for end in ends:
            if isinstance(end, Exception) and not isinstance(end, WebSocketDisconnect):
                raise end

    async def _read(self, websocket: WebSocket, queue: SendQueue) -> None:
        while True:
            message = await websocket.receive()
            if message["type"] == "websocket.disconnect":
                return
            await self._handle_text(message.get("text"), queue)
            await queue.drained()
            if queue.gone:  # the client can't receive replies, so its remaining messages are not read
                return

    async def _handle_text(self, text: str | None, queue: SendQueue) -> None:
        try:
            if text is None:
                raise MessageRejected("not-text")
            if len(text.encode()) > MAX_MESSAGE:
                queue.close(1009, f"A message may have at most {MAX_MESSAGE} bytes.")
                return
            await self._handle(_parse(text), queue)
        except MessageRejected as refusal:
            queue.answer(EVERYONE, messages.error(refusal, refusal.match))
        except Exception as error:
            log.error("a socket failed: %r", error, exc_info=log.isEnabledFor(logging.DEBUG))
            queue.close(1011, "The server failed; see its log.")

    async def _handle(self, message: AnyRequest, queue: SendQueue) -> None:
        if isinstance(message, PingRequest):
            queue.answer(EVERYONE, messages.pong())
        elif isinstance(message, UnwatchRequest):
            self._hub.unwatch(queue, message.match)
        elif isinstance(message, WatchRequest):
            await self._watch(message, queue)
        elif isinstance(message, EmoteRequest):
            await self._send_emote(message, queue)
        else:
            await self._pair(message, queue)

    async def _pair(self, message: PairingRequest, queue: SendQueue) -> None:
        pairing = self._hub.pairing
        if isinstance(message, SeekRequest):
            await self._seek(message, queue)
        elif isinstance(message, UnseekRequest):
            pairing.leave(queue, message.joined)
        elif isinstance(message, AcceptRequest):
            pairing.accept(queue)
        else:
            game, match = self._parse_match(message.match)
            if not await pairing.opened(queue, game.slug, match):
                raise MessageRejected("seek.match", {"match": message.match}, message.match)

    async def _seek(self, request: SeekRequest, queue: SendQueue) -> None:
        game = self._games.get(request.game)
        if game is None:
            raise MessageRejected("unknown-game", {"game": request.game, "games": ", ".join(self._games)})
        clocks = presets(game)
        if request.clock not in clocks:
            allowed = ", ".join(map(str, clocks))
            raise MessageRejected("seek.clock", {"clock": request.clock, "game": game.slug, "clocks": allowed})
        if not request.is_current():
            raise MessageRejected("seek.until", {"until": request.until, "n": MAX_VALID_SECONDS})
        if not await self._limiter.hit(SIGNATURE_RATE, "seek", self._queues[queue]):
            raise MessageRejected("seek.too-often", {"n": SIGNATURE_RATE.amount, "seconds": SIGNATURE_SECONDS})
        pairing, account = self._hub.pairing, to_checksum_address(request.account)
        chain_id, rating = await pairing.look_up(account, game.slug)
        if not await asyncio.to_thread(request.is_signed, chain_id):
            raise MessageRejected("seek.signature", {"account": account})
        if not queue.gone:
            pairing.seek(queue, account, game.slug, request.clock, rating, request.asks)

    async def _send_emote(self, request: EmoteRequest, queue: SendQueue) -> None:
        emotes, match = self._hub.emotes, request.match
        self._parse_match(match)
        if match not in self._hub.watched(queue):
            raise MessageRejected("emote.watch", {"match": match}, match)
        if not emotes.is_player(match, request.account):
            raise MessageRejected("emote.player", {"account": request.account, "match": match}, match)
        if not request.is_current():
            raise MessageRejected("emote.until", {"until": request.until, "n": MAX_STATEMENT_SECONDS}, match)
        if not emotes.is_verified(queue, request):
            if not await self._limiter.hit(SIGNATURE_RATE, "emote", self._queues[queue]):
                many = {"n": SIGNATURE_RATE.amount, "seconds": SIGNATURE_SECONDS}
                raise MessageRejected("emote.signatures", many, match)
            if not await asyncio.to_thread(request.is_signed, emotes.chain_id):
                raise MessageRejected("emote.signature", {"account": request.account}, match)
            emotes.remember_verified(queue, request)
        if emotes.send(request) == "refused":
            raise MessageRejected("emote.too-often", {"n": BURST, "seconds": round(REFILL_SECONDS)}, match)

    async def _watch(self, request: WatchRequest, queue: SendQueue) -> None:
        watched = self._hub.watched(queue)
        if request.match not in watched and len(watched) >= MAX_WATCHES:
            raise MessageRejected("too-many-watches", {"n": MAX_WATCHES}, request.match)
        if request.match == LOBBY:
            await self._hub.watch_lobby(queue, request.claims)
            return
        game, match = self._parse_match(request.match)
        try:
            await self._hub.watch(queue, game, match, request.since, request.claims)
        except UnknownMatch:
            raise MessageRejected("unknown-match.yet", {"match": request.match}, request.match) from None

    def _parse_match(self, name: str) -> tuple[Game, int]:
        try:
            return parse_match(self._games, name)
        except BadName as error:
            raise MessageRejected("unknown-match.name", {"why": str(error)}, name) from None

    async def _end(self, websocket: WebSocket, connection: WebSocketConnection, queue: SendQueue) -> None:
        await queue.closing()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                outcome = await queue.outcome()
                if outcome is None:
                    return
                if isinstance(outcome, Overflow):
                    outcome = self._overflowed(connection, outcome)
                await websocket.close(outcome.code, outcome.reason)

    def _overflowed(self, connection: WebSocketConnection, overflow: Overflow) -> Close:
        """Write one `reset` per match instead of the queued messages. Return the instruction for
        closing the socket."""
        connection.write(b"".join(self._hub.overflow(overflow.topics)))
        return Close(
            1013, "You read too slowly, so the server sent whole boards instead of the queued messages. Connect again."
        )


def _parse(text: str) -> AnyRequest:
    try:
        return CLIENT_MESSAGE.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    if first["type"] == "json_invalid":
        raise MessageRejected("malformed-json.message", {"why": first["msg"]})
    if not first["loc"]:  # pydantic gives no location if the type of the message is unknown
        raise MessageRejected("unknown-type")
    where = ".".join(map(str, first["loc"][1:]))
    raise MessageRejected("bad-message", {"where": where, "why": first["msg"]})
