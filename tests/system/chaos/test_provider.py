"""Tests that the models of a rollup and of its provider behave as documented, because other tests
rely on these models."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from eth_account import Account
from websockets.asyncio.client import connect

from chaos.chain.anvil_chain import AnvilChain
from chaos.provider.plan import Bucket, Plan
from chaos.provider.provider import Provider
from chaos.provider.rollup import L1_FEE_PER_BYTE, Rollup
from contracts.abi import encode_call
from indexer.node.client import Node, NodeError, NodeUnavailable
from transactions.l1_fee import GAS_PRICE_ORACLE

STRANGER = "0x" + "0" * 36 + "dEaD"
NO_DELAY = 0.0
GET_L1_FEE: Any = [
    {
        "type": "function",
        "name": "getL1Fee",
        "inputs": [{"name": "data", "type": "bytes"}],
        "outputs": [{"name": "", "type": "uint256"}],
        "stateMutability": "view",
    }
]


@asynccontextmanager
async def provided(folder: Path, plan: Plan, block_seconds: float = 0.1) -> AsyncIterator[tuple[Rollup, Provider]]:
    chain = AnvilChain(folder)
    await chain.start()
    try:
        rollup = Rollup(chain, block_seconds)
        async with rollup.running(), Provider(rollup, plan).running() as provider:
            yield rollup, provider
    finally:
        await chain.stop()


async def test_a_rollup_mines_by_itself_and_takes_a_fee_for_data(tmp_path: Path) -> None:
    async with provided(tmp_path, Plan(latency=NO_DELAY)) as (rollup, provider):
        node = Node(provider.url)
        account = Account.create()
        await rollup.chain.request("anvil_setBalance", account.address, hex(10**18))
        fields = {"to": STRANGER, "value": 5, "gas": 21_000, "nonce": 0, "chainId": 31337}
        fees = {"maxFeePerGas": 10**10, "maxPriorityFeePerGas": 10**9}
        raw = account.sign_transaction({**fields, **fees}).raw_transaction
        asked = {"to": GAS_PRICE_ORACLE, "data": encode_call(GET_L1_FEE, "getL1Fee", (raw,))}
        l1_fee = int(await node.request("eth_call", (asked, "latest")), 16)
        assert l1_fee == L1_FEE_PER_BYTE * len(raw)

        hash = await node.request("eth_sendRawTransaction", ("0x" + raw.hex(),))
        while (receipt := await node.request("eth_getTransactionReceipt", (hash,))) is None:
            pass
        assert int(receipt["l1Fee"], 16) == l1_fee
        paid = int(receipt["gasUsed"], 16) * int(receipt["effectiveGasPrice"], 16) + 5 + l1_fee
        assert int(await node.request("eth_getBalance", (account.address, "latest")), 16) == 10**18 - paid

        await rollup.chain.request("anvil_setBalance", account.address, hex(21_000 * 10**10 + 5))
        again = account.sign_transaction({**fields, **fees, "nonce": 1}).raw_transaction
        l1_fee = L1_FEE_PER_BYTE * len(again)  # the lengths of two signatures can differ by a byte
        with pytest.raises(NodeError, match=f"overshot {l1_fee}"):
            await node.request("eth_sendRawTransaction", ("0x" + again.hex(),))
        await node.aclose()


async def test_a_transaction_that_is_replaced_pays_nothing_for_its_data(tmp_path: Path) -> None:
    async with provided(tmp_path, Plan(latency=NO_DELAY), 600) as (rollup, provider):
        node = Node(provider.url)
        account = Account.create()
        await rollup.chain.request("anvil_setBalance", account.address, hex(10**18))
        fields = {"to": STRANGER, "value": 5, "gas": 30_000, "nonce": 0, "chainId": 31337}
        raws = [
            account.sign_transaction(
                {**fields, "data": bytes(size), "maxFeePerGas": gwei * 10**9, "maxPriorityFeePerGas": gwei * 10**9}
            ).raw_transaction
            for gwei, size in ((5, 400), (10, 100))
        ]
        hashes = [await node.request("eth_sendRawTransaction", ("0x" + raw.hex(),)) for raw in raws]
        await rollup.chain.mine()
        receipts = [await node.request("eth_getTransactionReceipt", (hash,)) for hash in hashes]
        assert receipts[0] is None
        gas = int(receipts[1]["gasUsed"], 16) * int(receipts[1]["effectiveGasPrice"], 16)
        paid = gas + 5 + L1_FEE_PER_BYTE * len(raws[1])
        assert int(await node.request("eth_getBalance", (account.address, "latest")), 16) == 10**18 - paid
        await node.aclose()


async def test_a_provider_keeps_to_its_plan(tmp_path: Path) -> None:
    plan = Plan(latency=0.02, max_range=10, max_batch=3, missing=frozenset({"eth_getBlockReceipts"}), states=5)
    async with provided(tmp_path, plan, 60) as (rollup, provider):
        node = Node(provider.url)
        await rollup.chain.mine(30)
        begin = time.monotonic()
        assert len(await node.headers(5, 7)) == 3
        assert time.monotonic() - begin >= plan.latency
        assert await node.logs_between(1, 10, [STRANGER]) == []
        for method, params in (
            ("eth_getLogs", ({"fromBlock": "0x1", "toBlock": "0xb"},)),
            ("eth_getBlockReceipts", ("latest",)),
            ("eth_getBalance", (STRANGER, "0x19")),
            ("anvil_mine", ()),
        ):
            with pytest.raises(NodeError):
                await node.request(method, params)
        async with httpx.AsyncClient() as http:
            batch = [{"jsonrpc": "2.0", "id": at, "method": "eth_blockNumber", "params": []} for at in range(4)]
            assert "at most 3 calls" in (await http.post(provider.url, json=batch)).json()["error"]["message"]
        assert await node.request("eth_getBalance", (STRANGER, "0x1a")) == "0x0"
        with provider.outage(), pytest.raises(NodeUnavailable):
            await node.head()
        assert (await node.head()).height == 30
        await node.aclose()


@pytest.mark.parametrize("refusal", ["http", "item"])
async def test_a_rate_is_refused_in_the_providers_way(tmp_path: Path, refusal: Any) -> None:
    plan = Plan(latency=NO_DELAY, rate=5, refusal=refusal)
    async with provided(tmp_path, plan, 60) as (_rollup, provider), httpx.AsyncClient() as http:
        calls = [{"jsonrpc": "2.0", "id": at, "method": "eth_blockNumber", "params": []} for at in range(8)]
        answer = await http.post(provider.url, json=calls)
        if refusal == "http":
            assert (answer.status_code, answer.headers["Retry-After"]) == (429, "1")
        else:
            assert ["result" in one for one in answer.json()] == [True] * 5 + [False] * 3
        assert (provider.posts, provider.refused) == (1, 1)


def test_a_bucket_saves_up_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    bucket = Bucket(10)
    assert (bucket.take(8), bucket.take(8)) == (8, 2)
    now += 0.5
    assert bucket.take(8) == 5
    now += 100
    assert bucket.take(50) == 10


async def test_heads_come_until_the_plan_ends_the_websocket(tmp_path: Path) -> None:
    async with provided(tmp_path, Plan(latency=NO_DELAY, socket_seconds=1.0)) as (_rollup, provider):
        async with connect(provider.websocket_url) as socket:
            await socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}')
            received = [message async for message in socket]
        assert any("parentHash" in str(one) for one in received)


async def test_a_reorg_takes_blocks_and_keeps_their_transactions(tmp_path: Path) -> None:
    async with provided(tmp_path, Plan(latency=NO_DELAY), 60) as (rollup, _provider):
        [sender, *_] = await rollup.chain.request("eth_accounts")
        await rollup.chain.request("eth_sendTransaction", {"from": sender, "to": STRANGER, "value": "0x1"})
        await rollup.chain.mine(3)
        before = await rollup.chain.blocks(1, 3)
        await rollup.reorg(3)
        await rollup.chain.mine()
        after = await rollup.chain.blocks(1, 4)
        assert not {one["hash"] for one in before} & {one["hash"] for one in after}
        assert before[0]["transactions"][0] in [hash for one in after for hash in one["transactions"]]
