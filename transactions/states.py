"""States of a transaction, and the transitions between them."""

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
"""Transitions between the states:

- `waiting`: queued behind an earlier transaction of its account; the first state.
- `simulated`: it would succeed now.
- `signed`: stored in the journal; the node may have it.
- `sent`: the node has it.
- `mined`, `failed`: in a block; for good once the block is final.
- `dropped`: the node no longer knows it.
- `retracted`: its block is gone, and the node does not have it.
- `refused`: no nonce used, nothing spent.
- `replaced`: another program's transaction has used its nonce.
- `cancelled`: our own empty transfer has used its nonce; for good once that is final.
- `final`: mined in a final block."""

QUEUED: tuple[TxState, ...] = ("waiting", "simulated", "signed")
TRACKED: tuple[TxState, ...] = ("sent", "mined", "failed", "dropped", "retracted", "cancelled")
UNSETTLED: tuple[TxState, ...] = (*QUEUED, "sent")


class InvalidTransition(Exception):
    """A transition that is not in the table. This is a bug in the program."""

    def __init__(self, before: TxState, after: TxState) -> None:
        super().__init__(f"a transaction that is {before} can't become {after}")


def check_transition(before: TxState, after: TxState) -> None:
    """Raises InvalidTransition if `after` can't follow `before`."""
    if after not in TRANSITIONS[before]:
        raise InvalidTransition(before, after)
