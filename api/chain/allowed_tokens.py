"""The tokens that clients may call: tokens in which matches are staked, and tokens that the
operator has named."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Set
from time import monotonic

from eth_utils.address import to_checksum_address

from indexer.store.store import Store

CACHE_SECONDS = 2.0
MAX_CACHED = 4096
"""The maximum number of cached answers. A full cache is emptied."""


class AllowedTokens:
    """Looks up in the store whether an address is an allowed token. Positive answers are cached
    forever, and negative answers for CACHE_SECONDS."""

    def __init__(self, store: Store, named: Iterable[str]) -> None:
        self._store = store
        self._named = frozenset(address.lower() for address in named)
        self._expires_at: dict[str, float] = {}

    async def allowed(self, address: str | None, ours: Set[str]) -> frozenset[str]:
        """Return a set with this address if it is an allowed token and not one of `ours` (our
        contracts). Otherwise, return an empty set. All addresses are in lower case."""
        if address is None or address in ours:
            return frozenset()
        found = address in self._named or await self._is_staked(address)
        return frozenset({address}) if found else frozenset()

    async def _is_staked(self, address: str) -> bool:
        until = self._expires_at.get(address, 0.0)
        if abs(until) > monotonic():
            return until > 0
        used = await asyncio.to_thread(self._query, address)
        if len(self._expires_at) >= MAX_CACHED:
            self._expires_at.clear()
        self._expires_at[address] = float("inf") if used else -(monotonic() + CACHE_SECONDS)
        return used

    def _query(self, address: str) -> bool:
        with self._store.read() as snapshot:
            return snapshot.is_staked_token(to_checksum_address(address))
