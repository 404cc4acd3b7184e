"""Tests of copying a link, and of the fallback for pages that may not use the clipboard. An example
is a page that is loaded over HTTP from another computer at home."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.support.page.browser import barriers
from tests.support.server import Server, up_deployed
from tests.system.browser.conftest import Visit

SELECTED = "() => { const e = document.activeElement; return e.value.slice(e.selectionStart, e.selectionEnd); }"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with up_deployed(tmp_path_factory.mktemp("copying"), "--host", "0.0.0.0") as it:
        yield it


def own_address() -> str:
    """Return this machine's address in its local network. For browsers, an HTTP page at this
    address isn't a secure context, so it may not use the clipboard."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        asked.connect(("192.0.2.1", 9))  # a UDP socket only chooses its own address
        return str(asked.getsockname()[0])


def waiting(visit: Visit, host: str, server: Server) -> Page:
    page = visit(f"http://{host}:{server.url.rsplit(':', 1)[1]}/")
    page.click("#play-tic-tac-toe:not([disabled])")
    page.wait_for_selector("#lonely")
    return page


def test_text_is_selected_if_it_cannot_be_copied(server: Server, visit: Visit, page_errors: list[str]) -> None:
    page = waiting(visit, own_address(), server)
    assert page.evaluate("() => [window.isSecureContext, navigator.clipboard === undefined]") == [False, True]
    expect(page.locator("#link-here")).to_have_count(0)
    for button, text in (("#send-link", page.input_value("#link")), ("#copy-link", page.url)):
        page.press(button, "Enter")
        expect(page.locator("#copy-keys")).to_contain_text("press Ctrl+C (⌘C on a Mac)")
        assert page.evaluate(SELECTED) == text
        assert "Copied" not in page.inner_text("body")
        assert barriers(page) == []
        page.keyboard.press("Escape")
        expect(page.locator("#copy-by-hand")).to_have_count(0)
        expect(page.locator(button)).to_be_focused()
    page.click("#send-link")
    page.keyboard.press("ControlOrMeta+c")
    expect(page.locator("#copy-by-hand")).to_have_count(0)
    # Chromium logs this warning for every page over HTTP.
    header = "Cross-Origin-Opener-Policy header has been ignored"
    assert [one for one in page_errors if header not in one] == []


def test_copying_is_confirmed_and_local_links_are_marked(server: Server, visit: Visit) -> None:
    page = waiting(visit, "127.0.0.1", server)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    expect(page.locator("#link-here")).to_contain_text("works on this computer only")
    expect(page.locator("#link-here")).to_contain_text("--host 0.0.0.0")
    page.click("#send-link")
    expect(page.locator("#send-link")).to_have_text("Copied")
    assert page.evaluate("() => navigator.clipboard.readText()") == page.input_value("#link")
    page.click("#copy-link")
    expect(page.locator("#copy-link")).to_have_text("Copied")
    expect(page.locator("#copy-link")).to_have_attribute("title", re.compile("works on this computer only"))
    page.context.clear_permissions()
    page.context.grant_permissions(["notifications"])  # the page may no longer write to the clipboard
    page.click("#send-link")
    expect(page.locator("#copy-keys")).to_contain_text("press Ctrl+C (⌘C on a Mac)")
    assert page.evaluate(SELECTED) == page.input_value("#link")
