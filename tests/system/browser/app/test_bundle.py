"""The page's script: all modules in one request, made anew when one changes, and what happens where that can't be."""

from __future__ import annotations

import json
import logging
import shutil
from pathlib import Path

import pytest

from api.static import page
from contracts import npm
from tests.support.server import Server
from tests.system.browser.conftest import Visit

MODULES = [path for path in page.folder().rglob("*.js") if "vendor" not in path.parts]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A page of its own, whose modules may be changed."""
    return Path(shutil.copytree(page.folder(), tmp_path / "page"))


def test_all_modules_come_in_one_request(board_server: Server, visit: Visit, complaints: list[str]) -> None:
    seen: list[str] = []
    visitor = visit("about:blank")
    visitor.on("request", lambda request: seen.append(request.url.removeprefix(board_server.url)))
    visitor.goto(board_server.url + "/")
    visitor.wait_for_selector("#play-tic-tac-toe:not([disabled])")
    assert [path for path in seen if path.endswith(".js")] == ["/main.js"]
    assert complaints == []


def test_its_source_map_holds_each_module_as_it_is_written() -> None:
    packed = page.PageScript(page.folder())()
    assert packed["main.js"].decode().rstrip().endswith("//# sourceMappingURL=main.js.map")
    told = json.loads(packed["main.js.map"])
    written = dict(zip(told["sources"], told["sourcesContent"], strict=True))
    assert len(written) > len(MODULES) * 0.8  # some hold types alone, or are for Node or a worker
    for name, text in written.items():
        assert text == (page.folder() / name).read_text("utf-8"), name


def test_a_framed_page_holds_no_code_that_knows_keys() -> None:
    script = page.PageScript(page.folder())()
    held = set(json.loads(script["embed.js.map"])["sources"])
    assert {"embed.js", "views/embed.js", "app/match/framed.js", "vendor/ethers-abi.js"} <= held
    assert {name for name in held if name.startswith("chain/") or "ethers.min" in name} == set()
    for word in (b"HDNodeWallet", b"SigningKey", b"Mnemonic", b"scrypt", b"secp256k1", b"eth_sendTransaction"):
        assert word not in script["embed.js"], word
        assert word in script["main.js"], word


def test_a_module_that_changed_is_served_at_the_next_request(copy: Path) -> None:
    script = page.PageScript(copy)
    before = script()
    assert script() is before
    with (copy / "views/parts/tx-status.js").open("a") as file:
        file.write('\nconsole.log("changed since");\n')
    assert b"changed since" in script()["main.js"]
    (copy / "games" / "another.js").write_text('export const words = { lead: "a game from elsewhere" };\n')
    assert b"a game from elsewhere" in script()["main.js"]


def test_modules_that_can_not_be_packed_are_served_as_they_are(copy: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The browser then says itself what is wrong, and where."""
    caplog.set_level(logging.INFO, "chainboard")
    script = page.PageScript(copy)
    (copy / "views/parts/tx-status.js").write_text("export const = 1;\n")
    assert script() == {}
    assert "the page's modules are served one by one: esbuild can't pack the page: " in caplog.text
    assert "views/parts/tx-status.js:1:13" in caplog.text
    shutil.copy(page.folder() / "views/parts/tx-status.js", copy / "views/parts/tx-status.js")
    assert script()["main.js"]


def test_without_esbuild_they_are_served_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(npm, "folders", lambda _: iter(()))
    monkeypatch.setenv("PATH", "")
    assert page.PageScript(page.folder())() == {}
