"""What a gateway knows of the service of opponents, and asks of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

Reason: TypeAlias = tuple[str, Mapping[str, str | int]]
"""A key of the page's texts below `problem.`, and what fills it in. Up to its first point it is a problem's code."""

AWAY: Reason = ("opponents-away", {})
"""The service does not run now."""


class RequestRefused(Exception):
    """An opponent does not take a seat, for a Reason."""

    def __init__(self, key: str, **arguments: str | int) -> None:
        super().__init__(f"{key} {arguments or ''}".rstrip())
        self.key, self.code, self.arguments = key, key.partition(".")[0], arguments

    @property
    def reason(self) -> Reason:
        return self.key, self.arguments


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
    `limit`; `spent`: wei since it began; `why`: a reason, when none of them takes a new match now."""

    matches: int = 0
    limit: int = 0
    spent: int = 0
    why: Reason | None = None


class OpponentService(Protocol):
    """Where a gateway finds opponents."""

    def opponents(self) -> Sequence[HouseOpponent]:
        """All of them, by game in the registry's order, the weakest first; empty while the service is away."""

    def status(self) -> ServiceStatus: ...

    async def arrived(self) -> bool:
        """Waits some seconds for a service that starts; returns whether it is there."""

    async def request(self, match: str, name: str) -> str:
        """Asks for an opponent to take a free seat of a match that is open; returns its account as soon as its
        transaction has been sent. Raises RequestRefused."""
