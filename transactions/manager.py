"""The transactions of one account, for scripts and bots: each is sent once and in order, and followed to its end."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from contextlib import suppress

from eth_account.signers.local import LocalAccount

from contracts.abi import checksum
from contracts.rpc_errors import NoAnswer, Refusal, Request
from transactions.account_lock import Guard
from transactions.chain_client import Door
from transactions.journal import Journal
from transactions.model import Order, Tx
from transactions.retry import Patience, Pause
from transactions.sender import OtherChain, Sender
from transactions.states import QUEUED
from transactions.tracker import Follower

MAX_GAS = 2**24
"""The most that a transaction may use (EIP-7825)."""
YOUNG_SECONDS = 600
"""What a program that is gone has left unsent is taken up again while it is younger than this."""
FIRST_LOOK, LAST_LOOK = 0.02, 1.0
"""Seconds between two looks at the head: at first, and when nothing has happened for a while."""


class Transactions:
    """All programs that sign with this account on one machine share a journal; then they share the nonces, too.

    `request` asks the node (indexer.node.client.Node has one); it raises NoAnswer and Refusal. A node that does not
    answer is waited for, as long as it takes: put a timeout around what must not wait."""

    def __init__(
        self,
        request: Request,
        account: LocalAccount,
        journal: Journal,
        pause: Pause = asyncio.sleep,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._journal, self._pause, self._now = journal, pause, now
        self._door, self._patience = Door(request, account), Patience(pause)
        self._guard = Guard(journal.path, self.address)
        self._owner = secrets.token_hex(8)
        self._sender = Sender(self._door, journal, self._patience)
        self._follower = Follower(self._door, journal, self._patience, self._sender, self._empty)
        self._identity: asyncio.Future[str] | None = None
        self._entry, self._turn, self._looking = asyncio.Lock(), asyncio.Lock(), asyncio.Lock()
        self._seen = ""

    @property
    def address(self) -> str:
        return self._door.address

    async def submit(
        self, to: str, data: str = "0x", value: int = 0, gas_cap: int = MAX_GAS, key: str | None = None
    ) -> Tx:
        """Puts a transaction behind the others of the account, and returns it when it has been sent or refused.

        `data` is 0x hex, `value` wei. With a `key` it is sent once: a program that was killed and runs again gets the
        transaction that there is. One that was refused or replaced, which then never happened, is tried anew; one that
        was dropped, or taken back with its block, is offered again with the same bytes. Raises JournalError, and
        ValueError for what can't be a transaction."""
        to, data = checksum(to.lower()), "0x" + bytes.fromhex(data.removeprefix("0x")).hex()
        if value < 0:
            raise ValueError(f"nobody can send {value} wei")
        chain = await self._chain()
        order = Order(chain, self.address, to, data, value, gas_cap, key, self._owner, self._now())
        async with self._entry:  # in the order of the calls
            tx = await asyncio.to_thread(self._journal.add, order)
        return await self._sent(tx, order)

    async def _sent(self, tx: Tx, order: Order) -> Tx:
        if tx.state in QUEUED:
            await self._drained(tx)
        elif tx.state in ("refused", "replaced", "dropped", "retracted"):
            async with self._guard:
                await self._revive(tx, order)
                await self._drain(tx.order.chain)
        return await asyncio.to_thread(self._journal.add, order) if order.key else await self.get(tx)

    async def _drained(self, tx: Tx) -> None:
        """One sends for all that wait here; those behind it mostly find theirs sent."""
        async with self._turn:
            if (await self.get(tx)).state in QUEUED:
                async with self._guard:
                    await self._drain(tx.order.chain)

    async def _revive(self, tx: Tx, order: Order) -> None:
        """Another try for one that has not happened. The old bytes are used while they still could: then new ones might
        count beside them."""
        tx = await self.get(tx)
        lost = tx.state in ("dropped", "retracted")
        if lost:
            tx = await self._patience.until_answered(lambda: self._follower.look_at(tx))
            lost = tx.state in ("dropped", "retracted")  # else it has come back
        if tx.state in ("refused", "replaced") or (lost and await self._is_used(tx.place)):
            await asyncio.to_thread(self._journal.renew, tx, order)
        elif lost:
            await self._sender.offer_again(tx)

    async def _is_used(self, nonce: int) -> bool:
        return await self._patience.until_answered(lambda: self._door.count("latest")) > nonce

    async def get(self, tx: Tx) -> Tx:
        """The transaction as it is kept now."""
        return await asyncio.to_thread(self._journal.get, tx.id)

    async def unsettled(self) -> list[Tx]:
        """What waits to be sent, or for a block."""
        chain, address = await self._chain(), self.address
        followed = await asyncio.to_thread(self._journal.followed, chain, address)
        return await self._queued(chain) + [tx for tx in followed if not tx.settled]

    async def settled(self, tx: Tx) -> Tx:
        """The transaction with its outcome: mined, failed, final, or what else ends its way. Waits for that, and raises
        meanwhile what is stuck. One of a chain that is gone is given back as it is."""
        while not (tx := await self.get(tx)).settled and await self._chain() == tx.order.chain:
            async with self._looking:  # one looks, for all that wait
                if not (await self.get(tx)).settled:
                    await self._next_look()
        return tx

    async def _next_look(self) -> None:
        wait = FIRST_LOOK
        while (newest := await self._patience.until_answered(self._door.newest)) == self._seen:
            await self._pause(wait)
            wait = min(wait * 1.5, LAST_LOOK)
        await self._patience.until_answered(self._look)
        self._seen = newest

    async def _look(self) -> None:
        try:
            await self.check()
        except Refusal as refusal:  # a node that refuses to be asked now is asked again
            raise NoAnswer(str(refusal)) from refusal

    async def check(self) -> None:
        """To be called at each new head, and at the start: sends what a killed program has left, and takes all that was
        sent one step on. Raises NoAnswer and Refusal where the node can't be asked."""
        if await asyncio.to_thread(self._journal.is_idle, self.address):
            return
        chain = await self._chain()
        async with self._guard:
            await self._drain(chain)
            with suppress(OtherChain):  # the next look is at that one
                await self._follower.look(chain)

    async def cancel(self, tx: Tx) -> Tx:
        """Not sent yet: it is refused. Sent: an empty transfer with the same nonce is put in its place, and one of them
        will be mined. Else nothing is done."""
        async with self._guard:
            tx = await self.get(tx)
            if tx.state in ("waiting", "simulated"):
                return await self._sender.step(tx, "refused", reason="cancelled before it was sent")
            await self._drain(tx.order.chain)
            tx = await self.get(tx)
            return await self._follower.cancel(tx) if tx.state == "sent" else tx

    async def allow(self, tx: Tx, most: int) -> Tx:
        """Lets its fee be raised up to so many wei for a unit of gas."""
        async with self._guard:
            return await self._sender.note(await self.get(tx), ceiling=most, stuck=False)

    async def _drain(self, chain: str) -> None:
        """Sends what waits, whoever has submitted it. Under the lock."""
        while queued := await self._queued(chain, 1):
            if queued[0].state != "signed" and self._is_old(queued[0]):
                await self._sender.step(queued[0], "refused", reason="the program that wanted it ended long ago")
                continue
            try:
                await self._sender.run(queued[0])
            except OtherChain:
                await self._leave(chain)
                return

    async def _leave(self, chain: str) -> None:
        """What waited for a chain that is gone is refused; what was signed for it is not sent to another."""
        for tx in await self._queued(chain):
            if tx.state != "signed":
                await self._sender.step(tx, "refused", nonce=None, reason="another chain answers now")

    async def _queued(self, chain: str, most: int = -1) -> list[Tx]:
        return await asyncio.to_thread(self._journal.queued, chain, self.address, most)

    def _is_old(self, tx: Tx) -> bool:
        return tx.order.owner != self._owner and self._now() - tx.order.at > YOUNG_SECONDS

    async def _chain(self) -> str:
        """Which chain answers now; many who ask at one time are told together."""
        if self._identity is None or self._identity.done():
            ask = self._patience.until_answered(self._door.identity)
            self._identity = asyncio.ensure_future(ask)
        return await asyncio.shield(self._identity)

    def _empty(self) -> Order:
        return Order("", self.address, self.address, "0x", 0, MAX_GAS, None, self._owner, self._now())
