"""A small game, a real store in which tests play the game, and a real server that reads this
store."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import socket
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from websockets.asyncio.client import ClientConnection, connect
from websockets.client import ClientProtocol
from websockets.frames import Frame
from websockets.protocol import OPEN
from websockets.uri import parse_uri

from api.app import create_app
from api.live.websocket import UVICORN
from api.static.page import ServedPage
from indexer.follow.health import Health
from indexer.gamekit import lifecycle as life
from indexer.gamekit.game import Action, Game, Input, fold
from indexer.gamekit.lifecycle import NOBODY
from indexer.model import Block, Chain, Deployment, Event, Json
from indexer.store.store import Store
from indexer.wakeup import Wakeup
from tests.support.waiting import PATIENCE_SECONDS, wait_for_async

ALICE = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
BOB = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"
CONTRACT = "0x5FbDB2315678afecb367f032d93F642f64180aa3"
ABI: list[Json] = [{"type": "error", "name": "Blocked", "inputs": []}]
CHAIN = Chain(31337, "0x" + "a" * 64)


def _created(board: Json, event: Event) -> Json:
    invited = {"opponent": event.args["opponent"]} if "opponent" in event.args else {}
    # a match with a clock is rated
    return {**board, "status": "open", "clock": 3600, **invited}


def _joined(board: Json, event: Event) -> Json:
    seat = {"seat": event.args["seat"]}
    return {**board, "status": "playing", "players": {**board["players"], event.args["player"]: seat}}


def _added(board: Json, event: Event) -> Json:
    marks = {**board["marks"], str(event.seq): event.args["text"]}
    return {**board, "ply": board["ply"] + 1, "marks": marks}


def _cleared(board: Json, _event: Event) -> Json:
    return {**board, "marks": {}}


MARKS = Game(
    slug="marks",
    title="Marks",
    contract="Marks",
    layout="list",
    start={"status": "none", "ply": 0, "players": {}, "marks": {}},
    reducers={
        "MatchCreated": _created,
        "PlayerJoined": _joined,
        "Added": _added,
        "Cleared": _cleared,
        "MatchEnded": life.ended,
    },
    actions=(Action("add", "Add", (Input("text", "Text", "int", 1, 9, 1),), 50_000, 10, "ply"),),
)
GAMES: Mapping[str, Game] = {"marks": MARKS}

EventSpec = tuple[int, str, Json]
"""An event to append: the match's number, the event's name, and its arguments."""


def digest(text: str) -> str:
    return "0x" + hashlib.sha256(text.encode()).hexdigest()


def added(match: int, text: str) -> EventSpec:
    return match, "Added", {"text": text}


def created(match: int, **more: Any) -> EventSpec:
    return match, "MatchCreated", {"creator": ALICE, **more}


def joined(match: int, player: str, seat: int) -> EventSpec:
    return match, "PlayerJoined", {"player": player, "seat": seat}


def ended(match: int, winner: str) -> EventSpec:
    """Return the event that ends a match. The match is won or, if the winner is NOBODY, drawn."""
    return match, "MatchEnded", {"winner": winner, "reason": 2 if winner == NOBODY else 1}


class Playground:
    """A store into which tests write moves directly, without a chain. The playground writes in the
    same way as the follower does."""

    def __init__(self, folder: Path) -> None:
        self._init_with(Store(f"sqlite:///{folder / 'index.db'}", GAMES))
        self.store.set_chain(CHAIN, [Deployment("marks", "Marks", CONTRACT, ABI, 1, digest("b1"), digest("c"), 1)])

    @classmethod
    def for_store(cls, store: Store) -> Playground:
        """Create a playground for a store that other code fills with events."""
        it = cls.__new__(cls)
        it._init_with(store)
        return it

    def _init_with(self, store: Store) -> None:
        self.store, self.wakeup, self.health = store, Wakeup(), Health("ok", 0, "")

    def close(self) -> None:
        self.store.close()

    def block(self, *specs: EventSpec, fork: str = "") -> Block:
        """Append one block with these events, and notify the readers. `fork` changes the block's
        hash, for a block on a different branch."""
        with self.store.read() as snapshot:
            tip = snapshot.tip()
            height = tip.height + 1 if tip else 1
            parent = tip.hash if tip else CHAIN.genesis
            last: dict[int, int] = {}
            for match, _name, _args in specs:
                found = snapshot.last_event("marks", match)
                last[match] = found.seq if found else 0
        block = Block(height, digest(f"{parent}{fork}"), parent, 1_700_000_000 + height)
        events = []
        for index, (match, name, args) in enumerate(specs):
            last[match] += 1
            tx = digest(f"{block.hash}{index}")
            place = (height, block.hash, block.time, tx, index)
            events.append(Event("marks", match, last[match], name, args, *place))
        self.store.append([block], events)
        self.health = Health("ok", height, "")
        self.wakeup.notify()
        return block

    def drop_from(self, height: int) -> None:
        self.store.delete_blocks_from(height)
        self.wakeup.notify()

    def board(self, match: int, seq: int | None = None) -> Json:
        """Compute the board from the match's events only."""
        with self.store.read() as snapshot:
            return fold(MARKS, MARKS.start, snapshot.events("marks", match, limit=seq))


