"""The fields that several shapes share. Each has a type, a description, and an example from a
made-up game."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, with_config
from typing_extensions import TypedDict

ALICE, BOB = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"
CONTRACT = "0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0"
TIME = 1_790_000_000
ADDRESS = "^0x[0-9a-fA-F]{40}$"
HASH = "^0x[0-9a-f]{64}$"


@with_config(ConfigDict(extra="forbid"))
class Shape(TypedDict):
    """A JSON object with camelCase keys. A NotRequired key can be absent but is never null. mypy
    checks the objects that we build, so no check is needed at run time."""


def about(description: str, *examples: Any, **constraints: Any) -> Any:
    """Describe a field, and give an example. The examples of a shape's fields together form the
    shape's example."""
    if examples:
        constraints["examples"] = list(examples)
    return Field(description=description, **constraints)


def example_hash(byte: str) -> str:
    return "0x" + byte * 32


Address = Annotated[str, about("the account's address, checksummed (EIP-55)", ALICE, pattern=ADDRESS)]
Contract = Annotated[str, about("the contract's address, checksummed (EIP-55)", CONTRACT, pattern=ADDRESS)]
Hash = Annotated[str, about("a hash of 32 bytes, as lower-case 0x hex", example_hash("5f"), pattern=HASH)]
Genesis = Annotated[str, about("the hash of the chain's block 0", example_hash("a4"), pattern=HASH)]
Seconds = Annotated[int, about("the time of the block, in seconds since 1970", TIME)]
Height = Annotated[int, about("the block's height, starting at 0", 120)]
Slug = Annotated[str, about("the game's slug, which is its name in paths and parameters", "chess")]
MatchName = Annotated[str, about("the match's name, `<game>/<id>`: the game's slug and the match's number", "chess/7")]
MatchNumber = Annotated[int, about("the match's number, starting at 1 in each game", 7)]
EventNumber = Annotated[int, about("the event's number within its match, starting at 1, without gaps", 5)]
Decimals = Annotated[str, about("a whole number, as a decimal string", "100000000000000000", pattern="^[0-9]+$")]
Patch = Annotated[
    dict[str, Any],
    about(
        "a JSON Merge Patch (RFC 7396) that turns the board before the event into the board after it",
        {"cells": {"52": None, "36": "p"}, "ply": 2, "mover": ALICE},
    ),
]
Status = Annotated[
    Literal["open", "playing", "finished", "cancelled"],
    about(
        "the match's state: open (waiting for players), playing, finished (with a result), "
        "or cancelled (without a result)",
        "playing",
    ),
]
NEXT_CURSOR = "WyJmM2Y5YzY0MTBhYjEiLDEyMCwzXQ"
BOARD = {
    "status": "playing",
    "ply": 2,
    "players": {ALICE: {"seat": 0}, BOB: {"seat": 1}},
    "cells": {"4": "K", "36": "p"},
    "mover": ALICE,
}
