"""Tests of the parts of the page that load late. A part might fail to load, or the server might
already have a newer version of the page."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Request, Route, expect

from tests.support.page.browser import CHROMIUM, FLAGS, requests_held
from tests.support.server import Server
from tests.system.browser.conftest import Visit

PART = re.compile(r"/leaderboard-[0-9A-Z]{8}\.js$")
"""A pattern that matches only the script that draws the leaderboard."""
FIRST = re.compile(r"/(page|en)-[0-9A-Z]{8}\.js$")
"""A pattern that matches the scripts without which the page can't draw anything."""
DRAWER = re.compile(r"/drawer-[0-9A-Z]{8}\.js$")
FRENCH = re.compile(r"/fr-[0-9A-Z]{8}\.js$")
FIRST_OF_FRAME = re.compile(r"/framed-match-[0-9A-Z]{8}\.js$")
RENDERER = re.compile(r"/renderer-[0-9A-Z]{8}\.js$")
AS_FIREFOX = """window.BroadcastChannel = class {
  constructor() { throw new DOMException("The operation is insecure.", "SecurityError"); }
};"""
"""A script that makes Chromium throw an error when the page opens a broadcast channel. Firefox does
this if sites may not save data."""
KEYS_IN_MEMORY = "IDBFactory.prototype.open = () => { throw new DOMException('', 'UnknownError'); };"
"""A script after which the page can't open its database of keys, as on a full disk."""
DRAW_A_LINK_BEFORE = """async source => {
  const { draw, h } = await import(`data:text/javascript,${encodeURIComponent(source)}`);
  draw(document.body, [h("a", { id: "new" })]);
  const link = document.getElementById("new");
  link.href = "#";
  link.focus();
  draw(document.body, [h("a", { id: "rules" }), h("a", { id: "new" })]);
  return [[...document.body.children].map(({ id }) => id), document.activeElement.id];
}"""
LEFT = "link => link.getBoundingClientRect().left"
SCRIPT = re.compile(r'src="main-[0-9A-Z]{8}\.js"')


class Visitor:
    """A visitor whose page can't load one of its scripts. If `always` is False, the script fails to
    load only when the page loads for the first time."""

    def __init__(
        self, server: Server, page: Page, meet: Callable[[Route], None], *, always: bool, part: re.Pattern[str] = PART
    ) -> None:
        self.server, self.page = server, page
        self.loads = 0
        page.on("request", self._count)
        page.route(part, lambda route: meet(route) if always or self.loads == 1 else route.continue_())

    def arrive(self) -> Visitor:
        self.page.goto(self.server.url)
        self.page.wait_for_selector("[id^=play-]:not([disabled])")
        return self

    def _count(self, request: Request) -> None:
        if request.is_navigation_request():
            self.loads += 1

    def go(self, path: str) -> None:
        self.page.goto(f"{self.server.url}/#/{path}")


def lost(route: Route) -> None:
    route.abort()


def missing(route: Route) -> None:
    route.fulfill(status=404)


def stalled(_: Route) -> None:
    """Leave the request for a script unanswered."""


def newer(route: Route) -> None:
    """If a script requests the page's HTML, respond with a newer version of the page. If the
    browser navigates to the page, respond with the real page."""
    if route.request.resource_type != "fetch":
        return route.continue_()
    answer = route.fetch()
    return route.fulfill(response=answer, body=SCRIPT.sub('src="main-NEWERONE.js"', answer.text()))


@pytest.mark.parametrize("fail", [lost, missing])
def test_missing_part_is_loaded_by_one_reload_that_keeps_typed_text(
    board_server: Server, visit: Visit, fail: Callable[[Route], None]
) -> None:
    page = visit("about:blank")
    visitor = Visitor(board_server, page, fail, always=False).arrive()
    visitor.go("new/tic-tac-toe")
    field = page.locator("main [data-input=challenger]")
    field.fill("0x1234")
    visitor.go("players")
    expect(page.locator("main h1")).to_have_text("Players and ratings")
    assert visitor.loads == 2
    visitor.go("new/tic-tac-toe")
    expect(field).to_have_value("0x1234")


def test_a_page_whose_keys_are_in_memory_loads_nothing_by_itself(board_server: Server, visit: Visit) -> None:
    page = visit("about:blank")
    page.add_init_script(KEYS_IN_MEMORY)
    visitor = Visitor(board_server, page, lost, always=False).arrive()
    me = page.evaluate("() => window.chainboard.state.me")
    visitor.go("players")
    expect(page.locator("#load-again")).to_be_visible()
    assert (visitor.loads, page.evaluate("() => window.chainboard.state.me")) == (1, me)


