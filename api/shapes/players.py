"""Players with their results and ratings, and leaderboards."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, NotRequired, cast

from api.shapes.blocks import BlockShape
from api.shapes.fields import BOB, NEXT_CURSOR, TIME, Address, EventNumber, MatchName, Seconds, Shape, about
from indexer.model import Json, match_name
from indexer.store.leaderboard import RankedResult
from indexer.store.opponents import RELIABLE_OPPONENTS, OpponentRecord
from indexer.store.rating_history import RatedMatch

COUNTS = ("played", "won", "lost", "drawn")
STAGES: Mapping[str, str] = {"open": "open", "playing": "running", "finished": "over", "cancelled": "over"}
"""The stages of a match as its players see them. The key is the match's status."""

PlayerAddress = Annotated[Address, about("the player's address, checksummed (EIP-55)")]
GameSlug = Annotated[str, about("the game's slug, which is its name in paths and parameters", "chess")]
Rating = Annotated[
    float, about("the player's Elo rating in this game, with at most two decimals; everyone starts at 1500", 1530.53)
]
Rank = Annotated[
    int,
    about("the player's place in the whole leaderboard: one plus the number of players with a higher rating", 1, ge=1),
]
OptionalRating = Annotated[
    float | None,
    about(
        "the player's Elo rating in this game, with at most two decimals; null before the first finished match", 1530.53
    ),
]
OptionalRank = Annotated[
    int | None,
    about(
        "the player's place in this game's leaderboard: one plus the number of players with a higher rating; null "
        "before the first finished match",
        1,
    ),
]
Played = Annotated[int, about("the number of the player's finished matches; cancelled matches don't count", 3, ge=0)]
Won = Annotated[int, about("the number of finished matches that the player won", 2, ge=0)]
Lost = Annotated[int, about("the number of finished matches that another player won", 1, ge=0)]
Drawn = Annotated[int, about("the number of finished matches that nobody won", 0, ge=0)]
Rivals = Annotated[
    int,
    about(
        (
            f"the number of different opponents in the player's finished matches of this game, at most "
            f"{RELIABLE_OPPONENTS}; below {RELIABLE_OPPONENTS}, the rating is unreliable"
        ),
        3,
        ge=0,
        le=RELIABLE_OPPONENTS,
    ),
]
Open = Annotated[int, about("the number of the player's matches that wait for players to join", 0, ge=0)]
Running = Annotated[int, about("the number of the player's matches in progress", 1, ge=0)]
Over = Annotated[int, about("the number of the player's finished or cancelled matches", 3, ge=0)]


class StandingShape(Shape):
    """A player's place in the leaderboard of a game."""

    rank: Rank
    address: PlayerAddress
    game: GameSlug
    rating: Rating
    played: Played
    won: Won
    lost: Lost
    drawn: Drawn
    rivals: Rivals


class LeaderboardShape(Shape):
    """The players who have finished a match in a game, highest rating first. Players with equal
    ratings are ordered by address."""

    players: Annotated[list[StandingShape], about("the players, highest rating first")]
    block: NotRequired[
        Annotated[
            BlockShape, about("all pages show the ranking as it was after this block; absent while no block is indexed")
        ]
    ]
    next: NotRequired[Annotated[str, about("the `cursor` for the next page; absent on the last page", NEXT_CURSOR)]]


class PlayerGameShape(Shape):
    """A player's results in one game. The rating and the rank are null before the first finished
    match."""

    game: GameSlug
    rating: OptionalRating
    rank: OptionalRank
    played: Played
    won: Won
    lost: Lost
    drawn: Drawn
    rivals: Rivals
    open: Open
    running: Running
    over: Over


class PlayerShape(Shape):
    """A player's results in all games together, and in each game in which the player has had a
    seat."""

    address: PlayerAddress
    played: Played
    won: Won
    lost: Lost
    drawn: Drawn
    open: Open
    running: Running
    over: Over
    first: Annotated[
        Seconds | None,
        about(
            "the time of the first event that names the player, in seconds since 1970; null if there is none",
            TIME - 9000,
        ),
    ]
    last: Annotated[
        Seconds | None,
        about("the time of the last event that names the player, in seconds since 1970; null if there is none", TIME),
    ]
    games: Annotated[list[PlayerGameShape], about("the results in each game, ordered by slug")]


