"""Sends one queued transaction to the node. The caller of this code must hold the account's
lock."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Set
from dataclasses import replace
from typing import Any

from contracts.rpc_errors import RpcError
from transactions import states
from transactions.chain_client import TRANSFER_GAS, ChainClient, SendResult
from transactions.fees import CEILING_FACTOR, Fees
from transactions.journal import Journal
from transactions.model import Attempt, Tx
from transactions.retry import Retry
from transactions.revert_reason import reason_of
from transactions.states import TxState

MAX_SIGNINGS = 16
"""The maximum number of times that a transaction is signed, each time with a different nonce or
different fees. If it still can't be sent, it becomes `refused`."""
NONCE_ERRORS = ("low", "high", "replacement")
FEE_ERRORS = ("underpriced", "basefee")

NonceIsFree = Callable[[], Awaitable[bool]]
"""A function that returns True if the nonce of the transaction being sent is still unused."""


class ChainReplaced(Exception):
    """The node is not on the chain for which the transaction was submitted."""


class Sender:
    """Sends a transaction in five steps: it simulates the transaction, reserves a nonce, signs the
    transaction, writes it to the journal and sends it."""

    def __init__(self, client: ChainClient, journal: Journal, retry: Retry) -> None:
        self._client, self._journal, self._retry = client, journal, retry
        self._until_response = retry.until_response

    async def send(self, tx: Tx) -> Tx:
        """Try to send the transaction until the node has it or rejects it. If a crash has left a
        signed transaction behind, send the same bytes. Raises ChainReplaced if the node is on
        another chain."""
        if tx.state == "signed":
            await self._require_chain(tx)
            tx = await self._redeliver(tx)
            if tx.state != "simulated":
                return tx
        taken_nonces, min_fees = set[int](), Fees(0, 0)
        for attempt in range(MAX_SIGNINGS):
            tx, result = await self._send_once(tx, taken_nonces, min_fees)
            if tx.state != "simulated":
                return tx
            if result.kind == "replacement":
                taken_nonces.add(tx.signed_nonce)
            elif result.kind in FEE_ERRORS:
                min_fees = tx.last_attempt.fees.bumped()
            if min_fees.max_fee > tx.ceiling:
                break
            if attempt and result.kind in NONCE_ERRORS:
                await self._retry.wait(attempt)  # nodes behind a load balancer can give different answers
            tx = await self.update(tx, nonce=None)
        why = f"the node rejects it: {result.message}"
        return await self.transition(tx, "refused", nonce=None, hash=None, reason=why)

    async def fill_gap(self, tx: Tx, gap: int) -> Tx:
        """Send the empty transfer `tx` with the unused nonce `gap`. If the node doesn't accept the
        transfer, mark it as `refused`."""
        fees = (await self.current_fees(fresh=True))[1]
        tx = await self._sign(_as_simulated(tx), TRANSFER_GAS, gap, fees)
        result = await self.deliver(tx, lambda: self._has_next_nonce(tx))
        if result.kind == "sent":
            return await self.mark_sent(tx)
        return await self.transition(tx, "refused", nonce=None, hash=None, reason=result.message)

    async def _require_chain(self, tx: Tx) -> None:
        if await self._until_response(self._client.identity) != tx.request.chain:
            raise ChainReplaced

    async def _send_once(self, tx: Tx, taken_nonces: Set[int], min_fees: Fees) -> tuple[Tx, SendResult]:
        """Simulate, sign and send the transaction once. The requests before signing run at the same
        time. `taken_nonces` contains the nonces that other programs' pending transactions use. The
        fees are at least `min_fees`."""
        _, gas, count, fees_at = await asyncio.gather(
            self._require_chain(tx),
            self._simulated_gas(tx),
            self._pending_count(),
            self.current_fees(min_fees.max_fee > 0),
        )
        if isinstance(gas, RpcError):
            return await self.transition(tx, "refused", nonce=None, reason=reason_of(gas)), SendResult("other")
        nonce = await self._lowest_nonce(tx, count, taken_nonces)
        tx = await self._sign(_as_simulated(tx), gas, nonce, fees_at[1].at_least(min_fees))
        result = await self.deliver(tx, lambda: self._has_next_nonce(tx))
        return await self._with_result(tx, result), result

    async def _simulated_gas(self, tx: Tx) -> int | RpcError:
        try:
            return await self._until_response(lambda: self._client.simulate(tx.request))
        except RpcError as refusal:
            return refusal

    async def _sign(self, tx: Tx, gas: int, nonce: int, fees: Fees) -> Tx:
        ceiling = tx.ceiling or CEILING_FACTOR * fees.max_fee
        attempt = await asyncio.to_thread(self._client.sign, tx.request, gas, nonce, fees.capped(ceiling))
        attempts = (*tx.attempts, attempt)
        return await self.transition(
            tx, "signed", nonce=nonce, gas=gas, ceiling=ceiling, attempts=attempts, hash=attempt.hash
        )

    async def _with_result(self, tx: Tx, result: SendResult) -> Tx:
        """Store the transaction in the state that follows from the node's answer, and return it."""
        if result.kind == "sent":
            return await self.mark_sent(tx)
        if result.kind in (*NONCE_ERRORS, *FEE_ERRORS):
            return await self.transition(tx, "simulated")
        return await self.transition(tx, "refused", nonce=None, hash=None, reason=result.message)

    async def mark_sent(self, tx: Tx) -> Tx:
        return await self.transition(tx, "sent", sent_at=(await self.current_fees())[0])

    async def _redeliver(self, tx: Tx) -> Tx:
        """Send the same bytes again. This is safe, because the same bytes can't be mined twice. If
        another transaction has used the nonce in the meantime, return the transaction in the state
        `simulated`."""
        if await self._node_has(tx.last_attempt):
            return await self.mark_sent(tx)
        if not await self._has_next_nonce(tx):
            return await self.transition(tx, "simulated", nonce=None)
        tx = await self._with_result(tx, await self.deliver(tx, lambda: self._has_next_nonce(tx)))
        return await self.update(tx, nonce=None) if tx.state == "simulated" else tx

    async def deliver(self, tx: Tx, nonce_is_free: NonceIsFree) -> SendResult:
        """Send the newest attempt until the node has it (`sent`) or rejects it. If the node doesn't
        answer, first find out whether it has the transaction and whether the nonce is used, then
        try again."""
        for attempt in itertools.count():
            result = await self._client.send(tx.last_attempt.raw)
            if result.kind in ("sent", "known") or await self._node_has(tx.last_attempt):
                return SendResult("sent")
            if result.kind != "busy":
                return result
            await self._retry.wait(attempt)
            if not await nonce_is_free():
                # Perhaps these very bytes have arrived late and used the nonce.
                return (
                    SendResult("sent")
                    if await self._node_has(tx.last_attempt)
                    else SendResult("low", "another transaction has used the nonce")
                )
        raise AssertionError

    async def _has_next_nonce(self, tx: Tx) -> bool:
        return await self.reserve(tx) == tx.nonce

    async def reserve(self, tx: Tx) -> int:
        """Return the lowest free nonce. A nonce is free if it is unused on the chain and the node
        has no other transaction of ours with this nonce."""
        return await self._lowest_nonce(tx, await self._pending_count(), set())

    async def _pending_count(self) -> int:
        return await self._until_response(lambda: self._client.transaction_count("pending"))

    async def _lowest_nonce(self, tx: Tx, next: int, taken_nonces: Set[int]) -> int:
        tracked = await asyncio.to_thread(self._journal.tracked, tx.request.chain, tx.request.account, next)
        others = [one.signed_nonce for one in tracked if one.id != tx.id and await self.is_still_known(one)]
        used = taken_nonces | set(others)
        while next in used:
            next += 1
        return next

    async def is_still_known(self, tx: Tx) -> bool:
        """Return True if the node has the transaction. If it doesn't, the transaction's nonce is
        free again, and a transaction in the state `sent` becomes `dropped`."""
        for attempt in reversed(tx.attempts):
            if attempt.nonce == tx.nonce and await self._node_has(attempt):
                return True
        if tx.state == "sent":
            await self.transition(tx, "dropped", block=(await self.current_fees())[0], stuck=False)
        return False

    async def replace(self, tx: Tx, fees: Fees, cancels: bool) -> Tx:
        """Send a replacement with the same nonce and different fees. It contains the same request
        or, if `cancels` is True, an empty transfer. The transaction keeps its earlier attempts,
        because they can still be mined.

        While the node requires higher fees, bump the fees further, up to the ceiling. If the node
        rejects the replacement, the transaction doesn't change."""
        attempts, original = tx.attempts, tx
        fees = fees.capped(tx.ceiling)
        while True:
            attempt = await asyncio.to_thread(self._sign_replacement, original, fees, cancels)
            tx = await self.update(original, attempts=(*attempts, attempt), sent_at=(await self.current_fees())[0])
            result = await self.deliver(tx, lambda: self._is_unused(original.signed_nonce))
            if result.kind == "sent":
                return await self.update(tx, hash=attempt.hash, stuck=False)
            fees = fees.bumped()
            if result.kind == "low":
                return tx  # one of our attempts, or another program's transaction, was mined
            if result.kind not in (*FEE_ERRORS, "replacement") or fees.max_fee > tx.ceiling:
                return await self.update(tx, attempts=attempts)

    def _sign_replacement(self, tx: Tx, fees: Fees, cancels: bool) -> Attempt:
        if cancels:
            return self._client.sign_empty(tx.request, tx.signed_nonce, fees)
        return self._client.sign(tx.request, tx.gas, tx.signed_nonce, fees)

    async def _is_unused(self, nonce: int) -> bool:
        return await self._until_response(lambda: self._client.transaction_count("latest")) <= nonce

    async def resend(self, tx: Tx) -> Tx:
        """Send the bytes of a lost transaction again. If a simulation shows that it would fail, or
        the node rejects the bytes, the transaction doesn't change."""
        if not await self.would_succeed(tx):
            return tx
        result = await self.deliver(tx, lambda: self._is_unused(tx.signed_nonce))
        return await self.mark_sent(tx) if result.kind == "sent" else tx

    async def would_succeed(self, tx: Tx) -> bool:
        """Simulate the transaction. Return True if it would succeed now."""
        return not isinstance(await self._simulated_gas(tx), RpcError)

    async def current_fees(self, fresh: bool = False) -> tuple[int, Fees]:
        """Return the newest block's height and the fees to offer now. Results can be a second old,
        unless `fresh` is True."""
        return await self._until_response(lambda: self._client.current_fees(fresh))

    async def _node_has(self, attempt: Attempt) -> bool:
        return await self._until_response(lambda: self._client.has_transaction(attempt.hash))

    async def transition(self, tx: Tx, state: TxState, **changes: Any) -> Tx:
        """Store a new state and other changed fields in the journal. Raises InvalidTransition if
        the new state can't follow the current state."""
        return await asyncio.to_thread(self._journal.transition, tx, state, **changes)

    async def update(self, tx: Tx, **changes: Any) -> Tx:
        """Store changed fields in the journal. The transaction's state stays the same."""
        return await asyncio.to_thread(self._journal.update, tx, **changes)


def _as_simulated(tx: Tx) -> Tx:
    """Return the transaction in the state `simulated`. The journal doesn't store this state. After
    a crash, the transaction is simulated again, just like a `waiting` transaction."""
    if tx.state == "simulated":
        return tx
    states.check_transition(tx.state, "simulated")
    return replace(tx, state="simulated")
