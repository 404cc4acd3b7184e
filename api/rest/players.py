"""Players over HTTP: one by its address, and the best of a game."""

from __future__ import annotations

from fastapi import Response

from api.problems import Problem
from api.rest import pagination
from api.rest.answers import json_response
from api.rest.context import Context
from api.rest.lookup import game_named
from api.rest.params import Cursor, FewLimit, GameName, PlayerAddress, WithOpponents
from api.shapes.blocks import block as block_shape
from api.shapes.opponents import accounts
from api.shapes.players import LeaderboardShape, PlayerGameShape, leaderboard_row, player, player_game
from indexer.model import Block, Json
from indexer.store.leaderboard import PageKey, RankedResult
from indexer.store.snapshot import Snapshot

PAGE_KEY_TYPES = (int, int, int, str, str)
"""The types of a leaderboard cursor's fields, as `PageKey` has them."""


class PlayerRoutes:
    """Routes /players/{address} and /leaderboard."""

    def __init__(self, context: Context) -> None:
        self._store, self._games, self._opponents = context.store, context.games, context.opponents

    def one(self, address: PlayerAddress) -> Response:
        """A player's games, with its ratings, ranks and counts. Zeros for an address that never played."""
        with self._store.read() as snapshot:
            games = _games(snapshot, address)
            named = snapshot.first_and_last_seen(address)
        return json_response(player(address, games, named))

    def leaderboard(
        self, game: GameName = None, limit: FewLimit = 50, cursor: Cursor = None, opponents: WithOpponents = True
    ) -> Response:
        """The players by their ratings in a game, or in all games, the highest first, all pages as of one block."""
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
    """Raises Problem 409 when the leaderboard as of the cursor's block is too old."""
    after.check(snapshot)
    if snapshot.is_too_old(game, after.height):
        detail = f"Too many matches have ended since block {after.height}, as of which the pages are. "
        raise Problem(
            409,
            "stale-cursor",
            detail + "Leave the cursor out to begin anew.",
            block={"height": after.height, "hash": after.hash},
        )


def _games(snapshot: Snapshot, address: str) -> list[PlayerGameShape]:
    """The games in which a player has a seat, by name."""
    seats, ranks = snapshot.seat_counts(address), snapshot.ranks_of(address)
    return [player_game(game, seats, ranks.get(game)) for game in sorted({game for game, _ in seats})]


def _next(query: Json, block: Block, last: RankedResult, limit: int, after: pagination.Cursor | None) -> str:
    count = limit + (after.rest[0] if after else 0)
    one = last.result
    return pagination.encode(query, block, count, last.rank, one.rating, one.address, one.game)
