"""The shape of a replay file."""

from typing import Annotated, Any, Literal

from api.shapes.events import EventShape
from api.shapes.fields import BOARD, HASH, Contract, Genesis, MatchName, Patch, Shape, Slug, about, example_hash
from api.shapes.games import LayoutName, Title


class ReplayGameShape(Shape):
    """The game of the match."""

    slug: Slug
    title: Title
    layout: LayoutName


class ReplayChainShape(Shape):
    """The chain of the match."""

    chainId: Annotated[int, about("the chain's id, as in wallets", 31337)]
    genesis: Genesis


class ReplayDeploymentShape(Shape):
    """The contract that holds the match: its address, the block that created it, and the hash of
    its code."""

    contract: Annotated[str, about("the contract's name in Solidity", "Chess")]
    address: Contract
    block: Annotated[int, about("the block that created it", 2)]
    blockHash: Annotated[str, about("that block's hash", example_hash("b2"), pattern=HASH)]
    codeHash: Annotated[str, about("the keccak256 hash of its code", example_hash("c0"), pattern=HASH)]
    firstMatch: Annotated[int, about("the contract's first match", 1)]


class ReplayEventShape(EventShape):
    """An event with the change that it makes to the board."""

    patch: Patch


class ReplayPreamble(Shape):
    """The first members of a replay file. The events are streamed after these members."""

    format: Annotated[Literal["chainboard-replay"], about("the kind of file", "chainboard-replay")]
    version: Annotated[Literal[1], about("the version of the format", 1)]
    match: MatchName
    game: Annotated[ReplayGameShape, about("the match's game")]
    chain: Annotated[ReplayChainShape, about("the match's chain")]
    deployment: Annotated[ReplayDeploymentShape, about("the contract that holds the match")]
    start: Annotated[
        dict[str, Any],
        about(
            "the board before the first event",
            {"status": "none", "ply": 0, "players": {}, "cells": {"4": "K", "52": "p"}},
        ),
    ]


class ReplayShape(ReplayPreamble):
    """A replay file. `start` is the board before the first event. Each event's patch turns a board
    into the next one. `board` is the last board, and `boardHash` is the SHA-256 hash of its
    canonical JSON."""

    events: Annotated[list[ReplayEventShape], about("all events in order")]
    board: Annotated[dict[str, Any], about("the board after the last event", BOARD)]
    boardHash: Annotated[
        str, about("the SHA-256 hash of that board's canonical JSON", example_hash("9d"), pattern=HASH)
    ]
