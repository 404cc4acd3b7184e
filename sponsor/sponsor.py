"""The sponsor. It checks requests, reserves and sends ether, and records what each transfer has
cost."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from contracts.rpc_errors import NoResponse, Request, RpcError
from sponsor.budgets import BudgetSpent, Limit, seconds_to_next
from sponsor.ledger import Claim, Grant, Ledger, LedgerError, Recipient, RecipientChanged
from sponsor.messages import Sponsored, SponsorRejected, SponsorStatus
from sponsor.outgoing import OutgoingGuard
from sponsor.prices import MovesGas, Price, price_now
from sponsor.spending import IndexedTransactions, SpendingReader, SpendingUnknown, cost_of
from transactions.chain_client import TRANSFER_GAS
from transactions.fees import UNREADABLE_ERRORS
from transactions.journal import Journal, JournalError
from transactions.manager import TransactionManager
from transactions.model import Tx
from transactions.node_errors import classify

if TYPE_CHECKING:
    from eth_account.signers.local import LocalAccount

log = logging.getLogger("chainboard.sponsor")

ETHER = 10**18
GRANT_SECONDS = 20
"""The number of seconds after which a request for ether is abandoned, for example if the node
doesn't answer."""
CHECK_SECONDS, BALANCE_SECONDS = 2.0, 30.0
MAX_CONCURRENT = 8
"""The maximum number of requests that query the node at the same time. Other requests wait for
their turn."""
SPENT_KEYS: Mapping[Limit, str] = {
    "day": "sponsor-spent.day",
    "game": "sponsor-spent.game",
    "network": "sponsor-spent.network",
    "address": "sponsor-spent.address",
}
"""For each budget, the key of the text with which the page says that the budget is used up."""
RETRY_SECONDS = 60
"""The number of seconds after which a retry can succeed, if the sponsor has rejected a request for
a reason other than a used-up budget."""


@dataclass(frozen=True, slots=True)
class _Account:
    """An account's state at one block. `count` is the number of transactions that it has sent."""

    balance: int
    count: int
    height: int
    is_contract: bool


