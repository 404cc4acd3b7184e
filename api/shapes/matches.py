"""The shapes of matches in lists, and of matches with their boards."""

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
    seq: Annotated[int, about("the number of the last event", 5)]
    status: Status
    ply: Annotated[int, about("the number of moves so far; other calls, such as joining, don't count", 2)]
    players: Annotated[list[Address], about("the players by seat", [ALICE, BOB])]
    opponent: NotRequired[Annotated[Address, about("the invited player; if absent, anyone can join", BOB)]]
    seatCount: NotRequired[
        Annotated[
            int,
            about(
                "the number of seats, if the match's opener chooses it; absent in games for two players, and in games "
                "without a fixed number of seats",
                6,
            ),
        ]
    ]
    invited: NotRequired[
        Annotated[
            dict[str, Address],
            about("the invited players, each by the number of the seat that is reserved for them", {"1": BOB}),
        ]
    ]
    mover: NotRequired[
        Annotated[Address, about("the player to move; absent if no player is to move or if any player may move")]
    ]
    winner: NotRequired[Annotated[Address, about("the winner; if absent, there is no winner", ALICE)]]
    reason: NotRequired[Annotated[Reason, about("how the match ended; if absent, it has not ended", "won")]]
    clock: NotRequired[
        Annotated[int, about("seconds per move, or 0 for no limit; if absent, the game has no clock", 300)]
    ]
    stake: NotRequired[
        Annotated[Decimals, about("each player's deposit in wei or the token's units; if absent, there is no stake")]
    ]
    token: NotRequired[Annotated[Contract, about("the token of the stake; if absent, the stake is in ether")]]
    rate: NotRequired[
        Annotated[
            Decimals, about("the part of the stake that streams back per second; if absent, the stake doesn't stream")
        ]
    ]
    created: Annotated[int, about("the time of the match's first block, in seconds since 1970", TIME - 300)]
    time: Annotated[int, about("the time of the last event's block, in seconds since 1970", TIME)]
    block: Annotated[BlockShape, about("the block of the last event")]


BOARD_FIELDS = tuple(key for key in SummaryShape.__annotations__ if key in SummaryShape.__optional_keys__)
"""The optional board fields that appear in lists of matches."""


class MatchesShape(Shape):
    """A page of matches."""

    matches: Annotated[list[SummaryShape], about("the matches, newest first")]
    next: NotRequired[
        Annotated[str, about("the `cursor` of the next page; if absent, this is the last page", NEXT_CURSOR)]
    ]


class MatchShape(Shape):
    """The board of a match after one of its events."""

    match: MatchName
    game: Slug
    id: MatchNumber
    seq: EventNumber
    block: Annotated[BlockShape, about("the block of that event")]
    settled: Annotated[
        bool, about("true if a block ended with this board; false if a later event of the same block changed it", True)
    ]
    hash: Annotated[str, about("the SHA-256 hash of the board's canonical JSON", example_hash("9d"), pattern=HASH)]
    board: Annotated[dict[str, Any], about("the position in the format of the game's reducer, without nulls", BOARD)]
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
    """Return a summary for the lobby, without the block and with only some of the players. It is
    short because the lobby has many matches."""
    row = {key: value for key, value in summary(found).items() if key != "block"}
    more = len(found.players) - LISTED_PLAYERS
    return row | ({"players": found.players[:LISTED_PLAYERS], "morePlayers": more} if more > 0 else {})
