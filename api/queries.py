"""What may stand in a path or a query, with sentences for what may not."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Path, Query
from pydantic import BeforeValidator

from api.names import MAX_MATCH, address

MAX_SEQ = 2**32 - 1
MAX_HEIGHT = 2**53 - 1
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


Whole = BeforeValidator(_decimal)

MatchId = Annotated[int, Whole, Path(ge=1, le=MAX_MATCH, description="the match's number")]
Seq = Annotated[int | None, Whole, Query(ge=1, le=MAX_SEQ, description="the board after this event")]
AtBlock = Annotated[
    str | None, Query(description="the board after the last event of this block or before: height or hash")
]
After = Annotated[int, Whole, Query(ge=0, le=MAX_SEQ, description="only what comes after this event")]
Few = Annotated[int, Whole, Query(ge=1, le=100)]
Many = Annotated[int, Whole, Query(ge=1, le=1000)]
Height = Annotated[int | None, Whole, Query(ge=0, le=MAX_HEIGHT)]
Player = Annotated[str | None, BeforeValidator(address), Query(description="an address")]
Status = Annotated[str | None, BeforeValidator(_status), Query(description=", ".join(STATUSES))]
GameName = Annotated[str | None, Query(description="a game's slug")]
EventName = Annotated[str | None, Query(max_length=100, description="an event's name")]
Cursor = Annotated[str | None, Query(max_length=400, description="`next` of the answer before")]
OneGame = Annotated[str, Query(description="a game's slug")]
PlayerAddress = Annotated[str, BeforeValidator(address), Path(description="the player's address")]
