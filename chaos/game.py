"""The interface between a game and the chaos kit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias

from indexer.model import Json


@dataclass(frozen=True, slots=True)
class Move:
    """A call to the game's contract, which the contract can reject.

    `player` is the player's index, and `wei` is the amount to send."""

    player: int
    function: str
    arguments: tuple[Any, ...] = ()
    wei: int = 0


@dataclass(frozen=True, slots=True)
class MatchView:
    """A match as the next mover sees it.

    - `match`: the number of the match.
    - `board`: the result of the contract's `board(matchId)`, an object with the struct's names. It
      contains integers, checksummed addresses, and bytes as 0x hex.
    - `newest`: the height and the hash (0x hex) of the chain's head, which can reveal random
      draws."""

    match: int
    board: Json
    newest: tuple[int, str] = (0, "")


Mover: TypeAlias = Callable[[Random, Sequence[str], MatchView | None], Move]
"""`(random, players' addresses, table) -> move`. It may use no randomness except `random`. The
contract can reject the move. If `table` is None, the move opens a match."""


@dataclass(frozen=True, slots=True)
class Play:
    """A game for the chaos kit.

    - `game`: the game's slug. Its `from_contract` and `from_board` make the boards comparable.
    - `only_with_opponents`: True to play the game only in scenarios with opponents.
    - `every`: the game is played only in the last of every `every` seeds."""

    game: str
    move: Mover
    only_with_opponents: bool = False
    every: int = 1

    def is_in(self, seed: int, opponents: bool) -> bool:
        """Return True if this scenario plays the game."""
        return (seed + 1) % self.every == 0 and (opponents or not self.only_with_opponents)

    @property
    def is_in_all(self) -> bool:
        """True if every scenario plays the game. The recorded chain contains only such games."""
        return self.every == 1 and not self.only_with_opponents
