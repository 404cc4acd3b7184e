"""Fixtures with a playground for each test, and a server for the playground."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from pathlib import Path

import pytest
import pytest_asyncio

from tests.api.playground import ALICE, BOB, ApiServer, Playground, added, created, joined, served


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Playground]:
    """Yield a playground with two matches: marks/1 with six events in four blocks, and marks/2 with
    one event."""
    it = begun(tmp_path)
    yield it
    it.close()


def begun(folder: Path) -> Playground:
    it = Playground(folder)
    it.block(created(1))
    it.block(joined(1, ALICE, 0), joined(1, BOB, 1))
    it.block(added(1, "a"), created(2), added(1, "b"))
    it.block(added(1, "c"))
    return it


@pytest.fixture(scope="session")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    (folder / "index.html").write_text("<!doctype html><title>page</title>")
    (folder / "main.js").write_text("export {};")
    return folder


@pytest.fixture
async def server(play: Playground, page: Path) -> AsyncIterator[ApiServer]:
    async with served(play, page) as it:
        yield it


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def still(page: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[ApiServer]:
    """Yield a server for a playground that all tests in a module share. These tests only read the
    playground."""
    with closing(begun(tmp_path_factory.mktemp("still"))) as play:
        async with served(play, page) as it:
            yield it
