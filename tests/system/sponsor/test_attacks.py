"""Tests of attacks on the sponsor: crowds, kills, new days and wrong clocks. Whatever happens, the
sponsor's account must not spend more than its budget on the chain."""

from __future__ import annotations

import asyncio
import signal
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from eth_account import Account
from hexbytes import HexBytes

from chaos.process.forkserver import CONTEXT
from contracts.rpc_errors import NoResponse, RpcError
from sponsor.budgets import DAY, Budgets
from sponsor.messages import SponsorRejected
from sponsor.sponsor import Sponsor
from tests.sponsor.environment import (
    ETHER,
    FOREIGN_CONTRACT,
    GAS,
    HERE,
    KEY,
    SENDER,
    SponsorEnv,
    addresses,
    rejection_of,
    sponsor_env,
)
from tests.system.sponsor.killed_sponsor import run
from tests.system.transactions.sending_program import KILL_MOMENTS

CROWD = 1_000
GRANTS = 12
"""The number of payments for which the daily budget in a test is enough."""


@pytest.fixture
async def env(tmp_path: Path) -> AsyncIterator[SponsorEnv]:
    async with sponsor_env(tmp_path) as it:
        yield it


async def day_for(env: SponsorEnv, grants: int) -> int:
    """Return a daily budget that, at the current fees, is enough for this number of payments and
    half of the next payment."""
    price = await env.price()
    return (2 * grants + 1) * (GAS["chess"].needed(price) + price.transfer) // 2


async def ask(sponsor: Sponsor, crowd: Sequence[str], network: Callable[[int], str]) -> Counter[str]:
    """Request a payment for each address in the crowd. Return how often the sponsor gave each kind
    of answer."""

    async def one(number: int, address: str) -> str:
        try:
            return "sent" if (await sponsor.grant(address, network(number), "chess")).sent else "nothing"
        except SponsorRejected as refused:
            return refused.key

    return Counter(await asyncio.gather(*(one(*numbered) for numbered in enumerate(crowd))))


async def test_a_thousand_from_one_network_address_get_its_share(env: SponsorEnv) -> None:
    day = await day_for(env, GRANTS)
    sponsor = await env.sponsor(Budgets.of(day))
    answers = await ask(sponsor, addresses(CROWD), lambda _: HERE)
    assert answers["sent"] + answers["sponsor-spent.network"] == CROWD
    assert 0 < await env.paid() <= day // 4
    # Visitors from other networks must still get ether.
    assert (await sponsor.grant(Account.create().address, "203.0.113.9", "chess")).sent


async def test_a_thousand_from_many_network_addresses_get_the_days_budget(env: SponsorEnv) -> None:
    day = await day_for(env, GRANTS)
    sponsor = await env.sponsor(Budgets.of(day, address=day))
    answers = await ask(sponsor, addresses(CROWD), lambda number: f"2001:db8:{number:x}::/64")
    assert answers == {"sent": answers["sent"], "sponsor-spent.day": CROWD - answers["sent"]}
    # Fees fall during the test, so the budget can be enough for more payments.
    assert answers["sent"] >= GRANTS
    assert 0 < await env.paid() <= day
    status = sponsor.status()
    assert (status.granted, status.refused["sponsor-spent.day"]) == (answers["sent"], CROWD - answers["sent"])
    assert day - status.paid < await day_for(env, 1)
    why = await rejection_of(sponsor, Account.create().address, "203.0.113.9")
    assert why.wait is not None
    assert 0 < why.wait <= DAY


async def test_two_processes_share_one_budget(env: SponsorEnv) -> None:
    """Tests two processes that use the same folder. Each process must also count the amounts that
    the other process has reserved, so that both together stay within one budget."""
    day = await day_for(env, GRANTS)
    both = [await env.sponsor(Budgets.of(day, address=day, network=day)) for _ in range(2)]
    crowd, needed = addresses(60), GAS["chess"].needed(await env.price())
    answers = await asyncio.gather(ask(both[0], crowd[:40], lambda _: HERE), ask(both[1], crowd[20:], lambda _: HERE))
    assert sum(one["sent"] for one in answers) >= GRANTS
    assert await env.paid() <= day
    for address in crowd[20:40]:  # both processes received requests for these addresses
        assert await env.balance(address) <= needed


