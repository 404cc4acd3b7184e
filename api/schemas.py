"""The shapes of the HTTP answers, as OpenAPI tells them. Names on the wire are camelCase."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

Address = Annotated[str, Field(pattern="^0x[0-9a-fA-F]{40}$", description="20 bytes, checksummed")]
Hash = Annotated[str, Field(pattern="^0x[0-9a-f]{64}$", description="32 bytes, lower-case hex")]
Seconds = Annotated[int, Field(description="seconds since 1970")]


class Shape(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid")


class ProblemShape(BaseModel):
    """A problem document (RFC 9457). `code` is stable; more members carry the values behind it."""

    type: str
    title: str
    status: int
    detail: str
    code: str


class BlockShape(Shape):
    height: int
    hash: Hash
    time: Seconds


class LagShape(Shape):
    blocks: int
    seconds: int


class HealthShape(Shape):
    chain_id: int | None
    genesis: Hash | None
    node_head: int | None
    indexed_head: int | None
    final_head: Annotated[
        int | None,
        Field(description="up to here our own chain is saved, and no block can go any more; null: ask the node"),
    ]
    lag: LagShape
    state: Literal["ok", "catching-up", "degraded", "node-behind", "node-lost"]
    detail: str
    development: bool
    version: str
    block_time: Annotated[float, Field(description="seconds between blocks of our own chain; 0: one a transaction")]


class InputShape(Shape):
    name: str
    label: str
    kind: str
    minimum: int
    maximum: int
    default: Any


class GasShape(Shape):
    """A limit that always suffices: `base + each * board[of]`."""

    base: int
    each: int
    of: str


class PaysShape(Shape):
    """What a call deposits: the names of the input, else of the board's field, with the amount and with the token."""

    amount: str
    token: str


class ActionShape(Shape):
    name: str
    signature: str
    label: str
    inputs: list[InputShape]
    gas: GasShape
    pays: PaysShape | None


class DeploymentShape(Shape):
    """A contract that holds the matches `firstMatch <= id < endMatch`."""

    address: Address
    first_block: int
    first_match: int
    end_match: int | None = None


class GameShape(Shape):
    slug: str
    title: str
    layout: str
    address: Address | None
    abi: list[dict[str, Any]]
    first_block: int | None
    deployments: list[DeploymentShape]
    actions: list[ActionShape]


class GamesShape(Shape):
    games: list[GameShape]


class SummaryShape(Shape):
    match: str
    game: str
    id: int
    seq: int
    status: Literal["open", "playing", "finished", "cancelled"]
    ply: int
    players: list[Address]
    opponent: Annotated[Address | None, Field(description="who was invited; absent: anyone")] = None
    mover: Annotated[
        Address | None,
        Field(
            description="who is to move; absent: nobody, or any player may",
            examples=["0x70997970C51812dc3A010C7d01b50e0d17dc79C8"],
        ),
    ] = None
    created: Seconds
    time: Seconds
    block: BlockShape


class MatchesShape(Shape):
    matches: list[SummaryShape]
    next: str | None = None


class MatchShape(Shape):
    """A match at one event. `settled` is false between two events of one block: then no block ended with this board."""

    match: str
    game: str
    id: int
    seq: int
    block: BlockShape
    settled: bool
    hash: Annotated[Hash, Field(description="SHA-256 of the board's canonical JSON")]
    board: dict[str, Any]
    address: Address


class EventShape(Shape):
    seq: int
    name: str
    args: dict[str, Any]
    block: int
    hash: Hash
    tx: Hash
    log_index: int
    time: Seconds


class EventsShape(Shape):
    match: str
    events: list[EventShape]
    next: int | None = None


class NamedEventShape(EventShape):
    match: str


class AllEventsShape(Shape):
    events: list[NamedEventShape]
    next: str | None = None


class DeltaShape(Shape):
    seq: int
    patch: Annotated[dict[str, Any], Field(description="JSON Merge Patch (RFC 7396) over the board before")]


class DeltasShape(Shape):
    match: str
    deltas: list[DeltaShape]
    next: int | None = None


class ReplayGameShape(Shape):
    slug: str
    title: str
    layout: str


class ReplayChainShape(Shape):
    chain_id: int
    genesis: Hash


class ReplayDeploymentShape(Shape):
    """The contract that holds the match, by its address, the block that it came in and the hash of its code."""

    contract: str
    address: Address
    block: int
    block_hash: Hash
    code_hash: Hash
    first_match: int
    end_match: int | None = None


class ReplayEventShape(EventShape):
    patch: Annotated[dict[str, Any], Field(description="JSON Merge Patch (RFC 7396) over the board before")]


class ReplayShape(Shape):
    """A replay file. `start` is the board before the first event; each event's patch makes the next one of it; `board`
    is the last, and `boardHash` the SHA-256 of its canonical JSON."""

    format: Literal["chainboard-replay"]
    version: Literal[1]
    match: str
    game: ReplayGameShape
    chain: ReplayChainShape
    deployment: ReplayDeploymentShape
    start: dict[str, Any]
    events: list[ReplayEventShape]
    board: dict[str, Any]
    board_hash: Hash


class FaucetShape(Shape):
    address: Address
    sent: Annotated[str, Field(description="wei, decimal; 0 when the balance is enough")]
    tx: Hash | None = None


class FaucetRequest(Shape):
    address: Address
