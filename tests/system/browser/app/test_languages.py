"""Tests of the page in each language. The browser's settings select the language, or the user
switches it without a reload. Texts that are 40 % longer than the English ones must still fit."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from indexer.games import GAMES
from tests.support.page import pseudo
from tests.support.server import Server
from tests.system.browser.conftest import Visit

ZERO = "0x" + 40 * "0"
CUT = """() => [...document.querySelectorAll('#page *')].filter((e) => {
  const box = e.getBoundingClientRect();
  if (!box.width || !e.checkVisibility() || e.closest('.board, svg') || e.matches('input')) return false;
  const style = getComputedStyle(e);
  const hides = ['hidden', 'clip'].includes(style.overflowX) && e.clientWidth > 2;
  return box.right > innerWidth + 1 || (hides && e.scrollWidth > e.clientWidth + 1);
}).map((e) => `${e.tagName} ${e.id} ${e.className} ${e.textContent.slice(0, 40)}`)"""
"""A script that returns the elements that extend beyond the window or whose text is cut off."""


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


@pytest.mark.parametrize(
    "language", [*(pytest.param(one, marks=pytest.mark.soak) for one in ("en", "fr", "zh")), "pseudo"]
)
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


SEEN = """() => {
  const found = [document.title];
  const isSeen = (e) => e.checkVisibility({ visibilityProperty: true }) && !e.closest("code, [id*=language]");
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.nodeType === Node.TEXT_NODE) {
      if (isSeen(node.parentElement) && !node.parentElement.closest("script, noscript")) found.push(node.data);
    } else if (isSeen(node))
      for (const name of ["aria-label", "aria-description", "aria-valuetext", "title", "alt", "placeholder"])
        found.push(node.getAttribute(name) ?? "");
  }
  return [...new Set(found)];
}"""
"""A script that returns all visible texts on the page, and all texts for screen readers."""


def outside(page: Page) -> list[str]:
    return pseudo.untranslated(page.evaluate(SEEN))


def test_every_text_is_in_the_tables(board_server: Server, visit: Visit) -> None:
    page = visited(visit("about:blank", hints=True), f"{board_server.url}/?language=pseudo")
    home = page.url.split("#")[0]
    found = {"lobby": outside(page)}
    page.click("#account-button")
    expect(page.locator("#account-button")).to_have_attribute("aria-expanded", "true")
    page.evaluate("() => document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    found["account"] = outside(page)
    page.keyboard.press("Escape")
    for slug in GAMES:
        for address in (f"#/rules/{slug}", f"#/learn/{slug}", f"#/new/{slug}"):
            page.goto(f"{home}{address}")
            expect(page.locator("main h1")).to_be_visible()
            found[address] = outside(page)
    for address in ("#/players", "#/match/chess/1", "#/match/tic-tac-toe/999999", f"#/player/{ZERO}"):
        page.goto(f"{home}{address}")
        expect(page.locator("main")).to_be_visible()
        page.wait_for_load_state("networkidle")
        found[address] = outside(page)
    assert {where: texts for where, texts in found.items() if texts} == {}


@pytest.mark.parametrize("slug", GAMES)
def test_every_text_of_a_match_is_in_the_tables(board_server: Server, visit: Visit, slug: str) -> None:
    page = visited(visit("about:blank", hints=True), f"{board_server.url}/?language=pseudo")
    page.click(f"#play-{slug}:not([disabled])")
    form = page.locator(f"#new-match-{slug}:not([disabled])")
    expect(page.locator("#board").or_(form).first).to_be_visible()
    if form.is_visible():
        form.click()
        expect(page.locator("#board")).to_be_visible()
    page.evaluate("() => document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert outside(page) == []


@pytest.mark.parametrize(
    ("language", "words"), [("fr", "Ce serveur n’a pas émis ce curseur"), ("zh", "该游标不是由本服务器发出的")]
)
def test_a_refusal_of_the_server_is_in_the_page_s_language(
    board_server: Server, visit: Visit, language: str, words: str
) -> None:
    page = visit(f"{board_server.url}/?language={language}#/")
    page.route("**/api/leaderboard*", lambda route: route.continue_(url=f"{route.request.url}&cursor=none"))
    page.goto(page.url + "players")
    expect(page.get_by_role("alert").first).to_contain_text(words)