def test_unavailable_part_shows_a_sentence_with_a_button(board_server: Server, visit: Visit) -> None:
    page = visit("about:blank")
    visitor = Visitor(board_server, page, lost, always=True).arrive()
    visitor.go("players")
    expect(page.locator("main [role=alert]")).to_have_text(
        "This part of the page could not be loaded. Check your connection, then try again."
    )
    assert visitor.loads == 2
    page.unroute(PART)
    page.click("#load-again")
    expect(page.locator("main h1")).to_have_text("Players and ratings")


def test_trying_again_without_a_server_stays_on_the_page(board_server: Server, visit: Visit) -> None:
    page = visit("about:blank")
    visitor = Visitor(board_server, page, lost, always=True).arrive()
    visitor.go("players")
    page.wait_for_selector("#load-again")
    page.route(f"{board_server.url}/", lost)
    with page.expect_event("requestfailed"):
        page.click("#load-again")
    expect(page.locator("main [role=alert]")).to_contain_text("could not be loaded")
    assert visitor.loads == 2


def test_the_account_s_drawer_that_can_not_be_had_says_so(board_server: Server, visit: Visit) -> None:
    page = visit("about:blank")
    visitor = Visitor(board_server, page, lost, always=True, part=DRAWER).arrive()
    with page.expect_navigation():
        page.click("#account-button")
    page.click("#account-button")
    expect(page.locator(".drawer [role=alert]")).to_contain_text("could not be loaded")
    page.unroute(DRAWER)
    with page.expect_navigation():
        page.click("#load-again")
    page.click("#account-button")
    expect(page.locator("#account-title")).to_be_visible()
    assert visitor.loads == 3


def test_a_language_that_can_not_be_had_is_not_chosen(board_server: Server, visit: Visit) -> None:
    page = visit("about:blank")
    visitor = Visitor(board_server, page, lost, always=False, part=FRENCH).arrive()
    page.select_option("#language", "fr")
    page.wait_for_function("() => document.getElementById('language').validationMessage.includes('reload the page')")
    expect(page.locator("#language")).to_have_value("en")
    page.reload()
    page.select_option("#language", "fr")
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    assert visitor.loads == 2


def test_reload_is_offered_when_it_brings_no_newer_page(board_server: Server, visit: Visit) -> None:
    page = visit("about:blank")
    page.route(f"{board_server.url}/", newer)
    visitor = Visitor(board_server, page, missing, always=True).arrive()
    visitor.go("players")
    expect(page.locator("main [role=alert]")).to_have_text("A new version is available.")
    expect(page.locator("#load-again")).to_have_text("Reload")
    assert visitor.loads == 2


def test_a_link_drawn_before_another_does_not_replace_it(visit: Visit) -> None:
    """Tests that a focused link keeps the focus when the page inserts another link before it."""
    source = (Path(__file__).parents[4] / "frontend-static" / "lib" / "dom.js").read_text("utf-8")
    drawn = visit("about:blank").evaluate(DRAW_A_LINK_BEFORE, source)
    assert drawn == [["rules", "new"], "new"]


def test_the_link_to_a_game_s_rules_moves_no_link_when_its_module_arrives(board_server: Server, visit: Visit) -> None:
    """Tests that a link to a game's rules doesn't move other links when it appears. The test uses
    French texts, because the French links don't fit on one line."""
    page = visit("about:blank", width=390, locale="fr-FR")
    link, rules = page.locator("#new-tic-tac-toe"), page.locator("#rules-tic-tac-toe")
    with requests_held(page, RENDERER):
        page.goto(board_server.url)
        expect(link).to_be_visible()
        expect(rules).to_be_hidden()
        before = link.evaluate(LEFT)
    expect(rules).to_be_visible()
    assert link.evaluate(LEFT) == before


def test_a_page_without_its_first_parts_loads_them_again(board_server: Server, visit: Visit) -> None:
    page = visit("about:blank")
    visitor = Visitor(board_server, page, lost, always=False, part=FIRST)
    visitor.go("players")
    expect(page.locator("main h1")).to_have_text("Players and ratings")
    expect(page.locator("#not-loaded")).to_have_count(0)
    assert visitor.loads == 2


def test_where_the_first_parts_can_not_be_had_a_link_loads_them_at_the_same_address(
    board_server: Server, visit: Visit
) -> None:
    page = visit("about:blank")
    visitor = Visitor(board_server, page, lost, always=True, part=FIRST)
    visitor.go("players")
    expect(page.locator("#not-loaded p").first).to_have_text("The page hasn’t loaded yet. Reload it")
    expect(page.locator("#not-loaded")).to_be_visible()
    assert visitor.loads == 2
    page.unroute(FIRST)
    page.click("#not-loaded a >> nth=0")
    expect(page.locator("main h1")).to_have_text("Players and ratings")
    assert visitor.loads == 3


