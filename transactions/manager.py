"""Manages the transactions of one account, for scripts and bots. The manager sends each transaction
once and in order, and tracks it until it is final."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

from filelock import AsyncFileLock

from contracts.abi import MAX_GAS, checksum
from contracts.rpc_errors import NoResponse, Request, RpcError
from transactions.chain_client import ChainClient
from transactions.journal import Journal
from transactions.model import Tx, TxRequest
from transactions.retry import Retry, Sleep
from transactions.sender import ChainReplaced, Sender
from transactions.states import QUEUED
from transactions.tracker import TransactionTracker

if TYPE_CHECKING:
    from eth_account.signers.local import LocalAccount

ADOPT_SECONDS = 600
"""The maximum age, in seconds, of other programs' unsent transactions that this program still
sends. Older transactions become `refused`."""
MIN_POLL_SECONDS, MAX_POLL_SECONDS = 0.02, 1.0
"""The seconds between two requests for the newest block: the first pause, and the longest pause if
no new block arrives."""
LOCK_POLL_SECONDS = 0.01


class TransactionManager:
    """Sends and tracks the transactions of one account. All programs on a machine that sign with
    this account share a journal, so that no two of them use the same nonce.

    `request` sends a request to the node (see `indexer.node.client.Node`) and raises NoResponse and
    RpcError. If the node doesn't answer, the manager waits as long as necessary. If a call must not
    wait, put a timeout around it."""

    def __init__(
        self,
        request: Request,
        account: LocalAccount,
        journal: Journal,
        sleep: Sleep = asyncio.sleep,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._journal, self._sleep, self._now = journal, sleep, now
        self._client, self._retry = ChainClient(request, account), Retry(sleep)
        self._task_lock = asyncio.Lock()  # this lock keeps the tasks in order, unlike the file lock
        lock_file = journal.path.with_name(f"{journal.path.name}.{self.address.lower()}.lock")
        self._file_lock = AsyncFileLock(lock_file, poll_interval=LOCK_POLL_SECONDS)
        self._owner = secrets.token_hex(8)
        self._sender = Sender(self._client, journal, self._retry)
        self._tracker = TransactionTracker(self._client, journal, self._sender, self._empty_request)
        self._chain_request: asyncio.Future[str] | None = None
        self._submit_lock, self._send_lock, self._check_lock = asyncio.Lock(), asyncio.Lock(), asyncio.Lock()
        self._last_head = ""

    @property
    def address(self) -> str:
        return self._client.address

    @asynccontextmanager
    async def _locked(self) -> AsyncIterator[None]:
        """Hold the locks that protect the account's nonces. At any time, only one task in all
        processes can hold them. When a process ends or is killed, the operating system releases its
        file lock."""
        async with self._task_lock, self._file_lock:
            yield

    async def submit(
        self,
        to: str,
        data: str = "0x",
        value: int = 0,
        gas_cap: int = MAX_GAS,
        key: str | None = None,
        renew: bool = True,
    ) -> Tx:
        """Queue a transaction behind the account's other transactions. Return it when it has been
        sent or rejected. `data` is 0x hex, and `value` is in wei.

        A transaction with a `key` is sent only once. If a program was killed and calls this again
        with the same key, it gets the existing transaction. If that transaction is `refused` or
        `replaced`, it never took effect, so a new transaction is sent. If it is `dropped` or
        `retracted`, the same bytes are sent again.

        Without `renew`, a lost transaction whose nonce is used isn't sent again as a new
        transaction. It might have been mined after all, on a replica that is ahead of the others.
        Raises JournalError, and ValueError if the values can't be a transaction."""
        to, data = checksum(to.lower()), "0x" + bytes.fromhex(data.removeprefix("0x")).hex()
        if value < 0:
            raise ValueError(f"the value must not be negative: {value} wei")
        chain = await self._chain()
        request = TxRequest(chain, self.address, to, data, value, gas_cap, key, self._owner, self._now())
        async with self._submit_lock:  # this lock keeps the calls in order
            tx = await asyncio.to_thread(self._journal.add, request)
        return await self._send(tx, request, renew)

    async def _send(self, tx: Tx, request: TxRequest, renew: bool) -> Tx:
        if tx.state in QUEUED:
            await self._send_in_turn(tx)
        elif tx.state in ("refused", "replaced", "dropped", "retracted"):
            async with self._locked():
                await self._retry_lost(tx, request, renew)
                await self._send_queued(tx.request.chain)
        return await asyncio.to_thread(self._journal.add, request) if request.key else await self.get(tx)

    async def _send_in_turn(self, tx: Tx) -> None:
        """Send all queued transactions. If another task has already sent `tx`, send nothing. If
        several tasks wait for `_send_lock`, one of them sends the transactions of all."""
        async with self._send_lock:
            if (await self.get(tx)).state in QUEUED:
                async with self._locked():
                    await self._send_queued(tx.request.chain)

    async def _retry_lost(self, tx: Tx, request: TxRequest, renew: bool) -> None:
        """Retry a transaction that hasn't taken effect. If its old bytes can still be mined, send
        these bytes again. If new bytes were sent instead, both transactions might be mined."""
        tx = await self.get(tx)
        lost = tx.state in ("dropped", "retracted")
        if lost:
            tx = await self._retry.until_response(lambda: self._tracker.check_now(tx))
            lost = tx.state in ("dropped", "retracted")  # in any other state, the node has the transaction again
        is_used = tx.state == "replaced" or (lost and await self._is_used(tx.signed_nonce))
        if tx.state == "refused" or (is_used and renew):
            await asyncio.to_thread(self._journal.replace, tx, request)
        elif is_used:
            return
        elif lost:
            await self._sender.resend(tx)

    async def _is_used(self, nonce: int) -> bool:
        return await self._retry.until_response(lambda: self._client.transaction_count("latest")) > nonce

    async def is_final(self, tx: Tx) -> bool:
        """Return True if the block that decided the transaction's state is final. Raises NoResponse
        or RpcError."""
        return tx.block is not None and tx.block <= (await self._client.head()).final_height

    async def get(self, tx: Tx) -> Tx:
        """Return the transaction in the state that the journal stores now."""
        return await asyncio.to_thread(self._journal.get, tx.id)

    async def unsettled(self) -> list[Tx]:
        """Return the account's transactions on this chain that are waiting to be sent or mined."""
        chain, address = await self._chain(), self.address
        tracked = await asyncio.to_thread(self._journal.tracked, chain, address)
        return await self._queued(chain) + [tx for tx in tracked if not tx.settled]

    async def settled(self, tx: Tx) -> Tx:
        """Wait until the transaction has an outcome, such as mined, failed or final, and return it.
        In the meantime, bump the fees of stuck transactions. If the node is on a new chain, return
        the transaction unchanged."""
        while not (tx := await self.get(tx)).settled and await self._chain() == tx.request.chain:
            async with self._check_lock:  # one task checks for all waiting tasks
                if not (await self.get(tx)).settled:
                    await self._check_at_next_head()
        return tx

    async def _check_at_next_head(self) -> None:
        wait = MIN_POLL_SECONDS
        while (newest := await self._retry.until_response(self._client.head_hash)) == self._last_head:
            await self._sleep(wait)
            wait = min(wait * 1.5, MAX_POLL_SECONDS)
        await self._retry.until_response(self._check_or_no_response)
        self._last_head = newest

    async def _check_or_no_response(self) -> None:
        try:
            await self.check()
        except RpcError as refusal:  # treat a rejected request like a missing answer, so that it is retried
            raise NoResponse(str(refusal)) from refusal

    async def check(self) -> None:
        """Send the transactions that a killed program left behind, and check all sent transactions
        once. Call this method at the start and at each new block. Raises NoResponse or RpcError if
        the node doesn't answer or rejects a request."""
        if await asyncio.to_thread(self._journal.is_idle, self.address):
            return
        chain = await self._chain()
        async with self._locked():
            await self._send_queued(chain)
            with suppress(ChainReplaced):  # after a change of the chain, the next check uses the new chain
                await self._tracker.check_all(chain)

    async def cancel(self, tx: Tx) -> Tx:
        """Cancel a transaction. If it hasn't been sent, it becomes `refused`. If it has been sent,
        send an empty transfer with the same nonce, so that only one of the two can be mined. In any
        other state, the transaction doesn't change."""
        async with self._locked():
            tx = await self.get(tx)
            if tx.state in ("waiting", "simulated"):
                return await self._sender.transition(tx, "refused", reason="cancelled before it was sent")
            await self._send_queued(tx.request.chain)
            tx = await self.get(tx)
            return await self._tracker.cancel(tx) if tx.state == "sent" else tx

    async def allow(self, tx: Tx, max_fee: int) -> Tx:
        """Allow fee bumps for the transaction, up to `max_fee` wei per unit of gas."""
        async with self._locked():
            return await self._sender.update(await self.get(tx), ceiling=max_fee, stuck=False)

    async def _send_queued(self, chain: str) -> None:
        """Send all queued transactions of the account, including those of other programs. The
        caller must hold the account's locks."""
        while queued := await self._queued(chain, 1):
            if queued[0].state != "signed" and self._is_expired(queued[0]):
                await self._sender.transition(
                    queued[0], "refused", reason="the program that submitted it ended too long ago"
                )
                continue
            try:
                await self._sender.send(queued[0])
            except ChainReplaced:
                await self._reject_queued(chain)
                return

    async def _reject_queued(self, chain: str) -> None:
        """Mark the transactions that are queued for a chain as `refused`, because the node is now
        on a different chain. Signed transactions don't change, and are never sent to another
        chain."""
        for tx in await self._queued(chain):
            if tx.state != "signed":
                await self._sender.transition(tx, "refused", nonce=None, reason="the node is on another chain now")

    async def _queued(self, chain: str, limit: int = -1) -> list[Tx]:
        return await asyncio.to_thread(self._journal.queued, chain, self.address, limit)

    def _is_expired(self, tx: Tx) -> bool:
        return tx.request.owner != self._owner and self._now() - tx.request.at > ADOPT_SECONDS

    async def _chain(self) -> str:
        """Return the identity of the node's current chain. Callers at the same time share one
        request."""
        if self._chain_request is None or self._chain_request.done():
            identity = self._retry.until_response(self._client.identity)
            self._chain_request = asyncio.ensure_future(identity)
            # Waiting callers get the error if the request fails. If no caller is left, this
            # callback reads the error, because otherwise asyncio reports it.
            self._chain_request.add_done_callback(lambda done: done.cancelled() or done.exception())
        return await asyncio.shield(self._chain_request)

    def _empty_request(self) -> TxRequest:
        return TxRequest("", self.address, self.address, "0x", 0, MAX_GAS, None, self._owner, self._now())
