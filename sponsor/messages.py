"""Messages between a gateway and a sponsor."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Sponsored:
    """The result of a request: `sent` wei, in the transaction `tx` if there is one. `sent` is 0 if
    the address has enough ether, or if its ether is already pending. `moves` is the number of moves
    that it can pay for at today's fees."""

    address: str
    sent: int
    tx: str | None
    moves: int


class SponsorRejected(Exception):
    """The reason why an address gets no ether: the key of the page's text `problem.<key>`, and the
    text's `arguments`. `wait` is the number of seconds after which a retry is worthwhile, if
    known."""

    def __init__(self, key: str, arguments: Mapping[str, str | int] | None = None, wait: int | None = None) -> None:
        super().__init__(key)
        self.key, self.arguments, self.wait = key, dict(arguments or {}), wait


@dataclass(frozen=True, slots=True)
class SponsorStatus:
    """The sponsor's status. `paid` (or reserved) wei of the day's `budget`, and the account's
    `balance` in wei, or None while it is unknown. `granted` and `refused` (by the text's key) count
    since the start."""

    paid: int = 0
    budget: int = 0
    balance: int | None = None
    granted: int = 0
    refused: Mapping[str, int] = field(default_factory=dict)


class SponsorService(Protocol):
    """The service that a gateway asks for ether."""

    async def grant(self, address: str, network: str, game: str) -> Sponsored:
        """Send the cost of a game's next moves to a checksummed address. `network` is the network
        address of the request. Raises SponsorRejected."""

    def status(self) -> SponsorStatus | None:
        """Return the status, or None while no sponsor is running."""
