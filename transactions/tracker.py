"""Tracks sent transactions. It checks each transaction at every new block until the transaction is
final. The caller of this code must hold the account's lock."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from transactions.chain_client import ChainClient, ChainHead, Receipt
from transactions.fees import Fees
from transactions.journal import Journal
from transactions.model import Attempt, Tx, TxRequest
from transactions.sender import Sender
from transactions.states import TxState

STUCK_BLOCKS = 2
"""The number of new blocks after which a pending transaction is stuck and gets a higher fee."""
BATCH = 16
"""The maximum number of transactions that are checked together, in the order of their nonces."""


class TransactionTracker:
    """Tracks one account's transactions. Each call checks a limited number of them at a time."""

    def __init__(
        self, client: ChainClient, journal: Journal, sender: Sender, empty_request: Callable[[], TxRequest]
    ) -> None:
        """`empty_request` returns the request for an empty transfer to ourselves."""
        self._client, self._journal, self._sender, self._empty_request = client, journal, sender, empty_request
        self._last_checked: tuple[str, ChainHead] | None = None

    async def check_all(self, chain: str) -> None:
        """Check all tracked transactions once. Then fill at most one nonce gap, and bump the
        fee of at most one stuck transaction. Raises NoResponse and RpcError."""
        head = await self._client.head()
        known_height = await self._known_height(chain)
        tracked = list(await self._tracked(chain))
        while tracked:
            group, tracked = tracked[:BATCH], tracked[BATCH:]
            after = await asyncio.gather(*(self._check_or_finish(tx, head, known_height) for tx in group))
            if all(tx.state == "sent" for tx in after):
                # transactions with higher nonces can't be mined before these are mined
                tracked = [tx for tx in tracked if tx.state != "sent"]
        await self._fill_gap(chain, head)
        await self._bump_lowest(chain, head)
        self._last_checked = chain, head

    async def check_now(self, tx: Tx) -> Tx:
        """Check this transaction immediately, and return it in its current state."""
        return await self.check(tx, await self._client.head())

    async def _known_height(self, chain: str) -> int:
        """Return the height of the newest block at the last check. Transactions that were mined up
        to this height needn't be checked again. Return -1 if that block is no longer on the chain.
        In that case, all transactions must be checked again, because a reorg might have removed
        their blocks."""
        if self._last_checked is None or self._last_checked[0] != chain:
            return -1
        head = self._last_checked[1]
        return head.height if await self._client.has_block(head.height, head.hash) else -1

    async def _check_or_finish(self, tx: Tx, head: ChainHead, known_height: int) -> Tx:
        known = tx.state in ("mined", "failed", "cancelled") and tx.block is not None and tx.block <= known_height
        return await (self._finish(tx, head) if known else self.check(tx, head))

    async def check(self, tx: Tx, head: ChainHead) -> Tx:
        """Compare the transaction with the chain, and return it in its current state."""
        found = await self._receipt_of(tx)
        if found is not None:
            return await self._finish(await self._on_mined(tx, *found), head)
        if await self._node_has(tx):
            return (
                tx if tx.state == "sent" else await self._sender.transition(tx, "sent", sent_at=head.height, block=None)
            )
        if tx.state == "sent":
            return await self._on_missing(tx, head)
        if tx.state in ("mined", "failed"):
            return await self._sender.transition(tx, "retracted", block=head.height)
        return await self._finish(tx, head)

    async def _receipt_of(self, tx: Tx) -> tuple[Attempt, Receipt] | None:
        for attempt in reversed(tx.attempts):
            receipt = await self._client.receipt(attempt.hash)
            if receipt is not None:
                return attempt, receipt
        return None

    async def _node_has(self, tx: Tx) -> bool:
        for attempt in reversed(tx.attempts):
            if attempt.nonce == tx.nonce and await self._client.has_transaction(attempt.hash):
                return True
        return False

    async def _on_mined(self, tx: Tx, attempt: Attempt, receipt: Receipt) -> Tx:
        where: dict[str, Any] = {"hash": attempt.hash, "nonce": attempt.nonce, "block": receipt.block, "stuck": False}
        if attempt.cancels:
            tx = tx if tx.state in ("sent", "cancelled") else await self._sender.transition(tx, "sent")
            return await self._set_state(tx, "cancelled", **where)
        if receipt.ok:
            return await self._set_state(tx, "mined", **where, reason="")
        return await self._set_state(
            tx, "failed", **where, reason=await self._client.revert_reason_of(tx.request, receipt.block)
        )

    async def _set_state(self, tx: Tx, state: TxState, **where: Any) -> Tx:
        """Store a state of the transaction, and return the transaction. If it already has this
        state, store only its block."""
        if tx.state != state:
            return await self._sender.transition(tx, state, **where)
        return tx if tx.block == where["block"] else await self._sender.update(tx, **where)

    async def _on_missing(self, tx: Tx, head: ChainHead) -> Tx:
        if await self._client.transaction_count("latest") <= tx.signed_nonce:
            return await self._on_dropped(tx, head)
        found = await self._receipt_of(tx)  # the transaction might have been mined in the meantime
        if found is not None:
            return await self._on_mined(tx, *found)
        why = "another program's transaction has used its nonce"
        return await self._sender.transition(tx, "replaced", block=head.height, stuck=False, is_done=True, reason=why)

    async def _on_dropped(self, tx: Tx, head: ChainHead) -> Tx:
        """Handle a transaction that the node has dropped. If its fee was too low for the next
        block, try to bump the fee. (Anvil drops transactions with too low a fee.) Otherwise, or if
        that fails, mark it as `dropped`."""
        bumped = tx.last_attempt.fees.bumped()
        if (
            tx.last_attempt.fees.max_fee < head.base_fee
            and bumped.max_fee <= tx.ceiling
            and await self._sender.would_succeed(tx)
        ):
            raised = await self._sender.replace(tx, bumped.at_least(await self._current_fees()), tx.cancelling)
            if raised.hash != tx.hash:
                return raised
        return await self._sender.transition(tx, "dropped", block=head.height, stuck=False)

    async def _finish(self, tx: Tx, head: ChainHead) -> Tx:
        """If the transaction's state is final, mark the transaction as done. A lost transaction is
        done if its nonce is used, and if the block that was the newest when the loss was noticed is
        final."""
        if tx.block is None or tx.block > head.final_height or tx.is_done:
            return tx
        if tx.state == "mined":
            return await self._sender.transition(tx, "final", is_done=True)
        if tx.state in ("failed", "cancelled") or await self._client.transaction_count("latest") > tx.signed_nonce:
            return await self._sender.update(tx, is_done=True)
        return tx

    async def _fill_gap(self, chain: str, head: ChainHead) -> None:
        """Fill the lowest gap in the nonces below our pending transactions. If a transaction with
        this nonce was lost, send it again. Otherwise, send an empty transfer."""
        tracked = await self._tracked(chain)
        above = [tx for tx in tracked if tx.state == "sent"]
        if not above or (gap := await self._sender.reserve(above[-1])) >= above[-1].signed_nonce:
            return
        lost = [tx for tx in tracked if tx.state in ("dropped", "retracted") and tx.nonce == gap]
        if not lost and head.height - above[-1].sent_at < STUCK_BLOCKS:
            return  # give another program time to fill the gap
        if not (lost and (await self._sender.resend(lost[-1])).state == "sent"):
            request = replace(self._empty_request(), chain=chain)
            await self._sender.fill_gap(await asyncio.to_thread(self._journal.add, request), gap)

    async def _bump_lowest(self, chain: str, head: ChainHead) -> None:
        """If the pending transaction with the lowest nonce is stuck, bump its fee. Transactions
        with higher nonces can't be mined before it. Afterwards, their fees might be high enough."""
        waiting = [tx for tx in await self._tracked(chain) if tx.state == "sent"]
        if not waiting or head.height - waiting[0].sent_at < STUCK_BLOCKS:
            return
        lowest = waiting[0]
        if await self._client.transaction_count("latest") != lowest.signed_nonce:
            return  # there is a nonce gap before this transaction, or this transaction was mined in the meantime
        bumped = lowest.last_attempt.fees.bumped()
        if bumped.max_fee > lowest.ceiling:
            await self._sender.update(lowest, stuck=True)
            return
        await self._sender.replace(lowest, bumped.at_least(await self._current_fees()), lowest.cancelling)

    async def cancel(self, tx: Tx) -> Tx:
        """Send an empty transfer with the transaction's nonce, at the current fees. If necessary,
        raise the transaction's fee ceiling."""
        fees = tx.last_attempt.fees.bumped().at_least(await self._current_fees())
        raised = await self._sender.update(tx, ceiling=max(tx.ceiling, 2 * fees.max_fee))
        return await self._sender.replace(raised, fees, cancels=True)

    async def _current_fees(self) -> Fees:
        return (await self._sender.current_fees(fresh=True))[1]

    async def _tracked(self, chain: str) -> Sequence[Tx]:
        return await asyncio.to_thread(self._journal.tracked, chain, self._client.address)
