"""The faucet of a development chain. It tops up accounts from its own account."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Protocol

from eth_account import Account
from limits import RateLimitItemPerMinute
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import FixedWindowRateLimiter

from api.problems import Problem
from api.shapes.chain import FaucetShape
from contracts.rpc_errors import NoResponse, RpcError
from indexer.lru import LruDict
from indexer.node.client import Node
from indexer.wakeup import Wakeup
from transactions.journal import Journal, JournalError
from transactions.manager import TransactionManager
from transactions.model import Tx
from transactions.node_errors import classify

log = logging.getLogger("chainboard")

ETHER = 10**18
MIN_BALANCE = ETHER // 10
PER_MINUTE = 120
TOTAL = 5_000 * ETHER
MINUTE_SHARE, TOTAL_SHARE = 4, 10
"""The divisors for one network address's shares. It gets at most 1/4 of the payments per minute,
and at most 1/10 of the total."""
TRANSFER_GAS = 21_000
TOP_UP_SECONDS = 20
"""The timeout of a top-up, in seconds. It ends the wait for a node that does not answer."""
CHECK_SECONDS, IDLE_SECONDS = 1.0, 5.0


class FaucetService(Protocol):
    """The service from which a gateway requests ether for an account."""

    async def top_up(self, address: str, client: str) -> FaucetShape:
        """Top this checksummed address up to 1 ether if it has less than 0.1. `client` is the
        network address of the request.

        Raises Problem 429 for too many requests, and 503 if the faucet can't pay."""


class Faucet:
    """The faucet, which pays from one account and stores its transactions in `journal`. `total` is
    the limit, in wei, for all payments until the next restart. Each network address gets only a
    share of the total and of the payments per minute, so that no address can use them up. If `fund`
    is given, it tops up the faucet's own account."""

    def __init__(
        self,
        node: Node,
        key: str,
        journal: Journal,
        total: int = TOTAL,
        per_minute: int = PER_MINUTE,
        fund: Callable[[], Awaitable[object]] | None = None,
    ) -> None:
        self._node, self._remaining, self._fund = node, total, fund
        self._share, self._paid_by_client = total // TOTAL_SHARE, Counter[str]()
        self._transactions = TransactionManager(node.request, Account.from_key(key), journal)
        self._lock = asyncio.Lock()
        self._limiter = FixedWindowRateLimiter(MemoryStorage())
        self._one, self._all = RateLimitItemPerMinute(1), RateLimitItemPerMinute(per_minute)
        self._latest: LruDict[str, Tx] = LruDict(per_minute)
        self._per_client = RateLimitItemPerMinute(max(1, per_minute // MINUTE_SHARE))

    @property
    def address(self) -> str:
        return self._transactions.address

    async def top_up(self, address: str, client: str) -> FaucetShape:
        try:
            async with asyncio.timeout(TOP_UP_SECONDS), self._lock:
                return await self._top_up(address, client)
        except (NoResponse, TimeoutError) as error:
            raise Problem(503, "node-lost") from error
        except (RpcError, JournalError) as error:
            raise Problem(503, "faucet-refused", {"why": str(error)}) from error

    async def _top_up(self, to: str, client: str) -> FaucetShape:
        balance = int(await self._node.request("eth_getBalance", [to, "latest"]), 16)
        if balance >= MIN_BALANCE:
            return {"address": to, "sent": "0"}
        amount = ETHER - balance
        # A restarted development chain has a new genesis block, so its accounts' limits start
        # again.
        genesis = (await self._node.chain()).genesis
        await self._check(to, amount, genesis, client)
        tx = await self._send(to, amount)
        await self._limiter.hit(self._one, genesis, to)
        await self._limiter.hit(self._per_client, "asker", client)
        await self._limiter.hit(self._all, "all")
        self._paid_by_client[client] += tx.request.value
        found: FaucetShape = {"address": to, "sent": str(tx.request.value)}
        if tx.hash:
            found["tx"] = tx.hash
        return found

    async def _is_lost(self, to: str) -> bool:
        """Return True if a reorg has removed the last payment to the address. The address may
        then ask again."""
        latest = self._latest.get(to)
        if latest is None:
            return False
        await self._transactions.check()
        return (await self._transactions.get(latest)).state in ("retracted", "dropped")

    async def _check(self, to: str, amount: int, genesis: str, client: str) -> None:
        wait = {"retry-after": "60"}
        if not await self._limiter.test(self._one, genesis, to):
            if not await self._is_lost(to):
                raise Problem(429, "faucet-too-often", {"address": to}, wait)
            await self._limiter.clear(self._one, genesis, to)  # a lost payment must not delay the next one
        if not await self._limiter.test(self._per_client, "asker", client):
            raise Problem(429, "faucet-too-often.network", {"n": self._per_client.amount}, wait)
        if not await self._limiter.test(self._all, "all"):
            raise Problem(429, "faucet-busy", {"n": self._all.amount}, wait)
        if amount > self._remaining:
            raise Problem(503, "faucet-empty")
        if self._paid_by_client[client] + amount > self._share:
            raise Problem(503, "faucet-empty.network", {"ether": f"{self._share / ETHER:g}"})

    async def _send(self, to: str, amount: int) -> Tx:
        """Send the transfer, or return a transfer to this address that is still pending."""
        await self._transactions.check()
        for tx in await self._transactions.unsettled():
            if tx.request.to == to:
                return tx
        tx = await self._transactions.submit(to, value=amount, gas_cap=TRANSFER_GAS)
        if tx.state == "refused" and classify(tx.reason) == "funds" and self._fund is not None:
            # The faucet's balance was set directly, not by a transaction. If a reorg removes such a
            # balance, no later block restores it.
            await self._fund()
            tx = await self._transactions.submit(to, value=amount, gas_cap=TRANSFER_GAS)
        if tx.state == "refused" and classify(tx.reason) == "funds":
            raise Problem(503, "faucet-empty.account")
        if tx.state == "refused":
            raise Problem(503, "faucet-refused", {"why": tx.reason})
        self._remaining -= amount
        self._latest[to] = tx
        return tx

    async def run(self, wakeup: Wakeup) -> None:
        """Track the transfers until this task is cancelled. Check them at each wakeup, but at most
        once per second."""
        while True:
            try:
                await self._transactions.check()
            except (NoResponse, RpcError, JournalError) as error:
                log.debug("can't track the faucet's transfers at the moment: %s", error)
            await asyncio.sleep(CHECK_SECONDS)
            await wakeup.wait(IDLE_SECONDS)
