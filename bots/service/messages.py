"""The messages between a gateway and the service of computer players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

Reason: TypeAlias = tuple[str, Mapping[str, str | int]]
"""The key of a text on the page, without the prefix `problem.`, and the text's arguments. The part
of the key before the first dot is a problem's code."""

AWAY: Reason = ("opponents-away", {})
"""The reason to reject requests while the service is not running."""


class RequestRejected(Exception):
    """A computer player can't take a seat. `reason` says why."""

    def __init__(self, key: str, **arguments: str | int) -> None:
        super().__init__(f"{key} {arguments or ''}".rstrip())
        self.key, self.code, self.arguments = key, key.partition(".")[0], arguments

    @property
    def reason(self) -> Reason:
        return self.key, self.arguments


@dataclass(frozen=True, slots=True)
class ComputerPlayer:
    """A computer player with one strength in a game. Its accounts are checksummed. The weakest
    computer player has `strength` 1."""

    game: str
    name: str
    strength: int
    accounts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ServiceStatus:
    """The state of the service. `matches` is the number of its matches that have changed recently.
    At the `limit`, the service accepts no more matches. `spent` is the wei spent since the service
    started. If the service accepts no new matches at the moment, `why` is the reason."""

    matches: int = 0
    limit: int = 0
    spent: int = 0
    why: Reason | None = None


class OpponentService(Protocol):
    """A gateway's access to computer players."""

    def opponents(self) -> Sequence[ComputerPlayer]:
        """Return all computer players, by game in the registry's order and weakest first. The list
        is empty while the service is away."""

    def status(self) -> ServiceStatus: ...

    async def wait_until_ready(self) -> bool:
        """Wait a few seconds if the service is starting. Return True if it is ready."""

    async def request(self, match: str, name: str) -> str:
        """Ask a computer player to take a free seat in an open match. Return the account that takes
        the seat, once its transaction has been sent. Raises RequestRejected."""
