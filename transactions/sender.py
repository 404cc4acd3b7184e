"""The way of one transaction from the queue to the node. All here runs under the lock of its account."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from contracts.rpc_errors import Refusal
from transactions import states
from transactions.chain_client import TRANSFER_GAS, Door, Said
from transactions.fees import CEILING, Fees
from transactions.journal import Journal
from transactions.model import Attempt, Tx
from transactions.retry import Patience
from transactions.revert_reason import reason_of
from transactions.states import State

T = TypeVar("T")

SIGNINGS = 16
"""So often is a transaction signed in one go, with other nonces or fees, before it counts as refused."""
NONCE = ("low", "high", "replacement")
FEE = ("underpriced", "basefee")

Ours = Callable[[], Awaitable[bool]]
"""Whether the nonce of what is being sent is still to be had."""


NOTHING = Fees(0, 0)


@dataclass(frozen=True, slots=True)
class Terms:
    """What is learnt while one transaction is sent: nonces that others have in the pool, and the least fees."""

    taken: frozenset[int] = frozenset()
    least: Fees = NOTHING

    def after(self, tx: Tx, said: Said) -> Terms:
        """With what the node said to this attempt."""
        if said.kind == "replacement":
            return replace(self, taken=self.taken | {tx.place})
        return replace(self, least=tx.newest.fees.raised()) if said.kind in FEE else self


class OtherChain(Exception):
    """Another chain answers now than the one that the transaction was for."""


class Sender:
    """Simulates, reserves, signs, keeps, sends."""

    def __init__(self, door: Door, journal: Journal, patience: Patience) -> None:
        self._door, self._journal, self._patience = door, journal, patience

    async def run(self, tx: Tx) -> Tx:
        """Until the node has it or it is refused; one that a crash left signed is delivered as it is. May raise
        OtherChain."""
        if tx.state == "signed":
            await self._same_chain(tx)
            tx = await self._deliver_again(tx)
            if tx.state != "simulated":
                return tx
        terms = Terms()
        for attempt in range(SIGNINGS):
            tx, said = await self._once(tx, terms)
            if tx.state != "simulated":
                return tx
            terms = terms.after(tx, said)
            if terms.least.most > tx.ceiling:
                break
            if attempt and said.kind in NONCE:
                await self._patience.wait(attempt)  # nodes behind one address may differ
            tx = await self.note(tx, nonce=None)
        why = f"the node does not take it: {said.words}"
        return await self.step(tx, "refused", nonce=None, hash=None, reason=why)

    async def fill(self, tx: Tx, gap: int) -> Tx:
        """Sends an empty transfer with this nonce and with no other, or not at all."""
        fees = (await self.market(fresh=True))[1]
        tx = await self._signed(_simulated(tx), TRANSFER_GAS, gap, fees)
        said = await self.deliver(tx, lambda: self._is_next(tx))
        if said.kind == "sent":
            return await self.sent(tx)
        return await self.step(tx, "refused", nonce=None, hash=None, reason=said.words)

    async def _same_chain(self, tx: Tx) -> None:
        if await self._answered(self._door.identity) != tx.order.chain:
            raise OtherChain

    async def _once(self, tx: Tx, terms: Terms) -> tuple[Tx, Said]:
        """Simulated, signed and sent. What needs to be known for that is asked for together."""
        _, gas, count, market = await asyncio.gather(
            self._same_chain(tx), self._gas(tx), self._count(), self.market(terms.least.most > 0)
        )
        if isinstance(gas, Refusal):
            return await self.step(tx, "refused", nonce=None, reason=reason_of(gas)), Said("other")
        nonce = await self._lowest(tx, count, terms.taken)
        tx = await self._signed(_simulated(tx), gas, nonce, market[1].or_more(terms.least))
        said = await self.deliver(tx, lambda: self._is_next(tx))
        return await self._after(tx, said), said

    async def _gas(self, tx: Tx) -> int | Refusal:
        try:
            return await self._answered(lambda: self._door.simulate(tx.order))
        except Refusal as refusal:
            return refusal

    async def _signed(self, tx: Tx, gas: int, nonce: int, fees: Fees) -> Tx:
        ceiling = tx.ceiling or CEILING * fees.most
        attempt = await asyncio.to_thread(self._door.sign, tx.order, gas, nonce, fees.within(ceiling))
        attempts = (*tx.attempts, attempt)
        return await self.step(
            tx, "signed", nonce=nonce, gas=gas, ceiling=ceiling, attempts=attempts, hash=attempt.hash
        )

    async def _after(self, tx: Tx, said: Said) -> Tx:
        """The state that the node's answer to a sending brings."""
        if said.kind == "sent":
            return await self.sent(tx)
        if said.kind in (*NONCE, *FEE):
            return await self.step(tx, "simulated")
        return await self.step(tx, "refused", nonce=None, hash=None, reason=said.words)

    async def sent(self, tx: Tx) -> Tx:
        return await self.step(tx, "sent", sent_at=(await self.market())[0])

    async def _deliver_again(self, tx: Tx) -> Tx:
        """The same bytes, which can't count twice, unless their nonce went to another in between."""
        if await self._has(tx.newest):
            return await self.sent(tx)
        if not await self._is_next(tx):
            return await self.step(tx, "simulated", nonce=None)
        tx = await self._after(tx, await self.deliver(tx, lambda: self._is_next(tx)))
        return await self.note(tx, nonce=None) if tx.state == "simulated" else tx

    async def deliver(self, tx: Tx, ours: Ours) -> Said:
        """Sends the newest bytes until the node has them or says no: `sent`, or its no. Without an answer the node is
        asked for them, and for their nonce, before they are sent again."""
        for attempt in itertools.count():
            said = await self._door.send(tx.newest.raw)
            if said.kind in ("sent", "known") or await self._has(tx.newest):
                return Said("sent")
            if said.kind != "busy":
                return said
            await self._patience.wait(attempt)
            if not await ours():
                # the count may have grown by these very bytes, which arrived late
                return Said("sent") if await self._has(tx.newest) else Said("low", "the nonce went to another")
        raise AssertionError

    async def _is_next(self, tx: Tx) -> bool:
        return await self.reserve(tx) == tx.nonce

    async def reserve(self, tx: Tx) -> int:
        """The lowest nonce that neither the chain counts nor another of ours has that the node still knows."""
        return await self._lowest(tx, await self._count(), frozenset())

    async def _count(self) -> int:
        return await self._answered(lambda: self._door.count("pending"))

    async def _lowest(self, tx: Tx, next: int, taken: frozenset[int]) -> int:
        ahead = await asyncio.to_thread(self._journal.followed, tx.order.chain, tx.order.account, next)
        used = taken.union([one.place for one in ahead if one.id != tx.id and await self.stands(one)])
        while next in used:
            next += 1
        return next

    async def stands(self, tx: Tx) -> bool:
        """Whether the node has what was sent; if not, its nonce is free, and that is told."""
        for attempt in reversed(tx.attempts):
            if attempt.nonce == tx.nonce and await self._has(attempt):
                return True
        if tx.state == "sent":
            await self.step(tx, "dropped", block=(await self.market())[0], stuck=False)
        return False

    async def put_in_place(self, tx: Tx, fees: Fees, cancels: bool) -> Tx:
        """The same nonce with other fees, for what was wanted or for nothing; the one before stays, as it may be mined.

        The fees rise further while the node wants more, up to the ceiling; a no leaves all as it was."""
        before, kept = tx.attempts, tx
        fees = fees.within(tx.ceiling)
        while True:
            attempt = await asyncio.to_thread(self._attempt, kept, fees, cancels)
            tx = await self.note(kept, attempts=(*before, attempt), sent_at=(await self.market())[0])
            said = await self.deliver(tx, lambda: self._is_open(kept.place))
            if said.kind == "sent":
                return await self.note(tx, hash=attempt.hash, stuck=False)
            fees = fees.raised()
            if said.kind == "low":
                return tx  # one of ours, or another's, is mined
            if said.kind not in (*FEE, "replacement") or fees.most > tx.ceiling:
                return await self.note(tx, attempts=before)

    def _attempt(self, tx: Tx, fees: Fees, cancels: bool) -> Attempt:
        if cancels:
            return self._door.sign_empty(tx.order, tx.place, fees)
        return self._door.sign(tx.order, tx.gas, tx.place, fees)

    async def _is_open(self, nonce: int) -> bool:
        return await self._answered(lambda: self._door.count("latest")) <= nonce

    async def offer_again(self, tx: Tx) -> Tx:
        """Its own bytes, for one that the node does not have any more; it stays what it is when the node says no."""
        if not await self.is_possible(tx):
            return tx
        said = await self.deliver(tx, lambda: self._is_open(tx.place))
        return await self.sent(tx) if said.kind == "sent" else tx

    async def is_possible(self, tx: Tx) -> bool:
        """Whether it would succeed now."""
        return not isinstance(await self._gas(tx), Refusal)

    async def market(self, fresh: bool = False) -> tuple[int, Fees]:
        """Height, and the fees that one would offer."""
        return await self._answered(lambda: self._door.market(fresh))

    async def _has(self, attempt: Attempt) -> bool:
        return await self._answered(lambda: self._door.known(attempt.hash))

    async def _answered(self, ask: Callable[[], Awaitable[T]]) -> T:
        return await self._patience.until_answered(ask)

    async def step(self, tx: Tx, state: State, **changes: Any) -> Tx:
        return await asyncio.to_thread(self._journal.step, tx, state, **changes)

    async def note(self, tx: Tx, **changes: Any) -> Tx:
        return await asyncio.to_thread(self._journal.note, tx, **changes)


def _simulated(tx: Tx) -> Tx:
    """Not kept: to a later life it says nothing more than `waiting`."""
    if tx.state == "simulated":
        return tx
    states.check(tx.state, "simulated")
    return replace(tx, state="simulated")
