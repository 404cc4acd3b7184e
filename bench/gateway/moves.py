"""Many moves of one account through the server, as fast as the chain takes them. A move is a new match of
Tic-tac-toe."""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx
from eth_account import Account
from eth_account.signers.local import LocalAccount

from contracts.abi import encode_call
from indexer.node.client import Node
from tests.support.server import Server, up
from transactions.journal import Journal
from transactions.manager import TransactionManager

MOVES = 100
BLOCK_SECONDS = (0, 1)
NOBODY = "0x" + 40 * "0"


def game_of(server: Server) -> Any:
    return next(one for one in server.get("/api/games")["games"] if one["slug"] == "tic-tac-toe")


def funded(server: Server) -> LocalAccount:
    account: LocalAccount = Account.create()
    httpx.post(f"{server.url}/api/faucet", json={"address": account.address}, timeout=30).raise_for_status()
    asyncio.run(_until_funded(server, account.address))
    return account


async def _until_funded(server: Server, address: str) -> None:
    node = Node(server.url + "/api/rpc")
    while int(await node.request("eth_getBalance", (address, "latest")), 16) == 0:
        await asyncio.sleep(0.05)
    await node.aclose()


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
    print(f"{MOVES} moves of one account through /api/rpc, in a second")
    for block_time in BLOCK_SECONDS:
        with tempfile.TemporaryDirectory() as folder, up(Path(folder), "--block-time", str(block_time)) as server:
            rate = asyncio.run(burst(server, funded(server), Path(folder)))
        print(f"  {f'a block in {block_time} s' if block_time else 'a block for each':<18} {rate:6.1f}")


if __name__ == "__main__":
    main()
