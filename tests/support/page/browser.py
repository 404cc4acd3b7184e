"""Debian's Chromium, controlled by Playwright. `make` installs Chromium before the tests."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Page, Playwright, Route, expect, sync_playwright

from tests.support.services.missing import skip_or_fail
from tests.support.waiting import PATIENCE_MS

BARRIERS = """async () => {
  const { violations } = await axe.run({ resultTypes: ["violations"], elementRef: false, selectors: false });
  return violations.map(({ id, help }) => `${id}: ${help}`);
}"""
"""The script that returns the accessibility violations. The result doesn't include their positions,
because finding these takes most of the time."""
CHROMIUM = Path("/usr/bin/chromium")
SCHEMES = pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.soak)])
"""The themes. They differ only in their colours, so one theme is enough for tests that don't check
colours."""
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
MISSING = "Chromium is not at /usr/bin/chromium (`make test-all` as root installs it). Browser tests are skipped."


@contextmanager
def playwright() -> Iterator[Playwright]:
    """Yield Playwright. If Chromium isn't installed, skip the test, or fail if CI=true."""
    if not CHROMIUM.exists():
        skip_or_fail(MISSING)
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as it:
        yield it


def launch(it: Playwright, *flags: str) -> Browser:
    """Launch Chromium with a new profile. Return the browser."""
    return it.chromium.launch(executable_path=str(CHROMIUM), args=[*FLAGS, *flags])


def sleeping(page: Page) -> Callable[[float], None]:
    """Return a sleep function that processes the page's events while it sleeps."""
    return lambda seconds: page.wait_for_timeout(1000 * seconds)


def barriers(page: Page) -> list[str]:
    """Return the accessibility violations that axe-core finds on the page."""
    if not page.evaluate("() => Boolean(window.axe)"):
        page.evaluate(AXE_SCRIPT)
    found: list[str] = page.evaluate(BARRIERS)
    return found


@contextmanager
def requests_held(page: Page, pattern: str | re.Pattern[str]) -> Iterator[None]:
    """Hold the page's requests to matching addresses. They continue when the `with` block ends."""
    held: list[Route] = []
    released = Event()
    page.route(pattern, lambda route: route.continue_() if released.is_set() else held.append(route))
    yield
    released.set()
    for route in held:
        route.continue_()
