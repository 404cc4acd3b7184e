"""What goes on to the chain's node, and problem documents."""

from typing import Annotated, Any, Literal, NotRequired

from pydantic import ConfigDict, with_config
from typing_extensions import TypedDict

from api.shapes.fields import ADDRESS, ALICE, HASH, Address, Shape, Slug, about, example_hash


class ProblemShape(TypedDict):
    """A problem document (RFC 9457): what every answer is that is not what was asked for. More members carry the values
    behind the sentence."""

    type: Annotated[str, about("always about:blank: `code` tells cases apart", "about:blank")]
    title: Annotated[str, about("the phrase of the status", "Not Found")]
    status: Annotated[int, about("the HTTP status, once more", 404)]
    detail: Annotated[str, about("a sentence: what was wrong, and what is allowed", "There is no match chess/99.")]
    code: Annotated[str, about("which case it is, for programs; stable", "unknown-match")]
    key: Annotated[
        str, about("which sentence it is, for translations: `code`, or that and more; stable", "unknown-match")
    ]
    args: Annotated[
        dict[str, str | int], about("what fills in the sentence; `why` is always in English", {"match": "chess/99"})
    ]


class FaucetShape(Shape):
    """What the faucet did."""

    address: Address
    sent: Annotated[str, about("wei, decimal; 0 when the balance is enough", str(10**18))]
    tx: NotRequired[
        Annotated[str, about("hash of the transfer; absent: nothing was sent", example_hash("e1"), pattern=HASH)]
    ]


class SponsoredShape(Shape):
    """What the sponsor gave."""

    address: Address
    sent: Annotated[str, about("wei, decimal; 0 when the balance is enough, or ether is on its way", str(10**15))]
    moves: Annotated[int, about("how many moves of the game it pays for at today's fees", 12)]
    tx: NotRequired[
        Annotated[str, about("hash of the transfer; absent: nothing was sent", example_hash("e1"), pattern=HASH)]
    ]


class FaucetRequest(TypedDict):
    """Who is to get some ether."""

    address: Annotated[
        str,
        about(
            "20 bytes as 0x hex, with a right checksum if of mixed case (EIP-55)",
            ALICE,
            pattern=ADDRESS,
            json_schema_extra={"format": "address"},
        ),
    ]


class SponsorRequest(FaucetRequest):
    """Who is to get what the next moves cost, and of which game."""

    game: Slug


class RpcErrorShape(TypedDict):
    """Why a call of JSON-RPC has no result."""

    code: Annotated[int, about("negative; -32601: the method does not exist or is not available here", -32601)]
    message: Annotated[str, about("a sentence", "The method 'eth_mine' does not exist or is not available here.")]
    data: NotRequired[Annotated[Any, about("a contract's revert data, for instance")]]


@with_config(ConfigDict(json_schema_extra={"examples": [{"jsonrpc": "2.0", "id": 1, "result": "0x78"}]}))
class RpcAnswerShape(TypedDict):
    """The answer to one request of JSON-RPC 2.0: either `result` or `error` is there."""

    jsonrpc: Annotated[Literal["2.0"], about("always 2.0", "2.0")]
    id: Annotated[str | int | float | None, about("as it was in the request; null where that could not be read", 1)]
    result: NotRequired[Annotated[Any, about("what the method gives", "0x78")]]
    error: NotRequired[Annotated[RpcErrorShape, about("why there is no result")]]


@with_config(ConfigDict(extra="allow"))
class RpcRequestShape(TypedDict):
    """One request of JSON-RPC 2.0. Without an id it is done, and not answered."""

    jsonrpc: Annotated[Literal["2.0"], about("always 2.0", "2.0")]
    id: NotRequired[Annotated[str | int | None, about("comes back with the answer", 1)]]
    method: Annotated[str, about("eth_blockNumber, eth_call, eth_sendRawTransaction, …", "eth_blockNumber")]
    params: NotRequired[Annotated[list[Any], about("the method's parameters, by their places", [])]]
