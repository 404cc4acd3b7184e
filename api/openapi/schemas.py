"""The shapes of the HTTP answers, as OpenAPI tells them. Names on the wire are camelCase. Each says what it is and what
each of its fields is; `api/openapi/examples.py` has one of each."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

ADDRESS = "^0x[0-9a-fA-F]{40}$"
Address = Annotated[str, Field(pattern=ADDRESS, description="an address: 20 bytes, checksummed (EIP-55)")]
Hash = Annotated[str, Field(pattern="^0x[0-9a-f]{64}$", description="32 bytes, lower-case hex")]
Seconds = Annotated[int, Field(description="seconds since 1970, as the block says")]
Height = Annotated[int, Field(description="a block's number")]
Slug = Annotated[str, Field(description="the game's name in paths and queries")]
MatchName = Annotated[str, Field(description="the match's name: `<game>/<id>`")]
MatchNumber = Annotated[int, Field(description="the match's number, from 1 on in each game")]
EventNumber = Annotated[int, Field(description="the event's number within its match: from 1 on, without a hole")]
Decimals = Annotated[str, Field(pattern="^[0-9]+$", description="a whole number, as decimal digits")]
Patch = Annotated[dict[str, Any], Field(description="JSON Merge Patch (RFC 7396) over the board before the event")]
Status = Annotated[
    Literal["open", "playing", "finished", "cancelled"],
    Field(description="open: waits for players; playing; finished: has a result; cancelled: ended without one"),
]


class Shape(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid")


class ProblemShape(BaseModel):
    """A problem document (RFC 9457): what every answer is that is not what was asked for. More members carry the values
    behind the sentence."""

    type: str = Field(description="always about:blank: `code` tells cases apart")
    title: str = Field(description="the phrase of the status")
    status: int = Field(description="the HTTP status, once more")
    detail: str = Field(description="a sentence: what was wrong, and what is allowed")
    code: str = Field(description="which case it is, for programs; stable")


class BlockShape(Shape):
    """A block of the chain, as the index has it."""

    height: Height
    hash: Hash
    time: Seconds


class LagShape(Shape):
    """How far the index is behind the node."""

    blocks: int = Field(description="blocks of the node that are not indexed yet")
    seconds: int = Field(description="age of the last indexed block; 0 when none is missing")


class HealthShape(Shape):
    """Where the index stands, compared with the node."""

    chain_id: int | None = Field(description="the chain that the index is about; null: none yet")
    genesis: Hash | None = Field(description="hash of that chain's block 0: an id alone does not tell two chains apart")
    node_head: int | None = Field(description="the node's highest block; null: the node has not answered yet")
    indexed_head: int | None = Field(description="the highest indexed block; null: none yet")
    final_head: int | None = Field(
        description="up to here our own chain is saved, and no block can go any more; null: ask the node"
    )
    lag: LagShape = Field(description="how far the index is behind")
    state: Literal["ok", "catching-up", "degraded", "node-behind", "node-lost"] = Field(
        description="degraded: the node's answers don't fit; node-behind: it has less than the index; node-lost: it "
        "doesn't answer"
    )
    detail: str = Field(description="the state in a sentence; may be empty")
    development: bool = Field(description="whether this is a development chain, with a faucet")
    version: str = Field(description="of this server")
    block_time: float = Field(description="seconds between blocks of our own chain; 0: one for each transaction")


class InputShape(Shape):
    """An argument that the player gives an action."""

    name: str = Field(description="its name in the ABI")
    label: str = Field(description="what to call it before a player")
    kind: str = Field(description="int, bool, address, opponent, token, clock (seconds), amount (decimal) or text")
    minimum: int = Field(description="the least that is allowed, of an int or a clock")
    maximum: int = Field(description="the most that is allowed; of a text in bytes of UTF-8")
    default: Any = Field(description="what to begin with; null: nothing")


class GasShape(Shape):
    """A gas limit that always suffices: `base + each * board[of]`."""

    base: int = Field(description="gas in any case")
    each: int = Field(description="gas for each of what the board counts; 0: none")
    of: str = Field(description="the board's field that counts; empty: none")


class PaysShape(Shape):
    """What a call deposits: the names of the input, else of the board's field, with the amount and with the token."""

    amount: str = Field(description="where the amount stands")
    token: str = Field(description="where the token stands; the zero address, or nothing there: ether")


class ActionShape(Shape):
    """A function of the contract that players call."""

    name: str = Field(description="its name in the ABI")
    signature: str = Field(description="its name with the types of its arguments")
    label: str = Field(description="what to call it before a player")
    inputs: list[InputShape] = Field(description="what the player is asked for; all else follows from the position")
    gas: GasShape = Field(description="a gas limit that always suffices")
    pays: PaysShape | None = Field(description="what it deposits; null: nothing")


class DeploymentShape(Shape):
    """A contract that holds the matches `firstMatch <= id < endMatch`."""

    address: Address
    first_block: int = Field(description="the block that it came in")
    first_match: int = Field(description="its first match")
    end_match: int | None = Field(None, description="the first match of the next contract; absent: this is the newest")


