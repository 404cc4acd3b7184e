"""Players: results, ratings, and leaderboards."""

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
"""A match's stage for its players, by its status."""

GameSlug = Annotated[str, about("the game's slug", "chess")]
Rating = Annotated[float, about("Elo, with at most two decimals; 1500 before the first match", 1530.53)]
Rank = Annotated[int, about("one plus the number of players with a higher rating in this game", 1, ge=1)]
Played = Annotated[int, about("finished matches; cancelled ones don't count", 3, ge=0)]
Won = Annotated[int, about("matches that the player won", 2, ge=0)]
Lost = Annotated[int, about("matches that another player won", 1, ge=0)]
Drawn = Annotated[int, about("matches without a winner", 0, ge=0)]
Rivals = Annotated[
    int,
    about(
        (
            "number of different players with whom the player has finished a match of this game, "
            f"at most {RELIABLE_OPPONENTS}; "
            "with fewer, the rating is unreliable"
        ),
        3,
        ge=0,
        le=RELIABLE_OPPONENTS,
    ),
]
Open = Annotated[int, about("matches that wait for players", 0, ge=0)]
Running = Annotated[int, about("matches in progress", 1, ge=0)]
Over = Annotated[int, about("finished or cancelled matches", 3, ge=0)]


class StandingShape(Shape):
    """A player's place in a game."""

    rank: Rank
    address: Address
    game: GameSlug
    rating: Rating
    played: Played
    won: Won
    lost: Lost
    drawn: Drawn
    rivals: Rivals


class LeaderboardShape(Shape):
    """The players who have finished a match of a game, highest rating first, among equals by
    address."""

    players: Annotated[list[StandingShape], about("best first")]
    block: NotRequired[Annotated[BlockShape, about("the block of all pages; absent while none is indexed")]]
    next: NotRequired[Annotated[str, about("the cursor of the next page; absent on the last page", NEXT_CURSOR)]]


class PlayerGameShape(Shape):
    """A player's results in one game. Rating and rank are null before the first finished match."""

    game: GameSlug
    rating: Annotated[float | None, about("Elo, with at most two decimals; null: not rated yet", 1530.53)]
    rank: Annotated[int | None, about("rank among the game's players by rating; null: not ranked yet", 1)]
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

    address: Address
    played: Played
    won: Won
    lost: Lost
    drawn: Drawn
    open: Open
    running: Running
    over: Over
    first: Annotated[
        Seconds | None,
        about("time of the first event that names the player, in seconds since 1970; null: none", TIME - 9000),
    ]
    last: Annotated[
        Seconds | None, about("time of the last event that names the player, in seconds since 1970; null: none", TIME)
    ]
    games: Annotated[list[PlayerGameShape], about("by slug")]


class RatedMatchShape(Shape):
    """A finished match of a player, and the rating after it."""

    match: MatchName
    seq: Annotated[EventNumber, about("number of the event that ended it", 9)]
    time: Seconds
    rating: Rating
    opponents: Annotated[list[Address], about("the other players, by seat", [BOB])]
    result: Annotated[Literal["won", "lost", "drawn"], about("the result for the player", "won")]


class RatingsShape(Shape):
    """A player's rating in a game, match by match."""

    address: Address
    game: GameSlug
    ratings: Annotated[list[RatedMatchShape], about("latest match first")]
    next: NotRequired[Annotated[str, about("the cursor of the next page; absent on the last page", NEXT_CURSOR)]]


class RivalShape(Shape):
    """An opponent in some of a player's finished matches of a game."""

    address: Annotated[str, about("the opponent", BOB)]
    game: GameSlug
    played: Annotated[int, about("finished matches in which both played", 3, ge=1)]
    won: Annotated[int, about("matches that the player won", 2, ge=0)]
    lost: Annotated[int, about("matches that this opponent won", 1, ge=0)]
    drawn: Annotated[int, about("matches without a winner; a third player may have won others", 0, ge=0)]
    rating: Annotated[float, about("the opponent's current rating", 1484.74)]
    difference: Annotated[float, about("the player's current rating minus the opponent's", 30.53)]
    last: Annotated[Seconds, about("end of the last of these matches", TIME)]


class RivalsShape(Shape):
    """The opponents with whom a player has finished matches. An opponent in several games has an
    entry for each."""

    address: Address
    rivals: Annotated[list[RivalShape], about("most matches first")]
    total: Annotated[int, about("number of all opponents, listed or not", 3, ge=0)]


def leaderboard_row(found: RankedResult) -> StandingShape:
    """Return a player's row in a leaderboard. Ratings are stored in whole hundredths."""
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
    """Return a player's results in a game. `seats` counts the matches in which the player has a
    seat, by game and status."""
    stages = dict.fromkeys(STAGES.values(), 0)
    for (one, status), matches in seats.items():
        if one == game:
            stages[STAGES[status]] += matches
    row: Json = {"game": game, "rating": None, "rank": None, **dict.fromkeys((*COUNTS, "rivals"), 0)}
    if ranked:
        row = {key: value for key, value in leaderboard_row(ranked).items() if key != "address"}
    return cast(PlayerGameShape, row | stages)


def player(address: str, games: Sequence[PlayerGameShape], named: tuple[int, int] | None) -> PlayerShape:
    """Return a player's results. `named` are the times of the first and last event that names the
    player."""
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
