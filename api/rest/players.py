"""The routes for players: a player's results, ratings and past opponents, and the leaderboard."""

from __future__ import annotations

from fastapi import Response

from api.problems import Problem
from api.rest import pagination
from api.rest.answers import json_response
from api.rest.context import Context
from api.rest.lookup import game_named
from api.rest.params import Cursor, FewLimit, GameName, ManyLimit, OneGame, PlayerAddress, WithOpponents
from api.shapes.blocks import block as block_shape
from api.shapes.opponents import accounts
from api.shapes.players import (
    LeaderboardShape,
    PlayerGameShape,
    RatingsShape,
    RivalsShape,
    leaderboard_row,
    player,
    player_game,
    rated_match,
    rival,
)
from indexer.model import Block, Json
from indexer.store.leaderboard import PageKey, RankedResult
from indexer.store.snapshot import Snapshot

PAGE_KEY_TYPES = (int, int, int, str, str)
"""The types of the values that a leaderboard's cursor has in addition to its block, as in
`PageKey`."""


class PlayerRoutes:
    """The routes under /players, and the route /leaderboard."""

    def __init__(self, context: Context) -> None:
        self._store, self._games, self._opponents = context.store, context.games, context.opponents

    def one(self, address: PlayerAddress) -> Response:
        """Returns a player's results in all games together and in each game. The results in a game
        include the rating and the rank. For an address that has never played, all counts are zero
        and `games` is empty."""
        with self._store.read() as snapshot:
            games = _games(snapshot, address)
            named = snapshot.first_and_last_seen(address)
        return json_response(player(address, games, named))

    def ratings(self, address: PlayerAddress, game: OneGame, limit: ManyLimit = 100, cursor: Cursor = None) -> Response:
        """Returns a page of a player's finished matches in a game, latest first. Each entry has the
        player's rating (Elo) after the match. The rating before the first match was 1500."""
        game_named(self._games, game)
        query: Json = {"of": "ratings", "address": address, "game": game}
        before = pagination.decode(query, cursor)
        with self._store.read() as snapshot:
            if before is not None:
                before.check(snapshot)
            position = (before.height, before.rest[0]) if before else None
            found = snapshot.rating_history(address, game, limit + 1, position)
            block = snapshot.block_at(found[limit - 1].height) if len(found) > limit else None
        page: RatingsShape = {"address": address, "game": game, "ratings": [rated_match(one) for one in found[:limit]]}
        if block is not None:
            page["next"] = pagination.encode(query, block, found[limit - 1].log_index)
        return json_response(page)

    def rivals(self, address: PlayerAddress, game: GameName = None, limit: FewLimit = 50) -> Response:
        """Returns the opponents with whom a player has finished matches, with an entry for each
        game. With `game`, returns only that game's entries. Each entry has the number of matches,
        the wins of both players, and the difference between their ratings. The opponents with the
        most matches come first. If the numbers are equal, the latest opponent comes first."""
        if game is not None:
            game_named(self._games, game)
        with self._store.read() as snapshot:
            found, total = snapshot.opponents(address, game, limit)
        answer: RivalsShape = {"address": address, "rivals": [rival(one) for one in found], "total": total}
        return json_response(answer)

    def leaderboard(
        self, game: GameName = None, limit: FewLimit = 50, cursor: Cursor = None, opponents: WithOpponents = True
    ) -> Response:
        """Returns a page of the players who have finished a match, ordered by rating (Elo). Without
        `game`, one ranking covers all games, and a player has an entry for each game. Players with
        equal ratings are ordered by address. All pages show the ranking at the block that was
        newest when the first page was requested. With `opponents=false`, the list and the ranks
        leave out this server's computer players."""
        if game is not None:
            game_named(self._games, game)
        without = [] if opponents or self._opponents is None else accounts(self._opponents.opponents())
        query: Json = {"of": "leaderboard", "game": game, "without": without}
        after = pagination.decode(query, cursor, PAGE_KEY_TYPES)
        with self._store.read() as snapshot:
            if after is not None:
                _check(snapshot, game, after)
            block = snapshot.tip() if after is None else snapshot.block_at(after.height)
            if block is None:
                return json_response({"players": []})
            found = snapshot.leaderboard(
                game, block.height, limit + 1, PageKey(*after.rest) if after else None, without
            )
        page: LeaderboardShape = {
            "players": [leaderboard_row(one) for one in found[:limit]],
            "block": block_shape(block),
        }
        if len(found) > limit:
            page["next"] = _next(query, block, found[limit - 1], limit, after)
        return json_response(page)


def _check(snapshot: Snapshot, game: str | None, after: pagination.Cursor) -> None:
    """Check that the ranking at the cursor's block can still be computed. Raises Problem 409
    otherwise."""
    after.check(snapshot)
    if snapshot.is_too_old(game, after.height):
        block_ref = {"height": after.height, "hash": after.hash}
        raise Problem(409, "stale-cursor.old", {"height": after.height}, block=block_ref)


def _games(snapshot: Snapshot, address: str) -> list[PlayerGameShape]:
    """Return the player's results in each game in which the player has had a seat, ordered by the
    games' slugs."""
    seats, ranks = snapshot.seat_counts(address), snapshot.ranks_of(address)
    return [player_game(game, seats, ranks.get(game)) for game in sorted({game for game, _ in seats})]


def _next(query: Json, block: Block, last: RankedResult, limit: int, after: pagination.Cursor | None) -> str:
    count = limit + (after.rest[0] if after else 0)
    one = last.result
    return pagination.encode(query, block, count, last.rank, one.rating, one.address, one.game)
