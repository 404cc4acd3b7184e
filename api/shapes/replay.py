"""A replay file."""

from typing import Annotated, Any, Literal

from api.shapes.events import EventShape
from api.shapes.fields import BOARD, HASH, Contract, Genesis, MatchName, Patch, Shape, Slug, about, example_hash
from api.shapes.games import LayoutName, Title


class ReplayGameShape(Shape):
    """Which game the match is of."""

    slug: Slug
    title: Title
    layout: LayoutName


class ReplayChainShape(Shape):
    """Which chain the match is on."""

    chainId: Annotated[int, about("as wallets know it", 31337)]
    genesis: Genesis


class ReplayDeploymentShape(Shape):
    """The contract that holds the match, by its address, the block that it came in and the hash of its code."""

    contract: Annotated[str, about("its name in Solidity", "Chess")]
    address: Contract
    block: Annotated[int, about("the block that it came in", 2)]
    blockHash: Annotated[str, about("of that block", example_hash("b2"), pattern=HASH)]
    codeHash: Annotated[str, about("keccak-256 of its code", example_hash("c0"), pattern=HASH)]
    firstMatch: Annotated[int, about("its first match", 1)]


class ReplayEventShape(EventShape):
    """An event with what it changed."""

    patch: Patch


class ReplayPreamble(Shape):
    """What comes before the events, which are streamed."""

    format: Annotated[Literal["chainboard-replay"], about("which kind of file it is", "chainboard-replay")]
    version: Annotated[Literal[1], about("of the format", 1)]
    match: MatchName
    game: Annotated[ReplayGameShape, about("which game it is of")]
    chain: Annotated[ReplayChainShape, about("which chain it is on")]
    deployment: Annotated[ReplayDeploymentShape, about("which contract holds it")]
    start: Annotated[
        dict[str, Any],
        about(
            "the board before the first event",
            {"status": "none", "ply": 0, "players": {}, "cells": {"4": "K", "52": "p"}},
        ),
    ]


class ReplayShape(ReplayPreamble):
    """A replay file. `start` is the board before the first event; each event's patch makes the next one of it; `board`
    is the last, and `boardHash` the SHA-256 of its canonical JSON."""

    events: Annotated[list[ReplayEventShape], about("all of them, by their numbers")]
    board: Annotated[dict[str, Any], about("the board after the last event", BOARD)]
    boardHash: Annotated[str, about("SHA-256 of that board's canonical JSON", example_hash("9d"), pattern=HASH)]
