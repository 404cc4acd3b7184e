"""What becomes of transactions that were sent: looked at at each head until it is final. Under the lock, too."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from transactions.chain_client import Door, Head, Receipt
from transactions.fees import Fees
from transactions.journal import Journal
from transactions.model import Attempt, Order, Tx
from transactions.retry import Patience
from transactions.sender import Sender
from transactions.states import State

STUCK_BLOCKS = 2
"""So many blocks without it, and its fee is raised."""
TOGETHER = 16
"""So many are looked at together. They are mined in the order of their nonces."""

EmptyOrder = Callable[[], Order]
"""An order for a transfer of nothing to oneself."""


class Follower:
    """One bounded look at a time."""

    def __init__(self, door: Door, journal: Journal, patience: Patience, sender: Sender, empty: EmptyOrder) -> None:
        self._door, self._journal, self._patience = door, journal, patience
        self._sender, self._empty = sender, empty
        self._last: tuple[str, Head] | None = None

    async def look(self, chain: str) -> None:
        """Takes all one step on, fills a gap, raises the fee of what is stuck. Raises NoAnswer and Refusal."""
        head = await self._door.head()
        settled = await self._is_settled(chain)
        some = list(await self._followed(chain))
        while some:
            group, some = some[:TOGETHER], some[TOGETHER:]
            after = await asyncio.gather(*(self._step(tx, head, settled) for tx in group))
            if all(tx.state == "sent" for tx in after):
                some = [tx for tx in some if tx.state != "sent"]  # these can't be mined before those
        await self._fill(chain, head)
        await self._raise_lowest(chain, head)
        self._last = chain, head

    async def look_at(self, tx: Tx) -> Tx:
        """One transaction, out of turn."""
        return await self.follow(tx, await self._door.head())

    async def _is_settled(self, chain: str) -> bool:
        """Whether the blocks up to the last look are the same still, so that what is in them needs no look."""
        if self._last is None or self._last[0] != chain:
            return False
        return await self._door.holds(self._last[1].height, self._last[1].hash)

    async def _step(self, tx: Tx, head: Head, settled: bool) -> Tx:
        known = settled and tx.state in ("mined", "failed")
        return await (self._close(tx, head) if known else self.follow(tx, head))

    async def follow(self, tx: Tx, head: Head) -> Tx:
        """One transaction, as the chain has it now."""
        found = await self._mined(tx)
        if found is not None:
            return await self._close(await self._in_block(tx, *found), head)
        if await self._is_known(tx):
            return tx if tx.state == "sent" else await self._sender.step(tx, "sent", sent_at=head.height, block=None)
        if tx.state == "sent":
            return await self._lost(tx, head)
        if tx.state in ("mined", "failed"):
            return await self._sender.step(tx, "retracted", block=head.height)
        return await self._close(tx, head)

    async def _mined(self, tx: Tx) -> tuple[Attempt, Receipt] | None:
        for attempt in reversed(tx.attempts):
            receipt = await self._door.receipt(attempt.hash)
            if receipt is not None:
                return attempt, receipt
        return None

    async def _is_known(self, tx: Tx) -> bool:
        for attempt in reversed(tx.attempts):
            if attempt.nonce == tx.nonce and await self._door.known(attempt.hash):
                return True
        return False

    async def _in_block(self, tx: Tx, attempt: Attempt, receipt: Receipt) -> Tx:
        where: dict[str, Any] = {"hash": attempt.hash, "nonce": attempt.nonce, "block": receipt.block, "stuck": False}
        if attempt.cancels:
            tx = tx if tx.state == "sent" else await self._sender.step(tx, "sent")
            return await self._sender.step(tx, "cancelled", **where, closed=True)
        if receipt.ok:
            return await self._moved(tx, "mined", **where, reason="")
        return await self._moved(tx, "failed", **where, reason=await self._door.post_mortem(tx.order, receipt.block))

    async def _moved(self, tx: Tx, state: State, **where: Any) -> Tx:
        """In this state, or in it already, in another block."""
        if tx.state != state:
            return await self._sender.step(tx, state, **where)
        return tx if tx.block == where["block"] else await self._sender.note(tx, **where)

    async def _lost(self, tx: Tx, head: Head) -> Tx:
        if await self._door.count("latest") <= tx.place:
            return await self._dropped(tx, head)
        found = await self._mined(tx)  # a block may have come in between
        if found is not None:
            return await self._in_block(tx, *found)
        why = "another program's transaction has its nonce"
        return await self._sender.step(tx, "replaced", block=head.height, stuck=False, closed=True, reason=why)

    async def _dropped(self, tx: Tx, head: Head) -> Tx:
        """Some nodes drop what is too cheap for a block (Anvil does): such a one is stuck, and raised at once."""
        wanted = tx.newest.fees.raised()
        if tx.newest.fees.most < head.base and wanted.most <= tx.ceiling and await self._sender.is_possible(tx):
            raised = await self._sender.put_in_place(tx, wanted.or_more(await self._offer()), tx.cancelling)
            if raised.hash != tx.hash:
                return raised
        return await self._sender.step(tx, "dropped", block=head.height, stuck=False)

    async def _close(self, tx: Tx, head: Head) -> Tx:
        """Ends the story of what is final: a lost one's when its nonce has long been another's."""
        if tx.block is None or tx.block > head.final or tx.closed:
            return tx
        if tx.state == "mined":
            return await self._sender.step(tx, "final", closed=True)
        if tx.state == "failed" or await self._door.count("latest") > tx.place:
            return await self._sender.note(tx, closed=True)
        return tx

    # ---- gaps

    async def _fill(self, chain: str, head: Head) -> None:
        """A nonce that nobody has, below one of ours in the pool, gets what was there, or an empty transfer."""
        some = await self._followed(chain)
        above = [tx for tx in some if tx.state == "sent"]
        if not above or (gap := await self._sender.reserve(above[-1])) >= above[-1].place:
            return
        lost = [tx for tx in some if tx.state in ("dropped", "retracted") and tx.nonce == gap]
        if not lost and head.height - above[-1].sent_at < STUCK_BLOCKS:
            return  # maybe another program is about to fill it
        if not (lost and (await self._sender.offer_again(lost[-1])).state == "sent"):
            order = replace(self._empty(), chain=chain)
            await self._sender.fill(await asyncio.to_thread(self._journal.add, order), gap)

    # ---- fees

    async def _raise_lowest(self, chain: str, head: Head) -> None:
        """Only the lowest can be mined; those above it may be cheap enough when it is out of the way."""
        waiting = [tx for tx in await self._followed(chain) if tx.state == "sent"]
        if not waiting or head.height - waiting[0].sent_at < STUCK_BLOCKS:
            return
        lowest = waiting[0]
        if await self._door.count("latest") != lowest.place:
            return  # a gap below, or mined meanwhile
        wanted = lowest.newest.fees.raised()
        if wanted.most > lowest.ceiling:
            await self._sender.note(lowest, stuck=True)
            return
        await self._sender.put_in_place(lowest, wanted.or_more(await self._offer()), lowest.cancelling)

    async def cancel(self, tx: Tx) -> Tx:
        """Takes the nonce with an empty transfer, at what it costs now: a wish has a ceiling of its own."""
        fees = tx.newest.fees.raised().or_more(await self._offer())
        roomy = await self._sender.note(tx, ceiling=max(tx.ceiling, 2 * fees.most))
        return await self._sender.put_in_place(roomy, fees, cancels=True)

    async def _offer(self) -> Fees:
        return (await self._sender.market(fresh=True))[1]

    async def _followed(self, chain: str) -> Sequence[Tx]:
        return await asyncio.to_thread(self._journal.followed, chain, self._door.address)
