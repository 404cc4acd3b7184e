"""What is asked of the chain for one account."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, NamedTuple

from eth_account.signers.local import LocalAccount

from contracts.rpc_errors import NoAnswer, Refusal, Request
from transactions.fees import Fees, offered
from transactions.model import Attempt, Order
from transactions.node_errors import Kind, kind_of
from transactions.revert_reason import reason_of

FINAL_BLOCKS = 64
"""A block that so many stand on is final, where the node can't say which are."""
TRANSFER_GAS = 21_000
MARKET_SECONDS = 1.0
GWEI = 10**9


class Said(NamedTuple):
    """What came of a sending: `sent`, or what the node's words mean; `busy` also for no answer."""

    kind: Kind | str
    words: str = ""


@dataclass(frozen=True, slots=True)
class Head:
    """The newest block with its base fee (wei), and the height up to which all is final (negative: nothing is)."""

    height: int
    hash: str
    base: int
    final: int


@dataclass(frozen=True, slots=True)
class Receipt:
    block: int
    ok: bool


class Door:
    """One account on one chain. Raises Refusal where the node says no and NoAnswer where it says nothing or to wait."""

    def __init__(self, request: Request, account: LocalAccount) -> None:
        self._request, self._account = request, account
        self._market: tuple[int, Fees] | None = None
        self._until = 0.0
        self._identity = ""

    @property
    def address(self) -> str:
        return str(self._account.address)

    async def _ask(self, method: str, *params: Any) -> Any:
        try:
            return await self._request(method, params)
        except Refusal as refusal:
            if kind_of(refusal.message) == "busy":
                raise NoAnswer(refusal.message) from refusal
            raise

    async def identity(self) -> str:
        """Which chain this is: its id and the hash of its first block."""
        genesis = (await self._ask("eth_getBlockByNumber", "0x0", False))["hash"]
        if not self._identity.endswith(genesis):
            self._identity = f"{int(await self._ask('eth_chainId'), 16)}:{genesis}"
        return self._identity

    async def head(self) -> Head:
        newest = await self._ask("eth_getBlockByNumber", "latest", False)
        height = int(newest["number"], 16)
        return Head(height, newest["hash"], _base(newest), await self._final(height))

    async def _final(self, height: int) -> int:
        """A node that calls even its newest block final knows nothing of it (Hardhat does so)."""
        try:
            told = await self._ask("eth_getBlockByNumber", "finalized", False)
        except Refusal:
            told = None
        if told is None or int(told["number"], 16) >= height:
            return height - FINAL_BLOCKS
        return int(told["number"], 16)

    async def newest(self) -> str:
        """The hash of the newest block."""
        return str((await self._ask("eth_getBlockByNumber", "latest", False))["hash"])

    async def holds(self, height: int, hash: str) -> bool:
        """Whether the chain still has this block at this height."""
        block = await self._ask("eth_getBlockByNumber", hex(height), False)
        return block is not None and block["hash"] == hash

    async def count(self, at: str) -> int:
        """How many nonces are used, at `latest` or `pending`."""
        return int(await self._ask("eth_getTransactionCount", self.address, at), 16)

    async def simulate(self, order: Order) -> int:
        """The gas to give to a transaction that would succeed now, after our own that wait. Raises Refusal."""
        estimate = int(await self._ask("eth_estimateGas", self._call(order), "pending"), 16)
        return min(estimate if estimate == TRANSFER_GAS else estimate * 5 // 4, order.gas_cap)

    async def market(self, fresh: bool = False) -> tuple[int, Fees]:
        """The height of the newest block, and the fees that one would offer. Good for a second."""
        if fresh or self._market is None or time.monotonic() > self._until:
            newest = await self._ask("eth_getBlockByNumber", "latest", False)
            fees = offered(_base(newest), await self._tip())
            self._market, self._until = (int(newest["number"], 16), fees), time.monotonic() + MARKET_SECONDS
        return self._market

    async def _tip(self) -> int:
        try:
            return int(await self._ask("eth_maxPriorityFeePerGas"), 16)
        except Refusal:
            return GWEI

    def sign(self, order: Order, gas: int, nonce: int, fees: Fees) -> Attempt:
        """What is wanted, with this nonce."""
        call = {"to": order.to, "data": order.data, "value": order.value, "gas": gas}
        return self._signed(call, order, nonce, fees, False)

    def sign_empty(self, order: Order, nonce: int, fees: Fees) -> Attempt:
        """In its place a transfer of nothing to oneself."""
        call = {"to": self.address, "data": "0x", "value": 0, "gas": TRANSFER_GAS}
        return self._signed(call, order, nonce, fees, True)

    def _signed(self, call: dict[str, Any], order: Order, nonce: int, fees: Fees, cancels: bool) -> Attempt:
        chain_id = int(order.chain.partition(":")[0])
        price = {"type": 2, "maxFeePerGas": fees.most, "maxPriorityFeePerGas": fees.tip}
        whole: Any = {**call, **price, "nonce": nonce, "chainId": chain_id}
        signed = self._account.sign_transaction(whole)
        return Attempt(_hex(signed.hash), _hex(signed.raw_transaction), nonce, fees, cancels)

    async def send(self, raw: str) -> Said:
        """Gives signed bytes to the node. Raises nothing of the kind above: what it says is the answer."""
        try:
            await self._request("eth_sendRawTransaction", (raw,))
        except Refusal as refusal:
            return Said(kind_of(refusal.message), refusal.message)
        except NoAnswer as lost:
            return Said("busy", str(lost))
        return Said("sent")

    async def known(self, hash: str) -> bool:
        """Whether the node has this transaction, in its pool or in a block."""
        return await self._ask("eth_getTransactionByHash", hash) is not None

    async def receipt(self, hash: str) -> Receipt | None:
        found = await self._ask("eth_getTransactionReceipt", hash)
        return Receipt(int(found["blockNumber"], 16), int(found["status"], 16) == 1) if found else None

    async def post_mortem(self, order: Order, block: int) -> str:
        """Why it failed in this block, as far as that can be seen by doing it again before and after the block."""
        for height in (block - 1, block):
            try:
                await self._ask("eth_call", self._call(order), hex(height))
            except Refusal as refusal:
                return reason_of(refusal)
        return "it failed in its block; done again beside it, it succeeds"

    def _call(self, order: Order) -> dict[str, Any]:
        call = {"from": self.address, "to": order.to, "value": hex(order.value)}
        return call if _plain(order) else {**call, "data": order.data}


def _base(block: dict[str, Any]) -> int:
    return int(block.get("baseFeePerGas", "0x0"), 16)


def _plain(order: Order) -> bool:
    return order.data in ("", "0x")


def _hex(some: Any) -> str:
    return "0x" + bytes(some).hex()
