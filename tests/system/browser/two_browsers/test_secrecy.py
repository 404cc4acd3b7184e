"""Tests that a fleet appears nowhere before its owner reveals it. The tests search all data and
files of the server, and all data in the opponent's browser."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, Request, WebSocket

from indexer.rules.battleship import mask
from indexer.rules.bipf import bipf
from tests.support.http import local
from tests.support.page.browser import launch, playwright
from tests.support.page.same_boards import PageErrors, opened
from tests.support.players import rpc_call
from tests.support.server import Server, node_url, up_deployed
from tests.system.browser import battleship_page
from tests.system.browser.battleship_page import FLEETS_KEY, fire, fleet_tiles, stored_fleets

MATCH = "battleship/1"
SearchedData = dict[str, bytes]

READ_PAGE_DATA = """async skippedKey => {
  const base = await new Promise((done, failed) => {
    const asked = indexedDB.open('chainboard');
    asked.onsuccess = () => done(asked.result);
    asked.onerror = () => failed(asked.error);
  });
  const all = name => new Promise(done => {
    base.transaction(name).objectStore(name).getAll().onsuccess = event => done(event.target.result);
  });
  const database = await Promise.all([...base.objectStoreNames].map(all));
  base.close();
  const plain = (_, value) => typeof value === 'bigint' ? String(value) : value;
  const stored = (storage) => Object.entries(storage).filter(([key]) => key !== skippedKey);
  return JSON.stringify([
    database, stored(localStorage), stored(sessionStorage), document.cookie, location.href, history.state, window.name,
    window.chainboard.boards, window.chainboard.state, document.documentElement.outerHTML,
    performance.getEntriesByType("resource").map(({ name }) => name),
  ], plain);
}"""
"""A script that returns all data that the page stores or has in memory, except for one item of its
local storage."""


def encodings(name: str, data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield each encoding of the data, with the encoding's name. The encodings are raw bytes,
    hexadecimal digits, and base64 at each of its three offsets."""
    yield name, data
    yield f"{name} in hex", data.hex().encode()
    for shift in range(3):
        whole = base64.b64encode(bytes(shift) + data)
        inner = whole[4 if shift else 0 : len(whole) - 4]
        yield f"{name} in base64, offset {shift}", inner
        yield f"{name} in base64url, offset {shift}", inner.replace(b"+", b"-").replace(b"/", b"_")


def encoded_secrets(ships: str, nonce: str) -> dict[str, bytes]:
    secret, bits, tiles = bytes.fromhex(nonce[2:]), mask(ships), fleet_tiles(ships)
    found = dict(encodings("ships", ships.encode()))
    found |= dict(encodings("nonce", secret))
    found |= dict(encodings("sealed list", bipf([ships, secret])))
    found |= dict(encodings("mask", bits.to_bytes(13, "big")))
    found |= dict(encodings("mask, little-endian", bits.to_bytes(13, "little")))
    found["mask in hex, short"] = f"{bits:x}".encode()
    found["mask in decimal"] = str(bits).encode()
    found["nonce in decimal"] = str(int.from_bytes(secret, "big")).encode()
    found["ships in a URL"] = quote(ships).encode()
    found["ships in JSON"] = json.dumps(ships.split(" "), separators=(",", ":")).encode()
    found["nonce in JSON"] = json.dumps(list(secret), separators=(",", ":")).encode()
    for order, row in (("as placed", tiles), ("sorted", sorted(tiles))):
        for gap in (",", ", ", " "):
            found[f"tiles {order} with {gap!r}"] = gap.join(map(str, row)).encode()
    return found


def find_secrets(searched_data: SearchedData, secrets: dict[str, bytes]) -> set[tuple[str, str]]:
    """Search the data of each place for the secrets. For each secret that is found, return the
    place and the secret's name. Ignore the case of hexadecimal digits."""
    return {
        (where, what)
        for where, data in searched_data.items()
        for what, secret in secrets.items()
        if secret in (data.lower() if "hex" in what else data)
    }


class PageTraffic:
    """A recorder of all data between a page and its server: requests, responses, and websocket
    frames."""

    def __init__(self, page: Page) -> None:
        self.sent, self.received = [], []  # type: list[bytes], list[bytes]
        page.on("request", self._request)
        page.on("websocket", self._socket)

    def _request(self, request: Request) -> None:
        self.sent.append(request.url.encode() + b" " + (request.post_data_buffer or b""))

    def _socket(self, socket: WebSocket) -> None:
        socket.on("framesent", lambda frame: self.sent.append(_bytes(frame)))
        socket.on("framereceived", lambda frame: self.received.append(_bytes(frame)))


def _bytes(frame: str | bytes) -> bytes:
    return frame.encode() if isinstance(frame, str) else frame


