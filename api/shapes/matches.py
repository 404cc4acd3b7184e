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
    """A match in a list, in its state after its last event."""

    match: MatchName
    game: Slug
    id: MatchNumber
    seq: Annotated[int, about("the number of the match's last event", 5)]
    status: Status
    ply: Annotated[int, about("the number of moves so far; other calls, such as joining, don't count", 2)]
    players: Annotated[list[Address], about("the players' addresses, ordered by seat", [ALICE, BOB])]
    opponent: NotRequired[
        Annotated[
            Address,
            about(
                "the invited player; if several players are invited, the first one who has not joined; "
                "absent if anyone can join",
                BOB,
            ),
        ]
    ]
    seatCount: NotRequired[
        Annotated[int, about("the number of seats; absent if all matches of the game have the same number", 6)]
    ]
    invited: NotRequired[
        Annotated[
            dict[str, Address],
            about(
                "the players for whom seats are reserved; each key is a seat's number; absent if no seat is reserved",
                {"1": BOB},
            ),
        ]
    ]
    mover: NotRequired[
        Annotated[Address, about("the player whose turn it is; absent if nobody can move, or if any player can")]
    ]
    winner: NotRequired[Annotated[Address, about("the winner; absent if the match hasn't ended or nobody won", ALICE)]]
    reason: NotRequired[Annotated[Reason, about("the reason why the match ended; absent until the match ends", "won")]]
    clock: NotRequired[
        Annotated[int, about("the time per move in seconds, or 0 for no limit; absent if the game has no clock", 300)]
    ]
    stake: NotRequired[
        Annotated[
            Decimals,
            about(
                "each player's deposit in wei or in the token's smallest unit, as a decimal string; 0 if the "
                "match has no stake, absent if the game has no stakes"
            ),
        ]
    ]
    token: NotRequired[Annotated[Contract, about("the token of the stake; absent if the stake is in ether")]]
    rate: NotRequired[
        Annotated[
            Decimals,
            about(
                "the refund per second to the player who waits, in the unit of `stake`; 0 if the match has no "
                "stake, absent if the game has no refunds"
            ),
        ]
    ]
    created: Annotated[
        int, about("the time of the block in which the match was opened, in seconds since 1970", TIME - 300)
    ]
    time: Annotated[int, about("the time of the block that contains the last event, in seconds since 1970", TIME)]
    block: Annotated[BlockShape, about("the block that contains the last event")]


BOARD_FIELDS = tuple(key for key in SummaryShape.__annotations__ if key in SummaryShape.__optional_keys__)
"""The optional board fields that appear in lists of matches."""


class MatchesShape(Shape):
    """A page of matches."""

    matches: Annotated[list[SummaryShape], about("the matches, the most recently opened first")]
    next: NotRequired[Annotated[str, about("the `cursor` for the next page; absent on the last page", NEXT_CURSOR)]]


class MatchShape(Shape):
    """The board of a match after one of its events."""

    match: MatchName
    game: Slug
    id: MatchNumber
    seq: Annotated[EventNumber, about("the number of the last event that is included in this board")]
    block: Annotated[BlockShape, about("the block that contains the event `seq`")]
    settled: Annotated[
        bool,
        about(
            "true if this is the board at the end of `block`; false if a later event in the same block changed it", True
        ),
    ]
    hash: Annotated[
        str,
        about(
            "the SHA-256 hash of `board` as canonical JSON (UTF-8, sorted keys, no spaces)",
            example_hash("9d"),
            pattern=HASH,
        ),
    ]
    board: Annotated[
        dict[str, Any], about("the match's board; each game has its own fields, and no value is null", BOARD)
    ]
    address: Annotated[Contract, about("the contract that holds the match")]


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
