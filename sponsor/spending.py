"""Checks that an address spends its sponsored ether only on moves. It reads every transaction that
the address has sent since it received the ether.

An address is assumed to spend its sponsored ether before its other ether. If it sends a transaction
that carries ether or doesn't call one of our contracts, it permanently loses its allowance."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from contracts.rpc_errors import Request, RpcError
from sponsor.ledger import Recipient
from transactions.chain_client import FINAL_BLOCKS

MAX_CHECKED = 100
"""The maximum number of transactions that one request checks. The next request for the same address
continues after them."""

IndexedTransactions: TypeAlias = Callable[[str, int], Awaitable[Sequence[str]]]
"""A function that takes an address and a block height. It asks an index for the hashes of the
address's transactions from this height on."""


class SpendingUnknown(Exception):
    """The node can't show the transactions of the address, so its spending can't be checked."""


class SpendingReader:
    """Reads the transactions that an address has sent. `contracts` returns the addresses of our
    contracts, checksummed or not. `indexed` looks up transactions in an index, which saves requests
    to the node. It is required if the node doesn't have the states of past blocks."""

    def __init__(
        self, request: Request, contracts: Callable[[], Collection[str]], indexed: IndexedTransactions | None = None
    ) -> None:
        self._request, self._indexed, self._contracts = request, indexed, contracts

    async def check(self, address: str, seen: Recipient, count: int, height: int) -> tuple[Recipient, bool]:
        """Check the transactions of an address that has sent `count` transactions up to the block
        at `height`. Return what is now known about the address. Also return True if all its
        transactions have been checked. Raises SpendingUnknown, NoResponse and RpcError."""
        if count <= seen.nonce or not seen.unspent or seen.lost:
            return replace(seen, nonce=max(count, seen.nonce), height=height), True
        known = await self._indexed_by_nonce(address, seen)
        ours = {one.lower() for one in self._contracts()}
        low = max(0, seen.height - FINAL_BLOCKS)  # a reorg might have moved the transactions to earlier blocks
        for nonce in range(seen.nonce, min(count, seen.nonce + MAX_CHECKED)):
            tx = known.get(nonce)
            if tx is None:
                low = await self._height_of(address, nonce, low, height)
                tx = await self._transaction_in(low, address, nonce)
            if str(tx.get("to") or "").lower() not in ours or int(tx["value"], 16):
                return replace(seen, lost=str(tx["hash"])), True
            left = max(0, seen.unspent - await self._cost(str(tx["hash"])))
            seen = replace(seen, nonce=nonce + 1, unspent=left)
            if not left:
                return replace(seen, nonce=count, height=height), True
        is_all = seen.nonce >= count
        return replace(seen, height=height) if is_all else seen, is_all

    async def _indexed_by_nonce(self, address: str, seen: Recipient) -> dict[int, dict[str, Any]]:
        if self._indexed is None:
            return {}
        found: dict[int, dict[str, Any]] = {}
        for hash in (await self._indexed(address, max(0, seen.height - FINAL_BLOCKS)))[:MAX_CHECKED]:
            tx = await self._request("eth_getTransactionByHash", (hash,))
            if tx is not None and tx["from"].lower() == address.lower() and tx.get("blockHash"):
                found[int(tx["nonce"], 16)] = tx
        return found

    async def _height_of(self, address: str, nonce: int, low: int, high: int) -> int:
        """Find the block that contains the address's transaction with this nonce, by bisection.
        Return the block's height. It is above `low`, unless a reorg has moved the transaction."""
        while low < high:
            middle = (low + high) // 2
            try:
                count = int(await self._request("eth_getTransactionCount", (address, hex(middle))), 16)
            except RpcError as error:
                raise SpendingUnknown(error.message) from error
            low, high = (low, middle) if count > nonce else (middle + 1, high)
        return low

    async def _transaction_in(self, height: int, address: str, nonce: int) -> dict[str, Any]:
        block = await self._request("eth_getBlockByNumber", (hex(height), True)) or {"transactions": ()}
        for tx in block["transactions"]:
            if tx["from"].lower() == address.lower() and int(tx["nonce"], 16) == nonce:
                return dict(tx)
        raise SpendingUnknown(f"the node has no transaction with the nonce {nonce} from {address} in block {height}")

    async def _cost(self, hash: str) -> int:
        receipt = await self._request("eth_getTransactionReceipt", (hash,))
        if receipt is None:
            raise SpendingUnknown(f"the node has no receipt for {hash}")
        return cost_of(receipt)


def cost_of(receipt: dict[str, Any]) -> int:
    """Return what a mined transaction has cost in addition to its value, in wei. If the chain
    charges an L1 fee, it is included."""
    gas = int(receipt["gasUsed"], 16) * int(receipt["effectiveGasPrice"], 16)
    return gas + int(receipt.get("l1Fee") or "0x0", 16)
