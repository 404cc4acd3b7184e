"""A transaction as the journal stores it: the request, its signed attempts, its state."""

from __future__ import annotations

from dataclasses import dataclass

from transactions.fees import Fees
from transactions.states import UNSETTLED, TxState


@dataclass(frozen=True, slots=True)
class Attempt:
    """Signed bytes (0x hex). `cancels` marks an empty transfer that takes the nonce instead of the
    request."""

    hash: str
    raw: str
    nonce: int
    fees: Fees
    cancels: bool = False


@dataclass(frozen=True, slots=True)
class TxRequest:
    """Contents, sender and chain (id and genesis) of a transaction. `at` is in seconds since 1970.
    `owner` identifies the run of the program that submitted it. `key` is the caller's name for the
    transaction, which is sent once per key."""

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
    """A transaction. Any of its attempts may still be mined. `hash` belongs to the mined attempt,
    or else to the newest.

    `block` is the height of its block; for a dropped or retracted transaction, the head's height
    when that was noticed. `sent_at` is the head's height when it was last sent. `ceiling` (wei)
    limits fee bumps, and `stuck` is True when the fee has reached it. `is_done` is True when
    nothing can change any more."""

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
        """True if there is an outcome: mined, failed, refused, ... A reorg may still change some
        outcomes."""
        return self.state not in UNSETTLED

    @property
    def cancelling(self) -> bool:
        """True if one of its attempts is an empty transaction that replaces it."""
        return any(one.cancels for one in self.attempts)

    @property
    def signed_nonce(self) -> int:
        """Nonce of a transaction that has been signed."""
        assert self.nonce is not None
        return self.nonce

    @property
    def last_attempt(self) -> Attempt:
        return self.attempts[-1]
