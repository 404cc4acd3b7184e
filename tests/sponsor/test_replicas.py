"""Tests that the sponsor never pays a grant twice or exceeds a budget behind a load balancer. One
replica has the newest block, while another is a block behind and lacks the receipt."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from eth_account import Account

from sponsor.budgets import Budgets
from sponsor.messages import SponsorRejected
from tests.sponsor.environment import GAS, HERE, OUR_CONTRACT, SponsorEnv, addresses, sponsor_env
from tests.support.waiting import PATIENCE_SECONDS

OF_A_TRANSACTION = ("eth_getTransactionReceipt", "eth_getTransactionByHash")


class Replicas:
    """A node behind a load balancer. If `lagging` is True, the node finds no transactions, like a
    replica without the newest block. If `height` is set, the node reports this height, like a
    replica that is behind."""

    def __init__(self, env: SponsorEnv) -> None:
        self._stage, self.lagging, self.height = env, False, ""

    async def request(self, method: str, params: Sequence[Any] = ()) -> Any:
        if self.lagging and method in OF_A_TRANSACTION:
            return None
        if self.height and method == "eth_blockNumber":
            return self.height
        return await self._stage.node.request(method, params)


async def test_mixed_replicas_never_make_it_pay_more_than_the_budget(tmp_path: Path) -> None:
    async with sponsor_env(tmp_path) as env:
        replicas, price = Replicas(env), await env.price()
        day = 2 * (GAS["chess"].needed(price) + price.transfer)
        sponsor = await env.sponsor(Budgets.of(day, network=day, address=day), request=replicas.request)
        for one in addresses(8):
            with suppress(SponsorRejected):
                await sponsor.grant(one, HERE, "chess")
            await env.node.request("anvil_mine", ("0x1",))
            replicas.lagging = True
            await sponsor._track_transfers()
            replicas.lagging = False
        assert 0 < await env.paid() <= day
        await env.node.request("anvil_mine", ("0x50",))
        await sponsor._track_transfers()
        assert env.ledger(sponsor).spent(env.clock) == await env.paid()
        assert not env.ledger(sponsor).open_grants(sponsor.address)


async def test_killed_before_it_noted_a_transfer_it_sends_that_once(tmp_path: Path) -> None:
    async with sponsor_env(tmp_path) as env:
        replicas, one = Replicas(env), addresses(1)[0]
        sponsor = await env.sponsor(request=replicas.request)
        sent = (await sponsor.grant(one, HERE, "chess")).sent
        with env.ledger(sponsor)._file.writing() as database:
            # delete the hash, as if the process had been killed before it stored the hash
            database.execute("UPDATE grants SET tx = NULL")
        again = await env.sponsor(request=replicas.request)
        await env.node.request("anvil_mine", ("0x1",))
        replicas.lagging = True
        async with asyncio.timeout(PATIENCE_SECONDS):
            await again._track_transfers()
        replicas.lagging = False
        await again._track_transfers()
        assert await env.balance(one) == sent


async def test_a_replica_from_before_the_gift_makes_it_pay_nothing_again(tmp_path: Path) -> None:
    """The visitor has made a move since the grant. The replica reports an old height, at which the
    account was empty and had sent fewer transactions. Tests that the sponsor doesn't pay again."""
    async with sponsor_env(tmp_path) as env:
        replicas, visitor = Replicas(env), Account.create()
        sponsor = await env.sponsor(request=replicas.request)
        before = str(await env.node.request("eth_blockNumber"))
        assert (await sponsor.grant(visitor.address, HERE, "chess")).sent > 0
        await env.node.request("anvil_mine", ("0x50",))
        await sponsor._track_transfers()
        await env.send(visitor, OUR_CONTRACT)
        assert (await sponsor.grant(visitor.address, HERE, "chess")).sent == 0
        replicas.height = before
        assert (await sponsor.grant(visitor.address, HERE, "chess")).sent == 0
