"""A transaction as the journal stores it: the request, its signed attempts and its state."""

from __future__ import annotations

from dataclasses import dataclass

from transactions.fees import Fees
from transactions.states import UNSETTLED, TxState


@dataclass(frozen=True, slots=True)
class Attempt:
    """A signed transaction, whose bytes are `raw` (0x hex). `cancels` is True for an empty transfer
    that uses the nonce in place of the request."""

    hash: str
    raw: str
    nonce: int
    fees: Fees
    cancels: bool = False


@dataclass(frozen=True, slots=True)
class TxRequest:
    """The contents, sender and chain (id and genesis) of a transaction. `at` is the time of
    submission in seconds since 1970. `owner` identifies the run of the program that submitted it.
    `key` is the caller's name for the transaction: only one transaction is sent per key."""

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
    """A transaction. While it is pending, the node can mine any of its attempts. `hash` is the hash
    of the mined attempt, or else of the newest attempt.

    `block` is the height of its block. For a dropped or retracted transaction, `block` is the
    head's height when the loss was noticed. `sent_at` is the head's height when the transaction was
    last sent.
    `ceiling` (in wei per unit of gas) limits fee bumps, and `stuck` is True when the fee has
    reached it. `is_done` is True when nothing can change any more."""

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
        """True if there is an outcome, such as mined, failed or refused. A reorg can still change
        some outcomes."""
        return self.state not in UNSETTLED

    @property
    def cancelling(self) -> bool:
        """True if one of its attempts is an empty transfer that cancels the request."""
        return any(one.cancels for one in self.attempts)

    @property
    def signed_nonce(self) -> int:
        """The nonce of a transaction that has been signed."""
        assert self.nonce is not None
        return self.nonce

    @property
    def last_attempt(self) -> Attempt:
        return self.attempts[-1]