class Sponsor:
    """A SponsorService for one chain. `chain` returns the node's current chain in the ledger's
    notation. `gas` has an entry for each game. `contracts` returns the contracts that players may
    call with sponsored ether. No other code may use `journal`."""

    def __init__(
        self,
        request: Request,
        chain: Callable[[], Awaitable[str]],
        account: LocalAccount,
        journal: Journal,
        ledger: Ledger,
        contracts: Callable[[], Collection[str]],
        gas: Mapping[str, MovesGas],
        indexed: IndexedTransactions | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._request, self._chain, self._journal, self._ledger = request, chain, journal, ledger
        self._gas, self._now = gas, now
        guard = OutgoingGuard(request, ledger, str(account.address), now)
        self._manager = TransactionManager(guard.request, account, journal)
        self._spending = SpendingReader(request, contracts, indexed)
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._slots = asyncio.Semaphore(MAX_CONCURRENT)
        self._balance: int | None = None
        self._paid, self._granted, self._rejected = ledger.spent(now()), 0, Counter[str]()

    @property
    def address(self) -> str:
        return self._manager.address

    def status(self) -> SponsorStatus:
        return SponsorStatus(self._paid, self._ledger.budgets.day, self._balance, self._granted, dict(self._rejected))

    async def grant(self, address: str, network: str, game: str) -> Sponsored:
        """Handle a request, as SponsorService describes it. Requests for the same address are
        handled one after the other, so that two browser tabs don't get twice as much ether."""
        claim = Claim(address, network, game)
        lock = self._locks.setdefault(address, asyncio.Lock())
        try:
            async with asyncio.timeout(GRANT_SECONDS), lock, self._slots:
                return await self._grant_or_reject(claim)
        except SponsorRejected as rejection:
            self._rejected[rejection.key] += 1
            raise
        except TimeoutError as error:
            self._rejected["sponsor-unable.node"] += 1
            raise SponsorRejected("sponsor-unable.node", wait=RETRY_SECONDS) from error

    async def _grant_or_reject(self, claim: Claim) -> Sponsored:
        try:
            return await self._grant(claim)
        except BudgetSpent as spent:
            now, budget = self._now(), getattr(self._ledger.budgets, spent.limit)
            wait = seconds_to_next(await asyncio.to_thread(self._ledger.day, now), now)
            raise SponsorRejected(SPENT_KEYS[spent.limit], {"ether": f"{budget / ETHER:g}"}, wait) from spent
        except RecipientChanged as error:
            raise SponsorRejected("sponsor-unable.looking", wait=1) from error
        except SpendingUnknown as error:
            log.warning("can't check the transactions of %s: %s", claim.address, error)
            raise SponsorRejected("sponsor-withheld.unknown") from error
        except NoResponse as error:
            raise SponsorRejected("sponsor-unable.node", wait=RETRY_SECONDS) from error
        except UNREADABLE_ERRORS as error:
            log.warning("can't read the node's answer: %r", error)
            raise SponsorRejected("sponsor-unable.node", wait=RETRY_SECONDS) from error
        except (RpcError, JournalError, LedgerError) as error:  # don't show the message: it can contain paths or keys
            log.warning("no ether for %s: %s", claim.address, error)
            raise SponsorRejected("sponsor-unable.refused", {"why": type(error).__name__}, RETRY_SECONDS) from error

    async def _grant(self, claim: Claim) -> Sponsored:
        gas = self._gas[claim.game]
        if await self._chain() != self._ledger.chain:
            raise SponsorRejected("sponsor-unable.chain", wait=RETRY_SECONDS)
        seen = await asyncio.to_thread(self._ledger.recipient, claim.address)
        if seen is not None and seen.lost:
            raise SponsorRejected("sponsor-withheld.elsewhere", {"tx": seen.lost})
        if (grant := await asyncio.to_thread(self._ledger.open_grant, claim.address)) is not None:
            tx = await self._submit(grant)  # a reorg or a crash might have lost the grant's transaction
            if not await self._settle(grant, tx) and tx.state != "mined":
                return Sponsored(
                    claim.address, 0, tx.hash, gas.affordable_moves(grant.value, await price_now(self._request))
                )
        # when there are many requests, most are rejected here, before they reach the node
        await asyncio.to_thread(self._ledger.check, self._now(), claim)
        price = await price_now(self._request)
        account = await self._account(claim.address)
        if account.is_contract:
            raise SponsorRejected("sponsor-withheld.contract")
        seen = await self._check_spending(claim.address, seen, account)
        # a node behind the head has not seen the last grant yet
        have = max(account.balance, seen.unspent if account.count <= seen.nonce else 0)
        minimum, needed = gas.minimum(price), gas.needed(price)
        if have >= minimum:
            return Sponsored(claim.address, 0, None, gas.affordable_moves(have, price))
        return await self._send(claim, needed - have, minimum - have, seen, gas, price)

    async def _account(self, address: str) -> _Account:
        height = int(await self._request("eth_blockNumber", ()), 16)
        at = hex(height)
        balance, count, code = await asyncio.gather(
            self._request("eth_getBalance", (address, at)),
            self._request("eth_getTransactionCount", (address, at)),
            self._request("eth_getCode", (address, at)),
        )
        return _Account(int(balance, 16), int(count, 16), height, code not in ("0x", "0x0", ""))

    async def _check_spending(self, address: str, seen: Recipient | None, account: _Account) -> Recipient:
        if seen is None:
            return Recipient(account.count, account.height, 0, None)
        found, is_all = await self._spending.check(address, seen, account.count, account.height)
        if account.count > seen.nonce and is_all:  # some chains' receipts omit a fee, so trust the balance
            found = replace(found, unspent=min(found.unspent, account.balance))
        await asyncio.to_thread(self._ledger.note_recipient, address, found)
        if found.lost:
            log.warning("%s has lost its allowance because of transaction %s", address, found.lost)
            raise SponsorRejected("sponsor-withheld.elsewhere", {"tx": found.lost})
        if not is_all:
            raise SponsorRejected("sponsor-unable.looking", wait=1)
        return found

    async def _send(
        self, claim: Claim, wanted: int, minimum: int, seen: Recipient, gas: MovesGas, price: Price
    ) -> Sponsored:
        await self._refresh_balance()
        if self._balance is not None and self._balance < minimum + price.transfer:
            raise SponsorRejected("sponsor-unable.empty", wait=RETRY_SECONDS)
        reserve, cost = self._ledger.reserve, price.transfer
        grant = await asyncio.to_thread(reserve, self._now(), self.address, claim, wanted, minimum, cost, seen)
        self._paid = await asyncio.to_thread(self._ledger.spent, self._now())
        tx = await self._submit(grant)
        if await self._settle(grant, tx) and tx.state == "refused":
            if classify(tx.reason) == "funds":
                raise SponsorRejected("sponsor-unable.empty", wait=RETRY_SECONDS)
            raise SponsorRejected("sponsor-unable.refused", {"why": tx.reason}, RETRY_SECONDS)
        self._granted += 1
        return Sponsored(claim.address, grant.value, tx.hash, gas.affordable_moves(grant.value, price))

    async def _submit(self, grant: Grant) -> Tx:
        """Return the transaction of a grant. If it hasn't been sent or was lost, send it. However
        often this method is called, only one transaction is sent, because its key in the journal is
        the grant's id."""
        if grant.tx is not None:
            await self._manager.check()
            tx = await asyncio.to_thread(self._journal.get, grant.tx)
            if tx.state not in ("dropped", "retracted") or await self._is_used(tx.signed_nonce):
                return tx  # if the nonce is used, wait until its use is final before sending again
        key = f"grant {self._ledger.chain} {grant.id}"
        tx = await self._manager.submit(grant.address, value=grant.value, gas_cap=TRANSFER_GAS, key=key, renew=False)
        await asyncio.to_thread(self._ledger.note_sent, grant, tx.id)
        return tx

    async def _is_used(self, nonce: int) -> bool:
        return int(await self._request("eth_getTransactionCount", (self.address, "latest")), 16) > nonce

    async def _settle(self, grant: Grant, tx: Tx) -> bool:
        """If the cost of a grant is final, store it in the ledger. Return True if it has been
        stored."""
        if tx.state == "refused" or (tx.is_done and tx.state in ("dropped", "retracted")):
            await asyncio.to_thread(self._ledger.settle, grant, 0)
        elif tx.state == "replaced":  # one node can lack the receipt while another counts the transaction
            if not await self._manager.is_final(tx):
                return False
            receipt = await self._receipt(tx)
            arrived = receipt is not None and int(receipt["status"], 16) == 1
            paid = (cost_of(receipt) if receipt else 0) + (grant.value if arrived else 0)
            await asyncio.to_thread(self._ledger.settle, grant, paid, arrived)
        elif tx.is_done and tx.hash is not None:
            receipt = await self._request("eth_getTransactionReceipt", (tx.hash,))
            if receipt is None:
                return False
            arrived = tx.state == "final"
            paid = cost_of(receipt) + (grant.value if arrived else 0)
            await asyncio.to_thread(self._ledger.settle, grant, paid, arrived)
        else:
            return False
        return True

    async def _receipt(self, tx: Tx) -> dict[str, Any] | None:
        for attempt in tx.attempts:
            receipt: dict[str, Any] | None = await self._request("eth_getTransactionReceipt", (attempt.hash,))
            if receipt is not None:
                return receipt
        return None

    async def run(self) -> None:
        """Track all transfers until cancelled, including those that a killed process left
        behind."""
        while True:
            try:
                await self._track_transfers()
            except (NoResponse, RpcError, JournalError, LedgerError, *UNREADABLE_ERRORS) as error:
                log.debug("can't track the sponsor's transfers at the moment: %s", error)
            await asyncio.sleep(CHECK_SECONDS)

    async def _track_transfers(self) -> None:
        if await self._chain() != self._ledger.chain:
            return
        await self._manager.check()
        for grant in await asyncio.to_thread(self._ledger.open_grants, self.address):
            async with self._locks.setdefault(grant.address, asyncio.Lock()):
                current = await asyncio.to_thread(self._ledger.open_grant, grant.address)
                if current is not None and current.id == grant.id:
                    await self._settle(current, await self._submit(current))
        await asyncio.to_thread(self._ledger.forget_networks, self._now())
        self._paid = await asyncio.to_thread(self._ledger.spent, self._now())

    async def poll_balance(self) -> None:
        """Read the account's balance from the node at regular intervals, until cancelled."""
        while True:
            with suppress(NoResponse, RpcError, *UNREADABLE_ERRORS):
                await self._refresh_balance()
            await asyncio.sleep(BALANCE_SECONDS)

    async def _refresh_balance(self) -> None:
        self._balance = int(await self._request("eth_getBalance", (self.address, "latest")), 16)
