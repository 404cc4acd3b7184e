"""A model of a node for the cases in tests/fixtures/vectors/transactions.json, and a model of an
account that signs transactions for the node."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, NamedTuple

from contracts.rpc_errors import NoResponse, RpcError

ME = "0x" + "11" * 20
TIP = 2
OTHERS_FEE = 1_000_000
Json = dict[str, Any]


class ModelTransaction(NamedTuple):
    """A transaction as the model's account signs it."""

    nonce: int
    data: str
    fee: int

    @property
    def text(self) -> str:
        return f"{self.nonce}:{self.data}:{self.fee}"

    @property
    def hash(self) -> str:
        return "0x" + f"#{self.text}".encode().hex()


def hex_of(data: str) -> str:
    return "0x" + data.encode().hex()


class Account:
    """An account whose signed transactions are the bytes `nonce:data:fee`."""

    address = ME

    def sign_transaction(self, tx: Json) -> Any:
        raw = ModelTransaction(tx["nonce"], bytes.fromhex(tx["data"][2:]).decode(), tx["maxFeePerGas"])
        parts = {"raw_transaction": raw.text.encode(), "hash": bytes.fromhex(raw.hash[2:])}
        return type("Signed", (), parts)


class ModelNode:
    """A model of a node. `blocks` contains the blocks that the model has mined. The nonces below
    `first` were used before the model's first block."""

    def __init__(self, rules: Json) -> None:
        self.first = rules.get("count", 0)
        self.automine, self.pending = rules.get("automine", True), rules.get("pending", True)
        self.depth, self.faults = rules.get("depth", 64), rules.get("faults", {})
        self.genesis, self.base, self.sends = 0, 10, 0
        self.blocks: list[list[ModelTransaction]] = []
        self.pool: dict[int, ModelTransaction] = {}
        self.late: ModelTransaction | None = None
        self.rejected: set[str] = set()
        self.dead = asyncio.Event()

    @property
    def mined(self) -> list[ModelTransaction]:
        return [raw for block in self.blocks for raw in block]

    @property
    def count(self) -> int:
        return self.first + len(self.mined)

    @property
    def free(self) -> int:
        """The account's lowest nonce that is neither on the chain nor in the pool."""
        nonce = self.count
        while nonce in self.pool:
            nonce += 1
        return nonce

    def mine(self, blocks: int) -> None:
        for _ in range(blocks):
            block, nonce = [], self.count
            while (raw := self.pool.get(nonce)) and raw.fee >= self.base:
                block.append(self.pool.pop(nonce))
                nonce += 1
            self.blocks.append(block)

    def accept(self, raw: ModelTransaction) -> None:
        there = self.pool.get(raw.nonce)
        if there == raw:
            raise RpcError(-32000, "already known")
        if raw.nonce < self.count:
            raise RpcError(-32000, "nonce too low")
        if there and raw.fee * 10 < there.fee * 11:
            raise RpcError(-32000, "replacement transaction underpriced")
        self.pool[raw.nonce] = raw
        if self.automine and self._next_is_paid():
            self.mine(1)

    def _next_is_paid(self) -> bool:
        return self.count in self.pool and self.pool[self.count].fee >= self.base

    async def request(self, method: str, params: Sequence[Any]) -> Any:
        await asyncio.sleep(0)
        return await getattr(self, method)(*params)

    async def eth_chainId(self) -> str:
        return "0x7a69"

    async def eth_getBlockByNumber(self, tag: str, _full: bool) -> Json | None:
        head = len(self.blocks)
        height = {"latest": head, "finalized": max(head - self.depth, 0)}.get(tag)
        height = int(tag, 16) if height is None else height
        if height > head:
            return None
        below = [[raw.text for raw in block] for block in self.blocks[:height]]
        hash = f"0x{hash_of(str((self.genesis, below)))}"
        return {"number": hex(height), "hash": hash, "baseFeePerGas": hex(self.base)}

    async def eth_feeHistory(self, _blocks: str, _newest: str, _percentiles: list[float]) -> Json:
        raise RpcError(-32601, "the method eth_feeHistory does not exist/is not available")

    async def eth_maxPriorityFeePerGas(self) -> str:
        return hex(TIP)

    async def eth_estimateGas(self, call: Json, _at: str) -> str:
        data = bytes.fromhex(call.get("data", "0x")[2:]).decode()
        if data.startswith("no") or data in self.rejected:
            raise RpcError(3, "execution reverted", "0x")
        return hex(50_000)

    async def eth_call(self, _call: Json, _at: str) -> str:
        raise RpcError(3, "execution reverted", "0x")

    async def eth_getTransactionCount(self, _address: str, at: str) -> str:
        return hex(self.free if at == "pending" and self.pending else self.count)

    async def eth_getTransactionByHash(self, hash: str) -> Json | None:
        found = [raw for raw in (*self.mined, *self.pool.values()) if raw.hash == hash]
        return {"hash": hash} if found else None

    async def eth_getTransactionReceipt(self, hash: str) -> Json | None:
        for height, block in enumerate(self.blocks, 1):
            for raw in block:
                if raw.hash == hash:
                    return {"blockNumber": hex(height), "status": hex(not raw.data.startswith("bad"))}
        return None

    async def eth_sendRawTransaction(self, signed: str) -> str:
        nonce, data, fee = bytes.fromhex(signed[2:]).decode().split(":")
        raw = ModelTransaction(int(nonce), data, int(fee))
        self.sends += 1
        if self.late is not None:
            late, self.late = self.late, None
            self.accept(late)
        await self._apply_fault(self.faults.get(f"send {self.sends}"), raw)
        return raw.hash

    async def _apply_fault(self, fault: str | None, raw: ModelTransaction) -> None:
        if fault == "other":
            self.accept(ModelTransaction(raw.nonce, "other", OTHERS_FEE))
        if fault == "late":
            self.late = raw
        elif fault in (None, "other", "after", "crash-after"):
            self.accept(raw)
        elif fault not in ("before", "crash-before"):
            raise RpcError(-32000, fault)
        if fault in ("crash-before", "crash-after"):
            self.dead.set()
            await asyncio.Event().wait()
        if fault in ("before", "after", "late"):
            raise NoResponse("cut")

    def reset_chain(self) -> None:
        self.genesis, self.first, self.late = self.genesis + 1, 0, None
        self.blocks.clear()
        self.pool.clear()

    def revert_blocks(self, blocks: int, into_pool: bool) -> None:
        for _ in range(blocks):
            for raw in self.blocks.pop():
                if into_pool:
                    self.pool[raw.nonce] = raw

    def chain(self) -> list[str]:
        return [f"{raw.nonce}:{raw.data}" for raw in self.mined]


def hash_of(text: str) -> str:
    return text.encode().hex()
