"""Many moves of one account through the server, as fast as the chain takes them; beside it a loop that awaits each
receipt. A move is a new match of Tic-tac-toe."""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx
from eth_account import Account
from eth_account.signers.local import LocalAccount
from web3 import HTTPProvider, Web3
from web3.middleware import SignAndSendRawMiddlewareBuilder

from contracts.abi import encode_call
from indexer.node.client import Node
from tests.support.server import Server, up
from transactions.journal import Journal
from transactions.manager import TransactionManager

MOVES = 100
AWAITED = {0: 100, 1: 10}
"""Moves of the loop, by the chain's block time in seconds."""
CALM_SECONDS = 20
"""After so many the server takes as many transactions of an address at once as before: each side gets its own."""
NOBODY = "0x" + 40 * "0"


def game_of(server: Server) -> Any:
    return next(one for one in server.get("/api/games")["games"] if one["slug"] == "tic-tac-toe")


def funded(server: Server) -> LocalAccount:
    account: LocalAccount = Account.create()
    httpx.post(f"{server.url}/api/faucet", json={"address": account.address}, timeout=30).raise_for_status()
    asyncio.run(_held(server, account.address))
    return account


async def _held(server: Server, address: str) -> None:
    node = Node(server.url + "/api/rpc")
    while int(await node.request("eth_getBalance", (address, "latest")), 16) == 0:
        await asyncio.sleep(0.05)
    await node.aclose()


def awaited(server: Server, moves: int) -> float:
    """Moves in a second, with web3.py: each is waited for before the next is sent."""
    account, info = funded(server), game_of(server)
    chain = Web3(HTTPProvider(server.url + "/api/rpc"))
    chain.middleware_onion.inject(SignAndSendRawMiddlewareBuilder.build(account), layer=0)
    game = chain.eth.contract(info["address"], abi=info["abi"])
    begin = time.perf_counter()
    for _ in range(moves):
        hash = game.functions.create(NOBODY, 0).transact({"from": account.address})
        assert chain.eth.wait_for_transaction_receipt(hash)["status"] == 1
    return moves / (time.perf_counter() - begin)


async def burst(server: Server, account: LocalAccount, folder: Path) -> float:
    """Moves in a second, until the last is in a block."""
    info, node = game_of(server), Node(server.url + "/api/rpc")
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
    print(f"{MOVES} moves of one account through /api/rpc, in a second, beside a loop that awaits each receipt")
    for block_time, moves in AWAITED.items():
        with tempfile.TemporaryDirectory() as folder, up(Path(folder), "--block-time", str(block_time)) as server:
            loop = awaited(server, moves)
            account = funded(server)
            time.sleep(CALM_SECONDS)
            ours = asyncio.run(burst(server, account, Path(folder)))
        chain = f"a block in {block_time} s" if block_time else "a block for each"
        print(f"  {chain:<18} {ours:6.1f}   the loop {loop:6.1f}   ratio {ours / loop:5.1f}")


if __name__ == "__main__":
    main()
