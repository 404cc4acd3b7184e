"""Players over HTTP: one by its address, and the best of a game."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import Response

from api import serializers
from api.problems import Problem
from api.rest import pagination
from api.rest.answers import json_response
from api.rest.context import Context
from api.rest.lookup import game_named
from api.rest.params import Cursor, FewLimit, GameName, PlayerAddress
from indexer.model import Block, Json
from indexer.store.leaderboard import PageKey, RankedResult
from indexer.store.snapshot import Snapshot

PAGE_KEY_TYPES = (int, int, int, str, str)
"""The types of a leaderboard cursor's fields, as `PageKey` has them."""
COUNTS = ("played", "won", "lost", "drawn")
STAGES: Mapping[str, str] = {"open": "open", "playing": "running", "finished": "over", "cancelled": "over"}
"""A match's stage for its players, by its status."""


class PlayerRoutes:
    """Routes /players/{address} and /leaderboard."""

    def __init__(self, context: Context) -> None:
        self._store, self._games = context.store, context.games

    def one(self, address: PlayerAddress) -> Response:
        """A player's games, with its ratings, ranks and counts. Zeros for an address that never played."""
        with self._store.read() as snapshot:
            games = _games(snapshot, address)
            named = snapshot.first_and_last_seen(address)
        totals = {key: sum(one[key] for one in games) for key in (*COUNTS, *dict.fromkeys(STAGES.values()))}
        first, last = named or (None, None)
        return json_response({"address": address, **totals, "first": first, "last": last, "games": games})

    def leaderboard(self, game: GameName = None, limit: FewLimit = 50, cursor: Cursor = None) -> Response:
        """The players by their ratings in a game, or in all games, the highest first, all pages as of one block."""
        if game is not None:
            game_named(self._games, game)
        query: Json = {"of": "leaderboard", "game": game}
        after = pagination.decode(query, cursor, PAGE_KEY_TYPES)
        with self._store.read() as snapshot:
            if after is not None:
                _check(snapshot, game, after)
            block = snapshot.tip() if after is None else snapshot.block_at(after.height)
            if block is None:
                return json_response({"players": []})
            found = snapshot.leaderboard(game, block.height, limit + 1, PageKey(*after.rest) if after else None)
        rest = {"next": _next(query, block, found[limit - 1], limit, after)} if len(found) > limit else {}
        return json_response(
            {
                "players": [serializers.leaderboard_row(one) for one in found[:limit]],
                "block": serializers.block(block),
                **rest,
            }
        )


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


def _games(snapshot: Snapshot, address: str) -> list[Json]:
    """The games in which a player has a seat, by name."""
    seats, ranks = snapshot.seat_counts(address), snapshot.ranks_of(address)
    return [_in_game(game, seats, ranks.get(game)) for game in sorted({game for game, _ in seats})]


def _in_game(game: str, seats: Mapping[tuple[str, str], int], ranked: RankedResult | None) -> Json:
    stages = dict.fromkeys(STAGES.values(), 0)
    for (one, status), matches in seats.items():
        if one == game:
            stages[STAGES[status]] += matches
    if ranked is None:
        return {"game": game, "rating": None, "rank": None, **dict.fromkeys(COUNTS, 0), **stages}
    found = serializers.leaderboard_row(ranked)
    del found["address"]
    return {**found, **stages}


def _next(query: Json, block: Block, last: RankedResult, limit: int, after: pagination.Cursor | None) -> str:
    count = limit + (after.rest[0] if after else 0)
    one = last.result
    return pagination.encode(query, block, count, last.rank, one.rating, one.address, one.game)
