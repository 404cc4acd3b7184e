"""Replays incident 4 from README.md (viem #3142 and #4364, aztec-packages #20819, ethers #972): a
program loses a nonce because sending a transaction fails."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from tests.system.incidents.support.accounts import CuttingProxy, FundedAccounts
from tests.system.incidents.support.harness import IncidentTestbed, serve_live
from tests.system.incidents.support.node_page import Tab, open_tab

pytestmark = pytest.mark.parametrize("databases", ["sqlite"], indirect=True)
"""These tests run with only one kind of database, because they don't depend on the index."""

MOVES, SENDERS = 50, 3


@asynccontextmanager
async def tab_with_failing_sends(
    testbed: IncidentTestbed, page: Path, proxy: CuttingProxy, accounts: FundedAccounts, where: str
) -> AsyncIterator[Tab]:
    """Yield a tab for which every second request that sends a transaction fails. `where` names the
    connection that fails: `node` between the tab and a node, `gateway` between the tab and the
    gateway, or `behind-the-gateway` between the gateway and its node."""
    async with AsyncExitStack() as stack:
        await proxy.start()
        stack.push_async_callback(proxy.stop)
        base = proxy.url
        proxy.point_at(testbed.chain.node.url)
        if where != "node":
            if where == "behind-the-gateway":
                testbed.proxy.point_at(proxy.url)
            server = await stack.enter_async_context(serve_live(testbed, page))
            gateway = f"http://127.0.0.1:{server.port}"
            if where == "gateway":
                proxy.point_at(gateway + "/api/rpc")
            else:
                base = gateway
        yield await stack.enter_async_context(open_tab(base, **accounts.tab_options()))


WHERE = [
    pytest.param("node", 3, marks=pytest.mark.soak),
    pytest.param("node", 1, marks=pytest.mark.soak),
    ("gateway", 3),
    ("behind-the-gateway", 3),
]


@pytest.mark.parametrize(("where", "account_count"), WHERE)
async def test_fifty_moves_of_three_senders_leave_no_gap_and_none_counts_twice(
    testbed: IncidentTestbed, page: Path, where: str, account_count: int
) -> None:
    """Replays viem #4364 and ethers #972, in which a program sent several transactions at the same
    time. If one of them fails, the nonce counter is wrong whether or not the program lowers it."""
    accounts, proxy = FundedAccounts(testbed.chain, account_count), CuttingProxy()
    await accounts.fund()
    async with tab_with_failing_sends(testbed, page, proxy, accounts, where) as it:

        async def sender(number: int) -> None:
            for _ in range(number, MOVES, SENDERS):
                await accounts.move(it, accounts.addresses[number % account_count])

        await asyncio.gather(*map(sender, range(SENDERS)))
        transactions = await it.run("wait_until_done")
        assert min(proxy.cuts["before"], proxy.cuts["after"]) > MOVES // 4
        assert [one["state"] for one in transactions] == ["mined"] * MOVES
        await accounts.check_moves()


async def test_move_that_the_contract_rejects_uses_no_nonce(testbed: IncidentTestbed) -> None:
    """Replays viem #3142, in which the program reserved a nonce before it estimated the gas. If the
    estimate failed, all later transactions waited forever for the reserved nonce."""
    accounts = FundedAccounts(testbed.chain, 1)
    await accounts.fund()
    (address,) = accounts.addresses
    async with open_tab(testbed.proxy.url, **accounts.tab_options()) as it:
        await accounts.move(it, address)
        refused = testbed.chain.call(0, "create", 1, 1, False)
        await it.run("submit", account=address, to=refused["to"], data=refused["data"])
        await accounts.move(it, address)
        transactions = await it.run("wait_until_done")
        assert [(one["state"], one.get("nonce")) for one in transactions] == [
            ("mined", 0),
            ("refused", None),
            ("mined", 1),
        ]
        await accounts.check_moves()
