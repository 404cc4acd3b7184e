"""Results: for each player of a finished match, the outcome and the rating after the match.

They are computed in the order in which matches end on the chain. A reorg deletes the results of its
blocks, and each player's previous result becomes current again.

A match for two players without a clock is friendly: it counts but doesn't change ratings.
Otherwise, a player could gain rating points by playing against another account of the same person,
because a chain doesn't show who owns an address. Matches that the game itself doesn't rate
(`Game.rated`) don't change ratings either."""

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
"""The number of players in one query, and the number of matches that are processed together."""
CLOCK = MATCH.c.board["clock"].as_integer().label("clock")
"""The SQL expression for a match's clock: seconds per move, 0 for no limit, or null if the game has
no clocks."""
NO_GAMES: Mapping[str, Game] = {}
COLUMNS = tuple(column.key for column in RESULT.c)
Player: TypeAlias = tuple[str, str]
"""A player in one game: the game, and the player's address."""


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """A match that was finished, not cancelled. `height` and `log_index` are the position of its
    last event.

    `winner` is None after a draw. A `friendly` match doesn't change ratings."""

    height: int
    log_index: int
    game: str
    match: int
    players: tuple[str, ...]
    winner: str | None
    friendly: bool


@dataclass(slots=True)
class Result:
    """A row in the table of results."""

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
    """Return True if a match doesn't change ratings, because it has at most two players and no
    clock.

    `clock`: seconds per move, 0 for no clock, or None if the game has no clocks."""
    return not clock and len(players) <= 2


def insert(connection: Connection, finished_matches: Iterable[FinishedMatch]) -> None:
    """Write the results of these matches. Matches that already have results must have ended before
    these."""
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
    """Return the results of a match, one per player. Each is computed from the player's previous
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
    """Return the last result of each of these players. Players without results are missing."""
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
    """Make the previous results of players current again. The results from this height up must
    already be deleted."""
    superseded = RESULT.c.game.in_(games) & (RESULT.c.until_height >= height)
    connection.execute(update(RESULT).where(superseded).values(until_height=None))


def derive(connection: Connection, games: Mapping[str, Game] = NO_GAMES) -> None:
    """Delete all results and compute them again from events and matches.

    A game in `games` decides which of its matches change ratings. In any other game,
    every match changes ratings unless it is friendly."""
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
    """Yield a game's finished matches, in the order in which they ended on the chain."""
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
