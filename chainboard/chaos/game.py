"""What a game maker hands in, so that the kit can play the game and compare its boards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias

Json: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Move:
    """A call to the game's contract by one of the players (their number), `wei` sent with it. It may be refused."""

    player: int
    function: str
    arguments: tuple[Any, ...] = ()
    wei: int = 0


@dataclass(frozen=True, slots=True)
class Table:
    """A match as who moves next sees it: its number, and the contract's own `board(matchId)`, a named tuple of which
    structs are named tuples and addresses checksummed. None: there is no match, the move opens one."""

    match: int
    board: Any


Mover: TypeAlias = Callable[[Random, Sequence[str], Table | None], Move]
"""`(random, players' addresses, table) -> move`: a move that may well be refused, drawn from `random` alone."""


@dataclass(frozen=True, slots=True)
class Play:
    """A game in the kit's hands. `chain` turns the contract's view, `board` a folded board with its seq, into the same
    shape: what both tell, for comparison."""

    game: str
    move: Mover
    chain: Callable[[Any], Json]
    board: Callable[[Json, int], Json]
