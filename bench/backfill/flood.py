"""Starts an Anvil node with a chain that contains many events in many blocks."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from eth_utils.address import to_checksum_address

from bench.backfill.follow import GAME
from bench.load.burst import deployed
from chainboard.chain.anvil import Anvil
from contracts.abi import encode_call
from indexer.model import Deployment
from indexer.node.client import Node
from tests.support.compiled import SOURCES

TRANSACTIONS = 4
"""The number of transactions per block."""
BASE_GAS, GAS_EACH = 100_000, 10_000
SOURCE = SOURCES / "Flood.sol"


@asynccontextmanager
async def flooded(folder: Path, events: int, blocks: int) -> AsyncIterator[tuple[Node, Deployment]]:
    """Start a chain with a contract that has emitted this many events in this many blocks."""
    anvil = await Anvil.start(folder)
    try:
        node = anvil.node
        artifact, receipt = await deployed(node, SOURCE)
        address, height = to_checksum_address(receipt["contractAddress"]), int(receipt["blockNumber"], 16)
        deployment = Deployment(GAME.slug, "Flood", address, artifact.abi, height, receipt["blockHash"], "0x", 1)
        await _pour(node, deployment, await node.request("eth_accounts"), events, blocks)
        yield node, deployment
    finally:
        await anvil.stop()


async def _pour(node: Node, one: Deployment, accounts: list[str], events: int, blocks: int) -> None:
    each, rest = divmod(events, blocks * TRANSACTIONS)
    assert rest == 0, "the number of events must be a multiple of the number of transactions"
    call: dict[str, Any] = {"to": one.address, "data": encode_call(one.abi, "pour", (each,))}
    call["gas"] = hex(BASE_GAS + GAS_EACH * each)
    sends = [("eth_sendTransaction", ({**call, "from": account},)) for account in accounts[:TRANSACTIONS]]
    for _ in range(blocks):
        await node.requests(sends)
        await node.request("evm_mine")
    assert len(await node.logs_between(one.height + blocks, one.height + blocks, [one.address])) == each * TRANSACTIONS
