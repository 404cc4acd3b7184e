"""The HTTP routes under /api: thin, each reads the store in one view. Sync ones run beside the event loop."""

from __future__ import annotations

from time import time
from typing import Any

import orjson
from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST

from api import body, cursors, names, wire
from api.context import Context
from api.lookup import game_named, match_at
from api.problems import MEDIA_TYPE, Problem
from api.queries import (
    After,
    AtBlock,
    Cursor,
    EventName,
    Few,
    GameName,
    Height,
    Many,
    MatchId,
    Player,
    Seq,
    Status,
)
from api.schemas import (
    AllEventsShape,
    DeltasShape,
    EventsShape,
    FaucetRequest,
    FaucetShape,
    GamesShape,
    HealthShape,
    MatchesShape,
    MatchShape,
    ProblemShape,
)
from indexer.game import board_hash, diff, fold
from indexer.model import Json, match_name


def reads(context: Context) -> APIRouter:
    """What can be asked. Answers are serialised here once; the shapes are for OpenAPI, and tests hold them true."""
    problem = {"model": ProblemShape, "content": {MEDIA_TYPE: {}}}
    router = APIRouter(responses={404: problem, 422: problem})
    store, games = context.store, context.games

    @router.get("/health", response_model=HealthShape, responses={503: problem})
    def health() -> Response:
        """Where the index stands, compared with the node."""
        found = context.health()
        try:
            with store.read() as view:
                chain, tip = view.chain(), view.tip()
        except Exception as error:
            raise Problem(503, "unreadable", f"The database can't be read: {type(error).__name__}.") from error
        return _json(
            {
                "chainId": chain.chain_id if chain else None,
                "genesis": chain.genesis if chain else None,
                "nodeHead": found.node_head,
                "indexedHead": tip.height if tip else None,
                "lag": wire.health_lag(found, tip, int(time())),
                "state": found.state,
                "detail": found.detail,
                "development": context.development,
                "version": context.version,
                "blockTime": context.block_time,
            }
        )

    @router.get("/games", response_model=GamesShape)
    def list_games() -> Response:
        """The games, their contracts, and what players can do."""
        with store.read() as view:
            deployments = view.deployments()
        found = [wire.game(game, [one for one in deployments if one.game == slug]) for slug, game in games.items()]
        return _json({"games": found})

    @router.get("/matches", response_model=MatchesShape)
    def list_matches(
        game: GameName = None, player: Player = None, status: Status = None, limit: Few = 50, cursor: Cursor = None
    ) -> Response:
        """The newest matches first."""
        if game is not None:
            game_named(games, game)
        query = {"of": "matches", "game": game, "player": player, "status": status}
        before = cursors.decode(query, cursor)
        with store.read() as view:
            found = view.summaries(game, player, status, limit + 1, before)
        rest = {"next": cursors.encode(query, found[limit - 1].key)} if len(found) > limit else {}
        return _json({"matches": [wire.summary(one) for one in found[:limit]], **rest})

    @router.get("/matches/{game}/{id}", response_model=MatchShape)
    def match(game: str, id: MatchId, seq: Seq = None, block: AtBlock = None) -> Response:
        """A match's board: now, after an event, or as of a block."""
        rules = game_named(games, game)
        if seq is not None and block is not None:
            raise Problem(422, "bad-parameter", "Ask for a seq or for a block, not for both.")
        with store.read() as view:
            event = match_at(view, rules, id, seq, block)
            following = view.event_at(game, id, event.seq + 1)
            at = view.board(game, id, event.seq)
            address = next(
                one.address
                for one in view.deployments()
                if one.game == game and one.first_match <= id and (one.end_match is None or id < one.end_match)
            )
        assert at is not None
        return _json(
            {
                "match": match_name(game, id),
                "game": game,
                "id": id,
                "seq": event.seq,
                "block": wire.place(event),
                "settled": following is None or following.height != event.height,
                "hash": board_hash(at[0]),
                "board": at[0],
                "address": address,
            }
        )

    @router.get("/matches/{game}/{id}/events", response_model=EventsShape)
    def match_events(game: str, id: MatchId, after: After = 0, limit: Many = 1000) -> Response:
        """A match's events by number."""
        rules = game_named(games, game)
        with store.read() as view:
            match_at(view, rules, id)
            found = view.events(game, id, after, limit + 1)
        rest = {"next": found[limit - 1].seq} if len(found) > limit else {}
        return _json({"match": match_name(game, id), "events": [wire.event(one) for one in found[:limit]], **rest})

    @router.get("/matches/{game}/{id}/deltas", response_model=DeltasShape)
    def match_deltas(game: str, id: MatchId, after: After = 0, limit: Many = 1000) -> Response:
        """What each event changed on the board."""
        rules = game_named(games, game)
        with store.read() as view:
            match_at(view, rules, id)
            found = view.events(game, id, after, limit + 1)
            at = view.board(game, id, after) if after and found else None
        rest = {"next": found[limit - 1].seq} if len(found) > limit else {}
        board, deltas = at[0] if at else rules.start, []
        for event in found[:limit]:
            before, board = board, fold(rules, board, (event,))
            deltas.append({"seq": event.seq, "patch": diff(before, board)})
        return _json({"match": match_name(game, id), "deltas": deltas, **rest})

    @router.get("/events", response_model=AllEventsShape)
    def all_events(
        game: GameName = None,
        name: EventName = None,
        player: Player = None,
        from_block: Height = None,
        to_block: Height = None,
        limit: Many = 100,
        cursor: Cursor = None,
    ) -> Response:
        """Events across matches, in the chain's order."""
        if game is not None:
            game_named(games, game)
        query = {"of": "events", "game": game, "name": name, "player": player, "from": from_block, "to": to_block}
        after = cursors.decode(query, cursor)
        with store.read() as view:
            found = view.search(game, name, player, from_block, to_block, limit + 1, after)
        last = found[limit - 1] if len(found) > limit else None
        rest = {"next": cursors.encode(query, (last.height, last.log_index))} if last else {}
        events = [{**wire.event(one), "match": match_name(one.game, one.match)} for one in found[:limit]]
        return _json({"events": events, **rest})

    @router.get("/metrics", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
    def metrics() -> Response:
        """The figures, for Prometheus."""
        with store.read() as view:
            tip = view.tip()
        context.metrics.indexed.set(tip.height if tip else -1)
        context.metrics.node.set(node_head if (node_head := context.health().node_head) is not None else -1)
        return Response(context.metrics.page(), media_type=CONTENT_TYPE_LATEST)

    return router


def writes(context: Context) -> APIRouter:
    """What can be sent: to the node, and to the faucet."""
    problem = {"model": ProblemShape, "content": {MEDIA_TYPE: {}}}
    router = APIRouter(responses=dict.fromkeys((400, 413, 415, 429), problem))

    @router.post("/rpc", openapi_extra=_takes({"oneOf": [{"type": "object"}, {"type": "array", "maxItems": 20}]}))
    async def rpc(request: Request) -> Response:
        """JSON-RPC 2.0 to the chain's node, for wallets and libraries: an allow-list with limits."""
        answer = await context.rpc.answer(await body.read(request), request.client.host if request.client else "")
        return Response(status_code=204) if answer is None else _json(answer)

    @router.post(
        "/faucet",
        response_model=FaucetShape,
        responses={404: problem, 422: problem, 503: problem},
        openapi_extra=_takes(FaucetRequest.model_json_schema()),
    )
    async def faucet(request: Request) -> Response:
        """Tops an account up to 1 ether when it has less than 0.1; development chains only."""
        if context.faucet is None:
            raise Problem(404, "no-faucet", "There is no faucet here: this is not a development chain.")
        address = _asked_for(body.parse(await body.read(request)))
        try:
            grant = await context.faucet.give(address)
        except Problem as refused:
            context.metrics.faucet.labels(refused.code).inc()
            raise
        context.metrics.faucet.labels("sent" if grant.tx else "enough").inc()
        sent: Json = {"address": grant.address, "sent": str(grant.sent)}
        return _json({**sent, "tx": grant.tx} if grant.tx else sent)

    return router


def _asked_for(sent: Any) -> str:
    address = sent.get("address") if isinstance(sent, dict) else None
    if not isinstance(address, str):
        raise Problem(422, "bad-parameter", 'The body is {"address": "0x…"}.')
    try:
        return names.address(address)
    except names.BadName as error:
        raise Problem(422, "bad-parameter", f"address: {error}.") from None


def _takes(schema: Json) -> Json:
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}


def _json(value: Any) -> Response:
    return Response(orjson.dumps(value), media_type="application/json")
