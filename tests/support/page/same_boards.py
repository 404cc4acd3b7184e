"""Checks that browsers, the database and a new index have the same boards. The contract must also
have the same board after each block."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from playwright.sync_api import Page
from web3 import Web3

from chainboard.chain.deployment import known_deployments
from chainboard.settings import Settings
from indexer.gamekit.game import board_hash
from indexer.model import Json
from indexer.node.client import Node
from indexer.store.snapshot import Snapshot
from indexer.store.store import Store
from tests.support.chain import fresh_store
from tests.support.contract_views import chain_view, public
from tests.support.server import Server, node_url
from tests.support.waiting import PATIENCE_MS

PageErrors = list[str]
Hashes = dict[int, str]


def opened(server: Server, page: Page, page_errors: PageErrors) -> Page:
    """Open the page and wait until its wallet has ether. Record the page's errors from the
    beginning. Return the open page."""
    page.on(
        "console", lambda message: page_errors.append(message.text) if message.type in ("error", "warning") else None
    )
    page.on("pageerror", lambda error: page_errors.append(str(error)))
    page.set_default_timeout(PATIENCE_MS)
    page.goto(server.url)
    page.wait_for_selector("#play-tic-tac-toe:not([disabled])")
    return page


def board_of(page: Page, match: str) -> Json:
    """Return the page's data about a match: for example, its seq, board and hash."""
    found: Json = page.evaluate("match => window.chainboard.boards[match]", match)
    return found


def until_my_turn(page: Page, match: str) -> int:
    """Wait until it is the turn of this page's player. Return the match's seq."""
    page.wait_for_function(
        "match => window.chainboard.boards[match]?.board.mover === window.chainboard.state.me",
        arg=match,
    )
    return int(board_of(page, match)["seq"])


def until_seq(page: Page, match: str, seq: int) -> None:
    page.wait_for_function("([match, seq]) => window.chainboard.boards[match]?.seq >= seq", arg=[match, seq])


def hashes_of(page: Page, match: str) -> Hashes:
    """Return the hash of each board that the page has had for this match. The keys are seqs."""
    pairs = page.evaluate(
        "match => { const at = window.chainboard.boards[match]; return at.seqs.map((seq) => [seq, at.hashAt(seq)]); }",
        match,
    )
    return dict(pairs)


def same_everywhere(server: Server, data: Path, seen: Mapping[str, list[Hashes]]) -> None:
    """Check that the browsers, the database and a new index have the same board at each seq of
    these matches. After each block, compare the contract's board, too. `seen` contains each match's
    hashes from each browser."""
    with contextlib.closing(fresh_index(data)) as fresh, fresh.read() as snapshot:
        for match, held in seen.items():
            _same(server, data, snapshot, match, held)


def _same(server: Server, data: Path, snapshot: Snapshot, match: str, seen: list[Hashes]) -> None:
    slug, number = match.split("/")
    last = server.get(f"/api/matches/{match}")["seq"]
    events = server.get(f"/api/matches/{match}/events?limit=1000")["events"]
    assert [event["seq"] for event in events] == list(range(1, last + 1))
    ends = {event["block"]: event["seq"] for event in events}
    deployment = next(one for one in snapshot.deployments() if one.game == slug and one.has_match(int(number)))
    contract = Web3(Web3.HTTPProvider(node_url(data))).eth.contract(
        address=Web3.to_checksum_address(deployment.address), abi=deployment.abi, decode_tuples=True
    )
    for event in events:
        seq = event["seq"]
        answer = server.get(f"/api/matches/{match}?seq={seq}")
        again = snapshot.board(slug, int(number), seq)
        assert again is not None
        assert answer["hash"] == board_hash(again[0])
        assert all(held.get(seq, answer["hash"]) == answer["hash"] for held in seen), seq
        assert answer["settled"] == (ends[event["block"]] == seq)
        if answer["settled"]:
            raw = contract.functions.board(int(number)).call(block_identifier=event["block"])
            assert public(slug, answer["board"], seq) == chain_view(slug, raw)


def fresh_index(data: Path) -> Store:
    """Return a new index of the chain. A separate thread builds the index, because Playwright's
    event loop runs in this thread."""

    async def follow() -> Store:
        async with contextlib.aclosing(Node(node_url(data))) as node:
            return await fresh_store(data / "fresh.db", node, known_deployments(Settings(data)))

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, follow()).result(60)