def test_where_the_server_does_not_answer_the_page_stays_and_says_so(board_server: Server, visit: Visit) -> None:
    page = visit("about:blank")
    page.route(
        f"{board_server.url}/",
        lambda route: lost(route) if route.request.resource_type == "fetch" else route.continue_(),
    )
    visitor = Visitor(board_server, page, lost, always=True, part=FIRST)
    visitor.go("players")
    expect(page.locator("#not-loaded")).to_have_attribute("data-failed", "")
    expect(page.locator("#not-loaded")).to_be_visible()
    assert visitor.loads == 1


def test_the_link_of_a_slow_page_keeps_its_address_and_its_text_can_be_marked(
    board_server: Server, visit: Visit
) -> None:
    page = visit("about:blank")
    page.context.new_cdp_session(page).send("Animation.setPlaybackRate", {"playbackRate": 1000})
    visitor = Visitor(board_server, page, stalled, always=False, part=FIRST)
    page.goto(f"{board_server.url}/#/players", wait_until="commit")
    expect(page.locator("#not-loaded")).to_be_visible()
    page.wait_for_function("() => performance.getEntriesByType('resource').some(({ name }) => /main-/.test(name))")
    page.click("#not-loaded p >> nth=0", position={"x": 1, "y": 1})
    assert visitor.loads == 1
    page.click("#not-loaded a >> nth=0")
    expect(page.locator("main h1")).to_have_text("Players and ratings")
    assert visitor.loads == 2


def test_a_browser_that_keeps_nothing_plays(
    board_server: Server, chromium: Browser, page_errors: list[str], tmp_path: Path
) -> None:
    """Tests that a visitor can play although the browser's settings forbid all sites to save
    data."""
    (tmp_path / "Default").mkdir()
    refused = {"profile": {"default_content_setting_values": {"cookies": 2}}}
    (tmp_path / "Default" / "Preferences").write_text(json.dumps(refused), "utf-8")
    context = chromium.browser_type.launch_persistent_context(tmp_path, executable_path=CHROMIUM, args=FLAGS)
    context.add_init_script(AS_FIREFOX)
    page = context.new_page()
    page.on("pageerror", lambda error: page_errors.append(str(error)))
    page.goto(board_server.url)
    expect(page.locator("[id^=play-]:not([disabled])").first).to_be_visible()
    assert page.evaluate("() => { try { return sessionStorage.length; } catch (error) { return error.name; } }") == (
        "SecurityError"
    )
    page.goto(f"{board_server.url}/#/new/tic-tac-toe")
    page.click("#new-match-tic-tac-toe")
    page.wait_for_selector("main[data-match^='tic-tac-toe/']")
    asked: list[str] = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    page.evaluate("() => void setTimeout(() => location.reload())")
    page.wait_for_event("dialog")
    assert asked == ["beforeunload"]
    page.wait_for_selector("main[data-match^='tic-tac-toe/']")
    context.close()
    assert page_errors == []


def test_a_page_without_any_script_says_so_after_a_while(board_server: Server, visit: Visit) -> None:
    page = visit("about:blank")
    page.context.new_cdp_session(page).send("Animation.setPlaybackRate", {"playbackRate": 1000})
    page.route(re.compile(r"/main-[0-9A-Z]{8}\.js$"), lost)
    page.goto(board_server.url)
    expect(page.locator("#not-loaded")).to_be_visible()


def test_a_frame_without_its_first_parts_loads_them_again(board_server: Server, visit: Visit) -> None:
    page = visit("about:blank")
    visitor = Visitor(board_server, page, lost, always=False, part=FIRST_OF_FRAME)
    page.goto(f"{board_server.url}/embed/touche-coule/1")
    expect(page.locator("main")).to_be_visible()
    assert visitor.loads == 2


@pytest.mark.parametrize("always", [False, True])
def test_a_frame_whose_game_can_not_be_had_loads_again_then_offers_to(
    board_server: Server, visit: Visit, always: bool
) -> None:
    page = visit("about:blank")
    visitor = Visitor(board_server, page, lost, always=always, part=RENDERER)
    page.goto(f"{board_server.url}/embed/touche-coule/1")
    if always:
        expect(page.locator("main [role=alert]")).to_contain_text("This part of the page could not be loaded.")
        page.unroute(RENDERER)
        page.click("#load-again")
    page.wait_for_selector("#board svg, #board canvas")
    assert visitor.loads == 2 + always
