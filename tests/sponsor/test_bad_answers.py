"""Tests that malformed answers from a node don't stop the sponsor. Visitors must not see the
operator's paths or the provider's messages."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from contracts.rpc_errors import RpcError
from tests.sponsor.environment import HERE, addresses, rejection_of, sponsor_env
from tests.support.waiting import wait_for_async
from transactions.fees import fee_quote


@pytest.mark.parametrize(
    ("method", "answer"),
    [
        ("eth_getBalance", None),
        ("eth_getBalance", "0x"),
        ("eth_getBlockByNumber", None),
        ("eth_getTransactionReceipt", {"status": "0x1"}),
        ("eth_getTransactionCount", None),
    ],
)
async def test_an_answer_that_cannot_be_read_ends_nothing(tmp_path: Path, method: str, answer: Any) -> None:
    async with sponsor_env(tmp_path) as env:
        bad = False
        bad = 0

        async def request(name: str, params: Sequence[Any] = ()) -> Any:
            nonlocal bad
            if bad and name == method:
                bad += 1
                return answer
            return await env.node.request(name, params)

        sponsor = await env.sponsor(request=request)
        await env.node.request("evm_setAutomine", (False,))
        await sponsor.grant(addresses(1)[0], HERE, "chess")
        if "Receipt" in method:
            await env.node.request("anvil_mine", ("0x1",))
        bad = 1
        jobs = [asyncio.create_task(sponsor.run()), asyncio.create_task(sponsor.poll_balance())]
        await wait_for_async(
            lambda: bad > 3 or any(job.done() for job in jobs),
            bool,
            "a retry by the sponsor after a malformed answer",
        )
        done = [job for job in jobs if job.done()]
        for one in jobs:
            one.cancel()
        await asyncio.gather(*jobs, return_exceptions=True)
        assert not done


@pytest.mark.parametrize(
    "history",
    [
        {"baseFeePerGas": ["0x1", "0x2"], "gasUsedRatio": [0.5], "reward": [["0x1"]]},
        {"baseFeePerGas": ["0x1", "0x2"], "gasUsedRatio": ["0.5"], "reward": [["0x1", "0x2"]]},
        {"baseFeePerGas": ["0x1", "0x2"], "gasUsedRatio": [0.5], "reward": [None]},
        {"baseFeePerGas": ["0x1", None], "gasUsedRatio": [0.5], "reward": [["0x1", "0x2"]]},
        [],
        "0x",
    ],
)
async def test_a_fee_history_of_another_shape_is_no_history(tmp_path: Path, history: Any) -> None:
    async with sponsor_env(tmp_path) as env:

        async def request(name: str, params: Sequence[Any] = ()) -> Any:
            return history if name == "eth_feeHistory" else await env.node.request(name, params)

        assert (await fee_quote(request)).fees.max_fee > 0


async def test_visitors_do_not_read_the_words_of_the_provider(tmp_path: Path) -> None:
    async with sponsor_env(tmp_path) as env:

        async def request(method: str, params: Sequence[Any] = ()) -> Any:
            if method == "eth_getCode":
                raise RpcError(-32600, "project key 9f3cSECRET is not allowed from 10.1.2.3")
            return await env.node.request(method, params)

        why = await rejection_of(await env.sponsor(request=request), addresses(1)[0])
        assert why.key == "sponsor-unable.refused"
        assert "SECRET" not in str(why.arguments)


async def test_visitors_do_not_read_the_paths_of_the_operator(tmp_path: Path) -> None:
    async with sponsor_env(tmp_path) as env:
        sponsor = await env.sponsor()
        with env.ledger(sponsor)._file.writing() as database:
            database.execute("DROP TABLE recipients")
        why = await rejection_of(sponsor, addresses(1)[0])
        assert why.key == "sponsor-unable.refused"
        assert str(tmp_path) not in str(why.arguments)
