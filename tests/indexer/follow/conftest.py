"""A chain whose history is worth its questions."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.indexer.conftest import MATCH
from tests.support.chain import World, world

EMPTY = 60
"""Empty blocks between two events."""
NOT_FINAL = 64
"""Anvil's `finalized` is so many blocks below its head."""


@pytest.fixture
def short_history(monkeypatch: pytest.MonkeyPatch) -> None:
    """A history of some hundred blocks is long enough."""
    monkeypatch.setattr("indexer.follow.history.MIN_BLOCKS", 40)
    monkeypatch.setattr("indexer.follow.history.KEPT_BLOCKS", 20)
    monkeypatch.setattr("indexer.fetch.log_spans.INITIAL_BLOCKS", 16)
    monkeypatch.setattr("indexer.fetch.log_spans.SPAN_BLOCKS", 32)
    monkeypatch.setattr("indexer.fetch.log_spans.SPANS_AT_ONCE", 3)


@pytest.fixture
async def long(tmp_path: Path, short_history: None) -> AsyncIterator[World]:  # noqa: ARG001
    """A chain with three matches of one game, and one of another that has no further match; long ago."""
    async with world(tmp_path) as it:
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
