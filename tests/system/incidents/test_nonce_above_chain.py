"""Replays incident 5 from README.md (OpenZeppelin relayer #683, #818, #843, mud PR #3180, rrelayer
#36): a program's nonce counter is higher than the chain's nonce. In these projects, even a restart
didn't correct the counter."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from chainboard.chain.deployment import deploy_contracts
from chainboard.settings import Settings
from tests.support.chain import reset_chain
from tests.support.waiting import PATIENCE_SECONDS
from tests.system.incidents.support.accounts import FundedAccounts, HoldingProxy
from tests.system.incidents.support.harness import IncidentTestbed
from tests.system.incidents.support.node_page import open_tab

pytestmark = pytest.mark.parametrize("databases", ["sqlite"], indirect=True)
"""These tests run with only one kind of database, because they don't depend on the index."""

SENT_MOVES = 30
"""The number of moves that the page sends before the chain restarts."""


@asynccontextmanager
async def holding_proxy(testbed: IncidentTestbed, at: int, accepted: bool) -> AsyncIterator[HoldingProxy]:
    proxy = HoldingProxy(at, accepted)
    await proxy.start()
    proxy.point_at(testbed.chain.node.url)
    try:
        yield proxy
    finally:
        await proxy.stop()


async def funded_account(testbed: IncidentTestbed) -> tuple[FundedAccounts, str]:
    accounts = FundedAccounts(testbed.chain, 1)
    await accounts.fund()
    return accounts, accounts.addresses[0]


async def redeploy_on_new_chain(testbed: IncidentTestbed, accounts: FundedAccounts) -> None:
    """Restart the chain at block 0, and deploy the contracts again. The contracts get the same
    addresses as before."""
    await reset_chain(testbed.chain.node)
    await deploy_contracts(Settings(testbed.chain.folder), testbed.chain.node)
    await accounts.fund()
    accounts.requested = {address: [] for address in accounts.requested}


@pytest.mark.parametrize("accepted", [False, True], ids=["before-the-node-took-it", "after-the-node-took-it"])
async def test_a_kill_between_reserve_and_broadcast_leaves_no_gap(testbed: IncidentTestbed, accepted: bool) -> None:
    """Replays the bug OpenZeppelin relayer #683. The relayer increased its nonce counter, but
    didn't send the transaction. For 47 hours, it resent its later transactions. This test kills the
    tab while it sends a transaction, and checks that no nonce is missing."""
    accounts, me = await funded_account(testbed)
    async with holding_proxy(testbed, 3, accepted) as proxy, open_tab(proxy.url, **accounts.tab_options()) as first:
        for _ in range(4):
            await accounts.move(first, me)
        async with asyncio.timeout(PATIENCE_SECONDS):
            await proxy.is_holding.wait()
        await first.kill()
        proxy.released.set()
        accounts.requested[me] = accounts.requested[me][: 3 if accepted else 2]
        async with open_tab(proxy.url, **accounts.tab_options()) as second:
            for _ in range(3):
                await accounts.move(second, me)
            assert [one["state"] for one in await second.run("wait_until_done")] == ["mined"] * 3
        await accounts.check_moves()


async def test_page_starts_at_nonce_0_on_a_restarted_chain_after_thirty_moves(
    testbed: IncidentTestbed,
) -> None:
    """Replays OpenZeppelin relayer #683 and #818, in which the next nonce was the larger of the
    chain's nonce and the counter. The counter stayed too high until somebody reset it by hand."""
    accounts, me = await funded_account(testbed)
    async with open_tab(testbed.proxy.url, **accounts.tab_options()) as it:
        for _ in range(SENT_MOVES):
            await accounts.move(it, me)
        assert (await it.run("wait_until_done"))[-1]["nonce"] == SENT_MOVES - 1
        await redeploy_on_new_chain(testbed, accounts)
        await accounts.move(it, me)
        last_transaction = (await it.run("wait_until_done"))[-1]
        assert (last_transaction["state"], last_transaction["nonce"]) == ("mined", 0)
        await accounts.check_moves()


