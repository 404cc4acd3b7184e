"""The purse of a story: keys that move on a chain, and checks of the moves that the chain has in
the end."""

from __future__ import annotations

import asyncio
from collections import Counter
from random import Random
from typing import Any, TypeAlias

from aiohttp import web
from eth_account import Account

from chainboard.chain.anvil import CHAIN_ID
from chaos.faults.counts import FaultCounts
from chaos.faults.fault import Fault
from chaos.faults.http_faults import HTTP_FAULTS, HttpExchange
from chaos.faults.proxy import FaultProxy
from indexer.decode.decoder import Decoder
from tests.support.chain import DeployedChain
from tests.system.incidents.support.node_page import Tab

Mark: TypeAlias = tuple[int, int]

SEND = "eth_sendRawTransaction"
WIDEST = 64
ETHER = 10**18
GWEI = 10**9


class CuttingLine(FaultProxy):
    """Cuts every second request that sends a transaction, alternately before and after the node
    receives it."""

    def __init__(self) -> None:
        super().__init__(FaultCounts())
        self.sendings = 0
        self.cut: Counter[str] = Counter()

    async def _apply_faults(self, exchange: HttpExchange) -> tuple[Fault | None, web.StreamResponse]:
        if SEND not in exchange.calls.methods:
            return await super()._apply_faults(exchange)
        self.sendings += 1
        if self.sendings % 2 == 0:
            return await super()._apply_faults(exchange)
        variant = "after" if self.cut["before"] > self.cut["after"] else "before"
        self.cut[variant] += 1
        fault = Fault("drop", variant, 1, Random(0))
        response = await HTTP_FAULTS["drop"](exchange, fault)
        assert response is not None
        return fault, response


class Holding(FaultProxy):
    """Holds the request that sends transaction number `at` (the first is 1) until `go` is set, and
    then drops it. If `taken`, the node has received it."""

    def __init__(self, at: int, taken: bool) -> None:
        super().__init__(FaultCounts())
        self._at, self._taken, self._sendings = at, taken, 0
        self.held, self.go = asyncio.Event(), asyncio.Event()

    async def _apply_faults(self, exchange: HttpExchange) -> tuple[Fault | None, web.StreamResponse]:
        if SEND in exchange.calls.methods:
            self._sendings += 1
            if self._sendings == self._at:
                if self._taken:
                    await exchange.answers()
                self.held.set()
                await self.go.wait()
                return Fault("drop", "before", 1, Random(0)), exchange.abort()
        return await super()._apply_faults(exchange)


class Purse:
    """Funded keys. Each move opens a match with a unique size, which serves as its mark.

    `wanted`: by sender, the marks of all moves that were requested."""

    def __init__(self, chain: DeployedChain, count: int) -> None:
        self.chain, self._moves = chain, 0
        self.keys = {one.address: "0x" + bytes(one.key).hex() for one in (Account.create() for _ in range(count))}
        self.wanted: dict[str, list[Mark]] = {address: [] for address in self.keys}

    @property
    def addresses(self) -> list[str]:
        return list(self.keys)

    async def fill(self) -> None:
        for address in self.keys:
            await self.chain.node.request("anvil_setBalance", (address, hex(100 * ETHER)))

    def about(self) -> dict[str, Any]:
        """Options that a tab needs."""
        game = {"slug": self.chain.game.game, "abi": self.chain.game.abi}
        return {"accounts": self.keys, "chainId": CHAIN_ID, "game": game}

    async def move(self, tab: Tab, address: str) -> None:
        """Request another move from a tab."""
        mark = (2 + self._moves % (WIDEST - 1), 2 + self._moves // (WIDEST - 1))
        self._moves += 1
        self.wanted[address].append(mark)
        call = self.chain.call(0, "create", *mark, False)
        await tab.do("submit", account=address, to=call["to"], data=call["data"])

    async def marks(self) -> dict[str, list[Mark]]:
        """Marks of all moves that the chain has, by sender, in the chain's order."""
        head = await self.chain.node.head()
        logs = await self.chain.node.logs_between(0, head.height, [self.chain.game.address])
        blocks = {one.block.height: one.block for one in await self.chain.node.headers(0, head.height)}
        found: dict[str, list[Mark]] = {address: [] for address in self.keys}
        creators: dict[int, str] = {}
        for event in Decoder(self.chain.deployments).events(logs, blocks):
            if event.name == "MatchCreated":
                creators[event.match] = event.args["creator"]
            elif event.name == "Size" and creators[event.match] in found:
                found[creators[event.match]].append((event.args["width"], event.args["height"]))
        return found

    async def count(self, address: str) -> int:
        return int(await self.chain.node.request("eth_getTransactionCount", (address, "latest")), 16)

    async def whole(self) -> None:
        """Check that the chain has each sender's wanted moves once and in order. No nonce is
        missing, and no transaction is pending or queued."""
        assert await self.marks() == self.wanted
        for address, wanted in self.wanted.items():
            assert await self.count(address) == len(wanted)
        assert await self.chain.node.request("txpool_status") == {"pending": "0x0", "queued": "0x0"}

    def signed(self, address: str, nonce: int, tip: int = 3 * GWEI) -> str:
        """Sign a transfer with the same key, like another program."""
        order = {"to": "0x" + "11" * 20, "value": 1, "gas": 21_000, "nonce": nonce, "chainId": CHAIN_ID}
        fees = {"maxFeePerGas": 100 * GWEI, "maxPriorityFeePerGas": tip}
        return "0x" + bytes(Account.sign_transaction({**order, **fees}, self.keys[address]).raw_transaction).hex()
