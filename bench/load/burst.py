"""Makes matches of Tic-tac-toe with any number of events, on a development chain."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from eth_abi.abi import encode

from chainboard.chain.anvil import Anvil
from contracts.abi import encode_call
from contracts.artifacts import Artifact
from indexer.model import Json
from indexer.node.client import Node
from tests.support.compiled import SOURCES, compiled
from tests.support.server import run

GAME = "tic-tac-toe"
SOURCE = SOURCES / "Burst.sol"
GAS = hex(2**24)
SMALL_GAS = hex(200_000)
BATCH = 200
"""The number of requests per JSON-RPC batch."""
CHALLENGERS = 2**150
"""The address of the first challenger in `open_many`. The other challengers have the addresses
after it."""
BLOCK, TRANSACTIONS = 4_000, 4
"""The number of events and transactions per block in `filled`."""


async def deployed(node: Node, source: Path, arguments: bytes = b"") -> tuple[Artifact, Json]:
    """Deploy the contract that has the same name as its Solidity file. Return the contract's
    artifact and the deployment's receipt.

    Afterwards, the chain mines only on request."""
    artifact = compiled(source)
    [account, *_] = await node.request("eth_accounts")
    await node.request("evm_setAutomine", (False,))
    creation = {"from": account, "data": artifact.bytecode + arguments.hex(), "gas": GAS}
    hash = await node.request("eth_sendTransaction", (creation,))
    await node.request("evm_mine")
    return artifact, await node.request("eth_getTransactionReceipt", (hash,))


class Burst:
    """The game's contract, whose code is replaced by the code of `Burst.sol`. The chain mines only
    on request."""

    def __init__(self, node: Node, address: str, abi: list[Json], accounts: list[str], before: str) -> None:
        self.node, self.address, self._abi, self._accounts, self._before = node, address, abi, accounts, before
        self._matches = 0

    @classmethod
    async def over(cls, node: Node, manifest: Json) -> Burst:
        """Replace the code of the game that is deployed according to this manifest. The game must
        not have any matches yet."""
        address = next(one["address"] for one in manifest["games"] if one["game"] == GAME)
        arguments = encode(["address", "uint48"], [manifest["sessions"]["address"], 1])
        artifact, receipt = await deployed(node, SOURCE, arguments)
        before = await node.request("eth_getCode", (address, "latest"))
        code = await node.request("eth_getCode", (receipt["contractAddress"], "latest"))
        await node.request("anvil_setCode", (address, code))
        return cls(node, address, artifact.abi, await node.request("eth_accounts"), before)

    async def restore(self) -> None:
        """Restore the game's own code and automatic mining."""
        await self.node.request("anvil_setCode", (self.address, self._before))
        await self.node.request("evm_setAutomine", (True,))

    async def open(self) -> int:
        """Start a match and return its number. The two accounts must not have a match with each
        other yet."""
        host, challenger = divmod(self._matches, len(self._accounts) - 1)
        self._matches += 1
        challenger += challenger >= host
        await self.send(host, "create", self._accounts[challenger], 0)
        await self.send(challenger, "accept", self._matches)
        await self.mine()
        return self._matches

    async def pour(self, match: int, events: int, transactions: int) -> int:
        """Mine a block with this number of events in the match. Return the block's height."""
        call = self._call(0, "burst", match, events // transactions)
        await self.node.requests([("eth_sendTransaction", (call,))] * transactions)
        return await self.mine()

    async def open_many(self, matches: int) -> None:
        """Start this number of matches, numbered from 1. In each match, the first account plays
        against a different challenger.

        No other matches may exist yet."""
        challengers = [f"0x{CHALLENGERS + number:040x}" for number in range(matches)]
        await self.node.requests([("evm_setBlockGasLimit", (hex(2**40),)), ("anvil_autoImpersonateAccount", (True,))])
        await self._in_batches([("anvil_setBalance", (one, hex(10**18))) for one in challengers])
        await self._send_all([self._call(0, "create", one, 0) for one in challengers])
        await self._send_all(
            [{**self._call(0, "accept", match), "from": one} for match, one in enumerate(challengers, 1)]
        )

    async def move_each(self, matches: Iterable[int]) -> int:
        """Mine a block with one event and one transaction per match. Return the block's height."""
        return await self._send_all([self._call(0, "burst", match, 1) for match in matches])

    async def _send_all(self, calls: list[Json]) -> int:
        """Mine a block with these calls, and return the block's height.

        Only the first account may send more than one call."""
        first = int(await self.node.request("eth_getTransactionCount", (self._accounts[0], "latest")), 16)
        for nonce, call in enumerate(calls, first):
            call |= {"gas": SMALL_GAS} | ({"nonce": hex(nonce)} if call["from"] == self._accounts[0] else {})
        await self._in_batches([("eth_sendTransaction", (call,)) for call in calls])
        return await self.mine()

    async def _in_batches(self, requests: list[tuple[str, tuple[Any, ...]]]) -> None:
        for begin in range(0, len(requests), BATCH):
            await self.node.requests(requests[begin : begin + BATCH])

    async def mine(self) -> int:
        await self.node.request("evm_mine")
        return int(await self.node.request("eth_blockNumber"), 16)

    async def send(self, account: int, name: str, *arguments: Any) -> None:
        await self.node.request("eth_sendTransaction", (self._call(account, name, *arguments),))

    def _call(self, account: int, name: str, *arguments: Any) -> Json:
        data = encode_call(self._abi, name, arguments)
        return {"from": self._accounts[account], "to": self.address, "data": data, "gas": GAS}


async def filled(anvil: Anvil, data: Path, matches: int, events: int) -> list[int]:
    """Deploy the contracts, play matches, and index the matches. Return the matches' numbers.

    `matches` is how many matches are played, and `events` is how many events they have in total."""
    chain = ("--data", str(data), "--rpc", anvil.node.url)
    assert not (await asyncio.to_thread(run, "deploy", *chain, "--dev")).returncode
    burst = await Burst.over(anvil.node, json.loads((data / "deployment.json").read_text("utf-8")))
    opened = [await burst.open() for _ in range(matches)]
    for number in range(events // BLOCK):
        await burst.pour(opened[number % matches], BLOCK, TRANSACTIONS)
    await burst.restore()
    assert not (await asyncio.to_thread(run, "index", "--once", *chain)).returncode
    return opened
