"""The routes for matches: lists, boards at any block, events, and changes to boards. Each request
reads one snapshot of the store."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from fastapi import Response
from fastapi.responses import StreamingResponse

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
    NamedPlayer,
    Opponent,
    Player,
    Seq,
    Status,
    ToBlock,
)
from api.shapes.blocks import block as block_of
from api.shapes.events import AllEventsShape, DeltasShape, EventsShape, named_event
from api.shapes.events import event as event_shape
from api.shapes.matches import MatchesShape, MatchShape, summary
from indexer.gamekit.game import board_hash, diff, fold
from indexer.model import Json, match_name
from indexer.store.snapshot import Snapshot


class MatchRoutes:
    """The routes under /matches, and the route /events across matches."""

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
        """Returns a page of matches, the most recently opened first. You can combine the filters
        `game`, `status`, and either `player` (who has a seat) or `opponent` (who is invited)."""
        if game is not None:
            game_named(self._games, game)
        if player is not None and opponent is not None:
            raise Problem(422, "bad-parameter.player-or-opponent")
        query = {"of": "matches", "game": game, "player": player, "opponent": opponent, "status": status}
        before = pagination.decode(query, cursor)
        with self._store.read() as snapshot:
            found = snapshot.summaries(game, player, status, limit + 1, _position(before, snapshot), opponent)
            next_cursor = _next_cursor(snapshot, query, [one.position for one in found], limit)
        page: MatchesShape = {"matches": [summary(one) for one in found[:limit]]}
        if next_cursor is not None:
            page["next"] = next_cursor
        return json_response(page)

    def one(self, game: GamePath, id: MatchId, seq: Seq = None, block: AtBlock = None) -> Response:
        """Returns a match's board after its last event. With `seq`, returns the board after that
        event. With `block`, returns the board at the end of that block. Use at most one of these
        two parameters."""
        rules = game_named(self._games, game)
        if seq is not None and block is not None:
            raise Problem(422, "bad-parameter.seq-or-block")
        with self._store.read() as snapshot:
            event = match_at(snapshot, rules, id, seq, block)
            next_event = snapshot.event_at(game, id, event.seq + 1)
            at = snapshot.board(game, id, event.seq)
            address = deployment_of(snapshot, game, id).address
        assert at is not None
        found: MatchShape = {
            "match": match_name(game, id),
            "game": game,
            "id": id,
            "seq": event.seq,
            "block": block_of(event),
            "settled": next_event is None or next_event.height != event.height,
            "hash": board_hash(at[0]),
            "board": at[0],
            "address": address,
        }
        return json_response(found)

    def events(self, game: GamePath, id: MatchId, after: After = 0, limit: ManyLimit = 1000) -> Response:
        """Returns a page of a match's events in order, starting after event `after`."""
        rules = game_named(self._games, game)
        with self._store.read() as snapshot:
            match_at(snapshot, rules, id)
            found = snapshot.events(game, id, after, limit + 1)
        page: EventsShape = {"match": match_name(game, id), "events": [event_shape(one) for one in found[:limit]]}
        if len(found) > limit:
            page["next"] = found[limit - 1].seq
        return json_response(page)

    def deltas(self, game: GamePath, id: MatchId, after: After = 0, limit: ManyLimit = 1000) -> Response:
        """Returns a page of the changes to a match's board: a JSON Merge Patch (RFC 7396) for each
        event after event `after`. To get the board after each event, apply the patches in order to
        the board after event `after`. You don't need the game's rules."""
        rules = game_named(self._games, game)
        with self._store.read() as snapshot:
            match_at(snapshot, rules, id)
            found = snapshot.events(game, id, after, limit + 1)
            at = snapshot.board(game, id, after) if after and found else None
        board, page = at[0] if at else rules.start, DeltasShape(match=match_name(game, id), deltas=[])
        for event in found[:limit]:
            before, board = board, fold(rules, board, (event,))
            page["deltas"].append({"seq": event.seq, "patch": diff(before, board)})
        if len(found) > limit:
            page["next"] = found[limit - 1].seq
        return json_response(page)

    def replay(self, game: GamePath, id: MatchId) -> Response:
        """Returns the whole match in one file. The file contains the chain and the contract, every
        event with its block, transaction and patch, and the last board with its hash. `chainboard
        verify FILE` verifies the file with any node of that chain."""
        rules = game_named(self._games, game)
        text = replay_file.stream(self._store.read, rules, id)
        first = next(text)  # a missing match raises Problem 404 before the response starts
        saved = {"content-disposition": f'attachment; filename="{game}-{id}.json"'}
        return StreamingResponse(chain((first,), text), headers=saved, media_type="application/json")

    def all_events(
        self,
        game: GameName = None,
        name: EventName = None,
        player: NamedPlayer = None,
        from_block: FromBlock = None,
        to_block: ToBlock = None,
        limit: ManyLimit = 100,
        cursor: Cursor = None,
    ) -> Response:
        """Returns a page of events in the chain's order, oldest first. You can combine the filters
        `game`, `name`, `player` (an address that the event names), and a range of blocks."""
        if game is not None:
            game_named(self._games, game)
        query = {"of": "events", "game": game, "name": name, "player": player, "from": from_block, "to": to_block}
        after = pagination.decode(query, cursor)
        with self._store.read() as snapshot:
            found = snapshot.search_events(
                game, name, player, from_block, to_block, limit + 1, _position(after, snapshot)
            )
            next_cursor = _next_cursor(snapshot, query, [(one.height, one.log_index) for one in found], limit)
        page: AllEventsShape = {"events": [named_event(one) for one in found[:limit]]}
        if next_cursor is not None:
            page["next"] = next_cursor
        return json_response(page)


def _position(cursor: pagination.Cursor | None, snapshot: Snapshot) -> tuple[int, int] | None:
    """Return the block and the log index of the last row on the page. Raises Problem 409 if the
    block is no longer on the chain."""
    if cursor is None:
        return None
    cursor.check(snapshot)
    return cursor.height, cursor.rest[0]


def _next_cursor(snapshot: Snapshot, query: Json, positions: Sequence[tuple[int, int]], limit: int) -> str | None:
    """Return the cursor of the next page, or None if this page is the last. `positions` are the
    positions of the page's rows, followed by the next row's position if there is one."""
    if len(positions) <= limit:
        return None
    height, index = positions[limit - 1]
    block = snapshot.block_at(height)
    assert block is not None  # the store always contains the block of a row
    return pagination.encode(query, block, index)
