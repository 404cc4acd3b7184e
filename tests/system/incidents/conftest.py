"""Fixtures for tests that replay bugs of other projects. Each test gets its own testbed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.support.databases import Databases
from tests.system.browser.conftest import own_browser, page_errors, pytest_runtest_makereport, visit
from tests.system.incidents.support.harness import IncidentTestbed, open_testbed

__all__ = ["page_errors", "pytest_runtest_makereport", "visit"]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    yield from own_browser()


@pytest.fixture
async def testbed(tmp_path: Path, databases: Databases) -> AsyncIterator[IncidentTestbed]:
    async with open_testbed(tmp_path, databases.url()) as it:
        yield it


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """Return a folder with a minimal page that the server agrees to serve."""
    folder = tmp_path / "page"
    folder.mkdir()
    (folder / "index.html").write_text("<!doctype html><title>page</title>")
    return folder


@pytest.fixture(autouse=True)
def _short_polls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the pauses between polls and before reconnects from a second to a tenth of a second,
    so that the tests are fast."""
    for name in (
        "indexer.follow.follower.POLL_SECONDS",
        "api.live.hub.POLL_SECONDS",
        "indexer.node.new_heads.RECONNECT_SECONDS",
    ):
        monkeypatch.setattr(name, 0.1)
