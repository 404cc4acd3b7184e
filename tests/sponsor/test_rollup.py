"""Tests the sponsor on a model of a rollup. The rollup has a block every two seconds, a data fee,
and a provider with latency and outages."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import Any

import pytest
from eth_account import Account
from eth_utils.crypto import keccak

from chaos.chain.anvil_chain import AnvilChain
from chaos.provider.plan import Plan
from chaos.provider.provider import Provider
from chaos.provider.rollup import Rollup
from contracts.abi import checksum
from indexer.node.client import Node
from sponsor.messages import SponsorRejected
from sponsor.prices import price_now
from tests.sponsor.environment import (
    ETHER,
    FOREIGN_CONTRACT,
    GAS,
    GWEI,
    HERE,
    OUR_CONTRACT,
    SENDER,
    SponsorEnv,
    rejection_of,
)
from tests.support.waiting import wait_for_async


async def mined(env: SponsorEnv, address: str, minimum: int = 1) -> int:
    """Wait until the address's balance is at least `minimum`. Return the balance."""
    return await wait_for_async(lambda: env.balance(address), lambda found: found >= minimum, "the balance")


@pytest.fixture
async def chain(tmp_path: Path) -> Any:
    found = AnvilChain(tmp_path)
    await found.start()
    await found.request("anvil_setBalance", SENDER, hex(100 * ETHER))
    await found.request("anvil_setCode", OUR_CONTRACT, "0x00")
    yield found
    await found.stop()


async def test_the_fee_for_data_is_given_too_and_a_pruned_node_is_enough_for_who_sent_nothing(
    chain: AnvilChain, tmp_path: Path
) -> None:
    rollup = Rollup(chain, 0.3)
    plan = Plan(latency=0.02, states=5)
    async with rollup.running(), Provider(rollup, plan).running() as provider:
        node = Node(provider.url)
        env, visitor = SponsorEnv(node, tmp_path), Account.create()
        price = await price_now(node.request)
        assert price.l1_fee > 0
        sponsor = await env.sponsor()
        found = await sponsor.grant(visitor.address, HERE, "chess")
        assert found.sent > GAS["chess"].needed(price) * 9 // 10
        assert await mined(env, visitor.address) == found.sent
        again = await sponsor.grant(visitor.address, HERE, "chess")  # the block with the transfer is not final yet
        assert again.sent == 0

        fields = {
            "to": checksum(OUR_CONTRACT),
            "value": 0,
            "nonce": 0,
            "chainId": 31337,
            "gas": 80_000,
            "data": b"\x01" * 200,
        }
        fees = {"maxFeePerGas": price.max_fee, "maxPriorityFeePerGas": GWEI}
        raw = Account.sign_transaction({**fields, **fees}, visitor.key).raw_transaction
        # the transaction's sender also pays the data fee
        await node.request("eth_sendRawTransaction", ("0x" + raw.hex(),))
        await chain.mine(20)
        await chain.request("anvil_setBalance", visitor.address, "0x0")
        why = await rejection_of(
            sponsor, visitor.address
        )  # the node has deleted the states at the blocks with the visitor's transactions
        assert why.key == "sponsor-withheld.unknown"

        async def indexed(_address: str, _height: int) -> list[str]:
            return ["0x" + keccak(raw).hex()]

        aware = await env.sponsor(indexed=indexed)
        # this sponsor knows the visitor's transaction from the index
        assert (await aware.grant(visitor.address, HERE, "chess")).sent > 0
        await node.aclose()


async def test_an_outage_in_the_middle_pays_once(chain: AnvilChain, tmp_path: Path) -> None:
    rollup = Rollup(chain, 0.3)
    async with rollup.running(), Provider(rollup, Plan(latency=0.02)).running() as provider:
        node = Node(provider.url)
        env, visitor = SponsorEnv(node, tmp_path), Account.create().address
        sponsor = await env.sponsor()
        giving = asyncio.create_task(sponsor.grant(visitor, HERE, "chess"))
        await wait_for_async(lambda: giving.done() or provider.posts > 3, bool, "a started grant")
        with provider.outage():
            height = await chain.height()
            await wait_for_async(chain.height, lambda found: found > height + 6, "blocks without the provider")
        # the sponsor may reject the request because of the outage
        with contextlib.suppress(SponsorRejected):
            await giving
        sent = 0
        for _ in range(4):
            await sponsor._track_transfers()
            sent = (await sponsor.grant(visitor, HERE, "chess")).sent or sent
        balance = await mined(env, visitor)
        [grant] = env.ledger(sponsor).open_grants(SENDER)
        assert balance == grant.value
        await node.aclose()


async def test_a_provider_of_another_chain_and_one_that_is_away_pay_nothing(chain: AnvilChain, tmp_path: Path) -> None:
    rollup = Rollup(chain, 0.3)
    async with rollup.running(), Provider(rollup, Plan(latency=0)).running() as provider:
        node = Node(provider.url)
        env = SponsorEnv(node, tmp_path)
        other = await env.sponsor(chain="10:0x" + "11" * 32)
        assert (await rejection_of(other, FOREIGN_CONTRACT)).key == "sponsor-unable.chain"
        sponsor = await env.sponsor()
        with provider.outage():
            why = await rejection_of(sponsor, Account.create().address)
        assert (why.key, why.wait) == ("sponsor-unable.node", 60)
        assert await env.paid() == 0
        await node.aclose()