class GameShape(Shape):
    """A game, its contracts, and what players can do."""

    slug: Slug
    title: str = Field(description="what to call it before a player")
    layout: str = Field(description="how the page draws its boards")
    address: Address | None = Field(description="the contract where new matches open; null: none is deployed")
    abi: list[dict[str, Any]] = Field(description="that contract's ABI")
    first_block: int | None = Field(description="the block that its oldest contract came in; null: none is deployed")
    deployments: list[DeploymentShape] = Field(description="all its contracts, oldest first")
    actions: list[ActionShape] = Field(description="what players can do")


class GamesShape(Shape):
    """All games of this server."""

    games: list[GameShape] = Field(description="in the order in which they are shown")


class SummaryShape(Shape):
    """A match in a list, after its last event."""

    match: MatchName
    game: Slug
    id: MatchNumber
    seq: int = Field(description="number of its last event")
    status: Status
    ply: int = Field(description="how many deciding moves were made")
    players: list[Address] = Field(description="by their seats")
    opponent: Address | None = Field(None, description="who was invited; absent: anyone")
    mover: Address | None = Field(None, description="who is to move; absent: nobody, or any player may")
    clock: int | None = Field(None, description="seconds for a move, 0: any time; absent: the game has no clocks")
    stake: Decimals | None = Field(None, description="what each deposits, in wei or the token's units; absent: nothing")
    token: Address | None = Field(None, description="the token of the stake; absent: ether")
    created: int = Field(description="time of its first block, in seconds since 1970")
    time: int = Field(description="time of its last event's block, in seconds since 1970")
    block: BlockShape = Field(description="the block of its last event")


class MatchesShape(Shape):
    """A page of a list of matches."""

    matches: list[SummaryShape] = Field(description="newest first")
    next: str | None = Field(None, description="`cursor` of the next page; absent: this is the last")


class MatchShape(Shape):
    """A match after one of its events."""

    match: MatchName
    game: Slug
    id: MatchNumber
    seq: EventNumber
    block: BlockShape = Field(description="the block of that event")
    settled: bool = Field(description="false between two events of one block: no block ended with this board")
    hash: str = Field(pattern="^0x[0-9a-f]{64}$", description="SHA-256 of the board's canonical JSON")
    board: dict[str, Any] = Field(description="the position, as the game's reducer lays it out; holds no null")
    address: Address


class EventShape(Shape):
    """An event that the game's contract emitted."""

    seq: EventNumber
    name: str = Field(description="as the contract names it")
    args: dict[str, Any] = Field(
        description="its arguments. An integer of more than 48 bits in Solidity is a decimal string, bytes are 0x hex"
    )
    block: Height
    hash: str = Field(pattern="^0x[0-9a-f]{64}$", description="of the block")
    tx: str = Field(pattern="^0x[0-9a-f]{64}$", description="hash of the transaction")
    log_index: int = Field(description="its place among the logs of the block")
    time: Seconds


class EventsShape(Shape):
    """Some of the events of a match."""

    match: MatchName
    events: list[EventShape] = Field(description="by their numbers")
    next: int | None = Field(None, description="`after` of the next ones; absent: there are none yet")


class NamedEventShape(EventShape):
    """An event with the match that it belongs to."""

    match: MatchName


class AllEventsShape(Shape):
    """A page of a list of events of several matches."""

    events: list[NamedEventShape] = Field(description="in the chain's order")
    next: str | None = Field(None, description="`cursor` of the next page; absent: there are none yet")


class DeltaShape(Shape):
    """What one event changed on the board."""

    seq: EventNumber
    patch: Patch


class DeltasShape(Shape):
    """What some of the events of a match changed."""

    match: MatchName
    deltas: list[DeltaShape] = Field(description="by the events' numbers")
    next: int | None = Field(None, description="`after` of the next ones; absent: there are none yet")


Rating = Annotated[
    float, Field(description="Elo, with at most two decimals; 1500 before the first match", examples=[1516.0])
]
Rank = Annotated[
    int, Field(ge=1, description="one more than there are players with a higher rating in this game", examples=[1])
]
Count = Annotated[int, Field(ge=0, examples=[3])]
Played = Annotated[Count, Field(description="matches that were played to their end; cancelled ones are none")]
Won = Annotated[Count, Field(description="of these, how many the player won")]
Lost = Annotated[Count, Field(description="of these, how many another player won")]
Drawn = Annotated[Count, Field(description="of these, how many nobody won")]
Running = Annotated[Count, Field(description="matches that are being played")]
Open = Annotated[Count, Field(description="matches that wait for players")]
Over = Annotated[Count, Field(description="matches that are finished or cancelled")]


class StandingShape(Shape):
    """Where a player stands in a game."""

    rank: Rank
    address: Address
    game: Annotated[str, Field(description="the game's slug", examples=["chess"])]
    rating: Rating
    played: Played
    won: Won
    lost: Lost
    drawn: Drawn


