"""The messages between a gateway and the service that runs the computer players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

Reason: TypeAlias = tuple[str, Mapping[str, str | int]]
"""The key of a text on the page, without the prefix `problem.`, and the text's arguments. The part
of the key before the first dot is the problem's code."""

AWAY: Reason = ("opponents-away", {})
"""The reason for rejecting requests while the service isn't running."""


class RequestRejected(Exception):
    """A computer player can't take a seat. `reason` contains the text that explains why."""

    def __init__(self, key: str, **arguments: str | int) -> None:
        super().__init__(f"{key} {arguments or ''}".rstrip())
        self.key, self.code, self.arguments = key, key.partition(".")[0], arguments

    @property
    def reason(self) -> Reason:
        return self.key, self.arguments


@dataclass(frozen=True, slots=True)
class ComputerPlayer:
    """A computer player of one strength in one game. `accounts` contains its checksummed addresses.
    The weakest computer player of a game has `strength` 1."""

    game: str
    name: str
    strength: int
    accounts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ServiceStatus:
    """The state of the service. `matches` is the number of its matches that have changed recently.
    If `matches` reaches the `limit`, the service accepts no more matches. `spent` is the amount
    spent since the service started, in wei. `why` is the reason if the service accepts no new
    matches now."""

    matches: int = 0
    limit: int = 0
    spent: int = 0
    why: Reason | None = None


class OpponentService(Protocol):
    """The service through which a gateway requests computer players for matches."""

    def opponents(self) -> Sequence[ComputerPlayer]:
        """Return all computer players. The games are in the registry's order, and each game's
        weakest player comes first. While the service isn't running, the list is empty."""

    def status(self) -> ServiceStatus: ...

    async def wait_until_ready(self) -> bool:
        """Wait a few seconds if the service is starting. Return True if the service is ready."""

    async def request(self, match: str, name: str) -> str:
        """Ask a computer player to take a free seat in an open match. Wait until its transaction
        has been sent, and return the player's account. Raises RequestRejected."""