async def test_pending_transactions_of_the_old_chain_are_dropped_at_the_next_check(testbed: IncidentTestbed) -> None:
    """Replays OpenZeppelin relayer #831, in which a transaction was recorded as `Sent` but wasn't
    on the chain. Because of this transaction, the counter never fell."""
    accounts, me = await funded_account(testbed)
    async with open_tab(testbed.proxy.url, **accounts.tab_options()) as it:
        await accounts.move(it, me)
        await it.run("wait_until_done")
        await testbed.request("evm_setAutomine", False)
        for _ in range(3):
            await accounts.move(it, me)
        assert [one["state"] for one in await it.run("wait_until_sent")] == ["mined", "sent", "sent", "sent"]
        await testbed.request("evm_setAutomine", True)
        await redeploy_on_new_chain(testbed, accounts)
        transactions = await it.run("check_head")
        gone = {
            ("dropped", "tx.why-dropped"),
            ("retracted", "tx.why-retracted"),
        }  # "retracted" is possible if the transaction was in a block of the old chain
        assert {(one["state"], one.get("why")) for one in transactions[1:]} <= gone
        await accounts.move(it, me)
        assert (await it.run("wait_until_done"))[-1]["nonce"] == 0
        await accounts.check_moves()


async def test_move_signed_for_the_old_chain_gets_a_new_nonce_on_the_new_one(testbed: IncidentTestbed) -> None:
    """Replays rrelayer #36, in which a transaction had the high nonce of the old chain. If the page
    sent the transaction unchanged, the node would accept it and mine it much later."""
    accounts, me = await funded_account(testbed)
    async with (
        holding_proxy(testbed, SENT_MOVES + 1, False) as proxy,
        open_tab(proxy.url, **accounts.tab_options()) as it,
    ):
        for _ in range(SENT_MOVES + 1):
            await accounts.move(it, me)
        async with asyncio.timeout(PATIENCE_SECONDS):
            await proxy.is_holding.wait()
        last = accounts.requested[me][-1]
        await redeploy_on_new_chain(testbed, accounts)
        proxy.released.set()
        last_transaction = (await it.run("wait_until_done"))[-1]
        assert (last_transaction["state"], last_transaction["nonce"]) == ("mined", 0)
        accounts.requested[me] = [last]
        await accounts.check_moves()


async def test_nonce_gap_is_filled_by_the_next_move(testbed: IncidentTestbed) -> None:
    """Replays OpenZeppelin relayer #843, in which a nonce was missing below many `Sent`
    transactions. These transactions disabled all three of the relayer's repair mechanisms."""
    accounts, me = await funded_account(testbed)
    async with open_tab(testbed.proxy.url, **accounts.tab_options()) as it:
        await testbed.request("evm_setAutomine", False)
        for _ in range(3):
            await accounts.move(it, me)
        transactions = await it.run("wait_until_sent")
        raws = [await testbed.raw_transaction(one["hash"]) for one in transactions]
        await testbed.request("anvil_dropAllTransactions")
        for raw in raws[1:]:  # send the others again, as if the node had dropped only the first
            await testbed.request("eth_sendRawTransaction", raw)
        await accounts.move(it, me)
        transactions = await it.run("wait_until_sent")
        assert [one["state"] for one in transactions] == ["dropped", "sent", "sent", "sent"]
        assert transactions[-1]["nonce"] == 0
        await testbed.request("evm_setAutomine", True)
        await testbed.chain.mine()
        assert [one["state"] for one in await it.run("check_head")] == ["dropped", "mined", "mined", "mined"]
        _gone, second, third, last = accounts.requested[me]
        accounts.requested[me] = [last, second, third]
        await accounts.check_moves()


async def test_transactions_above_a_nonce_gap_are_not_counted(testbed: IncidentTestbed) -> None:
    """Replays mud PR #3180, in which the `pending` count included transactions that couldn't be
    mined. Each move therefore left another nonce unused."""
    accounts, me = await funded_account(testbed)
    await testbed.request("eth_sendRawTransaction", accounts.sign_transfer(me, 5))
    async with open_tab(testbed.proxy.url, **accounts.tab_options()) as it:
        for _ in range(3):
            await accounts.move(it, me)
        transactions = await it.run("wait_until_done")
        assert [(one["state"], one["nonce"]) for one in transactions] == [("mined", 0), ("mined", 1), ("mined", 2)]
    assert await accounts.mined_marks() == accounts.requested
