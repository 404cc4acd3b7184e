"""A whole match between two browsers with two wallets, by clicking and typing only; everybody holds the same boards."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from web3 import Web3

from chainboard.deployment import known
from chainboard.settings import Settings
from indexer.game import board_hash
from indexer.model import Json
from indexer.node import Node
from indexer.store import Store
from tests.support.browser import launch, playwright
from tests.support.server import Server, node_url, up
from tests.support.world import chain_view, fresh_store, public

MATCH = "touche-coule/2"
MINUTES = 4
Complaints = list[str]


def opened(server: Server, page: Page, complaints: Complaints) -> Page:
    page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(server.url)
    expect(page.locator("#account-button")).to_contain_text("1.00 ETH", timeout=20_000)
    return page


def press(page: Page, action: str) -> None:
    """Clicks a button as soon as it may be clicked."""
    page.locator(f"#action-{action}").click(timeout=20_000)


def board_of(page: Page) -> Json:
    found: Json = page.evaluate("match => window.chainboard.boards[match]", MATCH)
    return found


def hashes_of(page: Page) -> dict[int, str]:
    """The hash of each board that the page has held, by seq."""
    pairs = page.evaluate(
        "match => { const at = window.chainboard.boards[match]; return at.seqs.map((seq) => [seq, at.hashAt(seq)]); }",
        MATCH,
    )
    return dict(pairs)


def meet(server: Server, first: Page, second: Page) -> None:
    """One opens a small sea in the lobby, the other comes by the link; both place two ships."""
    first.fill("#game-touche-coule [data-input=width]", "8")
    first.fill("#game-touche-coule [data-input=height]", "7")
    first.get_by_role("button", name="New match").click()
    first.locator(f'[data-opened="{MATCH}"]').click(timeout=20_000)
    second.goto(f"{server.url}/#/match/{MATCH}")
    for ships in (1, 2):
        for page in (first, second):
            press(page, "register")
            mine = page.evaluate("window.chainboard.state.me")
            page.wait_for_function(
                "([match, me, ships]) => window.chainboard.boards[match]?.board.players[me]?.ships.length === ships",
                arg=[MATCH, mine, ships],
                timeout=20_000,
            )


def finish(first: Page, second: Page) -> list[str]:
    """Takes turns until the end; moves when a ship may, tells when it teaches. Returns what was pressed."""
    pressed: list[str] = []
    deadline = time.monotonic() + 60 * MINUTES
    for turn in itertools.count():
        board = board_of(first)["board"]
        if board["status"] not in ("open", "playing"):
            return pressed
        assert time.monotonic() < deadline, board
        mover = next(page for page in ((first, second)[turn % 2], (second, first)[turn % 2]) if afloat(page))
        for action, possible in (("changePosition", may_move), ("communicate", may_tell)):
            if possible(mover, turn):
                seq = board_of(mover)["seq"]
                press(mover, action)
                _until_seq(mover, seq + 1)
                pressed.append(action)
        press(mover, "turn")
        pressed.append("turn")
        for page in (first, second):
            page.wait_for_function(
                "([match, ply]) => window.chainboard.boards[match].board.ply >= ply",
                arg=[MATCH, turn + 1],
                timeout=20_000,
            )
    raise AssertionError("unreachable")


def afloat(page: Page) -> list[Json]:
    """The visitor's ships that were not sunk."""
    me = page.evaluate("window.chainboard.state.me")
    return [ship for ship in board_of(page)["board"]["ships"].values() if ship["owner"] == me and ship["afloat"]]


def may_move(page: Page, turn: int) -> bool:
    return turn > 0 and any(ship["ready"] <= turn for ship in afloat(page))


def may_tell(page: Page, turn: int) -> bool:
    """Whether one of the two ships would learn something."""
    ships, width = afloat(page), board_of(page)["board"]["width"]
    if turn < 2 or len(ships) < 2:
        return False
    one, other = ((_word(ship), 1 << ship["y"] * width + ship["x"]) for ship in ships)
    both = one[0] | other[0]
    return any(both & ~own != fired for fired, own in (one, other))


def _word(ship: Json) -> int:
    """Where it has fired; this board's cells fit one word."""
    return int(ship["fired"].get("0", "0x0"), 16)


def _until_seq(page: Page, seq: int) -> None:
    page.wait_for_function(
        "([match, seq]) => window.chainboard.boards[match].seq >= seq", arg=[MATCH, seq], timeout=20_000
    )


@pytest.mark.timeout(60 * (MINUTES + 2))
def test_two_browsers_play_a_whole_match_and_all_hold_the_same_boards(tmp_path: Path) -> None:
    complaints: Complaints = []
    with up(tmp_path) as server, playwright() as it, launch(it) as one, launch(it) as other:
        first, second = opened(server, one.new_page(), complaints), opened(server, other.new_page(), complaints)
        meet(server, first, second)
        pressed = finish(first, second)
        for page in (first, second):
            expect(page.locator("#banner")).to_be_visible(timeout=20_000)
        assert pressed.count("turn") == server.get(f"/api/matches/{MATCH}")["board"]["ply"]
        assert complaints == []
        seen = [hashes_of(page) for page in (first, second)]
        same_everywhere(server, tmp_path, seen)


def same_everywhere(server: Server, data: Path, seen: list[dict[int, str]]) -> None:
    """At every seq: both browsers, the database and a fresh index; at the end of every block the contract too."""
    last = server.get(f"/api/matches/{MATCH}")["seq"]
    events = server.get(f"/api/matches/{MATCH}/events?limit=1000")["events"]
    assert [event["seq"] for event in events] == list(range(1, last + 1))
    ends = {event["block"]: event["seq"] for event in events}
    with contextlib.closing(fresh_index(data)) as fresh, fresh.read() as view:
        deployment = view.deployments()[0]
        contract = Web3(Web3.HTTPProvider(node_url(data))).eth.contract(
            address=Web3.to_checksum_address(deployment.address), abi=deployment.abi, decode_tuples=True
        )
        for event in events:
            seq = event["seq"]
            answer = server.get(f"/api/matches/{MATCH}?seq={seq}")
            again = view.board("touche-coule", 2, seq)
            assert again is not None
            assert answer["hash"] == board_hash(again[0])
            assert all(held.get(seq, answer["hash"]) == answer["hash"] for held in seen), seq
            assert answer["settled"] == (ends[event["block"]] == seq)
            if answer["settled"]:
                raw = contract.functions.board(2).call(block_identifier=event["block"])
                assert public(answer["board"], seq) == chain_view(raw)
    assert min(len(held) for held in seen) >= last - 4  # each came while the match was being opened


def fresh_index(data: Path) -> Store:
    """An index made anew from the chain, in a thread of its own: Playwright's loop runs in this one."""

    async def follow() -> Store:
        async with contextlib.aclosing(Node(node_url(data))) as node:
            return await fresh_store(data / "fresh.db", node, known(Settings(data)))

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, follow()).result(60)
