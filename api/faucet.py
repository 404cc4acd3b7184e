"""The faucet of a development chain: tops accounts up from a key of its own."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from eth_account import Account
from limits import RateLimitItemPerMinute
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import FixedWindowRateLimiter

from api.problems import Problem
from indexer.node import Node, NodeError, NodeLost

ETHER = 10**18
ENOUGH = ETHER // 10
PER_MINUTE = 120
TOTAL = 5_000 * ETHER
TRANSFER_GAS = 21_000


@dataclass(frozen=True, slots=True)
class Grant:
    """What was sent, in wei; no transaction when the balance was enough."""

    address: str
    sent: int
    tx: str | None = None


class Faucet:
    """Sends from one key. `total` bounds what it gives away in its life, in wei."""

    def __init__(self, node: Node, key: str, total: int = TOTAL, per_minute: int = PER_MINUTE) -> None:
        self._node, self._account, self._left = node, Account.from_key(key), total
        self._lock = asyncio.Lock()
        self._limiter = FixedWindowRateLimiter(MemoryStorage())
        self._one, self._all = RateLimitItemPerMinute(1), RateLimitItemPerMinute(per_minute)

    @property
    def address(self) -> str:
        return str(self._account.address)

    async def give(self, address: str) -> Grant:
        """Tops this checksummed address up to 1 ether when below 0.1.

        Raises Problem 429 when asked too often, 503 when it can't give."""
        try:
            async with self._lock:
                return await self._give(address)
        except NodeLost as error:
            raise Problem(503, "node-lost", "The faucet can't reach the chain's node.") from error
        except NodeError as error:
            detail = f"The chain refused the faucet's transaction: {error}."
            raise Problem(503, "faucet-refused", detail) from error

    async def _give(self, to: str) -> Grant:
        balance = int(await self._node.request("eth_getBalance", [to, "latest"]), 16)
        if balance >= ENOUGH:
            return Grant(to, 0)
        amount = ETHER - balance
        genesis = (await self._node.chain()).genesis  # on a chain that began anew nobody has been given anything
        await self._check(to, amount, genesis)
        tx = await self._send(to, amount)
        self._left -= amount
        await self._limiter.hit(self._one, genesis, to)
        await self._limiter.hit(self._all, "all")
        return Grant(to, amount, tx)

    async def _check(self, to: str, amount: int, genesis: str) -> None:
        wait = {"retry-after": "60"}
        if not await self._limiter.test(self._one, genesis, to):
            raise Problem(429, "faucet-too-often", f"The faucet gives to {to} once a minute.", wait)
        if not await self._limiter.test(self._all, "all"):
            raise Problem(429, "faucet-busy", f"The faucet gives {self._all.amount} times a minute in all.", wait)
        if amount > self._left:
            raise Problem(503, "faucet-empty", "The faucet has given away all that it may.")

    async def _send(self, to: str, amount: int) -> str:
        """The nonce is asked for each time, under the lock: after a failure, a reset or a restart it is right again."""
        nonce, price, chain_id, balance = await self._node.requests(
            [
                ("eth_getTransactionCount", [self.address, "pending"]),
                ("eth_gasPrice", []),
                ("eth_chainId", []),
                ("eth_getBalance", [self.address, "latest"]),
            ]
        )
        fee = 2 * int(price, 16)
        if int(balance, 16) < amount + fee * TRANSFER_GAS:
            raise Problem(503, "faucet-empty", "The faucet's own account is empty.")
        signed = self._account.sign_transaction(
            {
                "to": to,
                "value": amount,
                "gas": TRANSFER_GAS,
                "maxFeePerGas": fee,
                "maxPriorityFeePerGas": min(fee, 10**9),
                "nonce": int(nonce, 16),
                "chainId": int(chain_id, 16),
            }
        )
        return str(await self._node.request("eth_sendRawTransaction", ["0x" + bytes(signed.raw_transaction).hex()]))
