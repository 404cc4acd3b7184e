"""The indexer's data classes: chains, blocks, deployments, events and matches. This module imports
no other module of the project."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

Json: TypeAlias = dict[str, Any]
"""A JSON object. In a board, no value is null."""
Log: TypeAlias = dict[str, Any]
"""A log, in the JSON format in which the node returns it."""
MatchKey: TypeAlias = tuple[str, int]
"""The key of a match: its game and its number."""


@dataclass(frozen=True, slots=True)
class Chain:
    """A chain. The id alone isn't enough, because several development chains can share an id."""

    chain_id: int
    genesis: str


class WrongChain(Exception):
    """The node is on a different chain than the database, or its chain lacks the contracts."""

    def __init__(self, stored: Chain, actual: Chain, why: str = "") -> None:
        self.stored, self.actual = stored, actual
        self.why = why or f"the node is on chain {actual.chain_id} (genesis {actual.genesis})"
        known = f"the database belongs to chain {stored.chain_id} (genesis {stored.genesis}) and its contracts"
        super().__init__(f"{known}, but {self.why}")


@dataclass(frozen=True, slots=True)
class Block:
    """The fields of a block that the store needs. A hash consists of 0x and 64 lower-case hex
    digits. `time` is in seconds since 1970."""

    height: int
    hash: str
    parent: str
    time: int


def is_parent(parent: Block, child: Block) -> bool:
    """Return True if `child` is the next block after `parent`. Its height must be one higher, and
    it must contain the hash of `parent`."""
    return child.height == parent.height + 1 and child.parent == parent.hash


@dataclass(frozen=True, slots=True)
class Header:
    """A block, with the hashes of its transactions and the Bloom filter of all its logs.

    `json`: the header as the node sent it. It is only set for the head, whose hash can be
    recomputed from it."""

    block: Block
    bloom: int
    transactions: tuple[str, ...]
    json: Json | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Deployment:
    """A deployed contract of a game. Its matches have the ids from `first_match` up to, but not
    including, `end_match`. If `end_match` is None, there is no upper limit."""

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
        """The contract's address and the hash of the block in which it was deployed. The address
        isn't enough, because a restarted chain can reuse it."""
        return self.address, self.block_hash

    def has_match(self, match: int) -> bool:
        """Return True if this contract is responsible for the match with this number, even if the
        match doesn't exist yet."""
        return self.first_match <= match and (self.end_match is None or match < self.end_match)


@dataclass(slots=True)
class Event:
    """An event that a contract emitted about a match. `args` contains all arguments of the event
    except `matchId` and `seq`.

    Never change an event. The class is not frozen, because creating a frozen object takes four
    times as long."""

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
    """A match in a list, in its state after its last event."""

    game: str
    match: int
    seq: int
    status: str
    ply: int
    players: list[str]
    height: int
    """The height of the block with the last event. `hash` and `time` belong to this block."""
    hash: str
    time: int
    created: int
    """The time of the block with the match's first event, in seconds since 1970."""
    created_height: int
    created_index: int
    opener: str
    """The player who opened the match, according to the match's first event."""
    board: Json

    @property
    def position(self) -> tuple[int, int]:
        """The height and log index of the match's first event, by which lists are sorted."""
        return self.created_height, self.created_index


def match_name(game: str, match: int) -> str:
    """Return the public name of a match: `<game>/<id>`."""
    return f"{game}/{match}"
