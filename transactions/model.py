"""A transaction as the journal has it: the request, its signed attempts, its state."""

from __future__ import annotations

from dataclasses import dataclass

from transactions.fees import Fees
from transactions.states import UNSETTLED, TxState


@dataclass(frozen=True, slots=True)
class Attempt:
    """Signed bytes (0x hex). `cancels`: an empty transfer that takes the nonce, instead of the request."""

    hash: str
    raw: str
    nonce: int
    fees: Fees
    cancels: bool = False


@dataclass(frozen=True, slots=True)
class TxRequest:
    """What to send, from whom, on which chain (id and genesis). `at`: seconds since 1970; `owner`: the run of the
    program that asked; `key`: the caller's name for it, under which it is sent once."""

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
    """A transaction. Any of its attempts may yet be mined; `hash` is that of the mined one, else of the newest.

    `block` is the height of its block; for a dropped or retracted one, of the head when that was seen. `sent_at` is the
    height when it was last sent, `ceiling` (wei) what its fee is not bumped above. `stuck`: it is there. `is_done`:
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
        """Whether there is an outcome: mined, failed, refused and so on. A reorg may still change some of them."""
        return self.state not in UNSETTLED

    @property
    def cancelling(self) -> bool:
        """True when one of its attempts is an empty transaction that replaces it."""
        return any(one.cancels for one in self.attempts)

    @property
    def signed_nonce(self) -> int:
        """The nonce of a transaction that has been signed."""
        assert self.nonce is not None
        return self.nonce

    @property
    def last_attempt(self) -> Attempt:
        """The attempt that was signed last."""
        return self.attempts[-1]