class RatedMatchShape(Shape):
    """A match that a player has finished, with the player's rating after the match."""

    match: MatchName
    seq: Annotated[EventNumber, about("the number of the event that ended the match", 9)]
    time: Annotated[Seconds, about("the time when the match ended, in seconds since 1970")]
    rating: Annotated[Rating, about("the player's Elo rating after the match, with at most two decimals")]
    opponents: Annotated[list[Address], about("the addresses of the other players, ordered by seat", [BOB])]
    result: Annotated[Literal["won", "lost", "drawn"], about("the match's result for the player", "won")]


class RatingsShape(Shape):
    """A player's rating in a game after each match."""

    address: PlayerAddress
    game: GameSlug
    ratings: Annotated[list[RatedMatchShape], about("the rating after each match, latest match first")]
    next: NotRequired[Annotated[str, about("the `cursor` for the next page; absent on the last page", NEXT_CURSOR)]]


class RivalShape(Shape):
    """An opponent with whom a player has finished one or more matches of a game."""

    address: Annotated[str, about("the opponent's address, checksummed (EIP-55)", BOB)]
    game: GameSlug
    played: Annotated[
        int,
        about("the number of finished matches with this opponent, including those that a third player won", 3, ge=1),
    ]
    won: Annotated[int, about("the number of matches against this opponent that the player won", 2, ge=0)]
    lost: Annotated[int, about("the number of matches against this opponent that the opponent won", 1, ge=0)]
    drawn: Annotated[int, about("the number of matches against this opponent that nobody won", 0, ge=0)]
    rating: Annotated[
        float, about("the opponent's current Elo rating in this game, with at most two decimals", 1484.74)
    ]
    difference: Annotated[
        float, about("the player's current rating minus the opponent's; negative if the opponent's is higher", 30.53)
    ]
    last: Annotated[
        Seconds, about("the time when the last match against this opponent ended, in seconds since 1970", TIME)
    ]


class RivalsShape(Shape):
    """The opponents with whom a player has finished matches. An opponent in several games has an
    entry for each game."""

    address: PlayerAddress
    rivals: Annotated[list[RivalShape], about("the opponents, those with the most matches first")]
    total: Annotated[
        int,
        about(
            "the number of past opponents, including those beyond `limit`; an opponent counts once per game", 3, ge=0
        ),
    ]


def leaderboard_row(found: RankedResult) -> StandingShape:
    """Return a player's row in a leaderboard. The store has ratings in hundredths, as whole
    numbers."""
    last = found.result
    return {
        "rank": found.rank,
        "address": last.address,
        "game": last.game,
        "rating": last.rating / 100,
        "played": last.played,
        "won": last.won,
        "lost": last.lost,
        "drawn": last.drawn,
        "rivals": found.opponents,
    }


def player_game(game: str, seats: Mapping[tuple[str, str], int], ranked: RankedResult | None) -> PlayerGameShape:
    """Return a player's results in a game. For each game and status, `seats` contains the
    number of matches in which the player has a seat."""
    stages = dict.fromkeys(STAGES.values(), 0)
    for (one, status), matches in seats.items():
        if one == game:
            stages[STAGES[status]] += matches
    row: Json = {"game": game, "rating": None, "rank": None, **dict.fromkeys((*COUNTS, "rivals"), 0)}
    if ranked:
        row = {key: value for key, value in leaderboard_row(ranked).items() if key != "address"}
    return cast(PlayerGameShape, row | stages)


def player(address: str, games: Sequence[PlayerGameShape], named: tuple[int, int] | None) -> PlayerShape:
    """Return a player's results. `named` contains the times of the first and last events that
    mention the player."""
    totals = {key: sum(cast(Json, one)[key] for one in games) for key in (*COUNTS, *dict.fromkeys(STAGES.values()))}
    first, last = named or (None, None)
    return cast(PlayerShape, {"address": address, **totals, "first": first, "last": last, "games": games})


def rated_match(found: RatedMatch) -> RatedMatchShape:
    return {
        "match": match_name(found.game, found.match),
        "seq": found.seq,
        "time": found.time,
        "rating": found.rating / 100,
        "opponents": list(found.opponents),
        "result": cast(Literal["won", "lost", "drawn"], found.outcome),
    }


def rival(found: OpponentRecord) -> RivalShape:
    return {
        "address": found.current.address,
        "game": found.current.game,
        "played": found.played,
        "won": found.won,
        "lost": found.lost,
        "drawn": found.drawn,
        "rating": found.current.rating / 100,
        "difference": (found.own.rating - found.current.rating) / 100,
        "last": found.last,
    }
