"""An opponent of a game: strengths by name, and a pure function from the public board to a move."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeAlias

from indexer.model import Json


@dataclass(frozen=True, slots=True)
class Move:
    """A call of the contract. `arguments` by the names of the ABI, without `matchId`; what an account keeps secret (an
    answer, a commitment) is filled in by who sends it."""

    action: str
    arguments: Mapping[str, Any] = field(default_factory=dict)


Choose: TypeAlias = Callable[[Json, int, str, Random], Move | None]
"""`(board, seat, strength, random) -> move`: reads the public board only, and says None when it has nothing to do."""


@dataclass(frozen=True, slots=True)
class Opponents:
    """The opponents of one game. `strengths`: names, the weakest first."""

    strengths: tuple[str, ...]
    choose: Choose
