"""What a game maker hands in, so that the kit can play the game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias

from indexer.model import Json


@dataclass(frozen=True, slots=True)
class Move:
    """A call to the game's contract by one of the players (their number), `wei` sent with it. It may be refused."""

    player: int
    function: str
    arguments: tuple[Any, ...] = ()
    wei: int = 0


@dataclass(frozen=True, slots=True)
class MatchView:
    """A match as the next mover sees it: its number, and the contract's own `board(matchId)`, an object by the names of
    its struct: integers, checksummed addresses, bytes as 0x hex. `newest`: height and hash (0x hex) of the chain's last
    block then, by which chance may be known."""

    match: int
    board: Json
    newest: tuple[int, str] = (0, "")


Mover: TypeAlias = Callable[[Random, Sequence[str], MatchView | None], Move]
"""`(random, players' addresses, table) -> move`: drawn from `random` alone, and it may well be refused. No table: the
move opens a match."""


@dataclass(frozen=True, slots=True)
class Play:
    """A game in the kit's hands, by its slug. Its boards are compared by the game's own `from_contract` and
    `from_board`. `only_with_opponents`: it is played in stories with opponents alone. `every`: in the last of
    so many seeds."""

    game: str
    move: Mover
    only_with_opponents: bool = False
    every: int = 1

    def is_in(self, seed: int, opponents: bool) -> bool:
        """Whether it is played in this story."""
        return (seed + 1) % self.every == 0 and (opponents or not self.only_with_opponents)

    @property
    def is_in_all(self) -> bool:
        """Whether it is played in every story, and so on the chain that all begin with."""
        return self.every == 1 and not self.only_with_opponents
