"""Parameters of paths and queries: their types, and the sentences for invalid values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import Path, Query, Request
from pydantic import BeforeValidator, Field
from pydantic.json_schema import SkipJsonSchema

from api.problems import Problem
from api.rest.lookup import BLOCK
from api.shapes.fields import ADDRESS, ALICE, HASH, example_hash
from indexer.gamekit.names import MAX_MATCH, parse_address
from indexer.model import Json

MAX_SEQ = 2**32 - 1
MAX_HEIGHT = 2**53 - 1
MAX_PARAMETERS = 50
MAX_ACCOUNTS = 100
LISTS = {"account"}
"""Parameters that are lists, given once for each entry."""
STATUSES = ("open", "playing", "finished", "cancelled")


def _decimal(value: Any) -> Any:
    """Only plain digits: pydantic would take 1_000 and +1 as well."""
    if isinstance(value, str) and not (value.isascii() and value.isdigit() and len(value) <= 20):
        raise ValueError(f"{value[:40]!r} is no whole number")
    return value


def _status(value: str) -> str:
    if value not in STATUSES:
        raise ValueError(f"{value[:40]!r} is no status; there are {', '.join(STATUSES)}")
    return value


def _boolean(value: Any) -> Any:
    """Only these two words: pydantic would take 1, on and yes as well."""
    if isinstance(value, str) and value not in ("true", "false"):
        raise ValueError(f"{value[:40]!r} is neither true nor false")
    return value


async def each_once(request: Request) -> None:
    """Raises Problem 422 for too many parameters, and for one given twice: which one counts would be unclear. Only the
    lists of the route may be given more often."""
    times = Counter(name for name, _ in request.query_params.multi_items())
    for name in LISTS & {one.alias for one in request.scope["route"].dependant.query_params}:
        if times.pop(name, 0) > MAX_ACCOUNTS:
            raise Problem(422, "bad-parameter.too-many", {"n": MAX_ACCOUNTS})
    if times.total() > MAX_PARAMETERS:
        raise Problem(422, "bad-parameter.too-many", {"n": MAX_PARAMETERS})
    for name, n in times.items():
        if n > 1:
            raise Problem(422, "bad-parameter.twice", {"name": name[:60], "n": n})


WholeNumber = BeforeValidator(_decimal)
"""Comes after the bounds, or OpenAPI would not show them."""
Absent = SkipJsonSchema[None]
"""A parameter may be absent; there is no way to write null in a query."""
ADDRESS_SCHEMA: Json = {"pattern": ADDRESS, "format": "address"}
AbsentHeight = Annotated[int, Field(ge=0, le=MAX_HEIGHT)] | Absent

GamePath = Annotated[str, Path(description="the game's slug; `GET /games` lists them", examples=["chess"])]
MatchId = Annotated[int, Path(ge=1, le=MAX_MATCH, description="the match's number", examples=[7]), WholeNumber]
Seq = Annotated[
    Annotated[int, Field(ge=1, le=MAX_SEQ)] | Absent,
    Query(description="the board after this event, by its number", examples=[5]),
    WholeNumber,
]
AtBlock = Annotated[
    str | Absent,
    Query(
        description="the board after the last event of this block or before: height, or hash (0x and 64 hex digits)",
        examples=["120", f"0x{'5f' * 32}"],
        json_schema_extra={"pattern": BLOCK},
    ),
]
After = Annotated[
    int,
    Query(ge=0, le=MAX_SEQ, description="only what comes after the event of this number", examples=[0, 12]),
    WholeNumber,
]
FewLimit = Annotated[int, Query(ge=1, le=100, description="how many at most", examples=[20]), WholeNumber]
ManyLimit = Annotated[int, Query(ge=1, le=1000, description="how many at most", examples=[100]), WholeNumber]
FromBlock = Annotated[
    AbsentHeight, Query(description="only from this block on, by its height", examples=[1]), WholeNumber
]
ToBlock = Annotated[AbsentHeight, Query(description="only up to this block, and in it", examples=[5000]), WholeNumber]
WithOpponents = Annotated[
    bool, Query(description="false: without the computer players", examples=[False]), BeforeValidator(_boolean)
]
WithCells = Annotated[
    bool, Query(description="false: without the cells of the map", examples=[False]), BeforeValidator(_boolean)
]
WithAbi = Annotated[bool, Query(description="false: without the ABIs", examples=[False]), BeforeValidator(_boolean)]
AbiHash = Annotated[
    str,
    Path(description="the ABI's hash: `abiHash` of a game", examples=[example_hash("5f")], pattern=HASH),
]
Accounts = Annotated[
    Sequence[Annotated[str, BeforeValidator(parse_address)]],
    Query(
        description=f"an account, by its address; up to {MAX_ACCOUNTS}, each as a parameter of its own",
        max_length=MAX_ACCOUNTS,
        examples=[[ALICE]],
        json_schema_extra={"items": {"type": "string", **ADDRESS_SCHEMA}},
    ),
]
AnyNickname = Annotated[
    Annotated[str, Field(max_length=100)] | Absent,
    Query(description="the nickname that looks like this, in place of accounts", examples=["Ann of Aran"]),
]
Player = Annotated[
    str | Absent,
    Query(
        description="only with this player: an address, 20 bytes as 0x hex, with a right checksum if of mixed case",
        examples=[ALICE],
        json_schema_extra=ADDRESS_SCHEMA,
    ),
    BeforeValidator(parse_address),
]
Opponent = Annotated[
    str | Absent,
    Query(
        description="only those to which this address was invited; not together with `player`",
        examples=[ALICE],
        json_schema_extra=ADDRESS_SCHEMA,
    ),
    BeforeValidator(parse_address),
]
Status = Annotated[
    str | Absent,
    Query(
        description=f"only matches that are {', '.join(STATUSES[:-1])} or {STATUSES[-1]}",
        examples=["playing"],
        json_schema_extra={"enum": list(STATUSES)},
    ),
    BeforeValidator(_status),
]
GameName = Annotated[str | Absent, Query(description="only of this game, by its slug", examples=["chess"])]
OneGame = Annotated[str, Query(description="the game, by its slug", examples=["chess"])]
EventName = Annotated[
    Annotated[str, Field(max_length=100)] | Absent,
    Query(description="only events of this name", examples=["MatchEnded"]),
]
Cursor = Annotated[
    Annotated[str, Field(max_length=400)] | Absent,
    Query(
        description="where to go on: `next` of the page before, with the same other parameters but `limit`",
        examples=["WyJmM2Y5YzY0MTBhYjEiLDEyMCwzXQ"],
        json_schema_extra={"format": "cursor"},
    ),
]
PlayerAddress = Annotated[
    str,
    Path(
        description="the player's address: 20 bytes as 0x hex, with a right checksum if of mixed case",
        examples=[ALICE],
        json_schema_extra=ADDRESS_SCHEMA,
    ),
    BeforeValidator(parse_address),
]
