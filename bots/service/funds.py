"""Ether for the accounts of opponents: a development chain's faucet, or an operator's account with a budget a day."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Protocol

from bots.service.gateway import Gateway, GatewayError
from bots.service.messages import RequestRefused
from contracts.rpc_errors import Request
from transactions.journal import Journal
from transactions.l1_fee import L1FeeOracle
from transactions.manager import TransactionManager

log = logging.getLogger("chainboard.bots")

DAY, PORTIONS = 86_400, 20
"""Seconds; and that part of a budget is given at once, at least."""
MOVE_GAS, MATCH_GAS, PRICE_MARGIN = 300_000, 8_000_000, 2
"""Gas of a few moves; of a whole match of the longest game, its reveal and payout included; and how many times today's
price is reckoned with."""
CALL_GAS, CALL_DATA = 45_000, "0x" + "5a" * 164
"""Gas of a usual move and its call data: by them the fee for the data of several is reckoned, where a chain has one."""
KNOWN_SECONDS = 60.0
"""A balance that is far above what is needed is believed so long."""
NOT_SPENT = ("refused", "replaced", "cancelled", "failed")


class NoFunds(RequestRefused):
    """An account can't pay."""

    def __str__(self) -> str:
        return f"no ether to pay with ({super().__str__()})"


class Source(Protocol):
    """Where ether comes from. `highest_stake` (wei): that an account may put in. `give` gives what is missing at least,
    or raises NoFunds; `spent`: wei since the beginning."""

    highest_stake: int

    async def give(self, address: str, missing: int, /) -> None: ...

    async def spent(self) -> int: ...


class Funds:
    """Fills accounts before they send."""

    def __init__(self, request: Request, source: Source) -> None:
        self.request, self.source = request, source
        self._oracle = L1FeeOracle(request)
        self._known: dict[str, float] = {}

    def forget(self, address: str) -> None:
        """What is known of a balance does not hold any more: another chain, a reorg."""
        self._known.pop(address, None)

    async def ensure(self, address: str, stake: int = 0, gas: int = MOVE_GAS) -> None:
        """Returns when the account can pay for so much gas at today's price, for the data of as many usual moves where
        the chain takes a fee for that, and for the stake. Raises NoFunds,
        NoResponse and RpcError."""
        if gas <= MOVE_GAS and not stake and self._known.get(address, 0.0) > time.monotonic():
            return
        balance = int(await self.request("eth_getBalance", (address, "latest")), 16)
        price = int(await self.request("eth_gasPrice", ()), 16)
        data_fee = -(-gas // CALL_GAS) * await self._oracle.estimate(address, CALL_DATA)
        cost = PRICE_MARGIN * (gas * price + data_fee)
        if balance < stake + cost:
            try:
                await self.source.give(address, stake + cost - balance)
            except NoFunds as none:
                if gas > MOVE_GAS or balance < stake + cost // PRICE_MARGIN:
                    raise
                log.debug("%s has a little left: %s", address, none)
        elif balance > stake + 10 * cost:
            self._known[address] = time.monotonic() + KNOWN_SECONDS

    async def has(self, address: str) -> bool:
        """As ensure, in other words. Raises NoResponse and RpcError."""
        try:
            await self.ensure(address)
        except NoFunds as none:
            log.warning("%s can't pay: %s", address, none)
            return False
        return True


class FaucetFunds:
    """The gateway's faucet, on a development chain. Only friendly matches."""

    highest_stake = 0

    def __init__(self, gateway: Gateway) -> None:
        self._gateway, self._total = gateway, 0

    async def give(self, address: str, _missing: int, /) -> None:
        """It tops up whoever has less than a tenth of an ether."""
        try:
            found = await self._gateway.post("/faucet", {"address": address})
        except GatewayError as error:
            raise NoFunds("opponents-broke.no-ether", why=str(error)) from error
        self._total += int(found["sent"])

    async def spent(self) -> int:
        return self._total


class BudgetFunds:
    """An operator's account, which gives at most `budget` wei a day, fees included. `chain`: as the journal has it."""

    def __init__(
        self,
        manager: TransactionManager,
        journal: Journal,
        chain: str,
        budget: int,
        highest_stake: int,
        oracle: L1FeeOracle,
    ) -> None:
        self._manager, self._journal, self._chain = manager, journal, chain
        self._budget, self.highest_stake = budget, highest_stake
        self._portion = budget // PORTIONS
        self._oracle = oracle
        self._lock = asyncio.Lock()

    async def give(self, address: str, missing: int, /) -> None:
        """A transfer counts from when it is asked for: also after a restart no day has two budgets."""
        amount = max(self._portion, missing)
        async with self._lock:
            data_fee = await self._oracle.estimate(address, value=amount)
            if self._sum(time.time() - DAY, data_fee) + amount + data_fee > self._budget:
                raise NoFunds("opponents-broke.budget")
            tx = await self._manager.settled(await self._manager.submit(address, value=amount))
        if tx.state not in ("mined", "final"):
            raise NoFunds("opponents-broke.account", why=tx.reason or tx.state)

    async def spent(self) -> int:
        return self._sum(0, await self._oracle.estimate(self._manager.address))

    def _sum(self, since: float, data_fee: int) -> int:
        """Wei that was given, fees included, since a time. `data_fee`: what each transfer's data is taken to have cost,
        as no journal has it."""
        sent = self._journal.all(self._chain, self._manager.address)
        return sum(
            tx.request.value + tx.gas * (tx.last_attempt.fees.max_fee if tx.attempts else 0) + data_fee
            for tx in sent
            if tx.request.at >= since and tx.state not in NOT_SPENT
        )
