"""Tests on a real Anvil node that the sponsor sends each visitor the right amount, and gives the
right reasons when it rejects requests."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from eth_account import Account

from indexer.games import GAMES
from sponsor.budgets import DAY, Budgets
from sponsor.prices import MOVES, moves_gas
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
    sponsor_env,
)


@pytest.fixture
async def env(tmp_path: Path) -> AsyncIterator[SponsorEnv]:
    async with sponsor_env(tmp_path) as it:
        yield it


async def test_gives_what_the_next_moves_cost_once(env: SponsorEnv) -> None:
    sponsor, visitor = await env.sponsor(), Account.create()
    needed = GAS["chess"].needed(await env.price())
    found = await sponsor.grant(visitor.address, HERE, "chess")
    assert found.tx is not None
    assert needed // 2 < found.sent < needed * 2
    assert found.moves >= MOVES
    assert await env.balance(visitor.address) == found.sent
    again = await sponsor.grant(visitor.address, HERE, "chess")
    assert (again.sent, await env.balance(visitor.address)) == (0, found.sent)
    assert sponsor.status().granted == 1


async def test_each_game_costs_what_its_moves_do(env: SponsorEnv) -> None:
    sponsor = await env.sponsor()
    chess, go = [await sponsor.grant(Account.create().address, HERE, game) for game in ("chess", "go")]
    assert go.sent > 2 * chess.sent
    for game in GAMES.values():
        gas = moves_gas(game)
        assert 0 < gas.move <= gas.most_expensive


async def test_two_tabs_at_once_are_paid_once(env: SponsorEnv) -> None:
    sponsor, visitor = await env.sponsor(), Account.create()
    answers = await asyncio.gather(*(sponsor.grant(visitor.address, HERE, "chess") for _ in range(20)))
    sent = [one.sent for one in answers if one.sent]
    assert len(sent) == 1
    assert await env.balance(visitor.address) == sent[0]


async def test_moves_are_paid_for_again_once_the_ether_is_gone(env: SponsorEnv) -> None:
    sponsor, visitor = await env.sponsor(), Account.create()
    found = await sponsor.grant(visitor.address, HERE, "chess")
    while await env.balance(visitor.address) > GAS["chess"].minimum(await env.price()) // 2:
        await env.send(visitor, OUR_CONTRACT)
        # take a tenth of the grant away, as if the move had cost more ether
        rest = await env.balance(visitor.address) - found.sent // 10
        await env.fund(visitor.address, max(0, rest))
    again = await sponsor.grant(visitor.address, HERE, "chess")
    assert again.sent > 0


@pytest.mark.parametrize(
    ("to", "value"), [(FOREIGN_CONTRACT, 1), (FOREIGN_CONTRACT, 0), (OUR_CONTRACT, 1)], ids=["gift", "call", "stake"]
)
async def test_what_is_sent_elsewhere_costs_the_allowance(env: SponsorEnv, to: str, value: int) -> None:
    sponsor, visitor = await env.sponsor(), Account.create()
    await sponsor.grant(visitor.address, HERE, "chess")
    for _ in range(3):
        await env.send(visitor, OUR_CONTRACT)
    hash = await env.send(visitor, to, value)
    await env.send(visitor, OUR_CONTRACT)
    await env.fund(visitor.address, 0)
    why = await rejection_of(sponsor, visitor.address)
    assert (why.key, why.arguments) == ("sponsor-withheld.elsewhere", {"tx": hash})
    later = await env.sponsor()  # a new sponsor on the same ledger
    env.clock += 7 * DAY
    assert (await rejection_of(later, visitor.address)).key == "sponsor-withheld.elsewhere"


async def test_who_has_spent_the_gift_on_moves_may_send_his_own_ether_where_he_likes(env: SponsorEnv) -> None:
    sponsor, visitor = await env.sponsor(), Account.create()
    await sponsor.grant(visitor.address, HERE, "chess")
    ledger = env.ledger(sponsor)
    seen = ledger.recipient(visitor.address)
    assert seen is not None
    # store in the ledger that only two wei of the grant are unspent
    ledger.note_recipient(visitor.address, type(seen)(seen.nonce, seen.height, 2, None))
    await env.send(visitor, OUR_CONTRACT)
    await env.send(visitor, FOREIGN_CONTRACT, 1)
    await env.fund(visitor.address, 0)
    assert (await sponsor.grant(visitor.address, HERE, "chess")).sent > 0


async def test_contracts_get_nothing(env: SponsorEnv) -> None:
    sponsor = await env.sponsor()
    assert (await rejection_of(sponsor, OUR_CONTRACT)).key == "sponsor-withheld.contract"
    assert await env.paid() == 0


async def test_who_has_enough_gets_nothing_and_who_has_little_the_rest(env: SponsorEnv) -> None:
    sponsor, rich, poor = await env.sponsor(), Account.create().address, Account.create().address
    await env.fund(rich, ETHER)
    assert (await sponsor.grant(rich, HERE, "chess")).sent == 0
    await env.fund(poor, 1000 * GWEI)
    needed = GAS["chess"].needed(await env.price())
    assert (await sponsor.grant(poor, HERE, "chess")).sent == needed - 1000 * GWEI


async def test_an_empty_account_says_so_and_reserves_nothing(env: SponsorEnv) -> None:
    sponsor = await env.sponsor()
    await env.fund(SENDER, 1000)
    why = await rejection_of(sponsor, Account.create().address)
    assert (why.key, why.wait) == ("sponsor-unable.empty", 60)
    assert env.ledger(sponsor).spent(env.clock) == 0
    assert sponsor.status().refused == {"sponsor-unable.empty": 1}
    await env.fund(SENDER, 100 * ETHER)
    assert (await sponsor.grant(Account.create().address, HERE, "chess")).sent


async def test_fees_that_jump_buy_fewer_moves_never_more_than_the_budget(env: SponsorEnv) -> None:
    gas = GAS["chess"]
    cheap = await env.price()
    day = 2 * (gas.needed(cheap) + cheap.transfer)
    sponsor = await env.sponsor(Budgets.of(day, network=day, address=day))
    assert (await sponsor.grant(Account.create().address, HERE, "chess")).sent
    await env.node.request("anvil_setNextBlockBaseFeePerGas", (hex(1000 * GWEI),))
    await env.node.request("anvil_mine", ("0x1",))
    assert (await rejection_of(sponsor, Account.create().address)).key == "sponsor-spent.day"
    assert await env.paid() <= day


async def test_a_lagging_node_does_not_make_it_pay_twice(env: SponsorEnv) -> None:
    """If a lagging replica hasn't seen the first transfer, it reports that the address has no
    ether. Tests that the sponsor doesn't pay again."""
    sponsor, visitor = await env.sponsor(), Account.create()
    await sponsor.grant(visitor.address, HERE, "chess")
    await env.fund(visitor.address, 0)
    assert (await sponsor.grant(visitor.address, HERE, "chess")).sent == 0


async def test_a_chain_of_the_same_id_that_is_another_one_is_paid_nothing(env: SponsorEnv) -> None:
    sponsor = await env.sponsor(chain="31337:0x" + "11" * 32)
    assert (await rejection_of(sponsor, Account.create().address)).key == "sponsor-unable.chain"
    assert await env.paid() == 0


async def test_what_it_cost_counts_once_it_is_final(env: SponsorEnv) -> None:
    sponsor, visitor = await env.sponsor(), Account.create()
    await sponsor.grant(visitor.address, HERE, "chess")
    reserved = env.ledger(sponsor).spent(env.clock)
    assert reserved > await env.paid()
    await env.node.request("anvil_mine", (hex(200),))
    for _ in range(3):
        await sponsor._track_transfers()
    assert env.ledger(sponsor).open_grants(SENDER) == []
    assert env.ledger(sponsor).spent(env.clock) == await env.paid()
