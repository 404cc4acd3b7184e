"""Tests on a real Anvil node that the transaction manager copes with other programs that use its
account, with chain resets, reorgs, changing fees and a lost connection."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest
from aiohttp import web
from eth_account import Account

from chaos.faults.counts import FaultCounts
from chaos.faults.fault import Fault
from chaos.faults.http_faults import HTTP_FAULTS, HttpExchange
from chaos.faults.proxy import FaultProxy
from indexer.node.client import Node
from tests.support.chain import reset_chain
from tests.support.waiting import PATIENCE_SECONDS
from tests.transactions.chain import GWEI, FundedAnvil, chain, key_of

TO = "0x" + "44" * 20
ONCE = "0x5f54600a5760015f55005b5f5ffd"
"""The code of a contract that succeeds once and reverts afterwards."""


def data(number: int) -> str:
    return f"0x{number:08x}"


@pytest.fixture
async def it(tmp_path: Path) -> AsyncIterator[FundedAnvil]:
    async with chain(tmp_path) as found:
        yield found


class SendCuttingProxy(FaultProxy):
    """A proxy that cuts the connection for every second transaction: alternately before and after
    the node has received the transaction."""

    def __init__(self) -> None:
        super().__init__(FaultCounts())
        self.sends = 0

    async def _apply_faults(self, exchange: HttpExchange) -> tuple[Fault | None, web.StreamResponse]:
        if "eth_sendRawTransaction" not in exchange.calls.methods:
            return await super()._apply_faults(exchange)
        self.sends += 1
        if self.sends % 2:
            return await super()._apply_faults(exchange)
        fault = Fault("drop", "after" if self.sends % 4 else "before", 1, Random(0))
        response = await HTTP_FAULTS["drop"](exchange, fault)
        assert response is not None
        return fault, response


async def test_every_second_sending_fails_and_three_programs_send(it: FundedAnvil) -> None:
    """Three programs send transactions, and the connection is cut for every second transaction.
    Tests that nonces have no gap, nothing is sent twice, and each program's transactions stay in
    order. This is incident 4 in `tests/system/incidents`."""
    proxy = SendCuttingProxy()
    await proxy.start()
    proxy.point_at(it.node.url)
    node = Node(proxy.url)
    shares = [range(17), range(17, 34), range(34, 50)]
    programs = [it.program(node) for _ in shares]
    jobs = [
        program.submit(TO, data(number)) for program, share in zip(programs, shares, strict=True) for number in share
    ]
    txs = await asyncio.gather(*jobs)
    assert {(await programs[0].settled(tx)).state for tx in txs} == {"mined"}
    found = await it.sent()
    assert [nonce for nonce, _data in found] == list(range(50))
    order = [int(some, 16) for _nonce, some in found]
    assert [[number for number in order if number in share] for share in shares] == [list(share) for share in shares]
    assert proxy.counts.observed["drop"] == proxy.sends // 2 >= 30
    await node.aclose()
    await proxy.stop()


async def test_a_chain_that_begins_anew_under_a_nonce_of_30(it: FundedAnvil) -> None:
    """The chain is replaced by a new one when the account's next nonce is 30. Tests that the
    manager recovers immediately without any action by its user. This is incident 5 in
    `tests/system/incidents`."""
    before = it.program()
    txs = await asyncio.gather(*(before.submit(TO, data(number), key=str(number)) for number in range(30)))
    assert txs[-1].nonce == 29
    await reset_chain(it.node)
    await it.fund(it.account)
    for program in (before, it.program()):
        tx = await program.submit(TO, data(99))
        assert (await program.settled(tx)).state == "mined"
    assert await it.sent() == [(0, data(99)), (1, data(99))]
    # the key was used only on the old chain, so it can be used again
    assert (await before.submit(TO, data(0), key="0")).nonce == 2


async def test_blocks_that_are_taken_back_are_told_and_offered_again_once(it: FundedAnvil) -> None:
    program = it.program()
    await program.settled(await program.submit(TO, data(0), key="0"))
    snapshot = await it.node.request("evm_snapshot")
    txs = [await program.submit(TO, data(number), key=str(number)) for number in (1, 2)]
    assert [(await program.settled(tx)).state for tx in txs] == ["mined", "mined"]
    await it.node.request("evm_revert", (snapshot,))
    await program.check()
    assert [(await program.get(tx)).state for tx in txs] == ["retracted", "retracted"]
    again = [await program.submit(TO, data(number), key=str(number)) for number in (1, 2)]
    assert [(await program.settled(tx)).state for tx in again] == ["mined", "mined"]
    assert [(tx.id, tx.hash) for tx in again] == [(tx.id, tx.hash) for tx in txs]
    assert await it.sent() == [(number, data(number)) for number in range(3)]


async def test_another_program_uses_the_key(it: FundedAnvil) -> None:
    program = it.program()
    await program.submit(TO, data(0))
    await it.send_externally()
    await program.settled(await program.submit(TO, data(1)))
    await it.node.request("evm_setAutomine", (False,))
    await it.send_externally(data="0xff")
    tx = await program.submit(TO, data(2))
    await it.mine()
    assert (await program.settled(tx)).nonce == 4
    assert [some for _nonce, some in await it.sent()] == [data(0), "0x", data(1), "0xff", data(2)]


async def test_somebody_was_faster(it: FundedAnvil) -> None:
    """A faster rival makes the mined transaction fail, although its simulation succeeded. Tests
    that the manager reports the failure and the used nonce, and that later transactions are still
    mined."""
    await it.node.request("anvil_setCode", (TO, ONCE))
    await it.node.request("evm_setAutomine", (False,))
    program, rival = it.program(), Account.from_key(key_of(8))
    await it.fund(rival)
    tx = await program.submit(TO, data(0))
    last = await program.submit(rival.address, data(1))
    await it.send_externally(account=rival, tip=50 * GWEI, to=TO)
    await it.mine()
    failed, mined = await program.settled(tx), await program.settled(last)
    assert (failed.state, failed.nonce, failed.reason) == ("failed", 0, "execution reverted")
    assert (mined.state, mined.nonce) == ("mined", 1)
    refused = await program.submit(TO, data(2))
    assert (refused.state, refused.nonce, refused.reason) == ("refused", None, "execution reverted")


async def test_too_little_ether_is_refused_and_uses_no_nonce(it: FundedAnvil) -> None:
    program = it.program()
    refused = await program.submit(TO, value=10**30)
    assert (refused.state, refused.nonce) == ("refused", None)
    assert "funds" in refused.reason
    assert (await program.submit(TO)).nonce == 0


async def test_others_fill_the_blocks(it: FundedAnvil) -> None:
    """Other programs fill the blocks. Tests that the manager offers a higher fee after two blocks
    without its transaction. The first offer can still be mined."""
    await it.node.request("evm_setAutomine", (False,))
    await it.node.request("evm_setBlockGasLimit", (hex(50_000),))
    program, rival = it.program(), Account.from_key(key_of(8))
    await it.fund(rival)
    tx = await program.submit(TO, data(1))
    for height in range(2):
        await program.check()
        assert len((await program.get(tx)).attempts) == 1, height
        for _ in range(2):
            await it.send_externally(account=rival, tip=50 * GWEI, gas=21_000)
        await it.mine()
    await program.check()
    raised = await program.get(tx)
    first, last = (one.fees for one in raised.attempts)
    assert (raised.state, raised.nonce) == ("sent", 0)
    assert first.max_fee * 9 <= last.max_fee * 8
    assert first.priority_fee * 9 <= last.priority_fee * 8
    await it.mine()
    mined = await program.settled(tx)
    assert (mined.state, mined.hash) == ("mined", raised.attempts[1].hash)
    assert await it.sent() == [(0, data(1))]


async def test_a_cancelled_one_is_not_mined(it: FundedAnvil) -> None:
    await it.node.request("evm_setAutomine", (False,))
    program = it.program()
    tx, last = [await program.submit(TO, data(number)) for number in (1, 2)]
    await program.cancel(tx)
    await it.mine()
    assert [(await program.settled(one)).state for one in (tx, last)] == ["cancelled", "mined"]
    assert await it.sent() == [(0, "0x"), (1, data(2))]


async def test_a_gap_below_one_that_waits_is_filled(it: FundedAnvil) -> None:
    await it.node.request("evm_setAutomine", (False,))
    program = it.program()
    lost, stands = [await program.submit(TO, data(number)) for number in (1, 2)]
    # Anvil drops this transaction and also the account's later ones
    await it.node.request("anvil_dropTransaction", (lost.hash,))
    await it.node.request("eth_sendRawTransaction", (stands.last_attempt.raw,))
    await program.check()
    await it.mine()
    assert [(await program.settled(one)).state for one in (lost, stands)] == ["mined", "mined"]
    assert await it.sent() == [(0, data(1)), (1, data(2))]


async def test_the_base_fee_rises_under_one_that_was_sent(tmp_path: Path) -> None:
    """On a chain with a block time, the base fee rises above the transaction's maximum fee. Tests
    that the manager raises the fee itself, up to its ceiling."""
    async with chain(tmp_path, block_time=1) as it:
        program = it.program()
        tx = await program.submit(TO, data(1))
        await it.node.request("anvil_setNextBlockBaseFeePerGas", (hex(tx.attempts[0].fees.max_fee + 7 * GWEI),))
        async with asyncio.timeout(PATIENCE_SECONDS):
            mined = await program.settled(tx)
        assert (mined.state, mined.nonce, len(mined.attempts) > 1) == ("mined", 0, True)
        first, last = mined.attempts[0].fees, mined.attempts[-1].fees
        assert first.max_fee * 9 <= last.max_fee * 8
        assert last.max_fee <= mined.ceiling == 5 * first.max_fee
        assert await it.sent() == [(0, data(1))]
