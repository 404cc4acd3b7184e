"""Supplies the computer players' accounts with ether. The ether comes from a development chain's
faucet, or from an operator's account with a daily budget."""

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
"""The number of seconds in a day, and the number of transfers that use up the budget if each sends
the minimum."""
KEEPER_DIVISOR = 4
"""The part of the budget that only the keeper gets is 1 divided by this number. Visitors can make
the computer players use up the rest, but players rely on the keeper to claim timeouts."""
MOVE_GAS, MATCH_GAS, PRICE_MARGIN = 300_000, 8_000_000, 2
"""The gas of a few moves, the gas of a complete match, and the factor by which the gas price can
rise. MATCH_GAS suffices for the longest match, including the reveal and the payout."""
CALL_GAS, CALL_DATA = 45_000, "0x" + "5a" * 164
"""The gas and the call data of a typical move. On a chain that charges a fee for data, they are
used to estimate this fee for several moves."""
BALANCE_CACHE_SECONDS = 60.0
"""The number of seconds for which an account's balance isn't checked again after a check has found
much more ether than needed."""
NOT_SPENT = ("refused", "replaced", "cancelled", "failed")


class NoFunds(RequestRejected):
    """A computer player's account doesn't have enough ether."""

    def __str__(self) -> str:
        return f"no ether to pay with ({super().__str__()})"


class FundsSource(Protocol):
    """A source of ether for the computer players. `highest_stake` is the maximum stake, in wei,
    that an account may deposit. `top_up` sends an account at least the missing amount, or raises
    NoFunds. `spent` returns the total that the source has sent, in wei."""

    highest_stake: int

    async def top_up(self, address: str, missing: int, /) -> None: ...

    async def spent(self) -> int: ...


class Funds:
    """Tops up the computer players' accounts before they send transactions."""

    def __init__(self, request: Request, source: FundsSource) -> None:
        self.request, self.source = request, source
        self._oracle = L1FeeOracle(request)
        self._funded_until: dict[str, float] = {}

    def forget(self, address: str) -> None:
        """Check the account's balance again at the next transaction, for example after the node has
        rejected a transaction for lack of funds."""
        self._funded_until.pop(address, None)

    async def ensure(self, address: str, stake: int = 0, gas: int = MOVE_GAS) -> None:
        """Make sure that the account can pay the stake and the fees. The fees are the cost
        of `gas` at the current price, and the data fees of the typical moves that would use this
        much gas. Raises NoFunds, NoResponse and RpcError."""
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
                log.debug("%s has little ether left: %s", address, none)
        elif balance > stake + 10 * cost:
            self._funded_until[address] = time.monotonic() + BALANCE_CACHE_SECONDS

    async def has(self, address: str) -> bool:
        """Call `ensure` and return True. If the account can't pay, log a warning and return False.
        Raises NoResponse and RpcError."""
        try:
            await self.ensure(address)
        except NoFunds as none:
            log.warning("%s can't pay: %s", address, none)
            return False
        return True


class FaucetFunds:
    """The gateway's faucet on a development chain. Computer players that get ether from the faucet
    play only matches without a stake."""

    highest_stake = 0

    def __init__(self, gateway: Gateway) -> None:
        self._gateway, self._total = gateway, 0

    async def top_up(self, address: str, _missing: int, /) -> None:
        """Request ether from the faucet, which tops up accounts with less than 0.1 ether."""
        try:
            found = await self._gateway.post("/faucet", {"address": address})
        except GatewayError as error:
            raise NoFunds("opponents-broke.no-ether", why=str(error)) from error
        self._total += int(found["sent"])

    async def spent(self) -> int:
        return self._total


class BudgetFunds:
    """An operator's account that tops up the computer players' accounts. It spends at most `budget`
    wei in 24 hours, including fees. `chain` is the chain's name in the journal. `keeper` is the
    keeper's address, or empty if there is no keeper."""

    def __init__(
        self,
        manager: TransactionManager,
        journal: Journal,
        chain: str,
        budget: int,
        highest_stake: int,
        oracle: L1FeeOracle,
        keeper: str = "",
    ) -> None:
        self._keeper = keeper
        self._manager, self._journal, self._chain = manager, journal, chain
        self._budget, self.highest_stake = budget, highest_stake
        self._min_amount = budget // MIN_SHARE_DIVISOR
        self._oracle = oracle
        self._lock = asyncio.Lock()

    async def top_up(self, address: str, missing: int, /) -> None:
        """Send ether to the account. The transfer counts against the budget as soon as it is in the
        journal, so a restart doesn't grant a second budget."""
        amount = max(self._min_amount, missing)
        is_reserved = bool(self._keeper) and address != self._keeper
        budget = self._budget - (self._budget // KEEPER_DIVISOR if is_reserved else 0)
        async with self._lock:
            data_fee = await self._oracle.estimate(address, value=amount)
            if self._sum(time.time() - DAY, data_fee) + amount + data_fee > budget:
                raise NoFunds("opponents-broke.budget")
            tx = await self._manager.settled(await self._manager.submit(address, value=amount))
        if tx.state not in ("mined", "final"):
            raise NoFunds("opponents-broke.account", why=tx.reason or tx.state)

    async def spent(self) -> int:
        return self._sum(0, await self._oracle.estimate(self._manager.address))

    def _sum(self, since: float, data_fee: int) -> int:
        """Return the total that the account has spent since a time, in wei, including fees.
        `data_fee` is the assumed data fee of each transfer, because the journal doesn't store data
        fees."""
        sent = self._journal.all(self._chain, self._manager.address)
        return sum(
            tx.request.value + tx.gas * (tx.last_attempt.fees.max_fee if tx.attempts else 0) + data_fee
            for tx in sent
            if tx.request.at >= since and tx.state not in NOT_SPENT
        )