class LeaderboardShape(Shape):
    """The players who have finished a match of a game, the highest rating first, among equals by address."""

    players: Annotated[list[StandingShape], Field(description="the best first")]
    block: Annotated[
        BlockShape | None, Field(description="all pages are as of this block; absent while none is indexed")
    ] = None
    next: Annotated[str | None, Field(description="the cursor of the next page; absent on the last one")] = None


class PlayerGameShape(Shape):
    """What a player has done in one game. Rating and rank are null before the first finished match."""

    game: Annotated[str, Field(description="the game's slug", examples=["chess"])]
    rating: Annotated[float | None, Field(description="Elo, with at most two decimals; null: not rated yet")]
    rank: Annotated[int | None, Field(description="among the game's players by rating; null: not ranked yet")]
    played: Played
    won: Won
    lost: Lost
    drawn: Drawn
    open: Open
    running: Running
    over: Over


class PlayerShape(Shape):
    """A player in all games together, and in each in which it has had a seat."""

    address: Address
    played: Played
    won: Won
    lost: Lost
    drawn: Drawn
    open: Open
    running: Running
    over: Over
    first: Annotated[Seconds | None, Field(description="seconds since 1970: when an event first named it; null: none")]
    last: Annotated[Seconds | None, Field(description="seconds since 1970: when an event last named it; null: none")]
    games: Annotated[list[PlayerGameShape], Field(description="by their slugs")]


class ReplayGameShape(Shape):
    """Which game the match is of."""

    slug: Slug
    title: str = Field(description="what to call it before a player")
    layout: str = Field(description="how the page draws its boards")


class ReplayChainShape(Shape):
    """Which chain the match is on."""

    chain_id: int = Field(description="as wallets know it")
    genesis: str = Field(pattern="^0x[0-9a-f]{64}$", description="hash of block 0")


class ReplayDeploymentShape(Shape):
    """The contract that holds the match, by its address, the block that it came in and the hash of its code."""

    contract: str = Field(description="its name in Solidity")
    address: Address
    block: int = Field(description="the block that it came in")
    block_hash: str = Field(pattern="^0x[0-9a-f]{64}$", description="of that block")
    code_hash: str = Field(pattern="^0x[0-9a-f]{64}$", description="keccak-256 of its code")
    first_match: int = Field(description="its first match")


class ReplayEventShape(EventShape):
    """An event with what it changed."""

    patch: Patch


class ReplayShape(Shape):
    """A replay file. `start` is the board before the first event; each event's patch makes the next one of it; `board`
    is the last, and `boardHash` the SHA-256 of its canonical JSON."""

    format: Literal["chainboard-replay"] = Field(description="which kind of file it is")
    version: Literal[1] = Field(description="of the format")
    match: MatchName
    game: ReplayGameShape = Field(description="which game it is of")
    chain: ReplayChainShape = Field(description="which chain it is on")
    deployment: ReplayDeploymentShape = Field(description="which contract holds it")
    start: dict[str, Any] = Field(description="the board before the first event")
    events: list[ReplayEventShape] = Field(description="all of them, by their numbers")
    board: dict[str, Any] = Field(description="the board after the last event")
    board_hash: str = Field(pattern="^0x[0-9a-f]{64}$", description="SHA-256 of that board's canonical JSON")


class FaucetShape(Shape):
    """What the faucet did."""

    address: Address
    sent: str = Field(description="wei, decimal; 0 when the balance is enough")
    tx: str | None = Field(
        None, pattern="^0x[0-9a-f]{64}$", description="hash of the transfer; absent: nothing was sent"
    )


class FaucetRequest(Shape):
    """Who is to get some ether."""

    model_config = ConfigDict(extra="ignore")
    address: str = Field(
        pattern=ADDRESS,
        json_schema_extra={"format": "address"},
        description="20 bytes as 0x hex, with a right checksum if of mixed case (EIP-55)",
    )


class RpcErrorShape(BaseModel):
    """Why a call of JSON-RPC has no result."""

    code: int = Field(description="negative; -32601: the method does not exist or is not available here")
    message: str = Field(description="a sentence")
    data: Any = Field(None, description="a contract's revert data, for instance")


class RpcAnswerShape(BaseModel):
    """The answer to one request of JSON-RPC 2.0: either `result` or `error` is there."""

    jsonrpc: Literal["2.0"] = Field(description="always 2.0")
    id: str | int | float | None = Field(description="as it was in the request; null where that could not be read")
    result: Any = Field(None, description="what the method gives")
    error: RpcErrorShape | None = Field(None, description="why there is no result")


class RpcRequestShape(BaseModel):
    """One request of JSON-RPC 2.0. Without an id it is done, and not answered."""

    model_config = ConfigDict(extra="allow")
    jsonrpc: Literal["2.0"] = Field(description="always 2.0")
    id: str | int | None = Field(None, description="comes back with the answer")
    method: str = Field(description="eth_blockNumber, eth_call, eth_sendRawTransaction, …")
    params: list[Any] = Field([], description="the method's parameters, by their places")
