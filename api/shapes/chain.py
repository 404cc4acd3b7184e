"""Requests that need the chain's node, the answers to them, and problem documents."""

from typing import Annotated, Any, Literal, NotRequired

from pydantic import ConfigDict, with_config
from typing_extensions import TypedDict

from api.shapes.fields import ADDRESS, ALICE, HASH, Address, Shape, Slug, about, example_hash


class ProblemShape(TypedDict):
    """A problem document (RFC 9457), which answers every failed request. Its other members contain
    the values that the sentence mentions."""

    type: Annotated[str, about("always about:blank; use `code` to distinguish cases", "about:blank")]
    title: Annotated[str, about("the standard phrase for the status, such as Not Found", "Not Found")]
    status: Annotated[int, about("the HTTP status", 404)]
    detail: Annotated[
        str, about("a sentence that says what was wrong and what is allowed", "There is no match chess/99.")
    ]
    code: Annotated[str, about("a stable name for this kind of problem, which programs can test", "unknown-match")]
    key: Annotated[
        str,
        about(
            "a stable key for translating the sentence: the `code`, sometimes followed by a suffix",
            "unknown-match",
        ),
    ]
    args: Annotated[
        dict[str, str | int],
        about("the values to insert into the translated sentence; `why` is always in English", {"match": "chess/99"}),
    ]


class FaucetShape(Shape):
    """The result of a faucet request."""

    address: Address
    sent: Annotated[str, about("the amount in wei, as a decimal; 0 if the balance is enough", str(10**18))]
    tx: NotRequired[
        Annotated[str, about("the hash of the transfer; if absent, nothing was sent", example_hash("e1"), pattern=HASH)]
    ]


class SponsoredShape(Shape):
    """The result of a request to the sponsor."""

    address: Address
    sent: Annotated[
        str,
        about("the amount in wei, as a decimal; 0 if the balance is enough or ether is already pending", str(10**15)),
    ]
    moves: Annotated[int, about("how many moves in this game the account can pay for at current fees", 12)]
    tx: NotRequired[
        Annotated[str, about("the hash of the transfer; if absent, nothing was sent", example_hash("e1"), pattern=HASH)]
    ]


class FaucetRequest(TypedDict):
    """A request to the faucet for ether."""

    address: Annotated[
        str,
        about(
            "20 bytes as 0x hex, with a correct checksum if in mixed case (EIP-55)",
            ALICE,
            pattern=ADDRESS,
            json_schema_extra={"format": "address"},
        ),
    ]


class SponsorRequest(FaucetRequest):
    """A request to the sponsor for the cost of a game's next moves."""

    game: Slug


class RpcErrorShape(TypedDict):
    """The error of a JSON-RPC call."""

    code: Annotated[
        int, about("a negative number; -32601 if the method does not exist or is not available here", -32601)
    ]
    message: Annotated[
        str, about("a sentence for people", "The method 'eth_mine' does not exist or is not available here.")
    ]
    data: NotRequired[Annotated[Any, about("further data, such as a contract's revert data")]]


@with_config(ConfigDict(json_schema_extra={"examples": [{"jsonrpc": "2.0", "id": 1, "result": "0x78"}]}))
class RpcAnswerShape(TypedDict):
    """The answer to one JSON-RPC 2.0 request. It has either `result` or `error`."""

    jsonrpc: Annotated[Literal["2.0"], about("always 2.0", "2.0")]
    id: Annotated[str | int | float | None, about("the request's id, or null if it could not be read", 1)]
    result: NotRequired[Annotated[Any, about("the method's result", "0x78")]]
    error: NotRequired[Annotated[RpcErrorShape, about("the error; absent if there is a result")]]


@with_config(ConfigDict(extra="allow"))
class RpcRequestShape(TypedDict):
    """One JSON-RPC 2.0 request. A request without an id is executed but not answered."""

    jsonrpc: Annotated[Literal["2.0"], about("always 2.0", "2.0")]
    id: NotRequired[Annotated[str | int | None, about("an id that the answer repeats", 1)]]
    method: Annotated[
        str, about("a method such as eth_blockNumber, eth_call or eth_sendRawTransaction", "eth_blockNumber")
    ]
    params: NotRequired[Annotated[list[Any], about("the method's parameters in order", [])]]
