"""Tests of computer players on a rollup. Their accounts must have enough ether for the data fees of
their moves. These fees also count toward the daily budget."""

from __future__ import annotations

from pathlib import Path

import pytest
from eth_account import Account

from bots.service.funds import MOVE_GAS, BudgetFunds, Funds, NoFunds
from chaos.provider.plan import Plan
from tests.transactions.chain import ETHER
from tests.transactions.test_fees import provider
from transactions.l1_fee import L1FeeOracle

POOR = Account.create().address


class RecordingSponsor:
    """A sponsor that records the amounts requested for computer players' accounts, and pays
    nothing."""

    highest_stake = 0

    def __init__(self) -> None:
        self.amounts: list[int] = []

    async def top_up(self, _address: str, missing: int, /) -> None:
        self.amounts.append(missing)

    async def spent(self) -> int:
        return sum(self.amounts)


async def test_missing_amount_includes_the_data_fee(tmp_path: Path) -> None:
    async with provider(tmp_path, Plan(latency=0.0)) as (node, _it):
        given = RecordingSponsor()
        await Funds(node.request, given).ensure(POOR)
        move = await L1FeeOracle(node.request).estimate(POOR, "0x" + "5a" * 164)
        price = int(await node.request("eth_gasPrice"), 16)
        assert move > 0
        assert given.amounts == [pytest.approx(2 * (MOVE_GAS * price + 7 * move), rel=0.3)]
        assert given.amounts[0] > 2 * 7 * move


async def test_transfers_count_with_the_fee_for_their_data(tmp_path: Path) -> None:
    async with provider(tmp_path, Plan(latency=0.0)) as (node, it):
        manager = it.program(node)
        oracle = L1FeeOracle(node.request)
        identity = await node.chain()
        chain = f"{identity.chain_id}:{identity.genesis}"
        funds = BudgetFunds(manager, it.journals[0], chain, ETHER, 0, oracle)
        await funds.top_up(POOR, ETHER // 2)
        fee = await oracle.estimate(POOR)
        [tx] = it.journals[0].all(chain, manager.address)
        assert await funds.spent() == ETHER // 2 + tx.gas * tx.last_attempt.fees.max_fee + fee
        with pytest.raises(NoFunds):
            await funds.top_up(POOR, ETHER // 2 - fee)


async def test_the_computer_players_leave_a_quarter_of_the_budget_to_the_keeper(tmp_path: Path) -> None:
    async with provider(tmp_path, Plan(latency=0.0)) as (node, it):
        identity, keeper = await node.chain(), Account.create().address
        chain, oracle = f"{identity.chain_id}:{identity.genesis}", L1FeeOracle(node.request)
        funds = BudgetFunds(it.program(node), it.journals[0], chain, ETHER, 0, oracle, keeper)
        await funds.top_up(POOR, ETHER * 7 // 10)
        with pytest.raises(NoFunds):
            await funds.top_up(POOR, ETHER // 20)
        await funds.top_up(keeper, ETHER // 5)
        with pytest.raises(NoFunds):
            await funds.top_up(keeper, ETHER // 10)
