"""Nicknames, each with the signature by which its account chose it."""

from typing import Annotated

from typing_extensions import TypedDict

from api.shapes.fields import ALICE, TIME, Address, Shape, about
from indexer.store.shared.nicknames import Nickname

EXAMPLE_SIGNATURE = "0x" + "5f" * 64 + "1b"
NicknameText = Annotated[
    str,
    about("the nickname: 3 to 20 characters in one script, or an empty string to remove the nickname", "Ann of Aran"),
]
Issued = Annotated[int, about("the time when the account signed the nickname, in seconds since 1970", TIME)]
NicknameSignature = Annotated[
    str,
    about(
        "the account's signature (EIP-712) of `Nickname(address account,string name,uint48 issued)`, as 0x hex",
        EXAMPLE_SIGNATURE,
    ),
]


class NicknameShape(Shape):
    """A nickname with its account's signature, which anyone can check."""

    account: Annotated[Address, about("the account to which the nickname belongs, checksummed (EIP-55)")]
    name: NicknameText
    issued: Issued
    signature: NicknameSignature


class NicknamesShape(Shape):
    """The nicknames of some accounts."""

    nicknames: Annotated[
        list[NicknameShape], about("the nicknames that were found; accounts without a nickname are left out")
    ]


class NicknameRequest(TypedDict):
    """A request to set an account's nickname."""

    account: Annotated[Address, about("the account to which the nickname belongs, checksummed (EIP-55)")]
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