@pytest.mark.parametrize("moment", KILL_MOMENTS)
async def test_killed_in_the_middle_it_pays_once(env: SponsorEnv, moment: str) -> None:
    visitor = Account.create().address
    process = CONTEXT.Process(target=run, args=(env.node.url, str(env.folder), env.clock, visitor, moment), daemon=True)
    process.start()
    await asyncio.to_thread(process.join, 60)
    assert process.exitcode == -signal.SIGKILL
    sponsor = await env.sponsor()
    [grant] = env.ledger(sponsor).open_grants(SENDER)
    await sponsor._track_transfers()
    for _ in range(3):
        await sponsor.grant(visitor, HERE, "chess")
    assert await env.balance(visitor) == grant.value
    assert await env.paid() <= grant.reserved == env.ledger(sponsor).spent(env.clock)


async def test_a_day_that_begins_pays_again_and_one_that_comes_back_does_not(env: SponsorEnv) -> None:
    day = await day_for(env, 2)
    sponsor = await env.sponsor(Budgets.of(day, address=day, network=day))
    env.clock = (env.clock // DAY) * DAY + DAY - 1
    crowd = iter(addresses(100))

    async def spend() -> int:
        answers = await ask(sponsor, [next(crowd) for _ in range(6)], lambda _: HERE)
        assert answers["sponsor-spent.day"] > 0
        return answers["sent"]

    assert await spend() > 0
    env.clock += 2  # two seconds later, a new day has begun
    assert await spend() > 0
    env.clock -= 3600  # set the clock back, as if it had been an hour ahead before
    assert await spend() == 0
    sponsor = await env.sponsor(Budgets.of(day, address=day, network=day))
    assert await spend() == 0
    assert (await rejection_of(sponsor, next(crowd))).wait == DAY + 3600 - 1
    assert await env.paid() <= 2 * day


async def test_an_answer_that_is_lost_is_paid_once(env: SponsorEnv) -> None:
    """Tests a payment that the node accepts, but whose answer is lost. The visitor then repeats the
    request several times, and must be paid only once."""
    lost = Counter[str]()

    async def request(method: str, params: Sequence[Any]) -> Any:
        result = await env.node.request(method, params)
        if method == "eth_sendRawTransaction" and lost[method] < 2:
            lost[method] += 1
            raise NoResponse("the connection was cut")
        return result

    sponsor, visitor = await env.sponsor(request=request), Account.create().address
    found = await sponsor.grant(visitor, HERE, "chess")
    for _ in range(3):
        await sponsor.grant(visitor, HERE, "chess")
    # Before the sponsor sends a transaction again, the sponsor looks for it on the node.
    assert lost["eth_sendRawTransaction"] == 1
    assert await env.balance(visitor) == found.sent


async def test_a_reorg_takes_a_gift_back_and_it_is_sent_once_more(env: SponsorEnv) -> None:
    sponsor, visitor = await env.sponsor(), Account.create().address
    await env.node.request("anvil_mine", ("0x3",))
    found = await sponsor.grant(visitor, HERE, "chess")
    await env.node.request("anvil_reorg", (2, []))
    assert await env.balance(visitor) == 0
    for _ in range(5):
        await sponsor._track_transfers()
        await sponsor.grant(visitor, HERE, "chess")
    assert await env.balance(visitor) == found.sent
    assert len(env.ledger(sponsor).open_grants(SENDER)) == 1


async def test_nothing_leaves_that_no_grant_pays_for(env: SponsorEnv) -> None:
    """Tests the last check before the sponsor sends a transaction. The check reads the bytes of
    every signed transaction, whichever part of the program has signed it. It rejects every
    transaction that no grant pays for."""
    sponsor = await env.sponsor()
    guard = sponsor._manager._client._request
    found = await sponsor.grant(Account.create().address, HERE, "chess")
    fees = {"maxFeePerGas": 10**10, "maxPriorityFeePerGas": 10**9, "gas": 21_000, "nonce": 1, "type": 2}
    for fields in (
        {"to": HexBytes(FOREIGN_CONTRACT), "value": found.sent, "chainId": 31337},
        {"to": HexBytes(found.address), "value": found.sent + 1, "chainId": 31337},
        {"to": HexBytes(found.address), "value": found.sent, "chainId": 1},
        {"to": HexBytes(found.address), "value": found.sent, "chainId": 31337, "maxFeePerGas": ETHER},
    ):
        whole: Any = {**fees, **fields}
        raw = Account.sign_transaction(whole, KEY).raw_transaction
        with pytest.raises(RpcError, match="the sponsor does not send this"):
            await guard("eth_sendRawTransaction", ("0x" + raw.hex(),))
