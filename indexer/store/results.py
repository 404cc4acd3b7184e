"""Results: the outcome of each finished match for its players, and their ratings after it.

Results are derived in the chain's order. A reorg deletes the last results and makes the previous
results current again.

A match of two players without a clock is friendly. It is counted but changes no rating. If such a
match changed ratings, players could raise theirs by playing both sides, because a chain doesn't
show who owns an address. Matches that the game itself doesn't rate (`Game.rated`) change no rating
either."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from sqlalchemy import Connection, delete, select, update

from indexer.gamekit import elo
from indexer.gamekit.game import Game, always
from indexer.gamekit.lifecycle import ENDED, NOBODY
from indexer.model import Json
from indexer.store.db.bulk_insert import INSERT_RESULT, SUPERSEDE, execute_many
from indexer.store.db.schema import EVENT, MATCH, RESULT

BATCH = 500
"""The number of players per query, and the number of matches whose results are derived together."""
CLOCK = MATCH.c.board["clock"].as_integer().label("clock")
"""The seconds per move, or 0 for no limit. It is null if the game has no clocks."""
NO_GAMES: Mapping[str, Game] = {}
COLUMNS = tuple(column.key for column in RESULT.c)
Player: TypeAlias = tuple[str, str]
"""A player of a game: the game and the player's address."""


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """A match that was finished, not cancelled: the position of its end and its outcome.

    `winner` is None for a draw. A `friendly` match changes no rating."""

    height: int
    log_index: int
    game: str
    match: int
    players: tuple[str, ...]
    winner: str | None
    friendly: bool


@dataclass(slots=True)
class Result:
    """A row of the table of results, before or after it is written."""

    game: str
    match: int
    address: str
    outcome: str
    rating: int
    played: int
    won: int
    lost: int
    drawn: int
    height: int
    log_index: int
    until_height: int | None = None

    def row(self) -> tuple[Any, ...]:
        return tuple(getattr(self, column) for column in COLUMNS)


def is_friendly(clock: int | None, players: Collection[str]) -> bool:
    """Return True if a match changes no rating because it is for two players and has no clock.

    `clock`: seconds per move, or None if the board has no clock."""
    return not clock and len(players) <= 2


def insert(connection: Connection, finished_matches: Iterable[FinishedMatch]) -> None:
    """Insert the results of these matches. These matches must have ended after all matches that
    already have results."""
    ordered = sorted(finished_matches, key=lambda one: (one.height, one.log_index))
    last = current_results(connection, {(one.game, player) for one in ordered for player in one.players})
    stored, new_results = {player: result.match for player, result in last.items()}, list[Result]()
    for finished in ordered:
        for result in _results_of(finished, last):
            player = (result.game, result.address)
            if player in last:
                last[player].until_height = result.height
            last[player] = result
            new_results.append(result)
    execute_many(connection, INSERT_RESULT, [result.row() for result in new_results])
    first = {(one.game, one.address): one.height for one in reversed(new_results)}
    execute_many(connection, SUPERSEDE, [(first[game, who], game, match, who) for (game, who), match in stored.items()])


def _results_of(finished: FinishedMatch, last: dict[Player, Result]) -> list[Result]:
    """Return the result of a match for each of its players, computed from the player's previous
    result."""
    before = {player: last.get((finished.game, player)) for player in sorted(finished.players)}
    ratings_before = {who: one.rating if one else elo.INITIAL_RATING for who, one in before.items()}
    ratings_after = ratings_before if finished.friendly else elo.update_ratings(ratings_before, finished.winner)
    return [_next_result(finished, player, old, ratings_after[player]) for player, old in before.items()]


def _next_result(finished: FinishedMatch, player: str, old: Result | None, rating: int) -> Result:
    outcome = "drawn" if finished.winner is None else "won" if finished.winner == player else "lost"
    counts = {one: (getattr(old, one) if old else 0) + (one == outcome) for one in ("won", "lost", "drawn")}
    position = {"height": finished.height, "log_index": finished.log_index}
    return Result(finished.game, finished.match, player, outcome, rating, sum(counts.values()), **counts, **position)


def current_results(connection: Connection, players: set[Player]) -> dict[Player, Result]:
    """Return the last result of each of these players. Players without results are left out."""
    found: dict[Player, Result] = {}
    for game in {game for game, _ in players}:
        addresses = sorted(address for one, address in players if one == game)
        for start in range(0, len(addresses), BATCH):
            batch = RESULT.c.address.in_(addresses[start : start + BATCH])
            query = select(RESULT).where(batch, RESULT.c.game == game, RESULT.c.until_height.is_(None))
            for row in connection.execute(query):
                found[game, row.address] = Result(**row._mapping)
    return found


def restore_current(connection: Connection, height: int, games: Sequence[str]) -> None:
    """After the results at this height and above were deleted, make the players' previous results
    current again."""
    superseded = RESULT.c.game.in_(games) & (RESULT.c.until_height >= height)
    connection.execute(update(RESULT).where(superseded).values(until_height=None))


def derive(connection: Connection, games: Mapping[str, Game] = NO_GAMES) -> None:
    """Delete all results and derive them again from the events and the matches.

    Each game in `games` decides which of its matches are rated. In other games, every match is
    rated."""
    connection.execute(delete(RESULT))
    for game in connection.execute(select(MATCH.c.game).distinct().order_by(MATCH.c.game)).scalars().all():
        batch: list[FinishedMatch] = []
        for finished in _finished_matches(connection, game, games[game].rated if game in games else always):
            batch.append(finished)
            if len(batch) == BATCH:
                insert(connection, batch)
                batch.clear()
        insert(connection, batch)


def _finished_matches(connection: Connection, game: str, rated: Callable[[Json], bool]) -> Iterator[FinishedMatch]:
    """Yield the game's finished matches, in the order in which they ended on the chain."""
    query = (
        select(EVENT.c.height, EVENT.c.log_index, EVENT.c.match, EVENT.c.args, MATCH.c.players, CLOCK)
        .join(MATCH, MATCH.c.match == EVENT.c.match)
        .where(EVENT.c.game == game, MATCH.c.game == game, EVENT.c.name == ENDED, MATCH.c.status == "finished")
        .order_by(EVENT.c.height, EVENT.c.log_index)
    )
    for row in connection.execute(query).all():
        winner = row.args["winner"]
        won_by = None if winner == NOBODY else winner
        friendly = is_friendly(row.clock, row.players)
        if not friendly and rated is not always:
            friendly = not rated(_board(connection, game, row.match))
        yield FinishedMatch(row.height, row.log_index, game, row.match, tuple(row.players), won_by, friendly)


def _board(connection: Connection, game: str, match: int) -> Json:
    found: Json = connection.execute(
        select(MATCH.c.board).where(MATCH.c.game == game, MATCH.c.match == match)
    ).scalar_one()
    return found
