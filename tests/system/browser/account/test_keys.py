"""Tests of the keys that the page manages. The tests create, name, save and import keys. They also
check that the page asks for a backup before money depends on a key."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from eth_account import Account
from playwright.sync_api import Page, expect

from tests.support.page.browser import SCHEMES, barriers
from tests.support.page.input_devices import key_of, press_key
from tests.support.players import rpc_call
from tests.support.server import Server, node_url, up_deployed
from tests.system.browser.conftest import Visit
from tests.system.browser.page_scripts import SMALL_TEXT

READ_STORED_KEYS = """store => new Promise((done, failed) => {
  const asked = indexedDB.open('chainboard');
  asked.onerror = () => failed(asked.error);
  asked.onsuccess = () => {
    const found = asked.result.transaction(store).objectStore(store).getAll();
    found.onsuccess = () => { asked.result.close(); done(found.result); };
  };
})"""
"""A script that returns all entries in one object store of the page's IndexedDB database."""
DISABLE_INDEXEDDB = "IDBFactory.prototype.open = () => { throw new DOMException('Not here.', 'SecurityError'); }"
"""A script that makes IndexedDB fail, as in a browser that forbids sites to store data."""
PROGRESS_WATCHED = """() => {
  window.parts = [];
  const note = () => {
    const bar = document.querySelector('progress');
    if (bar && bar.value !== window.parts.at(-1)) window.parts.push(bar.value);
    requestAnimationFrame(note);
  };
  note();
}"""
DROPPED = """([selector, name, text]) => {
  const data = new DataTransfer();
  data.items.add(new File([text], name, { type: 'application/json' }));
  const drop = new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true });
  document.querySelector(selector).dispatchEvent(drop);
}"""
ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
OTHER_KEY = "0x7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d"
DEVELOPMENT = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"
PASSWORD = "correct horse"
NEW = "main[data-new=battleship]"


def wait_until_ready(page: Page) -> Page:
    expect(page.locator("#play-tic-tac-toe")).to_be_enabled()
    return page


def accounts(page: Page) -> list[str]:
    found: list[str] = page.evaluate("() => window.chainboard.state.accounts.map(({ address }) => address)")
    return found


def stored_keys(page: Page, store: str = "keys") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate(READ_STORED_KEYS, store)
    return found


def open_key_import(page: Page) -> None:
    page.click("#account-button")
    page.click("#bring-key")


def test_the_first_key_is_on_the_disk_before_it_is_used(board_server: Server, visit: Visit) -> None:
    page = wait_until_ready(visit(board_server.url + "/"))
    [first] = stored_keys(page)
    assert [first["address"]] == accounts(page)
    assert Account.from_key(first["key"]).address == first["address"]
    assert page.evaluate("() => localStorage.getItem('chainboard.keys')") is None
    page.click("#account-button")
    page.click("#make-wallet")
    expect(page.locator("#my-address")).not_to_have_text(first["address"])
    assert {one["address"] for one in stored_keys(page)} == set(accounts(page))
    page.reload()
    wait_until_ready(page)
    assert len(accounts(page)) == 2


@pytest.mark.soak
def test_keys_of_earlier_versions_are_migrated_once(board_server: Server, visit: Visit) -> None:
    old = [OTHER_KEY, "0x" + "11" * 32]
    stored = [{"name": "chainboard.keys", "value": json.dumps([*old, "0x12", None, {}])}]
    page = wait_until_ready(
        visit(
            board_server.url + "/",
            storage_state={"cookies": [], "origins": [{"origin": board_server.url, "localStorage": stored}]},
        )
    )
    assert accounts(page) == [Account.from_key(key).address for key in old]
    assert page.evaluate("() => localStorage.getItem('chainboard.keys')") is None
    page.reload()
    wait_until_ready(page)
    assert [one["key"] for one in sorted(stored_keys(page), key=lambda one: int(one["made"]))] == old


@pytest.mark.soak
def test_tabs_opened_together_share_one_key(board_server: Server, visit: Visit) -> None:
    page = visit(board_server.url + "/nothing-here")
    context = page.context
    with context.expect_page(lambda _: len(context.pages) == 4):
        page.evaluate("url => { for (let i = 0; i < 3; i++) window.open(url); }", board_server.url + "/")
    tabs = [wait_until_ready(tab) for tab in context.pages[1:]]
    [address] = {address for tab in tabs for address in accounts(tab)}
    one, other = tabs[:2]
    other.bring_to_front()
    other.click("#account-button")
    one.bring_to_front()
    one.click("#account-button")
    # type slowly, so that the page redraws between the keystrokes
    one.locator("#key-name").press_sequentially("For Sundays", delay=150)
    one.press("#key-name", "Enter")
    one.press("#key-name", "Tab")
    other.bring_to_front()
    expect(other.locator("#account .current .hint").first).to_have_text("For Sundays")
    assert accounts(other) == [address]


