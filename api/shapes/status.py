"""How the server is."""

from typing import Annotated, Literal

from api.shapes.fields import Genesis, Shape, about, example_hash
from indexer.follow.health import Health
from indexer.model import Block


class LagShape(Shape):
    """How far the index is behind the node."""

    blocks: Annotated[int, about("blocks of the node that are not indexed yet", 2)]
    seconds: Annotated[int, about("age of the last indexed block; 0 when none is missing", 3)]


class RateShape(Shape):
    """What the chain's coin is worth, by the operator's word."""

    currency: Annotated[str, about("three letters of ISO 4217", "EUR")]
    price: Annotated[float, about("of one coin, in the currency", 2500)]


class HealthShape(Shape):
    """Where the index stands, compared with the node."""

    chainId: Annotated[int | None, about("the chain that the index is about; null: none yet", 31337)]
    genesis: Annotated[
        Genesis | None,
        about("hash of that chain's block 0: an id alone does not tell two chains apart", example_hash("a4")),
    ]
    nodeHead: Annotated[int | None, about("the node's highest block; null: the node has not answered yet", 122)]
    indexedHead: Annotated[int | None, about("the highest indexed block; null: none yet", 120)]
    finalHead: Annotated[
        int | None,
        about("up to here our own chain is saved, and no block can go any more; null: ask the node", 118),
    ]
    lag: Annotated[LagShape, about("how far the index is behind")]
    state: Annotated[
        Literal["ok", "catching-up", "degraded", "node-behind", "node-lost"],
        about(
            "degraded: the node's answers don't fit; node-behind: it has less than the index; node-lost: it doesn't "
            "answer",
            "catching-up",
        ),
    ]
    detail: Annotated[str, about("the state in a sentence; may be empty", "2 blocks to go")]
    development: Annotated[bool, about("whether this is a development chain, with a faucet", True)]
    sponsor: Annotated[bool, about("whether accounts without ether are given some, for their next moves", False)]
    coin: Annotated[str, about("what fees are paid in, and stakes without a token", "ETH")]
    rate: Annotated[RateShape | None, about("what the coin is worth; null: the operator doesn't say", None)]
    tellCostsAbove: Annotated[float, about("the page shows no cost below this, in the currency of the rate", 0.01)]
    version: Annotated[str, about("of this server", "0.7.0")]
    blockTime: Annotated[float, about("seconds between blocks of our own chain; 0: one for each transaction", 0)]


class ReadyShape(Shape):
    """A server that may be asked."""

    ready: Annotated[Literal[True], about("as the status says", True)]
    lag: Annotated[LagShape, about("how far the index is behind")]


def health_lag(health: Health, tip: Block | None, now: int) -> LagShape:
    """How far the index is behind the node: in blocks, and in seconds since its last block."""
    if tip is None or health.node_head is None:
        return {"blocks": 0, "seconds": 0}
    blocks = max(0, health.node_head - tip.height)
    return {"blocks": blocks, "seconds": max(0, now - tip.time) if blocks else 0}
