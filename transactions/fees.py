"""Computes which fees to offer for a transaction (EIP-1559), from the fees that were paid recently.
Also bumps fees."""

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
"""The two percentiles that the node returns for each block's priority fees. For a block that wasn't
full, the lower percentile is used, because this fee was enough to get into the block. For a full
block, the median is used."""
UNREADABLE_ERRORS = (TypeError, ValueError, KeyError, IndexError, AttributeError)
"""The errors that Python raises when code reads an answer whose shape is unexpected."""
FULL_BLOCK_RATIO = 0.9
"""A block counts as full if it has used at least this share of its gas limit."""
CEILING_FACTOR = 5
"""Automatic bumps can raise a transaction's fee up to its first fee times this factor."""


@dataclass(frozen=True, slots=True)
class Fees:
    """Fees in wei per unit of gas: the maximum fee, and the priority fee, which is part of it."""

    max_fee: int
    priority_fee: int

    def bumped(self) -> Fees:
        """Return the fees for a replacement transaction. They are 1/8 higher, rounded up, because
        nodes require an increase of at least 1/10."""
        return Fees(_bump(self.max_fee), _bump(self.priority_fee))

    def at_least(self, other: Fees) -> Fees:
        """Return the higher of the two maximum fees and the higher of the two priority fees."""
        return Fees(max(self.max_fee, other.max_fee), max(self.priority_fee, other.priority_fee))

    def capped(self, ceiling: int) -> Fees:
        """Return the fees, but at most `ceiling` wei per unit of gas."""
        max_fee = min(self.max_fee, ceiling)
        return Fees(max_fee, min(self.priority_fee, max_fee))


@dataclass(frozen=True, slots=True)
class FeeQuote:
    """The fees to offer after the block at `height`. `base_fee` is the base fee of the next block,
    in wei per unit of gas. If the node doesn't report it, `base_fee` is a lower bound."""

    height: int
    base_fee: int
    fees: Fees

    @property
    def price(self) -> int:
        """The price that a transaction will probably pay, in wei per unit of gas. It is the base
        fee plus the priority fee."""
        return self.base_fee + self.fees.priority_fee


async def fee_quote(request: Request) -> FeeQuote:
    """Return the fees to offer now, computed from `eth_feeHistory`. Use the node's suggestion
    instead if the node doesn't support this method or the last blocks had no transactions. Raises
    NoResponse and RpcError."""
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
    """Send a request to the node and return its answer. Raises RpcError if the node rejects the
    request. Raises NoResponse if the node doesn't answer or reports that it is busy."""
    try:
        return await request(method, params)
    except RpcError as refusal:
        if classify(refusal.message) == "busy":
            raise NoResponse(refusal.message) from refusal
        raise


async def _or_none(request: Request, method: str, *params: Any) -> Any:
    """Send a request to the node and return its answer. Return None if the node rejects the
    request, for example because it doesn't support the method."""
    try:
        return await call_node(request, method, *params)
    except RpcError:
        return None


def base_fee_of(block: dict[str, Any]) -> int:
    """Return a block's base fee in wei per unit of gas, or 0 on a chain without EIP-1559."""
    return int(block.get("baseFeePerGas") or "0x0", 16)


def next_base_fee(history: Any) -> int:
    """Return the base fee of the block that follows the blocks in a fee history. It is the
    history's last base fee. Return 0 if it is unknown."""
    try:
        fees, ratios = history["baseFeePerGas"], history["gasUsedRatio"]
        return int(fees[-1], 16) if len(fees) > len(ratios) > 0 else 0
    except UNREADABLE_ERRORS:
        return 0


def paid_priority_fee(history: Any) -> int | None:
    """Return the median priority fee in a fee history. Blocks without transactions don't count.
    Return None if no block counts, if the median is 0, or if the history can't be read."""
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
    """Return the fees to offer at this base fee. Each full block raises the base fee by 1/8, so
    these fees suffice for the next six blocks even if all are full."""
    return Fees(2 * base_fee + priority_fee, priority_fee)


def _bump(fee: int) -> int:
    return -(-fee * 9 // 8)
