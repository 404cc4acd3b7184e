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
    """The chain on which the match was played."""

    chainId: Annotated[int, about("the chain's id, as wallets show it", 31337)]
    genesis: Genesis


class ReplayDeploymentShape(Shape):
    """The contract that holds the match: its address, the block that created it, and the hash of
    its code."""

    contract: Annotated[str, about("the contract's name in the source code", "Chess")]
    address: Contract
    block: Annotated[int, about("the height of the block that created the contract", 2)]
    blockHash: Annotated[
        str, about("the hash of the block that created the contract", example_hash("b2"), pattern=HASH)
    ]
    codeHash: Annotated[str, about("the Keccak-256 hash of the contract's code", example_hash("c0"), pattern=HASH)]
    firstMatch: Annotated[int, about("the number of the contract's first match", 1)]


class ReplayEventShape(EventShape):
    """An event with the change that it makes to the board."""

    patch: Patch


class ReplayPreamble(Shape):
    """The first members of a replay file. The events are streamed after these members."""

    format: Annotated[
        Literal["chainboard-replay"],
        about("the name of the file format, always chainboard-replay", "chainboard-replay"),
    ]
    version: Annotated[Literal[1], about("the version of the file format, always 1", 1)]
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
    """A replay file. To get the board after each event, apply the events' patches to `start` in
    order. The last of these boards is `board`."""

    events: Annotated[list[ReplayEventShape], about("all events of the match, in the order of `seq`")]
    board: Annotated[dict[str, Any], about("the board after the last event", BOARD)]
    boardHash: Annotated[
        str,
        about(
            "the SHA-256 hash of `board` as canonical JSON (UTF-8, sorted keys, no spaces)",
            example_hash("9d"),
            pattern=HASH,
        ),
    ]
