"""Fees of a transaction (EIP-1559): what blocks have paid of late, and how an offer is bumped."""

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
"""Of the priority fees in a block: of one with room the low end got in, of a full one the middle did."""
UNREADABLE = (TypeError, ValueError, KeyError, IndexError, AttributeError)
"""Errors of an answer that has another shape."""
FULL = 0.9
"""A block counts as full from this part of its gas limit on."""
CEILING_FACTOR = 5
"""A transaction's fee is bumped by itself up to so many times its first one."""


@dataclass(frozen=True, slots=True)
class Fees:
    """Wei for a unit of gas: the maximum in all, and the priority fee within it."""

    max_fee: int
    priority_fee: int

    def bumped(self) -> Fees:
        """The smallest replacement: 1/8 more, rounded up, as nodes ask for 1/10 more."""
        return Fees(_bump(self.max_fee), _bump(self.priority_fee))

    def at_least(self, other: Fees) -> Fees:
        """The higher of each."""
        return Fees(max(self.max_fee, other.max_fee), max(self.priority_fee, other.priority_fee))

    def capped(self, ceiling: int) -> Fees:
        """At most `ceiling` wei for a unit of gas, the priority fee included."""
        max_fee = min(self.max_fee, ceiling)
        return Fees(max_fee, min(self.priority_fee, max_fee))


@dataclass(frozen=True, slots=True)
class FeeQuote:
    """Fees to offer after the block of this height. `base_fee`: wei for a unit of gas that the next block takes, at
    least as far as it is known; `price`: what is likely paid."""

    height: int
    base_fee: int
    fees: Fees

    @property
    def price(self) -> int:
        """Wei for a unit of gas: the base fee and the priority fee."""
        return self.base_fee + self.fees.priority_fee


async def fee_quote(request: Request) -> FeeQuote:
    """The fees to offer now, by `eth_feeHistory`; where that is missing or has seen no transactions, by what the node
    suggests. Raises NoResponse and RpcError."""
    newest, history = await asyncio.gather(
        ask(request, "eth_getBlockByNumber", "latest", False),
        _or_none(request, "eth_feeHistory", hex(HISTORY_BLOCKS), "latest", list(PERCENTILES)),
    )
    base_fee = max(base_fee_of(newest), next_base_fee(history))
    priority_fee = paid_priority_fee(history)
    if priority_fee is None:
        found = await _or_none(request, "eth_maxPriorityFeePerGas")
        priority_fee = GWEI if found is None else int(found, 16)
    return FeeQuote(int(newest["number"], 16), base_fee, suggested(base_fee, priority_fee))


async def ask(request: Request, method: str, *params: Any) -> Any:
    """As the request, but NoResponse also where the node says that it is busy."""
    try:
        return await request(method, params)
    except RpcError as refusal:
        if classify(refusal.message) == "busy":
            raise NoResponse(refusal.message) from refusal
        raise


async def _or_none(request: Request, method: str, *params: Any) -> Any:
    """None where the node does not know the method."""
    try:
        return await ask(request, method, *params)
    except RpcError:
        return None


def base_fee_of(block: dict[str, Any]) -> int:
    """Wei for a unit of gas; 0 on a chain without EIP-1559."""
    return int(block.get("baseFeePerGas") or "0x0", 16)


def next_base_fee(history: Any) -> int:
    """The base fee of the block after a fee history, which names one more than it has blocks; 0: unknown."""
    try:
        fees, ratios = history["baseFeePerGas"], history["gasUsedRatio"]
        return int(fees[-1], 16) if len(fees) > len(ratios) > 0 else 0
    except UNREADABLE:
        return 0


def paid_priority_fee(history: Any) -> int | None:
    """The median over the blocks of a fee history that had transactions; None where there were none, or they gave
    nothing, or the history can't be read."""
    try:
        paid = [
            int(low if ratio < FULL else middle, 16)
            for ratio, (low, middle) in zip(history["gasUsedRatio"], history["reward"], strict=False)
            if ratio > 0
        ]
    except UNREADABLE:
        return None
    return statistics.median_low(paid) or None if paid else None


def suggested(base_fee: int, priority_fee: int) -> Fees:
    """Fees to offer now: enough for six full blocks, each of which raises the base fee by 1/8."""
    return Fees(2 * base_fee + priority_fee, priority_fee)


def _bump(fee: int) -> int:
    return -(-fee * 9 // 8)
