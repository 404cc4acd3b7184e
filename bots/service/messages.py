"""The messages between a gateway and the service of computer players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

Reason: TypeAlias = tuple[str, Mapping[str, str | int]]
"""A key of the page's texts below `problem.`, and its arguments. The part before the first point is
a problem's code."""

AWAY: Reason = ("opponents-away", {})
"""The service is not running."""


class RequestRejected(Exception):
    """A computer player can't take a seat, for a Reason."""

    def __init__(self, key: str, **arguments: str | int) -> None:
        super().__init__(f"{key} {arguments or ''}".rstrip())
        self.key, self.code, self.arguments = key, key.partition(".")[0], arguments

    @property
    def reason(self) -> Reason:
        return self.key, self.arguments


@dataclass(frozen=True, slots=True)
class ComputerPlayer:
    """One strength of a game, with its accounts (checksummed). `strength` counts from 1, the
    weakest."""

    game: str
    name: str
    strength: int
    accounts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ServiceStatus:
    """The state of the service. `matches`: the number of its matches that changed recently; at the
    `limit`, it accepts no more. `spent`: wei spent since it started; `why`: the reason if it
    accepts no new matches at the moment."""

    matches: int = 0
    limit: int = 0
    spent: int = 0
    why: Reason | None = None


class OpponentService(Protocol):
    """A gateway's access to computer players."""

    def opponents(self) -> Sequence[ComputerPlayer]:
        """All computer players, by game in the registry's order and the weakest first; empty while
        the service is away."""

    def status(self) -> ServiceStatus: ...

    async def wait_until_ready(self) -> bool:
        """Wait a few seconds for a starting service; return True if it is ready."""

    async def request(self, match: str, name: str) -> str:
        """Ask for a computer player to take a free seat of an open match. Return its account once
        its transaction is sent. Raises RequestRejected."""
