"""Nicknames, each with a signature by which its account has chosen it."""

from typing import Annotated

from typing_extensions import TypedDict

from api.shapes.fields import ALICE, TIME, Address, Shape, about
from indexer.store.shared.nicknames import Nickname

EXAMPLE_SIGNATURE = "0x" + "5f" * 64 + "1b"
NicknameText = Annotated[
    str, about("3 to 20 characters in one script; empty if the nickname is removed", "Ann of Aran")
]
Issued = Annotated[int, about("when the nickname was signed, in seconds since 1970", TIME)]
NicknameSignature = Annotated[
    str,
    about(
        "the account's signature of `Nickname(address account,string name,uint48 issued)` (EIP-712)", EXAMPLE_SIGNATURE
    ),
]


class NicknameShape(Shape):
    """A nickname with its account's signature, which anyone can check."""

    account: Address
    name: NicknameText
    issued: Issued
    signature: NicknameSignature


class NicknamesShape(Shape):
    """The nicknames of some accounts."""

    nicknames: Annotated[list[NicknameShape], about("the nicknames by account, without accounts that have none")]


class NicknameRequest(TypedDict):
    """A request to set an account's nickname."""

    account: Address
    name: NicknameText
    issued: Issued
    signature: NicknameSignature


NICKNAME_EXAMPLE: NicknameRequest = {
    "account": ALICE,
    "name": "Ann of Aran",
    "issued": TIME,
    "signature": EXAMPLE_SIGNATURE,
}


def nickname(found: Nickname) -> NicknameShape:
    return {"account": found.account, "name": found.name, "issued": found.issued, "signature": found.signature}
