"""The messages between a gateway and a sponsor."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Sponsored:
    """The result of a request for ether. `sent` wei are sent in the transaction `tx`. `sent` is 0
    if the address has enough ether or an earlier transfer is pending. `moves` is the number of
    moves that the address can pay for at today's fees."""

    address: str
    sent: int
    tx: str | None
    moves: int


class SponsorRejected(Exception):
    """The sponsor rejects a request for ether. The page explains the reason with the text
    `problem.<key>` and these `arguments`. `wait` is the number of seconds after which a retry can
    succeed, or None if that is unknown."""

    def __init__(self, key: str, arguments: Mapping[str, str | int] | None = None, wait: int | None = None) -> None:
        super().__init__(key)
        self.key, self.arguments, self.wait = key, dict(arguments or {}), wait


@dataclass(frozen=True, slots=True)
class SponsorStatus:
    """The sponsor's status. `paid` is the amount that has been paid or reserved from the day's
    `budget`, in wei. `balance` is the account's balance in wei, or None while it is unknown.
    `granted` is the number of requests that the sponsor has granted since it started. `refused`
    maps each reason's text key to the number of requests rejected for this reason."""

    paid: int = 0
    budget: int = 0
    balance: int | None = None
    granted: int = 0
    refused: Mapping[str, int] = field(default_factory=dict)


class SponsorService(Protocol):
    """The service from which gateways request ether for players."""

    async def grant(self, address: str, network: str, game: str) -> Sponsored:
        """Send ether to a player's checksummed address, enough for the next moves in a game.
        `network` is the network address from which the request came. Raises SponsorRejected."""

    def status(self) -> SponsorStatus | None:
        """Return the sponsor's status, or None while no sponsor is running."""
