"""The hub: one loop follows the store for all sockets; a snapshot and the stream after it are tied by one lock."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter
from typing import Any, TypeVar

import orjson

from api import serializers
from api.live import messages
from api.live.lobby import LOBBY, ROOM_BYTES, Lobby
from api.live.messages import EVERYONE, Message, Why
from api.live.send_queue import Outbox
from api.live.tail import Since, Tail
from api.metrics import Metrics
from indexer.gamekit.game import Game
from indexer.model import Json, match_name
from indexer.store.snapshot import View
from indexer.store.store import Store
from indexer.wakeup import Bell

log = logging.getLogger("chainboard.api")

T = TypeVar("T")

POLL_SECONDS = 1.0
MOST_AT_ONCE = 64 * 1024
"""Bytes that are published together; a larger message alone."""
PATIENCE = 1.0
"""Seconds that a watch of an unknown match waits: the creator's node may have the block before we do."""


class UnknownMatch(Exception):
    """There is no such match, also after some patience."""


class Hub:
    """All sockets of one server. Its methods belong to the event loop; the store is read in one thread beside it."""

    def __init__(
        self, store: Store, games: Mapping[str, Game], bell: Bell, metrics: Metrics, development: bool = False
    ) -> None:
        self._store, self._games, self._bell, self._development = store, games, bell, development
        self._metrics = metrics
        metrics.backlog.set_function(self._backlog)
        self._tail, self._lobby = Tail(games), Lobby(games)
        self._lock = asyncio.Lock()
        self._news = asyncio.Event()
        self._thread = ThreadPoolExecutor(1, "tail")
        self._sockets: dict[Outbox, set[str]] = {}
        self._topics: dict[str, set[Outbox]] = {}
        self._lobby_seq: dict[Outbox, int] = {}
        self._lobby_lost = False
        self._jobs: set[asyncio.Task[Any]] = set()

    async def run(self) -> None:
        """Follows until cancelled. A lost ring is made good by looking once a second besides."""
        while True:
            try:
                await self._locked_step()
            except Exception as error:  # the next step sends whole boards
                log.error("the stream could not read the database: %r", error)
                await asyncio.sleep(POLL_SECONDS)
            await self._bell.wait(POLL_SECONDS)

    def stop(self) -> None:
        """Ends the thread and says goodbye to all sockets."""
        for outbox in self._sockets:
            outbox.close(1001, "The server is stopping.")
        self._thread.shutdown(wait=True)

    async def join(self, outbox: Outbox) -> None:
        """A new socket: it hears `hello` now, and all heads from now on."""
        if not self._tail.started:
            await self._whole(self._locked_step())
        outbox.answer(EVERYONE, messages.hello(self._tail.chain, self._tail.tip, self._development))
        self._sockets[outbox] = set()
        self._metrics.sockets.inc()

    def leave(self, outbox: Outbox) -> None:
        for name in [*self._sockets[outbox]]:
            self.unwatch(outbox, name)
        del self._sockets[outbox]
        self._metrics.sockets.dec()

    def watched(self, outbox: Outbox) -> set[str]:
        return self._sockets[outbox]

    def unwatch(self, outbox: Outbox, name: str) -> None:
        if name not in self._sockets[outbox]:
            return
        self._sockets[outbox].remove(name)
        self._topics[name].remove(outbox)
        if not self._topics[name]:
            del self._topics[name]
        if name == LOBBY:
            del self._lobby_seq[outbox]
        self._metrics.watches.dec()

    async def watch(self, outbox: Outbox, game: Game, match: int, since: Since | None) -> None:
        """Answers with a board or with what is missing, and everything after it follows. Raises UnknownMatch."""
        loop = asyncio.get_running_loop()
        patience = loop.time() + PATIENCE
        while not await self._whole(self._locked_watch(outbox, game, match, since)):
            try:
                async with asyncio.timeout_at(patience):
                    await self._news.wait()
            except TimeoutError:
                raise UnknownMatch(match_name(game.slug, match)) from None

    async def watch_lobby(self, outbox: Outbox) -> None:
        await self._whole(self._locked_watch_lobby(outbox))

    async def _whole(self, job: Coroutine[Any, Any, T]) -> T:
        """Does the job to its end also when the socket that asked for it goes: others wait for what it reads."""
        task = asyncio.create_task(job)
        self._jobs.add(task)
        task.add_done_callback(self._jobs.discard)
        return await asyncio.shield(task)

    async def _locked_step(self) -> None:
        async with self._lock:
            await self._step()

    async def _locked_watch(self, outbox: Outbox, game: Game, match: int, since: Since | None) -> bool:
        name = match_name(game.slug, match)
        async with self._lock:
            answers = await self._answers(name, game, match, since)
            self._news.clear()
            if answers is None:
                return False
            for frame in answers:
                outbox.answer(name, frame)
            self._subscribe(outbox, name)
            return True

    async def _locked_watch_lobby(self, outbox: Outbox) -> None:
        async with self._lock:
            if LOBBY not in self._topics:
                await self._read(self._lobby.load)
            if outbox in self._sockets:
                outbox.answer(LOBBY, self._lobby_reset("watch"))
                self._lobby_seq[outbox] = 0
                self._subscribe(outbox, LOBBY)

    def resets(self, topics: Iterable[str], why: Why) -> list[bytes]:
        """The whole boards of these topics as they are now, for a client that lost the thread."""
        boards = [self._tail.followed[name].reset(why) for name in topics if name in self._tail.followed]
        return boards + ([self._lobby_reset(why)] if LOBBY in topics else [])

    def _backlog(self) -> int:
        """Asked for by another thread, while sockets come and go."""
        return sum(outbox.held for outbox in list(self._sockets))

    def fell_behind(self) -> None:
        self._metrics.lagged.inc()

    async def _step(self) -> None:
        """Brings all who watch up to the store: at most one hop to the thread before the boards, one for the lobby."""
        start = perf_counter()
        found = await self._read(self._advance)
        self._publish(found)
        if found:
            self._metrics.steps.observe(perf_counter() - start)
        await self._tell_lobby()

    def _advance(self, view: View) -> list[Message]:
        """What is new; a chain that is another one than before is greeted as at the start of a socket, then reset."""
        before = self._tail.chain
        found = self._tail.advance(view, self._topics)
        return [*self._greeting(), *found] if before not in (None, self._tail.chain) else found

    def _greeting(self) -> list[Message]:
        return [Message(EVERYONE, messages.hello(self._tail.chain, self._tail.tip, self._development))]

    async def _answers(self, name: str, game: Game, match: int, since: Since | None) -> list[bytes] | None:
        followed = self._tail.followed.get(name)
        if followed is not None and followed.seq:
            if since is None:
                return [followed.reset("watch")]
            if since == Since(followed.seq, followed.place["hash"]):
                return []
        found, answers = await self._read(lambda view: self._caught_up(view, game, match, since))
        self._publish(found)
        await self._tell_lobby()
        return answers

    def _caught_up(
        self, view: View, game: Game, match: int, since: Since | None
    ) -> tuple[list[Message], list[bytes] | None]:
        """Advance and answer from one view, so that nothing lies between the answer and the stream."""
        found = self._advance(view)
        followed = self._tail.follow(view, game, match)
        if followed is None:
            return found, None
        if since is None:
            return found, [followed.reset("watch")]
        missing = self._tail.missing(view, followed, since)
        return found, [followed.reset("gap")] if missing is None else missing

    async def _read(self, job: Callable[[View], T]) -> T:
        def reading() -> T:
            with self._store.read() as view:
                return job(view)

        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, reading)
        except Exception:
            self._tail.lose()
            self._lobby_lost = True
            raise

    async def _tell_lobby(self) -> None:
        tail, tip = self._tail, self._tail.tip
        anew = tail.reorganised or self._lobby_lost
        if LOBBY not in self._topics or tip is None or not (tail.touched or anew):
            return
        touched = tail.touched
        patch = await self._read(self._lobby.load if anew else lambda view: self._lobby.advance(view, touched))
        self._lobby_lost = False
        if patch:
            self._publish_lobby(orjson.dumps(serializers.block(tip)), orjson.dumps(patch))

    def _publish_lobby(self, place: bytes, patch: bytes) -> None:
        """Numbered for each connection, serialised once all the same. A change that is larger than the whole, as after
        a reorg, is the whole."""
        whole = self._lobby_reset("gap") if len(patch) > ROOM_BYTES else None
        for outbox in self._topics.get(LOBBY, ()):
            seq = self._lobby_seq[outbox] = 0 if whole else self._lobby_seq[outbox] + 1
            outbox.publish({LOBBY}, whole or messages.lobby(seq, place, patch))

    def _lobby_reset(self, why: Why) -> bytes:
        tip = self._tail.tip
        place: Json = serializers.block(tip) if tip else {"height": 0, "hash": "0x" + "0" * 64, "time": 0}
        return messages.reset(LOBBY, 0, place, self._lobby.board, why)

    def _publish(self, found: Sequence[Message]) -> None:
        """Joined once for all who watch the same, so that each gets it in one write: that is what costs."""
        for part in parts(found, MOST_AT_ONCE):
            topics = {message.topic for message in part}
            joined: dict[frozenset[str], bytes] = {}
            for outbox, watched in self._sockets.items():
                mine = frozenset(watched & topics)
                if mine not in joined:
                    joined[mine] = b"".join(one.frame for one in part if one.topic in mine or one.topic == EVERYONE)
                if joined[mine]:
                    outbox.publish(mine, joined[mine])
        if found:
            self._news.set()

    def _subscribe(self, outbox: Outbox, name: str) -> None:
        if outbox in self._sockets and name not in self._sockets[outbox]:
            self._sockets[outbox].add(name)
            self._topics.setdefault(name, set()).add(outbox)
            self._metrics.watches.inc()


def parts(found: Sequence[Message], most: int) -> Iterator[Sequence[Message]]:
    """These messages in turn, as many together as have at most so many bytes; one that has more is alone."""
    begin = size = 0
    for at, message in enumerate(found):
        if at > begin and size + len(message.frame) > most:
            yield found[begin:at]
            begin, size = at, 0
        size += len(message.frame)
    if found:
        yield found[begin:]
