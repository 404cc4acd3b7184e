"""The states that a transaction can have, and the transitions between them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

TxState: TypeAlias = Literal[
    "waiting",
    "simulated",
    "signed",
    "sent",
    "mined",
    "failed",
    "dropped",
    "retracted",
    "refused",
    "replaced",
    "cancelled",
    "final",
]

TRANSITIONS: Mapping[TxState, tuple[TxState, ...]] = {
    "waiting": ("simulated", "refused"),
    "simulated": ("signed", "sent", "refused"),
    "signed": ("sent", "mined", "failed", "simulated", "refused", "replaced"),
    "sent": ("mined", "failed", "replaced", "dropped", "cancelled"),
    "mined": ("final", "failed", "sent", "retracted"),
    "failed": ("mined", "sent", "retracted"),
    "dropped": ("sent", "mined", "failed"),
    "retracted": ("sent", "mined", "failed"),
    "refused": (),
    "replaced": (),
    "cancelled": ("sent", "mined", "failed"),
    "final": (),
}
"""The states that can follow each state:

- `waiting`: the transaction is queued behind an earlier transaction of its account. This is the
  first state.
- `simulated`: according to a simulation, it would succeed now.
- `signed`: it is signed and stored in the journal. The node might already have it.
- `sent`: the node has it.
- `mined`, `failed`: it is in a block, and succeeded or reverted. The state is permanent once the
  block is final.
- `dropped`: the node no longer has it.
- `retracted`: a reorg removed its block, and the node doesn't have it.
- `refused`: it was never sent or was rejected, so it used no nonce and cost nothing.
- `replaced`: another program's transaction has used its nonce.
- `cancelled`: our own empty transfer has used its nonce. The state is permanent once that transfer
  is final.
- `final`: it is mined in a final block."""

QUEUED: tuple[TxState, ...] = ("waiting", "simulated", "signed")
TRACKED: tuple[TxState, ...] = ("sent", "mined", "failed", "dropped", "retracted", "cancelled")
UNSETTLED: tuple[TxState, ...] = (*QUEUED, "sent")


class InvalidTransition(Exception):
    """A change of state that TRANSITIONS doesn't allow. This is a bug in the program."""

    def __init__(self, before: TxState, after: TxState) -> None:
        super().__init__(f"a transaction that is {before} can't become {after}")


def check_transition(before: TxState, after: TxState) -> None:
    """Raise InvalidTransition if the state `after` can't follow the state `before`."""
    if after not in TRANSITIONS[before]:
        raise InvalidTransition(before, after)
