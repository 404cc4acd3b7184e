"""Results: the outcome of each finished match for its players, and their ratings after it. Derived in the order of the
chain; a reorg deletes the last ones, and restores those before them as current.

A match of two without a clock is friendly: it is counted, and moves no rating. So nobody rates himself by playing both
sides: no chain shows who is behind two addresses. Nor does one that its game does not rate (`Game.rated`)."""

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
"""Players that one query asks for, and matches whose results are derived together."""
CLOCK = MATCH.c.board["clock"].as_integer().label("clock")
"""Seconds for a move; 0: none. Null where a game knows no clocks."""
NO_GAMES: Mapping[str, Game] = {}
COLUMNS = tuple(column.key for column in RESULT.c)
Player: TypeAlias = tuple[str, str]
"""By game and address."""


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """A finished (not cancelled) match: where it ended, and how. `winner` None: a draw. `friendly`: it moves no
    rating."""

    height: int
    log_index: int
    game: str
    match: int
    players: tuple[str, ...]
    winner: str | None
    friendly: bool


@dataclass(slots=True)
class Result:
    """A row of the table, before or after it is written."""

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
    """True when a match moves no rating. `clock`: seconds for a move; None where its board knows no clock."""
    return not clock and len(players) <= 2


def insert(connection: Connection, finished_matches: Iterable[FinishedMatch]) -> None:
    """Inserts the results of these matches, which come after all that are stored."""
    ordered = sorted(finished_matches, key=lambda one: (one.height, one.log_index))
    last = current_results(connection, {(one.game, player) for one in ordered for player in one.players})
    stored, made = {player: result.match for player, result in last.items()}, list[Result]()
    for finished in ordered:
        for result in _results_of(finished, last):
            player = (result.game, result.address)
            if player in last:
                last[player].until_height = result.height
            last[player] = result
            made.append(result)
    execute_many(connection, INSERT_RESULT, [result.row() for result in made])
    first = {(one.game, one.address): one.height for one in reversed(made)}
    execute_many(connection, SUPERSEDE, [(first[game, who], game, match, who) for (game, who), match in stored.items()])


def _results_of(finished: FinishedMatch, last: dict[Player, Result]) -> list[Result]:
    """A match's result for each of its players, from each one's previous result."""
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
    """The last results of those of these players who have any."""
    found: dict[Player, Result] = {}
    for game in {game for game, _ in players}:
        addresses = sorted(address for one, address in players if one == game)
        for start in range(0, len(addresses), BATCH):
            some = RESULT.c.address.in_(addresses[start : start + BATCH])
            query = select(RESULT).where(some, RESULT.c.game == game, RESULT.c.until_height.is_(None))
            for row in connection.execute(query):
                found[game, row.address] = Result(**row._mapping)
    return found


def restore_current(connection: Connection, height: int, games: Sequence[str]) -> None:
    """Makes results current again that deleted ones, from this height on, had superseded."""
    superseded = RESULT.c.game.in_(games) & (RESULT.c.until_height >= height)
    connection.execute(update(RESULT).where(superseded).values(until_height=None))


def derive(connection: Connection, games: Mapping[str, Game] = NO_GAMES) -> None:
    """Deletes all results and derives them again from the events and the matches, those of these games as each rates
    them."""
    connection.execute(delete(RESULT))
    for game in connection.execute(select(MATCH.c.game).distinct().order_by(MATCH.c.game)).scalars().all():
        some: list[FinishedMatch] = []
        for finished in _finished_matches(connection, game, games[game].rated if game in games else always):
            some.append(finished)
            if len(some) == BATCH:
                insert(connection, some)
                some.clear()
        insert(connection, some)


def _finished_matches(connection: Connection, game: str, rated: Callable[[Json], bool]) -> Iterator[FinishedMatch]:
    """The game's finished matches, in the chain's order. A match ends once."""
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
