"""The domain model: chains, blocks, deployments, events, matches. Leaf types; imports nothing of ours."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

Json: TypeAlias = dict[str, Any]
"""A JSON object: keys are strings; values are JSON; boards hold no null."""
Log: TypeAlias = dict[str, Any]
"""A log as the node's JSON has it."""
MatchKey: TypeAlias = tuple[str, int]
"""A match by its game and its number."""


@dataclass(frozen=True, slots=True)
class Chain:
    """A chain by its id and genesis: two development chains may have the same id."""

    chain_id: int
    genesis: str


class WrongChain(Exception):
    """The node is on another chain than the database is about, or on one without its contracts."""

    def __init__(self, stored: Chain, actual: Chain, why: str = "") -> None:
        self.stored, self.actual = stored, actual
        self.why = why or f"the node is on chain {actual.chain_id} (genesis {actual.genesis})"
        known = f"the database is about chain {stored.chain_id} (genesis {stored.genesis}) and its contracts"
        super().__init__(f"{known}, but {self.why}")


@dataclass(frozen=True, slots=True)
class Block:
    """A block as the follower keeps it. Hashes are 0x and 64 lower-case hex digits; time is in seconds since 1970."""

    height: int
    hash: str
    parent: str
    time: int


def is_parent(parent: Block, child: Block) -> bool:
    """True when `child` is the next block after `parent`, by height and parent hash."""
    return child.height == parent.height + 1 and child.parent == parent.hash


@dataclass(frozen=True, slots=True)
class Header:
    """A block with what its header says about its content: the bloom of all its logs, the hashes of its
    transactions. `json`: the node's own of the head, by which its hash can be made again."""

    block: Block
    bloom: int
    transactions: tuple[str, ...]
    json: Json | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Deployment:
    """One contract of one game. It holds the matches `first_match <= id < end_match` (no end: None)."""

    game: str
    contract: str
    address: str
    abi: list[Json]
    height: int
    block_hash: str
    code_hash: str
    first_match: int
    end_match: int | None = None

    @property
    def identity(self) -> tuple[str, str]:
        """Its address and the hash of its first block: a restarted chain deploys to the same address again."""
        return self.address, self.block_hash

    def holds(self, match: int) -> bool:
        """True when this contract opened, or would open, the match with this number."""
        return self.first_match <= match and (self.end_match is None or match < self.end_match)


@dataclass(slots=True)
class Event:
    """One contract event of one match; `args` leaves out `matchId` and `seq`, which stand here. Nobody changes one;
    frozen, it would take four times as long to make."""

    game: str
    match: int
    seq: int
    name: str
    args: Json
    height: int
    hash: str
    time: int
    tx: str
    log_index: int


@dataclass(frozen=True, slots=True)
class Summary:
    """A match in a list: what the last event left behind. Derived, never a fact."""

    game: str
    match: int
    seq: int
    status: str
    ply: int
    players: list[str]
    height: int
    """Block of the last event, with its hash and time."""
    hash: str
    time: int
    created: int
    """Time of the match's first block, in seconds since 1970."""
    created_height: int
    created_index: int
    opener: str
    """Who opened it, by its first event."""
    board: Json

    @property
    def position(self) -> tuple[int, int]:
        """Block and log index of its first event: the order of matches in lists."""
        return self.created_height, self.created_index


def match_name(game: str, match: int) -> str:
    """The name of a match outside: `<game>/<id>`."""
    return f"{game}/{match}"
