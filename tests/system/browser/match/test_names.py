"""Tests of players' names on the page. Each account has the same two words and flag everywhere, and
a click on them shows the account's address. The tests also cover public nicknames, and private
petnames that only one browser knows."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from api.names.account_names import name_of
from tests.support.page.browser import barriers
from tests.support.server import Server
from tests.system.browser.conftest import Visit
from tests.system.browser.games.test_tic_tac_toe import both_sides, tap

ME = "() => window.chainboard.state.me"
PETNAMES = "chainboard.nicknames"
OWN = "Ann of the Sea"


def shown_flags(page: Page, address: str) -> set[str]:
    """Return the flags that the page shows next to an account's name."""
    flags = page.locator(f"[data-address='{address}'] .flag").all()
    return {str(flag.get_attribute("data-flag")) for flag in flags}


def test_the_address_by_a_press_and_a_name_that_stays_in_this_browser(
    board_server: Server, visit: Visit, page_errors: list[str]
) -> None:
    sent: list[str] = []
    player = visit(board_server.url + "/")
    match = both_sides(player, board_server.url)
    tap(player, 4)
    page = visit(f"{board_server.url}/#/players", permissions=["clipboard-read", "clipboard-write"])
    page.on("request", lambda request: sent.append(f"{request.url} {request.post_data}"))
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(str(frame))))
    page.goto(f"{board_server.url}/#/match/{match}")
    opponent = str(page.locator(".players [data-player]").last.get_attribute("data-player"))
    name = page.locator(f".players [data-player='{opponent}'] button.address")
    expect(name).to_have_text(name_of(opponent))
    expect(name).to_have_attribute("title", opponent)
    expect(page.locator("#feed")).to_contain_text(name_of(opponent))

    name.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#name-address")).to_have_text(opponent)
    expect(name).to_have_attribute("aria-expanded", "true")
    page.click("#copy-name-address")
    expect(page.locator("#copy-name-address")).to_have_text("Copied")
    assert page.evaluate("() => navigator.clipboard.readText()") == opponent
    assert barriers(page) == []

    field, why = page.locator(f"[data-petname='{opponent}'] input"), page.locator(f"[data-petname='{opponent}'] .why")
    for wrong, sentence in (("a" * 10_000, "at most 32 characters"), ("Ann\u202ennA", "invisible characters")):
        field.fill(wrong)
        expect(why).to_contain_text(sentence)
        page.click(f"[data-petname='{opponent}'] button")
        field.press("Enter")
    assert page.evaluate(f"() => localStorage.getItem('{PETNAMES}')") is None
    field.fill(f" {OWN} ")
    field.press("Enter")
    expect(name).to_have_text(OWN)
    expect(page.locator("#feed")).to_contain_text(OWN)
    expect(page.locator("#feed")).not_to_contain_text(name_of(opponent))
    page.keyboard.press("Escape")
    expect(page.locator("#name-card")).to_have_count(0)

    for _ in range(2):
        page.reload()
        expect(name).to_have_text(OWN)
    name.click()
    page.click("#name-page")
    expect(page.locator("main h1")).to_have_text(OWN)
    expect(page.locator("#player-address")).to_have_text(opponent)
    expect(page.locator(f"[data-match='{match}'] [data-address='{opponent}'] .words")).to_have_text(OWN)
    assert barriers(page) == []
    assert [one for one in sent if "Ann" in one] == []
    assert page_errors == []


