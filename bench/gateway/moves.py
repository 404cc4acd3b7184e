"""Measures the throughput of one account's moves through the server. Each move opens a match of
Tic-tac-toe."""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path

from bench.load.players import funded, game_of
from contracts.abi import encode_call
from indexer.gamekit.lifecycle import NOBODY
from indexer.node.client import Node
from tests.support.server import Server, node_url, up
from transactions.journal import Journal
from transactions.manager import TransactionManager

MOVES = 100
BLOCK_SECONDS = (0, 1)


async def burst(server: Server, folder: Path) -> float:
    """Return the number of moves per second, from the first request until the last move is in a
    block."""
    info, node, chain = game_of(server, "tic-tac-toe"), Node(server.url + "/api/rpc"), Node(node_url(folder))
    account = await funded(chain)
    await chain.aclose()
    journal = Journal(folder / "moves.db")
    sender = TransactionManager(node.request, account, journal)
    call = encode_call(info["abi"], "create", (NOBODY, 0))
    begin = time.perf_counter()
    txs = await asyncio.gather(*(sender.submit(info["address"], call) for _ in range(MOVES)))
    ended = [await sender.settled(tx) for tx in txs]
    seconds = time.perf_counter() - begin
    assert [tx.nonce for tx in ended] == list(range(MOVES))
    assert all(tx.state in ("mined", "final") for tx in ended)
    await node.aclose()
    journal.close()
    return MOVES / seconds


def main() -> None:
    print(f"{MOVES} moves of one account through /api/rpc, moves per second")
    for block_time in BLOCK_SECONDS:
        with tempfile.TemporaryDirectory() as folder, up(Path(folder), "--block-time", str(block_time)) as server:
            rate = asyncio.run(burst(server, Path(folder)))
        print(f"  {f'a block every {block_time} s' if block_time else 'a block per move':<18} {rate:6.1f}")
