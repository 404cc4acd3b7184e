"""Fixtures: a chain whose history is long enough for the follower to fetch it in bulk."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.indexer.conftest import MATCH
from tests.support.chain import DeployedChain, deployed_chain

EMPTY = 60
"""The number of empty blocks between two events."""
NOT_FINAL = 64
"""The number of blocks between Anvil's head and the newest block that Anvil reports as final
(`finalized`)."""


@pytest.fixture
def short_history(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lower the indexer's limits, so that it treats a history of a few hundred blocks as a long
    history."""
    monkeypatch.setattr("indexer.follow.history.MIN_BLOCKS", 40)
    monkeypatch.setattr("indexer.follow.history.CONTIGUOUS_BLOCKS", 20)
    monkeypatch.setattr("indexer.fetch.log_spans.INITIAL_BLOCKS", 16)
    monkeypatch.setattr("indexer.fetch.log_spans.SPAN_BLOCKS", 32)
    monkeypatch.setattr("indexer.fetch.log_spans.MAX_SPANS", 3)


@pytest.fixture
async def long(tmp_path: Path, short_history: None) -> AsyncIterator[DeployedChain]:  # noqa: ARG001
    """A chain with four old matches: three matches of one game, and one match of a second game."""
    async with deployed_chain(tmp_path) as it:
        await it.play(0, "create", 64, 64, False)
        await it.mine(EMPTY)
        await it.begin(MATCH)
        await it.mine(EMPTY)
        await it.turn(1, MATCH, 1)
        await it.mine(EMPTY)
        await it.play(0, "create", 64, 64, False)
        await it.mine(EMPTY)
        it.game = next(one for one in it.deployments if one.game == "tic-tac-toe")
        await it.play(3, "create", it.accounts[4], 600)
        it.game = next(one for one in it.deployments if one.game == "touche-coule")
        await it.mine(EMPTY)
        await it.turn(1, MATCH, 2)
        await it.mine(2 * NOT_FINAL)
        yield it
