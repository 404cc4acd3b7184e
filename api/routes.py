"""The routes under /api, as a table. Those that read are sync: they run beside the event loop."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Response

from api import schemas
from api.context import Context
from api.matches import Matches
from api.players import Players
from api.problems import MEDIA_TYPE
from api.rpc import MAX_BATCH
from api.sending import Sending
from api.status import Status
from indexer.model import Json

PROBLEM: dict[str, Any] = {"model": schemas.ProblemShape, "content": {MEDIA_TYPE: {}}}
CURSOR: dict[int | str, dict[str, Any]] = {400: PROBLEM, 409: PROBLEM}
PAGED = ("/matches", "/events", "/leaderboard")
"""What takes a cursor."""


def reads(context: Context) -> APIRouter:
    """What can be asked."""
    router = APIRouter(responses={404: PROBLEM, 422: PROBLEM})
    status, matches, players = Status(context), Matches(context), Players(context)
    for path, shape, endpoint in (
        ("/games", schemas.GamesShape, status.games),
        ("/matches", schemas.MatchesShape, matches.all),
        ("/matches/{game}/{id}", schemas.MatchShape, matches.one),
        ("/matches/{game}/{id}/events", schemas.EventsShape, matches.events),
        ("/matches/{game}/{id}/deltas", schemas.DeltasShape, matches.deltas),
        ("/matches/{game}/{id}/replay", schemas.ReplayShape, matches.replay),
        ("/events", schemas.AllEventsShape, matches.all_events),
        ("/players/{address}", schemas.PlayerShape, players.one),
        ("/leaderboard", schemas.LeaderboardShape, players.best),
    ):
        router.add_api_route(path, endpoint, response_model=shape, responses=CURSOR if path in PAGED else None)
    router.add_api_route("/health", status.health, response_model=schemas.HealthShape, responses={503: PROBLEM})
    text: dict[int | str, dict[str, Any]] = {200: {"content": {"text/plain": {}}}}
    router.add_api_route("/metrics", status.metrics, response_class=Response, responses=text)
    return router


def writes(context: Context) -> APIRouter:
    """What can be sent."""
    router = APIRouter(responses=dict.fromkeys((400, 413, 415, 429), PROBLEM))
    sending = Sending(context)
    calls = {"oneOf": [{"type": "object"}, {"type": "array", "maxItems": MAX_BATCH}]}
    router.add_api_route("/rpc", sending.rpc, methods=["POST"], openapi_extra=_takes(calls))
    router.add_api_route(
        "/faucet",
        sending.faucet,
        methods=["POST"],
        response_model=schemas.FaucetShape,
        responses=dict.fromkeys((404, 422, 503), PROBLEM),
        openapi_extra=_takes(schemas.FaucetRequest.model_json_schema()),
    )
    return router


def _takes(schema: Json) -> Json:
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}
