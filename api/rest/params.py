"""The parameters of paths and queries: their types, and the messages for invalid values."""

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
"""The parameters that may occur several times in a query, once for each entry of a list."""
STATUSES = ("open", "playing", "finished", "cancelled")


def _decimal(value: Any) -> Any:
    """Accept only digits, because pydantic would also accept 1_000 and +1."""
    if isinstance(value, str) and not (value.isascii() and value.isdigit() and len(value) <= 20):
        raise ValueError(f"{value[:40]!r} is not a whole number")
    return value


def _status(value: str) -> str:
    if value not in STATUSES:
        raise ValueError(f"{value[:40]!r} is not a status; use one of {', '.join(STATUSES)}")
    return value


def _boolean(value: Any) -> Any:
    """Accept only true and false, because pydantic would also accept 1, on and yes."""
    if isinstance(value, str) and value not in ("true", "false"):
        raise ValueError(f"{value[:40]!r} is neither true nor false")
    return value


async def each_once(request: Request) -> None:
    """Check that the query has at most MAX_PARAMETERS parameters, and that each occurs only once,
    unless the route accepts a list for it. A repeated parameter would be ambiguous. Raises Problem
    422."""
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
"""A validator that accepts only digits. In an annotation, it must come after the bounds, because
otherwise the OpenAPI document would not show the bounds."""
Absent = SkipJsonSchema[None]
"""The type of an optional parameter that is missing from a query. The schema doesn't show this
type, because a query can't contain null."""
ADDRESS_SCHEMA: Json = {"pattern": ADDRESS, "format": "address"}
AbsentHeight = Annotated[int, Field(ge=0, le=MAX_HEIGHT)] | Absent

GamePath = Annotated[str, Path(description="the game's slug, from `GET /games`", examples=["chess"])]
MatchId = Annotated[
    int, Path(ge=1, le=MAX_MATCH, description="the match's number in its game", examples=[7]), WholeNumber
]
Seq = Annotated[
    Annotated[int, Field(ge=1, le=MAX_SEQ)] | Absent,
    Query(description="the number of an event; the answer is the board after this event", examples=[5]),
    WholeNumber,
]
AtBlock = Annotated[
    str | Absent,
    Query(
        description="the height of a block, or its hash (0x and 64 hex digits); the answer is the board after "
        "this block",
        examples=["120", f"0x{'5f' * 32}"],
        json_schema_extra={"pattern": BLOCK},
    ),
]
After = Annotated[
    int,
    Query(ge=0, le=MAX_SEQ, description="the number of the event after which the page starts", examples=[0, 12]),
    WholeNumber,
]
FewLimit = Annotated[
    int,
    Query(ge=1, le=100, description="the maximum number of entries to return, 1 to 100", examples=[20]),
    WholeNumber,
]
ManyLimit = Annotated[
    int,
    Query(ge=1, le=1000, description="the maximum number of entries to return, 1 to 1000", examples=[100]),
    WholeNumber,
]
FromBlock = Annotated[
    AbsentHeight, Query(description="only events in blocks at or above this height", examples=[1]), WholeNumber
]
ToBlock = Annotated[
    AbsentHeight, Query(description="only events in blocks at or below this height", examples=[5000]), WholeNumber
]
WithOpponents = Annotated[
    bool,
    Query(description="true to include this server's computer players, false to leave them out", examples=[False]),
    BeforeValidator(_boolean),
]
WithCells = Annotated[
    bool,
    Query(description="true to include the cells of the map, false to leave them out", examples=[False]),
    BeforeValidator(_boolean),
]
WithAbi = Annotated[
    bool,
    Query(description="true to include the ABIs, false to leave them out", examples=[False]),
    BeforeValidator(_boolean),
]
AbiHash = Annotated[
    str,
    Path(
        description="the ABI's hash: the `abiHash` of a game in `GET /games`",
        examples=[example_hash("5f")],
        pattern=HASH,
    ),
]
Accounts = Annotated[
    Sequence[Annotated[str, BeforeValidator(parse_address)]],
    Query(
        description=f"the address of an account; repeat the parameter for up to {MAX_ACCOUNTS} accounts",
        max_length=MAX_ACCOUNTS,
        examples=[[ALICE]],
        json_schema_extra={"items": {"type": "string", **ADDRESS_SCHEMA}},
    ),
]
AnyNickname = Annotated[
    Annotated[str, Field(max_length=100)] | Absent,
    Query(
        description="the nickname to find, or a similar name; can't be combined with `account`",
        examples=["Ann of Aran"],
    ),
]
Player = Annotated[
    str | Absent,
    Query(
        description="only matches in which this address has a seat; can't be combined with `opponent`",
        examples=[ALICE],
        json_schema_extra=ADDRESS_SCHEMA,
    ),
    BeforeValidator(parse_address),
]
NamedPlayer = Annotated[
    str | Absent,
    Query(
        description="only events that name this address",
        examples=[ALICE],
        json_schema_extra=ADDRESS_SCHEMA,
    ),
    BeforeValidator(parse_address),
]
Opponent = Annotated[
    str | Absent,
    Query(
        description="only matches to which this address is invited; can't be combined with `player`",
        examples=[ALICE],
        json_schema_extra=ADDRESS_SCHEMA,
    ),
    BeforeValidator(parse_address),
]
Status = Annotated[
    str | Absent,
    Query(
        description="only matches with this status",
        examples=["playing"],
        json_schema_extra={"enum": list(STATUSES)},
    ),
    BeforeValidator(_status),
]
GameName = Annotated[str | Absent, Query(description="only the game with this slug", examples=["chess"])]
OneGame = Annotated[str, Query(description="the game's slug", examples=["chess"])]
EventName = Annotated[
    Annotated[str, Field(max_length=100)] | Absent,
    Query(description="only events with this name in the contract's ABI", examples=["MatchEnded"]),
]
Cursor = Annotated[
    Annotated[str, Field(max_length=400)] | Absent,
    Query(
        description="the `next` of the previous page; all other parameters, except `limit`, must be the same as before",
        examples=["WyJmM2Y5YzY0MTBhYjEiLDEyMCwzXQ"],
        json_schema_extra={"format": "cursor"},
    ),
]
PlayerAddress = Annotated[
    str,
    Path(
        description="the player's address: 20 bytes as 0x hex; letters in mixed case need a correct checksum (EIP-55)",
        examples=[ALICE],
        json_schema_extra=ADDRESS_SCHEMA,
    ),
    BeforeValidator(parse_address),
]