def decode_messages(frames: bytes) -> list[Json]:
    """Decode the messages in these websocket frames in the same way as a client's library."""
    client = ClientProtocol(parse_uri("ws://server"), state=OPEN)
    client.receive_data(frames)
    return [json.loads(frame.data) for frame in client.events_received() if isinstance(frame, Frame)]


class RecordingSink:
    """A fake connection that records its messages. Its client reads immediately, reads nothing
    (`ready` is false), or has disconnected (`gone`)."""

    buffered = 0
    gone = False

    def __init__(self, ready: bool = True) -> None:
        self.ready = ready
        self.writes: list[bytes] = []

    def write(self, frames: bytes) -> None:
        assert self.ready
        self.writes.append(frames)

    def messages(self) -> list[Json]:
        """Return the messages that the server has written since the last call."""
        said = [one for one in decode_messages(b"".join(self.writes)) if one["t"] != "presence"]
        self.writes.clear()
        return said


class SocketClient:
    """A websocket client that sends and receives JSON."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    async def send(self, **message: Any) -> None:
        await self.connection.send(json.dumps(message))

    async def receive(self, *kinds: str) -> Json:
        """Return the next message whose type is in `kinds`. By default, return the next message
        that isn't about presence."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                message: Json = json.loads(await self.connection.recv())
                if message["t"] in kinds or (not kinds and message["t"] != "presence"):
                    return message

    async def expect_none(self, *kinds: str) -> None:
        """Check that no message of these kinds is pending. A pending message would arrive before
        the answer to a ping."""
        await self.send(t="ping")
        assert (await self.receive("pong", *kinds))["t"] == "pong"

    async def watch(self, match: str = "marks/1", **more: Any) -> None:
        await self.send(t="watch", match=match, **more)


class ApiServer:
    """A running server, with an HTTP client. `connections` contains uvicorn's connections for HTTP
    and websockets. `requests` contains the unfinished requests, which can outlive their
    connections."""

    def __init__(self, port: int, http: httpx.AsyncClient, state: uvicorn.server.ServerState) -> None:
        self.port, self.http, self.connections, self.requests = port, http, state.connections, state.tasks

    @contextlib.asynccontextmanager
    async def socket(self, **options: Any) -> AsyncIterator[SocketClient]:
        options = {"proxy": None, "open_timeout": PATIENCE_SECONDS, **options}
        async with connect(f"ws://127.0.0.1:{self.port}/ws", **options) as connection:
            yield SocketClient(connection)

    @contextlib.asynccontextmanager
    async def watching(self, match: str = "marks/1") -> AsyncIterator[SocketClient]:
        """Yield a client that watches a match and has received its first board."""
        async with self.socket() as client:
            await client.watch(match)
            await client.receive("reset")
            yield client


@contextlib.asynccontextmanager
async def served(
    play: Playground, page: Path | ServedPage, uvicorn_options: Mapping[str, Any] | None = None, **options: Any
) -> AsyncIterator[ApiServer]:
    """Run uvicorn on a free port. Use the settings that the websockets rely on."""
    parts = {"store": play.store, "games": GAMES, "wakeup": play.wakeup, "node": None, "health": lambda: play.health}
    app = create_app(**{**parts, "page": page if isinstance(page, ServedPage) else ServedPage(page), **options})
    bound = socket.create_server(("127.0.0.1", 0))
    bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # chainboard's server uses the same settings
    port = bound.getsockname()[1]
    server = uvicorn.Server(
        uvicorn.Config(app, log_config=None, lifespan="on", **{**UVICORN, **(uvicorn_options or {})})
    )
    server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
    task = asyncio.create_task(server.serve(sockets=[bound]))
    await wait_for_async(lambda: server.started or task.done(), bool, "the server's start")
    try:
        base, patience = f"http://127.0.0.1:{port}", PATIENCE_SECONDS
        async with httpx.AsyncClient(base_url=base, verify=False, trust_env=False, timeout=patience) as http:
            yield ApiServer(port, http, server.server_state)
    finally:
        server.should_exit = True
        await task
        bound.close()
