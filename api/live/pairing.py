"""Pairs players who are waiting for an opponent, together with all gateways on the same database.
The players open and join the match with their own keys, so this module doesn't touch the chain."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
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

EXCHANGE_SECONDS, PAUSE_SECONDS = 1.0, 0.05
"""The usual and the minimum number of seconds between two exchanges with the other gateways."""
EXPIRY_SECONDS, FORGET_SECONDS = 5.0, 60.0
"""A gateway and its players count as gone EXPIRY_SECONDS after the gateway's last heartbeat. The
heartbeat is deleted after FORGET_SECONDS."""
HEARTBEAT_PREFIX = "~"
"""The prefix of a heartbeat's key in the table of seeks. The rest of the key is the gateway's
id."""
SEEK = TypeAdapter(Seek)
Edit: TypeAlias = Callable[[Seeks, float], None]
"""A function that changes all seeks in place. Its arguments are the seeks, and the database's time
in seconds."""


class Pairing:
    """Pairs players who are waiting on this gateway with players on any gateway. Use it only in the
    event loop."""

    def __init__(self, store: Store, presence: Presence) -> None:
        self._store, self._presence = store, presence
        self._id = uuid4().hex
        self._own: dict[SendQueue, Seek] = {}
        self._sent: dict[str, Json] = {}
        self._edits: list[Edit] = []
        self._wakeup = Wakeup()
        self.waiting: dict[str, dict[int, int]] = {}
        """The number of waiting players for each game and each clock, on all gateways together."""

    async def run(self) -> None:
        """Pair players until this task is cancelled. Handle changes on this gateway immediately,
        and read changes on other gateways once per second."""
        while True:
            await self._wakeup.wait(EXCHANGE_SECONDS)
            try:
                await self._exchange()
            except StoreError as error:
                log.debug("can't pair players at the moment: %s", error)
                await asyncio.sleep(EXCHANGE_SECONDS)
            except Exception as error:  # continue, because the next exchange reads all seeks again
                log.error("pairing failed: %r", error)
                self._edits.clear()
                await asyncio.sleep(EXCHANGE_SECONDS)
            await asyncio.sleep(PAUSE_SECONDS)

    async def look_up(self, account: str, game: str) -> tuple[int, int | None]:
        """Return two values: the chain's id (0 while there is no chain), and the account's rating
        in a game (None if it has none)."""
        return await asyncio.to_thread(self._look_up, account, game)

    def _look_up(self, account: str, game: str) -> tuple[int, int | None]:
        with self._store.read() as snapshot:
            chain, results = snapshot.chain(), snapshot.rating_history(account, game, limit=1)
        return chain.chain_id if chain else 0, results[0].rating // 100 if results else None

    def seek(self, queue: SendQueue, account: str, game: str, clock: int, rating: int | None, asks: bool) -> None:
        """Start a client's search for an opponent, and end its previous search."""
        self.leave(queue)
        seek = Seek(uuid4().hex, account, game, clock, rating, asks, self._id, since=0)
        self._own[queue] = seek
        self._edit(lambda found, now: seeks.add(found, replace(seek, since=now)))

    def accept(self, queue: SendQueue) -> None:
        """Accept the opponent who was proposed to the client."""
        if self._state(queue) == "asked":
            key = self._own[queue].id
            self._edit(lambda found, now: seeks.accept(found, key, now))

    async def opened(self, queue: SendQueue, game: str, match: int) -> bool:
        """Record that the client has opened this match for its pair. Return False if the two
        players can't play in that match."""
        seek = self._own.get(queue)
        if seek is None or self._state(queue) != "opening":
            return True
        opponent = str(self._sent[seek.id]["rival"])
        if seek.game != game or not await asyncio.to_thread(self._can_play_in, seek.account, opponent, game, match):
            return False
        key = seek.id
        self._edit(lambda found, now: seeks.set_opened(found, key, match, now))
        return True

    def _can_play_in(self, account: str, opponent: str, game: str, match: int) -> bool:
        with self._store.read() as snapshot:
            found = snapshot.summary(game, match)
        if found is None or account not in (found.opener, *found.players):
            return False
        is_open = found.status == "open" and found.board.get("opponent") in (None, opponent)
        return is_open or (found.status == "playing" and opponent in found.players)

    def leave(self, queue: SendQueue, joined: bool = False) -> None:
        """End the client's search. `joined` is True if both players are in the match that was
        opened for them."""
        key = self._forget(queue)
        if key is not None:
            self._edit(lambda found, _now: seeks.remove(found, key, joined))

    def disconnect(self, queue: SendQueue) -> None:
        """Handle the loss of a client's connection. A paired player can come back within a few
        seconds."""
        key = self._forget(queue)
        if key is not None:
            self._edit(lambda found, now: seeks.disconnect(found, key, now))

    def _forget(self, queue: SendQueue) -> str | None:
        """Forget the client's seek on this gateway. Return the seek's id, or None if there is
        none."""
        seek = self._own.pop(queue, None)
        if seek is None:
            return None
        self._sent.pop(seek.id, None)
        return seek.id

    def _edit(self, edit: Edit) -> None:
        self._edits.append(edit)
        self._wakeup.notify()

    def _state(self, queue: SendQueue) -> str:
        """Return the last state sent to the client, or "" if there is none."""
        seek = self._own.get(queue)
        return str(self._sent.get(seek.id, {}).get("state", "")) if seek else ""

    async def _exchange(self) -> None:
        edits, own = list(self._edits), dict(self._own)
        if edits or own:
            silent = {seek.id for queue, seek in own.items() if self._presence.is_silent(queue)}
            found = await asyncio.to_thread(self._advance, edits, list(own.values()), silent)
        elif self._store.is_server or self.waiting:
            found = await asyncio.to_thread(self._read)
        else:
            return
        del self._edits[: len(edits)]
        for queue, seek in own.items():
            if self._own.get(queue) is seek and seek.id in found:
                self._send_progress(queue, found[seek.id], found)
        waiting = seeks.counts(found)
        if waiting != self.waiting:
            self.waiting = waiting
            self._presence.changed.notify()

    def _read(self) -> Seeks:
        rows, now = self._store.seeks.read()
        return _parsed(rows, now)

    def _advance(self, edits: list[Edit], own: list[Seek], silent: set[str]) -> Seeks:
        """Apply the edits, record which clients are connected, and compute the next state of all
        seeks in one transaction. Remove the seeks of gateways that are gone."""
        with self._store.seeks.edit() as (rows, now):
            heartbeat_key = HEARTBEAT_PREFIX + self._id
            if now - rows.get(heartbeat_key, {}).get("seen_at", 0) > EXCHANGE_SECONDS / 2:
                rows[heartbeat_key] = {"seen_at": now}
            found = _parsed(rows, now)
            for edit in edits:
                edit(found, now)
            for seek in own:
                _note_connection(found, seek, seek.id in silent, now)
            found = seeks.advance(found, now)
            heartbeats = {
                key: row
                for key, row in rows.items()
                if key[:1] == HEARTBEAT_PREFIX and now - row["seen_at"] < FORGET_SECONDS
            }
            rows.clear()
            rows.update(heartbeats | {key: seek.content for key, seek in found.items()})
        return found

    def _send_progress(self, queue: SendQueue, seek: Seek, found: Seeks) -> None:
        """Send the client the state of its seek if the state has changed since the last message."""
        state, opponent = seeks.state_of(seek, found), found.get(seek.rival or "")
        progress: Json = {"state": state, "game": seek.game, "clock": seek.clock}
        if seek.why:
            progress["why"] = seek.why
        if opponent is not None and state == "waiting":
            progress["asked"] = opponent.account
        elif opponent is not None and state != "ended":
            progress |= {"rival": opponent.account, "opens": seek.opens}
            if seek.match is not None:
                progress["match"] = match_name(seek.game, seek.match)
        if self._sent.get(seek.id) != progress:
            self._sent[seek.id] = progress
            queue.publish({EVERYONE}, messages.seek(progress))
        if seek.ended:
            self.leave(queue)


