"""What a gateway knows of the service of opponents, and asks of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

RefusalCode: TypeAlias = Literal[
    "unknown-opponent", "no-opponents", "opponents-busy", "opponents-away", "opponents-broke", "seat-refused"
]


class RequestRefused(Exception):
    """An opponent does not take a seat. `detail`: a sentence for who asked."""

    def __init__(self, code: RefusalCode, detail: str) -> None:
        super().__init__(detail)
        self.code, self.detail = code, detail


@dataclass(frozen=True, slots=True)
class HouseOpponent:
    """One strength of a game, with its accounts (checksummed). `strength` counts from 1, the weakest."""

    game: str
    name: str
    strength: int
    accounts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ServiceStatus:
    """How the service is. `matches`: those that changed lately and that it plays in, of which it takes no more at the
    `limit`; `spent`: wei since it began; `why`: a sentence, when none of them takes a new match now."""

    matches: int = 0
    limit: int = 0
    spent: int = 0
    why: str = ""


class OpponentService(Protocol):
    """Where a gateway finds opponents."""

    def opponents(self) -> Sequence[HouseOpponent]:
        """All of them, by game in the registry's order, the weakest first; empty while the service is away."""

    def status(self) -> ServiceStatus: ...

    async def request(self, match: str, name: str) -> str:
        """Asks for an opponent to take a free seat of a match that is open; returns its account as soon as its
        transaction has been sent. Raises RequestRefused."""
