"""Computes a transaction's fees (EIP-1559) from recently paid fees. Also bumps fees."""

from __future__ import annotations

import asyncio
import statistics
from dataclasses import dataclass
from typing import Any

from contracts.rpc_errors import NoResponse, Request, RpcError
from transactions.node_errors import classify

GWEI = 10**9
HISTORY_BLOCKS = 10
PERCENTILES = (10, 50)
"""The percentiles of a block's priority fees that we read. For a block that wasn't full, the first
is used, because it was enough to get into that block. For a full block, the second (the median) is
used."""
UNREADABLE_ERRORS = (TypeError, ValueError, KeyError, IndexError, AttributeError)
"""The errors that can be raised while an answer with an unexpected shape is read."""
FULL_BLOCK_RATIO = 0.9
"""The share of its gas limit that a block must have used to count as full."""
CEILING_FACTOR = 5
"""Automatic bumps raise a fee up to this multiple of the first fee."""


@dataclass(frozen=True, slots=True)
class Fees:
    """Fees in wei per unit of gas: the maximum fee, and the priority fee that it includes."""

    max_fee: int
    priority_fee: int

    def bumped(self) -> Fees:
        """Return the fees for a replacement: 1/8 higher, rounded up. Nodes require an increase of
        at least 1/10."""
        return Fees(_bump(self.max_fee), _bump(self.priority_fee))

    def at_least(self, other: Fees) -> Fees:
        """Return the higher of both maximum fees, and the higher of both priority fees."""
        return Fees(max(self.max_fee, other.max_fee), max(self.priority_fee, other.priority_fee))

    def capped(self, ceiling: int) -> Fees:
        """Return the fees, limited to `ceiling` wei per unit of gas."""
        max_fee = min(self.max_fee, ceiling)
        return Fees(max_fee, min(self.priority_fee, max_fee))


@dataclass(frozen=True, slots=True)
class FeeQuote:
    """The fees to offer after the block at `height`. `base_fee` is the next block's base fee in wei
    per unit of gas. If that is unknown, it is a lower bound."""

    height: int
    base_fee: int
    fees: Fees

    @property
    def price(self) -> int:
        """The price that is likely to be paid, in wei per unit of gas: the base fee plus the
        priority fee."""
        return self.base_fee + self.fees.priority_fee


async def fee_quote(request: Request) -> FeeQuote:
    """Return the fees to offer now, computed from `eth_feeHistory`. If the node doesn't have this
    method or the last blocks had no transactions, use the node's suggestion. Raises NoResponse and
    RpcError."""
    newest, history = await asyncio.gather(
        call_node(request, "eth_getBlockByNumber", "latest", False),
        _or_none(request, "eth_feeHistory", hex(HISTORY_BLOCKS), "latest", list(PERCENTILES)),
    )
    base_fee = max(base_fee_of(newest), next_base_fee(history))
    priority_fee = paid_priority_fee(history)
    if priority_fee is None:
        found = await _or_none(request, "eth_maxPriorityFeePerGas")
        priority_fee = GWEI if found is None else int(found, 16)
    return FeeQuote(int(newest["number"], 16), base_fee, suggested(base_fee, priority_fee))


async def call_node(request: Request, method: str, *params: Any) -> Any:
    """Send the request and return the answer. Raises RpcError if the node rejects it. Raises
    NoResponse if the node doesn't answer or answers that it is busy."""
    try:
        return await request(method, params)
    except RpcError as refusal:
        if classify(refusal.message) == "busy":
            raise NoResponse(refusal.message) from refusal
        raise


async def _or_none(request: Request, method: str, *params: Any) -> Any:
    """Return the answer, or None if the node rejects the request, for example because it doesn't
    support the method."""
    try:
        return await call_node(request, method, *params)
    except RpcError:
        return None


def base_fee_of(block: dict[str, Any]) -> int:
    """Return the block's base fee in wei per unit of gas, or 0 on a chain without EIP-1559."""
    return int(block.get("baseFeePerGas") or "0x0", 16)


def next_base_fee(history: Any) -> int:
    """Return the base fee of the block after a fee history, or 0 if it is unknown. In a fee
    history, the last base fee belongs to that block."""
    try:
        fees, ratios = history["baseFeePerGas"], history["gasUsedRatio"]
        return int(fees[-1], 16) if len(fees) > len(ratios) > 0 else 0
    except UNREADABLE_ERRORS:
        return 0


def paid_priority_fee(history: Any) -> int | None:
    """Return the median priority fee of the blocks in a fee history, without the blocks that had no
    transactions. Return None if there is no such block, if the median is 0, or if the history can't
    be read."""
    try:
        paid = [
            int(low if ratio < FULL_BLOCK_RATIO else middle, 16)
            for ratio, (low, middle) in zip(history["gasUsedRatio"], history["reward"], strict=False)
            if ratio > 0
        ]
    except UNREADABLE_ERRORS:
        return None
    return statistics.median_low(paid) or None if paid else None


def suggested(base_fee: int, priority_fee: int) -> Fees:
    """Return the fees to offer at this base fee. A full block raises the base fee by 1/8, so these
    fees suffice for the next six blocks even if all are full."""
    return Fees(2 * base_fee + priority_fee, priority_fee)


def _bump(fee: int) -> int:
    return -(-fee * 9 // 8)
