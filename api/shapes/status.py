"""The server's status."""

from typing import Annotated, Literal

from api.shapes.fields import Genesis, Shape, about, example_hash
from indexer.follow.health import Health
from indexer.model import Block


class LagShape(Shape):
    """The distance by which the index is behind the chain's node."""

    blocks: Annotated[int, about("the number of the node's blocks that are not indexed yet", 2)]
    seconds: Annotated[int, about("the age of the newest indexed block, in seconds; 0 if no block is missing", 3)]


class RateShape(Shape):
    """The price of the chain's coin. The operator sets this price."""

    currency: Annotated[str, about("the currency's code of three letters (ISO 4217)", "EUR")]
    price: Annotated[float, about("the price of one coin in `currency`", 2500)]


class HealthShape(Shape):
    """The state of the index compared with the node."""

    chainId: Annotated[int | None, about("the id of the indexed chain; null if there is no chain yet", 31337)]
    genesis: Annotated[
        Genesis | None,
        about(
            "the hash of the indexed chain's block 0; null if there is no chain yet",
            example_hash("a4"),
        ),
    ]
    nodeHead: Annotated[
        int | None, about("the height of the node's newest block; null if the node has not answered yet", 122)
    ]
    indexedHead: Annotated[
        int | None, about("the height of the newest indexed block; null if no block is indexed yet", 120)
    ]
    finalHead: Annotated[
        int | None,
        about(
            "the height up to which blocks can't change anymore; null unless the server runs the chain itself",
            118,
        ),
    ]
    lag: Annotated[LagShape, about("the distance by which the index is behind the node")]
    state: Annotated[
        Literal["ok", "catching-up", "degraded", "node-behind", "node-lost"],
        about(
            (
                "the index's state: ok, catching-up (blocks are missing), degraded (the node's answers are "
                "inconsistent), node-behind (the node has fewer blocks than the index), or node-lost (no answer)"
            ),
            "catching-up",
        ),
    ]
    detail: Annotated[str, about("an explanation of the state in English; can be empty", "2 blocks to go")]
    development: Annotated[bool, about("true if the chain is a development chain with a faucet", True)]
    sponsor: Annotated[bool, about("true if a sponsor pays for the next moves of accounts without ether", False)]
    coin: Annotated[
        str, about("the symbol of the chain's coin, which players use for fees and for stakes without a token", "ETH")
    ]
    rate: Annotated[RateShape | None, about("the coin's price; null if the operator has not set it", None)]
    tellCostsAbove: Annotated[
        float,
        about(
            "the smallest cost that the page shows, in the currency of `rate`; without a rate, the page "
            "shows all costs",
            0.01,
        ),
    ]
    version: Annotated[str, about("the version of the server's software", "0.7.0")]
    blockTime: Annotated[
        float,
        about("the seconds between blocks, if the server runs the chain; 0 if each transaction gets its own block", 0),
    ]


class ReadyShape(Shape):
    """A server that is ready for requests."""

    ready: Annotated[Literal[True], about("always true; if the server is not ready, the response is a problem", True)]
    lag: Annotated[LagShape, about("the distance by which the index is behind the node")]


def health_lag(health: Health, tip: Block | None, now: int) -> LagShape:
    """Return the distance by which the index is behind the node: the number of missing blocks, and
    the age of the last indexed block in seconds."""
    if tip is None or health.node_head is None:
        return {"blocks": 0, "seconds": 0}
    blocks = max(0, health.node_head - tip.height)
    return {"blocks": blocks, "seconds": max(0, now - tip.time) if blocks else 0}