@pytest.mark.soak
def test_two_that_are_called_alike_get_a_digit_and_keep_their_flags(board_server: Server, visit: Visit) -> None:
    match = both_sides(visit(board_server.url + "/"), board_server.url)
    page = visit(f"{board_server.url}/#/match/{match}", width=390, height=844, has_touch=True)
    expect(page.locator(".players [data-player]")).to_have_count(2)
    addresses = [str(row.get_attribute("data-player")) for row in page.locator(".players [data-player]").all()]
    one_of_them, opponent = addresses
    mine = str(page.evaluate(ME))
    flags = {one: shown_flags(page, one) for one in addresses}
    assert [len(found) for found in flags.values()] == [1, 1]
    page.locator(f".players [data-player='{opponent}'] button.address").tap()
    expect(page.locator("#name-address")).to_have_text(opponent)
    page.locator(f"[data-petname='{opponent}'] input").fill(name_of(one_of_them))
    page.locator(f"[data-petname='{opponent}'] button").tap()
    at = next(i for i in range(2, 42) if one_of_them[i].lower() != opponent[i].lower())
    for one in addresses:
        row = page.locator(f".players [data-player='{one}'] button.address")
        expect(row).to_have_text(f"{name_of(one_of_them)} {one[at].upper()}")
    assert {one: shown_flags(page, one) for one in addresses} == flags
    assert page.evaluate("() => document.documentElement.scrollWidth") == 390

    page.locator("#account-button").tap()
    expect(page.locator("#my-address")).to_have_text(mine)
    page.locator(f"#account [data-nickname='{mine}'] input").fill("Captain")
    page.locator(f"#account [data-nickname='{mine}'] button").tap()
    expect(page.locator("#account-button .address")).to_have_text("Captain")

    page.evaluate(f"() => localStorage.setItem('{PETNAMES}', '{{damaged')")
    page.reload()
    page.wait_for_selector(f"main[data-match='{match}']")
    expect(page.locator(f".players [data-player='{opponent}'] button.address")).to_have_text(name_of(opponent))
    expect(page.locator("#account-button .address")).to_have_text("Captain")


def take_nickname(page: Page, name: str) -> str:
    """Enter a nickname for the current account in the account drawer, and leave the drawer open.
    Return the account."""
    if not page.locator("#account").count():
        page.click("#account-button")
    form = page.locator("#account [data-nickname]")
    form.locator("input").fill(name)
    form.locator("input").press("Enter")
    return str(form.get_attribute("data-nickname"))


def test_a_nickname_is_seen_by_all_in_each_language_and_in_frames_and_found(
    board_server: Server, visit: Visit, page_errors: list[str]
) -> None:
    ann = visit(board_server.url + "/")
    match = both_sides(ann, board_server.url)
    before = ann.evaluate(ME)
    tap(ann, 4)
    ann.wait_for_function(f"before => ({ME})() !== before", arg=before)  # now it is the opponent's turn
    mine = take_nickname(ann, "  Ann   of Aran ")
    expect(ann.locator("#account-button .address")).to_have_text("Ann of Aran")
    expect(ann.locator("#my-name .words")).to_have_text("Ann of Aran")
    assert barriers(ann) == []

    for locale in ("en-US", "fr-FR", "zh-CN"):
        onlooker = visit(f"{board_server.url}/#/match/{match}", locale=locale)
        expect(onlooker.locator(f".players [data-player='{mine}'] button.address")).to_have_text("Ann of Aran")
        expect(onlooker.locator("#feed")).to_contain_text("Ann of Aran")
    onlooker.goto(f"{board_server.url}/embed/{match}")
    expect(onlooker.locator("main")).to_contain_text("Ann of Aran")

    bob = visit(f"{board_server.url}/#/players")
    for typed, why in (("nobody at all", "No player is called “nobody at all”."), ("ANN OF ARAN", "")):
        bob.fill("#find-player", typed)
        bob.press("#find-player", "Enter")
        expect(bob.locator("#find-why") if why else bob.locator("#player-address")).to_have_text(why or mine)
    expect(bob.locator("main h1")).to_have_text("Ann of Aran")
    assert barriers(bob) == []
    assert page_errors == []

    take_nickname(bob, "Аnn of Arаn")  # two of these letters are Cyrillic
    why = bob.locator("#account [data-nickname] .why")
    expect(why).to_have_attribute("data-why", "problem.bad-nickname.scripts")
    take_nickname(bob, "Ann 0f Aran")
    expect(why).to_have_attribute("data-why", "problem.nickname-taken")
    words = name_of(str(bob.evaluate(ME)))
    expect(bob.locator("#account-button .address")).to_have_text(words)
    take_nickname(ann, "")
    expect(ann.locator("#account-button .address")).to_have_text(name_of(mine))
    take_nickname(bob, "Ann 0f Aran")
    expect(bob.locator("#account-button .address")).to_have_text("Ann 0f Aran")
    assert [one for one in page_errors if "422" not in one and "409" not in one] == []
