"""Matches over HTTP: lists, boards at any block, events and what each changed. Each response is of one snapshot."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from fastapi import Response
from fastapi.responses import StreamingResponse

from api import serializers
from api.problems import Problem
from api.rest import pagination, replay_file
from api.rest.answers import json_response
from api.rest.context import Context
from api.rest.lookup import deployment_of, game_named, match_at
from api.rest.params import (
    After,
    AtBlock,
    Cursor,
    EventName,
    FewLimit,
    FromBlock,
    GameName,
    GamePath,
    ManyLimit,
    MatchId,
    Opponent,
    Player,
    Seq,
    Status,
    ToBlock,
)
from indexer.gamekit.game import board_hash, diff, fold
from indexer.model import Json, match_name
from indexer.store.snapshot import Snapshot


class MatchRoutes:
    """Routes under /matches, and /events across them."""

    def __init__(self, context: Context) -> None:
        self._store, self._games = context.store, context.games

    def all(
        self,
        game: GameName = None,
        player: Player = None,
        opponent: Opponent = None,
        status: Status = None,
        limit: FewLimit = 50,
        cursor: Cursor = None,
    ) -> Response:
        """The newest matches first."""
        if game is not None:
            game_named(self._games, game)
        if player is not None and opponent is not None:
            raise Problem(422, "bad-parameter", "Ask for a player or for an opponent, not for both.")
        query = {"of": "matches", "game": game, "player": player, "opponent": opponent, "status": status}
        before = pagination.decode(query, cursor)
        with self._store.read() as snapshot:
            found = snapshot.summaries(game, player, status, limit + 1, _position(before, snapshot), opponent)
            rest = _next_cursor(snapshot, query, [one.position for one in found], limit)
        return json_response({"matches": [serializers.summary(one) for one in found[:limit]], **rest})

    def one(self, game: GamePath, id: MatchId, seq: Seq = None, block: AtBlock = None) -> Response:
        """A match's board: now, after an event, or as of a block."""
        rules = game_named(self._games, game)
        if seq is not None and block is not None:
            raise Problem(422, "bad-parameter", "Ask for a seq or for a block, not for both.")
        with self._store.read() as snapshot:
            event = match_at(snapshot, rules, id, seq, block)
            next_event = snapshot.event_at(game, id, event.seq + 1)
            at = snapshot.board(game, id, event.seq)
            address = deployment_of(snapshot, game, id).address
        assert at is not None
        return json_response(
            {
                "match": match_name(game, id),
                "game": game,
                "id": id,
                "seq": event.seq,
                "block": serializers.block_ref(event),
                "settled": next_event is None or next_event.height != event.height,
                "hash": board_hash(at[0]),
                "board": at[0],
                "address": address,
            }
        )

    def events(self, game: GamePath, id: MatchId, after: After = 0, limit: ManyLimit = 1000) -> Response:
        """A match's events by number."""
        rules = game_named(self._games, game)
        with self._store.read() as snapshot:
            match_at(snapshot, rules, id)
            found = snapshot.events(game, id, after, limit + 1)
        rest = {"next": found[limit - 1].seq} if len(found) > limit else {}
        return json_response(
            {"match": match_name(game, id), "events": [serializers.event(one) for one in found[:limit]], **rest}
        )

    def deltas(self, game: GamePath, id: MatchId, after: After = 0, limit: ManyLimit = 1000) -> Response:
        """What each event changed on the board."""
        rules = game_named(self._games, game)
        with self._store.read() as snapshot:
            match_at(snapshot, rules, id)
            found = snapshot.events(game, id, after, limit + 1)
            at = snapshot.board(game, id, after) if after and found else None
        rest = {"next": found[limit - 1].seq} if len(found) > limit else {}
        board, deltas = at[0] if at else rules.start, []
        for event in found[:limit]:
            before, board = board, fold(rules, board, (event,))
            deltas.append({"seq": event.seq, "patch": diff(before, board)})
        return json_response({"match": match_name(game, id), "deltas": deltas, **rest})

    def replay(self, game: GamePath, id: MatchId) -> Response:
        """The whole match as a file that anybody can check against the chain."""
        rules = game_named(self._games, game)
        text = replay_file.stream(self._store.read, rules, id)
        first = next(text)  # says here, and not half-way, that there is no such match
        saved = {"content-disposition": f'attachment; filename="{game}-{id}.json"'}
        return StreamingResponse(chain((first,), text), headers=saved, media_type="application/json")

    def all_events(
        self,
        game: GameName = None,
        name: EventName = None,
        player: Player = None,
        from_block: FromBlock = None,
        to_block: ToBlock = None,
        limit: ManyLimit = 100,
        cursor: Cursor = None,
    ) -> Response:
        """Events across matches, in the chain's order."""
        if game is not None:
            game_named(self._games, game)
        query = {"of": "events", "game": game, "name": name, "player": player, "from": from_block, "to": to_block}
        after = pagination.decode(query, cursor)
        with self._store.read() as snapshot:
            found = snapshot.search_events(
                game, name, player, from_block, to_block, limit + 1, _position(after, snapshot)
            )
            rest = _next_cursor(snapshot, query, [(one.height, one.log_index) for one in found], limit)
        events = [{**serializers.event(one), "match": match_name(one.game, one.match)} for one in found[:limit]]
        return json_response({"events": events, **rest})


def _position(cursor: pagination.Cursor | None, snapshot: Snapshot) -> tuple[int, int] | None:
    """Block and log index of the last one returned. Raises Problem 409."""
    if cursor is None:
        return None
    cursor.check(snapshot)
    return cursor.height, cursor.rest[0]


def _next_cursor(snapshot: Snapshot, query: Json, positions: Sequence[tuple[int, int]], limit: int) -> Json:
    """The cursor of the next page, if there is one: `positions` are those of the rows, one more than are returned."""
    if len(positions) <= limit:
        return {}
    height, index = positions[limit - 1]
    block = snapshot.block_at(height)
    assert block is not None  # rows hang off their block
    return {"next": pagination.encode(query, block, index)}
