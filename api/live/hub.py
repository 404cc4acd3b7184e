"""The hub reads the store's changes and sends them to all sockets, in one loop. A lock ensures that
a client misses no message between its first board and the first delta."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter
from typing import Any, TypeVar

import orjson

from api.live import messages
from api.live.emotes import Emotes
from api.live.lobby import MAX_BYTES, Lobby
from api.live.messages import EVERYONE, LOBBY, Message, ResetReason
from api.live.pairing import Pairing
from api.live.presence import Accounts, Presence
from api.live.send_queue import SendQueue
from api.live.shared_presence import SharedPresence
from api.live.tail import Since, Tail, UnknownMatch
from api.metrics import Metrics
from api.shapes import blocks
from indexer.gamekit.game import Game
from indexer.model import Json, match_name
from indexer.store.snapshot import Snapshot
from indexer.store.store import Store
from indexer.wakeup import Wakeup

log = logging.getLogger("chainboard.api")
T = TypeVar("T")

RETRY_SECONDS, POLL_SECONDS = 1.0, 10.0
"""The pause after an error, and the poll interval without notifications, in seconds."""
MAX_BATCH_BYTES = 64 * 1024
"""The maximum size, in bytes, of messages that are joined and published together. A larger message
is sent alone."""
PRESENCE_SECONDS, LIVENESS_SECONDS = 1.0, 10.0
"""The seconds between two presence messages, and between two searches for live matches."""
UNKNOWN_MATCH_SECONDS = 1.0
"""The seconds to wait for an unknown match, because its creator's node can be ahead of ours."""


