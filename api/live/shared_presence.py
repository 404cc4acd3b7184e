"""Adds up the presence on all gateways that share a database server. Each gateway writes its own
counts and latest emotes, and reads those of the other gateways."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from dataclasses import dataclass
from uuid import uuid4

from pydantic import TypeAdapter, ValidationError

from api.live.emotes import Emotes, SentEmote
from api.live.presence import Presence, PresenceCounts
from indexer.model import Json
from indexer.store.db.engine import StoreError
from indexer.store.store import Store

log = logging.getLogger("chainboard.api")

EXCHANGE_SECONDS, PAUSE_SECONDS = 1.0, 0.1
"""The usual and the minimum number of seconds between two exchanges with the other gateways."""


@dataclass(frozen=True, slots=True)
class GatewayState(PresenceCounts):
    """The data that a gateway shares with the other gateways."""

    emotes: tuple[SentEmote, ...] = ()


GATEWAY_STATE = TypeAdapter(GatewayState)


class SharedPresence:
    """Shares this gateway's presence with the other gateways. Writes the presence after each
    change, and also regularly while the gateway has watchers, so that the other gateways know it is
    alive."""

    def __init__(self, store: Store, presence: Presence, emotes: Emotes) -> None:
        self._gateways, self._presence, self._emotes = store.gateways, presence, emotes
        self._is_shared = store.is_server
        self._id = uuid4().hex
        self._written = 0
        self._others: dict[str, tuple[int, GatewayState]] = {}

    async def run(self) -> None:
        """Exchange presence once per second, and whenever an emote is sent on this gateway, until
        this task is cancelled. On SQLite, return immediately, because only one gateway serves a
        SQLite file."""
        while self._is_shared:
            try:
                await self._exchange()
            except StoreError as error:
                log.debug("can't read which players are online at other gateways: %s", error)
            await self._emotes.changed.wait(EXCHANGE_SECONDS - PAUSE_SECONDS)
            await asyncio.sleep(PAUSE_SECONDS)

    async def _exchange(self) -> None:
        local, (emotes_version, emotes) = self._presence.local(), self._emotes.recent()
        version = self._presence.version + emotes_version
        if version != self._written or local.watchers:
            await asyncio.to_thread(self._write, local, emotes, version)
        if local.watchers:
            self._others = await asyncio.to_thread(self._read)
            self._presence.set_remote(_sum([state for _version, state in self._others.values()]))
            self._emotes.receive({gateway: state.emotes for gateway, (_version, state) in self._others.items()})
        # forget the other gateways' counts, because they will be outdated for the next watcher
        elif self._others:
            self._others = {}
            self._presence.set_remote(PresenceCounts())

    def _write(self, local: PresenceCounts, emotes: list[SentEmote], version: int) -> None:
        if version == self._written and self._gateways.heartbeat(self._id):
            return
        content = {"watchers": local.watchers, "claims": sorted(local.claims), "emotes": [[*one] for one in emotes]}
        self._gateways.write(self._id, version, content)
        self._written = version

    def _read(self) -> dict[str, tuple[int, GatewayState]]:
        known = {gateway: version for gateway, (version, _state) in self._others.items()}
        found = self._gateways.others(self._id, known)
        return {
            gateway: self._others[gateway] if state is None else (state[0], _parsed(state[1]))
            for gateway, state in found.items()
        }


def _parsed(presence: Json) -> GatewayState:
    """Return the parsed state. If a gateway with a different version wrote it in an unknown format,
    return an empty state."""
    try:
        return GATEWAY_STATE.validate_python(presence)
    except ValidationError as error:
        log.debug(
            "can't read who is online at another gateway, because that gateway has a different version: %s", error
        )
        return GatewayState()


def _sum(all_counts: list[GatewayState]) -> PresenceCounts:
    watchers = Counter[str]()
    for counts in all_counts:
        watchers.update(counts.watchers)
    return PresenceCounts(dict(watchers), frozenset().union(*(counts.claims for counts in all_counts)))
