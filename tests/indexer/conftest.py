"""Fixtures for the indexer's tests: a Touché Coulé match on a real chain, and a store for an index
of this chain."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from indexer.games import GAMES
from indexer.store.store import Store
from tests.support.chain import DeployedChain, deployed_chain
from tests.support.databases import Databases

MATCH = 2


@pytest.fixture
async def played(tmp_path: Path) -> AsyncIterator[DeployedChain]:
    """A chain with Touché Coulé match number 2, in which the players have taken three turns. The
    board is so large that the match can't end by chance."""
    async with deployed_chain(tmp_path) as it:
        await it.play(0, "create", 64, 64, False)
        await it.begin(MATCH)
        for number in (1, 2, 3):
            await it.turn(1, MATCH, number)
        yield it


@pytest.fixture
def store(databases: Databases) -> Iterator[Store]:
    it = Store(databases.url(), GAMES)
    yield it
    it.close()
