"""Replays incident 14 from README.md (alloy #2678): the node drops a transaction, and a program
waits forever for the transaction's receipt."""

from __future__ import annotations

import pytest

from tests.system.incidents.support.accounts import GWEI, FundedAccounts
from tests.system.incidents.support.harness import IncidentTestbed
from tests.system.incidents.support.node_page import open_tab

pytestmark = pytest.mark.parametrize("databases", ["sqlite"], indirect=True)
"""These tests run with only one kind of database, because they don't depend on the index."""


async def test_dropped_one_of_two_transactions_with_one_nonce_is_reported(testbed: IncidentTestbed) -> None:
    """Replays alloy #2678: the page sends two transactions with nonce 1, then a transaction with
    nonce 0. In alloy, one of the first two was lost without a report. Here, the page must report
    the loss."""
    accounts = FundedAccounts(testbed.chain, 1)
    await accounts.fund()
    (me,) = accounts.addresses
    async with open_tab(testbed.proxy.url, **accounts.tab_options()) as it:
        await testbed.request("evm_setAutomine", False)
        for _ in range(2):
            await accounts.move(it, me)
        _first, second = await it.run("wait_until_sent")
        raw = await testbed.raw_transaction(second["hash"])
        await testbed.request("anvil_dropAllTransactions")
        await testbed.request("eth_sendRawTransaction", raw)
        await testbed.request("eth_sendRawTransaction", accounts.sign_transfer(me, 1, 9 * GWEI))
        await testbed.request("eth_sendRawTransaction", accounts.sign_transfer(me, 0, 9 * GWEI))
        await testbed.request("evm_setAutomine", True)
        await testbed.chain.mine()
        transactions = await it.run("check_head")
        assert [(one["state"], one["why"]) for one in transactions] == [("replaced", "tx.why-replaced")] * 2
        await accounts.move(it, me)
        assert (await it.run("wait_until_done"))[-1]["nonce"] == 2
        assert (await accounts.mined_marks())[me] == accounts.requested[me][2:]


async def test_dropped_transaction_is_reported_and_can_be_resent(testbed: IncidentTestbed) -> None:
    """Replays foundry #13352, in which the mempool dropped a transaction without reporting it. The
    page must report the loss, so that the player can send the move again."""
    accounts = FundedAccounts(testbed.chain, 1)
    await accounts.fund()
    (me,) = accounts.addresses
    async with open_tab(testbed.proxy.url, **accounts.tab_options()) as it:
        await testbed.request("evm_setAutomine", False)
        await accounts.move(it, me)
        (lost,) = await it.run("wait_until_sent")
        assert (await it.run("check_head"))[0]["state"] == "sent"
        await testbed.request("anvil_dropTransaction", lost["hash"])
        (transaction,) = await it.run("check_head")
        assert (transaction["state"], transaction["why"]) == ("dropped", "tx.why-dropped")
        await testbed.request("evm_setAutomine", True)
        await accounts.move(it, me)
        assert (await it.run("wait_until_done"))[-1]["state"] == "mined"
        accounts.requested[me] = accounts.requested[me][1:]
        await accounts.check_moves()
