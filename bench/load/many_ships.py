"""Plays matches of Touché Coulé with many ships. A development node impersonates the ships' owners,
so no keys are needed."""

from __future__ import annotations

import asyncio
from typing import Any

from contracts.abi import encode_call
from indexer.model import Json
from indexer.node.client import Node

SHIPS_EACH = 2
GAS = hex(2**23)


def owner_of(number: int) -> str:
    return f"0x{0xABCDEF << 100 | number:040x}"


class ManyShips:
    """The matches of the game's contract at `address`. This class counts the matches to find their
    numbers, so nothing else may open matches at the same time."""

    def __init__(self, node: Node, game: Json, opened: int = 1) -> None:
        self.node, self.address, self._abi = node, str(game["address"]), game["abi"]
        self._matches = opened  # the scene that deploys the contract opens the first match

    def data(self, name: str, *arguments: Any) -> str:
        return encode_call(self._abi, name, arguments)

    async def open(self) -> int:
        host = (await self.node.request("eth_accounts"))[0]
        await self.play(host, "create", 64, 64, False)
        self._matches += 1
        return self._matches

    async def fill(self, match: int, ships: int) -> None:
        for number in range(ships // SHIPS_EACH):
            owner = owner_of(number)
            await self.node.request("anvil_impersonateAccount", (owner,))
            await self.node.request("anvil_setBalance", (owner, hex(10**19)))
            for _ in range(SHIPS_EACH):
                await self.play(owner, "register", match)

    async def begin(self, match: int) -> None:
        """Play turn 0, which closes registration, and mine the block that the next turn needs."""
        await self.play(owner_of(0), "turn", match, 0)
        await self.node.request("evm_mine")

    async def play(self, sender: str, name: str, *arguments: Any) -> int:
        """Call a function of the contract. Return the height of the block with the call."""
        call = {"from": sender, "to": self.address, "data": self.data(name, *arguments), "gas": GAS}
        hash = await self.node.request("eth_sendTransaction", (call,))
        while (receipt := await self.node.request("eth_getTransactionReceipt", (hash,))) is None:
            await asyncio.sleep(0.001)
        assert receipt["status"] == "0x1", (name, arguments)
        return int(receipt["blockNumber"], 16)
