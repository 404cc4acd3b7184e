"""Ether for the accounts of computer players: from a development chain's faucet, or from an
operator's account with a budget per day."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Protocol

from bots.service.gateway import Gateway, GatewayError
from bots.service.messages import RequestRejected
from contracts.rpc_errors import Request
from transactions.journal import Journal
from transactions.l1_fee import L1FeeOracle
from transactions.manager import TransactionManager

log = logging.getLogger("chainboard.bots")

DAY, MIN_SHARE_DIVISOR = 86_400, 20
"""Seconds per day, and the divisor of the budget: each transfer gives at least 1/20 of it."""
MOVE_GAS, MATCH_GAS, PRICE_MARGIN = 300_000, 8_000_000, 2
"""Gas of a few moves; gas of a complete match of the longest game, including reveal and payout; and
the multiple of the current price to assume."""
CALL_GAS, CALL_DATA = 45_000, "0x" + "5a" * 164
"""Gas and call data of a typical move. They are used to estimate the data fee of several moves, if
the chain has one."""
BALANCE_CACHE_SECONDS = 60.0
"""Time for which a balance far above the need is not checked again."""
NOT_SPENT = ("refused", "replaced", "cancelled", "failed")


class NoFunds(RequestRejected):
    """An account can't pay."""

    def __str__(self) -> str:
        return f"no ether to pay with ({super().__str__()})"


class FundsSource(Protocol):
    """A source of ether. `highest_stake`: the maximum stake of an account, in wei. `top_up` sends
    at least the missing amount, or raises NoFunds. `spent`: wei spent since the beginning."""

    highest_stake: int

    async def top_up(self, address: str, missing: int, /) -> None: ...

    async def spent(self) -> int: ...


class Funds:
    """Fills accounts before they send transactions."""

    def __init__(self, request: Request, source: FundsSource) -> None:
        self.request, self.source = request, source
        self._oracle = L1FeeOracle(request)
        self._funded_until: dict[str, float] = {}

    def forget(self, address: str) -> None:
        """Forget a balance, after a change of chain or a reorg."""
        self._funded_until.pop(address, None)

    async def ensure(self, address: str, stake: int = 0, gas: int = MOVE_GAS) -> None:
        """Make sure that the account can pay for the gas at the current price, for the data fee of
        as many typical moves, and for the stake. Raises NoFunds, NoResponse and RpcError."""
        if gas <= MOVE_GAS and not stake and self._funded_until.get(address, 0.0) > time.monotonic():
            return
        balance = int(await self.request("eth_getBalance", (address, "latest")), 16)
        price = int(await self.request("eth_gasPrice", ()), 16)
        data_fee = -(-gas // CALL_GAS) * await self._oracle.estimate(address, CALL_DATA)
        cost = PRICE_MARGIN * (gas * price + data_fee)
        if balance < stake + cost:
            try:
                await self.source.top_up(address, stake + cost - balance)
            except NoFunds as none:
                if gas > MOVE_GAS or balance < stake + cost // PRICE_MARGIN:
                    raise
                log.debug("%s has only a little ether left: %s", address, none)
        elif balance > stake + 10 * cost:
            self._funded_until[address] = time.monotonic() + BALANCE_CACHE_SECONDS

    async def has(self, address: str) -> bool:
        """Like `ensure`, but return False and log a warning instead of raising NoFunds. Raises
        NoResponse and RpcError."""
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

    async def top_up(self, address: str, _missing: int, /) -> None:
        """Ask the faucet, which tops up accounts that hold less than 0.1 ether."""
        try:
            found = await self._gateway.post("/faucet", {"address": address})
        except GatewayError as error:
            raise NoFunds("opponents-broke.no-ether", why=str(error)) from error
        self._total += int(found["sent"])

    async def spent(self) -> int:
        return self._total


class BudgetFunds:
    """An operator's account, which gives at most `budget` wei per day, including fees. `chain`: as
    in the journal."""

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
        self._min_amount = budget // MIN_SHARE_DIVISOR
        self._oracle = oracle
        self._lock = asyncio.Lock()

    async def top_up(self, address: str, missing: int, /) -> None:
        """Send a transfer. It counts from the time of the request, so a restart doesn't give a day
        a second budget."""
        amount = max(self._min_amount, missing)
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
        """Wei given since a time, including fees. `data_fee`: the assumed data fee of each
        transfer, which the journal doesn't hold."""
        sent = self._journal.all(self._chain, self._manager.address)
        return sum(
            tx.request.value + tx.gas * (tx.last_attempt.fees.max_fee if tx.attempts else 0) + data_fee
            for tx in sent
            if tx.request.at >= since and tx.state not in NOT_SPENT
        )
