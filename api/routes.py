"""The routes under /api whose requests have no body. Most endpoints are sync functions, so that
FastAPI runs them outside the event loop."""

from __future__ import annotations

from fastapi import APIRouter, Depends

from api.openapi.document import answer
from api.openapi.game_modules import game_modules
from api.openapi.route import Route
from api.rest.context import Context
from api.rest.matches import MatchRoutes
from api.rest.nicknames import NicknameRoutes
from api.rest.opponents import OpponentRoutes
from api.rest.params import each_once
from api.rest.players import PlayerRoutes
from api.rest.status import StatusRoutes
from api.shapes.events import AllEventsShape, DeltasShape, EventsShape
from api.shapes.games import AbiShape, GamesShape
from api.shapes.manifest import ManifestShape
from api.shapes.matches import MatchesShape, MatchShape
from api.shapes.nicknames import NicknamesShape
from api.shapes.opponents import OpponentsShape
from api.shapes.players import LeaderboardShape, PlayerShape, RatingsShape, RivalsShape
from api.shapes.replay import ReplayShape
from api.shapes.status import HealthShape, ReadyShape

PACKAGE = "api.rest"
ONE_MATCH = ("unknown-game", "unknown-match", "bad-parameter", "unreadable")
LIST = ("bad-cursor", "stale-cursor", "unknown-game", "bad-parameter", "unreadable")


def table(context: Context) -> tuple[Route, ...]:
    """Return all routes that return JSON and whose requests have no body, except the routes for
    only one game."""
    status, matches, players = StatusRoutes(context), MatchRoutes(context), PlayerRoutes(context)
    return (
        Route(
            path="/matches",
            operation="listMatches",
            tag="matches",
            summary="List matches",
            endpoint=matches.all,
            answers=answer(MatchesShape, "a page of matches"),
            codes=LIST,
        ),
        Route(
            path="/matches/{game}/{id}",
            operation="getMatch",
            tag="matches",
            summary="Get a match's board",
            endpoint=matches.one,
            answers=answer(MatchShape, "the match with its board"),
            codes=("unknown-seq", "unknown-block", *ONE_MATCH),
        ),
        Route(
            path="/matches/{game}/{id}/events",
            operation="listMatchEvents",
            tag="matches",
            summary="List a match's events",
            endpoint=matches.events,
            answers=answer(EventsShape, "a page of the match's events"),
            codes=ONE_MATCH,
        ),
        Route(
            path="/matches/{game}/{id}/deltas",
            operation="listMatchDeltas",
            tag="matches",
            summary="List the changes to a match's board",
            endpoint=matches.deltas,
            answers=answer(DeltasShape, "a page of changes to the board"),
            codes=ONE_MATCH,
        ),
        Route(
            path="/matches/{game}/{id}/replay",
            operation="getReplay",
            tag="matches",
            summary="Get a match as a replay file",
            endpoint=matches.replay,
            answers=answer(ReplayShape, "the replay file"),
            codes=ONE_MATCH,
        ),
        Route(
            path="/events",
            operation="listEvents",
            tag="matches",
            summary="List the events of all matches",
            endpoint=matches.all_events,
            answers=answer(AllEventsShape, "a page of events"),
            codes=LIST,
        ),
        Route(
            path="/players/{address}",
            operation="getPlayer",
            tag="players",
            summary="Get a player",
            endpoint=players.one,
            answers=answer(PlayerShape, "the player's results"),
            codes=("bad-parameter", "unreadable"),
        ),
        Route(
            path="/players/{address}/ratings",
            operation="listRatings",
            tag="players",
            summary="List a player's rating after each match",
            endpoint=players.ratings,
            answers=answer(RatingsShape, "a page of the player's ratings"),
            codes=LIST,
        ),
        Route(
            path="/players/{address}/rivals",
            operation="listRivals",
            tag="players",
            summary="List a player's past opponents",
            endpoint=players.rivals,
            answers=answer(RivalsShape, "the opponents"),
            codes=("unknown-game", "bad-parameter", "unreadable"),
        ),
        Route(
            path="/leaderboard",
            operation="getLeaderboard",
            tag="players",
            summary="List the best players",
            endpoint=players.leaderboard,
            answers=answer(LeaderboardShape, "a page of the leaderboard"),
            codes=LIST,
        ),
        Route(
            path="/nicknames",
            operation="listNicknames",
            tag="players",
            summary="List nicknames of accounts",
            endpoint=NicknameRoutes(context).find,
            answers=answer(NicknamesShape, "the nicknames that were found"),
            codes=("bad-parameter", "unreadable"),
        ),
        Route(
            path="/opponents",
            operation="listOpponents",
            tag="players",
            summary="List the computer players",
            endpoint=OpponentRoutes(context).all,
            answers=answer(OpponentsShape, "the computer players, and how busy they are"),
            codes=("unreadable",),
        ),
        Route(
            path="/games",
            operation="listGames",
            tag="server",
            summary="List the games",
            endpoint=status.games,
            answers=answer(GamesShape, "all games"),
            codes=("bad-parameter", "unreadable"),
        ),
        Route(
            path="/abis/{hash}",
            operation="getAbi",
            tag="server",
            summary="Get a contract's ABI",
            endpoint=status.abi,
            answers=answer(AbiShape, "the ABI"),
            codes=("unknown-abi", "bad-parameter", "unreadable"),
        ),
        Route(
            path="/deployment",
            operation="getDeployment",
            tag="server",
            summary="Get the deployed contracts",
            endpoint=status.deployment,
            answers=answer(ManifestShape, "the deployed contracts"),
            codes=("unreadable",),
        ),
        Route(
            path="/health",
            operation="getHealth",
            tag="server",
            summary="Get the server's health",
            endpoint=status.health,
            answers=answer(HealthShape, "the server's health"),
            codes=("unreadable",),
        ),
        Route(
            path="/ready",
            operation="getReady",
            tag="server",
            summary="Check whether the server is ready",
            endpoint=status.ready,
            answers=answer(ReadyShape, "the server is ready"),
            codes=("not-ready", "unreadable"),
        ),
    )


def of_games(context: Context) -> tuple[Route, ...]:
    """Return the routes that exist for only one game."""
    return tuple(route for module in game_modules(PACKAGE) for route in module.routes(context))


def reads(context: Context) -> APIRouter:
    """Return the router of all routes whose requests have no body."""
    router = APIRouter(dependencies=[Depends(each_once)])
    for route in (*table(context), *of_games(context), _metrics(context)):
        if not route.body:
            route.add(router)
    return router


def _metrics(context: Context) -> Route:
    figures = "# HELP chainboard_sockets Open websockets\n# TYPE chainboard_sockets gauge\nchainboard_sockets 3.0\n"
    text = {"description": "the metrics", "content": {"text/plain": {"schema": {"type": "string"}, "example": figures}}}
    return Route(
        path="/metrics",
        operation="getMetrics",
        tag="server",
        summary="Get the server's metrics",
        endpoint=StatusRoutes(context).metrics,
        answers={200: text},
        codes=("unreadable",),
    )
