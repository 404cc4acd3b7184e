"""The interface of a game to the chaos kit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias

from indexer.model import Json


@dataclass(frozen=True, slots=True)
class Move:
    """A call to the game's contract. The contract may reject it.

    `player` is the index of the player, `wei` the amount to send."""

    player: int
    function: str
    arguments: tuple[Any, ...] = ()
    wei: int = 0


@dataclass(frozen=True, slots=True)
class MatchView:
    """A match as the next mover sees it.

    - `match`: its number.
    - `board`: the contract's `board(matchId)` as an object with the struct's names: integers,
      checksummed addresses, bytes as 0x hex.
    - `newest`: height and hash (0x hex) of the chain's head, which may reveal random draws."""

    match: int
    board: Json
    newest: tuple[int, str] = (0, "")


Mover: TypeAlias = Callable[[Random, Sequence[str], MatchView | None], Move]
"""`(random, players' addresses, table) -> move`. It may draw only from `random`.
The contract may reject the move. If `table` is None, the move opens a match."""


@dataclass(frozen=True, slots=True)
class Play:
    """A game for the chaos kit.

    - `game`: its slug. The game's `from_contract` and `from_board` compare the boards.
    - `only_with_opponents`: play it only in scenarios with opponents.
    - `every`: play it only in the last of every `every` seeds."""

    game: str
    move: Mover
    only_with_opponents: bool = False
    every: int = 1

    def is_in(self, seed: int, opponents: bool) -> bool:
        """True if this scenario plays the game."""
        return (seed + 1) % self.every == 0 and (opponents or not self.only_with_opponents)

    @property
    def is_in_all(self) -> bool:
        """True if every scenario plays the game. Then it is also on the recorded chain."""
        return self.every == 1 and not self.only_with_opponents
