"""Accounts that have ether and send moves, for the tests of lost nonces. A test can check which of
the moves are on the chain."""

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

SEND_METHOD = "eth_sendRawTransaction"
MAX_WIDTH = 64
ETHER = 10**18
GWEI = 10**9


class CuttingProxy(FaultProxy):
    """A proxy that cuts the connection during every second request that sends a transaction. In
    half of the cuts, the node has already received the request."""

    def __init__(self) -> None:
        super().__init__(FaultCounts())
        self.send_count = 0
        self.cuts: Counter[str] = Counter()

    async def _apply_faults(self, exchange: HttpExchange) -> tuple[Fault | None, web.StreamResponse]:
        if SEND_METHOD not in exchange.calls.methods:
            return await super()._apply_faults(exchange)
        self.send_count += 1
        if self.send_count % 2 == 0:
            return await super()._apply_faults(exchange)
        variant = "after" if self.cuts["before"] > self.cuts["after"] else "before"
        self.cuts[variant] += 1
        fault = Fault("drop", variant, 1, Random(0))
        response = await HTTP_FAULTS["drop"](exchange, fault)
        assert response is not None
        return fault, response


class HoldingProxy(FaultProxy):
    """A proxy that holds back one of the requests that send transactions: the request with number
    `at`, counted from 1. When the test sets `released`, the proxy drops this request. If `accepted`
    is True, the node has received the request anyway."""

    def __init__(self, at: int, accepted: bool) -> None:
        super().__init__(FaultCounts())
        self._at, self._accepted, self._send_count = at, accepted, 0
        self.is_holding, self.released = asyncio.Event(), asyncio.Event()

    async def _apply_faults(self, exchange: HttpExchange) -> tuple[Fault | None, web.StreamResponse]:
        if SEND_METHOD in exchange.calls.methods:
            self._send_count += 1
            if self._send_count == self._at:
                if self._accepted:
                    await exchange.answers()
                self.is_holding.set()
                await self.released.wait()
                return Fault("drop", "before", 1, Random(0)), exchange.abort()
        return await super()._apply_faults(exchange)


class FundedAccounts:
    """Accounts with ether, and their keys. Each move opens a match with a different size of sea, so
    the size identifies the move.

    `requested` maps each account to the sizes of the moves that it has requested."""

    def __init__(self, chain: DeployedChain, count: int) -> None:
        self.chain, self._moves = chain, 0
        self.keys = {one.address: "0x" + bytes(one.key).hex() for one in (Account.create() for _ in range(count))}
        self.requested: dict[str, list[Mark]] = {address: [] for address in self.keys}

    @property
    def addresses(self) -> list[str]:
        return list(self.keys)

    async def fund(self) -> None:
        for address in self.keys:
            await self.chain.node.request("anvil_setBalance", (address, hex(100 * ETHER)))

    def tab_options(self) -> dict[str, Any]:
        """Return the options that let a tab send transactions from these accounts."""
        game = {"slug": self.chain.game.game, "abi": self.chain.game.abi}
        return {"accounts": self.keys, "chainId": CHAIN_ID, "game": game}

    async def move(self, tab: Tab, address: str) -> None:
        """Request a new move from a tab, and record the move's size."""
        mark = (2 + self._moves % (MAX_WIDTH - 1), 2 + self._moves // (MAX_WIDTH - 1))
        self._moves += 1
        self.requested[address].append(mark)
        call = self.chain.call(0, "create", *mark, False)
        await tab.run("submit", account=address, to=call["to"], data=call["data"])

    async def mined_marks(self) -> dict[str, list[Mark]]:
        """Map each account to the sizes of its moves on the chain, in the order of the chain."""
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

    async def check_moves(self) -> None:
        """Check that the chain contains each account's requested moves once and in order. No other
        transaction may have used a nonce, and the node's pool must be empty."""
        assert await self.mined_marks() == self.requested
        for address, requested in self.requested.items():
            assert await self.count(address) == len(requested)
        assert await self.chain.node.request("txpool_status") == {"pending": "0x0", "queued": "0x0"}

    def sign_transfer(self, address: str, nonce: int, tip: int = 3 * GWEI) -> str:
        """Sign a transfer with an account's key, as if another program used the same key."""
        order = {"to": "0x" + "11" * 20, "value": 1, "gas": 21_000, "nonce": nonce, "chainId": CHAIN_ID}
        fees = {"maxFeePerGas": 100 * GWEI, "maxPriorityFeePerGas": tip}
        return "0x" + bytes(Account.sign_transaction({**order, **fees}, self.keys[address]).raw_transaction).hex()
