"""What a gateway and a sponsor exchange."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Sponsored:
    """What an address got: `sent` wei (0: it has enough, or its ether is on the way), by the transaction `tx` if there
    is one. `moves`: how many moves it can pay for at today's fees."""

    address: str
    sent: int
    tx: str | None
    moves: int


class SponsorRefused(Exception):
    """Why an address gets nothing: the key of a text of the page, `problem.<key>`, filled in with `arguments`; `wait`:
    seconds until it is worth another request, where that can be known."""

    def __init__(self, key: str, arguments: Mapping[str, str | int] | None = None, wait: int | None = None) -> None:
        super().__init__(key)
        self.key, self.arguments, self.wait = key, dict(arguments or {}), wait


@dataclass(frozen=True, slots=True)
class SponsorStatus:
    """Wei: what is `paid` (or reserved) of the `budget` of this day, and the account's `balance`, None while nobody
    knows it. `granted`, and `refused` by the key of the text, count since the start."""

    paid: int = 0
    budget: int = 0
    balance: int | None = None
    granted: int = 0
    refused: Mapping[str, int] = field(default_factory=dict)


class SponsorService(Protocol):
    """Where a gateway asks for ether."""

    async def give(self, address: str, network: str, game: str) -> Sponsored:
        """Gives a checksummed address what the next moves of a game cost; `network` is the network address that asks.
        Raises SponsorRefused."""

    def status(self) -> SponsorStatus | None:
        """None while no sponsor runs."""
