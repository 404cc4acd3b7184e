"""The transactions of one account, for scripts and bots: each is sent once and in order, and tracked until it is
final."""

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
"""Unsent transactions of a program that is gone are adopted while they are younger than this."""
MIN_POLL_SECONDS, MAX_POLL_SECONDS = 0.02, 1.0
"""Seconds between two looks at the head: at first, and when nothing has happened for a while."""
LOCK_POLL_SECONDS = 0.01


class TransactionManager:
    """All programs that sign with this account on one machine share a journal; then they share the nonces, too.

    `request` asks the node (indexer.node.client.Node has one); it raises NoResponse and RpcError. A node that does not
    answer is waited for, as long as it takes: put a timeout around what must not wait."""

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
        self._task_lock = asyncio.Lock()  # in their order; a file's lock goes to anyone
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
        """Makes this task the only one, among those of all processes, that takes nonces of the account. The system
        releases the file's lock when the process ends, however."""
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
        """Queues a transaction behind the account's others, and returns it when it has been sent or refused.

        `data` is 0x hex, `value` wei. With a `key` it is sent once: a program that was killed and runs again gets the
        transaction that exists. A refused or replaced one never happened and is sent as a new one; a dropped or
        retracted one is sent again with the same bytes. Without `renew` nothing is signed anew once its nonce is used:
        replicas behind one address may count a transaction that others don't have yet. Raises JournalError, and
        ValueError for what can't be a transaction."""
        to, data = checksum(to.lower()), "0x" + bytes.fromhex(data.removeprefix("0x")).hex()
        if value < 0:
            raise ValueError(f"nobody can send {value} wei")
        chain = await self._chain()
        request = TxRequest(chain, self.address, to, data, value, gas_cap, key, self._owner, self._now())
        async with self._submit_lock:  # in the order of the calls
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
        """One task sends for all that wait here; those behind it mostly find theirs sent."""
        async with self._send_lock:
            if (await self.get(tx)).state in QUEUED:
                async with self._locked():
                    await self._send_queued(tx.request.chain)

    async def _retry_lost(self, tx: Tx, request: TxRequest, renew: bool) -> None:
        """Retries a transaction that has not happened. The old bytes are reused while they could still be mined: new
        ones might count beside them."""
        tx = await self.get(tx)
        lost = tx.state in ("dropped", "retracted")
        if lost:
            tx = await self._retry.until_answered(lambda: self._tracker.check_now(tx))
            lost = tx.state in ("dropped", "retracted")  # else it has come back
        is_used = tx.state == "replaced" or (lost and await self._is_used(tx.signed_nonce))
        if tx.state == "refused" or (is_used and renew):
            await asyncio.to_thread(self._journal.replace, tx, request)
        elif is_used:
            return
        elif lost:
            await self._sender.resend(tx)

    async def _is_used(self, nonce: int) -> bool:
        return await self._retry.until_answered(lambda: self._client.transaction_count("latest")) > nonce

    async def is_final(self, tx: Tx) -> bool:
        """Whether the block of its state is final. Raises NoResponse and RpcError."""
        return tx.block is not None and tx.block <= (await self._client.head()).final_height

    async def get(self, tx: Tx) -> Tx:
        """The transaction as it is kept now."""
        return await asyncio.to_thread(self._journal.get, tx.id)

    async def unsettled(self) -> list[Tx]:
        """Transactions that wait to be sent, or for a block."""
        chain, address = await self._chain(), self.address
        tracked = await asyncio.to_thread(self._journal.tracked, chain, address)
        return await self._queued(chain) + [tx for tx in tracked if not tx.settled]

    async def settled(self, tx: Tx) -> Tx:
        """Waits for the transaction's outcome (mined, failed, final or another end), bumping meanwhile what is stuck. A
        transaction of a chain that is gone is returned as it is."""
        while not (tx := await self.get(tx)).settled and await self._chain() == tx.request.chain:
            async with self._check_lock:  # one looks, for all that wait
                if not (await self.get(tx)).settled:
                    await self._check_at_next_head()
        return tx

    async def _check_at_next_head(self) -> None:
        wait = MIN_POLL_SECONDS
        while (newest := await self._retry.until_answered(self._client.head_hash)) == self._last_head:
            await self._sleep(wait)
            wait = min(wait * 1.5, MAX_POLL_SECONDS)
        await self._retry.until_answered(self._check_or_no_response)
        self._last_head = newest

    async def _check_or_no_response(self) -> None:
        try:
            await self.check()
        except RpcError as refusal:  # a node that refuses to be asked now is asked again
            raise NoResponse(str(refusal)) from refusal

    async def check(self) -> None:
        """Sends what a killed program left, and checks all that was sent once: call it at the start and at each new
        head. Raises NoResponse and RpcError where the node can't be asked."""
        if await asyncio.to_thread(self._journal.is_idle, self.address):
            return
        chain = await self._chain()
        async with self._locked():
            await self._send_queued(chain)
            with suppress(ChainReplaced):  # the next look is at that one
                await self._tracker.check_all(chain)

    async def cancel(self, tx: Tx) -> Tx:
        """Cancels a transaction: not sent yet, it is refused; sent, an empty transfer with the same nonce competes with
        it, and one of the two will be mined. In other states nothing is done."""
        async with self._locked():
            tx = await self.get(tx)
            if tx.state in ("waiting", "simulated"):
                return await self._sender.transition(tx, "refused", reason="cancelled before it was sent")
            await self._send_queued(tx.request.chain)
            tx = await self.get(tx)
            return await self._tracker.cancel(tx) if tx.state == "sent" else tx

    async def allow(self, tx: Tx, max_fee: int) -> Tx:
        """Lets its fee be raised up to so many wei for a unit of gas."""
        async with self._locked():
            return await self._sender.update(await self.get(tx), ceiling=max_fee, stuck=False)

    async def _send_queued(self, chain: str) -> None:
        """Sends what waits, whoever submitted it. Needs the account's lock."""
        while queued := await self._queued(chain, 1):
            if queued[0].state != "signed" and self._is_old(queued[0]):
                await self._sender.transition(queued[0], "refused", reason="the program that wanted it ended long ago")
                continue
            try:
                await self._sender.send(queued[0])
            except ChainReplaced:
                await self._refuse_queued(chain)
                return

    async def _refuse_queued(self, chain: str) -> None:
        """Refuses what waited for a chain that is gone; bytes signed for it are not sent to another."""
        for tx in await self._queued(chain):
            if tx.state != "signed":
                await self._sender.transition(tx, "refused", nonce=None, reason="another chain answers now")

    async def _queued(self, chain: str, limit: int = -1) -> list[Tx]:
        return await asyncio.to_thread(self._journal.queued, chain, self.address, limit)

    def _is_old(self, tx: Tx) -> bool:
        return tx.request.owner != self._owner and self._now() - tx.request.at > ADOPT_SECONDS

    async def _chain(self) -> str:
        """Id of the chain that answers now; concurrent callers share one request."""
        if self._chain_request is None or self._chain_request.done():
            ask = self._retry.until_answered(self._client.identity)
            self._chain_request = asyncio.ensure_future(ask)
            # who waits gets its error; nobody may wait any more
            self._chain_request.add_done_callback(lambda done: done.cancelled() or done.exception())
        return await asyncio.shield(self._chain_request)

    def _empty_request(self) -> TxRequest:
        return TxRequest("", self.address, self.address, "0x", 0, MAX_GAS, None, self._owner, self._now())
