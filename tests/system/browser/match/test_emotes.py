"""Tests of emotes between two browsers and a spectator. Players send emotes with buttons and keys,
and can mute them. An emote must cover no other element."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests.support.page.browser import barriers
from tests.support.page.input_devices import press_key
from tests.support.server import Server
from tests.system.browser.conftest import Visit
from tests.system.browser.lobby.test_pairing import MY_ACCOUNT
from tests.system.browser.match.test_table import begun
from tests.system.browser.page_scripts import COVERED_ELEMENTS

SIZES = ((1440, 900), (390, 844), (844, 390))
POSITIONS = """() => [...document.querySelectorAll('.player, #board')].map(one => {
  const { x, y, width, height } = one.getBoundingClientRect();
  return [x, y + scrollY, width, height].map(Math.round);
})"""
UNREACHABLE_BUTTONS = """() => [...document.querySelectorAll('.emotes button')].filter(one => {
  const { left, right, top, bottom } = one.getBoundingClientRect();
  return document.elementFromPoint((left + right) / 2, (top + bottom) / 2)?.closest('button') !== one;
}).map(one => one.textContent)"""
"""A script that returns the buttons that are outside the window or covered by other elements."""
HOLD_BUBBLES = """() => {
  const run = window.setTimeout;
  window.ends = [];
  window.setTimeout = (end, ms, ...more) => (ms === 4000 ? window.ends.push(end) : run(end, ms, ...more));
}"""
"""A script that keeps the bubbles that show emotes on the page until the test removes them."""
REMOVE_BUBBLES = "() => window.ends.splice(0).forEach(end => end())"


def bubble(page: Page, address: str) -> Locator:
    return page.locator(f"[data-player='{address}'] .bubble")


def expect_emote(page: Page, address: str, emote: str) -> None:
    expect(bubble(page, address)).to_have_attribute("data-emote", emote)


def hold_bubbles(*pages: Page) -> None:
    for page in pages:
        page.wait_for_selector("main[data-status=playing]")
        page.evaluate(HOLD_BUBBLES)


def remove_bubbles(*pages: Page) -> None:
    for page in pages:
        page.evaluate(REMOVE_BUBBLES)
        expect(page.locator(".bubble[data-emote]")).to_have_count(0)


def addresses(*pages: Page) -> list[str]:
    return [str(page.evaluate(MY_ACCOUNT)) for page in pages]


def test_an_emote_is_seen_by_all_in_their_languages_and_covers_nothing(
    board_server: Server, visit: Visit, page_errors: list[str]
) -> None:
    host, guest = begun(board_server, visit)
    sender, _opponent = addresses(host, guest)
    onlooker = visit(host.url, locale="fr-FR")
    hold_bubbles(host, guest, onlooker)
    for width, height in SIZES:
        for page in (host, guest, onlooker):
            page.set_viewport_size({"width": width, "height": height})
        before = [page.evaluate(POSITIONS) for page in (host, guest, onlooker)]
        host.click("#emote-button")
        expect(host.locator(".emotes [data-emote]")).to_have_count(6)
        assert host.evaluate(COVERED_ELEMENTS, ".emotes") == host.evaluate(UNREACHABLE_BUTTONS) == [], (width, height)
        if width == 1440:
            assert (host.evaluate(POSITIONS), host.evaluate("scrollY")) == (before[0], 0), "nothing must move"
        assert barriers(host) == []
        host.click(".emotes [data-emote=well-played]")
        expect(host.locator(".emotes")).to_have_count(0)
        for page, were in zip((host, guest, onlooker), before, strict=True):
            expect_emote(page, sender, "well-played")
            assert page.evaluate(POSITIONS) == were, (width, height)
            assert page.evaluate(COVERED_ELEMENTS, ".bubble") == [], (width, height)
        expect(bubble(guest, sender).get_by_text("Well played")).to_be_visible()
        expect(bubble(onlooker, sender).get_by_text("Bien joué")).to_be_visible()
        expect(bubble(onlooker, sender)).to_have_role("status")
        remove_bubbles(host, guest, onlooker)
    expect(onlooker.locator("#emote-button")).to_have_count(0)
    assert page_errors == []


def test_keys_send_an_emote_and_mute_hides_those_of_others_for_good(
    board_server: Server, visit: Visit, page_errors: list[str]
) -> None:
    host, guest = begun(board_server, visit)
    me, opponent = addresses(host, guest)
    onlooker = visit(host.url)
    hold_bubbles(host, guest, onlooker)

    guest.keyboard.press("e")
    expect(guest.locator("#emote-button")).to_have_attribute("aria-expanded", "true")
    guest.keyboard.press("2")
    for page in (host, guest, onlooker):
        expect_emote(page, opponent, "nice-shot")
        expect(page.locator(".emotes")).to_have_count(0)
    remove_bubbles(guest, onlooker)

    press_key(host, "#emote-button")
    press_key(host, "#emote-mute")
    expect(host.locator("#emote-mute")).to_have_attribute("aria-pressed", "true")
    expect(bubble(host, opponent)).to_be_empty()
    host.keyboard.press("Escape")
    expect(host.locator(".emotes")).to_have_count(0)
    expect(host.locator("#emote-button")).to_be_focused()

    host.reload()
    hold_bubbles(host)
    for page, key, emote in ((guest, "3", "oops"), (host, "6", "hello")):
        page.keyboard.press("e")
        page.keyboard.press(key)
        expect_emote(onlooker, opponent if page is guest else me, emote)
        expect_emote(guest, opponent if page is guest else me, emote)
    expect_emote(host, me, "hello")  # the host has muted emotes, so the guest's emote is hidden
    expect(bubble(host, opponent)).to_be_empty()

    onlooker.click("#account-button")
    onlooker.click("#emotes-switch")
    expect(onlooker.locator("#emotes-switch")).to_have_attribute("aria-checked", "false")
    expect(onlooker.locator(".bubble[data-emote]")).to_have_count(0)
    assert page_errors == []


def test_nothing_is_sent_from_the_past_nor_from_a_frame(
    board_server: Server, visit: Visit, page_errors: list[str]
) -> None:
    host, _guest = begun(board_server, visit)
    expect(host.locator("#emote-button")).to_be_visible()
    match = host.get_attribute("main", "data-match")
    host.goto(f"{board_server.url}/#/match/{match}@1")
    host.wait_for_selector("main[data-past='1']")
    expect(host.locator("#emote-button")).to_have_count(0)
    host.keyboard.press("e")
    host.goto(f"{board_server.url}/#/match/{match}")
    expect(host.locator("#emote-button")).to_have_attribute("aria-expanded", "false")
    host.goto(f"{board_server.url}/embed/{match}")
    host.wait_for_selector("main.embed #board")
    expect(host.locator("#emote-button")).to_have_count(0)
    assert page_errors == []