def _note_connection(found: Seeks, seek: Seek, silent: bool, now: float) -> None:
    """Record whether the client is connected. A client that doesn't answer pings counts as away. If
    its seek is missing, for example after a database crash, the client waits again, unless its
    account has begun another search."""
    known = found.get(seek.id)
    if silent:
        if known is not None and known.away_since is None:
            seeks.disconnect(found, seek.id, now)
    elif known is None:
        is_elsewhere = bool(seeks.of_account(found, seek.account))
        found[seek.id] = replace(seek, since=now, ended=is_elsewhere, why="elsewhere" if is_elsewhere else None)
    elif known.away_since is not None:
        found[seek.id] = replace(known, away_since=None)


def _parsed(rows: Mapping[str, Json], now: float) -> Seeks:
    """Return the seeks. Leave out seeks on gateways that are gone, and seeks that this version
    can't read."""
    alive = {
        key[1:] for key, row in rows.items() if key[:1] == HEARTBEAT_PREFIX and now - row["seen_at"] <= EXPIRY_SECONDS
    }
    found: Seeks = {}
    for key, content in rows.items():
        if key[:1] == HEARTBEAT_PREFIX or content.get("gateway") not in alive:
            continue
        try:
            found[key] = SEEK.validate_python(content)
        except ValidationError as error:
            log.debug(
                "can't read a player's search for an opponent, because its gateway has a different version: %s", error
            )
    return found
