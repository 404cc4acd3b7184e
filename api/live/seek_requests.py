"""A client's messages about the search for an opponent. A seek is signed by its account (EIP-712), so that nobody
waits, or ends another's wait, in somebody else's name."""

from __future__ import annotations

import time
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from api.chain.typed_data import is_signed_by
from api.shapes.fields import Address

MAX_VALID_SECONDS = 3600
"""From now until the end of a signature's validity, at most."""
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
"""Contract accounts have signatures of other lengths, which nobody can check without the chain."""


class ClientMessage(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)


class SeekRequest(ClientMessage):
    """The account waits for an opponent in a game with so many seconds for a move. `asks`: it is asked first."""

    t: Literal["seek"]
    account: Address
    game: str
    clock: Annotated[int, Field(ge=0, lt=2**32)]
    until: Annotated[int, Field(ge=0, lt=2**48)]
    signature: Signature
    asks: bool = False

    def is_current(self) -> bool:
        """Whether the signature is valid now, and not for too long."""
        return 0 < self.until - time.time() <= MAX_VALID_SECONDS

    def is_signed(self, chain_id: int) -> bool:
        """Whether the account has signed it."""
        message = {"account": self.account, "game": self.game, "clock": self.clock, "until": self.until}
        return is_signed_by(self.account, chain_id, TYPES, message, self.signature)


class UnseekRequest(ClientMessage):
    """The player waits no more. `joined`: both are in the match that was opened for them."""

    t: Literal["unseek"]
    joined: bool = False


class AcceptRequest(ClientMessage):
    """The player who was asked plays."""

    t: Literal["accept"]


class OpenedRequest(ClientMessage):
    """The match that was opened for the pair."""

    t: Literal["opened"]
    match: str
