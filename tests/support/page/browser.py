"""Real Chromium, driven by Playwright. It is Debian's, which make installs before the tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

from tests.support.services.missing import skip_or_fail
from tests.support.waiting import PATIENCE_MS

BARRIERS = """async () => {
  const { violations } = await axe.run({ resultTypes: ["violations"], elementRef: false, selectors: false });
  return violations.map(({ id, help }) => `${id}: ${help}`);
}"""
"""Without where each is: that takes longest, and a person who mends it sees it."""
CHROMIUM = Path("/usr/bin/chromium")
SCHEMES = pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.soak)])
"""Only colours differ: what is wrong with the rest shows in either."""
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
MISSING = "Chromium is not at /usr/bin/chromium (`make test-all` as root installs it). Browser tests are skipped."


@contextmanager
def playwright() -> Iterator[Playwright]:
    """Playwright with a browser to drive; where there is none the test is skipped, or fails when CI asks."""
    if not CHROMIUM.exists():
        skip_or_fail(MISSING)
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as it:
        yield it


def launch(it: Playwright, *flags: str) -> Browser:
    """A browser with a fresh profile."""
    return it.chromium.launch(executable_path=str(CHROMIUM), args=[*FLAGS, *flags])


def sleeping(page: Page) -> Callable[[float], None]:
    """A sleep in which the page's events come."""
    return lambda seconds: page.wait_for_timeout(1000 * seconds)


def barriers(page: Page) -> list[str]:
    """What axe-core finds that bars somebody from the page."""
    if not page.evaluate("() => Boolean(window.axe)"):
        page.evaluate(AXE_SCRIPT)
    found: list[str] = page.evaluate(BARRIERS)
    return found
