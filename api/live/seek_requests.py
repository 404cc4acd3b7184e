"""Client messages about the search for an opponent. The account signs its request (EIP-712), so
that nobody can start or end a search in another player's name."""

from __future__ import annotations

import time
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from api.chain.typed_data import is_signed_by
from api.shapes.fields import Address

MAX_VALID_SECONDS = 3600
"""The maximum time until a signature expires, in seconds from now."""
TYPES = {
    "Seek": [
        {"name": "account", "type": "address"},
        {"name": "game", "type": "string"},
        {"name": "clock", "type": "uint32"},
        {"name": "until", "type": "uint48"},
    ]
}
TYPE = "Seek({})".format(", ".join(f"{one['type']} {one['name']}" for one in TYPES["Seek"]))
Signature = Annotated[str, Field(pattern="^0x([0-9a-fA-F]{2})*$", max_length=8192)]
"""A signature in 0x hex. Signatures of contract accounts can have other lengths, but only the chain
can verify them."""


class ClientMessage(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)


class SeekRequest(ClientMessage):
    """A request to find an opponent for the account in a game with `clock` seconds per move. If
    `asks` is true, the player must accept an opponent before the match starts."""

    t: Literal["seek"]
    account: Address
    game: str
    clock: Annotated[int, Field(ge=0, lt=2**32)]
    until: Annotated[int, Field(ge=0, lt=2**48)]
    signature: Signature
    asks: bool = False

    def is_current(self) -> bool:
        """Return True if the signature has not expired, and if it expires within the maximum time
        from now."""
        return 0 < self.until - time.time() <= MAX_VALID_SECONDS

    def is_signed(self, chain_id: int) -> bool:
        """Return True if the account has signed the request."""
        message = {"account": self.account, "game": self.game, "clock": self.clock, "until": self.until}
        return is_signed_by(self.account, chain_id, TYPES, message, self.signature)


class UnseekRequest(ClientMessage):
    """A request to stop waiting. `joined` is True if both players are in the match that was opened
    for them."""

    t: Literal["unseek"]
    joined: bool = False


class AcceptRequest(ClientMessage):
    """A request to accept the proposed opponent."""

    t: Literal["accept"]


class OpenedRequest(ClientMessage):
    """A message that the client has opened this match for the pair."""

    t: Literal["opened"]
    match: str
