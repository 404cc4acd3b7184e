"""Fixtures for tests with a real browser and a real Chainboard server. README.md in this folder
lists the selectors that tests may rely on."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import suppress

import pytest
from playwright.sync_api import Browser, Error, Page, WebSocketRoute

from tests.support.page.browser import launch, playwright
from tests.support.server import Server, up_deployed
from tests.support.waiting import PATIENCE_MS
from tests.system.browser.match.token_site import token_site as token_site

Visit = Callable[..., Page]
PAGE_READY = "() => window.chainboard?.state.me || !document.querySelector('script[type=module]')"
"""A script that returns true when the page has read its keys, which is its first task at the start.
On other sites' pages, the script returns true immediately."""


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """Yield a browser that the tests in this package share. After the package's last test, the
    browser must be closed, because asynchronous tests can't run while it is open."""
    yield from own_browser()


def own_browser() -> Iterator[Browser]:
    with playwright() as it:
        browser = launch(it)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def board_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Yield a server that all tests in this package share. A test must not stop the server, revert
    its chain or shift its time. Each test must play its own matches."""
    with up_deployed(tmp_path_factory.mktemp("page")) as server:
        yield server


@pytest.fixture
def page_errors() -> list[str]:
    """Return a list to which all errors of the test's pages are added: uncaught exceptions, console
    errors, and violations of the Content Security Policy."""
    return []


PAGES = pytest.StashKey[list[Page]]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """If a test fails, add the text of its open pages to the test report."""
    report = yield
    if report.when == "call" and report.failed:
        for page in item.stash.get(PAGES, []):
            with suppress(Error):
                report.sections.append((f"Page {page.url}", page.inner_text("body", timeout=1000)))
    return report


@pytest.fixture
def visit(request: pytest.FixtureRequest, chromium: Browser, page_errors: list[str]) -> Iterator[Visit]:
    """Yield a function that opens a page for a new visitor, whose storage is empty. `line` handles
    the page's websocket. `hints` enables the hints that the page shows in a visitor's first
    match."""
    contexts = []
    pages = request.node.stash.setdefault(PAGES, [])

    def go(
        url: str,
        width: int = 1440,
        height: int = 900,
        line: Callable[[WebSocketRoute], None] | None = None,
        hints: bool = False,
        **options: object,
    ) -> Page:
        context = chromium.new_context(viewport={"width": width, "height": height}, **options)  # type: ignore[arg-type]
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        if not hints:
            context.add_init_script(
                "if (top === self && origin !== 'null') localStorage.setItem('chainboard.hints', 'off')"
            )
        page = context.new_page()
        pages.append(page)
        page.on("pageerror", lambda error: page_errors.append(f"error: {error}"))
        page.on(
            "console",
            lambda message: page_errors.append(f"{message.type}: {message.text}") if message.type == "error" else None,
        )
        if line is not None:
            page.route_web_socket("**/ws", line)
        page.goto(url)
        page.wait_for_function(PAGE_READY)
        return page

    yield go
    for context in contexts:
        context.close()
