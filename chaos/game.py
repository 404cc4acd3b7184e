"""The interface through which the chaos kit plays a game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias

from indexer.model import Json


@dataclass(frozen=True, slots=True)
class Move:
    """A call to the game's contract, which the contract can reject.

    `player` is the index of the calling player, and `wei` is the ether to send with the call."""

    player: int
    function: str
    arguments: tuple[Any, ...] = ()
    wei: int = 0


@dataclass(frozen=True, slots=True)
class MatchView:
    """A match as the next player to move sees it.

    - `match`: the number of the match.
    - `board`: the result of the contract's `board(matchId)`, as an object with the struct's names.
      It contains integers, checksummed addresses, and bytes as 0x hex.
    - `newest`: the height and the hash (0x hex) of the newest block, which can reveal random
      draws."""

    match: int
    board: Json
    newest: tuple[int, str] = (0, "")


Mover: TypeAlias = Callable[[Random, Sequence[str], MatchView | None], Move]
"""A function `(random, players' addresses, table) -> move`. All its random choices come from
`random`. The contract may reject the move. If `table` is None, the move opens a match."""


@dataclass(frozen=True, slots=True)
class Play:
    """A game that the chaos kit plays.

    - `game`: the game's slug. The game's `from_contract` and `from_board` convert boards to a
      common format, so that they can be compared.
    - `only_with_opponents`: True to play the game only in scenarios with computer players.
    - `every`: with the value n, only every n-th seed plays the game."""

    game: str
    move: Mover
    only_with_opponents: bool = False
    every: int = 1

    def is_in(self, seed: int, opponents: bool) -> bool:
        """Return True if the scenario with this seed plays the game. `opponents` is True if
        computer players take part."""
        return (seed + 1) % self.every == 0 and (opponents or not self.only_with_opponents)

    @property
    def is_in_all(self) -> bool:
        """True if every scenario plays the game. The recorded chain has only these games'
        matches."""
        return self.every == 1 and not self.only_with_opponents
