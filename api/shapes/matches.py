"""Matches in lists, and with their boards."""

from typing import Annotated, Any, Literal, NotRequired

from api.shapes.blocks import BlockShape, block
from api.shapes.fields import (
    ALICE,
    BOARD,
    BOB,
    HASH,
    NEXT_CURSOR,
    TIME,
    Address,
    Contract,
    Decimals,
    EventNumber,
    MatchName,
    MatchNumber,
    Shape,
    Slug,
    Status,
    about,
    example_hash,
)
from indexer.model import Json, Summary, match_name

LISTED_PLAYERS = 6
Reason = Literal["won", "draw", "resigned", "timeout", "cheating-proved", "cancelled"]


class SummaryShape(Shape):
    """A match in a list, after its last event."""

    match: MatchName
    game: Slug
    id: MatchNumber
    seq: Annotated[int, about("number of its last event", 5)]
    status: Status
    ply: Annotated[int, about("number of moves that decided something", 2)]
    players: Annotated[list[Address], about("by seat", [ALICE, BOB])]
    opponent: NotRequired[Annotated[Address, about("the invited player; absent: anyone", BOB)]]
    seatCount: NotRequired[Annotated[int, about("number of seats; absent: two, or any number", 6)]]
    invited: NotRequired[
        Annotated[dict[str, Address], about("the invited players, by number of their reserved seats", {"1": BOB})]
    ]
    mover: NotRequired[Annotated[Address, about("the player to move; absent: nobody, or any player")]]
    winner: NotRequired[Annotated[Address, about("the winner; absent: no winner", ALICE)]]
    reason: NotRequired[Annotated[Reason, about("how it ended; absent: not ended", "won")]]
    clock: NotRequired[Annotated[int, about("seconds per move, 0: unlimited; absent: the game has no clocks", 300)]]
    stake: NotRequired[
        Annotated[Decimals, about("each player's deposit, in wei or the token's units; absent: no stake")]
    ]
    token: NotRequired[Annotated[Contract, about("the token of the stake; absent: ether")]]
    rate: NotRequired[Annotated[Decimals, about("the part of it that streams back per second; absent: none")]]
    created: Annotated[int, about("time of its first block, in seconds since 1970", TIME - 300)]
    time: Annotated[int, about("time of its last event's block, in seconds since 1970", TIME)]
    block: Annotated[BlockShape, about("the block of its last event")]


BOARD_FIELDS = tuple(key for key in SummaryShape.__annotations__ if key in SummaryShape.__optional_keys__)
"""Optional fields of a board that lists show."""


class MatchesShape(Shape):
    """A page of a list of matches."""

    matches: Annotated[list[SummaryShape], about("newest first")]
    next: NotRequired[Annotated[str, about("`cursor` of the next page; absent: this is the last page", NEXT_CURSOR)]]


class MatchShape(Shape):
    """A match after one of its events."""

    match: MatchName
    game: Slug
    id: MatchNumber
    seq: EventNumber
    block: Annotated[BlockShape, about("the block of that event")]
    settled: Annotated[
        bool, about("false between two events of one block, because no block ended with this board", True)
    ]
    hash: Annotated[str, about("SHA-256 of the board's canonical JSON", example_hash("9d"), pattern=HASH)]
    board: Annotated[dict[str, Any], about("the position in the format of the game's reducer; contains no null", BOARD)]
    address: Contract


def summary(found: Summary) -> SummaryShape:
    return {
        "match": match_name(found.game, found.match),
        "game": found.game,
        "id": found.match,
        "seq": found.seq,
        "status": found.status,
        "ply": found.ply,
        "players": found.players,
        **{key: found.board[key] for key in BOARD_FIELDS if key in found.board},  # type: ignore[typeddict-item]
        "created": found.created,
        "time": found.time,
        "block": block(found),
    }


def lobby_row(found: Summary) -> Json:
    """Return a summary for the lobby, which has many: without its block, and with only a few of its
    players."""
    row = {key: value for key, value in summary(found).items() if key != "block"}
    more = len(found.players) - LISTED_PLAYERS
    return row | ({"players": found.players[:LISTED_PLAYERS], "morePlayers": more} if more > 0 else {})
