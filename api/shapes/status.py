"""The server's status."""

from typing import Annotated, Literal

from api.shapes.fields import Genesis, Shape, about, example_hash
from indexer.follow.health import Health
from indexer.model import Block


class LagShape(Shape):
    """The distance between the index and the node."""

    blocks: Annotated[int, about("blocks of the node that are not indexed yet", 2)]
    seconds: Annotated[int, about("age of the last indexed block; 0 if no block is missing", 3)]


class RateShape(Shape):
    """The price of the chain's coin, as set by the operator."""

    currency: Annotated[str, about("three letters of ISO 4217", "EUR")]
    price: Annotated[float, about("price of one coin, in the currency", 2500)]


class HealthShape(Shape):
    """The state of the index compared with the node."""

    chainId: Annotated[int | None, about("the indexed chain; null: none yet", 31337)]
    genesis: Annotated[
        Genesis | None,
        about("hash of that chain's block 0, because different chains can have the same id", example_hash("a4")),
    ]
    nodeHead: Annotated[int | None, about("the node's highest block; null: the node has not answered yet", 122)]
    indexedHead: Annotated[int | None, about("the highest indexed block; null: none yet", 120)]
    finalHead: Annotated[
        int | None,
        about("height up to which our own chain is saved and can't change; null: ask the node", 118),
    ]
    lag: Annotated[LagShape, about("distance of the index from the node")]
    state: Annotated[
        Literal["ok", "catching-up", "degraded", "node-behind", "node-lost"],
        about(
            (
                "degraded: the node's answers are inconsistent; node-behind: the node has fewer blocks than the index; "
                "node-lost: the node doesn't answer"
            ),
            "catching-up",
        ),
    ]
    detail: Annotated[str, about("the state in a sentence; may be empty", "2 blocks to go")]
    development: Annotated[bool, about("true: a development chain with a faucet", True)]
    sponsor: Annotated[bool, about("true: accounts without ether get some for their next moves", False)]
    coin: Annotated[str, about("the coin of fees, and of stakes without a token", "ETH")]
    rate: Annotated[RateShape | None, about("the coin's price; null: not set by the operator", None)]
    tellCostsAbove: Annotated[
        float, about("the page shows no cost below this amount, in the currency of the rate", 0.01)
    ]
    version: Annotated[str, about("the server's version", "0.7.0")]
    blockTime: Annotated[float, about("seconds between blocks of our own chain; 0: one block per transaction", 0)]


class ReadyShape(Shape):
    """A server that is ready for requests."""

    ready: Annotated[Literal[True], about("always true; otherwise the answer is a problem", True)]
    lag: Annotated[LagShape, about("distance of the index from the node")]


def health_lag(health: Health, tip: Block | None, now: int) -> LagShape:
    """Return the distance between the index and the node: in blocks, and in seconds since the last
    indexed block."""
    if tip is None or health.node_head is None:
        return {"blocks": 0, "seconds": 0}
    blocks = max(0, health.node_head - tip.height)
    return {"blocks": blocks, "seconds": max(0, now - tip.time) if blocks else 0}