def test_browser_without_storage_is_reported(board_server: Server, visit: Visit, page_errors: list[str]) -> None:
    page = visit("about:blank")
    page.add_init_script(DISABLE_INDEXEDDB)
    page.goto(board_server.url + "/")
    wait_until_ready(page)
    page.click("#account-button")
    expect(page.locator("#not-kept")).to_contain_text("You lose the key when you close this tab or reload the page")
    page.click("#account-close")
    page.click("#play-tic-tac-toe")
    page.wait_for_selector("main[data-match]")
    assert page_errors == []


def test_a_key_is_saved_as_a_file_that_other_wallets_open(board_server: Server, visit: Visit, tmp_path: Path) -> None:
    page = wait_until_ready(visit(board_server.url + "/"))
    page.click("#account-button")
    expect(page.locator("#backup-state")).to_contain_text("no backup yet")
    page.click("#save-key")
    page.fill("#save-password", "short")
    page.click("#save-file")
    expect(page.locator("#key-wrong")).to_have_text("The password needs at least 8 characters.")
    page.fill("#save-password", PASSWORD)
    expect(page.locator("#save-password")).to_have_attribute("type", "password")
    page.check("#save-password-show")
    expect(page.locator("#save-password")).to_have_attribute("type", "text")
    page.evaluate(PROGRESS_WATCHED)
    with page.expect_download() as saved:
        page.press("#save-password", "Enter")
    assert len(page.evaluate("() => window.parts")) > 5, "the page continued to draw"
    saved.value.save_as(tmp_path / "key.json")
    file = json.loads((tmp_path / "key.json").read_text())
    [own] = stored_keys(page)
    assert "0x" + bytes(Account.decrypt(file, PASSWORD)).hex() == own["key"]
    assert saved.value.suggested_filename == f"chainboard-{own['address']}.json"
    expect(page.locator("#backup-state")).to_contain_text("You have a backup of this key")
    assert own["backedUp"] is True
    assert page.locator("#save-password").count() == 0, "the password field must be gone"


def test_private_key_is_imported_and_used(board_server: Server, visit: Visit) -> None:
    page = wait_until_ready(visit(board_server.url + "/"))
    open_key_import(page)
    bad = {
        "0x" + "00" * 32: "Zero is not a private key",
        hex(ORDER): "the number is too high",
        "0xabc": "A private key has 64 hex digits; this one has 3.",
        "hello": "has only the digits 0 to 9 and the letters a to f",
        stored_key(page): "You already have this key: 0x",
    }
    for text, sentence in bad.items():
        page.fill("#key-text", text)
        page.click("#bring")
        expect(page.locator("#key-wrong")).to_contain_text(sentence)
    page.fill("#key-text", OTHER_KEY)
    page.click("#bring")
    expect(page.locator("#my-address")).to_have_text(Account.from_key(OTHER_KEY).address)
    assert len(stored_keys(page)) == 2
    page.reload()
    wait_until_ready(page)
    assert page.evaluate("() => window.chainboard.state.me") == Account.from_key(OTHER_KEY).address


def stored_key(page: Page) -> str:
    return str(stored_keys(page)[0]["key"])


