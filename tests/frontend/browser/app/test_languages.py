"""The page in each language: by the browser, by its switch without a reload, and with texts two fifths longer."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.frontend.browser.conftest import Visit
from tests.support.server import Server

CUT = """() => [...document.querySelectorAll('#page *')].filter((e) => {
  const box = e.getBoundingClientRect();
  if (!box.width || !e.checkVisibility() || e.closest('.board, svg') || e.matches('input')) return false;
  const style = getComputedStyle(e);
  const hides = ['hidden', 'clip'].includes(style.overflowX) && e.clientWidth > 2;
  return box.right > innerWidth + 1 || (hides && e.scrollWidth > e.clientWidth + 1);
}).map((e) => `${e.tagName} ${e.id} ${e.className} ${e.textContent.slice(0, 40)}`)"""
"""What reaches out of the window, or is cut."""


def visited(page: Page, url: str) -> Page:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(url)
    expect(page.locator("#play-tic-tac-toe")).to_be_enabled()
    return page


def test_the_switch_changes_all_sentences_at_once_and_is_kept(board_server: Server, visit: Visit) -> None:
    page = visited(visit("about:blank"), board_server.url + "/")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.click("#account-button")
    page.select_option("#my-language", "fr")
    expect(page.locator("#play-tic-tac-toe")).to_have_text("Jouer")
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    page.select_option("#my-language", "zh")
    expect(page.locator("#play-tic-tac-toe")).to_have_text("开始玩")
    page.set_viewport_size({"width": 1440, "height": 900})
    expect(page.locator("#my-language")).to_be_hidden()
    expect(page.locator("#language")).to_be_visible()
    page.reload()
    expect(page.locator("#play-tic-tac-toe")).to_have_text("开始玩")
    expect(page.locator("#language")).to_have_value("zh")


@pytest.mark.parametrize("language", ["en", "fr", "zh", "pseudo"])
def test_nothing_is_cut_on_a_phone(board_server: Server, visit: Visit, language: str) -> None:
    page = visited(visit("about:blank"), f"{board_server.url}/?language={language}")
    assert page.evaluate(CUT) == []
    page.click("#account-button")
    expect(page.locator("#account-button")).to_have_attribute("aria-expanded", "true")
    assert page.evaluate(CUT) == []
    page.keyboard.press("Escape")
    page.click("#play-tic-tac-toe")
    expect(page.locator("#board")).to_be_visible()
    assert page.evaluate(CUT) == []
    page.evaluate("() => document.querySelectorAll('main details').forEach((one) => { one.open = true; })")
    assert page.evaluate(CUT) == []
