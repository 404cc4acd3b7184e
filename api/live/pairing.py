"""Pairs players who wait for an opponent, together with the other gateways of the database. Who is paired opens a match
and joins it by own keys: nothing here touches the chain."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import TypeAlias
from uuid import uuid4

from pydantic import TypeAdapter, ValidationError

from api.live import messages, seeks
from api.live.messages import EVERYONE
from api.live.presence import Presence
from api.live.seeks import Seek, Seeks
from api.live.send_queue import SendQueue
from indexer.model import Json, match_name
from indexer.store.db.engine import StoreError
from indexer.store.store import Store
from indexer.wakeup import Wakeup

log = logging.getLogger("chainboard.api")

EXCHANGE_SECONDS = 1.0
SEEK = TypeAdapter(Seek)
Edit: TypeAlias = Callable[[Seeks, float], None]
"""Changes all seeks; with the time in seconds of the database's clock."""


class Pairing:
    """The players of this gateway who wait. Its methods belong to the event loop."""

    def __init__(self, store: Store, presence: Presence) -> None:
        self._store, self._presence = store, presence
        self._own: dict[SendQueue, Seek] = {}
        self._sent: dict[str, Json] = {}
        self._edits: list[Edit] = []
        self._wakeup = Wakeup()
        self.waiting: dict[str, dict[int, int]] = {}
        """How many wait at all gateways, by game and seconds for a move."""

    async def run(self) -> None:
        """Pairs at once what changes here, and once a second with the others, until cancelled."""
        while True:
            await self._wakeup.wait(EXCHANGE_SECONDS)
            try:
                await self._exchange()
            except StoreError as error:
                log.debug("nobody is paired now: %s", error)
                await asyncio.sleep(EXCHANGE_SECONDS)

    async def look_up(self, account: str, game: str) -> tuple[int, int | None]:
        """The chain's id, 0 while there is no chain, and the account's rating in a game, if it has one."""
        return await asyncio.to_thread(self._look_up, account, game)

    def _look_up(self, account: str, game: str) -> tuple[int, int | None]:
        with self._store.read() as snapshot:
            chain, results = snapshot.chain(), snapshot.rating_history(account, game, limit=1)
        return chain.chain_id if chain else 0, results[0].rating // 100 if results else None

    def seek(self, queue: SendQueue, account: str, game: str, clock: int, rating: int | None, asks: bool) -> None:
        """The client waits for an opponent, and for nothing that it waited for before."""
        self.leave(queue)
        seek = Seek(uuid4().hex, account, game, clock, rating, asks, since=0, seen_at=0)
        self._own[queue] = seek
        self._edit(partial(_add, seek))

    def accept(self, queue: SendQueue) -> None:
        """The client plays with whom it was asked about."""
        if queue in self._own:
            self._edit(partial(_accept, self._own[queue].id))

    def opened(self, queue: SendQueue, game: str, match: int) -> None:
        """The client opened this match for the pair."""
        seek = self._own.get(queue)
        if seek is not None and seek.game == game:
            self._edit(partial(_set_opened, seek.id, match))

    def leave(self, queue: SendQueue, joined: bool = False) -> None:
        """The client waits no more. `joined`: both are in the match."""
        seek = self._own.pop(queue, None)
        if seek is not None:
            self._sent.pop(seek.id, None)
            self._edit(partial(_remove, seek.id, joined))

    def _edit(self, edit: Edit) -> None:
        self._edits.append(edit)
        self._wakeup.notify()

    async def _exchange(self) -> None:
        edits, own = list(self._edits), list(self._own.values())
        if edits or own:
            here = [seek for queue, seek in self._own.items() if not self._presence.is_silent(queue)]
            found = await asyncio.to_thread(self._advance, edits, here)
        elif self._store.is_server or self.waiting:
            found = _parsed(await asyncio.to_thread(self._store.seeks.read))
        else:
            return
        del self._edits[: len(edits)]
        for queue, seek in list(self._own.items()):
            if seek in own and seek.id in found:
                self._tell(queue, found[seek.id], found)
        self._publish(seeks.counts(found))

    def _advance(self, edits: list[Edit], here: list[Seek]) -> Seeks:
        """In one transaction: the edits, a sign of life of those who are here, and the next state. Who is here and not
        there any more waits anew: the rows don't outlive a crash of the database."""
        with self._store.seeks.edit() as (rows, now):
            found = _parsed(rows)
            unknown = {key: row for key, row in rows.items() if key not in found}
            for edit in edits:
                edit(found, now)
            for seek in here:
                known = found.get(seek.id) or replace(seek, since=now)
                found[seek.id] = replace(known, seen_at=now)
            found = seeks.advance(found, now)
            rows.clear()
            rows.update(unknown | {key: seek.content for key, seek in found.items()})
        return found

    def _tell(self, queue: SendQueue, seek: Seek, found: Seeks) -> None:
        """Tells the client where its seek has come to, when that is news."""
        state, rival = seeks.state_of(seek, found), found.get(seek.rival or "")
        progress: Json = {"state": state, "game": seek.game, "clock": seek.clock}
        if seek.why:
            progress["why"] = seek.why
        if rival is not None and state not in ("waiting", "ended"):
            progress |= {"rival": rival.account, "opens": seek.opens}
            if seek.match is not None:
                progress["match"] = match_name(seek.game, seek.match)
        if self._sent.get(seek.id) != progress:
            self._sent[seek.id] = progress
            queue.publish({EVERYONE}, messages.seek(progress))
        if seek.ended:
            self.leave(queue)

    def _publish(self, waiting: dict[str, dict[int, int]]) -> None:
        if waiting != self.waiting:
            self.waiting = waiting
            self._presence.changed.notify()


def _add(seek: Seek, found: Seeks, now: float) -> None:
    seeks.add(found, replace(seek, since=now, seen_at=now))


def _accept(key: str, found: Seeks, now: float) -> None:
    seeks.accept(found, key, now)


def _set_opened(key: str, match: int, found: Seeks, now: float) -> None:
    seeks.set_opened(found, key, match, now)


def _remove(key: str, joined: bool, found: Seeks, _now: float) -> None:
    seeks.remove(found, key, joined)


def _parsed(rows: Mapping[str, Json]) -> Seeks:
    """Without those of a gateway of another version."""
    found: Seeks = {}
    for key, content in rows.items():
        try:
            found[key] = SEEK.validate_python(content)
        except ValidationError as error:
            log.debug("a seek of a gateway of another version can't be read: %s", error)
    return found