class Hub:
    """The sockets of one server. Use only in the event loop. A separate thread reads the store."""

    def __init__(
        self, store: Store, games: Mapping[str, Game], wakeup: Wakeup, metrics: Metrics, development: bool = False
    ) -> None:
        self._store, self._games, self._wakeup, self._development = store, games, wakeup, development
        # Prometheus reads this metric in another thread, so the sum needs a copy of the sockets.
        metrics.backlog.set_function(lambda: sum(queue.buffered for queue in list(self._sockets)))
        self._tail = Tail(games)
        self.presence = Presence(self._tail.accounts_of)
        metrics.watchers.set_function(self.presence.watchers)
        self.pairing = Pairing(store, self.presence)
        self._lobby = Lobby(games, self.presence, pairing=self.pairing)
        self.emotes = Emotes(self._tail, self._publish_to)
        self._lock, self._published = asyncio.Lock(), asyncio.Event()
        self._thread, self._metrics = ThreadPoolExecutor(1, "tail"), metrics
        self._sockets: dict[SendQueue, set[str]] = {}
        self._topics: dict[str, set[SendQueue]] = {}
        self._lobby_seq: dict[SendQueue, int] = {}
        self._lobby_is_invalid = False
        self._jobs: set[asyncio.Task[Any]] = set()

    async def run(self) -> None:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._follow())
            tasks.create_task(self._follow_presence())
            tasks.create_task(SharedPresence(self._store, self.presence, self.emotes).run())
            tasks.create_task(self.pairing.run())

    async def _follow(self) -> None:
        """Follow the store. Polling finds changes whose notification was lost."""
        while True:
            await self._attempt(self._locked_advance())
            await self._wakeup.wait(POLL_SECONDS)

    async def _follow_presence(self) -> None:
        """Publish presence after each change, and regularly (old matches stop being live)."""
        while True:
            await self.presence.changed.wait(LIVENESS_SECONDS)
            await self._attempt(self._locked_publish_presence())
            await asyncio.sleep(PRESENCE_SECONDS)

    async def _attempt(self, step: Coroutine[Any, Any, None]) -> None:
        try:
            await step
        except Exception as error:  # a failed step loses no change, because the next step sends whole boards
            log.error("the hub could not read the database: %r", error)
            await asyncio.sleep(RETRY_SECONDS)

    def stop(self) -> None:
        """Stop the thread and close all sockets."""
        for queue in self._sockets:
            queue.close(1001, "The server is stopping.")
        self._thread.shutdown(wait=True)

    async def join(self, queue: SendQueue) -> None:
        """Add a socket. It receives a `hello` message now, and each new block from now on."""
        if not self._tail.started:
            await self._to_completion(self._locked_advance())
        queue.answer(EVERYONE, self._hello())
        self._sockets[queue] = set()
        self._metrics.sockets.inc()

    def leave(self, queue: SendQueue) -> None:
        """Remove a client's queue and all its watches."""
        for name in [*self._sockets[queue]]:
            self.unwatch(queue, name)
        self.presence.leave(queue)
        del self._sockets[queue]
        self._metrics.sockets.dec()

    def watched(self, queue: SendQueue) -> set[str]:
        """Return the topics that a client watches: the names of matches, and perhaps `lobby`."""
        return self._sockets[queue]

    def unwatch(self, queue: SendQueue, name: str) -> None:
        """Stop watching this match or the lobby for the client, if the client watches it."""
        if name not in self._sockets[queue]:
            return
        self.presence.unwatch(queue, name)
        self._sockets[queue].remove(name)
        self._topics[name].remove(queue)
        if not self._topics[name]:
            del self._topics[name]
        if name == LOBBY:
            del self._lobby_seq[queue]
        self._metrics.watches.dec()

    async def watch(
        self, queue: SendQueue, game: Game, match: int, since: Since | None, accounts: Accounts = frozenset()
    ) -> None:
        """Reply with the board, or with the deltas that the client lacks. Raises UnknownMatch."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + UNKNOWN_MATCH_SECONDS
        while not await self._to_completion(self._locked_watch(queue, game, match, since, accounts)):
            try:
                async with asyncio.timeout_at(deadline):
                    await self._published.wait()
            except TimeoutError:
                raise UnknownMatch(match_name(game.slug, match)) from None

    async def watch_lobby(self, queue: SendQueue, accounts: Accounts = frozenset()) -> None:
        """Reply with the whole lobby. The client then receives patches to the lobby."""
        await self._to_completion(self._locked_watch_lobby(queue, accounts))

    async def _to_completion(self, job: Coroutine[Any, Any, T]) -> T:
        """Complete the job even if its socket disconnects: other sockets need the result."""
        task = asyncio.create_task(job)
        self._jobs.add(task)
        task.add_done_callback(self._jobs.discard)
        return await asyncio.shield(task)

    async def _locked_advance(self) -> None:
        """Bring all watchers up to date. Read the store twice: for the boards and for the lobby."""
        async with self._lock:
            start = perf_counter()
            found = await self._read(self._advance)
            self._publish(found)
            if found:
                self._metrics.publish_seconds.observe(perf_counter() - start)
            await self._advance_lobby()

    async def _locked_watch(
        self, queue: SendQueue, game: Game, match: int, since: Since | None, accounts: Accounts
    ) -> bool:
        name = match_name(game.slug, match)
        async with queue.turn, self._lock:  # if the client has left in the meantime, read nothing
            answers = await self._answers(name, game, match, since) if queue in self._sockets else []
            self._published.clear()
            if answers is None:
                return False
            for frame in answers:
                queue.answer(name, frame)
            self._subscribe(queue, name, accounts)
            return True

    async def _locked_watch_lobby(self, queue: SendQueue, accounts: Accounts) -> None:
        async with queue.turn, self._lock:
            if LOBBY not in self._topics and queue in self._sockets:
                await self._read(self._lobby.load)
            if queue in self._sockets:
                queue.answer(LOBBY, self._lobby_reset("watch"))
                self._lobby_seq[queue] = 0
                self._subscribe(queue, LOBBY, accounts)

    def overflow(self, topics: Iterable[str]) -> list[bytes]:
        """Count a slow client in the metrics. Return a `reset` message for each of these topics."""
        self._metrics.lagged.inc()
        boards = [self._tail.watched[name].reset("lag") for name in topics if name in self._tail.watched]
        return boards + ([self._lobby_reset("lag")] if LOBBY in topics else [])

    def _advance(self, snapshot: Snapshot) -> list[Message]:
        """Return the messages for all watchers. On a new chain, they are a `hello` and resets."""
        before = self._tail.chain
        found = self._tail.advance(snapshot, self._topics)
        return [Message(EVERYONE, self._hello()), *found] if before not in (None, self._tail.chain) else found

    def _hello(self) -> bytes:
        return messages.hello(self._tail.chain, self._tail.tip, self._development)

    async def _answers(self, name: str, game: Game, match: int, since: Since | None) -> list[bytes] | None:
        watched = self._tail.watched.get(name)
        if watched is not None and watched.seq:
            if since is None:
                return [watched.reset("watch")]
            if since == Since(watched.seq, watched.block_ref["hash"]):
                return []
        found, answers = await self._read(lambda snapshot: self._catch_up(snapshot, game, match, since))
        self._publish(found)
        await self._advance_lobby()
        return answers

    def _catch_up(
        self, snapshot: Snapshot, game: Game, match: int, since: Since | None
    ) -> tuple[list[Message], list[bytes] | None]:
        """Return the messages for watchers and the reply to this client, both from one snapshot."""
        found = self._advance(snapshot)
        watched = self._tail.load_match(snapshot, game, match)
        if watched is None:
            return found, None
        if since is None:
            return found, [watched.reset("watch")]
        missing = self._tail.deltas_since(snapshot, watched, since)
        return found, [watched.reset("gap")] if missing is None else missing

    async def _read(self, job: Callable[[Snapshot], T]) -> T:
        def reading() -> T:
            with self._store.read() as snapshot:
                return job(snapshot)

        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, reading)
        except Exception:
            self._tail.invalidate()
            self._lobby_is_invalid = True
            raise

    async def _advance_lobby(self) -> None:
        touched = self._tail.touched
        self._lobby_is_invalid |= self._tail.reorged
        if touched or self._lobby_is_invalid:
            await self._read_lobby(lambda snapshot: self._lobby.advance(snapshot, touched))

    async def _read_lobby(self, job: Callable[[Snapshot], Json]) -> None:
        """Run the job and publish its changes. If the lobby is invalid, reload it instead."""
        if LOBBY in self._topics and self._tail.tip is not None:
            change = await self._read(self._lobby.load if self._lobby_is_invalid else job)
            self._lobby_is_invalid = False
            if change:
                self._publish_lobby(change)

    def _publish_lobby(self, change: Json) -> None:
        """Publish a change to the lobby, or a reset if the change is larger than MAX_BYTES."""
        block_ref, patch = orjson.dumps(blocks.tip_ref(self._tail.tip)), orjson.dumps(change)
        reset = self._lobby_reset("gap") if len(patch) > MAX_BYTES else None
        for queue in self._topics.get(LOBBY, ()):
            seq = self._lobby_seq[queue] = 0 if reset else self._lobby_seq[queue] + 1
            queue.publish({LOBBY}, reset or messages.lobby(seq, block_ref, patch))

    def _lobby_reset(self, why: ResetReason) -> bytes:
        return messages.reset(LOBBY, 0, blocks.tip_ref(self._tail.tip), self._lobby.board, why)

    def _publish(self, found: Sequence[Message]) -> None:
        """Publish messages. Sockets that watch the same matches share the joined bytes."""
        for batch in messages.batches(found, MAX_BATCH_BYTES):
            topics = {message.topic for message in batch}
            joined: dict[frozenset[str], bytes] = {}
            for queue, watched in self._sockets.items():
                mine = frozenset(watched & topics)
                if mine not in joined:
                    joined[mine] = b"".join(one.frame for one in batch if one.topic in mine or one.topic == EVERYONE)
                if joined[mine]:
                    queue.publish(mine, joined[mine])
        if found:
            self._published.set()

    async def _locked_publish_presence(self) -> None:
        async with self._lock:
            for name, news in self.presence.changes(self._topics.keys(), self._tail.opener_of):
                self._publish_to(name, messages.presence(name, *news))
            await self._read_lobby(self._lobby.refresh)

    def _publish_to(self, name: str, frame: bytes) -> None:
        for queue in self._topics.get(name, ()):
            queue.publish({name}, frame)

    def _subscribe(self, queue: SendQueue, name: str, accounts: Accounts) -> None:
        if queue not in self._sockets:
            return
        self.presence.watch(queue, name, accounts)
        if name not in self._sockets[queue]:
            self._sockets[queue].add(name)
            self._topics.setdefault(name, set()).add(queue)
            self._metrics.watches.inc()
