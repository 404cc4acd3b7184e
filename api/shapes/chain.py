"""Requests to the chain's node, the faucet and the sponsor, their responses, and problem
documents."""

from typing import Annotated, Any, Literal, NotRequired

from pydantic import ConfigDict, with_config
from typing_extensions import TypedDict

from api.shapes.fields import ADDRESS, ALICE, HASH, Address, Shape, Slug, about, example_hash


class ProblemShape(TypedDict):
    """The response to a failed request: a problem document (RFC 9457). Some problems have further
    members, whose values also occur in `detail`."""

    type: Annotated[str, about("always `about:blank`; use `code` to distinguish problems", "about:blank")]
    title: Annotated[str, about("the standard phrase for the HTTP status, such as Not Found", "Not Found")]
    status: Annotated[int, about("the response's HTTP status", 404)]
    detail: Annotated[str, about("an explanation of the problem in English, for people", "There is no match chess/99.")]
    code: Annotated[str, about("a stable name for this kind of problem, for programs", "unknown-match")]
    key: Annotated[
        str,
        about(
            "a stable key for translating `detail`: the `code`, sometimes followed by a dot and a suffix",
            "unknown-match",
        ),
    ]
    args: Annotated[
        dict[str, str | int],
        about(
            "the value of each named placeholder in a translation of `detail`; the value of `why` is always in English",
            {"match": "chess/99"},
        ),
    ]


class FaucetShape(Shape):
    """The result of a faucet request."""

    address: Annotated[Address, about("the account that gets the ether, checksummed (EIP-55)")]
    sent: Annotated[
        str,
        about("the amount of the transfer in wei, as a decimal string; 0 if the account has enough ether", str(10**18)),
    ]
    tx: NotRequired[
        Annotated[
            str,
            about(
                "the hash of the transfer's transaction; absent if nothing was sent", example_hash("e1"), pattern=HASH
            ),
        ]
    ]


class SponsoredShape(Shape):
    """The result of a request to the sponsor."""

    address: Annotated[Address, about("the account that gets the ether, checksummed (EIP-55)")]
    sent: Annotated[
        str,
        about(
            "the amount of the new transfer in wei, as a decimal string; 0 if an earlier transfer is "
            "pending or the account has enough ether",
            str(10**15),
        ),
    ]
    moves: Annotated[int, about("the number of moves in this game that the account can pay for at current fees", 12)]
    tx: NotRequired[
        Annotated[
            str,
            about(
                "the hash of the new or pending transfer's transaction; absent if the account has enough ether",
                example_hash("e1"),
                pattern=HASH,
            ),
        ]
    ]


class FaucetRequest(TypedDict):
    """A request to the faucet for ether."""

    address: Annotated[
        str,
        about(
            "the account that needs ether: 20 bytes as 0x hex; letters in mixed case need a correct checksum (EIP-55)",
            ALICE,
            pattern=ADDRESS,
            json_schema_extra={"format": "address"},
        ),
    ]


class SponsorRequest(FaucetRequest):
    """A request to the sponsor for the cost of a game's next moves."""

    game: Annotated[Slug, about("the slug of the game whose next moves the account wants to pay for")]


class RpcErrorShape(TypedDict):
    """The error of a JSON-RPC call."""

    code: Annotated[
        int, about("the JSON-RPC error code; -32601 if the method does not exist or is not available here", -32601)
    ]
    message: Annotated[
        str,
        about(
            "an explanation of the error in English", "The method 'eth_mine' does not exist or is not available here."
        ),
    ]
    data: NotRequired[
        Annotated[Any, about("further data about the error, such as a contract's revert data; often absent")]
    ]


@with_config(ConfigDict(json_schema_extra={"examples": [{"jsonrpc": "2.0", "id": 1, "result": "0x78"}]}))
class RpcAnswerShape(TypedDict):
    """The answer to one JSON-RPC 2.0 request. It has either `result` or `error`."""

    jsonrpc: Annotated[Literal["2.0"], about("the version of JSON-RPC, always 2.0", "2.0")]
    id: Annotated[str | int | float | None, about("the request's id, or null if the id could not be read", 1)]
    result: NotRequired[Annotated[Any, about("the method's result; absent if there is an error", "0x78")]]
    error: NotRequired[Annotated[RpcErrorShape, about("the error; absent if there is a result")]]


@with_config(ConfigDict(extra="allow"))
class RpcRequestShape(TypedDict):
    """One JSON-RPC 2.0 request. A request without an id is executed but not answered."""

    jsonrpc: Annotated[Literal["2.0"], about("the version of JSON-RPC, always 2.0", "2.0")]
    id: NotRequired[
        Annotated[
            str | int | None, about("an id of your choice, which the answer repeats; absent if you need no answer", 1)
        ]
    ]
    method: Annotated[
        str, about("the method's name, such as eth_blockNumber, eth_call or eth_sendRawTransaction", "eth_blockNumber")
    ]
    params: NotRequired[
        Annotated[list[Any], about("the method's parameters, in order; can be absent if there are none", [])]
    ]
