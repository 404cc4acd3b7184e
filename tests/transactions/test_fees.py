"""Tests that the offered fees are computed from past blocks. On a rollup, the fees include the data
fee. The tests use a model of a rollup and a plain chain."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from eth_account import Account

from chaos.chain.anvil_chain import AnvilChain
from chaos.provider.plan import Plan
from chaos.provider.provider import Provider
from chaos.provider.rollup import Rollup
from contracts.rpc_errors import NoResponse, RpcError
from indexer.node.client import Node
from tests.transactions.chain import ETHER, GWEI, FundedAnvil, chain
from transactions.fees import Fees, fee_quote, next_base_fee, paid_priority_fee
from transactions.l1_fee import L1FeeOracle, sample

TO = "0x" + "44" * 20


@asynccontextmanager
async def provider(folder: Path, plan: Plan) -> AsyncIterator[tuple[Node, FundedAnvil]]:
    """Yield two nodes of a rollup's chain: the provider, and the chain's own node without a
    provider in between. The chain mines a block for each transaction."""
    chain = AnvilChain(folder)
    await chain.start()
    rollup = Rollup(chain, 60)
    try:
        async with rollup.running(), Provider(rollup, plan).running() as one, closing_node(one.url) as node:
            await chain.request("evm_setAutomine", True)
            it = FundedAnvil(chain.node, folder)
            await it.fund(it.account)
            yield node, it
    finally:
        await chain.stop()


@asynccontextmanager
async def closing_node(url: str) -> AsyncIterator[Node]:
    node = Node(url)
    try:
        yield node
    finally:
        await node.aclose()


def history(*blocks: tuple[float, int, int], next_fee: int = 7) -> dict[str, Any]:
    """Return a fee history. Each block is given as (used share of the gas limit, low priority fee,
    median priority fee)."""
    return {
        "baseFeePerGas": [hex(5)] * len(blocks) + [hex(next_fee)],
        "gasUsedRatio": [ratio for ratio, _low, _middle in blocks],
        "reward": [[hex(low), hex(middle)] for _ratio, low, middle in blocks],
    }


@pytest.mark.parametrize(
    ("blocks", "expected"),
    [
        ([], None),
        ([(0.0, 0, 0)] * 3, None),
        ([(0.3, 0, 9)] * 3, None),
        ([(0.3, 2, 9), (0.0, 0, 0), (0.3, 4, 9)], 2),
        ([(0.3, 2, 9), (0.95, 2, 9), (1.0, 2, 9)], 9),
        ([(0.3, 2, 9)] * 5 + [(0.3, 10**12, 10**12)] * 4, 2),
    ],
)
def test_the_priority_fee_is_what_got_into_blocks(blocks: list[tuple[float, int, int]], expected: int | None) -> None:
    """Tests that the offered priority fee is the fee that transactions in recent blocks paid. In
    the last case, somebody has filled four of nine blocks with expensive transactions, which
    doesn't change the offer."""
    assert paid_priority_fee(history(*blocks)) == expected


def test_a_short_history_says_nothing_of_the_next_base_fee() -> None:
    assert next_base_fee(history((0.5, 1, 1))) == 7
    assert next_base_fee({"baseFeePerGas": ["0x5"], "gasUsedRatio": [0.5]}) == 0
    assert next_base_fee({"baseFeePerGas": ["0x5"], "gasUsedRatio": []}) == 0
    assert next_base_fee(None) == 0


async def test_what_others_paid_is_offered_with_room_for_the_base_fee(tmp_path: Path) -> None:
    async with chain(tmp_path) as it:
        for tip in (3, 5, 4):
            hash = await it.send_externally(tip=tip)
            while await it.node.request("eth_getTransactionReceipt", (hash,)) is None:
                pass
        quote = await fee_quote(it.node.request)
        newest = await it.node.request("eth_getBlockByNumber", ("latest", False))
        assert quote.height == int(newest["number"], 16) == 3
        assert quote.base_fee == int(newest["baseFeePerGas"], 16)
        assert quote.fees == Fees(2 * quote.base_fee + 4, 4)
        assert quote.price == quote.base_fee + 4


@pytest.mark.parametrize("missing", [{"eth_feeHistory"}, {"eth_feeHistory", "eth_maxPriorityFeePerGas"}])
async def test_without_a_history_the_node_suggests_or_nobody_does(tmp_path: Path, missing: set[str]) -> None:
    async with provider(tmp_path, Plan(latency=0.0, missing=frozenset(missing))) as (node, it):
        await it.send_externally(tip=3)
        assert (await fee_quote(node.request)).fees.priority_fee == GWEI


async def test_a_busy_node_is_waited_for() -> None:
    async def busy(method: str, _params: Any) -> Any:
        if method == "eth_getBlockByNumber":
            return {"number": "0x1", "baseFeePerGas": "0x1"}
        raise RpcError(-32005, "rate limit exceeded")

    with pytest.raises(NoResponse):
        await fee_quote(busy)
    with pytest.raises(NoResponse):
        await L1FeeOracle(busy).estimate(TO)


async def test_the_fee_for_data_is_told_before_signing_and_never_too_low(tmp_path: Path) -> None:
    async with provider(tmp_path, Plan(latency=0.0)) as (node, _it):
        oracle = L1FeeOracle(node.request)
        fields: Any = {"to": TO, "data": "0x" + "5a" * 100, "value": ETHER, "gas": 200_000, "nonce": 7, "chainId": 10}
        fees = {"maxFeePerGas": 10**10, "maxPriorityFeePerGas": 10**9, "type": 2}
        raw = bytes(Account.create().sign_transaction({**fields, **fees}).raw_transaction)
        exact, told = await oracle.fee(raw), await oracle.estimate(TO, fields["data"], ETHER)
        assert 0 < exact <= told <= exact * 1.1
        assert len(sample(TO, "0x", 0)) < len(sample(TO, "0x5a5a", 0)) < len(sample(TO, "0x5a5a", ETHER))


async def test_a_chain_without_an_oracle_is_asked_once(tmp_path: Path) -> None:
    async with chain(tmp_path) as it:
        asked = []

        async def request(method: str, params: Any) -> Any:
            asked.append(method)
            return await it.node.request(method, params)

        oracle = L1FeeOracle(request)
        assert [await oracle.estimate(TO) for _ in range(3)] == [0, 0, 0]
        assert asked == ["eth_call"]