def server_side(server: Server, data: Path) -> SearchedData:
    """Map the names of places on the server to their contents: the files in the data folder, the
    printed lines, the API's responses, and the node's transactions."""
    found = {f"file {file.name}": file.read_bytes() for file in data.rglob("*") if file.is_file()}
    found["log"] = "".join(server.output).encode()
    paths = ["/health", "/games", "/matches", "/metrics", "/openapi.json", "/events?limit=1000"]
    paths += [f"/matches/{MATCH}{rest}" for rest in ("", "/events?limit=1000", "/deltas?limit=1000", "?seq=5")]
    for path in paths:
        found[f"API {path}"] = local.get(f"{server.url}/api{path}").content
    found["node"] = json.dumps(blocks(node_url(data))).encode()
    return found


def blocks(url: str) -> list[Any]:
    head = int(rpc_call(url, "eth_blockNumber"), 16)
    return [rpc_call(url, "eth_getBlockByNumber", hex(height), True) for height in range(head + 1)]


def begin_match(
    server: Server, one: Browser, other: Browser, page_errors: PageErrors
) -> tuple[Page, Page, PageTraffic, PageTraffic]:
    """Start a match between two players with random fleets. Each player fires a few shots, of which
    some hit."""
    owner, opponent = one.new_page(), other.new_page()
    wires = PageTraffic(owner), PageTraffic(opponent)
    for page in (owner, opponent):
        opened(server, page, page_errors)
    owner.goto(f"{server.url}/#/new/battleship")
    owner.click("#new-match-battleship:not([disabled])")
    owner.wait_for_selector(f"main[data-match='{MATCH}']")
    opponent.goto(f"{server.url}/#/match/{MATCH}")
    opponent.click("#action-accept:not([disabled])")
    fleets = [fleet_tiles(stored_fleets(page)[0]["ships"]) for page in (owner, opponent)]
    for page in (owner, opponent):
        page.wait_for_function("match => window.chainboard.boards[match]?.board.status === 'playing'", arg=MATCH)
    for shot in range(4):
        hit = shot % 2 == 0
        for page, enemy in ((owner, fleets[1]), (opponent, fleets[0])):
            shots = fired_squares(page)
            fire(page, MATCH, next(tile for tile in range(99) if (tile in enemy) == hit and tile not in shots))
    return owner, opponent, *wires


def fired_squares(page: Page) -> set[int]:
    """Return the squares at which this player has fired. Include the latest shot, even if the
    opponent hasn't answered it yet."""
    me = page.evaluate("window.chainboard.state.me")
    board = page.evaluate("match => window.chainboard.boards[match].board", MATCH)
    pending = {board["pending"]["tile"]} if board["pending"]["by"] == me else set()
    return {int(tile) for tile in board["players"][me]["shots"]} | pending


@pytest.mark.soak
@pytest.mark.timeout(240)
def test_a_fleet_is_nowhere_before_its_reveal_but_in_one_place_of_its_owners_page(tmp_path: Path) -> None:
    page_errors: PageErrors = []
    data = tmp_path / "data"
    with up_deployed(data) as server, playwright() as it, launch(it) as one, launch(it) as other:
        owner, opponent, mine, theirs = begin_match(server, one, other, page_errors)
        [fleet] = stored_fleets(owner)
        secrets = encoded_secrets(fleet["ships"], fleet["nonce"])
        before = server_side(server, data) | {
            "owner's page": owner.evaluate(READ_PAGE_DATA, FLEETS_KEY).encode(),
            "what the owner's page sent": b"\n".join(mine.sent),
            "what the owner's page received": b"\n".join(mine.received),
            "opponent's page": opponent.evaluate(READ_PAGE_DATA, "").encode(),
            "what the opponent's page sent": b"\n".join(theirs.sent),
            "what the opponent's page received": b"\n".join(theirs.received),
        }
        assert find_secrets(before, secrets) == set()
        one_place = owner.evaluate("key => localStorage.getItem(key)", FLEETS_KEY)
        assert {what for _, what in find_secrets({"place": one_place.encode()}, secrets)} >= {"ships", "nonce in hex"}
        for page in (owner, opponent):
            databases = page.evaluate("async () => (await indexedDB.databases()).map(({ name }) => name)")
            assert databases == ["chainboard"], "the search must cover all databases"

        surrender(owner)
        found = {where for where, _ in find_secrets(server_side(server, data), secrets)}
        assert found >= {"node", f"API /matches/{MATCH}", f"API /matches/{MATCH}/events?limit=1000"}
        assert any(where.startswith("file index.db") for where in found)
        # The owner's page reveals the fleet without a click. The event then arrives while the
        # opponent's page still asks a question.
        opponent.wait_for_selector("#banner")
        assert find_secrets({"received": b"\n".join(theirs.received)}, secrets) != set()
        assert page_errors == []


def surrender(page: Page) -> None:
    """Surrender, which also reveals the fleet. Wait until the page has received the events of the
    surrender and of the reveal."""
    seq = page.evaluate("match => window.chainboard.boards[match].seq", MATCH)
    battleship_page.surrender(page)
    page.wait_for_function("([match, seq]) => window.chainboard.boards[match].seq >= seq + 2", arg=[MATCH, seq])
