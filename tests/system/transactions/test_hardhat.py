"""Tests of the transaction manager with a Hardhat node. The node mines each transaction
immediately, accepts only the next nonce, and has error messages that differ from Anvil's."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from indexer.node.client import Node
from tests.support.services.hardhat import hardhat
from tests.transactions.chain import FundedAnvil

TO = "0x" + "44" * 20


@pytest.fixture
async def it(tmp_path: Path) -> AsyncIterator[FundedAnvil]:
    with hardhat() as url:
        found = FundedAnvil(Node(url), tmp_path)
        await found.node.request("hardhat_setBalance", (found.account.address, hex(10**20)))
        yield found
        found.close()
        await found.node.aclose()


async def test_many_others_and_blocks_that_are_taken_back(it: FundedAnvil) -> None:
    first, second = it.program(), it.program()
    programs = [first, second] * 5
    txs = await asyncio.gather(*(one.submit(TO, f"0x{n:02x}", key=str(n)) for n, one in enumerate(programs)))
    assert sorted(tx.nonce for tx in txs) == list(range(10))
    await it.send_externally()
    snapshot = await it.node.request("evm_snapshot")
    late = await first.submit(TO, "0xff", key="late")
    assert ((await first.settled(late)).state, late.nonce) == ("mined", 11)
    await it.node.request("evm_revert", (snapshot,))
    await first.check()
    assert (await first.get(late)).state == "retracted"
    again = await second.submit(TO, "0xff", key="late")
    assert (again.id, again.hash) == (late.id, late.hash)
    assert [nonce for nonce, _data in await it.sent()] == list(range(12))
    refused = await first.submit(TO, value=10**30)
    assert (refused.state, refused.nonce) == ("refused", None)
    assert "funds" in refused.reason


async def test_what_waits_is_counted_and_can_be_cancelled(it: FundedAnvil) -> None:
    await it.node.request("evm_setAutomine", (False,))
    program = it.program()
    tx, last = [await program.submit(TO, data) for data in ("0x01", "0x02")]
    await program.cancel(tx)
    await it.node.request("evm_mine")
    assert [(await program.settled(one)).state for one in (tx, last)] == ["cancelled", "mined"]
    assert await it.sent() == [(0, "0x"), (1, "0x02")]