@pytest.mark.parametrize("way", ["chosen", pytest.param("dropped", marks=pytest.mark.soak)])
def test_keystore_file_is_imported(board_server: Server, visit: Visit, way: str) -> None:
    text = json.dumps(Account.encrypt(OTHER_KEY, PASSWORD, kdf="pbkdf2", iterations=2000))
    page = wait_until_ready(visit(board_server.url + "/"))
    open_key_import(page)
    import_secret(page, way, "broken.json", text[: len(text) // 2])
    expect(page.locator("#key-wrong")).to_have_text("This is not a keystore file, or it is damaged.")
    import_secret(page, way, "key.json", text)
    expect(page.locator("#key-drop")).to_contain_text("key.json")
    page.fill("#file-password", "wrong")
    page.click("#bring")
    expect(page.locator("#key-wrong")).to_contain_text("The password doesn’t open this file")
    page.fill("#file-password", PASSWORD)
    page.click("#bring")
    expect(page.locator("#my-address")).to_have_text(Account.from_key(OTHER_KEY).address)
    expect(page.locator("#key-done")).to_contain_text("now in this browser")
    assert page.locator("#file-password").count() == 0


def import_secret(page: Page, way: str, name: str, text: str) -> None:
    if way == "dropped":
        page.wait_for_selector("#key-drop")
        page.evaluate(DROPPED, ["#key-drop", name, text])
    else:
        page.set_input_files("#key-file", {"name": name, "mimeType": "application/json", "buffer": text.encode()})


def test_a_secret_leaves_the_page_with_the_drawer(board_server: Server, visit: Visit) -> None:
    page = wait_until_ready(visit(board_server.url + "/"))
    key = key_of(page)
    assert key == stored_key(page)
    assert key not in page.content()
    page.click("#account-button")
    assert key not in page.content(), "the key appears only on request"
    page.click("#show-key")
    page.click("#make-wallet")
    expect(page.locator("#my-address")).not_to_have_text(accounts(page)[0])
    assert page.locator("#private-key").count() == 0, "the next account's key must not appear either"


@pytest.mark.soak
def test_a_stake_waits_for_a_backup(board_server: Server, visit: Visit) -> None:
    page = visit(f"{board_server.url}/#/new/battleship")
    expect(page.locator("#new-match-battleship")).to_be_enabled()
    page.fill(f"{NEW} [data-input=stake]", "0.1")
    page.select_option(f"{NEW} [data-input=clock]", "86400")
    why = page.locator("#why-new-match-battleship")
    expect(why).to_have_text("Back up your key before you play for stakes: this browser could lose it.")
    press_key(page, "[data-remedy=to-backup]")
    expect(page.locator("#save-key")).to_be_focused()
    page.click("#show-key")
    page.click("#key-kept")
    expect(page.locator("#new-match-battleship")).to_be_enabled()
    page.click("#development-accounts")
    page.click(f"[data-use='{DEVELOPMENT}']")
    expect(page.locator("#new-match-battleship")).to_be_enabled()
    page.click("#make-wallet")
    expect(why).to_contain_text("Back up your key")
    page.fill(f"{NEW} [data-input=stake]", "0")
    expect(page.locator("#new-match-battleship")).to_be_enabled()


@pytest.mark.soak
def test_too_little_ether_says_how_much_is_missing(visit: Visit, tmp_path: Path) -> None:
    with up_deployed(tmp_path) as server:
        page = wait_until_ready(visit(f"{server.url}/"))
        page.goto(f"{server.url}/#/new/tic-tac-toe")
        page.click("#account-button")
        page.click("#development-accounts")
        page.click(f"[data-use='{DEVELOPMENT}']")
        page.click("#account-close")
        rpc_call(node_url(tmp_path), "anvil_setBalance", DEVELOPMENT, hex(10**13))
        why = page.locator("#why-new-match-tic-tac-toe")
        expect(why).to_contain_text("You have 0.00001 ETH, so you need about 0.0")
        page.click("main [data-remedy=faucet]")
        expect(page.locator("#new-match-tic-tac-toe")).to_be_enabled()
        assert page.locator("[data-remedy]").count() == 0
        rpc_call(node_url(tmp_path), "anvil_setBalance", DEVELOPMENT, "0x0")
        page.click("main [data-remedy=faucet]")
        expect(why).to_contain_text("The faucet is busy")
        # the page sends the failed faucet request again by itself
        expect(page.locator("#new-match-tic-tac-toe")).to_be_enabled(timeout=120_000)


@pytest.mark.soak
def test_balance_rejected_by_the_node_is_reported_as_the_missing_amount(visit: Visit, tmp_path: Path) -> None:
    """Tests that the page shows how much ether is missing when the node rejects a transaction. The
    balance would pay for a cheaper transaction, so the page learns this only from the node's
    error."""
    with up_deployed(tmp_path) as server:
        page, node = wait_until_ready(visit(f"{server.url}/")), node_url(tmp_path)
        page.goto(f"{server.url}/#/new/touche-coule")
        page.click("#account-button")
        page.click("#development-accounts")
        page.click(f"[data-use='{DEVELOPMENT}']")
        page.click("#account-close")
        base = int(rpc_call(node, "eth_getBlockByNumber", "latest", False)["baseFeePerGas"], 16)
        tip = int(rpc_call(node, "eth_maxPriorityFeePerGas"), 16)
        rpc_call(node, "anvil_setBalance", DEVELOPMENT, hex(50_000 * (2 * base + tip)))
        page.click("#new-match-touche-coule:not([disabled])")
        expect(page.locator("main .trouble p")).to_contain_text("This can cost up to 0.000")
        expect(page.locator("main .trouble p")).to_contain_text("ETH more.")
        page.click("main [data-remedy=faucet]")
        page.wait_for_selector("[data-remedy]", state="detached")
        page.click("#new-match-touche-coule")
        page.wait_for_selector("main[data-match^='touche-coule/']")


@SCHEMES
def test_drawer_is_accessible(board_server: Server, visit: Visit, scheme: str) -> None:
    page = wait_until_ready(visit(board_server.url + "/", width=390, height=844, color_scheme=scheme))
    page.click("#account-button")
    for form in ("#show-key", "#save-key", "#bring-key"):
        page.click(form)
        assert barriers(page) == []
        assert page.evaluate(SMALL_TEXT) == []
        assert page.evaluate("() => document.querySelector('#account').scrollWidth <= innerWidth")
