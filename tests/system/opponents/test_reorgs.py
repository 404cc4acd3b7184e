"""Tests a reorg that swaps two moves: the opponent's move, and the computer player's reply to it.
The reply is then too early and fails, so the computer player must make its move again."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

from indexer.node.client import Node
from tests.support.server import node_url, up_deployed
from tests.support.waiting import wait_for_async
from tests.system.opponents.visitor import Visitor, computer_account, visitor


async def test_a_move_that_failed_in_its_block_is_made_again(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with up_deployed(data, "--opponents", "3") as server:
        async with visitor(server.url, tmp_path) as guest, contextlib.aclosing(Node(node_url(data))) as node:
            await _opponents(guest)
            computer = computer_account(data, "tic-tac-toe", "perfect")
            match = await guest.invite("tic-tac-toe", computer)
            await guest.play(match, moves=1)
            await _moved(guest, match, 2)
            await _swap_two_newest(node)
            assert (await _transactions_of(node, computer))[-1]["status"] == "0x0"
            await wait_for_async(
                lambda: _transactions_of(node, computer),
                lambda found: found[-1]["status"] == "0x1",
                "a move that succeeds",
            )
            assert (await guest.play(match))["status"] == "finished"


async def _opponents(guest: Visitor) -> None:
    await wait_for_async(lambda: guest.gateway.get("/opponents"), lambda told: told["opponents"], "opponents")


async def _moved(guest: Visitor, match: str, ply: int) -> None:
    await wait_for_async(lambda: guest.board(match), lambda board: board["ply"] == ply, f"move {ply}")


async def _swap_two_newest(node: Node) -> None:
    """Cause a reorg in which the two newest blocks swap their transactions."""
    head = int(await node.request("eth_blockNumber", ()), 16)
    blocks = [await node.request("eth_getBlockByNumber", (hex(height), False)) for height in (head - 1, head)]
    raws = [
        [await node.request("eth_getRawTransactionByHash", (hash,)) for hash in block["transactions"]]
        for block in blocks
    ]
    swapped = [[raw, place] for place, some in enumerate(reversed(raws)) for raw in some]
    await node.request("anvil_reorg", (2, swapped))


async def _transactions_of(node: Node, account: str) -> list[Any]:
    """Return the receipts of an account's transactions, ordered by block."""
    head = int(await node.request("eth_blockNumber", ()), 16)
    receipts = await node.requests([("eth_getBlockReceipts", (hex(height),)) for height in range(head + 1)])
    return [one for some in receipts for one in some if one["from"] == account.lower()]
