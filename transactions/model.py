"""A transaction as the journal stores it: its request, its signed attempts and its state."""

from __future__ import annotations

from dataclasses import dataclass

from transactions.fees import Fees
from transactions.states import UNSETTLED, TxState


@dataclass(frozen=True, slots=True)
class Attempt:
    """One signed version of a transaction. `raw` contains its bytes in 0x hex. `cancels` is True
    for an empty transfer that uses up the nonce in place of the request."""

    hash: str
    raw: str
    nonce: int
    fees: Fees
    cancels: bool = False


@dataclass(frozen=True, slots=True)
class TxRequest:
    """The contents that a transaction should have, with its account and its chain (id and genesis).
    `at` is the time of submission in seconds since 1970. `owner` identifies the run of the program
    that submitted it. The caller can choose a `key`. Only one transaction is sent per key."""

    chain: str
    account: str
    to: str
    data: str
    value: int
    gas_cap: int
    key: str | None
    owner: str
    at: float


@dataclass(frozen=True, slots=True)
class Tx:
    """A transaction. Only one of its attempts can be mined, but it can be any of them. `hash` is
    the hash of the mined attempt. If no attempt was mined, it is the hash of the newest attempt.

    - `block`: the height of its block. If the transaction was dropped, retracted or replaced, this
      is the height of the newest block when that was noticed.
    - `sent_at`: the height of the newest block when the transaction was last sent.
    - `ceiling`: the limit for fee bumps, in wei per unit of gas.
    - `stuck`: True if the next fee bump would exceed the ceiling.
    - `is_done`: True if the transaction can't change any more."""

    id: int
    request: TxRequest
    state: TxState = "waiting"
    nonce: int | None = None
    gas: int = 0
    attempts: tuple[Attempt, ...] = ()
    hash: str | None = None
    ceiling: int = 0
    sent_at: int = 0
    block: int | None = None
    reason: str = ""
    stuck: bool = False
    is_done: bool = False

    @property
    def settled(self) -> bool:
        """True if the transaction has an outcome, such as mined, failed or refused. A reorg can
        still change some of these outcomes."""
        return self.state not in UNSETTLED

    @property
    def cancelling(self) -> bool:
        """True if one of the attempts is an empty transfer that should cancel the request."""
        return any(one.cancels for one in self.attempts)

    @property
    def signed_nonce(self) -> int:
        """The nonce of the transaction. Use it only for a transaction that has been signed."""
        assert self.nonce is not None
        return self.nonce

    @property
    def last_attempt(self) -> Attempt:
        return self.attempts[-1]
